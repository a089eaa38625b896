import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aStream, collect, event, events } from '../../../../test/contracts/event-store-kit.js';
import { AppendRefused, StoreUnavailable, StoreUnusable } from '../../../core/errors.js';
import { START, type Position } from '../../../core/event-store.js';
import type { Failpoint, Step } from './appending.js';
import { beginNewLife, type EmbeddedEventStore, type EmbeddedLogOptions, openEmbeddedLog } from './log.js';

describe('the embedded log', () => {
  let folder: string;
  const handles: EmbeddedEventStore[] = [];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'assay-log-'));
  });

  afterEach(async () => {
    await Promise.all(handles.splice(0).map((handle) => handle.close()));
    await rm(folder, { recursive: true });
  });

  const open = async (options: EmbeddedLogOptions = {}): Promise<EmbeddedEventStore> => {
    const log = await openEmbeddedLog(folder, options);
    handles.push(log);
    return log;
  };

  it('has another life, and the same identity, once it was put back from a backup', async () => {
    const log = await open();
    await log.append(aStream(), 'no-stream', events(3));
    const position = await log.head();
    expect(log.life).toBe(log.logId);
    await log.close();
    await beginNewLife(folder);
    const restored = await open();
    expect([restored.logId, await restored.head()]).toEqual([log.logId, position]);
    expect(restored.life).not.toBe(log.life);
    await restored.close();
    expect((await open()).life).toBe(restored.life);
  });

  const steps: [Step, number][] = [
    ['locked', 1],
    ['checked', 1],
    ['checked', 2],
    ['event-put', 1],
    ['event-put', 3],
    ['stream-put', 1],
    ['stream-put', 4],
  ];

  it.each(steps)('stores nothing of a transaction that throws at %s, time %i', async (step, time) => {
    let passed = -Infinity;
    const failpoint: Failpoint = (at) => {
      if (at === step && ++passed === time) throw new Error('thrown on purpose');
    };
    const log = await open({ failpoint });
    const before = aStream();
    await log.append(before, 'no-stream', events(1));
    const head = await log.head();

    passed = 0;
    const [one, two] = [aStream(), aStream()];
    const batches = [events(2), events(2)] as const;
    // Both wait for the same transaction: what fails one fails the other.
    const attempts = [log.append(one, 'no-stream', batches[0]), log.append(two, 'no-stream', batches[1])];
    for (const attempt of attempts) {
      await expect(attempt).rejects.toBeInstanceOf(StoreUnavailable);
      await expect(attempt).rejects.toThrow('thrown on purpose');
    }
    expect(await log.head()).toBe(head);
    for (const stream of [one, two]) expect(await collect(log.readStream(stream))).toEqual([]);
    expect(await log.verify()).toEqual({ events: 1 });

    passed = -Infinity;
    expect(await log.append(one, 'no-stream', batches[0])).toMatchObject({ kind: 'appended', revision: 1 });
    expect(await log.verify()).toEqual({ events: 3 });
  });

  it('has stored an append whose answer was lost, and knows it when it is sent again', async () => {
    let lose = true;
    const log = await open({
      failpoint: (step) => {
        if (step === 'committed' && lose) throw new Error('lost');
      },
    });
    const stream = aStream();
    const batch = events(2);
    await expect(log.append(stream, 'no-stream', batch)).rejects.toBeInstanceOf(StoreUnavailable);
    lose = false;
    const again = await log.append(stream, 'no-stream', batch);
    expect(again).toEqual({ kind: 'appended', revision: 1, position: await log.head() });
    expect(await log.verify()).toEqual({ events: 2 });
  });

  it('fails at once what waits while no transaction can be begun, long before its deadline', async () => {
    let begun = 0;
    const log = await open({
      deadlineMs: 60_000,
      failpoint: (step) => {
        if (step === 'before-transaction' && ++begun < 9) throw new Error('thrown on purpose');
      },
    });
    const appends = [aStream(), aStream()].map((stream) => log.append(stream, 'no-stream', events(1)));
    for (const append of appends) await expect(append).rejects.toThrow('thrown on purpose');
    expect(begun).toBeLessThanOrEqual(2);
  });

  it('takes an append that is sent again together with new ones', async () => {
    const log = await open();
    const [stream, batch] = [aStream(), events(2)];
    const first = await log.append(stream, 'no-stream', batch);
    await log.append(aStream(), 'no-stream', events(3));
    const together = await Promise.all([
      log.append(aStream(), 'no-stream', events(1)),
      log.append(stream, 'no-stream', batch),
      log.append(aStream(), 'no-stream', events(1)),
    ]);
    expect(together).toMatchObject([{ kind: 'appended' }, first, { kind: 'appended' }]);
    expect(await log.verify()).toEqual({ events: 7 });
  });

  it('takes many appends in one transaction', async () => {
    let transactions = 0;
    const log = await open({
      failpoint: (step) => {
        if (step === 'locked') transactions++;
      },
    });
    await Promise.all(Array.from({ length: 64 }, () => log.append(aStream(), 'no-stream', events(1))));
    expect(transactions).toBeLessThanOrEqual(2);
    expect(await log.verify()).toEqual({ events: 64 });
  });

  it('tells part of an append, or two of them, from the append itself', async () => {
    const log = await open();
    const stream = aStream();
    const [a, b, c] = [event(), event(), event()];
    await log.append(stream, 'no-stream', [a, b]);
    await log.append(stream, 1, [c]);
    for (const [expected, batch] of [
      ['no-stream', [a]],
      ['no-stream', [a, b, c]],
      [0, [b]],
      [0, [b, c]],
    ] as const) {
      expect(await log.append(stream, expected, batch)).toEqual({ kind: 'conflict', actual: 2 });
    }
  });

  it('knows positions by their form', async () => {
    const log = await open();
    await log.append(aStream(), 'no-stream', events(20));
    const all = await collect(log.readAll());
    expect(all.map(({ position }) => position).at(16)).toBe('00000000000011');
    for (const odd of [
      '1',
      'x'.repeat(14),
      '0'.repeat(14),
      'f'.repeat(14),
      '0000000000001G',
      '../etc/passwd1',
    ]) {
      await expect(collect(log.readAll({ after: odd as Position }))).rejects.toBeInstanceOf(RangeError);
      await expect(collect(log.readAll({ from: odd as Position }))).rejects.toBeInstanceOf(RangeError);
    }
    expect(await collect(log.readAll({ after: '00000000001000' as Position }))).toEqual([]);
    expect(await collect(log.readAll({ from: '00000000001000' as Position }))).toEqual([]);
  });

  it('reads for an operator without ever writing', async () => {
    const writer = await open();
    await writer.append(aStream(), 'no-stream', events(2));
    const reader = await open({ readOnly: true });
    await expect(reader.append(aStream(), 'no-stream', events(1))).rejects.toBeInstanceOf(AppendRefused);
    expect(await collect(reader.readAll())).toHaveLength(2);
    expect(reader.logId).toBe(writer.logId);
  });

  it('reads alone, and is then not written to in the same process', async () => {
    const writer = await openEmbeddedLog(folder);
    await writer.append(aStream(), 'no-stream', events(2));
    await writer.close();
    const reader = await open({ readOnly: true });
    expect(await reader.verify()).toEqual({ events: 2 });
    await expect(openEmbeddedLog(folder)).rejects.toBeInstanceOf(StoreUnusable);
    // What was refused holds nothing open.
    await reader.close();
    expect(await (await open()).append(aStream(), 'no-stream', events(1))).toMatchObject({
      kind: 'appended',
    });
  });

  it('keeps everything over a restart, its identity included', async () => {
    const first = await openEmbeddedLog(folder);
    const stream = aStream();
    await first.append(stream, 'no-stream', events(3));
    const before = await collect(first.readAll());
    await first.close();
    const second = await open();
    expect(second.logId).toBe(first.logId);
    expect(await collect(second.readAll())).toEqual(before);
    expect(await second.append(stream, 2, events(1))).toMatchObject({ revision: 3 });
  });

  it('says that it was closed to whoever comes later, and to its feeds', async () => {
    const log = await openEmbeddedLog(folder);
    const feed = collect(log.subscribeToAll({ signal: new AbortController().signal }));
    const ended = expect(feed).rejects.toBeInstanceOf(StoreUnavailable);
    await new Promise((resolve) => setTimeout(resolve, 20));
    await log.close();
    await log.close();
    await ended;
    await expect(log.append(aStream(), 'no-stream', events(1))).rejects.toBeInstanceOf(StoreUnavailable);
    await expect(collect(log.readAll())).rejects.toBeInstanceOf(StoreUnavailable);
    await expect(log.head()).rejects.toBeInstanceOf(StoreUnavailable);
  });

  it('hands a slow reader pages, never the whole log', async () => {
    const log = await open();
    const big = () => ({ ...event(), data: Buffer.alloc(500_000, 'x') });
    for (let more = 0; more < 40; more++) await log.append(aStream(), 'no-stream', [big(), big()]);
    const feed = log
      .subscribeToAll({ after: START, signal: new AbortController().signal })
      [Symbol.asyncIterator]();
    const all = log.readAll()[Symbol.asyncIterator]();
    const before = process.memoryUsage().arrayBuffers;
    await feed.next();
    await all.next();
    // 40 MB are stored; each of the two holds a page of little more than 1 MiB while its consumer takes its time.
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(6_000_000);
    await Promise.all([feed.return?.(), all.return?.()]);
  });
});
