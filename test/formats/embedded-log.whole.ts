import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { EncodedEvent, StreamName } from '../../src/core/event-store.js';
import { openEmbeddedLog } from '../../src/stores/lmdb/log/log.js';

const READER = fileURLToPath(new URL('./read_log.py', import.meta.url));

/** The output of the Python reader, which is written from docs/formats.md only. */
const readByPython = (folder: string): unknown[] => {
  const { stdout, stderr, status } = spawnSync('python3', [READER, folder], {
    encoding: 'utf8',
    maxBuffer: 1 << 30,
  });
  if (status !== 0) throw new Error(stderr);
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
};

describe('The embedded log as docs/formats.md describes it', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'assay-formats-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('is read by a script that needs nothing but Python', async () => {
    const log = await openEmbeddedLog(join(folder, 'log'));
    const expected: unknown[] = [];
    // Short events, events of several pages, and so many that the tree has several levels.
    const sizes = Array.from({ length: 1_500 }, (_, n) => (n % 250 === 3 ? 100_000 : (n * 7) % 900));
    for (const [n, size] of sizes.entries()) {
      const stream = `trial-${n}` as StreamName;
      const events = Array.from({ length: 1 + (n % 3) }, (_, ordinal): EncodedEvent => {
        const data = { note: 'ü'.repeat(size), ordinal };
        const metadata = { schemaVersion: 1, recordedAt: '2026-01-01T00:00:00.000Z' };
        return {
          id: randomUUID(),
          type: 'trial.activity_recorded',
          data: Buffer.from(JSON.stringify(data)),
          metadata: Buffer.from(JSON.stringify(metadata)),
        };
      });
      await log.append(stream, 'no-stream', events);
      for (const [ordinal, event] of events.entries())
        expected.push({
          stream,
          revision: ordinal,
          type: event.type,
          id: event.id,
          append: [ordinal, events.length],
          data: JSON.parse(Buffer.from(event.data).toString()) as unknown,
          metadata: JSON.parse(Buffer.from(event.metadata).toString()) as unknown,
        });
    }
    const { logId } = log;
    await log.close();
    const [head, ...events] = readByPython(folder);
    expect(head).toEqual({ log: logId, format: 2 });
    expect(events).toEqual(expected);
  });
});
