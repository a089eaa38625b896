import { Count, Enumeration, Type, type TSchema } from '../../core/json-schema.js';

/** Largest event, in bytes of its JSON in UTF-8. */
export const MAX_EVENT_BYTES = 16 * 1024;
/**
 * Largest batch, in bytes of its JSON as it is stored, so that it fits one append. Requests are smaller: only numbers such
 * as `1e20`, which are stored at length, make a batch exceed it.
 */
export const MAX_BATCH_BYTES = 512 * 1024;
/** Longest `clientEventId`, in characters. */
export const MAX_CLIENT_ID = 64;
/** What an `eventType` may be. */
export const EVENT_TYPE = /^[a-z][a-z0-9_.]{0,63}$/u;

/** A type of activity that scoring or integrity rules read. */
export interface ActivityType {
  /** What happened, and what it is used for. */
  readonly meaning: string;
  /** The fields of its payload that are checked and read. Further ones are kept as they come. */
  readonly fields: Readonly<Record<string, TSchema>>;
  /** A payload, for the API's documents. */
  readonly example: Readonly<Record<string, unknown>>;
}

/** A text of any length that fits into an event. */
const text = (description: string) => Type.String({ maxLength: MAX_EVENT_BYTES, description });
const count = (description: string) => Type.Integer({ ...Count, description });

const TICKET = {
  fields: { ticketId: text('The ticket. Scores count the tickets of the role: its `ticketIds`.') },
  example: { ticketId: 'T-1' },
};
const NO_FIELDS = { fields: {}, example: {} };

/** The types whose payloads are checked, by `eventType`. */
export const ACTIVITY_TYPES: Readonly<Record<string, ActivityType>> = {
  'message.sent': {
    meaning:
      'The candidate sent a message. Scores count it if that raises them; the time since the one before is a response gap.',
    fields: {
      text: text('The message.'),
      to: Enumeration('MessageRecipient', ['assistant', 'interviewer'], { description: 'Who gets it.' }),
    },
    example: { text: 'One test fails because the parser drops the last line.', to: 'assistant' },
  },
  'ticket.started': {
    meaning: 'The candidate started a ticket for which nothing is handed in. Scores count it.',
    ...TICKET,
  },
  'ticket.finished': {
    meaning:
      'The candidate marked a ticket as finished for which nothing is handed in. Scores count it, for correctness only without checks.',
    ...TICKET,
  },
  'file.changed': {
    meaning: 'A file was changed. Scores count it and its lines if that raises them.',
    fields: {
      path: text('The file.'),
      linesAdded: count('Lines that were added.'),
      linesRemoved: count('Lines that were removed.'),
    },
    example: { path: 'src/parser.ts', linesAdded: 40, linesRemoved: 2 },
  },
  'test.run': {
    meaning:
      'Tests were run. Scores count it and its results if that raises them, and for correctness only without checks.',
    fields: {
      passed: count('Tests that passed.'),
      failed: count('Tests that failed.'),
      // Clocks of browsers measure fractions of a millisecond.
      durationMs: Type.Number({ minimum: 0, description: 'How long it took, in milliseconds.' }),
    },
    example: { passed: 9, failed: 1, durationMs: 812.5 },
  },
  'clipboard.pasted': {
    meaning: 'Text was pasted. Findings: `paste_burst` and `prompt_copied`.',
    fields: {
      characters: count('Characters of the text.'),
      nonBlankCharacters: count('Those of them that are not white space.'),
      source: Type.Optional(text('Where the text comes from. `prompt`: from the task itself.')),
    },
    example: { characters: 260, nonBlankCharacters: 214, source: 'prompt' },
  },
  'page.hidden': { meaning: 'The page is out of sight. Finding: `focus_lost`.', ...NO_FIELDS },
  'page.shown': { meaning: 'The page is in sight again. Finding: `focus_lost`.', ...NO_FIELDS },
  'fullscreen.exited': {
    meaning: 'The page no longer fills the screen. Finding: `fullscreen_exited`.',
    ...NO_FIELDS,
  },
  'network.changed': { meaning: 'The network changed. Finding: `network_changed`.', ...NO_FIELDS },
};

/** The fields of a type's payload that are checked and read: none of an unknown type's. */
export const fieldsOf = (eventType: string): ActivityType['fields'] =>
  Object.hasOwn(ACTIVITY_TYPES, eventType) ? (ACTIVITY_TYPES[eventType]?.fields ?? {}) : {};
