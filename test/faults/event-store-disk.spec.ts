import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedLog } from '../../src/stores/lmdb/log/log.js';
import { collect, events } from '../contracts/event-store-kit.js';
import { Writer } from './event-store-processes.js';

describe('the embedded log on a full disk', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'assay-disk-'));
  });

  afterEach(async () => {
    await rm(folder, { recursive: true });
  });

  it('rejects what does not fit as unavailable, ends no process, and loses nothing', async () => {
    // The file may have 512 KiB: then writes fail as on a full disk.
    const writer = Writer.start(folder, { streams: ['t-1', 't-2', 't-3'], bytes: 4_000 }, 1_024);
    const failed = await writer.said(({ kind }) => kind === 'failed');
    expect(failed).toMatchObject({ name: 'StoreUnavailable' });
    expect(failed.message).toContain('could not be written');
    const failures = (): number => writer.lines.filter(({ kind }) => kind === 'failed').length;
    await writer.said(() => failures() > 10);
    expect(writer.process.exitCode).toBeNull();
    expect(writer.lines.filter(({ kind }) => kind === 'unhandled')).toEqual([]);
    await writer.kill();

    const log = await openEmbeddedLog(folder);
    const stored = new Set((await collect(log.readAll())).map(({ id }) => id));
    const acknowledged = writer.lines.flatMap(({ kind, ids = [] }) => (kind === 'acknowledged' ? ids : []));
    expect(acknowledged.length).toBeGreaterThan(10);
    for (const id of acknowledged) expect(stored).toContain(id);
    const { events: count } = await log.verify();
    expect(count).toBe(stored.size);
    // With room again it appends as before.
    expect(await log.append('t-9' as never, 'no-stream', events(3))).toMatchObject({
      kind: 'appended',
      revision: 2,
    });
    await log.close();
  });
});
