import type { Invitation } from '../candidate/events.js';
import type { Decision, Refused } from '../../core/decider.js';
import { accept, refuse, refuseInvalid, staleVersion } from '../../core/decider.js';
import { withdrawn } from './decider-candidate.js';
import { nextIds, openingOf, trialOf, type TrialState } from './decider.js';
import type { TrialEvent } from './events.js';
import { parseExpiry } from '../../core/timestamp.js';
import { hasEnded, isClosed, isOverdue, type Trial } from './trial.js';

/** What every command of staff on an application comes with. */
export interface OnApplication {
  /** From the candidate's stream: what the session is until its own stream begins. */
  readonly invitation: Invitation;
  /** As this service writes times. */
  readonly now: string;
  /** The application's version by If-Match: that of its session and its outcome's events together. */
  readonly expectedVersion: number | null;
  /** Events of the application's outcome so far. */
  readonly outcomeVersion: number;
}

export interface ExtendApplication extends OnApplication {
  readonly expiresAt: string;
}

/** Moves the time at which an open application expires, either way, as long as it lies ahead. */
export const extendApplication = (state: TrialState, input: ExtendApplication): Decision<TrialEvent> => {
  const session = trialOf(state, input.invitation);
  const expiry = parseExpiry(input.expiresAt, input.now);
  if ('problem' in expiry) return refuseInvalid([expiry.problem]);
  const refusal = stale(session, input) ?? whenClosed(session, input.now);
  if (refusal) return refusal;
  if (expiry.time === session.expiresAt) return accept();
  return accept<TrialEvent>({
    type: 'trial.extended',
    data: {
      ...nextIds(session),
      opening: openingOf(session),
      expiresAt: expiry.time,
      formerExpiresAt: session.expiresAt,
    },
    person: session.candidateId,
    personal: null,
  });
};

/** Ends an open application as withdrawn. */
export const cancelApplication = (state: TrialState, input: OnApplication): Decision<TrialEvent> => {
  const session = trialOf(state, input.invitation);
  const refusal = stale(session, input);
  if (refusal) return refusal;
  if (session.phase.status === 'withdrawn') return accept();
  return whenClosed(session, input.now) ?? accept<TrialEvent>(withdrawn(session, 'staff'));
};

/** Ends a session whose time is up. Asked too early or too late, there is nothing to do. */
export const expireTrial = (
  state: TrialState,
  { invitation, now }: Pick<OnApplication, 'invitation' | 'now'>,
): Decision<TrialEvent> => {
  const session = trialOf(state, invitation);
  if (isClosed(session) || !isOverdue(session, now)) return accept();
  return accept<TrialEvent>({
    type: 'trial.expired',
    data: { ...nextIds(session), opening: openingOf(session) },
    person: session.candidateId,
    personal: null,
  });
};

/** Ends what is left of an erased candidate's session: the last thing that is recorded of it. */
export const eraseTrial = (
  state: TrialState,
  { invitation }: Pick<OnApplication, 'invitation'>,
): Decision<TrialEvent> => {
  const session = trialOf(state, invitation);
  if (session.erased) return accept();
  return accept<TrialEvent>({
    type: 'trial.erased',
    data: { ...nextIds(session), opening: openingOf(session), withdrawn: !isClosed(session) },
    person: session.candidateId,
    personal: null,
  });
};

const stale = (session: Trial, { expectedVersion, outcomeVersion }: OnApplication): Refused | null =>
  staleVersion(expectedVersion, session.version + outcomeVersion);

const whenClosed = (session: Trial, now: string): Refused | null =>
  hasEnded(session, now)
    ? refuse('application_closed', 'This application is closed: it can be neither extended nor cancelled.')
    : null;
