import { type ChainHead, commitmentOf } from '../../core/chain.js';
import { DamagedEvent } from '../../core/codec-errors.js';
import { disclose, type Disclosure } from '../../core/codec-evidence.js';
import type { EventStore, RecordedEvent } from '../../core/event-store.js';
import { isStreamName } from '../../core/stream-name.js';
import type { TrustedKeys } from '../../core/signing/trusted-keys.js';
import type { TrialEvent } from '../../domain/session/events.js';
import { BrokenSeal, MissingKey, type Sealer } from '../../core/vault/sealing.js';
import { checkEvent, type Expected, type Held, ownValue } from './check-event.js';
import { isRefused, readAsFarAsGiven } from './reading.js';

/** The first link of a session that does not hold. */
export interface BrokenLink {
  readonly session: string;
  readonly stream: string;
  /** Its place in the stream, from 1. */
  readonly number: number;
  /** `null` where the store does not give the event out. */
  readonly eventId: string | null;
  readonly type: string | null;
  /** What is wrong, as a part of a sentence. */
  readonly what: string;
}

/** A personal part: read and as it was written; erased; not to be read here; `null`: the event has none. */
export type Personal = Disclosure | 'erased' | 'unopened' | null;

/** An event whose link holds, in the order of the evidence. */
export interface CheckedEvent extends Held {
  readonly kind: 'event';
  readonly of: 'session' | 'evaluation';
  readonly number: number;
  readonly event: RecordedEvent;
  readonly personal: Personal;
}

/** What a session's evidence is checked with. */
export interface Checking {
  readonly log: Pick<EventStore, 'readStream'>;
  readonly trusted: TrustedKeys;
  /** Opens personal parts; `null`: there is no DATA_KEY here, and their commitments are taken as they stand. */
  readonly sealer: Sealer | null;
}

/** What a session's evidence yields: where it broke is returned, `null` where it holds to its end. */
export type Evidence = AsyncGenerator<CheckedEvent, BrokenLink | null, undefined>;

/** Behind these nothing may stand in a session but its erasure. */
const ENDS: ReadonlySet<string> = new Set<TrialEvent['type']>([
  'trial.completed',
  'trial.withdrawn',
  'trial.expired',
]);
const ERASED = 'trial.erased' satisfies TrialEvent['type'];

/** The chain of a session and then of its evaluation, event by event, as long as it holds. */
export async function* sessionEvidence(checking: Checking, session: string): Evidence {
  let head: ChainHead | null = null;
  let evaluationId: string | null = null;
  let former = '';
  const inSession = walk(checking, session, `trial-${session}`, null, (number) => ({
    trialSessionId: session,
    sequenceNumber: number,
  }));
  for (;;) {
    const step = await inSession.next();
    if (step.done) {
      if (step.value) return step.value;
      break;
    }
    const { event, number, stored, data } = step.value;
    const { type, id: eventId, stream } = event;
    // No result's signature covers it, so anybody could have put it there.
    if (former === ERASED || (ENDS.has(former) && type !== ERASED))
      return {
        session,
        stream,
        number,
        eventId,
        type,
        what: `it stands behind ${former}, which was the end`,
      };
    former = type;
    if (type === 'trial.completed') {
      head = { sequenceNumber: number, hash: stored.link.hash };
      evaluationId = String(ownValue(data, 'evaluationId'));
    }
    yield step.value;
  }
  if (!head || evaluationId === null) return null;
  const ids = { trialSessionId: session, evaluationId };
  return yield* walk(checking, session, `evaluation-${evaluationId}`, head, () => ids);
}

async function* walk(
  { log, trusted, sealer }: Checking,
  session: string,
  stream: string,
  head: ChainHead | null,
  idsAt: (number: number) => Expected['ids'],
): Evidence {
  if (!isStreamName(stream)) return null;
  let previousHash = head?.hash ?? null;
  let number = 1;
  for await (const item of readAsFarAsGiven(log, stream)) {
    const place = { session, stream, number };
    if (isRefused(item)) return { ...place, eventId: null, type: null, what: item.refusal };
    const broken = (what: string): BrokenLink => ({ ...place, eventId: item.id, type: item.type, what });
    const held = checkEvent(item, { number, previousHash, ids: idsAt(number), head }, trusted);
    if (typeof held === 'string') return broken(held);
    const personal = await personalOf(item, held, sealer);
    if (personal === 'changed') return broken('its personal part is not the one it was written with');
    yield { kind: 'event', of: head ? 'evaluation' : 'session', number, event: item, personal, ...held };
    previousHash = held.stored.link.hash;
    number++;
  }
  return null;
}

const personalOf = async (
  event: RecordedEvent,
  { stored: { link, sealed } }: Held,
  sealer: Sealer | null,
): Promise<Personal | 'changed'> => {
  if (!sealed) return null;
  if (!sealer) return 'unopened';
  try {
    const disclosed = await disclose(event, sealer);
    if (disclosed === null || disclosed === 'erased') return disclosed;
    return commitmentOf(disclosed.salt, disclosed.text) === link.commitment ? disclosed : 'changed';
  } catch (error) {
    if (error instanceof BrokenSeal || error instanceof DamagedEvent) return 'changed';
    if (error instanceof MissingKey) return 'unopened';
    throw error;
  }
};
