import { parseMetadata, readMetadata } from '../../core/codec-stored.js';
import type { Position, RecordedEvent } from '../../core/event-store.js';
import { Instant, Type } from '../../core/json-schema.js';
import { TOKEN } from '../../engine/reads/tokens.js';
import { validationFailed } from '../../http/api-error.js';
import { type Query, type QueryParameter, queryText, timeIn } from '../../http/list-query.js';

/** What `?at=` names. */
export type At =
  | { readonly kind: 'position'; readonly position: Position }
  /** RFC 3339 in UTC, with milliseconds. */
  | { readonly kind: 'time'; readonly time: string };

/**
 * The end of a history: it has all events before the first one after this moment. The log's order decides, since times
 * are by the writers' clocks; no event with a later time than the requested one is ever shown.
 */
export interface Moment {
  readonly position: Position;
  /** RFC 3339 in UTC, with milliseconds; `null`: times do not matter. */
  readonly until: string | null;
}

/** `at` as the OpenAPI document describes it. */
export const atParameter: QueryParameter = {
  name: 'at',
  description:
    'An RFC 3339 time, or a `Consistency-Token` as a command answered it. A time in the future means now.',
  schema: Type.Union([Instant, Type.String({ pattern: TOKEN.source })]),
  required: true,
  example: '2099-01-31T18:00:00.000Z',
};

/**
 * Reads `?at=`.
 * @param positionOf the position that a consistency token names, `null` if it is none of this log
 * @throws {ApiError} `validation_failed`: it is missing, or neither
 */
export const readAt = (query: Query, positionOf: (token: string) => Position | null): At => {
  const given = queryText(query, 'at');
  if (given === null) throw wrong('required', 'at is required: a time, or a Consistency-Token.');
  if (typeof given !== 'string') throw validationFailed([given]);
  const time = timeIn(given);
  if (time !== null) return { kind: 'time', time };
  const position = positionOf(given);
  if (position !== null) return { kind: 'position', position };
  throw wrong(
    'moment',
    'at must be an RFC 3339 time, such as 2026-03-01T09:30:00.000Z, or a Consistency-Token of this service.',
  );
};

const wrong = (rule: string, message: string) => validationFailed([{ path: 'at', rule, message }]);

/**
 * Whether a moment includes an event, if it were the only one.
 * @throws {DamagedEvent} it has no time
 */
export const isWithin = ({ position, until }: Moment, event: RecordedEvent): boolean =>
  event.position <= position && (until === null || recordedAt(event) <= until);

const recordedAt = (event: RecordedEvent): string => readMetadata(event, parseMetadata(event)).recordedAt;
