import { Enumeration, Named, Nullable, type Static, Type, Uuid } from '../../core/json-schema.js';
import { type EventIn, eventsOf, eventType, upcastRecord } from '../../core/registry.js';
import { AI_POLICIES } from '../../languages/en/shapes.js';

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

/** The text that candidates read before they consent. The request to start names the version that they were shown. */
export type RoleNotice = Static<typeof RoleNotice>;
export const RoleNotice = Named('RoleNotice', { version: Type.String(), text: Type.String() });

/** What texts for candidates may hold, for the API's document. `web/shared/markdown.ts` parses them. */
export const MARKDOWN =
  'Markdown: headings, paragraphs, lists, quotes, code, tables, rules, emphasis and links. Anything else, such as HTML, is shown as text; an image is shown as a link.';

export const AI_POLICY = Enumeration('AiPolicy', AI_POLICIES, {
  description:
    'Whether candidates may use AI assistants: `forbidden`, `allowed`, or `provided`, which allows the one that the organisation provides and no other. The notice says so.',
});

/** A definition as it is stored: every field, in the order of their declaration. */
export type RoleDefinition = Static<typeof RoleDefinition>;
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
  /** Left out in roles that were stored before there were policies: it means the same as `null`. */
  aiPolicy: Type.Optional(Nullable(AI_POLICY)),
});

/** What a new role has of the fields that its body leaves out; lists that are not here are empty. */
export const DEFINITION_DEFAULTS = {
  instructions: null,
  timeFrameMinutes: null,
  notice: null,
  reminderDays: [3, 1],
  answerPauseMs: 2_500,
};

/** A definition that may lack fields which have a default, as bodies give it. */
export type PartialDefinition = Omit<RoleDefinition, keyof typeof DEFINITION_DEFAULTS> &
  Partial<RoleDefinition>;

/**
 * The largest definition: characters of each text, items of each list. Creation also refuses larger ones; it checks
 * nothing else but JSON types.
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
 * Maximum bytes of a definition as JSON. Each invitation keeps the definition that it was sent with, and states in
 * memory hold it, so the largest of every field at once would be too much.
 */
export const MAX_DEFINITION_BYTES = 64 * 1024;

/** The whole numbers that a field of a ready role may have, both ends included. */
export interface Range {
  readonly min: number;
  readonly max: number;
}

/** Range of weights and thresholds. */
export const PERCENT: Range = { min: 0, max: 100 };

/** Up to a week, in minutes. */
export const TIME_FRAME_MINUTES: Range = { min: 1, max: 10_080 };

/** Days before a session expires. */
export const REMINDER_DAYS: Range = { min: 1, max: 30 };

/** In milliseconds. In a shorter pause than the least, a breath would end an answer. */
export const ANSWER_PAUSE_MS: Range = { min: 500, max: 10_000 };

/** The categories of a ready role's dimensions. A draft's may be any text. */
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

/** What the definitions of version 1 mean by the fields that they lack. Pinned: a later default must not change them. */
const ADDED_IN_VERSION_2 = {
  instructions: null,
  timeFrameMinutes: null,
  notice: null,
  reminderDays: [3, 1],
  answerPauseMs: 2_500,
};

/**
 * From each version of a stored definition to the next one: a further field adds a function here. Absent fields come
 * last, as they were declared.
 */
export const DEFINITION_UPCASTERS = [
  (definition: object): object => ({ ...definition, ...ADDED_IN_VERSION_2, ...definition }),
];

const DEFINED = upcastRecord(DEFINITION_UPCASTERS, (data: RoleData, next) => ({
  ...data,
  definition: next(data.definition),
}));

/** The data of events that change neither definition nor status. */
type RoleRef = Pick<RoleData, 'organisationId' | 'roleId'>;

export const roleEvents = {
  'role.created': eventType<RoleData>(DEFINED),
  'role.updated': eventType<RoleData>(DEFINED),
  'role.archived': eventType<RoleRef>(),
  'role.unarchived': eventType<RoleRef>(),
};

export type RoleEvent = EventIn<typeof roleEvents>;
export const roleEvent = eventsOf<typeof roleEvents>();
