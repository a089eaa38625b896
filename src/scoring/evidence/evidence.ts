import type { Stored } from '../../core/event.js';
import { knownPayload } from '../../domain/session/activity.js';
import type { TrialEvent } from '../../domain/session/events.js';

/** What scorers and rules see of a session's event: its place, its times and what it says. */
export interface EvidenceEvent {
  readonly id: string;
  /** Gapless from 1. */
  readonly sequenceNumber: number;
  /** An activity's own type (`test.run`), else the stored name (`trial.started`). */
  readonly eventType: string;
  /** Sent by the candidate, who may choose any name; else recorded by the service. */
  readonly isActivity: boolean;
  readonly payload: Readonly<Record<string, unknown>>;
  /** The candidate's clock for an activity, else as recorded. */
  readonly occurredAt: string;
  readonly recordedAt: string;
}

/**
 * A session's events as evidence, in their order, up to its completion: what stands behind that, such as an erasure,
 * is no evidence. `null` where an activity, a question or an answer can no longer be read, since a score from what is
 * left would say something else about the same session.
 */
export function evidenceOf(session: readonly Stored<TrialEvent>[]): readonly EvidenceEvent[] | null {
  const evidence: EvidenceEvent[] = [];
  for (const stored of session) {
    const event = evidenceEvent(stored);
    if (event === null) return null;
    evidence.push(event);
    if (stored.type === 'trial.completed') break;
  }
  return evidence;
}

/** One event as evidence; `null` where it is one of those that must be readable and is not. */
export function evidenceEvent(event: Stored<TrialEvent>): EvidenceEvent | null {
  if (isUnreadable(event)) return null;
  const recordedAt = event.metadata.recordedAt;
  const isActivity = event.type === 'trial.activity_recorded';
  return {
    id: event.id,
    sequenceNumber: event.revision + 1,
    eventType: isActivity ? (event.personal?.eventType ?? event.type) : event.type,
    isActivity,
    payload: payloadOf(event),
    occurredAt: isActivity ? event.data.occurredAt : recordedAt,
    recordedAt,
  };
}

const SPEAKING = [
  'trial.activity_recorded',
  'interview.question_asked',
  'interview.answer_recorded',
] as const;

const isUnreadable = ({ type, personal }: Stored<TrialEvent>): boolean =>
  personal === null && SPEAKING.some((one) => one === type);

/**
 * What an event says to whoever scores it: part of what staff read of it. A session's events are all in memory while
 * it is scored, so nothing stays of what no rule reads.
 */
function payloadOf(event: Stored<TrialEvent>): EvidenceEvent['payload'] {
  switch (event.type) {
    case 'trial.activity_recorded':
      return event.personal ? knownPayload(event.personal.eventType, event.personal.payload) : {};
    case 'trial.started':
    case 'trial.identity_checked':
      return { identity: event.data.identity };
    case 'interview.connected': {
      const { connectionId, ordinal, identity, superseded, sameDevice } = event.data;
      return { connectionId, ordinal, identity, superseded, sameDevice };
    }
    case 'interview.question_asked': {
      const { turn, questionId, kind, dimensionIds } = event.data;
      return { turn, questionId, kind, dimensionIds, text: event.personal?.text ?? '' };
    }
    case 'interview.answer_recorded': {
      const { turn, questionId, source, late, gapMs } = event.data;
      return { turn, questionId, source, late, gapMs, text: event.personal?.text ?? '' };
    }
    default:
      return {};
  }
}

/** An answer of the interview, late ones included. */
export const isAnswer = (event: EvidenceEvent): boolean =>
  !event.isActivity && event.eventType === 'interview.answer_recorded';

/** A question of the interview. */
export const isQuestion = (event: EvidenceEvent): boolean =>
  !event.isActivity && event.eventType === 'interview.question_asked';

/** A client took the interview's line. */
export const isConnection = (event: EvidenceEvent): boolean =>
  !event.isActivity && event.eventType === 'interview.connected';

/** A text in the candidate's own words, sent to somebody or answered in the interview; `null`: the event is none. */
export const candidateTextIn = (event: EvidenceEvent): string | null =>
  isAnswer(event) || event.eventType === 'message.sent' ? textIn(event, 'text') : null;

/** Whether a text holds at least so many characters that are not blank. */
export function hasNonBlank(text: string, wanted: number): boolean {
  let found = 0;
  for (const character of text) {
    if (found >= wanted) break;
    if (character.trim() !== '') found += 1;
  }
  return found >= wanted;
}

/** A payload's own value: what candidates send may have any key, `__proto__` and `constructor` included. */
function own(payload: EvidenceEvent['payload'], key: string): unknown {
  return typeof payload === 'object' && (payload as object | null) !== null && Object.hasOwn(payload, key)
    ? payload[key]
    : undefined;
}

/** A count in a payload, `null` unless it is a whole number from 0 that a double holds exactly. */
export function countIn(event: EvidenceEvent, key: string): number | null {
  const value = own(event.payload, key);
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
}

/** A text in a payload, `null` unless it is a string. */
export function textIn(event: EvidenceEvent, key: string): string | null {
  const value = own(event.payload, key);
  return typeof value === 'string' ? value : null;
}

/** A yes or no in a payload, `null` unless it is either. */
export function flagIn(event: EvidenceEvent, key: string): boolean | null {
  const value = own(event.payload, key);
  return typeof value === 'boolean' ? value : null;
}

const RFC_3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/;

/** Milliseconds since 1970, `null` where the text is no RFC 3339 time: others depend on the machine's time zone. */
export function millisecondsOf(time: string): number | null {
  if (!RFC_3339.test(time)) return null;
  const parsed = Date.parse(time);
  return Number.isNaN(parsed) ? null : parsed;
}
