import { createHash } from 'node:crypto';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Sealer } from '../../src/core/sealing.js';
import { evidenceKeys } from '../../src/core/signing.js';
import { exportEvidence, type ExportOptions } from '../../src/operator/evidence/export.js';
import { MemoryVault } from '../support/memory-vault.js';
import { keys, logOf, storedSession, type StoredSession } from './evidence-log.js';

/** A line of `events.jsonl`. */
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
/** The figures of `evaluation.json`, or of a result's plain part. */
type Figures = Record<string, unknown> & { scores: Record<string, unknown>[] };

/** Keys that are not published. */
export const STRANGER = evidenceKeys(Buffer.alloc(32, 0x22));

/** Computes the hashes of these lines again, as a forger without the signing key would. */
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

export type Bundles = Awaited<ReturnType<typeof openBundles>>;

/** A valid bundle, and functions that make changed copies of it. */
export const openBundles = async () => {
  const vault = new MemoryVault();
  const sealer = new Sealer(vault);
  const folder = await mkdtemp(join(tmpdir(), 'assay-bundle-'));
  const stored = await storedSession(vault);
  const whole = join(folder, 'whole');
  /** A bundle with a hand-in that arrived after the completion. */
  const withWork = join(folder, 'with-work');
  /** A file with the published keys. */
  const published = join(folder, 'keys.json');
  let made = 0;
  const nextFolder = (): string => join(folder, `copy-${++made}`);
  const exported = (
    { session, events }: StoredSession,
    out: string,
    options: Partial<ExportOptions> = {},
    opened = sealer,
  ) =>
    exportEvidence({ log: logOf(events), trusted: keys.trusted, sealer: opened }, session, out, {
      signal: new AbortController().signal,
      past: null,
      files: vault.files,
      record: async () => undefined,
      ...options,
    });
  /** Makes a changed copy whose list of hashes matches the change. */
  const copied = async (change: (copy: string) => Promise<void>, from = whole): Promise<string> => {
    const copy = nextFolder();
    await cp(from, copy, { recursive: true });
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
  /** Replaces the text of one line, also by a text that no serializer would write. */
  const withText = (at: number, change: (line: string) => string): Promise<string> =>
    copied(async (copy) => {
      const path = join(copy, 'events.jsonl');
      const lines = (await readFile(path, 'utf8')).split('\n');
      const changed = change(lines[at]!);
      if (changed === lines[at]) throw new Error('Nothing was changed.');
      await writeFile(path, lines.with(at, changed).join('\n'));
    });
  const withFigures = (change: (figures: Figures) => void): Promise<string> =>
    copied(async (copy) => {
      const path = join(copy, 'evaluation.json');
      const figures = JSON.parse(await readFile(path, 'utf8')) as Figures;
      change(figures);
      await writeFile(path, `${JSON.stringify(figures, null, 2)}\n`);
    });

  /** Changes the file that was handed in. */
  const withContent = (change: (text: string) => string): Promise<string> =>
    copied(async (copy) => {
      const path = join(copy, await contentIn(copy));
      await writeFile(path, change(await readFile(path, 'utf8')));
    }, withWork);

  await exported(stored, whole);
  await exported(await storedSession(vault, keys, false, [1, 1, 1], true), withWork);
  await writeFile(published, JSON.stringify({ keys: keys.trusted.published }));
  return {
    vault,
    folder,
    stored,
    whole,
    withWork,
    published,
    nextFolder,
    exported,
    copied,
    withLines,
    withText,
    withFigures,
    withContent,
    close: () => rm(folder, { recursive: true, force: true }),
  };
};

/** The name of the file that was handed in. */
export const contentIn = async (bundle: string): Promise<string> =>
  (await readdir(bundle)).find((name) => name.startsWith('hand-in-')) ?? '';

/** Each tampering: its description, what verify-evidence.mjs reports, and a function that makes the changed copy. */
export const TAMPERINGS: readonly (readonly [string, string, (bundles: Bundles) => Promise<string>])[] = [
  [
    'a changed letter of a plain part',
    'does not match its hash',
    ({ withLines }) =>
      withLines((lines) => void (lines[1]!.plain = lines[1]!.plain.replace('occurredAt', 'occurredOn'))),
  ],
  [
    'a changed letter of a personal part',
    'does not match its commitment',
    ({ withLines }) => withLines((lines) => void ((lines[1]!.personal as { text: string }).text += ' ')),
  ],
  [
    'another salt',
    'does not match its commitment',
    ({ withLines }) =>
      withLines((lines) => void ((lines[1]!.personal as { salt: string }).salt = '00'.repeat(32))),
  ],
  [
    'a personal part made up',
    'but not both',
    ({ withLines }) =>
      withLines((lines) => void (lines[0]!.personal = { salt: '00'.repeat(32), text: '{}' })),
  ],
  [
    'a personal part called erased, without an erasure',
    'the session has no erasure',
    ({ withLines }) => withLines((lines) => void (lines[1]!.personal = 'erased')),
  ],
  [
    'a personal part called unopened, where others were opened',
    'all must be the same',
    ({ withLines }) => withLines((lines) => void (lines[1]!.personal = 'unopened')),
  ],
  [
    'a name that stands twice in a line',
    'line 2 is not written as',
    ({ withText }) => withText(1, (line) => line.replace('"id":', '"id":"another","id":')),
  ],
  [
    'a name that stands twice within a member',
    'line 2 is not written as',
    ({ withText }) => withText(1, (line) => line.replace('"actor":{', '"actor":{"id":"another",')),
  ],
  [
    'a further member of a line',
    'line 1 is not written as',
    ({ withLines }) => withLines((lines) => void Object.assign(lines[0]!, { note: 'verified by hand' })),
  ],
  [
    'a further member within a member',
    'line 1 is not written as',
    ({ withLines }) =>
      withLines((lines) => void Object.assign(lines[0]!.actor, { note: 'verified by hand' })),
  ],
  [
    'a schema version that is a text',
    'line 2 is not written as',
    ({ withText }) => withText(1, (line) => line.replace('"schemaVersion":1', '"schemaVersion":"1"')),
  ],
  [
    'a number that is written otherwise',
    'line 2 is not written as',
    ({ withText }) => withText(1, (line) => line.replace('"schemaVersion":1', '"schemaVersion":1.0')),
  ],
  [
    'members in another order',
    'line 2 is not written as',
    ({ withText }) =>
      withText(1, (line) => line.replace('"of":"session","number":2', '"number":2,"of":"session"')),
  ],
  [
    'a blank',
    'line 2 is not written as',
    ({ withText }) => withText(1, (line) => line.replace('"of":', '"of": ')),
  ],
  [
    'a character that is written otherwise',
    'line 2 is not written as',
    ({ withText }) => withText(1, (line) => line.replace('"of":"session"', '"of":"\\u0073ession"')),
  ],
  [
    'a name that stands twice in evaluation.json',
    'is not written as',
    ({ copied }) =>
      copied(async (copy) => {
        const path = join(copy, 'evaluation.json');
        const text = await readFile(path, 'utf8');
        await writeFile(path, text.replace('"status":', '"status": "failed",\n  "status":'));
      }),
  ],
  [
    'a person that is an empty text',
    'line 1 is not written as',
    ({ withLines }) => withLines((lines) => void (lines[0]!.person = '')),
  ],
  [
    'half of a surrogate pair',
    'line 1 is not written as',
    ({ withLines }) => withLines((lines) => void (lines[0]!.actor.id = '\ud800')),
  ],
  [
    'a name that stands twice in a plain part',
    'can be read in two ways',
    ({ withLines }) =>
      withLines((lines) => {
        lines[4]!.plain = lines[4]!.plain.replace(
          '"evaluationId"',
          '"evaluationId":"another","evaluationId"',
        );
        rechained(lines, 4);
      }),
  ],
  [
    'an event of the evaluation in the session',
    'is not allowed in the session',
    ({ withLines }) =>
      withLines((lines) => {
        lines[1]!.type = 'evaluation.model_answered';
        rechained(lines, 1);
      }),
  ],
  [
    'a generation that stands there twice',
    'not a later generation',
    ({ withLines }) =>
      withLines((lines) => {
        lines[7]!.plain = lines[7]!.plain.replace('"generation":2', '"generation":1');
        rechained(lines, 7);
      }),
  ],
  ['a removed event', 'wrong place', ({ withLines }) => withLines((lines) => lines.toSpliced(2, 1))],
  [
    'a removed event, renumbered',
    'does not continue',
    ({ withLines }) =>
      withLines((lines) =>
        lines.toSpliced(2, 1).map((line, at) => ({ ...line, number: at < 4 ? at + 1 : at - 3 })),
      ),
  ],
  [
    'swapped events',
    'wrong place',
    ({ withLines }) => withLines((lines) => lines.toSpliced(1, 2, lines[2]!, lines[1]!)),
  ],
  [
    'an event put behind the end',
    'follows trial.completed',
    ({ withLines }) =>
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
    'differs from the last result',
    ({ withLines }) => withLines((lines) => lines.slice(0, -1)),
  ],
  [
    'every result removed',
    'the chain holds no result',
    ({ withLines }) => withLines((lines) => lines.slice(0, 5)),
  ],
  [
    'a past made anew',
    'signature is not valid',
    ({ withLines }) =>
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
    ({ withLines }) =>
      withLines((lines) => {
        lines[5]!.plain = lines[5]!.plain.replace('"sequenceNumber":5', '"sequenceNumber":4');
        rechained(lines, 5);
      }),
  ],
  [
    'another signature',
    'signature is not valid',
    ({ withLines }) => withLines((lines) => void (lines[5]!.signature!.value = lines[7]!.signature!.value)),
  ],
  [
    'another key id',
    'is not among',
    ({ withLines }) => withLines((lines) => void (lines[7]!.signature!.keyId = STRANGER.signer.keyId)),
  ],
  [
    'no signature',
    'it is not signed',
    ({ withLines }) => withLines((lines) => void (lines[5]!.signature = null)),
  ],
  [
    'a line that is no JSON',
    'events.jsonl',
    ({ copied }) => copied(async (copy) => writeFile(join(copy, 'events.jsonl'), '{\n')),
  ],
  [
    'another score in evaluation.json',
    'differs from the last result',
    ({ withFigures }) => withFigures((figures) => void (figures.scores[0]!['score'] = 99)),
  ],
  [
    'another rationale in evaluation.json',
    'differs from the last result',
    ({ withFigures }) =>
      withFigures((figures) => void (figures['personal'] = { rationales: {}, quotes: {} })),
  ],
  [
    'another public key',
    'its keys are not those',
    ({ withFigures }) =>
      withFigures(
        (figures) =>
          void (figures['publicKeys'] = [...keys.trusted.published, ...STRANGER.trusted.published]),
      ),
  ],
  [
    'a public key under a wrong id',
    'is not the id of the key',
    ({ withFigures }) =>
      withFigures((figures) => void (figures['publicKeys'] = [{ ...keys.trusted.published[0], kid: 'x' }])),
  ],
  [
    'a changed letter of what was handed in',
    'is not what was handed in',
    ({ withContent }) => withContent((text) => (text.startsWith('I') ? 'J' : 'I') + text.slice(1)),
  ],
  [
    'a part of what was handed in',
    'is not what was handed in',
    ({ withContent }) => withContent((text) => text.slice(0, 77)),
  ],
  [
    'what was handed in, in one line',
    'is not base64 in lines',
    ({ withContent }) => withContent((text) => `${text.replaceAll('\n', '')}\n`),
  ],
  [
    'what was handed in, with a character that is no base64',
    'is not base64 in lines',
    ({ withContent }) => withContent((text) => text.replace('\n', '.\n')),
  ],
  [
    'what another session handed in',
    'belongs to no hand-in',
    ({ copied, withWork }) =>
      copied(async (copy) => {
        const name = await contentIn(withWork);
        await cp(join(withWork, name), join(copy, name));
      }),
  ],
  ['no evaluation.json', 'is missing', ({ copied }) => copied((copy) => rm(join(copy, 'evaluation.json')))],
];

/** The same for wrong figures in a valid chain. */
export const WRONG_FIGURES: typeof TAMPERINGS = (
  [
    ['exact', 'do not add up', (said: Figures) => void (said.scores[0]!['exact'] = 41)],
    ['score', 'rounded half up', (said: Figures) => void (said.scores[0]!['score'] = 41)],
    ['passed', 'does not follow', (said: Figures) => void (said.scores[0]!['passed'] = true)],
    ['overallScore', 'the overall figures', (said: Figures) => void (said['overallScore'] = 99)],
    ['overallExact', 'the overall figures', (said: Figures) => void (said['overallExact'] = 52.3)],
  ] as const
).map(([name, what, change]) => [
  name,
  what,
  ({ withLines }) =>
    withLines((lines) => {
      const said = JSON.parse(lines[5]!.plain) as Figures;
      change(said);
      lines[5]!.plain = JSON.stringify(said);
      rechained(lines, 5);
    }),
]);
