import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Writable } from 'node:stream';
import { continueUnread, LineWriter } from './output.js';

describe('what is written', () => {
  afterEach(() => {
    jest.restoreAllMocks();
    process.exitCode = 0;
  });

  const failing = (code: string, ...others: readonly Writable[]): Writable => {
    const error = Object.assign(new Error(`${code}: write`), { code });
    const stream = new Writable({ write: (_chunk, _encoding, done) => done(error) });
    continueUnread(stream, ...others);
    return stream;
  };
  const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  it.each(['EPIPE', 'EIO'])('may be read by nobody any more (%s)', async (code) => {
    failing(code).write('a');
    await tick();
    expect(process.exitCode ?? 0).toBe(0);
  });

  it('is not lost in silence for any other reason, and the work goes on to its end', async () => {
    let said = '';
    jest.spyOn(process.stderr, 'write').mockImplementation((text) => {
      said += String(text);
      return true;
    });
    const lines = new LineWriter(failing('ENOSPC'));
    for (let line = 0; line < 3; line++) {
      await lines.write('a'.repeat(20_000));
      await tick();
    }
    expect(lines.gone.aborted).toBe(true);
    expect([said, process.exitCode]).toEqual(['Not all of the output could be written: ENOSPC: write.\n', 1]);
  });
});
