import type { Candidate } from '../candidate/decider.js';
import type { Invitation } from '../candidate/events.js';
import type { Decider } from '../../core/decider.js';
import type { Stored } from '../../core/event.js';
import { normaliseEmail } from '../../core/normalise-email.js';
import { weightOf } from '../role/definition.js';
import { evidenceBytes } from './activity.js';
import type { InterviewEvent } from './interview-events.js';
import { evolveInterview } from './interview-state.js';
import type { IdentityCheck, LifecycleEvent, Opening, TrialEvent, TrialIds } from './events.js';
import { EMPTY_IDS, withId } from './id-set.js';
import { invitedTrial, type Phase, type Trial } from './trial.js';

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

/** Who a token says that the caller is. */
export interface TokenIdentity {
  readonly email: string | null;
  readonly emailVerified: boolean;
}

/** How a token names the candidate: by the invited address (verified or not), or by another one. */
export const checkIdentity = (
  invited: Pick<Candidate, 'email'>,
  { email, emailVerified }: TokenIdentity,
): IdentityCheck => {
  if (email === null || invited.email === null) return 'unverified';
  if (normaliseEmail(email) !== normaliseEmail(invited.email)) return 'mismatch';
  return emailVerified ? 'verified' : 'unverified';
};
