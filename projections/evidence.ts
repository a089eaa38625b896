import type { Stored } from '../src/core/event.js';
import { LATE_EVIDENCE, type LateEvidence } from '../src/domain/evaluation/events.js';
import type { ActivityContent, ActivityRecorded, TrialEvent } from '../src/domain/session/events.js';
import type { ViewDocument } from '../src/engine/view.js';
import { defineView, onEach } from './view.js';

/** The content of an event; for an activity, the fields that the candidate's program sent. */
export type Payload = Readonly<Record<string, unknown>>;

export type EvidenceKind = 'lifecycle' | 'message' | 'activity' | 'integrity' | 'system';

/** An event of a session as it is read. */
export interface EvidenceEvent {
  readonly id: string;
  readonly kind: EvidenceKind;
  /** Gapless in a session from 1; of a batch its first activity's. */
  readonly sequenceNumber: number;
  /** An activity's own type while it is readable, else the event's stored name. */
  readonly eventType: string;
  /** `null` if it is unreadable. */
  readonly payload: Payload | null;
  /** By the candidate's clock for an activity. */
  readonly occurredAt: string;
  readonly recordedAt: string;
  /** The event's hash in the session's chain, lower-case hex SHA-256; `null` if there is no chain. */
  readonly hash: string | null;
  /** The hash of the event before it, 64 zeros at the chain's beginning; `null` if there is no chain. */
  readonly previousHash: string | null;
}

/**
 * Consecutive events of a session, by `evidenceChunkId`: a long session would not fit into one document, which would
 * also cost more to write with each event. A document holds the events that begin in 50 sequence numbers: a batch of
 * activities is in the document of its first one.
 */
export interface EvidenceDocument extends ViewDocument {
  readonly organisationId: string;
  readonly candidateId: string;
  readonly trialSessionId: string;
  /** The number of the chunk, from 0. */
  readonly chunk: number;
  /** A payload of which a part is personal is `null` here. */
  readonly events: readonly EvidenceEntry[];
  /**
   * By sequence number of the stored event: its personal part, or the activities of a batch. `null` if no event has
   * one, and once the candidate is erased.
   */
  readonly personal: {
    readonly payloads: Readonly<Record<string, Payload>>;
    readonly activities: Readonly<Record<string, readonly ActivityEntry[]>>;
  } | null;
}

/** A stored event as its document holds it. */
export interface EvidenceEntry extends EvidenceEvent {
  /** The plain part of a partly personal payload; `null` if the payload is all plain or all personal. */
  readonly facts: Payload | null;
  /**
   * The fields in which the activities of a batch differ, as lists: most of a document is activities, and an object for
   * each would make it half as long again. `null`: the event is no batch.
   */
  readonly items: {
    readonly occurredAt: readonly string[];
    /** The bytes of all hashes, one after the other, in base64; `null` if there is no chain. */
    readonly hashes: string | null;
  } | null;
}

/** An activity's own type, and its payload. */
export type ActivityEntry = readonly [
  eventType: ActivityContent['eventType'],
  payload: ActivityContent['payload'],
];

const HASH_BYTES = 32;

/** Unpacks `items`: one object for each activity of the batch, in order. */
export const itemsOf = ({
  occurredAt,
  hashes,
}: NonNullable<EvidenceEntry['items']>): readonly Pick<EvidenceEvent, 'occurredAt' | 'hash'>[] => {
  const bytes = hashes === null ? null : Buffer.from(hashes, 'base64');
  return occurredAt.map((time, place) => ({
    occurredAt: time,
    hash: bytes && bytes.toString('hex', place * HASH_BYTES, (place + 1) * HASH_BYTES),
  }));
};

/** Sequence numbers of one chunk. */
const CHUNK = 50;

/** The number of the chunk that holds an event. */
export const evidenceChunk = (sequenceNumber: number): number => Math.floor((sequenceNumber - 1) / CHUNK);

/** The id of a chunk of a session’s evidence. */
export const evidenceChunkId = (trialSessionId: string, chunk: number): string =>
  `${trialSessionId}:${chunk}`;

/** For each type of event its kind as evidence, and how much of its payload is personal (default: none). */
export const EVIDENCE = {
  'trial.started': { kind: 'lifecycle' },
  'trial.extended': { kind: 'lifecycle' },
  'trial.activity_recorded': { kind: 'activity', personal: 'all' },
  'trial.interrupted': { kind: 'lifecycle' },
  'trial.resumed': { kind: 'lifecycle' },
  'trial.completed': { kind: 'lifecycle' },
  'trial.withdrawn': { kind: 'lifecycle' },
  'trial.expired': { kind: 'lifecycle' },
  'trial.erased': { kind: 'lifecycle' },
  'trial.identity_checked': { kind: 'integrity' },
  'interview.connected': { kind: 'system', personal: 'part' },
  'interview.disconnected': { kind: 'system' },
  'interview.question_asked': { kind: 'message', personal: 'part' },
  'interview.answer_recorded': { kind: 'message', personal: 'part' },
  'interview.turn_skipped': { kind: 'message', personal: 'part' },
  'interview.interrupted': { kind: 'activity', personal: 'part' },
  'interview.ended': { kind: 'lifecycle' },
  'work.hand_in_begun': { kind: 'activity', personal: 'part' },
  'work.handed_in': { kind: 'activity', personal: 'part' },
  'work.refused': { kind: 'activity', personal: 'part' },
  'work.checked': { kind: 'activity' },
  'evaluation.work_handed_in': { kind: 'activity', personal: 'part' },
  'evaluation.work_refused': { kind: 'activity', personal: 'part' },
  'evaluation.work_checked': { kind: 'activity' },
} as const satisfies Readonly<Record<ShownEvent['type'], EvidenceRule>>;

/** An event of a session, or of its evaluation if it is evidence that came after the completion. */
type ShownEvent = TrialEvent | LateEvidence;

interface EvidenceRule {
  readonly kind: EvidenceKind;
  readonly personal?: 'all' | 'part';
}

export const evidence = defineView<EvidenceDocument>()({
  name: 'evidence',
  version: 12,
  documentId: ({ data }) => evidenceChunkId(data.trialSessionId, evidenceChunk(data.sequenceNumber)),
  initial: () => ({
    organisationId: '',
    candidateId: '',
    trialSessionId: '',
    chunk: 0,
    events: [],
    person: null,
    personal: null,
  }),
  on: onEach(Object.keys(EVIDENCE) as ShownEvent['type'][], (before: EvidenceDocument, event) => {
    const { organisationId, candidateId, trialSessionId, sequenceNumber } = event.data;
    return {
      organisationId,
      candidateId,
      trialSessionId,
      chunk: evidenceChunk(sequenceNumber),
      events: [...before.events, evidenceEntry(event)],
      person: event.person ?? before.person ?? null,
      personal: event.type === 'trial.erased' ? null : withPersonal(before.personal, event),
    };
  }),
  indexes: { bySession: ['trialSessionId', 'chunk'] },
});

const evidenceEntry = (event: Stored<ShownEvent>): EvidenceEntry => {
  const { recordedAt } = event.metadata;
  const { kind, personal }: EvidenceRule = EVIDENCE[event.type];
  const takesOver = event.type === 'interview.connected' && event.data.superseded !== null;
  return {
    id: event.id,
    sequenceNumber: event.data.sequenceNumber,
    recordedAt,
    hash: event.chain?.hash ?? null,
    previousHash: event.chain?.previousHash ?? null,
    kind: takesOver ? 'integrity' : kind,
    eventType: shownType(event.type),
    payload: personal === undefined ? factsOf(event) : null,
    facts: personal === 'part' ? factsOf(event) : null,
    items: event.type === 'trial.activity_recorded' ? batchItems(event) : null,
    occurredAt: recordedAt,
  };
};

/** Late evidence in the evaluation's stream is shown under the session's names for the same events. */
const shownType = (type: ShownEvent['type']): TrialEvent['type'] =>
  type in LATE_EVIDENCE ? LATE_EVIDENCE[type as LateEvidence['type']] : (type as TrialEvent['type']);

const batchItems = ({ data, chain }: Stored<ActivityRecorded>): EvidenceEntry['items'] => {
  const hashes = chain?.items?.map(({ hash }) => hash) ?? null;
  return {
    occurredAt: data.items.map(({ occurredAt }) => occurredAt),
    hashes: hashes && Buffer.from(hashes.join(''), 'hex').toString('base64'),
  };
};

const withPersonal = (
  before: EvidenceDocument['personal'],
  event: Stored<ShownEvent>,
): EvidenceDocument['personal'] => {
  // A check's tests and output would not fit beside 50 others: the view `hand-ins` has them.
  if (event.personal === null || shownType(event.type) === 'work.checked') return before;
  const { sequenceNumber } = event.data;
  const { payloads, activities } = before ?? { payloads: {}, activities: {} };
  if (event.type !== 'trial.activity_recorded')
    return { payloads: { ...payloads, [sequenceNumber]: personalOf({ ...event.personal }) }, activities };
  const batch = event.personal.items.map(({ eventType, payload }): ActivityEntry => [eventType, payload]);
  return { payloads, activities: { ...activities, [sequenceNumber]: batch } };
};

/** Without manifests: those of a document's events would not fit into it. The view `hand-ins` has them. */
const personalOf = (personal: Payload): Payload =>
  Object.fromEntries(Object.entries(personal).filter(([name]) => name !== 'manifest'));

/** Fields of an event's plain part that are no evidence: its ids, and the invitation that a first event repeats. */
const NO_FACTS = [
  'awaits',
  'evaluationId',
  'generation',
  'organisationId',
  'candidateId',
  'applicationId',
  'trialSessionId',
  'roleId',
  'sequenceNumber',
  'opening',
];

const factsOf = ({ type, data }: Stored<ShownEvent>): Payload =>
  // The fields of a completion are about the evaluation that it begins, which is another record.
  type === 'trial.completed'
    ? {}
    : Object.fromEntries(Object.entries(data).filter(([name]) => !NO_FACTS.includes(name)));
