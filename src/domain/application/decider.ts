import { isDeepStrictEqual } from 'node:util';
import {
  accept,
  type Decider,
  type Decision,
  type RefusalCodes,
  refuse,
  type Refused,
  refuseInvalid,
  staleVersion,
} from '../../core/decider.js';
import type { PersonId } from '../../core/vault/port.js';
import { candidateErased } from '../candidate/decider.js';
import type { ApplicationRef, Invitation } from '../candidate/events.js';
import { parseExpiry } from '../candidate/expiry.js';
import { withdrawn } from '../session/decider.js';
import type { TrialEvent } from '../session/events.js';
import { isClosed, type TrialStatus } from '../session/lifecycle.js';
import { hasEnded, openingOf, sessionEvent, type Trial, trialOf, type TrialState } from '../session/state.js';
import {
  type AccommodationEvent,
  type Accommodations,
  accommodationsOf,
  type ApplicationErased,
  applicationEvent,
  type ApplicationEvent,
  type ErasureRequested,
  type OutcomeEvent,
  type OutcomeValues,
  NO_ACCOMMODATIONS,
  type SignInLockLifted,
} from './events.js';

/** What is refused here, beside the common codes. */
export const APPLICATION_CODES = {
  application_closed: { kind: 'conflict', meaning: 'The application has ended.' },
  trial_not_completed: { kind: 'conflict', meaning: 'The trial has not been completed.' },
  too_many_requests: { kind: 'conflict', meaning: 'The candidate has asked as often as possible.' },
} as const satisfies RefusalCodes;

type ApplicationCode = keyof typeof APPLICATION_CODES;

/** Maximum number of requests of one application: each is kept, also after another replaces it. */
export const MAX_ACCOMMODATION_REQUESTS = 20;

/** The staff's decision after a completed trial. */
export interface Outcome extends OutcomeValues {
  /** `null` if none was given, or if it is unreadable. */
  readonly reason: string | null;
  readonly recordedAt: string;
  readonly recordedBy: string;
}

/** An application's outcome, accommodations and requests as its stream has them. */
export interface OutcomeState {
  /** `null`: none was recorded, or it was retracted. */
  readonly current: Outcome | null;
  readonly accommodations: Accommodations;
  /** `null`: the candidate has asked for nothing, or is erased. */
  readonly accommodationRequest: { readonly text: string | null; readonly requestedAt: string } | null;
  /** How many requests the candidate has sent. */
  readonly accommodationRequests: number;
  /** The candidate asked for accommodations after they were set last: staff have to answer. */
  readonly accommodationUnanswered: boolean;
  /** When the candidate first asked to be erased; `null`: never, or the erasure is done. */
  readonly erasureRequestedAt: string | null;
  /** Number of events that changed it. The application's version is this plus its session's. */
  readonly version: number;
  /** When it was recorded, corrected or retracted last; `null` if it never was. */
  readonly changedAt: string | null;
  /** Nothing is recorded any more. */
  readonly erased: boolean;
}

/** Folds the stream `application-<applicationId>`. */
export const outcome: Decider<OutcomeState, ApplicationEvent> = {
  kind: 'application',
  initial: {
    current: null,
    accommodations: NO_ACCOMMODATIONS,
    accommodationRequest: null,
    accommodationRequests: 0,
    accommodationUnanswered: false,
    erasureRequestedAt: null,
    version: 0,
    changedAt: null,
    erased: false,
  },
  evolve(state, event) {
    if (event.type === 'application.sign_in_lock_lifted') return state;
    const version = state.version + 1;
    if (event.type === 'application.erased')
      return {
        ...state,
        current: state.current && { ...state.current, reason: null },
        accommodations: NO_ACCOMMODATIONS,
        accommodationRequest: null,
        accommodationUnanswered: false,
        erasureRequestedAt: null,
        version,
        erased: true,
      };
    const changedAt = event.metadata.recordedAt;
    if (event.type === 'accommodations.set')
      return {
        ...state,
        accommodations: accommodationsOf(event.data),
        accommodationUnanswered: false,
        version,
      };
    if (event.type === 'accommodations.requested') {
      const text = event.personal?.text ?? null;
      const accommodationRequests = state.accommodationRequests + 1;
      const accommodationRequest = { text, requestedAt: changedAt };
      return {
        ...state,
        ...{ accommodationRequest, accommodationRequests, accommodationUnanswered: true, version },
      };
    }
    if (event.type === 'erasure.requested')
      return { ...state, erasureRequestedAt: state.erasureRequestedAt ?? changedAt, version };
    if (event.type === 'outcome.retracted') return { ...state, current: null, version, changedAt };
    const { humanRound, disposition, recordedBy } = event.data;
    const reason = event.personal?.reason ?? null;
    const current = { humanRound, disposition, reason, recordedBy, recordedAt: changedAt };
    return { ...state, current, version, changedAt };
  },
};

/** What every command on an outcome comes with: the session, and who decides. */
export interface OutcomeCommand {
  readonly ids: ApplicationRef;
  /** Read from the session's stream to its end. */
  readonly trial: { readonly status: TrialStatus; readonly version: number };
  /** Who decides, by subject. */
  readonly actor: string;
  /** The application's version by If-Match: that of its session and its outcome's events together; `null`: any. */
  readonly expectedVersion: number | null;
}

export interface RecordOutcome extends OutcomeCommand, OutcomeValues {
  /** The reason, for staff; `null`: none is given. */
  readonly reason: string | null;
}

/** Records an outcome, or replaces the current one as a whole. */
export const recordOutcome = (state: OutcomeState, input: RecordOutcome): Decision<OutcomeEvent> => {
  const { ids, humanRound, disposition, reason, actor } = input;
  if (humanRound === null && disposition === null)
    return refuseInvalid(
      ['humanRound', 'disposition'].map((path) => ({
        path,
        rule: 'atLeastOne',
        message: 'An outcome needs humanRound, disposition or both.',
      })),
    );
  const refusal = whenNotDecidable(state, input);
  if (refusal) return refusal;
  const { current } = state;
  if (current?.humanRound === humanRound && current.disposition === disposition && current.reason === reason)
    return accept();
  const former = current && valuesOf(current);
  const data = { ...ids, humanRound, disposition, former, recordedBy: actor };
  return accept(applicationEvent('outcome.recorded', data, personOf(ids), { reason }));
};

/** Retracts the current outcome, if there is one. */
export const retractOutcome = (state: OutcomeState, input: OutcomeCommand): Decision<OutcomeEvent> => {
  const refusal = whenNotDecidable(state, input);
  if (refusal) return refusal;
  if (state.current === null) return accept();
  const { ids, actor } = input;
  const data = { ...ids, former: valuesOf(state.current), retractedBy: actor };
  return accept(applicationEvent('outcome.retracted', data, personOf(ids)));
};

export interface SetAccommodations extends OutcomeCommand {
  readonly accommodations: Accommodations;
}

/**
 * Grants accommodations, in place of those that were granted before. While a request is unanswered, the same
 * accommodations are recorded again: they answer it.
 */
export const setAccommodations = (
  state: OutcomeState,
  { ids, actor, accommodations, ...on }: SetAccommodations,
): Decision<AccommodationEvent> => {
  const refusal = whenNotAccommodated(state, on);
  if (refusal) return refusal;
  if (!state.accommodationUnanswered && isDeepStrictEqual(accommodations, state.accommodations))
    return accept();
  const data = { ...ids, ...accommodations, setBy: actor };
  return accept(applicationEvent('accommodations.set', data, personOf(ids)));
};

export interface RequestAccommodation extends OutcomeCommand {
  readonly text: string;
}

/**
 * Records what the candidate asks for, in place of what was asked for before. The same words change nothing while staff
 * have not answered them; after an answer they are a new request.
 */
export const requestAccommodation = (
  state: OutcomeState,
  { ids, text, ...on }: RequestAccommodation,
): Decision<AccommodationEvent> => {
  const refusal = whenNotAccommodated(state, on);
  if (refusal) return refusal;
  if (state.accommodationUnanswered && state.accommodationRequest?.text === text) return accept();
  if (state.accommodationRequests >= MAX_ACCOMMODATION_REQUESTS)
    return refuse<ApplicationCode>(
      'too_many_requests',
      `You have sent ${MAX_ACCOMMODATION_REQUESTS} requests for this application: there can be no more. Write to the organisation.`,
    );
  return accept(applicationEvent('accommodations.requested', ids, personOf(ids), { text }));
};

/** Records that the candidate asks to be erased, in any state of the application. A repeated request changes nothing. */
export const requestErasure = (
  state: OutcomeState,
  { ids }: Pick<OutcomeCommand, 'ids'>,
): Decision<ErasureRequested> => {
  if (state.erased) return candidateErased();
  if (state.erasureRequestedAt !== null) return accept();
  return accept(applicationEvent('erasure.requested', ids, personOf(ids)));
};

/** Records that staff lift the lock on sign-in codes. If the session has ended, the application counts as unknown. */
export const liftSignInLock = (
  state: OutcomeState,
  { ids, session, now }: { readonly ids: ApplicationRef; readonly session: Trial; readonly now: string },
): Decision<SignInLockLifted> => {
  if (state.erased) return candidateErased();
  if (hasEnded(session, now)) return refuse('not_found', 'There is no such application.');
  return accept(applicationEvent('application.sign_in_lock_lifted', ids, personOf(ids)));
};

const whenNotAccommodated = (
  state: OutcomeState,
  { trial, expectedVersion }: Pick<OutcomeCommand, 'trial' | 'expectedVersion'>,
): Refused | null => {
  if (state.erased) return candidateErased();
  const stale = staleVersion(expectedVersion, trial.version + state.version);
  if (stale || !isClosed(trial)) return stale;
  return refuse<ApplicationCode>(
    'application_closed',
    'This application is closed: nothing can be granted for it any more.',
  );
};

/** Ends an erased candidate's application. Its outcome still counts. */
export const eraseApplication = (state: OutcomeState, ids: ApplicationRef): Decision<ApplicationErased> =>
  state.erased ? accept() : accept(applicationEvent('application.erased', ids, personOf(ids)));

/** A candidate's id names their stream, their key and their documents. */
const personOf = ({ candidateId }: ApplicationRef): PersonId => candidateId as PersonId;

const valuesOf = ({ humanRound, disposition }: OutcomeValues): OutcomeValues => ({ humanRound, disposition });

const whenNotDecidable = (
  state: OutcomeState,
  { trial, expectedVersion }: OutcomeCommand,
): Refused | null => {
  if (state.erased) return candidateErased();
  const stale = staleVersion(expectedVersion, trial.version + state.version);
  if (stale || trial.status === 'completed') return stale;
  return refuse<ApplicationCode>(
    'trial_not_completed',
    'An outcome can be recorded once the trial is completed.',
  );
};

/** What every command of staff on an application comes with. */
export interface ApplicationCommand {
  /** From the candidate's stream: what the session is until its own stream begins. */
  readonly invitation: Invitation;
  /** RFC 3339 in UTC, with milliseconds. */
  readonly now: string;
  /** The application's version by If-Match: that of its session and its outcome's events together; `null`: any. */
  readonly expectedVersion: number | null;
  /** As `OutcomeState.version`, read from the application's stream. */
  readonly outcomeVersion: number;
}

export interface ExtendApplication extends ApplicationCommand {
  readonly expiresAt: string;
}

/** Sets another time at which an open application expires: an earlier or a later one, in the future. */
export const extendApplication = (state: TrialState, input: ExtendApplication): Decision<TrialEvent> => {
  const session = trialOf(state, input.invitation);
  const expiry = parseExpiry(input.expiresAt, input.now);
  if ('problem' in expiry) return refuseInvalid([expiry.problem]);
  const refusal = stale(session, input) ?? whenClosed(session, input.now);
  if (refusal) return refusal;
  if (expiry.time === session.expiresAt) return accept();
  return accept(
    sessionEvent(session, 'trial.extended', {
      opening: openingOf(session),
      expiresAt: expiry.time,
      formerExpiresAt: session.expiresAt,
    }),
  );
};

/** Ends an open application as withdrawn. */
export const cancelApplication = (state: TrialState, input: ApplicationCommand): Decision<TrialEvent> => {
  const session = trialOf(state, input.invitation);
  const refusal = stale(session, input);
  if (refusal) return refusal;
  if (session.status === 'withdrawn') return accept();
  return whenClosed(session, input.now) ?? accept<TrialEvent>(withdrawn(session, 'staff'));
};

const stale = (session: Trial, { expectedVersion, outcomeVersion }: ApplicationCommand): Refused | null =>
  staleVersion(expectedVersion, session.version + outcomeVersion);

const whenClosed = (session: Trial, now: string): Refused | null =>
  hasEnded(session, now)
    ? refuse<ApplicationCode>(
        'application_closed',
        'This application is closed: it can be neither extended nor cancelled.',
      )
    : null;
