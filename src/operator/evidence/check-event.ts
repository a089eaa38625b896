import { eventRegistry } from '../../domain/event-registry.js';
import { type ChainHead, type LinkFault, verifyLink } from '../../core/chain.js';
import { DamagedEvent } from '../../core/codec-errors.js';
import { type StoredLink, storedLink } from '../../core/codec-evidence.js';
import { readData } from '../../core/codec-stored.js';
import type { RecordedEvent } from '../../core/event-store.js';
import type { SignatureFault, TrustedKeys } from '../../core/signing/trusted-keys.js';

/** Where in a session's evidence the next event must stand. */
export interface Expected {
  /** From 1, in its stream. */
  readonly number: number;
  /** Of the event before it; `null` at the session's beginning. */
  readonly previousHash: string | null;
  /** What every event of the stream says of itself, by the names of its ids. */
  readonly ids: Readonly<Record<string, string | number>>;
  /** The session's own head, which results must rest on; `null` within the session itself. */
  readonly head: ChainHead | null;
}

/** A link that holds, as far as it can be told without any key. */
export interface Held {
  readonly stored: StoredLink;
  readonly data: object;
  readonly signed: boolean;
}

/**
 * Checks one stored event in its place: nothing about it can be forged without a trace but by whoever holds the
 * signing key.
 * @returns what is wrong, as a part of a sentence, or the link that holds
 */
export const checkEvent = (event: RecordedEvent, expected: Expected, trusted: TrustedKeys): string | Held => {
  if (event.revision !== expected.number - 1)
    return `it is event ${event.revision + 1} of its stream, and event ${expected.number} is missing`;
  let stored: StoredLink | null;
  let data: object;
  try {
    stored = storedLink(event);
    data = readData(event).data;
  } catch (error) {
    if (error instanceof DamagedEvent) return `it cannot be read: ${error.what}`;
    throw error;
  }
  if (!stored) return 'it was written without a link of the chain';
  const fault = verifyLink(stored.link, stored.content, expected.previousHash);
  if (fault) return LINK_FAULTS[fault];
  if (stored.sealed !== (stored.link.commitment !== null))
    return stored.sealed
      ? 'it has a personal part that its hash knows nothing of'
      : 'its personal part is gone';
  const stranger = Object.entries(expected.ids).find(([name, id]) => ownValue(data, name) !== id);
  if (stranger) return `its ${stranger[0]} is not that of the place where it stands`;
  const unsigned = checkSignature(event.type, data, stored, expected.head, trusted);
  if (unsigned !== null) return unsigned;
  return { stored, data, signed: stored.link.signature !== undefined };
};

const checkSignature = (
  type: string,
  data: object,
  { link }: StoredLink,
  sessionHead: ChainHead | null,
  trusted: TrustedKeys,
): string | null => {
  const { signature, hash } = link;
  const definition = eventRegistry.get(type);
  // Of a type that newer code wrote it is not known here whether it is signed.
  if (!definition) return null;
  if (!definition.signedHead)
    return signature ? 'it bears a signature, which events of its type do not' : null;
  const head = definition.signedHead(data);
  if (!head || head.sequenceNumber !== sessionHead?.sequenceNumber || head.hash !== sessionHead.hash)
    return 'the head that it names is not its session’s own';
  if (!signature) return 'it is not signed';
  const fault = trusted.check(signature, head, hash);
  return fault && SIGNATURE_FAULTS[fault](signature.keyId);
};

const LINK_FAULTS: Readonly<Record<LinkFault, string>> = {
  not_next: 'it does not go on from the event before it: an event was removed, put in, or moved',
  changed: 'it is not what its hash was made over: it was changed',
};

const SIGNATURE_FAULTS: Readonly<Record<SignatureFault, (keyId: string) => string>> = {
  unknown_key: (keyId) =>
    `it is signed with the key ${keyId}, which is neither SIGNING_KEY’s nor one of FORMER_SIGNING_KEYS`,
  wrong: (keyId) => `its signature was not made over it with the key ${keyId}`,
};

/** A member that is the object's own: what was damaged may have any name. */
export const ownValue = (data: object, name: string): unknown =>
  Object.hasOwn(data, name) ? (data as Readonly<Record<string, unknown>>)[name] : undefined;
