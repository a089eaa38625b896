import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keys, storedSession, type StoredSession } from '../../../test/evidence/evidence-log.js';
import { MemoryVault } from '../../../test/support/memory-vault.js';
import type { RecordedEvent } from '../../core/event-store.js';
import { Sealer } from '../../core/sealing.js';
import { openEmbeddedLog } from '../../stores/lmdb/log/log.js';
import { pastNext } from './reading.js';
import { type Finding, verifyAll } from './verify.js';

describe('evidence that the embedded log itself refuses to give out', () => {
  const vault = new MemoryVault();
  let folder: string;
  let sessions: readonly StoredSession[];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'assay-refused-'));
    sessions = [await storedSession(vault), await storedSession(vault), await storedSession(vault)];
    const log = await openEmbeddedLog(folder);
    for (const { events } of sessions)
      for (const stream of new Set(events.map((event) => event.stream)))
        await log.append(
          stream,
          'no-stream',
          events.filter((event) => event.stream === stream),
        );
    await log.close();
  });
  afterEach(async () => rm(folder, { recursive: true, force: true }));

  /** Flips a bit of the event's data on the disk, wherever in the file it is. */
  const flip = async ({ data }: RecordedEvent): Promise<void> => {
    const path = join(folder, 'data.mdb');
    const file = await readFile(path);
    let found = 0;
    for (let at = file.indexOf(data); at !== -1; at = file.indexOf(data, at + 1), found++)
      file.writeUInt8(file.readUInt8(at + 20) ^ 1, at + 20);
    expect(found).toBeGreaterThan(0);
    await writeFile(path, file);
  };
  const verified = async (): Promise<readonly Finding[]> => {
    const log = await openEmbeddedLog(folder, { readOnly: true });
    const found: Finding[] = [];
    const options = { signal: new AbortController().signal, onRead: () => undefined };
    const checking = { log, trusted: keys.trusted, sealer: new Sealer(vault) };
    for await (const one of verifyAll(checking, pastNext, options)) found.push(one);
    await log.close();
    return found;
  };
  const numbers = (found: readonly Finding[]) =>
    found.flatMap((one) => (one.kind === 'session' ? [one.report.broken?.number ?? null] : []));

  it('holds as it was written', async () => {
    expect(numbers(await verified())).toEqual([null, null, null]);
  });

  it.each([0, 3, 5, 7])('is named by its place, and the other sessions are checked: event %i', async (at) => {
    await flip(sessions[1]!.events[at]!);
    const found = await verified();
    const reports = found.flatMap((one) => (one.kind === 'session' ? [one.report] : []));
    expect(reports.map(({ session }) => session)).toEqual(sessions.map(({ session }) => session));
    expect(numbers(found)).toEqual([null, at < 5 ? at + 1 : at - 4, null]);
    expect(reports[1]?.broken).toMatchObject({
      stream: sessions[1]!.events[at]!.stream,
      eventId: null,
      what: expect.stringContaining('does not match its checksum'),
    });
    const refusals = found.filter(({ kind }) => kind === 'refused');
    expect(refusals).toEqual([{ kind: 'refused', refusal: reports[1]?.broken?.what }]);
    expect(found).toHaveLength(4);
  });

  it('is named also where it is the log’s last event, or one of several', async () => {
    await flip(sessions[0]!.events[2]!);
    await flip(sessions[0]!.events[3]!);
    await flip(sessions[2]!.events[7]!);
    const found = await verified();
    expect(numbers(found)).toEqual([3, null, 3]);
    expect(found.filter(({ kind }) => kind === 'refused')).toHaveLength(3);
  });
});
