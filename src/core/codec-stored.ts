import { isUtf8 } from 'node:buffer';
import { DamagedEvent } from './errors.js';
import type { RecordedEvent } from './event-store.js';
import type { Actor, ChainLink, ItemLink, LinkSignature, Metadata } from './event.js';
import { freshBytes } from './random.js';
import type { PersonId } from './vault/port.js';

/**
 * The bytes of a stored event: the storage contract. Data is the plain part alone, as JSON text. Metadata is one JSON
 * object with these members, in this order and without blanks:
 *
 *     {"schemaVersion":1,"recordedAt":…,"actor":{"type":…,"id":…},"commandId":…,"requestHash":…,"$correlationId":…,
 *      "$causationId":…,"person":"<id>","personal":"<sealed>","chain":{"previousHash":…,"commitment":…,"hash":…}}
 *
 * A member that has no value is left out, except `commitment`. The link of a batch ends with
 * `"items":[{"commitment":…,"hash":…},…]`, that of an event that is signed with `"signature":{"keyId":…,"value":…}`.
 * EventStoreDB's own projections read `$correlationId` and `$causationId`.
 */

/** The members of the metadata that are no part of `Metadata`. */
export interface StoredTail {
  /** `null`: the event names no person. */
  readonly person: PersonId | null;
  /** Sealed: `packPersonal` has the layout. `null`: there is no personal part. Without a person there is none. */
  readonly personal: string | null;
  /** `null`: the stream is not chained. */
  readonly chain: ChainLink | null;
}

/** The plain part. @throws {DamagedEvent} it is no JSON object */
export const readData = (event: RecordedEvent): object => parse(event, event.data, 'data');

/** An event's metadata as the JSON that is stored, with the keys in a fixed order. */
export function metadataText(metadata: Metadata, { person, personal, chain }: StoredTail): string {
  const { schemaVersion, recordedAt, actor, commandId, requestHash, correlationId, causationId } = metadata;
  return JSON.stringify({
    schemaVersion,
    recordedAt,
    actor: { type: actor.type, id: actor.id },
    commandId,
    // If there is a personal part, the hash is in that.
    requestHash: personal === null ? (requestHash ?? undefined) : undefined,
    $correlationId: correlationId,
    $causationId: causationId ?? undefined,
    person: person ?? undefined,
    personal: personal ?? undefined,
    chain: chain === null ? undefined : orderedLink(chain),
  });
}

const orderedLink = ({ previousHash, commitment, hash, items, signature }: ChainLink): ChainLink => ({
  previousHash,
  commitment,
  hash,
  ...(items && { items: items.map((item) => ({ commitment: item.commitment, hash: item.hash })) }),
  ...(signature && { signature: { keyId: signature.keyId, value: signature.value } }),
});

/**
 * Compares stored bytes with the one text that they are written as: a duplicate name, or a further member, would
 * be read in another way by other readers.
 * @throws {DamagedEvent} they are written otherwise
 */
export function assertLaidOut(event: RecordedEvent, part: 'data' | 'metadata', text: string): void {
  if (Buffer.compare(event[part], Buffer.from(text)) !== 0)
    throw new DamagedEvent(event, `its ${part} is not laid out as it was written`);
}

/** Metadata as parsed. Of a newer version's metadata only the schema version can be read. */
export type StoredMetadata = Record<string, unknown> & { readonly schemaVersion: number };

/** @throws {DamagedEvent} no JSON, or without a schema version */
export function parseMetadata(event: RecordedEvent): StoredMetadata {
  const metadata = parse(event, event.metadata, 'metadata');
  const { schemaVersion } = metadata;
  if (!Number.isSafeInteger(schemaVersion) || Number(schemaVersion) < 1)
    throw new DamagedEvent(event, 'its schema version is missing');
  return metadata as StoredMetadata;
}

/** @throws {DamagedEvent} a member is missing or of another kind */
export function readMetadata(event: RecordedEvent, stored: StoredMetadata): Metadata {
  const { schemaVersion, recordedAt, actor, commandId, requestHash = null } = stored;
  const { $correlationId: correlationId, $causationId: causationId = null } = stored;
  if (
    typeof recordedAt === 'string' &&
    typeof commandId === 'string' &&
    typeof correlationId === 'string' &&
    isTextOrNull(requestHash) &&
    isTextOrNull(causationId) &&
    isActor(actor)
  )
    return {
      schemaVersion,
      recordedAt,
      actor: { type: actor.type, id: actor.id },
      commandId,
      requestHash,
      correlationId,
      causationId,
    };
  throw new DamagedEvent(event, 'its metadata is incomplete');
}

/** @throws {DamagedEvent} a member is of another kind */
export function readTail(event: RecordedEvent, stored: StoredMetadata): StoredTail {
  const { person = null, personal = null, chain = null } = stored;
  if (!isTextOrNull(person) || !isTextOrNull(personal) || (personal !== null && person === null))
    throw new DamagedEvent(event, 'its personal part is not as it is stored');
  if (chain !== null && !isLink(chain)) throw new DamagedEvent(event, 'its chain link is incomplete');
  return { person: person as PersonId | null, personal, chain };
}

function parse(event: RecordedEvent, bytes: Uint8Array, what: string): Record<string, unknown> {
  // Invalid UTF-8 would be decoded to other characters without an error.
  if (!isUtf8(bytes)) throw new DamagedEvent(event, `its ${what} is no UTF-8`);
  return parseText(event, asBuffer(bytes).toString(), what);
}

function parseText(event: RecordedEvent, text: string, what: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value as Record<string, unknown>;
  } catch {
    // The parser's message may quote stored data.
  }
  throw new DamagedEvent(event, `its ${what} is not a JSON object`);
}

/** The same bytes. */
export const asBuffer = (bytes: Uint8Array): Buffer =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isTextOrNull = (value: unknown): value is string | null => value === null || typeof value === 'string';

const ACTORS: ReadonlySet<unknown> = new Set<Actor['type']>([
  'staff',
  'api_key',
  'candidate',
  'operator',
  'share_link',
  'system',
]);

const isActor = (value: unknown): value is Actor =>
  isObject(value) &&
  'type' in value &&
  ACTORS.has(value.type) &&
  'id' in value &&
  typeof value.id === 'string';

const isLink = (value: unknown): value is ChainLink =>
  isItemLink(value) &&
  'previousHash' in value &&
  typeof value.previousHash === 'string' &&
  (!('items' in value) || (Array.isArray(value.items) && value.items.every(isItemLink))) &&
  (!('signature' in value) || isSignature(value.signature));

const isItemLink = (value: unknown): value is ItemLink =>
  isObject(value) &&
  'commitment' in value &&
  isTextOrNull(value.commitment) &&
  'hash' in value &&
  typeof value.hash === 'string';

const isSignature = (value: unknown): value is LinkSignature =>
  isObject(value) &&
  'keyId' in value &&
  typeof value.keyId === 'string' &&
  'value' in value &&
  typeof value.value === 'string';

/**
 * The content of a sealed personal part: the storage contract.
 *
 *     32 bytes   the salt of the chain's commitment, random
 *      2 bytes   length of the request's hash, unsigned, big-endian; 65535: there is none
 *      n bytes   the request's hash, UTF-8: sealed too, as a body with personal data could be guessed from it
 *      the rest  the personal part's text, JSON in UTF-8
 */
export interface SealedPart {
  readonly salt: Buffer;
  /** `null`: the command has none. */
  readonly requestHash: string | null;
  readonly text: string;
}

const SALT_BYTES = 32;
const NONE = 0xffff;

/** A random salt for a personal part. */
export const freshSalt = (): Buffer => freshBytes(SALT_BYTES);

/** The bytes that are sealed: salt, length of the request hash (u16, big-endian; `NONE`: there is none), hash, text. */
export function packPersonal({ salt, requestHash, text }: SealedPart): Buffer {
  const hash = Buffer.from(requestHash ?? '');
  if (hash.length >= NONE) throw new RangeError('A request hash is shorter than 64 KiB.');
  const length = Buffer.alloc(2);
  length.writeUInt16BE(requestHash === null ? NONE : hash.length);
  return Buffer.concat([salt, length, hash, Buffer.from(text)]);
}

/**
 * Takes a personal part apart. An intact seal does not mean that it is one: other texts are sealed under the same
 * person's key.
 * @throws {DamagedEvent} it is shorter than what `packPersonal` makes
 */
export function unpackPersonal(event: RecordedEvent, packed: Buffer): SealedPart {
  const from = SALT_BYTES + 2;
  const length = packed.length < from ? 0 : packed.readUInt16BE(SALT_BYTES);
  const to = length === NONE ? from : from + length;
  if (packed.length < to) throw new DamagedEvent(event, 'its personal part is cut off');
  return {
    salt: packed.subarray(0, SALT_BYTES),
    requestHash: length === NONE ? null : packed.toString('utf8', from, to),
    text: packed.toString('utf8', to),
  };
}

/** A personal part by its text. @throws {DamagedEvent} it is no JSON object */
export const parsePersonal = (event: RecordedEvent, text: string): object =>
  parseText(event, text, 'personal part');
