import type { Stored } from '../src/core/event.js';
import type { View, ViewDocument } from '../src/engine/view.js';
import type { TrialEvent } from '../src/domain/session/events.js';

/** What an event says; of an activity, by the very keys that the candidate sent. */
export type Payload = Readonly<Record<string, unknown>>;

export type EvidenceKind = 'lifecycle' | 'message' | 'activity' | 'integrity' | 'system';

/** An event of a session as it is read. */
export interface EvidenceEvent {
  readonly id: string;
  readonly kind: EvidenceKind;
  readonly sequenceNumber: number;
  /** An activity's own type as long as that can be read, else the event's stored name. */
  readonly eventType: string;
  /** `null` where it can no longer be read. */
  readonly payload: Payload | null;
  /** By the candidate's clock for an activity. */
  readonly occurredAt: string;
  readonly recordedAt: string;
  readonly hash: string | null;
  readonly previousHash: string | null;
}

/**
 * Up to 50 consecutive events of a session, by `evidenceChunkId`: a long session would not fit into one document,
 * and would cost more to write with each event.
 */
export interface EvidenceDocument extends ViewDocument {
  readonly organisationId: string;
  readonly candidateId: string;
  readonly trialSessionId: string;
  /** From 0. */
  readonly chunk: number;
  /** A payload of which a part is personal is `null` here. */
  readonly events: readonly EvidenceEntry[];
  /** By sequence number: the personal parts, or whole payloads of activities; and the activities' own types. */
  readonly personal: {
    readonly payloads: Readonly<Record<string, Payload>>;
    readonly eventTypes: Readonly<Record<string, string>>;
  } | null;
}

/** An event as its document holds it. */
export interface EvidenceEntry extends EvidenceEvent {
  /** What of a partly personal payload can be read for ever; `null` where that is all of it or nothing. */
  readonly facts: Payload | null;
}

const CHUNK = 50;

/** The chunk that an event lies in. */
export const evidenceChunk = (sequenceNumber: number): number => Math.floor((sequenceNumber - 1) / CHUNK);

export const evidenceChunkId = (trialSessionId: string, chunk: number): string =>
  `${trialSessionId}:${chunk}`;

/** A chunk's events with what of them is personal. */
export const evidenceEvents = ({ events, personal }: EvidenceDocument): readonly EvidenceEvent[] =>
  events.map(({ facts, ...event }) => {
    const part = personal?.payloads[event.sequenceNumber];
    if (!part) return event;
    const eventType = personal.eventTypes[event.sequenceNumber];
    return eventType === undefined
      ? { ...event, payload: { ...facts, ...part } }
      : { ...event, kind: kindOfActivity(eventType), eventType, payload: part };
  });

export const evidence: View<EvidenceDocument, TrialEvent> = {
  name: 'evidence',
  version: 4,
  handles: [
    'trial.started',
    'trial.extended',
    'trial.activity_recorded',
    'trial.interrupted',
    'trial.resumed',
    'trial.completed',
    'trial.withdrawn',
    'trial.expired',
    'trial.erased',
    'trial.identity_checked',
    'interview.connected',
    'interview.disconnected',
    'interview.question_asked',
    'interview.answer_recorded',
    'interview.interrupted',
    'interview.ended',
  ],
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
  evolve(before, event) {
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
  },
  indexes: { bySession: ({ trialSessionId, chunk }) => [trialSessionId, chunk] },
};

const evidenceEntry = (event: Stored<TrialEvent>): EvidenceEntry => {
  const { recordedAt } = event.metadata;
  return {
    id: event.id,
    sequenceNumber: event.data.sequenceNumber,
    recordedAt,
    hash: event.chain?.hash ?? null,
    previousHash: event.chain?.previousHash ?? null,
    kind: kindOf(event),
    eventType: event.type,
    payload: plainPayload(event),
    facts: isPartlyPersonal(event) ? factsOf(event.data) : null,
    occurredAt: event.type === 'trial.activity_recorded' ? event.data.occurredAt : recordedAt,
  };
};

const kindOfActivity = (eventType: string): EvidenceKind =>
  eventType.startsWith('message.') ? 'message' : 'activity';

const kindOf = (event: Stored<TrialEvent>): EvidenceKind => {
  switch (event.type) {
    case 'interview.question_asked':
    case 'interview.answer_recorded':
      return 'message';
    case 'trial.activity_recorded':
    case 'interview.interrupted':
      return 'activity';
    case 'interview.connected':
      return event.data.superseded === null ? 'system' : 'integrity';
    case 'trial.identity_checked':
      return 'integrity';
    case 'interview.disconnected':
      return 'system';
    default:
      return 'lifecycle';
  }
};

/** A payload that can be read whatever becomes of the candidate's data; `null` where part of it is personal. */
const plainPayload = (event: Stored<TrialEvent>): Payload | null => {
  switch (event.type) {
    case 'trial.started':
      return { consent: event.data.consent, identity: event.data.identity };
    case 'trial.extended':
      return { expiresAt: event.data.expiresAt, formerExpiresAt: event.data.formerExpiresAt };
    case 'trial.withdrawn':
      return { by: event.data.by };
    case 'trial.erased':
      return { withdrawn: event.data.withdrawn };
    case 'trial.identity_checked':
      return { identity: event.data.identity };
    case 'interview.disconnected':
    case 'interview.ended':
    case 'trial.interrupted':
      return factsOf(event.data);
    case 'trial.resumed':
    case 'trial.completed':
    case 'trial.expired':
      return {};
    case 'trial.activity_recorded':
    case 'interview.connected':
    case 'interview.question_asked':
    case 'interview.answer_recorded':
    case 'interview.interrupted':
      return null;
  }
};

const PARTLY_PERSONAL = [
  'interview.connected',
  'interview.question_asked',
  'interview.answer_recorded',
  'interview.interrupted',
] as const;

const isPartlyPersonal = (
  event: Stored<TrialEvent>,
): event is Extract<Stored<TrialEvent>, { type: (typeof PARTLY_PERSONAL)[number] }> =>
  PARTLY_PERSONAL.some((type) => type === event.type);

const withPersonal = (
  before: EvidenceDocument['personal'],
  event: Stored<TrialEvent>,
): EvidenceDocument['personal'] => {
  if (event.personal === null) return before;
  const { sequenceNumber } = event.data;
  const { payloads, eventTypes } = before ?? { payloads: {}, eventTypes: {} };
  if (event.type !== 'trial.activity_recorded')
    return { payloads: { ...payloads, [sequenceNumber]: { ...event.personal } }, eventTypes };
  const { eventType, payload } = event.personal;
  return {
    payloads: { ...payloads, [sequenceNumber]: payload },
    eventTypes: { ...eventTypes, [sequenceNumber]: eventType },
  };
};

/** What an event says beside the ids that all of them carry. */
const factsOf = (data: Stored<TrialEvent>['data']): Payload => {
  const ids = new Set([
    'organisationId',
    'candidateId',
    'applicationId',
    'trialSessionId',
    'roleId',
    'sequenceNumber',
  ]);
  return Object.fromEntries(Object.entries(data).filter(([name]) => !ids.has(name)));
};
