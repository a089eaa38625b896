import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { PublicJwk } from '../../core/signing/ed25519.js';
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
export type BundleFile = 'events.jsonl' | 'evaluation.json' | 'README';

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
