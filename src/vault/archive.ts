import type { AudioEnd, OwnedChunk } from './audio-chunks.js';
import type { KeyedHash, PersonId, PersonRef, Vault } from '../core/vault/port.js';
import type { ReadEntry } from '../core/vault/read-entry.js';

/**
 * One thing that a vault holds, as it is carried to another vault. What is wrapped stays wrapped by DATA_KEY, so both
 * vaults are opened with the same one.
 */
export type VaultEntry =
  | { readonly kind: 'key'; readonly person: PersonId; readonly wrapped: Buffer }
  /** The tombstone of an erased person: stronger than any key. */
  | { readonly kind: 'erased'; readonly person: PersonId }
  | { readonly kind: 'identity'; readonly hash: KeyedHash; readonly person: PersonId }
  | { readonly kind: 'carrier'; readonly hash: KeyedHash; readonly person: PersonRef }
  /** Says nothing of the person, and outlives an erasure. */
  | { readonly kind: 'claim'; readonly hash: KeyedHash; readonly person: PersonId }
  | { readonly kind: 'secret'; readonly name: string; readonly wrapped: Buffer }
  | { readonly kind: 'read'; readonly entry: ReadEntry }
  /** How far a session's audio goes, discarded or not. */
  | ({ readonly kind: 'audio_end' } & AudioEnd)
  /** A chunk of audio, sealed under its person's key. */
  | ({ readonly kind: 'audio' } & OwnedChunk);

/** A vault whose whole content can be carried to another one: between embedded and server stores. */
export interface ArchivableVault extends Vault {
  /**
   * Everything that it holds, tombstones first, each entry once, in an order that is the same for the same content;
   * chunks of audio last, each turn's together. Chunks are never all in memory.
   */
  entries(): AsyncIterable<VaultEntry>;
  /**
   * Adds an entry as it is; again does nothing. An erased person stays erased whatever comes later: its key,
   * look-ups and audio are passed over, not who claimed a command or read an evaluation. Durable when it answers.
   * @throws {StoreUnusable} something else stands in its place (another key of this person, another secret)
   */
  put(entry: VaultEntry): Promise<void>;
}
