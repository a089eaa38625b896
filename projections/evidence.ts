import type { Stored } from '../src/event-store/event.js';
import type { View, ViewDocument } from '../src/projection-engine/view.js';
import type { TrialEvent } from '../src/trials/events.js';

/** What an event says; of an activity, by the very keys that the candidate sent. */
export type Payload = Readonly<Record<string, unknown>>;

export type EvidenceKind = 'lifecycle' | 'message' | 'activity' | 'integrity' | 'system';

/** An event of a session as it is read. */
export interface EvidenceEvent {
  readonly id: string;
  readonly kind: EvidenceKind;
  readonly sequenceNumber: number;
  /** An activity's own type, else the event's stored name. */
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
  /** Payloads of what was said, sent or done are personal, and `null` here. */
  readonly events: readonly EvidenceEvent[];
  /** By sequence number. */
  readonly personal: { readonly payloads: Readonly<Record<string, Payload>> } | null;
}

const CHUNK = 50;

/** The chunk that an event lies in. */
export const evidenceChunk = (sequenceNumber: number): number => Math.floor((sequenceNumber - 1) / CHUNK);

export const evidenceChunkId = (trialSessionId: string, chunk: number): string =>
  `${trialSessionId}:${chunk}`;

/** A chunk's events with their payloads. */
export const evidenceEvents = ({ events, personal }: EvidenceDocument): readonly EvidenceEvent[] =>
  events.map((event) =>
    event.payload === null ? { ...event, payload: personal?.payloads[event.sequenceNumber] ?? null } : event,
  );

export const evidence: View<EvidenceDocument, TrialEvent> = {
  name: 'evidence',
  version: 2,
  handles: [
    'trial.started',
    'trial.extended',
    'trial.activity_recorded',
    'trial.interrupted',
    'trial.resumed',
    'trial.completed',
    'trial.withdrawn',
    'trial.expired',
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
    const payload = personalPayload(event);
    return {
      organisationId,
      candidateId,
      trialSessionId,
      chunk: evidenceChunk(sequenceNumber),
      events: [...before.events, evidenceEvent(event)],
      person: event.person ?? before.person ?? null,
      personal: payload
        ? { payloads: { ...before.personal?.payloads, [sequenceNumber]: payload } }
        : before.personal,
    };
  },
  indexes: { bySession: ({ trialSessionId, chunk }) => [trialSessionId, chunk] },
};

const evidenceEvent = (event: Stored<TrialEvent>): EvidenceEvent => {
  const { recordedAt } = event.metadata;
  const activity = event.type === 'trial.activity_recorded';
  return {
    id: event.id,
    sequenceNumber: event.data.sequenceNumber,
    recordedAt,
    hash: event.chain?.hash ?? null,
    previousHash: event.chain?.previousHash ?? null,
    kind: kindOf(event),
    eventType: activity ? event.data.eventType : event.type,
    payload: plainPayload(event),
    occurredAt: activity ? event.data.occurredAt : recordedAt,
  };
};

const kindOf = (event: Stored<TrialEvent>): EvidenceKind => {
  switch (event.type) {
    case 'trial.activity_recorded':
      return event.data.eventType.startsWith('message.') ? 'message' : 'activity';
    case 'interview.question_asked':
    case 'interview.answer_recorded':
      return 'message';
    case 'interview.interrupted':
      return 'activity';
    case 'interview.connected':
      return event.data.superseded === null ? 'system' : 'integrity';
    case 'interview.disconnected':
      return 'system';
    default:
      return 'lifecycle';
  }
};

/** What can be read whatever becomes of the candidate's data; `null` where part of the payload is personal. */
const plainPayload = (event: Stored<TrialEvent>): Payload | null => {
  switch (event.type) {
    case 'trial.started':
      return { consent: event.data.consent, identity: event.data.identity };
    case 'trial.extended':
      return { expiresAt: event.data.expiresAt, formerExpiresAt: event.data.formerExpiresAt };
    case 'trial.withdrawn':
      return { by: event.data.by };
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

/** The whole payload of an event with a personal part, `null` for others and once that can no longer be read. */
const personalPayload = (event: Stored<TrialEvent>): Payload | null => {
  if (event.personal === null) return null;
  return event.type === 'trial.activity_recorded'
    ? event.personal.payload
    : { ...factsOf(event.data), ...event.personal };
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
