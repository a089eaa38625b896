import {
  type BatchData,
  disclosedItems,
  isBatchData,
  isBatchPart,
  linkedItems,
  personalTexts,
} from './batch.js';
import { type Disclosure, type LinkContent, type LinkFault, verifyLink } from './chain.js';
import {
  assertLaidOut,
  metadataText,
  parseMetadata,
  parsePersonal,
  readData,
  readMetadata,
  readTail,
  unpackPersonal,
} from './codec-stored.js';
import { DamagedEvent } from './errors.js';
import type { RecordedEvent } from './event-store.js';
import type { ChainLink } from './event.js';
import type { Sealer } from './sealing.js';

/**
 * What an auditor needs of one event, stored by itself or in a batch: its link, and the content that the hash covers.
 * It is read without a key.
 */
export interface StoredLink {
  readonly link: Omit<ChainLink, 'items'>;
  /** Whether there is a sealed personal part. */
  readonly sealed: boolean;
  readonly content: LinkContent & { readonly plain: Uint8Array };
  /** The plain part, parsed. */
  readonly data: object;
}

/**
 * @returns the event's link, or those of a batch's items; none if it is not chained
 * @throws {DamagedEvent} its bytes are not as they were written
 */
export function storedLinks(event: RecordedEvent): readonly StoredLink[] {
  const parsed = parseMetadata(event);
  const metadata = readMetadata(event, parsed);
  const tail = readTail(event, parsed);
  assertLaidOut(event, 'metadata', metadataText(metadata, tail));
  const { schemaVersion, recordedAt, actor } = metadata;
  const { person, personal, chain } = tail;
  if (!chain) return [];
  const { items, ...whole } = chain;
  const sealed = personal !== null;
  const shared = { type: event.type, schemaVersion, recordedAt, actor, person };
  if (!items) {
    const { commitment } = whole;
    const content = { ...shared, eventId: event.id, commitment, plain: event.data };
    return [{ link: whole, sealed, content, data: readData(event) }];
  }
  const parts = linkedItems(event.id, readBatch(event, chain));
  return items.map(({ commitment, hash }, place) => {
    const { eventId = '', plain = '{}' } = parts[place] ?? {};
    const previousHash = items[place - 1]?.hash ?? whole.previousHash;
    const content = { ...shared, eventId, commitment, plain: Buffer.from(plain) };
    return { link: { previousHash, commitment, hash }, sealed, content, data: JSON.parse(plain) as object };
  });
}

/** @throws {DamagedEvent} plain part and link are not those of one batch */
function readBatch(event: RecordedEvent, { commitment, hash, items = [], signature }: ChainLink): BatchData {
  const data = readData(event);
  assertLaidOut(event, 'data', JSON.stringify(data));
  if (
    !isBatchData(data) ||
    data.items.length !== items.length ||
    commitment !== null ||
    hash !== items.at(-1)?.hash ||
    signature
  )
    throw new DamagedEvent(event, 'its items are not those of its link');
  return data;
}

/**
 * Checks a stored event's place in its chain. An erasure does not change the result.
 * @param previousHash the hash of the event before it; `null`: it begins the chain
 * @returns `null`: every link holds
 * @throws {DamagedEvent} its bytes are not as they were written
 */
export function verifyStored(event: RecordedEvent, previousHash: string | null): LinkFault | null {
  const links = storedLinks(event);
  if (links.length === 0) return 'not_next';
  let previous = previousHash;
  for (const { link, content } of links) {
    const fault = verifyLink(link, content, previous);
    if (fault) return fault;
    previous = link.hash;
  }
  return null;
}

/**
 * Salt and text of the personal part, for an exported bundle.
 * @returns as many as `storedLinks`; `null`: there is no personal part
 * @throws {MissingKey} neither key nor tombstone
 * @throws {BrokenSeal | DamagedEvent} it is not what was sealed
 */
export async function disclose(
  event: RecordedEvent,
  sealer: Sealer,
): Promise<readonly Disclosure[] | 'erased' | null> {
  const { person, personal, chain } = readTail(event, parseMetadata(event));
  if (person === null || personal === null) return null;
  const opened = await sealer.open(person, personal);
  if (opened === 'erased') return opened;
  const { salt, text } = unpackPersonal(event, opened);
  if (!chain?.items) return [{ salt, text }];
  const part = parsePersonal(event, text);
  if (isBatchPart(part) && part.items.length === chain.items.length)
    return disclosedItems(salt, personalTexts(part).items);
  throw new DamagedEvent(event, 'its personal part is that of another batch');
}
