import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type Database, open as openLmdb } from 'lmdb';
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  appendAnywhere,
  aStream,
  collect,
  event,
  events,
} from '../../../../test/contracts/event-store-kit.js';
import { root } from '../../../../test/faults/event-store-processes.js';
import { lengthByHead } from '../../../../test/support/lmdb-file.js';
import { StoreUnusable } from '../../../core/errors.js';
import { openEmbeddedLog } from './log.js';
import { encodeRecord } from './record.js';

const run = promisify(execFile);

describe('the embedded log in a folder that is not as it should be', () => {
  let folder: string;
  const data = (): string => join(folder, 'data.mdb');

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'assay-damage-'));
  });

  afterEach(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  async function fill(): Promise<void> {
    const log = await openEmbeddedLog(folder);
    for (let more = 0; more < 5; more++) await log.append(aStream(), 'no-stream', events(30));
    await appendAnywhere(log, aStream(), { ...event(), data: Buffer.alloc(20_000, 'x') });
    await log.close();
    await rm(join(folder, 'lock.mdb'), { force: true });
  }

  const refused = async (sentence: RegExp): Promise<void> => {
    for (const readOnly of [false, true]) {
      const opening = openEmbeddedLog(folder, { readOnly });
      await expect(opening).rejects.toBeInstanceOf(StoreUnusable);
      await expect(opening).rejects.toThrow(sentence);
    }
  };

  it('refuses a file that was cut off, wherever', async () => {
    await fill();
    const size = lengthByHead(data());
    const whole = await readFile(data());
    for (const left of [1, 100, 4_096, 8_191, 8_192, size / 2, size - 8_192, size - 5_000]) {
      await writeFile(data(), whole);
      await truncate(data(), Math.floor(left));
      await refused(/is damaged|other than the event log/);
    }
  });

  it('refuses one that would show an older state, without what was acknowledged last', async () => {
    await fill();
    const whole = await readFile(data());
    for (const page of [0, 4_096]) {
      for (let byte = 0; byte < 8; byte++) {
        const changed = Buffer.from(whole);
        const at = page + 152 + byte;
        changed.writeUInt8(changed.readUInt8(at) ^ 0x40, at);
        await writeFile(data(), changed);
        await refused(/its meta pages contradict each other/);
      }
    }
  });

  it('refuses a file that is no database', async () => {
    await writeFile(data(), 'hello '.repeat(10_000));
    await refused(/other than the event log of this service/);
  });

  it("refuses another program's database, and leaves it alone", async () => {
    const theirs = openLmdb({ path: folder, noSubdir: false });
    const table = theirs.openDB({ name: 'customers' });
    await table.put('a', 'b');
    await theirs.close();
    const before = await readFile(data());
    await refused(/other than the event log of this service/);
    expect((await readFile(data())).equals(before)).toBe(true);
  });

  it('refuses what a newer version wrote, and leaves it alone', async () => {
    await fill();
    const later = openLmdb({ path: folder, noSubdir: false, overlappingSync: false });
    await later.openDB({ name: 'meta', encoding: 'string' }).put('format', '3');
    await later.close();
    const before = await readFile(data());
    await refused(/was written by a newer version \(format 3, this one knows 2\)/);
    expect((await readFile(data())).equals(before)).toBe(true);
  });

  it('refuses to read where nothing is, and makes nothing there', async () => {
    const opening = openEmbeddedLog(join(folder, 'none'), { readOnly: true });
    await expect(opening).rejects.toThrow(/There is no event log/);
    await expect(stat(join(folder, 'none'))).rejects.toThrow();
  });

  it('refuses a folder that cannot be one', async () => {
    await writeFile(join(folder, 'file'), '');
    const opening = openEmbeddedLog(join(folder, 'file', 'log'));
    await expect(opening).rejects.toBeInstanceOf(StoreUnusable);
  });

  it('says of a changed event that it was changed, and reads the others', async () => {
    await fill();
    const bytes = await readFile(data());
    const marked = Buffer.from('x'.repeat(64));
    bytes[bytes.lastIndexOf(marked)] = 0x79;
    await writeFile(data(), bytes);
    const log = await openEmbeddedLog(folder);
    try {
      expect(await collect(log.readAll({ limit: 150 }))).toHaveLength(150);
      await expect(collect(log.readAll())).rejects.toThrow(
        /is damaged \(event 151 of the log does not match/,
      );
      await expect(log.verify()).rejects.toBeInstanceOf(StoreUnusable);
    } finally {
      await log.close();
    }
  });

  it('says of a missing event that it is missing, and passes over it in no reading', async () => {
    await fill();
    const later = openLmdb({ path: folder, noSubdir: false, overlappingSync: false });
    expect(await later.openDB({ name: 'events', encoding: 'binary' }).remove(31)).toBe(true);
    await later.close();
    const log = await openEmbeddedLog(folder);
    try {
      expect(await collect(log.readAll({ limit: 30 }))).toHaveLength(30);
      const missing = /is damaged \(event 31 of the log is missing/;
      await expect(collect(log.readAll())).rejects.toThrow(missing);
      await expect(log.verify()).rejects.toThrow(missing);
      const following = async (): Promise<void> => {
        for await (const { kind } of log.subscribeToAll({ signal: new AbortController().signal }))
          if (kind === 'live') return;
      };
      await expect(following()).rejects.toThrow(missing);
    } finally {
      await log.close();
    }
  });

  /** Changes the log's tables behind its back. */
  const tamper = async (
    change: (
      events: Database<Buffer, number>,
      streams: Database<number, [string, number]>,
    ) => Promise<unknown>,
  ): Promise<void> => {
    const raw = openLmdb({ path: folder, noSubdir: false, overlappingSync: false });
    const events = raw.openDB<Buffer, number>({ name: 'events', encoding: 'binary' });
    await change(events, raw.openDB({ name: 'streams', encoding: 'ordered-binary' }));
    await raw.close();
  };

  it('says that a stream’s index leads to another of its events, and gives it out in no reading', async () => {
    const [stream, written] = [aStream(), await openEmbeddedLog(folder)];
    await written.append(stream, 'no-stream', events(3));
    await written.close();
    await tamper(async (_, streams) => {
      await streams.put([stream, 1], 3);
    });
    const log = await openEmbeddedLog(folder);
    try {
      await expect(collect(log.readStream(stream))).rejects.toThrow(/event 3 of the log is not event 1 of/);
      await expect(log.verify()).rejects.toThrow(/event 2 of the log is not where the index/);
    } finally {
      await log.close();
    }
  });

  it('says that a stream has a gap', async () => {
    const [stream, written] = [aStream(), await openEmbeddedLog(folder)];
    await written.append(stream, 'no-stream', events(1));
    await written.close();
    await tamper(async (all, streams) => {
      await all.put(2, encodeRecord(stream, 2, { ordinal: 0, count: 1 }, event()));
      await streams.put([stream, 2], 2);
    });
    const log = await openEmbeddedLog(folder);
    try {
      await expect(log.verify()).rejects.toThrow(/event 2 of the log is not where the index/);
    } finally {
      await log.close();
    }
  });

  it('opens a copy made of a whole one', async () => {
    await fill();
    await cp(folder, `${folder}-copy`, { recursive: true });
    const log = await openEmbeddedLog(`${folder}-copy`);
    expect(await log.verify()).toEqual({ events: 151 });
    await log.close();
    await rm(`${folder}-copy`, { recursive: true });
  });

  it('never crashes over flipped bytes and never gives out what was not stored', async () => {
    await fill();
    const { stdout } = await run(process.execPath, [
      '--no-warnings',
      `${root}dist/test/faults/event-store-flips.js`,
      folder,
      '70',
      // A fixed one: about one random flip in ten thousand still goes unnoticed by LMDB's own structures.
      '7',
    ]);
    const outcomes = stdout.trim().split('\n');
    expect(outcomes).toHaveLength(70);
    expect(outcomes.filter((outcome) => outcome !== 'same' && outcome !== 'refused')).toEqual([]);
    expect(outcomes).toContain('refused');
  });
});
