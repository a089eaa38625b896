import { createCipheriv, createHash, randomBytes } from 'node:crypto';
import type { Activity } from './domain.js';

/** The hash that the first link of a session's chain names as its predecessor. */
export const CHAIN_START = '0'.repeat(64);

/**
 * Something that a candidate did, as the log keeps it. Once the candidate's key is deleted it cannot be read, but the hash
 * chain of its session can still be verified.
 */
export type SealedActivity = {
  readonly clientEventId: string;
  readonly occurredAt: string;
  /** The salt and the JSON of what was done, by AES-256-GCM: nonce, ciphertext and tag, in base64. */
  readonly sealed: string;
  /** The hash of the salt and the JSON. */
  readonly commitment: string;
  readonly previousHash: string;
  readonly hash: string;
};

const sha256 = (...parts: readonly (string | Buffer)[]): string => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
};

/** Seals the activities of a session. Each becomes a link of the hash chain that starts after `lastHash`. */
export const sealed = (
  key: Buffer,
  sessionId: string,
  lastHash: string,
  activities: readonly Activity[],
): readonly SealedActivity[] => {
  let previousHash = lastHash;
  return activities.map(({ clientEventId, occurredAt, ...content }) => {
    const salt = randomBytes(32);
    const nonce = randomBytes(12);
    const text = JSON.stringify(content);
    const cipher = createCipheriv('aes-256-gcm', key, nonce);
    const bytes = Buffer.concat([nonce, cipher.update(salt), cipher.update(text), cipher.final()]);
    const commitment = sha256(salt, text);
    const link = {
      clientEventId,
      occurredAt,
      sealed: Buffer.concat([bytes, cipher.getAuthTag()]).toString('base64'),
      commitment,
      previousHash,
      hash: sha256(previousHash, sessionId, occurredAt, commitment),
    };
    previousHash = link.hash;
    return link;
  });
};
