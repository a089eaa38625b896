import type { Stored } from '../../core/event.js';
import { truncate } from '../../core/text.js';
import {
  type EvaluationEvent,
  LATE_EVIDENCE,
  type LateEvidence,
  type ShownWork,
} from '../../domain/evaluation/events.js';
import { activitiesOf, knownPayload } from '../../domain/session/activity.js';
import type { CheckedWork } from '../../domain/session/check-events.js';
import {
  type ActivityRecorded,
  type AnnouncedWork,
  type EvidenceSource,
  type HandedInWork,
  type RefusedWork,
  sourceOf,
  type TrialEvent,
} from '../../domain/session/events.js';

/** A session's event as scorers and rules see it: its place, times and payload. */
export interface EvidenceEvent {
  readonly id: string;
  /** Gapless from 1. */
  readonly sequenceNumber: number;
  /** An activity's own type (`test.run`), else the stored name (`trial.started`). */
  readonly eventType: string;
  /** A candidate may choose any `eventType`. */
  readonly source: EvidenceSource;
  readonly payload: Readonly<Record<string, unknown>>;
  /** The candidate's clock for an activity, else as recorded. */
  readonly occurredAt: string;
  readonly recordedAt: string;
  /** What a model is shown of a hand-in. Left out on other events, and if no model is shown any. */
  readonly work?: ShownWork;
}

/**
 * A session's events as evidence, in order, up to its completion: later events, such as an erasure, are no evidence.
 * `null`: an activity, a question or an answer can no longer be read. A score without it would be another score of the
 * same session.
 */
export function evidenceOf(session: readonly Stored<TrialEvent>[]): readonly EvidenceEvent[] | null {
  const evidence: EvidenceEvent[] = [];
  for (const stored of session) {
    const events = evidenceEvents(stored);
    if (events === null) return null;
    evidence.push(...events);
    if (stored.type === 'trial.completed') break;
  }
  return evidence;
}

/** A stored event as evidence, or the activities of a batch; `null`: it must be readable and is not. */
export function evidenceEvents(event: Stored<TrialEvent>): readonly EvidenceEvent[] | null {
  if (isUnreadable(event)) return null;
  const { recordedAt } = event.metadata;
  if (event.type === 'trial.activity_recorded')
    return activitiesOf(event).map(({ content, ...activity }) => ({
      ...activity,
      eventType: content?.eventType ?? event.type,
      source: sourceOf(event.type),
      payload: content === null ? {} : knownPayload(content.eventType, content.payload),
      recordedAt,
    }));
  const { id, type, data } = event;
  const { sequenceNumber } = data;
  const own = { id, sequenceNumber, eventType: type, source: sourceOf(type), payload: payloadOf(event) };
  return [{ ...own, occurredAt: recordedAt, recordedAt }];
}

/** Evidence that came after a session's completion, from an event of its evaluation; `null`: it is none. */
export function lateEvidence(event: Stored<EvaluationEvent>): EvidenceEvent | null {
  if (!isLate(event)) return null;
  const { id, metadata } = event;
  const { recordedAt } = metadata;
  const eventType = LATE_EVIDENCE[event.type];
  const payload = latePayload(event);
  return {
    ...{ id, sequenceNumber: event.data.sequenceNumber, eventType, source: sourceOf(eventType) },
    ...{ payload, occurredAt: recordedAt, recordedAt },
  };
}

const isLate = (event: Stored<EvaluationEvent>): event is Stored<LateEvidence> => event.type in LATE_EVIDENCE;

const latePayload = ({ type, data }: Stored<LateEvidence>): EvidenceEvent['payload'] => {
  if (type === 'evaluation.work_checked') return checkOf(data);
  return type === 'evaluation.work_refused' ? refusalOf(data) : workOf(data);
};

const SPEAKING = [
  'trial.activity_recorded',
  'interview.question_asked',
  'interview.answer_recorded',
] as const;

const isUnreadable = ({ type, personal }: Stored<TrialEvent>): boolean =>
  personal === null && SPEAKING.some((one) => one === type);

/**
 * An event's payload for scoring: a part of what staff read of it. All events of a session are in memory while it is
 * scored, so only what a rule reads is kept.
 */
function payloadOf(event: Stored<Exclude<TrialEvent, ActivityRecorded>>): EvidenceEvent['payload'] {
  switch (event.type) {
    case 'trial.started': {
      const { identity, tickets } = event.data;
      return { identity, ...(tickets && { tickets }) };
    }
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
      const { turn, questionId, source, late, gapMs, asksAgain } = event.data;
      const text = event.personal?.text ?? '';
      return { turn, questionId, source, late, gapMs, text, ...(asksAgain && { asksAgain }) };
    }
    case 'work.hand_in_begun':
    case 'work.handed_in':
      return workOf(event.data);
    case 'work.refused':
      return refusalOf(event.data);
    case 'work.checked':
      return checkOf(event.data);
    default:
      return {};
  }
}

/** The payload of a hand-in: its data without what is personal. */
const workOf = (work: AnnouncedWork | HandedInWork): EvidenceEvent['payload'] => {
  const { handInId, ticketId, bytes, sha256 } = work;
  const announced = { handInId, ticketId, bytes, sha256 };
  if (!('treeSha256' in work)) return announced;
  const { ticketVersion, files, treeSha256 } = work;
  return { ...announced, ticketVersion, files, treeSha256 };
};

/** The payload of a refused hand-in: its data without what is personal. */
const refusalOf = ({ handInId, ticketId, reason }: RefusedWork): EvidenceEvent['payload'] => ({
  ...{ handInId, ticketId, reason },
});

/** The payload of a check's result: its data without what is personal. */
export const checkOf = (work: CheckedWork): EvidenceEvent['payload'] => {
  const { handInId, ticketId, scope, isolation, checks, runner, outcome, reason, visible, hidden, ms } = work;
  return { handInId, ticketId, scope, isolation, checks, runner, outcome, reason, visible, hidden, ms };
};

/** What a candidate said in a turn of the interview, late answers and requests included. */
export const isAnswer = (event: EvidenceEvent): boolean =>
  event.source === 'service' && event.eventType === 'interview.answer_recorded';

/** It asks to repeat or explain the question: rule sets from r3 on count it nowhere as an answer. */
export const isRequest = (event: EvidenceEvent): boolean =>
  isAnswer(event) && flagIn(event, 'asksAgain') === true;

/** A question of the interview. */
export const isQuestion = (event: EvidenceEvent): boolean =>
  event.source === 'service' && event.eventType === 'interview.question_asked';

/** A connection to the interview. */
export const isConnection = (event: EvidenceEvent): boolean =>
  event.source === 'service' && event.eventType === 'interview.connected';

/** A text in the candidate's own words, in a message or an answer of the interview; `null`: the event has none. */
export const candidateTextIn = (event: EvidenceEvent): string | null =>
  isAnswer(event) || event.eventType === 'message.sent' ? textIn(event, 'text') : null;

/** Whether a text has at least that many non-blank characters. */
export function hasNonBlank(text: string, wanted: number): boolean {
  let found = 0;
  for (const character of text) {
    if (found >= wanted) break;
    if (character.trim() !== '') found += 1;
  }
  return found >= wanted;
}

/** A payload's own value: candidates can send any key, `__proto__` and `constructor` included. */
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

/** An event with only an object of its payload as the payload, an empty one if there is none. */
export function partOf(event: EvidenceEvent, key: string): EvidenceEvent {
  const value = own(event.payload, key);
  const payload = typeof value === 'object' && value !== null ? (value as EvidenceEvent['payload']) : {};
  return { ...event, payload };
}

/** A text in a payload, `null` unless it is a string. */
export function textIn(event: EvidenceEvent, key: string): string | null {
  const value = own(event.payload, key);
  return typeof value === 'string' ? value : null;
}

/** A boolean in a payload, `null` unless it is one. */
export function flagIn(event: EvidenceEvent, key: string): boolean | null {
  const value = own(event.payload, key);
  return typeof value === 'boolean' ? value : null;
}

const RFC_3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/;

/** Milliseconds since 1970; `null`: not an RFC 3339 time. Other formats depend on the machine's time zone. */
export function millisecondsOf(time: string): number | null {
  if (!RFC_3339.test(time)) return null;
  const parsed = Date.parse(time);
  return Number.isNaN(parsed) ? null : parsed;
}

/** Longest quote in UTF-16 code units: enough to recognise the place, too little to copy a transcript. */
export const MAX_QUOTE_LENGTH = 120;

/** The beginning of a text in a payload, cut between characters; `null` if there is none. */
export function quoteText(event: EvidenceEvent, key: string): string | null {
  const text = textIn(event, key);
  if (text === null || text === '') return null;
  return text.length <= MAX_QUOTE_LENGTH ? text : truncate(text, MAX_QUOTE_LENGTH);
}

/** `"key":value` of a count in a payload; `null` if there is none. */
export function quoteCount(event: EvidenceEvent, key: string): string | null {
  const value = countIn(event, key);
  return value === null ? null : `${JSON.stringify(key)}:${JSON.stringify(value)}`;
}

/** `"key":value` of an object in a payload; `null`: there is none, or it is longer than a quote may be. */
export function quotePart(event: EvidenceEvent, key: string): string | null {
  const value = own(event.payload, key);
  if (typeof value !== 'object' || value === null) return null;
  const quote = `${JSON.stringify(key)}:${JSON.stringify(value)}`;
  return quote.length <= MAX_QUOTE_LENGTH ? quote : null;
}

/** Whether a quote is part of one of the payload's strings, or `"key":value` of its compact JSON. */
export function isTrueQuote(payload: unknown, quote: string): boolean {
  if (quote === '') return false;
  const open: unknown[] = [payload];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value === 'string' && value.includes(quote)) return true;
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, inner] of Object.entries(value)) {
      if (!Array.isArray(value)) {
        const name = `${JSON.stringify(key)}:`;
        if (quote.startsWith(name) && JSON.stringify(inner) === quote.slice(name.length)) return true;
      }
      open.push(inner);
    }
  }
  return false;
}
