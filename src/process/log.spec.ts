import { afterAll, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { eventuallyHolds } from '../../test/support/eventually.js';
import { answeredLines, createLogger, LineOutput } from './log.js';

const request = {
  requestId: 'A.b_c-9',
  correlationId: 'd9ac0c52-2b2f-4a1c-8f26-d1b1fca4d6b5',
  method: 'GET',
  route: '/organisations/:orgId/signal',
  status: 200,
  durationMs: 1.234,
};

it('writes the line of an answered request as the log writes any other', () => {
  const lines: string[] = [];
  const logger = createLogger('info', { write: (line) => void lines.push(line) });
  answeredLines(logger)(request);
  logger.info(request, 'answered');
  const [own = '', general = ''] = lines.map((line) => line.replace(/"time":"[^"]*"/, '"time":""'));
  expect(own).toBe(general);
  expect(JSON.parse(own)).toEqual({ level: 'info', time: '', ...request, msg: 'answered' });
});

it('leaves it out where the level is higher', () => {
  const lines: string[] = [];
  answeredLines(createLogger('warn', { write: (line) => void lines.push(line) }))(request);
  expect(lines).toEqual([]);
});

describe('a log that nobody reads', () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-log-'));
  const open: number[] = [];
  // Not after each test: a write of a former test that is still due would reach the next one's file by its number.
  afterAll(async () => {
    await setTimeout(100);
    for (const fd of open) closeSync(fd);
    rmSync(folder, { recursive: true });
  });
  const opened = (path: string, flags: number): number => {
    const fd = openSync(path, flags);
    open.push(fd);
    return fd;
  };
  const line = (number: number): string => `{"number":${number},"text":"${'.'.repeat(1_000)}"}\n`;

  const openPipe = (name: string): number => {
    execFileSync('mkfifo', [join(folder, name)]);
    return opened(join(folder, name), constants.O_RDWR | constants.O_NONBLOCK);
  };

  const fill = (pipe: number): void => {
    expect(() => {
      for (;;) writeSync(pipe, line(0));
    }).toThrow('EAGAIN');
  };
  const drain = (pipe: number): string => {
    const read = Buffer.alloc(1_000_000);
    return read.toString('utf8', 0, readSync(pipe, read));
  };

  it('holds up no exit', () => {
    const output = new LineOutput(openPipe('stalled'));
    for (let number = 0; number < 1_000; number++) output.write(line(number));
    const began = performance.now();
    output.flush();
    expect(performance.now() - began).toBeLessThan(10_000);
  });

  it('gets nothing after the last flush, when its number may be another file', async () => {
    const pipe = openPipe('ended');
    const output = new LineOutput(pipe);
    fill(pipe);
    output.write(line(1));
    // Its first write has failed by then, and the next try is due.
    await setTimeout(50);
    output.flush();
    drain(pipe);
    output.write(line(2));
    await setTimeout(300);
    expect(() => drain(pipe)).toThrow('EAGAIN');
  });

  it('takes no more memory than its limit: what is beyond it is counted', async () => {
    const fd = openPipe('slow');
    const output = new LineOutput(fd, 100_000);
    for (let number = 0; number < 1_000; number++) output.write(line(number));
    let text = '';
    await eventuallyHolds(() => {
      text += drain(fd);
      const lost = /\{"level":"warn","time":"[^"]+","lost":(\d+),"msg":"[^"]+"\}\n/.exec(text)?.[1];
      expect(Number(lost)).toBeGreaterThan(800);
      expect([...text.matchAll(/"number":\d+/g)]).toHaveLength(1_000 - Number(lost));
    });
  });

  it('ends nothing and holds up no exit if the disk is full', async () => {
    const output = new LineOutput(opened('/dev/full', constants.O_WRONLY));
    for (let number = 0; number < 10; number++) {
      output.write(line(number));
      await setTimeout(5);
    }
    output.write(line(10));
    output.flush();
  });
});
