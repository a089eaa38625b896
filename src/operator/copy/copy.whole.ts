import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { collect, plain } from '../../../test/contracts/event-store-kit.js';
import { fillTurns, readTurn } from '../../../test/contracts/vault-audio.js';
import { fillFile, filesOf, readFile } from '../../../test/contracts/vault-files.js';
import { fillLog, fillVault } from '../../../test/faults/copy-source.js';
import { MemoryEventStore } from '../../../test/support/memory-event-store.js';
import { Random } from '../../../tools/simulate/random.js';
import { StoreUnavailable, VaultUnavailable } from '../../core/errors.js';
import type { EncodedEvent, EventStore, StreamName } from '../../core/event-store.js';
import { type PersonId, type PersonKey } from '../../core/vault/port.js';
import { openEmbeddedLog } from '../../stores/lmdb/log/log.js';
import type { ArchivableVault, VaultEntry } from '../../vault/archive.js';
import { openEmbeddedVault } from '../../vault/lmdb/vault.js';
import { OperatorError } from '../cli/program.js';
import { summaryOf } from './command.js';
import { copy, type CopyReport } from './copy.js';
import { Retries } from './retries.js';

const EVENTS = 200;
const DATA_KEY = Buffer.alloc(32, 1);

const event = (text: string): EncodedEvent => ({
  id: randomUUID(),
  type: 'thing.happened',
  data: Buffer.from(JSON.stringify({ text })),
  metadata: Buffer.from('{}'),
});

/** Neither the store nor the copy is to blame: the process was ended. */
class Killed extends Error {}

/** A store that fails here and there, before or after it has done what it was asked to. */
const failing = (log: EventStore, random: Random, killed = 0.1): EventStore => {
  const stumble = (): void => {
    if (random.chance(0.1)) throw new StoreUnavailable('The store is away.');
    if (random.chance(killed)) throw new Killed();
  };
  return {
    logId: log.logId,
    life: log.life,
    append: async (stream, expected, events) => {
      stumble();
      const outcome = await log.append(stream, expected, events);
      stumble();
      return outcome;
    },
    ordinal: (position) => log.ordinal(position),
    ordinalUnit: log.ordinalUnit,
    readStream: (stream, options) => log.readStream(stream, options),
    async *readAll(options) {
      for await (const one of log.readAll(options)) {
        if (random.chance(0.01)) throw new StoreUnavailable('The store is away.');
        yield one;
      }
    },
    subscribeToAll: (options) => log.subscribeToAll(options),
    head: () => log.head(),
    close: () => log.close(),
  };
};

const failingVault = (vault: ArchivableVault, random: Random, often = 1): ArchivableVault => ({
  ...{
    keys: vault.keys,
    identities: vault.identities,
    carriers: vault.carriers,
    audio: vault.audio,
    files: vault.files,
  },
  ...{ claims: vault.claims, reads: vault.reads, shortLived: vault.shortLived, sweeps: vault.sweeps },
  secret: (name, make) => vault.secret(name, make),
  async *entries() {
    for await (const entry of vault.entries()) {
      if (random.chance(0.01 * often)) throw new VaultUnavailable('The vault is away.');
      yield entry;
    }
  },
  put: async (entry) => {
    if (random.chance(0.05 * often)) throw new VaultUnavailable('The vault is away.');
    await vault.put(entry);
    if (random.chance(0.05 * often)) throw new Killed();
  },
  close: () => vault.close(),
});

describe('copying a log with its vault', () => {
  let folder: string;
  let vaults: { readonly source: ArchivableVault; readonly target: ArchivableVault };
  const source = new MemoryEventStore();
  const lines: string[] = [];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'assay-copy-'));
    if (source.log.length === 0) await fillLog(source, EVENTS);
    vaults = {
      source: await openEmbeddedVault(join(folder, 'source'), DATA_KEY),
      target: await openEmbeddedVault(join(folder, 'target'), DATA_KEY),
    };
    await fillVault(vaults.source, 10);
    for (const person of ['person-1', 'person-2', 'person-6'] as PersonId[]) {
      if ((await vaults.source.keys.get(person))?.kind !== 'key') continue;
      for (const trialSessionId of ['first', 'second'])
        await fillTurns(vaults.source, { person, trialSessionId }, [1, 1, 2, 1, 3, 3, 3]);
      await vaults.source.audio.discard({ person, trialSessionId: 'second' }, 3);
      for (const fileId of ['first', 'other']) await fillFile(vaults.source, { person, fileId }, [9, 8, 7]);
    }
    lines.length = 0;
  });

  afterEach(async () => {
    await Promise.all([vaults.source.close(), vaults.target.close()]);
    await rm(folder, { recursive: true });
  });

  const run = (
    target: EventStore,
    from: EventStore = source,
    {
      sourceVault = vaults.source,
      targetVault = vaults.target,
      giveUpAfterMs = 20_000,
      signal = new AbortController().signal,
    } = {},
  ): Promise<CopyReport> =>
    copy(
      {
        source: { name: 'The source', log: from, vault: sourceVault },
        target: { name: 'The target', log: target, vault: targetVault },
      },
      new Retries({ giveUpAfterMs, firstPauseMs: 1, signal }),
      {
        progress: { begin: () => undefined, update: () => undefined, end: () => undefined },
        say: (line) => lines.push(line),
      },
    );

  const contentOf = async (log: EventStore) => (await collect(log.readAll())).map(plain);
  const entriesOf = async (vault: ArchivableVault): Promise<VaultEntry[]> => collect(vault.entries());

  const assertEqual = async (target: EventStore): Promise<void> => {
    expect(await contentOf(target)).toEqual(await contentOf(source));
    expect(await entriesOf(vaults.target)).toEqual(await entriesOf(vaults.source));
  };

  it('makes the same log and the same vault, and says so', async () => {
    const target = new MemoryEventStore();
    const report = await run(target);
    await assertEqual(target);
    expect(report).toMatchObject({ equal: true, sourceMoved: false, log: { copied: EVENTS } });
    expect(report.log.target).toEqual(report.log.source);
    expect(report.log.source.events).toBe(EVENTS);
    expect(report.vault.target).toEqual(report.vault.source);
    expect(report.vault.copied).toBe(report.vault.source.entries);
  });

  it('goes into an embedded log and back', async () => {
    const embedded = await openEmbeddedLog(join(folder, 'log'));
    try {
      const there = await run(embedded);
      await assertEqual(embedded);
      const again = new MemoryEventStore();
      const back = await run(again, embedded);
      expect(back.log.target).toEqual(there.log.source);
      await assertEqual(again);
    } finally {
      await embedded.close();
    }
  });

  it('copies nothing where the target holds everything, and compares all the same', async () => {
    const target = new MemoryEventStore();
    const first = await run(target);
    const again = await run(target);
    expect(again).toMatchObject({ equal: true, log: { copied: 0 }, vault: { copied: 0 } });
    expect(again.log.source).toEqual(first.log.source);
    expect(lines).toContain(`The target holds ${EVENTS} of ${EVENTS} events already.`);
  });

  it.each([1, 2, 3, 4, 5])('comes out the same however often it is cut off (%i)', async (seed) => {
    const random = new Random(seed);
    const embedded = seed % 2 === 0 ? await openEmbeddedLog(join(folder, 'log')) : new MemoryEventStore();
    const targetVault = failingVault(vaults.target, random);
    try {
      let report: CopyReport | null = null;
      let runs = 0;
      while (report === null) {
        runs++;
        report = await run(failing(embedded, random), failing(source, random), { targetVault }).catch(
          (error: unknown) => {
            if (!(error instanceof Killed)) throw error;
            return null;
          },
        );
      }
      expect(runs).toBeGreaterThan(2);
      expect(report.equal).toBe(true);
      await assertEqual(embedded);
    } finally {
      await embedded.close();
    }
  });

  it('takes up an append of a copy that was killed, wherever that ended', async () => {
    const target = new MemoryEventStore();
    const late: EventStore = Object.assign(failing(target, new Random(1), 0), {
      append: async (...[stream, expected, events]: Parameters<EventStore['append']>) => {
        // What the killed one sent arrives only now, as another append: of one event less, or of one more.
        const from = source.log.findIndex(({ id }) => id === events[0]?.id);
        const theirs = source.log
          .slice(from, from + events.length + 1)
          .filter((one) => one.stream === stream);
        await target.append(stream, expected, theirs.slice(0, Math.max(1, events.length - 1)));
        return target.append(stream, expected, events);
      },
    });
    expect((await run(late)).equal).toBe(true);
    await assertEqual(target);
  });

  it.each(['between two appends', 'while the vault is read'])(
    'has every key in the target before the event that needs it, though persons come %s',
    async (moment) => {
      const [from, target] = [new MemoryEventStore(), new MemoryEventStore()];
      let persons = 0;
      const come = async (): Promise<void> => {
        if (persons === 4) return;
        const person = `late-${++persons}`;
        await vaults.source.keys.create(person as PersonId);
        await from.append(person as StreamName, 'no-stream', [event(person)]);
      };
      await come();
      const keys: (PersonKey | null)[] = [];
      const watching: EventStore = Object.assign(failing(target, new Random(1), 0), {
        append: async (...[stream, expected, events]: Parameters<EventStore['append']>) => {
          if (moment === 'between two appends') await come();
          keys.push(await vaults.target.keys.get(stream as string as PersonId));
          return target.append(stream, expected, events);
        },
      });
      const busy: ArchivableVault = Object.assign(failingVault(vaults.source, new Random(1), 0), {
        entries: async function* () {
          yield* vaults.source.entries();
          if (moment === 'while the vault is read') await come();
        },
      });
      const report = await run(watching, from, { sourceVault: busy });
      expect(report).toMatchObject({ equal: true, sourceMoved: true, log: { copied: 4 } });
      expect(keys).toEqual(Array(4).fill({ kind: 'key', key: expect.any(Buffer) }));
    },
  );

  it('carries what was put into the vault while the last event was copied', async () => {
    const target = new MemoryEventStore();
    const slow: EventStore = Object.assign(failing(target, new Random(1), 0), {
      append: async (...given: Parameters<EventStore['append']>) => {
        await vaults.source.keys.create('late' as PersonId);
        return target.append(...given);
      },
    });
    const report = await run(slow);
    expect(report).toMatchObject({ equal: true, sourceMoved: false });
    expect(report.vault.copied).toBe(report.vault.source.entries);
    expect(await vaults.target.keys.get('late' as PersonId)).toMatchObject({ kind: 'key' });
  });

  it('says that a service is writing to the source where its end is never reached', async () => {
    const [from, target] = [new MemoryEventStore(), new MemoryEventStore()];
    let count = 0;
    const more = () => from.append(`thing-${++count}` as StreamName, 'no-stream', [event('x')]);
    await more();
    const moving: EventStore = Object.assign(failing(target, new Random(1), 0), {
      append: async (...given: Parameters<EventStore['append']>) => {
        await more();
        return target.append(...given);
      },
    });
    await expect(run(moving, from)).rejects.toThrow(/^The source changes: .* writing to it\. Stop/);
  });

  it('carries an erasure to a target that has the key already', async () => {
    const target = new MemoryEventStore();
    await run(target);
    const person = 'person-1' as PersonId;
    await vaults.source.keys.erase(person);
    expect((await run(target)).equal).toBe(true);
    expect(await vaults.target.keys.get(person)).toEqual({ kind: 'erased' });
    await assertEqual(target);
  });

  describe('of audio', () => {
    const of = { person: 'person-1' as PersonId, trialSessionId: 'first' };

    it('counts every chunk, and has it heard in the target', async () => {
      const report = await run(new MemoryEventStore());
      const entries = await entriesOf(vaults.source);
      const [chunks, files] = (['audio', 'file'] as const).map((one) =>
        entries.filter(({ kind }) => kind === one),
      ) as [VaultEntry[], VaultEntry[]];
      expect(chunks).toHaveLength(2 * (7 + 4));
      // Two pieces of each of nine persons who are not erased, beside those of work.
      expect(files).toHaveLength(2 * 9 + 12);
      expect(report.vault.source.entries).toBe(entries.length);
      expect(report.vault.target).toMatchObject({ chunks: chunks.length });
      const place = { kind: 'folder', folder: '/data' } as const;
      const lines = summaryOf(report, { from: place, to: place, dataKeyFile: null }).join('\n');
      const line = `${report.vault.source.entries} vault entries (${chunks.length} of them audio, ${files.length} of them files)  sha256 `;
      expect(lines).toContain(`source  ${line}`);
      expect(lines).toContain(`target  ${line}`);
      expect(await readTurn(vaults.target, of, 1)).toEqual(await readTurn(vaults.source, of, 1));
    });

    it('takes up what came, and takes away what was discarded, since an earlier copy', async () => {
      const target = new MemoryEventStore();
      await run(target);
      await fillTurns(vaults.source, of, [3, 4]);
      await vaults.source.audio.discard(of, 1);
      const report = await run(target);
      expect(report).toMatchObject({ equal: true });
      await assertEqual(target);
      expect(await readTurn(vaults.target, of, 1)).toEqual([]);
      expect((await run(target)).vault.copied).toBe(0);
    });

    it('is made whole where only some of a turn had arrived', async () => {
      const entries = await entriesOf(vaults.source);
      const some = entries.filter((entry) => entry.kind !== 'audio' || entry.firstSeq % 20 === 1);
      for (const entry of some) await vaults.target.put(entry);
      const target = new MemoryEventStore();
      expect(await run(target)).toMatchObject({ equal: true });
      await assertEqual(target);
    });

    it('says so where a chunk does not read as it was written', async () => {
      const target = failingVault(vaults.target, new Random(1), 0);
      const forgetful: ArchivableVault = {
        ...target,
        entries: async function* () {
          for await (const entry of target.entries())
            yield entry.kind === 'audio' && entry.part === 2 ? { ...entry, sealed: Buffer.alloc(3) } : entry;
        },
      };
      const report = await run(new MemoryEventStore(), source, { targetVault: forgetful });
      expect(report.equal).toBe(false);
      expect(report.vault.target.entries).toBe(report.vault.source.entries);
    });
  });

  describe('of files', () => {
    const of = { person: 'person-1' as PersonId, fileId: 'first' };

    it('takes up what came, and takes away what was discarded or begun anew, since an earlier copy', async () => {
      const target = new MemoryEventStore();
      await run(target);
      await fillFile(vaults.source, of, [30]);
      const anew = { ...of, fileId: 'other' };
      await vaults.source.files.discard(anew);
      await fillFile(vaults.source, anew, [5, 50]);
      await vaults.source.files.discard({ person: 'person-2' as PersonId, fileId: 'first' });
      expect(await run(target)).toMatchObject({ equal: true });
      await assertEqual(target);
      for (const file of [of, anew])
        expect(await readFile(vaults.target, file)).toEqual(await readFile(vaults.source, file));
      expect(await filesOf(vaults.target)).toEqual(await filesOf(vaults.source));
      expect((await run(target)).vault.copied).toBe(0);
    });

    it('is made whole where only some pieces had arrived', async () => {
      for (const entry of await entriesOf(vaults.source))
        if (entry.kind !== 'file' || entry.firstSeq !== 1) await vaults.target.put(entry);
      const target = new MemoryEventStore();
      expect(await run(target)).toMatchObject({ equal: true });
      await assertEqual(target);
    });
  });

  describe('refuses a target, and leaves it as it is,', () => {
    const refused = async (target: MemoryEventStore, why: RegExp): Promise<void> => {
      const [log, entries] = [await contentOf(target), await entriesOf(vaults.target)];
      await expect(run(target)).rejects.toThrow(OperatorError);
      await expect(run(target)).rejects.toThrow(why);
      expect(await contentOf(target)).toEqual(log);
      expect(await entriesOf(vaults.target)).toEqual(entries);
    };

    it('whose first event is another', async () => {
      const target = new MemoryEventStore();
      await target.append('thing-1' as StreamName, 'no-stream', [event('x')]);
      await refused(target, /^The target holds something else: its event 1 \(thing.happened of thing-1\)/);
    });

    it('that holds an event with other bytes', async () => {
      const target = new MemoryEventStore();
      for (const one of source.log.slice(0, 20)) {
        const data = one.position === source.log[17]!.position ? Buffer.from('{}') : one.data;
        await target.append(one.stream, one.revision === 0 ? 'no-stream' : one.revision - 1, [
          { ...one, data },
        ]);
      }
      await refused(target, /something else: its event 18 /);
    });

    it('that was written to since', async () => {
      const target = new MemoryEventStore();
      await run(target);
      await target.append('thing-1' as StreamName, 'no-stream', [event('x')]);
      await refused(target, new RegExp(`something else: all ${EVENTS} events of the source, and more`));
    });

    it('whose vault has a secret of its own', async () => {
      await vaults.target.secret('look-ups', () => Buffer.alloc(32, 9));
      await refused(new MemoryEventStore(), /its vault has a secret "look-ups" that the source’s has not/);
    });

    it('whose vault has audio that goes further', async () => {
      const of = { person: 'person-1' as PersonId, trialSessionId: 'first' };
      for (const entry of await entriesOf(vaults.source)) await vaults.target.put(entry);
      await fillTurns(vaults.target, of, [3]);
      await refused(new MemoryEventStore(), /its vault has audio of session first that the source’s has not/);
    });

    it('whose vault has erased somebody who is not erased in the source', async () => {
      await vaults.target.keys.erase('person-1' as PersonId);
      await refused(new MemoryEventStore(), /its vault has an erasure of person person-1/);
    });
  });

  it('stops where somebody else writes to the target meanwhile', async () => {
    const target = new MemoryEventStore();
    const last = source.log.at(-1)!.stream;
    let begun = false;
    const shared: EventStore = Object.assign(failing(target, new Random(1), 0), {
      append: async (...given: Parameters<EventStore['append']>) => {
        if (!begun) await target.append(last, 'no-stream', [event('x')]);
        begun = true;
        return target.append(...given);
      },
    });
    await expect(run(shared)).rejects.toThrow(/^Another process wrote to the target: /);
  });

  it('says so where the target does not read as it was written', async () => {
    const target = new MemoryEventStore();
    const forgetful: EventStore = Object.assign(failing(target, new Random(1), 0), {
      readAll: async function* (options?: Parameters<EventStore['readAll']>[0]) {
        for await (const one of target.readAll(options))
          yield one.position === source.log[7]!.position ? { ...one, data: Buffer.from('{}') } : one;
      },
    });
    const report = await run(forgetful);
    expect(report.equal).toBe(false);
    expect(report.log.target.events).toBe(EVENTS);
    expect(report.vault.target).toEqual(report.vault.source);
  });

  it('gives up on a store that stays away, in a sentence', async () => {
    const target = new MemoryEventStore();
    const away: EventStore = Object.assign(failing(target, new Random(1), 0), {
      append: async () => Promise.reject(new StoreUnavailable('No answer from port 1.')),
    });
    await expect(run(away, source, { giveUpAfterMs: 300 })).rejects.toThrow(
      /^The target’s log did not answer for a minute \(No answer from port 1\.\) Run the same command again/,
    );
  });

  it('waits for no store any more once it has given up', async () => {
    const target = new MemoryEventStore();
    await target.append('thing-1' as StreamName, 'no-stream', [event('x')]);
    let reads = 0;
    let close = (): void => undefined;
    const closed = new Promise<void>((settle) => (close = settle));
    const slow: EventStore = Object.assign(failing(target, new Random(1), 0), {
      readAll: async function* () {
        reads++;
        yield* target.log;
        await closed;
        throw new StoreUnavailable('It was closed.');
      },
    });
    await expect(run(slow)).rejects.toThrow(/something else/);
    close();
    // A wait takes 2 ms at most.
    await sleep(50);
    expect(reads).toBe(1);
  });

  it('stops when it is asked to, and goes on later', async () => {
    const target = new MemoryEventStore();
    const controller = new AbortController();
    const stopping: EventStore = Object.assign(failing(target, new Random(1), 0), {
      append: async (...given: Parameters<EventStore['append']>) => {
        if (target.log.length > EVENTS / 2) controller.abort();
        return target.append(...given);
      },
    });
    await expect(run(stopping, source, { signal: controller.signal })).rejects.toThrow(/^Stopped\. /);
    expect(target.log.length).toBeLessThan(EVENTS);
    expect((await run(target)).equal).toBe(true);
  });
});
