import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { PublicJwk } from '../../core/signing.js';
import type { CheckedEvent } from './session-evidence.js';

/** What a bundle holds. */
export interface Exported {
  readonly session: string;
  readonly organisationId: string;
  /** `null` where the session was never completed. */
  readonly evaluationId: string | null;
  readonly events: number;
  /** The keys that its results are signed with. */
  readonly keyIds: readonly string[];
  /** Personal parts that nobody can read any more, or not here. */
  readonly unread: number;
}

/** The files of a bundle, but for the list of their hashes. */
type BundleFile = 'events.jsonl' | 'evaluation.json' | 'README';

/** Holds the SHA-256 of each file, as `sha256sum -c` takes it. */
export const SUMS = 'SHA256SUMS';

/** One line of `events.jsonl`: all that the event's hash was made over, as exact text. */
export const eventLine = ({ of, number, stored, personal }: CheckedEvent): string => {
  const { type, eventId, schemaVersion, recordedAt, actor, person, commitment, plain } = stored.content;
  const { previousHash, hash, signature } = stored.link;
  return JSON.stringify({
    of,
    number,
    id: eventId,
    type,
    schemaVersion,
    recordedAt,
    actor,
    person,
    plain: Buffer.from(plain).toString(),
    commitment,
    personal:
      personal === null || typeof personal === 'string'
        ? personal
        : { salt: personal.salt.toString('hex'), text: personal.text.toString() },
    previousHash,
    hash,
    signature: signature ?? null,
  });
};

/** A result of the evaluation, with what of it is personal where that can be read. */
export const evaluationOf = (
  { event, stored, data, personal }: CheckedEvent,
  publicKeys: readonly PublicJwk[],
): object => {
  const { hash, signature } = stored.link;
  const { head, ...figures } = data as { readonly head: object };
  return {
    status: event.type === 'evaluation.generated' ? 'ready' : 'failed',
    recordedAt: stored.content.recordedAt,
    ...figures,
    head: { ...head, resultHash: hash, signature: signature?.value ?? null, keyId: signature?.keyId ?? null },
    personal:
      personal === null || typeof personal === 'string'
        ? personal
        : (JSON.parse(personal.text.toString()) as object),
    publicKeys,
  };
};

/**
 * Writes a file piece by piece, durably, readable by its owner alone.
 * @returns its line of the list of hashes
 */
export const writeHashed = async (
  folder: string,
  name: BundleFile | typeof SUMS,
  fill: (write: (text: string) => Promise<void>) => Promise<void>,
): Promise<string> => {
  const hash = createHash('sha256');
  const file = await open(join(folder, name), 'wx', 0o600);
  try {
    await fill((text) => {
      hash.update(text);
      return file.appendFile(text);
    });
    await file.sync();
  } finally {
    await file.close();
  }
  return `${hash.digest('hex')}  ${name}\n`;
};

/** What the bundle says of itself, for an auditor who knows nothing of this software. */
export const readme = (exported: Exported, hasResult: boolean): string =>
  [
    `EVIDENCE OF THE TRIAL SESSION ${exported.session}`,
    '',
    ...about(exported),
    '',
    'WHAT LIES HERE',
    '',
    'events.jsonl     every event of the session and then of its evaluation, one JSON object a line',
    ...(hasResult
      ? ['evaluation.json  what the latest generation of the evaluation came to, and the public keys']
      : ['                 (there is no evaluation.json: no result was recorded)']),
    'SHA256SUMS       the SHA-256 of each of these files; sha256sum -c SHA256SUMS compares them',
    '',
    'HOW TO CHECK IT',
    '',
    'Get verify-evidence.mjs from the documentation of Assay, not from whoever gave you this folder: it is one short',
    'file that needs Node.js alone and that you can read. Fetch the published keys from the service that made the',
    'evaluation, at /.well-known/evidence-keys.json, into a file of your own. Then:',
    '',
    '    node verify-evidence.mjs THIS_FOLDER --keys evidence-keys.json',
    '',
    'It ends with 0 where everything holds, else with 1, and says in plain words what it checked and what it could not.',
    ...keys(exported),
    '',
    'How the files are written, what each hash and signature is made over and how the figures follow is told in',
    'docs/evidence.md of the same documentation, under "The bundle": enough to write a verifier of your own.',
    '',
    'WHAT IT CANNOT SHOW',
    '',
    'That nothing came after the last event here; that what the candidate’s browser or a member of staff sent was true;',
    'that the clock of the service was right. A personal part that was erased can be read by nobody any more: its',
    'commitment still holds its place in the chain, and says nothing of what it was.',
    '',
  ].join('\n');

const about = ({ organisationId, evaluationId, events, unread }: Exported): readonly string[] => [
  `Organisation ${organisationId}. ${events} events.`,
  evaluationId === null
    ? 'The session was not completed: there is no evaluation.'
    : `Its evaluation is ${evaluationId}.`,
  unread === 0
    ? 'It holds personal data of the candidate, in plain: keep it as such, and destroy it when it is not needed.'
    : `The personal parts of ${unread} events can no longer be read: they were erased, or their key is missing.`,
];

const keys = ({ keyIds }: Exported): readonly string[] =>
  keyIds.length === 0
    ? ['', 'Nothing here is signed: no result was recorded.']
    : ['', `The results are signed with the key ${keyIds.join(', ')}. It must be one of the published ones.`];
