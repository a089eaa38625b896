import type { Event } from '@event-driven-io/emmett';
import { CHAIN_START, type SealedActivity } from './evidence.js';

/** A role as the body of a request has it. */
export interface Definition {
  readonly name: string;
  readonly overallThreshold: number;
  readonly dimensions: readonly {
    readonly name: string;
    readonly weight: number;
    readonly category: string;
    readonly threshold?: number;
  }[];
  /** Default: none. */
  readonly ticketIds?: readonly string[];
}

/** Something that a candidate did. */
export type Activity = {
  readonly clientEventId: string;
  readonly eventType: string;
  readonly occurredAt: string;
  readonly payload: Readonly<Record<string, unknown>>;
};

/** Who did something, and when; `actionId` names it. */
type Done = { readonly actionId: string; readonly by: string; readonly at: string };
type OfRole = Done & {
  readonly organisationId: string;
  readonly roleId: string;
  readonly definition: Definition;
};
type OfSession = { readonly sessionId: string };

/** Every event of the peers. */
export type PeerEvent =
  | Event<'MemberAdded', { readonly organisationId: string; readonly subject: string }>
  | Event<'RoleDefined', OfRole>
  | Event<'RoleUpdated', OfRole>
  | Event<'SessionStarted', OfSession & { readonly organisationId: string; readonly candidate: string }>
  | Event<'ActivityRecorded', OfSession & SealedActivity & { readonly sequenceNumber: number }>
  | Event<
      'QuestionAnswered',
      OfSession & { readonly question: number; readonly milliseconds: number; readonly text: string }
    >;

/** What a view keeps: by `id` in its collection, and of an organisation; without `organisationId` of none. */
export type Document = { readonly organisationId?: string };

/** A view as both stores fold it: inline, in the transaction of the append. */
export interface View<D extends Document = Document> {
  readonly name: string;
  readonly handles: readonly PeerEvent['type'][];
  /** Each event makes a document of its own: no existing document is read. */
  readonly ofEvents?: true;
  idOf(event: PeerEvent): string;
  evolve(document: D | null, event: PeerEvent): D;
}

/** Whether somebody is staff of an organisation. */
export const members: View<{ readonly organisationId: string }> = {
  name: 'members',
  handles: ['MemberAdded'],
  idOf: ({ data }) => ('subject' in data ? memberId(data.organisationId, data.subject) : ''),
  evolve: (_, { data }) => ({ organisationId: 'organisationId' in data ? data.organisationId : '' }),
};

/** @returns the id of a member's document */
export const memberId = (organisationId: string, subject: string): string => `${organisationId}/${subject}`;

/** A role's state, from which commands decide: an inline document spares them the fold of the whole stream. */
export type Role = {
  readonly organisationId: string;
  readonly definition: Definition;
  /** Events of the stream. */
  readonly revision: number;
};

const idOfRole: View['idOf'] = ({ data }) => ('roleId' in data ? data.roleId : '');

export const roles: View<Role> = {
  name: 'roles',
  handles: ['RoleDefined', 'RoleUpdated'],
  idOf: idOfRole,
  evolve: (role, { data }) => {
    if (!('definition' in data)) throw new Error('No event of a role.');
    const { organisationId, definition } = data;
    return { organisationId, definition, revision: (role?.revision ?? 0) + 1 };
  },
};

/** The counts of a role, or of an organisation in total. */
export interface Counts {
  readonly trialCompletedCount: number;
  readonly outcomeRecordedCount: number;
  readonly awaitingOutcomeCount: number;
  readonly humanRound: { readonly passed: number; readonly failed: number };
  readonly disposition: { readonly hired: number; readonly declined: number };
}

/** One row of an organisation's signal. */
export type RoleSignal = Counts & {
  readonly organisationId: string;
  readonly roleId: string;
  readonly roleName: string;
};

export const NO_COUNTS: Counts = {
  trialCompletedCount: 0,
  outcomeRecordedCount: 0,
  awaitingOutcomeCount: 0,
  humanRound: { passed: 0, failed: 0 },
  disposition: { hired: 0, declined: 0 },
};

export const signal: View<RoleSignal> = {
  name: 'signal',
  handles: ['RoleDefined', 'RoleUpdated'],
  idOf: idOfRole,
  evolve: (row, { data }) => {
    if (!('definition' in data)) throw new Error('No event of a role.');
    const { organisationId, roleId, definition } = data;
    return { ...(row ?? NO_COUNTS), organisationId, roleId, roleName: definition.name };
  },
};

/** Who did what to which role, and when. */
export const audit: View<
  Done & { readonly organisationId: string; readonly action: string; readonly roleId: string }
> = {
  name: 'audit',
  handles: ['RoleDefined', 'RoleUpdated'],
  ofEvents: true,
  idOf: ({ data }) => ('actionId' in data ? data.actionId : ''),
  evolve: (_, { type, data }) => {
    if (!('definition' in data)) throw new Error('No event of a role.');
    const { organisationId, roleId, actionId, by, at } = data;
    return { organisationId, roleId, actionId, by, at, action: type };
  },
};

/** A candidate's session, from which an activity batch is decided. */
export type Session = {
  readonly organisationId: string;
  readonly candidate: string;
  /** Events of the stream. */
  readonly revision: number;
  /** Every `clientEventId` so far. */
  readonly seen: readonly string[];
  /** The last activity's hash. */
  readonly lastHash: string;
};

export const sessions: View<Session> = {
  name: 'sessions',
  handles: ['SessionStarted', 'ActivityRecorded'],
  idOf: ({ data }) => ('sessionId' in data ? data.sessionId : ''),
  evolve: (session, { type, data }) => {
    if (type === 'SessionStarted')
      return {
        organisationId: data.organisationId,
        candidate: data.candidate,
        revision: 1,
        seen: [],
        lastHash: CHAIN_START,
      };
    if (type !== 'ActivityRecorded' || session === null) throw new Error('No event of a started session.');
    return {
      ...session,
      revision: session.revision + 1,
      seen: [...session.seen, data.clientEventId],
      lastHash: data.hash,
    };
  },
};

/** What is rebuilt: the same fold as that of `bench/support/sessions.ts`. */
export type Answers = {
  readonly answers: number;
  readonly slowest: number;
  readonly total: number;
  readonly recent: readonly { readonly question: number; readonly milliseconds: number }[];
};

export const answers: View<Answers & Document> = {
  name: 'answers',
  handles: ['QuestionAnswered'],
  idOf: ({ data }) => ('sessionId' in data ? data.sessionId : ''),
  evolve: (known, { data }) => {
    if (!('question' in data)) throw new Error('No answer.');
    const { question, milliseconds } = data;
    const before = known ?? { answers: 0, slowest: 0, total: 0, recent: [] };
    return {
      answers: before.answers + 1,
      slowest: Math.max(before.slowest, milliseconds),
      total: before.total + milliseconds,
      recent: [...before.recent, { question, milliseconds }].slice(-10),
    };
  },
};

/** All views that the service keeps. */
export const VIEWS = [members, roles, signal, audit, sessions] as const;
