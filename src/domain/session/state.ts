import type { Decider } from '../../core/decider.js';
import type { Stored } from '../../core/event.js';
import type { CommandStreams } from '../../core/handle.js';
import { streamName } from '../../core/stream-name.js';
import type { PersonId } from '../../core/vault/port.js';
import type { Invitation } from '../candidate/events.js';
import { weightOf } from '../role/definition.js';
import type { RoleDefinition } from '../role/events.js';
import { evidenceBytes } from './activity.js';
import type {
  IdentityCheck,
  InterviewEvent,
  LifecycleEvent,
  Opening,
  TrialCompleted,
  TrialEvent,
  TrialIds,
} from './events.js';
import { evolveInterview, type Interview } from './interview-state.js';
import { EMPTY_IDS, type IdSet, withId } from './seen-ids.js';

/** Where a session stands. An ended one never comes back. */
export type Phase =
  | { readonly status: 'invited' }
  /** `interrupted`: its interview's socket has been away for long. */
  | { readonly status: 'started' | 'interrupted'; readonly startedAt: string }
  | {
      readonly status: 'completed';
      readonly startedAt: string;
      readonly endedAt: string;
      readonly evaluationId: string;
    }
  | {
      readonly status: 'withdrawn' | 'expired';
      readonly startedAt: string | null;
      readonly endedAt: string;
    };

export type TrialStatus = Phase['status'];

/** A trial session. Until its stream begins it is made from the invitation alone. */
export interface Trial {
  readonly organisationId: string;
  readonly candidateId: PersonId;
  readonly applicationId: string;
  readonly trialSessionId: string;
  readonly roleId: string;
  readonly roleVersion: number;
  /** As it stood at the invitation. */
  readonly role: RoleDefinition;
  readonly invitedAt: string;
  readonly expiresAt: string;
  readonly phase: Phase;
  /** 1 at the invitation, one more with each event of the session's life; activity does not count. */
  readonly version: number;
  /** Of the stream's last event; 0 before the first. */
  readonly lastSequenceNumber: number;
  /** What the candidate's activities take up so far, in bytes of the log. */
  readonly evidenceBytes: number;
  /** Ids that the candidate's events were sent under. */
  readonly clientEventIds: IdSet;
  /** `null` until its first connection. */
  readonly interview: Interview | null;
  /**
   * How the last token that was looked at named the candidate; `null` before the start, and after one whose own token
   * named somebody else.
   */
  readonly identity: IdentityCheck | null;
  /** The sequence number of the last `trial.identity_checked`; 0: there is none. */
  readonly identityCheckedAt: number;
  /** Nothing is recorded any more, and nothing personal can be read. */
  readonly erased: boolean;
}

/** The session as its invitation opened it. */
export const invitedTrial = (invitation: Invitation): Trial => ({
  organisationId: invitation.organisationId,
  candidateId: invitation.candidateId as PersonId,
  applicationId: invitation.applicationId,
  trialSessionId: invitation.trialSessionId,
  roleId: invitation.roleId,
  roleVersion: invitation.roleVersion,
  role: invitation.role,
  invitedAt: invitation.invitedAt,
  expiresAt: invitation.expiresAt,
  phase: { status: 'invited' },
  version: 1,
  lastSequenceNumber: 0,
  evidenceBytes: 0,
  clientEventIds: EMPTY_IDS,
  interview: null,
  identity: null,
  identityCheckedAt: 0,
  erased: false,
});

/**
 * Whether the session is over: by an event, or because its time is up and that event is still to come.
 * @param now as this service writes times
 */
export const hasEnded = (trial: Trial, now: string): boolean => isClosed(trial) || isOverdue(trial, now);

/** Ended by an event. */
export const isClosed = ({ phase }: Trial): boolean => phase.status !== 'invited' && !isRunning(phase);

/** Begun and not ended, its interview's socket away or not. */
export const isRunning = (phase: Phase): phase is Extract<Phase, { status: 'started' | 'interrupted' }> =>
  phase.status === 'started' || phase.status === 'interrupted';

/** An interview once begun has its own time, at whose end the session is completed: it never expires. */
export const isOverdue = ({ interview, expiresAt }: Trial, now: string): boolean =>
  (interview?.endsAt ?? null) === null && now >= expiresAt;

/** `null` until the stream's first event: `trialOf` makes the session from its invitation until then. */
export type TrialState = Trial | null;

export const trial: Decider<TrialState, TrialEvent> = {
  kind: 'trial',
  initial: null,
  weigh: (state) => (state === null ? 0 : weightOf(state.role)),
  chained: true,
  evolve(state, event) {
    const before = state ?? opened(event);
    const { sequenceNumber } = event.data;
    if (event.type === 'trial.activity_recorded') {
      const { personal } = event;
      return {
        ...before,
        lastSequenceNumber: sequenceNumber,
        evidenceBytes: before.evidenceBytes + evidenceBytes(personal),
        clientEventIds:
          personal === null ? before.clientEventIds : withId(before.clientEventIds, personal.clientEventId),
      };
    }
    if (event.type === 'trial.identity_checked')
      return {
        ...before,
        lastSequenceNumber: sequenceNumber,
        identity: event.data.identity,
        identityCheckedAt: sequenceNumber,
      };
    if (isOfInterview(event)) {
      const interview = evolveInterview(before.interview, event);
      const phase = interruptedOrNot(before.phase, event.type);
      const version = phase === before.phase ? before.version : before.version + 1;
      const identity = event.type === 'interview.connected' ? event.data.identity : before.identity;
      return { ...before, lastSequenceNumber: sequenceNumber, version, phase, interview, identity };
    }
    const after: Trial = {
      ...before,
      lastSequenceNumber: sequenceNumber,
      version: before.version + 1,
      expiresAt: event.type === 'trial.extended' ? event.data.expiresAt : before.expiresAt,
      phase: phaseAfter(before.phase, event),
      identity: event.type === 'trial.started' ? atStart(event.data.identity) : before.identity,
    };
    return event.type === 'trial.erased'
      ? { ...after, erased: true, clientEventIds: EMPTY_IDS, interview: null }
      : after;
  },
};

/** A mismatch counts from the first later token on: that one is recorded, whatever the start's own said. */
const atStart = (identity: IdentityCheck): IdentityCheck | null =>
  identity === 'mismatch' ? null : identity;

/** The session before its stream's first event, which carries what the invitation fixed. */
const opened = (event: Stored<TrialEvent>): Trial => {
  const opening = 'opening' in event.data ? event.data.opening : null;
  if (opening === null) throw new Error(`${event.type} cannot be the first event of a session.`);
  return invitedTrial({ ...event.data, ...opening });
};

const isOfInterview = (event: Stored<TrialEvent>): event is Stored<InterviewEvent> =>
  event.type.startsWith('interview.') || event.type === 'trial.interrupted' || event.type === 'trial.resumed';

const interruptedOrNot = (phase: Phase, type: InterviewEvent['type']): Phase => {
  if (phase.status === 'started' && type === 'trial.interrupted') return { ...phase, status: 'interrupted' };
  if (phase.status === 'interrupted' && type === 'trial.resumed') return { ...phase, status: 'started' };
  return phase;
};

const phaseAfter = (phase: Phase, event: Stored<LifecycleEvent>): Phase => {
  const at = event.metadata.recordedAt;
  const startedAt = phase.status === 'invited' ? null : phase.startedAt;
  switch (event.type) {
    case 'trial.started':
      return { status: 'started', startedAt: at };
    case 'trial.extended':
      return phase;
    case 'trial.completed':
      return {
        status: 'completed',
        startedAt: startedAt ?? at,
        endedAt: at,
        evaluationId: event.data.evaluationId,
      };
    case 'trial.withdrawn':
      return { status: 'withdrawn', startedAt, endedAt: at };
    case 'trial.expired':
      return { status: 'expired', startedAt, endedAt: at };
    case 'trial.erased':
      return event.data.withdrawn ? { status: 'withdrawn', startedAt, endedAt: at } : phase;
  }
};

/** The session as it stands: by its stream or, where that has not begun, by its invitation. */
export const trialOf = (state: TrialState, invitation: Invitation): Trial =>
  state ?? invitedTrial(invitation);

/** The ids that every event of the session carries, for the next event or the `offset`-th after it. */
export const nextIds = (session: Trial, offset = 0): TrialIds => ({
  organisationId: session.organisationId,
  candidateId: session.candidateId,
  applicationId: session.applicationId,
  trialSessionId: session.trialSessionId,
  roleId: session.roleId,
  sequenceNumber: session.lastSequenceNumber + 1 + offset,
});

/** What the stream's first event says of the invitation; later ones say nothing. */
export const openingOf = (session: Trial): Opening | null =>
  session.lastSequenceNumber > 0
    ? null
    : {
        roleVersion: session.roleVersion,
        role: session.role,
        invitedAt: session.invitedAt,
        expiresAt: session.expiresAt,
      };

/** Behind a session's completion stands nothing but its erasure. */
const LAST_EVENTS = 2;

/** The event that completed a session, read from the stream's end; `null`: it was not completed. */
export const readCompletion = async (
  streams: Pick<CommandStreams, 'each'>,
  trialSessionId: string,
): Promise<Stored<TrialCompleted> | null> => {
  const stream = streamName('trial', trialSessionId);
  const last = { direction: 'backward', limit: LAST_EVENTS } as const;
  for await (const event of streams.each<TrialEvent>(stream, last))
    if (event.type === 'trial.completed') return event;
  return null;
};
