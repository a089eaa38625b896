import { Named, Nullable, pick, type Static, Type, Uuid } from '../../core/json-schema.js';
import { type EventIn, eventsOf, eventType } from '../../core/registry.js';
import { DEFAULT_REMINDER_DAYS } from './reminder-days.js';

/**
 * Stored names and latest shapes of a role's stream (`role-<id>`): the storage contract. A field of a role is declared
 * here and in the request bodies (`api/roles/bodies.ts`) alone. Fields are stored in the order of their declaration.
 */

export type Dimension = Static<typeof Dimension>;
export const Dimension = Named('Dimension', {
  id: Uuid,
  name: Type.String(),
  weight: Type.Integer(),
  category: Type.String(),
  threshold: Nullable(Type.Integer()),
  rubric: Nullable(Type.String()),
});

export type PlannedQuestion = Static<typeof PlannedQuestion>;
export const PlannedQuestion = Named('PlannedQuestion', {
  text: Type.String(),
  dimensionName: Nullable(Type.String()),
});

/** What candidates are told before they consent; `start` names the version that they were shown. */
export type RoleNotice = Static<typeof RoleNotice>;
export const RoleNotice = Named('RoleNotice', { version: Type.String(), text: Type.String() });

/** What texts for candidates may hold, as the API's document says it; `web/markdown.ts` reads it. */
export const MARKDOWN =
  'Markdown: headings, paragraphs, lists, quotes, code, tables, rules, emphasis and links. Anything else, such as HTML, is shown as text; an image is shown as a link.';

export const RoleDefinition = Type.Object({
  name: Type.String(),
  overallThreshold: Type.Integer(),
  dimensions: Type.Array(Dimension),
  ticketIds: Type.Array(Type.String()),
  questions: Type.Array(PlannedQuestion),
  instructions: Nullable(Type.String({ description: `For candidates. ${MARKDOWN}` })),
  timeFrameMinutes: Nullable(Type.Integer({ description: 'How long the work is meant to take.' })),
  notice: Nullable(RoleNotice),
  reminderDays: Type.Array(
    Type.Integer({ description: 'The candidate is reminded so many days before the session expires.' }),
  ),
  answerPauseMs: Type.Integer({
    description:
      'Milliseconds of silence after which a spoken answer is over, where the service transcribes; times the candidate’s `timeFactor`.',
  }),
});

/** Fields that definitions stored before them lack, as such a definition reads. A new role has them too. */
export const LATER_FIELDS = {
  instructions: null,
  timeFrameMinutes: null,
  notice: null,
  reminderDays: [...DEFAULT_REMINDER_DAYS],
  answerPauseMs: 2_500,
};

/** Silence after which a spoken answer is over, in milliseconds, by the definition that a session was opened with. */
export const answerPauseMs = (definition: RoleDefinition | undefined): number =>
  definition?.answerPauseMs ?? LATER_FIELDS.answerPauseMs;

type Declared = Static<typeof RoleDefinition>;
type Later = keyof typeof LATER_FIELDS;

/** A definition as it is stored. */
export type RoleDefinition = Omit<Declared, Later> & Partial<Pick<Declared, Later>>;

const FIELDS = Object.keys(RoleDefinition.properties);

/** A stored definition with every declared field and no other: itself, if it is so. */
export const wholeDefinition = (definition: RoleDefinition): Declared =>
  Object.keys(definition).length === FIELDS.length && FIELDS.every((name) => Object.hasOwn(definition, name))
    ? (definition as Declared)
    : pick(RoleDefinition, { ...LATER_FIELDS, ...definition });

/**
 * The largest definition that is kept: characters of each text, items of each list. Creation keeps to them too: sizes
 * are all that it refuses beside wrong JSON types.
 */
export const DEFINITION_LIMITS = {
  name: 200,
  category: 100,
  rubric: 4_000,
  dimensions: 100,
  ticketId: 200,
  ticketIds: 200,
  question: 2_000,
  questions: 100,
  instructions: 8_000,
  noticeVersion: 50,
  notice: 8_000,
  reminderDays: 5,
} as const;

/**
 * Most bytes of a definition as JSON. Each invitation keeps the definition that it was sent with, and states in memory
 * hold it, so the largest of every field at once would be too much.
 */
export const MAX_DEFINITION_BYTES = 64 * 1024;

/** A week. */
export const MAX_TIME_FRAME_MINUTES = 10_080;

export const MAX_REMINDER_DAYS = 30;

/** Shorter than the shortest, a breath would end an answer. */
export const ANSWER_PAUSE_MS = { least: 500, most: 10_000 } as const;

export const CATEGORIES = ['process', 'correctness'] as const;

/** `ready` once the definition satisfies the update rules: only then can candidates be invited. */
export const ROLE_STATUSES = ['draft', 'ready'] as const;
export type RoleStatus = (typeof ROLE_STATUSES)[number];

interface RoleData {
  readonly organisationId: string;
  readonly roleId: string;
  readonly definition: RoleDefinition;
  readonly status: RoleStatus;
}

export const roleEvents = {
  'role.created': eventType<RoleData>(),
  'role.updated': eventType<RoleData>(),
};

export type RoleEvent = EventIn<typeof roleEvents>;
export const roleEvent = eventsOf<typeof roleEvents>();
