import { Compile, type Validator } from 'typebox/schema';
import { MAX_ACTIVITIES } from '../../../packages/interview-client/src/protocol/messages.js';
import { itemIds, itemTexts } from '../../core/batch.js';
import type { Problem } from '../../core/decider.js';
import type { Stored } from '../../core/event.js';
import { type TSchema, Type } from '../../core/json-schema.js';
import { areLarger } from '../../core/json.js';
import { parseTimestamp, timestampProblem } from '../../core/timestamp.js';
import { EVENT_TYPE, fieldsOf, MAX_BATCH_BYTES, MAX_CLIENT_ID, MAX_EVENT_BYTES } from './activity-types.js';
import { parsedBytes, storedBytes } from './budget.js';
import type { ActivityContent, ActivityRecorded } from './events.js';

/** What a candidate did, as sent: the payload is kept as the very object that was parsed, whatever its keys. */
export interface Activity extends ActivityContent {
  /** RFC 3339 in UTC, with milliseconds. */
  readonly occurredAt: string;
}

export type CheckedActivity =
  | { readonly kind: 'valid'; readonly activities: readonly Activity[] }
  | { readonly kind: 'invalid'; readonly problems: readonly Problem[] };

/**
 * Checks a batch as it was received, each event by itself and all of them together.
 * @param events the body's `events`, parsed JSON of any shape
 */
export const checkActivities = (events: unknown): CheckedActivity => {
  if (!Array.isArray(events)) return invalid([problem('events', 'array', 'must be an array of events')]);
  if (events.length > MAX_ACTIVITIES)
    return invalid([problem('events', 'maxItems', `holds more than ${MAX_ACTIVITIES} events`)]);
  const problems: Problem[] = [];
  const activities = events.flatMap(
    (event: unknown, index) => checkedActivity(event, `events[${index}]`, problems) ?? [],
  );
  if (problems.length > 0) return invalid(problems);
  if (areLarger(events, MAX_BATCH_BYTES))
    return invalid([problem('events', 'maxBytes', `holds more than ${MAX_BATCH_BYTES} bytes`)]);
  return { kind: 'valid', activities };
};

const invalid = (problems: readonly Problem[]): CheckedActivity => ({ kind: 'invalid', problems });

/** Checks one event and adds its problems to `problems`. @returns `null` if it has any */
const checkedActivity = (event: unknown, path: string, problems: Problem[]): Activity | null => {
  if (!isObject(event)) {
    problems.push(problem(path, 'object', 'must be an object'));
    return null;
  }
  const before = problems.length;
  const clientEventId = own(event, 'clientEventId');
  const eventType = own(event, 'eventType');
  const occurredAt = own(event, 'occurredAt');
  const payload = own(event, 'payload');
  const time = typeof occurredAt === 'string' ? parseTimestamp(occurredAt) : null;
  if (!isClientId(clientEventId))
    problems.push(
      problem(`${path}.clientEventId`, 'length', `must be a string of 1 to ${MAX_CLIENT_ID} characters`),
    );
  if (!isEventType(eventType))
    problems.push(
      problem(`${path}.eventType`, 'pattern', 'must be a dotted lower-case name of at most 64 characters'),
    );
  if (time === null) problems.push(timestampProblem(`${path}.occurredAt`));
  if (!isObject(payload)) problems.push(problem(`${path}.payload`, 'object', 'must be an object'));
  else if (isEventType(eventType)) addPayloadProblems(path, eventType, payload, problems);
  if (holdsInfinity(payload))
    problems.push(problem(`${path}.payload`, 'number', 'holds a number that is too large'));
  if (areLarger([event], MAX_EVENT_BYTES))
    problems.push(problem(path, 'maxBytes', `is larger than ${MAX_EVENT_BYTES} bytes`));
  if (
    problems.length > before ||
    !isClientId(clientEventId) ||
    !isEventType(eventType) ||
    !isObject(payload) ||
    time === null
  )
    return null;
  return { clientEventId, eventType, occurredAt: time, payload };
};

/** An activity of a recorded batch. */
export interface RecordedActivity {
  readonly id: string;
  readonly sequenceNumber: number;
  /** By the candidate's clock. */
  readonly occurredAt: string;
  /** `null`: it can no longer be read. */
  readonly content: ActivityContent | null;
}

/** The activities of a batch, in order. */
export const activitiesOf = ({
  id,
  data,
  personal,
}: Stored<ActivityRecorded>): readonly RecordedActivity[] => {
  const idAt = itemIds(id);
  return data.items.map(({ occurredAt }, place) => ({
    id: idAt(place),
    sequenceNumber: data.sequenceNumber + place,
    occurredAt,
    content: personal?.items[place] ?? null,
  }));
};

/** Sizes by the list of contents: a batch is counted twice, before it is recorded and when it is folded. */
const counted = new WeakMap<readonly ActivityContent[], number>();

/** What the activities of a batch take up of their session's budget, in bytes. */
export const evidenceBytes = (contents: readonly ActivityContent[]): number => {
  const known = counted.get(contents);
  if (known !== undefined) return known;
  const texts = itemTexts(contents);
  const bytes = contents.reduce(
    (sum, { payload }, place) => sum + storedBytes(texts[place] ?? null) + parsedBytes(payload),
    0,
  );
  counted.set(contents, bytes);
  return bytes;
};

/** As `evidenceBytes`, for activities that can no longer be read. */
export const unreadableBytes = (count: number): number => count * storedBytes(null);

/** JSON has no bounds to its numbers, but a double does: `1e400` is parsed as infinity and would be written as `null`. */
const holdsInfinity = (value: unknown): boolean =>
  typeof value === 'object' && value !== null
    ? Object.values(value).some(holdsInfinity)
    : value === Infinity || value === -Infinity;

const isClientId = (value: unknown): value is string =>
  typeof value === 'string' &&
  value.length > 0 &&
  (value.length <= MAX_CLIENT_ID || Array.from(value).length <= MAX_CLIENT_ID);

const isEventType = (value: unknown): value is string => typeof value === 'string' && EVENT_TYPE.test(value);

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const own = (object: Readonly<Record<string, unknown>>, key: string): unknown =>
  Object.hasOwn(object, key) ? object[key] : undefined;

const problem = (path: string, rule: string, what: string): Problem => ({
  path,
  rule,
  message: `${path} ${what}.`,
});

/** A field's rule by its declaration: its name, and what the value must be, in words. */
const ruleOf = (field: TSchema): { readonly rule: string; readonly must: string } => {
  if (Type.IsEnum(field)) return { rule: 'oneOf', must: `one of ${field.enum.join(', ')}` };
  if (Type.IsString(field))
    return { rule: 'string', must: `a string of at most ${MAX_EVENT_BYTES} characters` };
  return Type.IsInteger(field)
    ? { rule: 'count', must: 'a whole number of at least 0' }
    : { rule: 'duration', must: 'a number of at least 0' };
};

/**
 * The part of an activity's payload that scoring and integrity rules read. It is empty for an unknown type.
 * @param payload of any shape, whatever was once stored
 */
export const knownPayload = (eventType: string, payload: unknown): Readonly<Record<string, unknown>> => {
  const fields = fieldsOf(eventType);
  if (typeof payload !== 'object' || payload === null) return {};
  return Object.fromEntries(Object.entries(payload).filter(([field]) => Object.hasOwn(fields, field)));
};

interface FieldCheck {
  readonly field: string;
  readonly schema: TSchema;
  readonly optional: boolean;
  readonly validator: Validator;
}

/** Compiled at the first payload of a type: a batch has hundreds of fields. */
const compiled = new WeakMap<object, readonly FieldCheck[]>();

const checksOf = (eventType: string): readonly FieldCheck[] => {
  const fields = fieldsOf(eventType);
  const known = compiled.get(fields);
  if (known) return known;
  const checks = Object.entries(fields).map(([field, schema]) => ({
    field,
    schema,
    optional: Type.IsOptional(schema),
    validator: Compile(schema),
  }));
  compiled.set(fields, checks);
  return checks;
};

/** Adds the problems of a known type's payload. The payload of an unknown type is not checked. */
const addPayloadProblems = (
  path: string,
  eventType: string,
  payload: Readonly<Record<string, unknown>>,
  problems: Problem[],
): void => {
  for (const { field, schema, optional, validator } of checksOf(eventType)) {
    // A field of the prototype does not belong to the payload.
    const value = own(payload, field);
    if (value === undefined ? optional : validator.Check(value)) continue;
    const { rule, must } = ruleOf(schema);
    problems.push(
      problem(`${path}.payload.${field}`, rule, `must be ${must}${optional ? ', or left out' : ''}`),
    );
  }
};
