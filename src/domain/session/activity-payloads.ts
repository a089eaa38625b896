import type { Problem } from '../../core/decider.js';

/** A field of a known payload: what it must be, in words and as a test. */
interface Rule {
  readonly rule: string;
  readonly must: string;
  readonly holds: (value: unknown) => boolean;
}

const text: Rule = { rule: 'string', must: 'a string', holds: (value) => typeof value === 'string' };
const count: Rule = {
  rule: 'count',
  must: 'a whole number of at least 0',
  holds: (value) => Number.isSafeInteger(value) && (value as number) >= 0,
};
/** Clocks of browsers measure fractions of a millisecond. */
const duration: Rule = {
  rule: 'duration',
  must: 'a number of at least 0',
  holds: (value) => Number.isFinite(value) && (value as number) >= 0,
};
const oneOf = (...values: readonly string[]): Rule => ({
  rule: 'oneOf',
  must: `one of ${values.join(', ')}`,
  holds: (value) => values.some((allowed) => allowed === value),
});
const optional = (rule: Rule): Rule => ({
  ...rule,
  must: `${rule.must}, or left out`,
  holds: (value) => value === undefined || rule.holds(value),
});

/** The payloads that scoring and integrity rules read. Fields beyond these are kept as they come. */
const KNOWN: Readonly<Record<string, Readonly<Record<string, Rule>>>> = {
  'message.sent': { text, to: oneOf('assistant', 'interviewer') },
  'ticket.started': { ticketId: text },
  'ticket.finished': { ticketId: text },
  'file.changed': { path: text, linesAdded: count, linesRemoved: count },
  'test.run': { passed: count, failed: count, durationMs: duration },
  'clipboard.pasted': { characters: count, nonBlankCharacters: count, source: optional(text) },
  'page.hidden': {},
  'page.shown': {},
  'fullscreen.exited': {},
  'network.changed': {},
};

/**
 * The part of an activity's payload that scoring and integrity rules read: nothing of an unknown type's.
 * @param payload of any shape, whatever was once stored
 */
export const knownPayload = (eventType: string, payload: unknown): Readonly<Record<string, unknown>> => {
  const fields = Object.hasOwn(KNOWN, eventType) ? Object.keys(KNOWN[eventType] ?? {}) : [];
  if (typeof payload !== 'object' || payload === null) return {};
  return Object.fromEntries(Object.entries(payload).filter(([field]) => fields.includes(field)));
};

export const KNOWN_EVENT_TYPES: readonly string[] = Object.keys(KNOWN);

/** What is wrong with a known type's payload; an unknown type's is right as it comes. */
export const payloadProblems = (
  path: string,
  eventType: string,
  payload: Readonly<Record<string, unknown>>,
): readonly Problem[] => {
  const rules = Object.hasOwn(KNOWN, eventType) ? KNOWN[eventType] : undefined;
  return Object.entries(rules ?? {}).flatMap(([field, { rule, must, holds }]) =>
    // A field of the prototype is none of the payload's.
    holds(Object.hasOwn(payload, field) ? payload[field] : undefined)
      ? []
      : [{ path: `${path}.${field}`, rule, message: `${path}.${field} must be ${must}.` }],
  );
};
