import type { Stored } from '../src/event-store/event.js';
import type { View, ViewDocument } from '../src/projection-engine/view.js';
import type { ActivityRecorded, LifecycleEvent } from '../src/trials/events.js';

/** What candidates sent, by the very keys that they sent. */
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
  /** A candidate's payloads are personal, and `null` here. */
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

export const evidence: View<EvidenceDocument, LifecycleEvent | ActivityRecorded> = {
  name: 'evidence',
  version: 1,
  handles: [
    'trial.started',
    'trial.extended',
    'trial.activity_recorded',
    'trial.completed',
    'trial.withdrawn',
    'trial.expired',
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
      events: [...before.events, evidenceEvent(event)],
      person: event.person ?? before.person ?? null,
      personal:
        event.type === 'trial.activity_recorded' && event.personal
          ? { payloads: { ...before.personal?.payloads, [sequenceNumber]: event.personal.payload } }
          : before.personal,
    };
  },
  indexes: { bySession: ({ trialSessionId, chunk }) => [trialSessionId, chunk] },
};

const evidenceEvent = (event: Stored<LifecycleEvent | ActivityRecorded>): EvidenceEvent => {
  const { recordedAt } = event.metadata;
  const place = { id: event.id, sequenceNumber: event.data.sequenceNumber, recordedAt };
  const link = { hash: event.chain?.hash ?? null, previousHash: event.chain?.previousHash ?? null };
  if (event.type !== 'trial.activity_recorded')
    return {
      ...place,
      ...link,
      kind: 'lifecycle',
      eventType: event.type,
      payload: lifecyclePayload(event),
      occurredAt: recordedAt,
    };
  const { eventType, occurredAt } = event.data;
  const kind = eventType.startsWith('message.') ? 'message' : 'activity';
  return { ...place, ...link, kind, eventType, payload: null, occurredAt };
};

const lifecyclePayload = (event: Stored<LifecycleEvent>): Payload => {
  switch (event.type) {
    case 'trial.started':
      return { consent: event.data.consent, identity: event.data.identity };
    case 'trial.extended':
      return { expiresAt: event.data.expiresAt, formerExpiresAt: event.data.formerExpiresAt };
    case 'trial.withdrawn':
      return { by: event.data.by };
    case 'trial.completed':
    case 'trial.expired':
      return {};
  }
};
