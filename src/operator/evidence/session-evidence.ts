import {
  type ChainHead,
  commitmentOf,
  type Disclosure,
  type LinkFault,
  verifyLink,
} from '../../core/chain.js';
import { disclose, type StoredLink, storedLinks } from '../../core/codec-evidence.js';
import { DamagedEvent } from '../../core/errors.js';
import { type EventStore, type RecordedEvent, isStreamName } from '../../core/event-store.js';
import type { Sealer } from '../../core/sealing.js';
import type { SignatureFault, TrustedKeys } from '../../core/signing.js';
import { BrokenSeal, MissingKey } from '../../core/vault/port.js';
import { eventRegistry } from '../../domain/event-registry.js';
import type { TrialEvent } from '../../domain/session/events.js';
import { END_TYPES } from '../../domain/session/lifecycle.js';
import type { FileStore } from '../../vault/port.js';
import { contentFault, handInOf, type RecordedHandIn } from './hand-ins.js';
import { isRefused, readAsFarAsGiven } from './reading.js';

/** The first link of a session that is not as it was recorded. */
export interface BrokenLink {
  readonly session: string;
  readonly stream: string;
  /** Its place in the stream's evidence, from 1; in a session, its sequence number. */
  readonly number: number;
  /** `null`: the store refuses to return the event. */
  readonly eventId: string | null;
  /** As `eventId`: `null` with it alone. */
  readonly type: string | null;
  /** What is wrong, as a part of a sentence. */
  readonly what: string;
}

/** A personal part: read and as it was written; erased; not readable here; `null`: the event has none. */
type Personal = Disclosure | 'erased' | 'unopened' | null;

/** An event, or an activity of a batch, whose link is valid, in the order of the evidence. */
export interface CheckedEvent extends Held {
  readonly kind: 'event';
  readonly of: 'session' | 'evaluation';
  readonly number: number;
  /** As it is stored: of a batch the whole. */
  readonly event: RecordedEvent;
  readonly personal: Personal;
  /** The hand-in that has arrived by it; `null`: none, or what was handed in can no longer be read. */
  readonly handIn: RecordedHandIn | null;
}

/** What a session's evidence is checked with. */
export interface Checking {
  readonly log: Pick<EventStore, 'readStream'>;
  readonly trusted: TrustedKeys;
  /** Opens personal parts; `null`: there is no DATA_KEY here, and their commitments are not checked. */
  readonly sealer: Sealer | null;
  /** What candidates handed in, which is compared with its events; `null` or left out: it is not compared. */
  readonly files?: Pick<FileStore, 'read'> | null;
}

/** A session's events with valid links, in their order; the last item may be the first link that does not. */
export type Evidence = AsyncGenerator<
  CheckedEvent | { readonly kind: 'broken'; readonly link: BrokenLink },
  void,
  undefined
>;

/** After these a session may only be erased. */
const ENDS: ReadonlySet<string> = new Set(END_TYPES);
const ERASED = 'trial.erased' satisfies TrialEvent['type'];

/** The chain of a session and then of its evaluation, event by event, up to the first link that is not valid. */
export async function* sessionEvidence(checking: Checking, session: string): Evidence {
  let head: ChainHead | null = null;
  let evaluationId: string | null = null;
  let former = '';
  const idsAt = (number: number) => ({ trialSessionId: session, sequenceNumber: number });
  for await (const item of walk(checking, session, `trial-${session}`, null, idsAt)) {
    if (item.kind === 'broken') {
      yield item;
      return;
    }
    const { event, number, stored } = item;
    const { type, stream } = event;
    const { eventId } = stored.content;
    // No result's signature covers it, so it may be forged.
    if (former === ERASED || (ENDS.has(former) && type !== ERASED)) {
      const what = `it follows ${former}, which was the end`;
      yield { kind: 'broken', link: { session, stream, number, eventId, type, what } };
      return;
    }
    former = type;
    if (type === 'trial.completed') {
      head = { sequenceNumber: number, hash: stored.link.hash };
      evaluationId = String(ownValue(stored.data, 'evaluationId'));
    }
    yield item;
  }
  if (!head || evaluationId === null) return;
  const ids = { trialSessionId: session, evaluationId };
  yield* walk(checking, session, `evaluation-${evaluationId}`, head, () => ids);
}

async function* walk(
  { log, trusted, sealer, files }: Checking,
  session: string,
  stream: string,
  head: ChainHead | null,
  idsAt: (number: number) => Expected['ids'],
): Evidence {
  if (!isStreamName(stream)) return;
  let previousHash = head?.hash ?? null;
  let revision = 0;
  let number = 1;
  for await (const event of readAsFarAsGiven(log, stream)) {
    const broken = (what: string, eventId: string | null, type: string | null) =>
      ({ kind: 'broken', link: { session, stream, number, eventId, type, what } }) as const;
    if (isRefused(event)) {
      yield broken(event.refusal, null, null);
      return;
    }
    const links = linksOf(event, revision);
    if (typeof links === 'string') {
      yield broken(links, event.id, event.type);
      return;
    }
    const personal = await personalOf(event, links, sealer);
    for (const [place, stored] of links.entries()) {
      const expected = { previousHash, ids: idsAt(number), head };
      const held = checkLink(stored, expected, trusted);
      const own = typeof personal === 'string' ? personal : (personal?.[place] ?? null);
      if (typeof held === 'string' || own === 'changed') {
        yield broken(typeof held === 'string' ? held : CHANGED, stored.content.eventId, event.type);
        return;
      }
      const handIn = own === null || typeof own === 'string' ? null : handInOf(stored);
      const fault = files && handIn && (await contentFault(files, handIn));
      if (fault) {
        yield broken(fault, stored.content.eventId, event.type);
        return;
      }
      const of = head ? 'evaluation' : 'session';
      yield { kind: 'event', of, number, event, personal: own, handIn, ...held };
      previousHash = stored.link.hash;
      number++;
    }
    revision++;
  }
}

const CHANGED = 'its personal part is not the one it was written with';

/** The personal parts of an event's links, each compared with its commitment. */
const personalOf = async (
  event: RecordedEvent,
  links: readonly StoredLink[],
  sealer: Sealer | null,
): Promise<readonly (Disclosure | 'changed')[] | 'erased' | 'unopened' | 'changed' | null> => {
  if (!links.some(({ sealed }) => sealed)) return null;
  if (!sealer) return 'unopened';
  try {
    const disclosed = await disclose(event, sealer);
    if (disclosed === null || disclosed === 'erased') return disclosed;
    return disclosed.map((one, place) =>
      commitmentOf(one) === links[place]?.link.commitment ? one : 'changed',
    );
  } catch (error) {
    if (error instanceof BrokenSeal || error instanceof DamagedEvent) return 'changed';
    if (error instanceof MissingKey) return 'unopened';
    throw error;
  }
};

/** What the next event of a session's evidence must match. */
interface Expected {
  /** The hash of the event before it; `null` at the session's beginning. */
  readonly previousHash: string | null;
  /** The ids that every event of the stream carries, by their names. */
  readonly ids: Readonly<Record<string, string | number>>;
  /** The session's own head, over which results are signed; `null` within the session itself. */
  readonly head: ChainHead | null;
}

/** A valid link, as far as that can be checked without any key. */
interface Held {
  readonly stored: StoredLink;
  readonly signed: boolean;
}

/** The links of a stored event, or why there are none, as a part of a sentence. @param revision that it must have */
const linksOf = (event: RecordedEvent, revision: number): readonly StoredLink[] | string => {
  if (event.revision !== revision && revision === 0)
    return `the stream’s beginning is missing: this is event ${event.revision + 1}, the first that is left`;
  if (event.revision !== revision)
    return `it is event ${event.revision + 1} of its stream, and event ${revision + 1} is missing`;
  try {
    const links = storedLinks(event);
    return links.length === 0 ? 'it was written without a link of the chain' : links;
  } catch (error) {
    if (error instanceof DamagedEvent) return `it cannot be read: ${error.what}`;
    throw error;
  }
};

/**
 * Checks one link in its place.
 * @returns the fault, as a part of a sentence, or the valid link
 */
const checkLink = (stored: StoredLink, expected: Expected, trusted: TrustedKeys): string | Held => {
  const fault = verifyLink(stored.link, stored.content, expected.previousHash);
  if (fault) return LINK_FAULTS[fault];
  if (stored.sealed !== (stored.link.commitment !== null))
    return stored.sealed
      ? 'it has a personal part that its hash does not cover'
      : 'its personal part is gone';
  const { data } = stored;
  const stranger = Object.entries(expected.ids).find(([name, id]) => ownValue(data, name) !== id);
  if (stranger) return `its ${stranger[0]} is not that of its stream and place`;
  const unsigned = checkSignature(stored, expected.head, trusted);
  if (unsigned !== null) return unsigned;
  return { stored, signed: stored.link.signature !== undefined };
};

const checkSignature = (
  { link, data, content: { type } }: StoredLink,
  sessionHead: ChainHead | null,
  trusted: TrustedKeys,
): string | null => {
  const { signature, hash } = link;
  const definition = eventRegistry.get(type);
  // An unknown type is from newer code, which alone defines whether it is signed.
  if (!definition) return null;
  if (!definition.signedHead)
    return signature ? 'it has a signature, which events of its type do not have' : null;
  const head = definition.signedHead(data);
  if (!head || head.sequenceNumber !== sessionHead?.sequenceNumber || head.hash !== sessionHead.hash)
    return 'the head that it names is not its session’s own';
  if (!signature) return 'it is not signed';
  const fault = trusted.check(signature, head, hash);
  return fault && SIGNATURE_FAULTS[fault](signature.keyId);
};

const LINK_FAULTS: Readonly<Record<LinkFault, string>> = {
  not_next: 'it does not follow the event before it: an event was removed, inserted or moved',
  changed: 'its hash does not match its content: it was changed',
};

const SIGNATURE_FAULTS: Readonly<Record<SignatureFault, (keyId: string) => string>> = {
  unknown_key: (keyId) =>
    `it is signed with the key ${keyId}, which is neither SIGNING_KEY’s nor one of FORMER_SIGNING_KEYS`,
  wrong: (keyId) => `its signature by the key ${keyId} is not valid`,
};

/** An own member of an object: damaged data may have members of any name. */
export const ownValue = (data: object, name: string): unknown =>
  Object.hasOwn(data, name) ? (data as Readonly<Record<string, unknown>>)[name] : undefined;
