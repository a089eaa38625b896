import { Count, Enumeration, Instant, Named, Type, type TSchema } from '../../core/json-schema.js';
import { pascalCase } from '../../core/text.js';

/** Largest event, in bytes of its JSON in UTF-8. */
export const MAX_EVENT_BYTES = 16 * 1024;
/**
 * Largest batch, in bytes of its JSON: sealed it fits one append. Only short numbers that are written at length, as `1e20`
 * is, make more of a request.
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
  /** A payload. */
  readonly example: Readonly<Record<string, unknown>>;
}

/** The event has no room for a longer one. */
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
      'The candidate sent a message. Scores count it; the time since the one before is a response gap.',
    fields: {
      text: text('The message.'),
      to: Enumeration('MessageRecipient', ['assistant', 'interviewer'], { description: 'Who gets it.' }),
    },
    example: { text: 'One test fails because the parser drops the last line.', to: 'assistant' },
  },
  'ticket.started': { meaning: 'The candidate started a ticket. Scores count it.', ...TICKET },
  'ticket.finished': { meaning: 'The candidate marked a ticket as finished. Scores count it.', ...TICKET },
  'file.changed': {
    meaning: 'A file was changed. Scores count it and its lines.',
    fields: {
      path: text('The file.'),
      linesAdded: count('Lines that were added.'),
      linesRemoved: count('Lines that were removed.'),
    },
    example: { path: 'src/parser.ts', linesAdded: 40, linesRemoved: 2 },
  },
  'test.run': {
    meaning: 'Tests were run. Scores count it and its results.',
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

const activityOf = (
  name: string,
  eventType: TSchema,
  { meaning, fields, example }: ActivityType,
  exampleType: string,
) =>
  Named(
    `${name}Activity`,
    {
      clientEventId: Type.String({
        minLength: 1,
        maxLength: MAX_CLIENT_ID,
        description: 'Chosen by the client. An event whose id the session knows is a duplicate.',
      }),
      eventType,
      occurredAt: Instant,
      payload: Named(`${name}Payload`, fields, { additionalProperties: true }),
    },
    {
      description: meaning,
      examples: [
        {
          clientEventId: '0197f0a4-7d20-7a11-8c55-2b3c4d5e6f70',
          eventType: exampleType,
          occurredAt: '2026-01-05T09:12:00.000Z',
          payload: example,
        },
      ],
    },
  );

const other = activityOf(
  'Other',
  Type.String({ pattern: EVENT_TYPE.source, not: { enum: Object.keys(ACTIVITY_TYPES) } }),
  {
    meaning: 'An event of any other type. It is kept as it comes; no rule reads it.',
    fields: {},
    example: { file: 'README.md' },
  },
  'editor.opened',
);

/** One event of a batch, described by its `eventType`. */
export const ActivityRecord = Type.Union(
  [
    ...Object.entries(ACTIVITY_TYPES).map(([name, type]) =>
      activityOf(pascalCase(name), Type.Literal(name), type, name),
    ),
    other,
  ],
  {
    $id: 'Activity',
    description: `Something that the candidate did, in at most ${MAX_EVENT_BYTES} bytes of JSON. \`eventType\` decides what the payload holds.`,
  },
);
