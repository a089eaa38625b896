import {
  accept,
  type Decision,
  type RefusalCodes,
  refuse,
  type Refused,
  staleVersion,
} from '../../core/decider.js';
import { isSameEmail } from '../../core/email-address.js';
import type { Candidate } from '../candidate/decider.js';
import type { Invitation } from '../candidate/events.js';
import type { RoleNotice } from '../role/events.js';
import { type Activity, evidenceBytes } from './activity.js';
import { EVIDENCE_FULL, MAX_EVIDENCE_BYTES, MAX_EVIDENCE_EVENTS } from './budget.js';
import type { ActivityContent, EndReason, IdentityCheck, TicketVersion, TrialEvent } from './events.js';
import { awaitedChecks, awaitedHandIns } from './hand-ins.js';
import { hasId } from './id-set.js';
import { isRunning, type LifecycleType, mayFollow } from './lifecycle.js';
import {
  hasEnded,
  isOverdue,
  openingOf,
  sessionEvent,
  statusAt,
  type Trial,
  trialOf,
  type TrialState,
} from './state.js';

/** What is refused here, beside the common codes. */
export const SESSION_CODES = {
  not_started: { kind: 'conflict', meaning: 'The trial session has not been started.' },
  session_ended: { kind: 'conflict', meaning: 'The trial session has ended.' },
  notice_changed: {
    kind: 'conflict',
    meaning: 'The notice is another one by now: read it again before consenting.',
  },
  session_full: { kind: 'full', meaning: 'The trial session holds all the evidence that it may.' },
} as const satisfies RefusalCodes;

export type SessionCode = keyof typeof SESSION_CODES;

/** What every command of a candidate on a session comes with. */
export interface SessionCommand {
  /** From the candidate's stream: what the session is until its own stream begins. */
  readonly invitation: Invitation;
  /** RFC 3339 in UTC, with milliseconds. */
  readonly now: string;
  /** The session's version by If-Match; `null`: any. */
  readonly expectedVersion: number | null;
}

/** The current notice, and what it says of work that is handed in. */
export interface HeldNotice {
  readonly current: RoleNotice;
  /** Work handed in is compared with others’. */
  readonly comparesWork: boolean;
  /** A model that scores is shown the work handed in. */
  readonly modelReadsWork: boolean;
}

export interface StartTrial extends SessionCommand {
  readonly consent: true;
  readonly identity: IdentityCheck;
  /** The version that the candidate names, and the current notice; `null`: none was named. */
  readonly notice: (HeldNotice & { readonly named: string }) | null;
  /** The versions that the role's tickets have now. */
  readonly tickets: readonly TicketVersion[];
}

/** Starts the session with the candidate’s consent. If it has started already, nothing changes. */
export const startTrial = (state: TrialState, input: StartTrial): Decision<TrialEvent> => {
  const session = trialOf(state, input.invitation);
  const refusal = staleVersion(input.expectedVersion, session.version) ?? whenOver(session, input.now);
  if (refusal) return refusal;
  if (!mayFollow(session, 'trial.started')) return accept();
  const { notice, tickets } = input;
  if (notice && notice.named !== notice.current.version)
    return refuse<SessionCode>(
      'notice_changed',
      'The notice has changed since you read it: read the briefing again, then consent.',
    );
  return accept(
    sessionEvent(session, 'trial.started', {
      opening: openingOf(session),
      consent: input.consent,
      identity: input.identity,
      ...(notice && { notice: notice.current }),
      ...(notice?.comparesWork && { comparesWork: true as const }),
      ...(notice?.modelReadsWork && { modelReadsWork: true as const }),
      ...(tickets.length > 0 && { tickets }),
    }),
  );
};

/**
 * Records that the token's identity differs from that of the token before it; nothing if it does not.
 * @param identity left out: the command comes with no token of its own
 * @param before number of events before it in the same append
 */
export const identityChecked = (
  session: Trial,
  identity: IdentityCheck | undefined,
  before = 0,
): readonly TrialEvent[] =>
  identity === undefined || identity === session.identity
    ? []
    : [sessionEvent(session, 'trial.identity_checked', { identity }, null, before)];

export interface CompleteTrial extends SessionCommand {
  /** How the caller's token names the candidate. Without it, a change of the identity is not recorded. */
  readonly identity?: IdentityCheck;
  /** The id of the evaluation that begins with the completion. */
  readonly evaluationId: string;
  /** What is recorded before it in the same append, numbered as the session's next. By default nothing. */
  readonly first?: readonly TrialEvent[];
}

/** Completes the session at the candidate’s request. If it is completed already, nothing changes. */
export const completeTrial = (state: TrialState, input: CompleteTrial): Decision<TrialEvent> => {
  const session = trialOf(state, input.invitation);
  const stale = staleVersion(input.expectedVersion, session.version);
  if (stale) return stale;
  if (session.status === 'completed') return accept();
  const refusal = whenNotAllowed(session, 'trial.completed', input.now);
  if (refusal) return refusal;
  const { first = [], identity } = input;
  const before = [...first, ...identityChecked(session, identity, first.length)];
  return accept<TrialEvent>(...before, ...completion(session, 'ended', input, before.length));
};

/**
 * The events by which a session is completed; an interview that has begun ends with it.
 * @param before number of events before these in the same append
 */
export const completion = (
  session: Trial,
  reason: EndReason,
  { evaluationId, now }: Pick<CompleteTrial, 'evaluationId' | 'now'>,
  before = 0,
): readonly TrialEvent[] => {
  const hasInterview = (session.interview?.endsAt ?? null) !== null;
  const ended = hasInterview ? [sessionEvent(session, 'interview.ended', { reason }, null, before)] : [];
  const { name: roleName, overallThreshold } = session.role;
  const awaits = [
    ...awaitedHandIns(session.handIns, now),
    ...awaitedChecks(session.handIns, session.ticketWork),
  ];
  const result = { evaluationId, roleName, overallThreshold, ...(awaits.length > 0 && { awaits }) };
  return [...ended, sessionEvent(session, 'trial.completed', result, null, before + ended.length)];
};

/** Withdraws the session at the candidate’s request, also before its start. If that is done already, nothing changes. */
export const withdrawTrial = (state: TrialState, input: SessionCommand): Decision<TrialEvent> => {
  const session = trialOf(state, input.invitation);
  const stale = staleVersion(input.expectedVersion, session.version);
  if (stale) return stale;
  if (session.status === 'withdrawn') return accept();
  const refusal = whenNotAllowed(session, 'trial.withdrawn', input.now);
  return refusal ?? accept<TrialEvent>(withdrawn(session, 'candidate'));
};

/** The event by which a session is withdrawn, by either side. */
export const withdrawn = (session: Trial, by: 'candidate' | 'staff'): TrialEvent =>
  sessionEvent(session, 'trial.withdrawn', { opening: openingOf(session), by });

/** Expires an open session after its `expiresAt`; any other stays as it is. */
export const expireTrial = (
  state: TrialState,
  { invitation, now }: Pick<SessionCommand, 'invitation' | 'now'>,
): Decision<TrialEvent> => {
  const session = trialOf(state, invitation);
  if (!mayFollow(session, 'trial.expired') || !isOverdue(session, now)) return accept();
  return accept(sessionEvent(session, 'trial.expired', { opening: openingOf(session) }));
};

/** Ends an erased candidate's session, by its last event. */
export const eraseTrial = (
  state: TrialState,
  { invitation }: Pick<SessionCommand, 'invitation'>,
): Decision<TrialEvent> => {
  const session = trialOf(state, invitation);
  if (session.erased) return accept();
  return accept(
    sessionEvent(session, 'trial.erased', {
      opening: openingOf(session),
      withdrawn: mayFollow(session, 'trial.erased'),
    }),
  );
};

export interface RecordActivity extends Omit<SessionCommand, 'expectedVersion'> {
  /** How the caller's token names the candidate; left out on a connection, which was recorded with its own. */
  readonly identity?: IdentityCheck;
  readonly activities: readonly Activity[];
}

/** Records the activities that are not recorded yet: all of them, or none. */
export const recordActivity = (state: TrialState, input: RecordActivity): Decision<TrialEvent> => {
  const session = trialOf(state, input.invitation);
  const batch = new Set<string>();
  const unseen = input.activities.filter(({ clientEventId }) => {
    if (batch.has(clientEventId) || hasId(session.clientEventIds, clientEventId)) return false;
    batch.add(clientEventId);
    return true;
  });
  // A batch that was recorded as a whole is answered so, also after the session's end.
  const isRepeated = unseen.length === 0 && input.activities.length > 0;
  const refusal = isRepeated ? null : (whenOver(session, input.now) ?? whenTooEarly(isRunning(session)));
  if (refusal) return refusal;
  if (unseen.length === 0) return accept();
  const checked = identityChecked(session, input.identity);
  const personal = { items: unseen.map(contentOf) };
  const numbers = checked.length + unseen.length;
  if (
    session.evidenceBytes + evidenceBytes(personal.items) > MAX_EVIDENCE_BYTES ||
    session.lastSequenceNumber + numbers > MAX_EVIDENCE_EVENTS
  )
    return refuse<SessionCode>('session_full', EVIDENCE_FULL);
  const items = unseen.map(({ occurredAt }) => ({ occurredAt }));
  return accept(
    ...checked,
    sessionEvent(session, 'trial.activity_recorded', { items }, personal, checked.length),
  );
};

const contentOf = ({ clientEventId, eventType, payload }: Activity): ActivityContent => ({
  clientEventId,
  eventType,
  payload,
});

/** The answer to a batch: how much of it was new, and how far the session's evidence goes with it. */
export interface ActivityReceipt {
  readonly accepted: number;
  readonly duplicates: number;
  readonly lastSequenceNumber: number;
}

/**
 * @param recorded whether the command added a batch
 * @param session as the command left it
 */
export const activityReceipt = (sent: number, recorded: boolean, session: Trial): ActivityReceipt => {
  const { lastSequenceNumber, lastBatch } = session;
  const accepted = recorded ? lastBatch : 0;
  return { accepted, duplicates: sent - accepted, lastSequenceNumber };
};

/** The refusal of a command that comes after the end. */
export const sessionEnded = (): Refused => refuse<SessionCode>('session_ended', 'This session has ended.');

/** The refusal of a command that comes before the start. */
export const notStarted = (): Refused =>
  refuse<SessionCode>('not_started', 'This session has not been started yet.');

/** The refusal of a session that is over; else `null`. */
export const whenOver = (session: Trial, now: string): Refused | null =>
  hasEnded(session, now) ? sessionEnded() : null;

/** The refusal of a command whose event may not follow, by the table of transitions; else `null`. */
const whenNotAllowed = (session: Trial, type: LifecycleType, now: string): Refused | null => {
  if (mayFollow({ status: statusAt(session, now) }, type)) return null;
  return whenOver(session, now) ?? notStarted();
};

/** The refusal of a session that has not begun; else `null`. */
export const whenTooEarly = (begun: boolean): Refused | null => (begun ? null : notStarted());

/** The caller's identity by a token. `email` is `null` if the token has none. */
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
  if (!isSameEmail(email, invited.email)) return 'mismatch';
  return emailVerified ? 'verified' : 'unverified';
};
