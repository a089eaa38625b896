import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StoreUnavailable } from '../../src/core/errors.js';
import { type EmbeddedEventStore, openEmbeddedLog } from '../../src/stores/lmdb/log/log.js';
import { aStream, appended, collect, events } from '../contracts/event-store-kit.js';
import { untilStopped } from '../support/server-process.js';
import { Writer, WRITER } from './event-store-processes.js';

describe('the embedded log beside another process', () => {
  let folder: string;
  let log: EmbeddedEventStore;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'assay-lock-'));
  });
  afterEach(async () => {
    await log.close();
    await rm(folder, { recursive: true });
  });

  it('never stores an append that was rejected while the other one held the write lock', async () => {
    log = await openEmbeddedLog(folder, { deadlineMs: 300 });
    const patient = await openEmbeddedLog(folder, { deadlineMs: 60_000 });
    const other = Writer.start(folder, {
      streams: ['t-1'],
      at: { step: 'event-put', after: 3, signal: 'SIGSTOP' },
    });
    try {
      await untilStopped(other.process.pid!);
      const [late, next] = [aStream(), aStream()];
      // The first append waits in a transaction that it has requested; the second waits before its transaction.
      const givenUp = [late, next].map((stream) => log.append(stream, 'no-stream', events(1)));
      for (const one of givenUp) await expect(one).rejects.toBeInstanceOf(StoreUnavailable);
      const kept = aStream();
      const waiting = patient.append(kept, 'no-stream', events(1));
      other.process.kill('SIGCONT');
      appended(await waiting);
      // After one more transaction, a late append would be stored by now.
      appended(await patient.append(aStream(), 'no-stream', events(1)));
      for (const stream of [late, next]) expect(await collect(log.readStream(stream))).toEqual([]);
      expect(await collect(log.readStream(kept))).toHaveLength(1);
    } finally {
      await other.kill();
      await patient.close();
    }
  });

  it('sees what the other one has stored, also within one turn', async () => {
    log = await openEmbeddedLog(folder);
    await log.append(aStream(), 'no-stream', events(1));
    const before = log.head();
    // Synchronous: nothing else of this process runs meanwhile.
    const plan = JSON.stringify({ streams: ['t-1'], appends: 1 });
    const { status } = spawnSync(process.execPath, ['--no-warnings', WRITER, folder, plan]);
    const after = log.head();
    expect(status).toBe(0);
    expect((await after) > (await before)).toBe(true);
  });
});
