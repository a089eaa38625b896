import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createCodec } from '../../src/core/codec.js';
import type { RecordedEvent, StreamName } from '../../src/core/event-store.js';
import { Sealer } from '../../src/core/sealing.js';
import type { PersonId } from '../../src/core/vault/port.js';
import { eventRegistry } from '../../src/domain/event-registry.js';
import { backUp } from '../../src/operator/backup/backup.js';
import { MANIFEST, measure, readManifest, writeManifest } from '../../src/operator/backup/manifest.js';
import { restore } from '../../src/operator/backup/restore.js';
import { openVault } from '../../src/process/adapters.js';
import { openEmbeddedLog } from '../../src/stores/lmdb/log/log.js';
import type { VaultEntry } from '../../src/vault/archive.js';
import { openEmbeddedVault } from '../../src/vault/lmdb/vault.js';
import { Random } from '../../tools/simulate/random.js';
import { collect, event } from '../contracts/event-store-kit.js';
import { startAssay } from '../support/assay.js';
import { NOW } from '../support/given-when-then.js';
import { BackupWriter } from './backup-command.js';

const DATA_KEY = Buffer.alloc(32, 5);
const quiet = { signal: new AbortController().signal, say: () => undefined };
const save = (from: string, to: string, withKeys = false) => backUp(from, to, { ...quiet, withKeys });
const putBack = (from: string, to: string, newer: string | null, acceptLost = false) =>
  restore(from, to, { ...quiet, newer, acceptLost, preRestoreMails: { until: NOW, are: 'held' } });

/** A command's refusal in one line. */
const refusal = async (dataDir: string, ...args: string[]): Promise<string> => {
  const { code, err } = await startAssay(dataDir, args).ended();
  expect(code).toBe(1);
  return err.trimEnd().split('\n').at(-1) ?? '';
};

/** Puts another key into a backup, and seals it again. */
const swapKey = async (folder: string, key: Buffer): Promise<void> => {
  const { manifest } = await readManifest(folder);
  await writeFile(join(folder, 'data.key'), key.toString('base64'));
  await rm(join(folder, MANIFEST));
  const parts = await Promise.all(manifest.parts.map(({ path }) => measure(folder, path)));
  await writeManifest(folder, { ...manifest, parts });
};

interface Content {
  readonly events: readonly RecordedEvent[];
  readonly entries: readonly VaultEntry[];
}

/** Everything that a data folder holds. @throws if an event is missing, out of order or unreadable */
const contentOf = async (folder: string): Promise<Content> => {
  const log = await openEmbeddedLog(join(folder, 'log'));
  const vault = await openEmbeddedVault(join(folder, 'vault'), DATA_KEY);
  const codec = createCodec(eventRegistry, new Sealer(vault));
  try {
    await log.verify();
    const events = await collect(log.readAll());
    const heads = new Map<StreamName, number>();
    for (const recorded of events) {
      expect(recorded.revision).toBe((heads.get(recorded.stream) ?? -1) + 1);
      heads.set(recorded.stream, recorded.revision);
      if (recorded.type !== 'candidate.bound') continue;
      const decoded = await codec.decode(recorded);
      if (decoded.kind !== 'event') throw new Error(`${recorded.type} is ${decoded.kind}.`);
      const person = decoded.event.person!;
      const erased = (await vault.keys.get(person))?.kind === 'erased';
      expect(decoded.event.personal).toEqual(erased ? null : { subject: `subject of ${person}` });
    }
    return { events, entries: await collect(vault.entries()) };
  } finally {
    await Promise.all([log.close(), vault.close()]);
  }
};

const kindsOf = ({ entries }: Content, person: string): readonly string[] =>
  entries
    .filter((entry) => JSON.stringify(entry).includes(person))
    .map(({ kind }) => kind)
    .sort();
const EVERYTHING = ['audio', 'audio_end', 'carrier', 'identity', 'key'];

/** Lets a writer fill a folder, and ends it. @returns the lines that it has printed */
const fill = async (folder: string, lines: number) => {
  const writer = BackupWriter.start(folder, DATA_KEY, 0);
  try {
    await writer.hasPrinted(lines);
  } finally {
    await writer.kill();
  }
  return writer.printed;
};

describe('a backup of a data folder', () => {
  let root: string;
  let folder: string;
  let count = 0;
  const writers: BackupWriter[] = [];

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'assay-backup-'));
  });
  afterAll(() => rm(root, { recursive: true }));
  beforeEach(async () => {
    folder = join(root, `${++count}`);
    await mkdir(folder);
  });
  afterEach(() => Promise.all(writers.splice(0).map((writer) => writer.kill())));

  const at = (name: string): string => join(folder, name);

  it('made while others write holds all that was acknowledged before, readable as a whole', async () => {
    const random = new Random(7);
    for (const pauseMs of [3, 7]) writers.push(BackupWriter.start(at('data'), DATA_KEY, pauseMs));
    await Promise.all(writers.map((writer) => writer.hasPrinted(10)));
    for (let round = 0; round < 2; round++) {
      await sleep(random.between(0, 150));
      const before = writers.flatMap(({ printed }) => [...printed]);
      const { code, out, err } = await startAssay(at('data'), ['backup', at(`b${round}`), '--json']).ended();
      expect({ code, err: err.replaceAll(/^(?:Copying|Checking) .*\n/gm, '') }).toEqual({
        code: 0,
        err: '',
      });
      const since = writers.flatMap(({ printed }) => printed).length - before.length;
      expect(since).toBeGreaterThan(0);
      const printed = JSON.parse(out) as { events: number; people: number; erased: number };
      expect((await readdir(folder)).filter((name) => name.startsWith('.'))).toEqual([]);

      await putBack(at(`b${round}`), at(`r${round}`), null, true);
      const content = await contentOf(at(`r${round}`));
      const ids = new Set(content.events.map(({ id }) => id));
      for (const { ids: acknowledged = [] } of before)
        for (const id of acknowledged) expect(ids).toContain(id);
      for (const { kind, person } of before)
        if (kind === 'erased') expect(kindsOf(content, person)).toEqual(['erased']);
      // The last event records the restore.
      expect(content.events.at(-1)?.type).toBe('operator.acted');
      expect(printed).toMatchObject({
        events: content.events.length - 1,
        people: content.entries.filter(({ kind }) => kind === 'key').length,
        erased: content.entries.filter(({ kind }) => kind === 'erased').length,
      });
    }
    expect(writers.map(({ errors }) => errors)).toEqual(['', '']);
  });

  it('that is killed leaves nothing that could be taken for a backup, and does not disturb a writer', async () => {
    await fill(at('data'), 40);
    const writer = BackupWriter.start(at('data'), DATA_KEY, 5);
    writers.push(writer);
    for (const moment of [/^Copying the log/m, /^Checking the copy/m]) {
      const command = startAssay(at('data'), ['backup', at('backup')]);
      await command.printed(moment);
      command.process.kill('SIGKILL');
      const { code } = await command.ended();
      // It may have finished before the kill, or all but its last steps: then the backup is complete.
      if (code === 0) expect(existsSync(at('backup'))).toBe(true);
      if (existsSync(at('backup'))) {
        await putBack(at('backup'), at('whole'), null, true);
        for (const name of ['backup', 'whole']) await rm(at(name), { recursive: true });
      }
      await writer.hasPrinted(writer.printed.length + 2);
    }
    const left = (await readdir(folder)).filter((name) => name !== 'data');
    expect(left).not.toEqual([]);
    for (const name of left) {
      expect(name).toMatch(/^\.unfinished-backup-backup-/);
      await expect(putBack(at(name), at('r'), null, true)).rejects.toThrow(
        /is not a backup: it holds no backup.json/,
      );
    }
    // A folder that another machine is making there may be incomplete.
    const other = '.unfinished-backup-b-00000000-4999999-0123abcd-AbCdEf';
    await mkdir(at(other));
    await save(at('data'), at('backup'));
    const hidden = (await readdir(folder)).filter((name) => name.startsWith('.'));
    expect(hidden).toEqual([other]);
    await putBack(at('backup'), at('r'), at('data'));
    await contentOf(at('r'));
  });

  it('does not touch the folder that another command is making beside it', async () => {
    await fill(at('data'), 40);
    const first = startAssay(at('data'), ['backup', at('first')]);
    await first.printed(/^Copying the log/m);
    first.process.kill('SIGSTOP');
    expect(await startAssay(at('data'), ['backup', at('second')]).ended()).toMatchObject({ code: 0 });
    expect((await readdir(folder)).filter((name) => name.startsWith('.'))).toHaveLength(1);
    first.process.kill('SIGCONT');
    expect((await first.ended()).code).toBe(0);
    expect((await readdir(folder)).sort()).toEqual(['data', 'first', 'second']);
  });

  it('says why where the disk is full, and leaves nothing behind', async () => {
    await fill(at('data'), 60);
    const { code, err } = await startAssay(at('data'), ['backup', at('backup')], { fileBlocks: 64 }).ended();
    expect({ code, lines: err.trimEnd().split('\n') }).toEqual({
      code: 1,
      lines: [
        expect.stringMatching(
          /^Not done: .* \(.*too large.*\)\. If the disk is full, make room\. Nothing was left/,
        ),
      ],
    });
    expect(await readdir(folder)).toEqual(['data']);
  });

  it('holds the keys from outside the folder on request, and nothing else that was not requested', async () => {
    await fill(at('data'), 5);
    await expect(save(at('data'), at('b'), true)).rejects.toThrow(/neither exists/);
    const key = DATA_KEY.toString('base64');
    await writeFile(at('data/data.key'), key);
    await writeFile(at('data/signing.key'), Buffer.alloc(32, 6).toString('base64'));
    await mkdir(at('data/views'));
    await save(at('data'), at('without'));
    expect((await readdir(at('without'))).sort()).toEqual(['backup.json', 'log', 'vault']);
    await save(at('data'), at('with'), true);
    expect((await readdir(at('with'))).sort()).toEqual([
      'backup.json',
      'data.key',
      'log',
      'signing.key',
      'vault',
    ]);
    await putBack(at('with'), at('r'), at('data'));
    expect((await readdir(at('r'))).sort()).toEqual(['data.key', 'log', 'signing.key', 'vault']);
    expect(await readFile(at('r/data.key'), 'utf8')).toBe(key);
  });

  it('never saves a key that opens nothing, as it is left after a change of DATA_KEY', async () => {
    await fill(at('data'), 5);
    await writeFile(at('data/data.key'), DATA_KEY.toString('base64'));
    await save(at('data'), at('before'), true);
    const said: string[] = [];
    const open = async () =>
      (
        await openVault(
          { dataDir: at('data'), servers: null },
          { dataKey: Buffer.alloc(32, 7), dataKeyPrevious: DATA_KEY },
          { onTrouble: (sentence) => said.push(sentence) },
        )
      ).close();
    await open();
    await open();
    expect(said).toEqual([
      expect.stringMatching(/^DATA_KEY is changed: .* Remove DATA_KEY_PREVIOUS .*data\.key is not needed/),
      expect.stringMatching(/^DATA_KEY was changed before/),
    ]);
    expect(await refusal(at('data'), 'backup', at('after'), '--with-keys')).toMatch(
      /data\.key does not open the vault: .* Omit --with-keys/,
    );
    expect(existsSync(at('after'))).toBe(false);
    await save(at('data'), at('after'));
    // As an older program saved it.
    await writeFile(at('data/data.key'), Buffer.alloc(32, 7).toString('base64'));
    await save(at('data'), at('stale'), true);
    await swapKey(at('stale'), DATA_KEY);
    const { staleKey, withKeys } = await putBack(at('stale'), at('r'), null, true);
    expect({ staleKey, withKeys }).toEqual({ staleKey: true, withKeys: false });
    expect(existsSync(at('r/data.key'))).toBe(false);
  });

  it('keeps the people of the development issuer, from the backup or else from the former folder', async () => {
    await fill(at('data'), 5);
    await save(at('data'), at('without'));
    await writeFile(at('data/development-issuer.json'), 'the secret of subjects');
    const { code, out } = await startAssay(at('data'), ['backup', at('with')]).ended();
    expect(code).toBe(0);
    expect(out).toContain('It holds development-issuer.json');
    for (const [name, backup, newer] of [
      ['r1', 'with', null],
      ['r2', 'without', at('data')],
    ] as const) {
      const restored = await putBack(at(backup), at(name), newer, true);
      expect(restored.issuer).toBe(newer ?? at(backup));
      expect(await readFile(at(`${name}/development-issuer.json`), 'utf8')).toBe('the secret of subjects');
    }
    expect((await putBack(at('without'), at('r3'), null, true)).issuer).toBeNull();
  });

  it('is recorded in the operator’s stream', async () => {
    await fill(at('data'), 5);
    const { code, out } = await startAssay(at('data'), ['backup', at('b')]).ended();
    expect(code).toBe(0);
    const sha256 = /sha256 +([0-9a-f]{64})/.exec(out)?.[1];
    const [acted] = await (async () => {
      const { events } = await contentOf(at('data'));
      return events.filter(({ type }) => type === 'operator.acted');
    })();
    expect(JSON.parse(Buffer.from(acted!.data).toString())).toMatchObject({
      action: 'backup',
      details: { sha256, withKeys: false },
    });
  });

  it('says whose keys were missing already', async () => {
    const [first] = await fill(at('data'), 3);
    await rm(join(at('data/vault/keys'), await shardOf(at('data/vault/keys'), first!.person), first!.person));
    const { code, err } = await startAssay(at('data'), ['backup', at('b')]).ended();
    expect(code).toBe(1);
    expect(err).toMatch(/^The backup is made, but the vault lacks the keys of 1 people of the log/m);
    expect(existsSync(at('b/backup.json'))).toBe(true);
  });

  it('is not made of a log that is damaged', async () => {
    const [first] = await fill(at('data'), 3);
    const bytes = await readFile(at('data/log/data.mdb'));
    const text = `"candidateId":"${first!.person}`;
    // Also in copies of the page that LMDB no longer uses.
    for (let byte = -1; (byte = bytes.indexOf(text, byte + 1)) >= 0;) bytes[byte] = 0x5f;
    await writeFile(at('data/log/data.mdb'), bytes);
    await expect(save(at('data'), at('b'))).rejects.toThrow(/^The event log in .* is damaged, so no backup/);
    expect(await readdir(folder)).toEqual(['data']);
  });

  const shardOf = async (keys: string, person: string): Promise<string> => {
    for (const shard of await readdir(keys)) if (existsSync(join(keys, shard, person))) return shard;
    throw new Error(`${person} has no key.`);
  };

  describe('that is put back', () => {
    /** Two people are backed up. Then one of them is erased, and a third is added and erased. */
    const erasedSince = async () => {
      const written = await fill(at('data'), 2);
      const [stays, goes] = written.map(({ person }) => person as PersonId) as [PersonId, PersonId];
      await save(at('data'), at('backup'));
      const log = await openEmbeddedLog(at('data/log'));
      const vault = await openEmbeddedVault(at('data/vault'), DATA_KEY);
      const comes = '0197f0c2-3a10-7c3e-9a53-1d0c6c1f2b7a' as PersonId;
      await vault.keys.create(comes);
      await log.append(`candidate-${comes}` as StreamName, 'no-stream', [event()]);
      // What was written in between is lost; the erasures are not.
      await log.append(`candidate-${goes}` as StreamName, 1, [event()]);
      const erasures = [event(), event()].map((one) => ({ ...one, type: 'candidate.erased' }));
      await log.append(`candidate-${goes}` as StreamName, 2, [erasures[0]!]);
      await log.append(`candidate-${comes}` as StreamName, 0, [erasures[1]!]);
      for (const person of [goes, comes]) await vault.keys.erase(person);
      await Promise.all([log.close(), vault.close()]);
      return { stays, goes, comes, erasure: erasures[0]! };
    };

    it.each(['the former data folder', 'a newer backup'])('lets the tombstones of %s win', async (which) => {
      const { stays, goes, comes, erasure } = await erasedSince();
      if (which === 'a newer backup') {
        await save(at('data'), at('newer'));
        await rm(at('data'), { recursive: true });
      } else await rename(at('data'), at('newer'));

      const restored = await putBack(at('backup'), at('data'), at('newer'));
      expect(restored.erasures).toEqual({ people: 2, events: 1, complete: true });
      const content = await contentOf(at('data'));
      expect(kindsOf(content, stays)).toEqual(EVERYTHING);
      expect(kindsOf(content, goes)).toEqual(['erased']);
      expect(kindsOf(content, comes)).toEqual(['erased']);
      expect(JSON.stringify(await readdir(at('data/vault/keys'), { recursive: true }))).not.toContain(goes);
      expect(content.events.map(({ stream }) => stream)).not.toContain(`candidate-${comes}`);
      const own = content.events.filter(({ stream }) => stream === `candidate-${goes}`);
      expect(own.map(({ type }) => type)).toEqual(['candidate.bound', 'candidate.bound', 'candidate.erased']);
      expect(own[2]).toMatchObject({ revision: 2, id: erasure.id, type: erasure.type });

      // A backup of the restored folder, restored again: nothing is added twice.
      await save(at('data'), at('again'));
      const again = await putBack(at('again'), at('r'), at('data'));
      expect(again.erasures).toEqual({ people: 0, events: 0, complete: true });
    });

    it('brings people back only if that was requested', async () => {
      const { goes } = await erasedSince();
      await expect(putBack(at('backup'), at('r'), null)).rejects.toThrow(
        /Pass --tombstones .* --accept-lost-erasures/,
      );
      expect(existsSync(at('r'))).toBe(false);
      expect((await putBack(at('backup'), at('r'), null, true)).erasures).toBeNull();
      expect(kindsOf(await contentOf(at('r')), goes)).toEqual(EVERYTHING);
    });

    it('takes the tombstones of a folder whose log is damaged, if that was requested', async () => {
      const { goes, comes } = await erasedSince();
      await writeFile(at('data/log/data.mdb'), 'x'.repeat(10_000));
      await expect(putBack(at('backup'), at('r'), at('data'))).rejects.toThrow(
        /^Not every erasure .* add --accept-lost-erasures/,
      );
      expect(existsSync(at('r'))).toBe(false);
      const restored = await putBack(at('backup'), at('r'), at('data'), true);
      expect(restored.erasures).toEqual({ people: 2, events: 0, complete: false });
      for (const person of [goes, comes])
        expect(kindsOf(await contentOf(at('r')), person)).toEqual(['erased']);
      await rm(at('data/log'), { recursive: true });
      expect((await putBack(at('backup'), at('r2'), at('data'), true)).erasures).toEqual(restored.erasures);
    });

    it('is refused with a byte of it changed, wherever, or a part of it gone', async () => {
      await fill(at('data'), 8);
      await writeFile(at('data/data.key'), DATA_KEY.toString('base64'));
      await save(at('data'), at('backup'), true);
      const files = (await readdir(at('backup'), { recursive: true, withFileTypes: true }))
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
        .filter((path) => !path.includes('/keys/') || path.endsWith('0'));
      const random = new Random(3);
      for (const path of files) {
        const whole = await readFile(path);
        if (whole.byteLength > 0) {
          const changed = Buffer.from(whole);
          const byte = random.between(0, whole.byteLength - 1);
          changed.writeUInt8(changed.readUInt8(byte) ^ 0x10, byte);
          await writeFile(path, changed);
          await expect(putBack(at('backup'), at('r'), null, true)).rejects.toThrow(
            /^The backup in .* is damaged: .*Nothing was restored/,
          );
        }
        await rm(path);
        await expect(putBack(at('backup'), at('r'), null, true)).rejects.toThrow(
          /is damaged|is not a backup/,
        );
        await writeFile(path, whole);
      }
      expect(existsSync(at('r'))).toBe(false);
      await putBack(at('backup'), at('r'), null, true);
    });

    it('leaves nothing that opens if it is killed, and starts again from the beginning', async () => {
      await fill(at('data'), 40);
      await save(at('data'), at('backup'));
      const args = ['restore', at('backup'), '--tombstones', at('data')];
      for (const moment of [/^Copying/m, /^Erasing/m]) {
        const command = startAssay(at('r'), args);
        await command.printed(moment);
        command.process.kill('SIGKILL');
        const left = (await command.ended()).code === 0 ? [] : await readdir(at('r'));
        for (const name of left) expect(name).toMatch(/^\.unfinished-restore-r-/);
        if (left.length === 0) await rm(at('r'), { recursive: true });
      }
      const { code, out } = await startAssay(at('r'), args).ended();
      expect(code).toBe(0);
      expect(out).toMatch(/Applied erasures made after the backup: 0 people; 0 erasures/);
      expect((await readdir(at('r'))).sort()).toEqual(['log', 'vault']);
      await contentOf(at('r'));
    });

    it('does not touch what another command is making in the same folder', async () => {
      await fill(at('data'), 40);
      await save(at('data'), at('backup'));
      const args = ['restore', at('backup'), '--tombstones', at('data')];
      const first = startAssay(at('r'), args);
      await first.printed(/^Copying/m);
      first.process.kill('SIGSTOP');
      const second = await startAssay(at('r'), args).ended();
      expect([second.code, second.err]).toEqual([1, expect.stringContaining('Another restore into')]);
      first.process.kill('SIGCONT');
      expect((await first.ended()).code).toBe(0);
      await contentOf(at('r'));
    });

    it('cannot be opened while its parts are moved in', async () => {
      await fill(at('data'), 4);
      await rename(at('data/vault/look-ups'), at('look-ups'));
      await expect(openEmbeddedVault(at('data/vault'), DATA_KEY)).rejects.toThrow(/its look-ups are lost/);
    });
  });

  describe('is refused', () => {
    it('of what is no data folder, and to places that are taken, missing or within it', async () => {
      await expect(save(at('none'), at('b'))).rejects.toThrow(/is not a data folder: it holds no event log/);
      await fill(at('data'), 3);
      await mkdir(at('taken'));
      await expect(save(at('data'), at('taken'))).rejects.toThrow(/exists already/);
      await expect(save(at('data'), at('missing/b'))).rejects.toThrow(/There is no folder .*missing/);
      await expect(save(at('data'), at('data/b'))).rejects.toThrow(/is inside the data folder/);
      expect((await readdir(folder)).sort()).toEqual(['data', 'taken']);
      expect(await refusal(at('data'), 'backup', at('taken'))).toMatch(/exists already/);
    });

    it('where it would be put over something, or beside erasures of another or an older log', async () => {
      await fill(at('data'), 3);
      await save(at('data'), at('older'));
      await fill(at('data'), 3);
      await save(at('data'), at('backup'));
      await fill(at('other'), 9);
      const cases: readonly [string, RegExp][] = [
        [at('older'), /is older than the backup/],
        [at('other'), /holds another log/],
        [at('backup'), /is the backup itself/],
        [at('nowhere'), /is not a data folder/],
      ];
      for (const [newer, why] of cases)
        await expect(putBack(at('backup'), at('r'), newer)).rejects.toThrow(why);
      await expect(putBack(at('other'), at('r'), null, true)).rejects.toThrow(/is not a backup/);
      await cp(at('backup'), at('changed'), { recursive: true });
      await writeFile(at('changed/backup.json'), '{"format":3}');
      await expect(putBack(at('changed'), at('r'), null, true)).rejects.toThrow(/made by a newer version/);
      expect(existsSync(at('r'))).toBe(false);
      expect(await refusal(at('other'), 'restore', at('backup'), '--accept-lost-erasures')).toMatch(
        /^DATA_DIR, .*, is not empty/,
      );
    });
  });
});
