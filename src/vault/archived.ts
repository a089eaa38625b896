import { StoreUnusable } from '../core/errors.js';
import type { AudioEnd, OwnedChunk } from './audio-chunks.js';
import type { KeyedHash, PersonId, PersonRef } from '../core/vault/port.js';
import type { ReadEntry } from '../core/vault/read-entry.js';
import type { WrappingKey } from './wrapping.js';

/** What every vault checks before it takes an entry over from another one. */

/** Something else stands where an entry is to be put. */
export const otherStands = (what: string): StoreUnusable =>
  new StoreUnusable(`The vault to copy into holds another ${what}: copy into an empty one.`);

/** @throws {StoreUnusable} DATA_KEY does not open it, so that nobody could use it there */
export function assertOpens(wrapping: WrappingKey, what: string, wrapped: Buffer, owner: string): void {
  if (wrapping.unwrap(wrapped, owner)) return;
  throw new StoreUnusable(
    `The ${what} to be copied is not wrapped by this vault's DATA_KEY, or is damaged: open both vaults with the same DATA_KEY.`,
  );
}

/**
 * `rewrapped`: the same lies in both, wrapped at different times, as after a change of DATA_KEY in each.
 * @throws {StoreUnusable} something else stands, or what stands is damaged
 */
export function compareWrapped(
  wrapping: WrappingKey,
  what: string,
  given: Buffer,
  standing: Buffer,
  owner: string,
): 'same' | 'rewrapped' {
  if (standing.equals(given)) return 'same';
  const [theirs, ours] = [given, standing].map((wrapped) => wrapping.unwrap(wrapped, owner));
  if (theirs && ours?.equals(theirs)) return 'rewrapped';
  throw otherStands(what);
}

/** @param standing who stands there; `null`: nobody, for the person was erased. @throws {StoreUnusable} another one */
export function assertSamePerson(hash: KeyedHash, person: PersonId, standing: PersonId | null): void {
  if (standing !== null && standing !== person) throw otherStands(`person under the hash ${hash}`);
}

/**
 * Compares field by field: what a store decodes may have another prototype than what was put.
 * @param standing how the person stands there; `null`: not at all, for they were erased
 * @throws {StoreUnusable} otherwise
 */
export function assertSameRef(hash: KeyedHash, ref: PersonRef, standing: PersonRef | null): void {
  const { person, kind, organisationId } = ref;
  const same =
    standing?.person === person && standing.kind === kind && standing.organisationId === organisationId;
  if (standing !== null && !same) throw otherStands(`description of person ${person} under the hash ${hash}`);
}

/** @param standing who the command was first sent for there. @throws {StoreUnusable} another one */
export function assertSameClaim(hash: KeyedHash, person: PersonId, standing: PersonId): void {
  if (standing !== person) throw otherStands(`person for the command of the hash ${hash}`);
}

/** @param standing what stands in the entry's place. @throws {StoreUnusable} something else */
export function assertSameRead(entry: ReadEntry, standing: ReadEntry | null): void {
  const same =
    standing?.organisationId === entry.organisationId &&
    standing.actor.type === entry.actor.type &&
    standing.actor.id === entry.actor.id;
  if (!same) throw otherStands(`read of evaluation ${entry.evaluationId}`);
}

/** @param standing what lies in the chunk's place. @throws {StoreUnusable} another one */
export function assertSameChunk({ trialSessionId, sealed }: OwnedChunk, standing: Buffer): void {
  if (!standing.equals(sealed)) throw otherStands(`audio of session ${trialSessionId}`);
}

/** @param standing where the session's audio ends there. @throws {StoreUnusable} further on */
export function assertNotBehind({ trialSessionId, lastSeq }: AudioEnd, standing: number): void {
  if (standing > lastSeq) throw otherStands(`audio of session ${trialSessionId}, and more of it`);
}
