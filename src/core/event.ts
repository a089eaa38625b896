import type { Position, Revision, StreamName } from './event-store.js';
import type { PersonId } from './vault/port.js';

/**
 * Who caused an event. Candidates are named by their person id, staff by subject, API keys and share links by their own
 * id; never by anything personal.
 */
export interface Actor {
  readonly type: 'staff' | 'api_key' | 'candidate' | 'operator' | 'share_link' | 'system';
  readonly id: string;
}

/**
 * An event as a decider makes it. `data` is the plain part, which outlives an erasure; `personal` is sealed under the
 * key of `person`, and is `null` if there is none or if it can no longer be read: every fold must handle `null`.
 */
export interface EventOf<Type extends string, Data extends object, Personal extends object | null = null> {
  readonly type: Type;
  readonly data: Data;
  readonly person: PersonId | null;
  readonly personal: Personal | null;
}

/** The widest event, for code that is independent of the domain. */
export type AnyEvent = EventOf<string, object, object | null>;

/** What every event has beside its data. */
export interface Metadata {
  readonly schemaVersion: number;
  /** Time by the writer's clock, RFC 3339 UTC with milliseconds. */
  readonly recordedAt: string;
  readonly actor: Actor;
  /** The command that caused the event; the same for the same command sent again. */
  readonly commandId: string;
  /** HMAC over the request under a server secret; `null` if the command had none or it can no longer be read. */
  readonly requestHash: string | null;
  readonly correlationId: string;
  /** The event that the command reacted to; `null`: it reacted to none. */
  readonly causationId: string | null;
}

/** An evidence event's link: lower-case hex SHA-256 values. */
export interface ChainLink {
  readonly previousHash: string;
  /** SHA-256(salt + personal plaintext), `null` without a personal part, and of a batch. */
  readonly commitment: string | null;
  /** The event's hash; of a batch the last item's. */
  readonly hash: string;
  /** The links of a batch's items, in order; left out on single events. */
  readonly items?: readonly ItemLink[];
  /** The signature of an event whose type is signed; left out on others. */
  readonly signature?: LinkSignature;
}

/** The link of a batch's item. Its previous hash is that of the item before it, or the batch's. */
export type ItemLink = Pick<ChainLink, 'commitment' | 'hash'>;

/** An Ed25519 signature over the link. Write access to the store is not enough to forge it. */
export interface LinkSignature {
  /** The key's JWK thumbprint (RFC 7638). */
  readonly keyId: string;
  /** base64url. */
  readonly value: string;
}

/** An event read back: upcast to its latest shape, its personal part opened. `chain` is `null` if it is not chained. */
export type Stored<E extends AnyEvent = AnyEvent> = E & {
  readonly id: string;
  readonly stream: StreamName;
  readonly revision: Revision;
  readonly position: Position;
  readonly metadata: Metadata;
  readonly chain: ChainLink | null;
};
