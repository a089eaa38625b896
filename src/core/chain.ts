import { hash } from 'node:crypto';
import type { Actor, ChainLink } from './event.js';

/**
 * The hash chain of evidence: the storage contract, never to change. An auditor needs only SHA-256 to check it, from
 * the stored events or from an exported bundle.
 *
 * An event's `hash` is the SHA-256, in lower-case hex, of these fields one after the other, each as its length in bytes
 * (4 bytes, unsigned, big-endian) followed by its bytes, which are UTF-8 text:
 *
 *      1. `assay.evidence.v1`
 *      2. `previousHash`: the former event's hash (64 characters), at a chain's beginning 64 zeros
 *      3. the event's type
 *      4. its schema version, as a decimal number
 *      5. its id
 *      6. `recordedAt`, as in the metadata
 *      7. `actor.type`
 *      8. `actor.id`
 *      9. the person's id, empty if the event names none
 *     10. `commitment` (64 characters), empty if the event has no personal part
 *     11. the plain part: the text of the member `data` exactly as stored, before any upcasting
 *
 * A `commitment` is the SHA-256, in lower-case hex, of 32 random bytes (the salt) followed by the personal part's text
 * exactly as it was sealed. Both are in the ciphertext: with them the commitment can be checked. Without them (after an
 * erasure) it reveals nothing of the text, and the chain can still be checked.
 *
 * An item of a batch is linked as an event by itself, with the id, plain part, text and salt that `batch.ts` gives it.
 *
 * A stream's chain may continue that of another stream: its first event names the hash of the other's last event, the
 * head. Each event that names the head is signed: write access to the store is enough to make another chain, but not
 * the signature over its end. The signature is Ed25519 (RFC 8032), in base64url, over these fields, each with its
 * length as above:
 *
 *      1. `assay.head.v1`
 *      2. `head.sequenceNumber` of the plain part, as a decimal number
 *      3. `head.hash` of the plain part (64 characters), empty if it is null
 *      4. the event's own `hash`
 *
 * `keyId` is the public key's JWK thumbprint (RFC 7638, SHA-256, base64url).
 */

const LAYOUT = 'assay.evidence.v1';
const SIGNED_LAYOUT = 'assay.head.v1';

/** The `previousHash` of a chain's first event, unless the chain continues another stream's. */
export const CHAIN_START = '0'.repeat(64);

/**
 * The content that an event's hash covers, beside the previous hash. `person` is `null` if the event names none,
 * `commitment` if it has no personal part.
 */
export interface LinkContent {
  readonly type: string;
  readonly schemaVersion: number;
  readonly eventId: string;
  readonly recordedAt: string;
  readonly actor: Actor;
  readonly person: string | null;
  readonly commitment: string | null;
  /** The plain part's text as stored. */
  readonly plain: string | Uint8Array;
}

/** The last event of the chain that a signed event's chain continues. */
export interface ChainHead {
  /** As in that event's plain part. */
  readonly sequenceNumber: number;
  /** Its `hash`; `null`: that event is not chained. */
  readonly hash: string | null;
}

/** Signs links: one private key of the service's. */
export interface LinkSigner {
  /** The key's JWK thumbprint. */
  readonly keyId: string;
  /** @returns an Ed25519 signature in base64url */
  sign(bytes: Uint8Array): string;
}

/** Why a link is wrong: `not_next`, it follows another event; `changed`, what it hashes has changed. */
export type LinkFault = 'not_next' | 'changed';

/** The hash of one event's link, in lower-case hex. */
export function linkHash(previousHash: string, content: LinkContent): string {
  return linker(content)(previousHash, content);
}

/** The content that all links of a batch share, and that of each link. */
type SharedContent = Omit<LinkContent, keyof OwnContent>;
type OwnContent = Pick<LinkContent, 'eventId' | 'commitment' | 'plain'>;

/**
 * Hashes links that share all but their own content: each activity of a batch is hashed, so what they share is laid out
 * once.
 */
export function linker(shared: SharedContent): (previousHash: string, own: OwnContent) => string {
  const { type, schemaVersion, recordedAt, actor, person } = shared;
  const layout = framed([LAYOUT]);
  const what = framed([type, String(schemaVersion)]);
  const who = framed([recordedAt, actor.type, actor.id, person ?? '']);
  const common = layout.length + what.length + who.length;
  return (previousHash, { eventId, commitment, plain }) => {
    const texts = previousHash.length + eventId.length + (commitment?.length ?? 0) + plain.length;
    const bytes = roomFor(common + 4 * LENGTH_BYTES + MAX_BYTES * texts);
    let at = put(bytes, layout, 0);
    at = frame(bytes, previousHash, at);
    at = put(bytes, what, at);
    at = frame(bytes, eventId, at);
    at = put(bytes, who, at);
    at = frame(bytes, commitment ?? '', at);
    at = frame(bytes, plain, at);
    return sha256(bytes, at);
  };
}

/** The bytes that a link's signature covers. */
export const signedBytes = ({ sequenceNumber, hash: headHash }: ChainHead, ownHash: string): Buffer =>
  framed([SIGNED_LAYOUT, String(sequenceNumber), headHash ?? '', ownHash]);

function framed(fields: readonly string[]): Buffer {
  const texts = fields.reduce((size, field) => size + field.length, 0);
  const bytes = Buffer.allocUnsafe(fields.length * LENGTH_BYTES + MAX_BYTES * texts);
  return bytes.subarray(
    0,
    fields.reduce((at, field) => frame(bytes, field, at), 0),
  );
}

/** Puts a field with its length. @returns where the next one begins */
function frame(bytes: Buffer, field: string | Uint8Array, at: number): number {
  const from = at + LENGTH_BYTES;
  const to = typeof field === 'string' ? from + bytes.write(field, from) : put(bytes, field, from);
  bytes.writeUInt32BE(to - from, at);
  return to;
}

function put(bytes: Buffer, field: Uint8Array, at: number): number {
  bytes.set(field, at);
  return at + field.length;
}

const LENGTH_BYTES = 4;
/** Bytes of a UTF-16 code unit in UTF-8. */
const MAX_BYTES = 3;

/** The proof that a commitment is that of a text. */
export interface Disclosure {
  /** 32 random bytes. */
  readonly salt: Uint8Array;
  /** The personal part's text exactly as it was sealed. */
  readonly text: string;
}

/** The commitment to a personal part, in lower-case hex. */
export const commitmentOf = ({ salt, text }: Disclosure): string => {
  const bytes = roomFor(salt.length + MAX_BYTES * text.length);
  const to = put(bytes, salt, 0);
  return sha256(bytes, to + bytes.write(text, to));
};

/** Reused for each hash whose input fits: a batch of a hundred has two hundred hashes. */
const scratch = Buffer.allocUnsafe(4_096);

const roomFor = (size: number): Buffer => (size <= scratch.length ? scratch : Buffer.allocUnsafe(size));

/**
 * Views of the first bytes of `scratch`, by their number: few numbers occur, and making a view takes a third as long as
 * a hash.
 */
const beginnings = new Map<number, Buffer>();

function beginningOf(length: number): Buffer {
  const known = beginnings.get(length);
  if (known) return known;
  const beginning = scratch.subarray(0, length);
  beginnings.set(length, beginning);
  return beginning;
}

/** The hash of the first bytes, in lower-case hex. */
const sha256 = (bytes: Buffer, length: number): string =>
  hash('sha256', bytes === scratch ? beginningOf(length) : bytes.subarray(0, length), 'hex');

/**
 * Checks one event's link.
 * @param previousHash the hash of the event before it, `null` at a chain's beginning
 * @returns `null` if it holds
 */
export function verifyLink(
  link: ChainLink,
  content: LinkContent,
  previousHash: string | null,
): LinkFault | null {
  if (link.previousHash !== (previousHash ?? CHAIN_START)) return 'not_next';
  if (link.commitment !== content.commitment) return 'changed';
  return linkHash(link.previousHash, content) === link.hash ? null : 'changed';
}
