import type { Decider } from '../../core/decider.js';
import type { Stored } from '../../core/event.js';
import type { EventIn } from '../../core/registry.js';
import type { PersonId } from '../../core/vault/port.js';
import type { Language } from '../../languages/languages.js';
import {
  type ApplicationRef,
  applicationRefOf,
  type Invitation,
  type InvitationTerms,
} from '../candidate/events.js';
import type { RoleDefinition } from '../role/events.js';
import { evidenceBytes, unreadableBytes } from './activity.js';
import {
  type ActivityContent,
  type AwaitedWork,
  handInEvents,
  type HandInEvent,
  type IdentityCheck,
  interviewEvents,
  type InterviewEvent,
  type LifecycleEvent,
  type TicketWork,
  type TrialEvent,
  type trialEvents,
  type TrialIds,
} from './events.js';
import { evolveHandIns, type HandIns, NO_HAND_INS } from './hand-ins.js';
import { EMPTY_IDS, type IdSet, withIds } from './id-set.js';
import { evolveInterview, type Interview } from './interview-state.js';
import { atInvitation, isClosed, type Life, evolveLife, TRANSITIONS, type TrialStatus } from './lifecycle.js';

/** What a candidate last reported of a ticket, by the activities `ticket.started` and `ticket.finished`. */
export type TicketProgress = (typeof TICKET_PROGRESS)[number];
export const TICKET_PROGRESS = ['started', 'finished'] as const;

/** A trial session. Until its stream begins it is made from the invitation alone. */
export interface Trial extends ApplicationRef, Life {
  readonly candidateId: PersonId;
  readonly roleVersion: number;
  /** The role's definition at the time of the invitation. */
  readonly role: RoleDefinition;
  /** The language of the invitation, in which the interview is held. */
  readonly language: Language;
  readonly invitedAt: string;
  /** The sequence number of the stream's last event; 0 before the first. */
  readonly lastSequenceNumber: number;
  /** Size of the candidate's activities so far, in bytes of the log. */
  readonly evidenceBytes: number;
  /** Ids that the candidate's events were sent under. */
  readonly clientEventIds: IdSet;
  /** `null` until its first connection. */
  readonly interview: Interview | null;
  /**
   * The identity of the last token; `null` before the start, and after a start whose token had another address.
   */
  readonly identity: IdentityCheck | null;
  /** Number of activities in the last batch; 0: there is none. */
  readonly lastBatch: number;
  /** By ticket of the role, the version that the session began with. */
  readonly ticketVersions: ReadonlyMap<string, number>;
  /** By ticket, what is handed in for it; tickets for which nothing is handed in are missing. */
  readonly ticketWork: ReadonlyMap<string, TicketWork>;
  readonly handIns: HandIns;
  /** The notice that was consented to says that work is compared with others’. */
  readonly comparesWork: boolean;
  /** That notice says that a model which scores is shown the work. */
  readonly modelReadsWork: boolean;
  /** What the evaluation waits for from the completion on. */
  readonly awaits: readonly AwaitedWork[];
  /** The last recorded status of each of the role's tickets; those that are missing were not begun. */
  readonly tickets: ReadonlyMap<string, TicketProgress>;
  /** Nothing is recorded any more, and nothing personal can be read. */
  readonly erased: boolean;
}

/** The session as its invitation opened it. */
export const invitedTrial = (invitation: Invitation): Trial => ({
  ...applicationRefOf(invitation),
  candidateId: invitation.candidateId as PersonId,
  roleVersion: invitation.roleVersion,
  role: invitation.role,
  language: invitation.language,
  invitedAt: invitation.invitedAt,
  ...atInvitation(invitation),
  lastSequenceNumber: 0,
  evidenceBytes: 0,
  clientEventIds: EMPTY_IDS,
  interview: null,
  identity: null,
  lastBatch: 0,
  ticketVersions: new Map(),
  ticketWork: new Map(),
  handIns: NO_HAND_INS,
  comparesWork: false,
  modelReadsWork: false,
  awaits: [],
  tickets: new Map(),
  erased: false,
});

/**
 * Whether the session is over: by an event, or because its time is up and that event is still to come.
 * @param now RFC 3339 in UTC, with milliseconds
 */
export const hasEnded = (trial: Trial, now: string): boolean => isClosed(trial) || isOverdue(trial, now);

/** A session whose interview has begun never expires: it is completed when the interview's time is over. */
export const isOverdue = ({ interview, expiresAt }: Trial, now: string): boolean =>
  (interview?.endsAt ?? null) === null && now >= expiresAt;

/** The status, which is `expired` once the time is up: the event is still to come. @param now as for `hasEnded` */
export const statusAt = (session: Trial, now: string): TrialStatus =>
  !isClosed(session) && isOverdue(session, now) ? 'expired' : session.status;

/** `null` until the stream's first event: `trialOf` makes the session from its invitation until then. */
export type TrialState = Trial | null;

/** Folds the stream `trial-<trialSessionId>`. */
export const trial: Decider<TrialState, TrialEvent> = {
  kind: 'trial',
  initial: null,
  chained: true,
  evolve(state, event) {
    const before = state ?? trialBefore(event);
    const session: Trial = {
      ...(isOfLife(event) ? evolveLife(before, event) : before),
      lastSequenceNumber: event.data.sequenceNumber,
      interview: isOfInterview(event) ? evolveInterview(before.interview, event) : before.interview,
      handIns: isHandIn(event) ? evolveHandIns(before.handIns, event) : before.handIns,
    };
    switch (event.type) {
      case 'trial.started': {
        const { identity, tickets = [], comparesWork = false, modelReadsWork = false } = event.data;
        return {
          ...session,
          identity: atStart(identity),
          comparesWork,
          modelReadsWork,
          ticketVersions: new Map(tickets.map(({ ticketId, version }) => [ticketId, version])),
          ticketWork: new Map(tickets.flatMap(({ ticketId, work }) => (work ? [[ticketId, work]] : []))),
        };
      }
      case 'interview.connected':
        return { ...session, identity: event.data.identity };
      case 'trial.identity_checked':
        return { ...session, identity: event.data.identity };
      case 'trial.activity_recorded': {
        const count = event.data.items.length;
        const contents = event.personal?.items ?? null;
        const bytes = contents === null ? unreadableBytes(count) : evidenceBytes(contents);
        const ids = (contents ?? []).map(({ clientEventId }) => clientEventId);
        return {
          ...session,
          lastSequenceNumber: before.lastSequenceNumber + count,
          lastBatch: count,
          evidenceBytes: before.evidenceBytes + bytes,
          clientEventIds: withIds(before.clientEventIds, ids),
          tickets: progressed(before, contents ?? []),
        };
      }
      case 'trial.completed':
        return { ...session, awaits: event.data.awaits ?? [] };
      case 'trial.erased':
        return {
          ...{ ...session, erased: true, clientEventIds: EMPTY_IDS, tickets: new Map(), interview: null },
          handIns: NO_HAND_INS,
        };
      default:
        return session;
    }
  },
};

/** Tickets that the role does not name are left out, so that a session's state stays small. */
const progressed = (
  { tickets, role }: Trial,
  contents: readonly ActivityContent[],
): ReadonlyMap<string, TicketProgress> => {
  const changes = contents.flatMap(({ eventType, payload: { ticketId } }): [string, TicketProgress][] => {
    const progress = TICKET_PROGRESS.find((one) => eventType === `ticket.${one}`);
    const isKnown = typeof ticketId === 'string' && role.ticketIds.includes(ticketId);
    return progress !== undefined && isKnown ? [[ticketId, progress]] : [];
  });
  return changes.length === 0 ? tickets : new Map([...tickets, ...changes]);
};

/**
 * The check of identity at the start; `null` after a mismatch, so that the first later token is recorded, whatever
 * its identity.
 */
const atStart = (identity: IdentityCheck): IdentityCheck | null =>
  identity === 'mismatch' ? null : identity;

/** The session before its stream's first event, which carries what the invitation fixed. */
const trialBefore = (event: Stored<TrialEvent>): Trial => {
  const opening = 'opening' in event.data ? event.data.opening : null;
  if (opening === null) throw new Error(`${event.type} cannot be the first event of a session.`);
  return invitedTrial({ ...event.data, ...opening });
};

const isOfLife = (event: Stored<TrialEvent>): event is Stored<LifecycleEvent> => event.type in TRANSITIONS;

const isHandIn = (event: Stored<TrialEvent>): event is Stored<HandInEvent> => event.type in handInEvents;

const isOfInterview = (event: Stored<TrialEvent>): event is Stored<InterviewEvent> =>
  event.type in interviewEvents || event.type === 'trial.interrupted' || event.type === 'trial.resumed';

/** The session by its stream or, if that has not begun, by its invitation. */
export const trialOf = (state: TrialState, invitation: Invitation): Trial =>
  state ?? invitedTrial(invitation);

/** An event of the session: its next, or the `offset`-th after that. */
export const sessionEvent = <Type extends TrialEvent['type']>(
  session: Trial,
  type: Type,
  data: Omit<EventIn<typeof trialEvents, Type>['data'], keyof TrialIds>,
  personal: EventIn<typeof trialEvents, Type>['personal'] = null,
  offset = 0,
): TrialEvent =>
  ({
    type,
    data: {
      ...applicationRefOf(session),
      sequenceNumber: session.lastSequenceNumber + 1 + offset,
      ...data,
    },
    person: session.candidateId,
    personal,
  }) as unknown as TrialEvent;

/** What the stream's first event repeats of the invitation; `null` for later ones. */
export const openingOf = (session: Trial): InvitationTerms | null =>
  session.lastSequenceNumber > 0
    ? null
    : {
        roleVersion: session.roleVersion,
        role: session.role,
        invitedAt: session.invitedAt,
        expiresAt: session.expiresAt,
        language: session.language,
      };
