import type { Sealer } from './vault/sealing.js';
import { type LinkContent, type LinkFault, verifyLink } from './chain.js';
import { DamagedEvent } from './errors.js';
import {
  assertLaidOut,
  isPacked,
  parseMetadata,
  readMetadata,
  readTail,
  unpackPersonal,
} from './codec-stored.js';
import type { ChainLink } from './event.js';
import type { RecordedEvent } from './event-store.js';

/** What an auditor needs of one stored event: its link and what the hash is taken over. No key is needed for it. */
export interface StoredLink {
  readonly link: ChainLink;
  /** Whether there is a sealed personal part. */
  readonly sealed: boolean;
  readonly content: LinkContent & { readonly plain: Uint8Array };
}

/** What shows that a commitment is that of a text. */
export interface Disclosure {
  readonly salt: Buffer;
  /** The personal part's text exactly as it was sealed. */
  readonly text: Buffer;
}

/**
 * @returns `null` for an event that is not chained
 * @throws {DamagedEvent} its bytes are not as they were written
 */
export function storedLink(event: RecordedEvent): StoredLink | null {
  const parsed = parseMetadata(event);
  const metadata = readMetadata(event, parsed);
  const tail = readTail(event, parsed);
  assertLaidOut(event, metadata, tail);
  const { schemaVersion, recordedAt, actor } = metadata;
  const { person, personal, chain: link } = tail;
  if (!link) return null;
  const { commitment } = link;
  const content = {
    type: event.type,
    schemaVersion,
    eventId: event.id,
    recordedAt,
    actor,
    person,
    commitment,
    plain: event.data,
  };
  return { link, sealed: personal !== null, content };
}

/**
 * Checks a stored event's place in its chain, as it can be checked for ever, erasure or not.
 * @param previousHash of the event before it, `null` at a chain's beginning
 * @returns `null` where it holds
 * @throws {DamagedEvent} its bytes are not as they were written
 */
export function verifyStored(event: RecordedEvent, previousHash: string | null): LinkFault | null {
  const stored = storedLink(event);
  return stored ? verifyLink(stored.link, stored.content, previousHash) : 'not_next';
}

/**
 * Salt and text of the personal part, for an exported bundle.
 * @returns `null` where there is no personal part
 * @throws {MissingKey} neither key nor tombstone
 * @throws {BrokenSeal | DamagedEvent} it is not what was sealed
 */
export async function disclose(event: RecordedEvent, sealer: Sealer): Promise<Disclosure | 'erased' | null> {
  const { person, personal } = readTail(event, parseMetadata(event));
  if (person === null || personal === null) return null;
  const opened = await sealer.open(person, personal);
  if (opened === 'erased') return opened;
  if (!isPacked(opened)) throw new DamagedEvent(event, 'its personal part is cut off');
  const { salt, text } = unpackPersonal(opened);
  return { salt, text };
}
