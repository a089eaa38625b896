import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { audit, auditHere } from '../../../test/support/audit.js';
import {
  keys,
  logOf,
  storedSession,
  type StoredSession,
  withData,
} from '../../../test/support/evidence-log.js';
import { MemoryVault } from '../../../test/support/memory-vault.js';
import { evidenceKeys } from '../../evidence-keys/evidence-keys.js';
import { Sealer } from '../../vault/sealing.js';
import { Interrupted, OperatorError } from '../program.js';
import { exportEvidence, type ExportOptions } from './export.js';

interface Line {
  of: string;
  number: number;
  id: string;
  type: string;
  schemaVersion: number;
  recordedAt: string;
  actor: { type: string; id: string };
  person: string | null;
  plain: string;
  commitment: string | null;
  personal: { salt: string; text: string } | string | null;
  previousHash: string;
  hash: string;
  signature: { keyId: string; value: string } | null;
}
type Figures = Record<string, unknown> & { scores: Record<string, unknown>[] };

const STRANGER = evidenceKeys(Buffer.alloc(32, 0x22));

describe('an exported bundle', () => {
  const vault = new MemoryVault();
  const sealer = new Sealer(vault);
  let folder: string;
  let stored: StoredSession;
  let whole: string;
  let published: string;
  let made = 0;

  const exported = (
    { session, events }: StoredSession,
    out: string,
    options: Partial<ExportOptions> = {},
    opened = sealer,
  ) =>
    exportEvidence({ log: logOf(events), trusted: keys.trusted, sealer: opened }, session, out, {
      signal: new AbortController().signal,
      past: null,
      record: async () => undefined,
      ...options,
    });
  /** A copy in which something was changed, with its list of hashes made to fit. */
  const copied = async (change: (copy: string) => Promise<void>): Promise<string> => {
    const copy = join(folder, `copy-${++made}`);
    await cp(whole, copy, { recursive: true });
    await change(copy);
    const sums = (await readdir(copy))
      .filter((name) => name !== 'SHA256SUMS')
      .map(async (name) => {
        const sum = createHash('sha256').update(await readFile(join(copy, name)));
        return `${sum.digest('hex')}  ${name}\n`;
      });
    await writeFile(join(copy, 'SHA256SUMS'), (await Promise.all(sums)).join(''));
    return copy;
  };
  const withLines = (change: (lines: Line[]) => Line[] | undefined): Promise<string> =>
    copied(async (copy) => {
      const path = join(copy, 'events.jsonl');
      const lines = (await readFile(path, 'utf8'))
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as Line);
      const changed = change(lines) ?? lines;
      await writeFile(path, changed.map((line) => `${JSON.stringify(line)}\n`).join(''));
    });
  const withFigures = (change: (figures: Figures) => void): Promise<string> =>
    copied(async (copy) => {
      const path = join(copy, 'evaluation.json');
      const figures = JSON.parse(await readFile(path, 'utf8')) as Figures;
      change(figures);
      await writeFile(path, JSON.stringify(figures));
    });
  /** As somebody would do it who covers every track but the signature. */
  const rechained = (lines: Line[], from: number): void => {
    for (let at = from; at < lines.length; at++) {
      const line = lines[at]!;
      line.previousHash = at === 0 ? '0'.repeat(64) : lines[at - 1]!.hash;
      const { actor } = line;
      const fields = [
        'assay.evidence.v1',
        line.previousHash,
        line.type,
        String(line.schemaVersion),
        line.id,
        line.recordedAt,
        actor.type,
        actor.id,
        line.person ?? '',
        line.commitment ?? '',
        line.plain,
      ];
      const hash = createHash('sha256');
      for (const field of fields) {
        const length = Buffer.alloc(4);
        length.writeUInt32BE(Buffer.byteLength(field));
        hash.update(length).update(field);
      }
      line.hash = hash.digest('hex');
    }
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'assay-bundle-'));
    stored = await storedSession(vault);
    whole = join(folder, 'whole');
    await exported(stored, whole);
    published = join(folder, 'keys.json');
    await writeFile(published, JSON.stringify({ keys: keys.trusted.published }));
  });
  afterAll(async () => rm(folder, { recursive: true, force: true }));

  it('holds, and says of itself what was checked and what was not', async () => {
    const without = await audit(whole);
    expect(without.code).toBe(0);
    expect(without.text).toContain('5 events of the session and 3 of its evaluation');
    expect(without.text).toContain('5 personal parts against their commitments');
    expect(without.text).toContain('the arithmetic of generation 2');
    expect(without.text).toMatch(new RegExp(`not checked .*${keys.signer.keyId}.*evidence-keys.json`));
    expect(await auditHere(whole)).toEqual(without);
    const withKeys = await audit(whole, '--keys', published);
    expect(withKeys.code).toBe(0);
    expect(withKeys.text).not.toContain('not checked');
    expect(withKeys.text).not.toContain('BROKEN');
  });

  it('never holds a key', async () => {
    const [person] = [...vault.known.values()].flatMap((known) => (known.kind === 'key' ? [known.key] : []));
    for (const name of await readdir(whole)) {
      const bytes = await readFile(join(whole, name));
      for (const key of [person!, Buffer.alloc(32, 0x11)])
        for (const form of ['hex', 'base64', 'base64url'] as const)
          expect(bytes.includes(key.toString(form))).toBe(false);
    }
  });

  it('holds after an erasure, which leaves what is personal unread', async () => {
    const gone = await storedSession(vault, keys, true);
    await vault.keys.erase(gone.person);
    const out = join(folder, 'erased');
    expect(await exported(gone, out)).toMatchObject({ events: 10, unread: 5 });
    const { code, text } = await audit(out, '--keys', published);
    expect(text).toContain('6 events of the session and 4 of its evaluation');
    expect(text).toContain('5 personal parts, which can no longer be read');
    expect(code).toBe(0);
    for (const name of await readdir(out))
      expect(await readFile(join(out, name), 'utf8')).not.toMatch(/Answer \d|Clear words/);
  });

  it('holds without any result', async () => {
    const out = join(folder, 'open');
    const open = { ...stored, events: stored.events.slice(0, 3) };
    expect(await exported(open, out)).toMatchObject({ evaluationId: null, keyIds: [] });
    expect((await audit(out)).code).toBe(0);
    expect(await readdir(out)).not.toContain('evaluation.json');
  });

  const tamperings: readonly (readonly [string, string, () => Promise<string>])[] = [
    [
      'a changed letter of a plain part',
      'not what its hash',
      () =>
        withLines(
          (lines) => void (lines[1]!.plain = lines[1]!.plain.replace('message.sent', 'message.lost')),
        ),
    ],
    [
      'a changed letter of a personal part',
      'another personal part',
      () => withLines((lines) => void ((lines[1]!.personal as { text: string }).text += ' ')),
    ],
    [
      'another salt',
      'another personal part',
      () => withLines((lines) => void ((lines[1]!.personal as { salt: string }).salt = '00'.repeat(32))),
    ],
    [
      'a personal part made up',
      'but not both',
      () => withLines((lines) => void (lines[0]!.personal = { salt: '00', text: '{}' })),
    ],
    ['a removed event', 'wrong place', () => withLines((lines) => lines.toSpliced(2, 1))],
    [
      'a removed event, renumbered',
      'does not go on',
      () =>
        withLines((lines) =>
          lines.toSpliced(2, 1).map((line, at) => ({ ...line, number: at < 4 ? at + 1 : at - 3 })),
        ),
    ],
    [
      'swapped events',
      'wrong place',
      () => withLines((lines) => lines.toSpliced(1, 2, lines[2]!, lines[1]!)),
    ],
    [
      'an event put behind the end',
      'stands behind trial.completed',
      () =>
        withLines((lines) => {
          const plain = lines[3]!.plain.replace('"sequenceNumber":4', '"sequenceNumber":6');
          const more = { ...lines[3]!, number: 6, plain };
          const session = [...lines.slice(0, 5), more];
          rechained(session, 5);
          return [...session, ...lines.slice(5)];
        }),
    ],
    [
      'the last result removed',
      'does not say what the last result',
      () => withLines((lines) => lines.slice(0, -1)),
    ],
    ['every result removed', 'the chain holds no result', () => withLines((lines) => lines.slice(0, 5))],
    [
      'a past made anew',
      'signature was not made over it',
      () =>
        withLines((lines) => {
          lines[0]!.plain = lines[0]!.plain.replace('verified', 'mismatch');
          rechained(lines, 0);
          for (const line of lines.slice(5))
            line.plain = line.plain.replace(/"hash":"[0-9a-f]{64}"/, `"hash":"${lines[4]!.hash}"`);
          rechained(lines, 5);
        }),
    ],
    [
      'a head that is another',
      'not the session’s trial.completed',
      () =>
        withLines((lines) => {
          lines[5]!.plain = lines[5]!.plain.replace('"sequenceNumber":5', '"sequenceNumber":4');
          rechained(lines, 5);
        }),
    ],
    [
      'another signature',
      'signature was not made over it',
      () => withLines((lines) => void (lines[5]!.signature!.value = lines[7]!.signature!.value)),
    ],
    [
      'another key id',
      'is not among',
      () => withLines((lines) => void (lines[7]!.signature!.keyId = STRANGER.signer.keyId)),
    ],
    ['no signature', 'it is not signed', () => withLines((lines) => void (lines[5]!.signature = null))],
    [
      'a line that is no JSON',
      'events.jsonl',
      () => copied(async (copy) => writeFile(join(copy, 'events.jsonl'), '{\n')),
    ],
    [
      'another score in evaluation.json',
      'does not say what the last result',
      () => withFigures((figures) => void (figures.scores[0]!['score'] = 99)),
    ],
    [
      'another rationale in evaluation.json',
      'does not say what the last result',
      () => withFigures((figures) => void (figures['personal'] = { rationales: {}, quotes: {} })),
    ],
    [
      'another public key',
      'its keys are not those',
      () =>
        withFigures(
          (figures) =>
            void (figures['publicKeys'] = [...keys.trusted.published, ...STRANGER.trusted.published]),
        ),
    ],
    [
      'a public key under a wrong id',
      'is not the id of the key',
      () =>
        withFigures((figures) => void (figures['publicKeys'] = [{ ...keys.trusted.published[0], kid: 'x' }])),
    ],
    ['no evaluation.json', 'is missing', () => copied((copy) => rm(join(copy, 'evaluation.json')))],
  ];

  it.each(tamperings)('is found out: %s', async (_name, what, tamper) => {
    const { code, text } = await auditHere(await tamper());
    expect(text).toContain('BROKEN');
    expect(text).toContain(what);
    expect(text).toMatch(/The evidence does not hold\.\n$/);
    expect(code).toBe(1);
  });

  it.each([
    ['exact', 'do not add up', (said: Figures) => void (said.scores[0]!['exact'] = 41)],
    ['score', 'rounded half up', (said: Figures) => void (said.scores[0]!['score'] = 41)],
    ['passed', 'does not follow', (said: Figures) => void (said.scores[0]!['passed'] = true)],
    ['overallScore', 'the overall figures', (said: Figures) => void (said['overallScore'] = 99)],
    ['overallExact', 'the overall figures', (said: Figures) => void (said['overallExact'] = 52.3)],
  ])('is found out where %s was never right', async (_name, what, change) => {
    const copy = await withLines((lines) => {
      const said = JSON.parse(lines[5]!.plain) as Figures;
      change(said);
      lines[5]!.plain = JSON.stringify(said);
      rechained(lines, 5);
    });
    expect(await auditHere(copy)).toMatchObject({ code: 1, text: expect.stringContaining(what) });
  });

  it('is found out where any one byte of a file is another', async () => {
    const sizes = await Promise.all(
      ['events.jsonl', 'evaluation.json', 'README', 'SHA256SUMS'].map(
        async (name) => [name, (await readFile(join(whole, name))).length] as const,
      ),
    );
    const place = fc
      .constantFrom(...sizes)
      .chain(([name, size]) => fc.record({ name: fc.constant(name), at: fc.nat(size - 1) }));
    await fc.assert(
      fc.asyncProperty(place, fc.integer({ min: 1, max: 255 }), async ({ name, at }, flip) => {
        const copy = join(folder, `flip-${++made}`);
        await cp(whole, copy, { recursive: true });
        const bytes = await readFile(join(copy, name));
        bytes.writeUInt8(bytes.readUInt8(at) ^ flip, at);
        await writeFile(join(copy, name), bytes);
        expect((await auditHere(copy, '--keys', published)).code).toBe(1);
      }),
      { numRuns: 50 },
    );
  });

  it('is not believed where the published keys are others, and nothing is where there is nothing', async () => {
    const others = join(folder, 'others.json');
    await writeFile(others, JSON.stringify({ keys: STRANGER.trusted.published }));
    expect(await auditHere(whole, '--keys', others)).toMatchObject({
      code: 1,
      text: expect.stringContaining('not among the published ones'),
    });
    await writeFile(others, '{}');
    expect(await auditHere(whole, '--keys', others)).toMatchObject({
      code: 1,
      text: expect.stringContaining(`${others} holds no set of public keys`),
    });
    for (const args of [
      [],
      ['no such folder'],
      [whole, '--keys'],
      [whole, '--key', published],
      [whole, '--keys', 'none'],
    ])
      expect((await auditHere(...args)).code).toBe(1);
    expect((await audit('no such folder')).code).toBe(1);
  });

  describe('is not made', () => {
    const refused = async (
      session: StoredSession,
      out: string,
      why: string,
      options: Partial<ExportOptions> = {},
    ): Promise<void> => {
      const before = await readdir(folder);
      const error = await exported(session, out, options).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(OperatorError);
      expect((error as Error).message).toContain(why);
      expect(await readdir(folder)).toEqual(before);
    };

    it('of evidence that does not hold', async () => {
      const events = stored.events.with(
        3,
        withData(stored.events[3]!, (text) => text.replace('message.sent', 'message.lost')),
      );
      await refused({ ...stored, events }, join(folder, 'none'), 'Event 4 of trial-');
    });

    it('of a session whose end was removed, though its evaluation is left', async () => {
      for (const events of [stored.events.toSpliced(4, 1), stored.events.slice(5)])
        await refused({ ...stored, events }, join(folder, 'none'), 'Event 1 of evaluation-');
    });

    it('over a folder that is there, or in one that is not', async () => {
      await refused(stored, whole, 'is there already');
      await refused(stored, join(folder, 'none', 'deeper'), 'There is no folder');
    });

    it('of a session that there is not, or once it was stopped', async () => {
      await refused({ ...stored, session: 'unknown' }, join(folder, 'none'), 'There is no evidence');
      const error = await exported(stored, join(folder, 'none'), { signal: AbortSignal.abort() }).catch(
        (reason: unknown) => reason,
      );
      expect(error).toBeInstanceOf(Interrupted);
    });

    it('where it could not be recorded', async () => {
      const record = () => Promise.reject(new OperatorError('The disk is full.'));
      await refused(stored, join(folder, 'none'), 'The disk is full.', { record });
    });
  });
});
