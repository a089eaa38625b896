import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { START } from '../../src/core/event-store.js';
import { type EmbeddedEventStore, openEmbeddedLog } from '../../src/stores/lmdb/log/log.js';
import { flushingLate, root, Writer } from './event-store-processes.js';

const LATE_MS = 1_500;

describe('the embedded log on a disk with slow flushes', () => {
  let folder: string;
  let log: EmbeddedEventStore;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'assay-durable-'));
    log = await openEmbeddedLog(folder);
  });
  afterEach(async () => {
    await log.close();
    await rm(folder, { recursive: true });
  });

  it('shows no event to another process before it is durable', async () => {
    const writer = Writer.flushingLate(folder, { streams: ['t-1'], appends: 1 }, LATE_MS);
    try {
      let seen = 0;
      while (seen === 0) {
        if ((await log.head()) !== START) seen = Date.now();
        else if (writer.process.exitCode !== null) throw new Error(`It stored nothing. ${writer.errors}`);
        await sleep(2);
      }
      // It was sent once the log was open; by then no flush of the append had begun.
      const { at: open = NaN } = await writer.said(({ kind }) => kind === 'open');
      expect(seen - open).toBeGreaterThanOrEqual(LATE_MS);
      const { at: acknowledged = NaN } = await writer.said(({ kind }) => kind === 'acknowledged');
      expect(acknowledged - open).toBeGreaterThanOrEqual(LATE_MS);
    } finally {
      await writer.kill();
    }
  });
});

describe('the embedded read store on such a disk', () => {
  it('returns no generation number before it is durable', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'assay-durable-'));
    try {
      const script = `${root}dist/test/faults/read-store-process.js`;
      const [command, args] = flushingLate(LATE_MS, script, 'take', folder, `${3 * LATE_MS}`);
      const { stdout, stderr } = spawnSync(command, [...args], { encoding: 'utf8' });
      expect(stderr).toBe('');
      // It begins after every earlier flush has ended, so that it waits for its own flush.
      expect(Number(/^took (\d+)$/m.exec(stdout)?.[1])).toBeGreaterThanOrEqual(LATE_MS - 1);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
