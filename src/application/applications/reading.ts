import type { RequestContext } from '../../core/command-context.js';
import { type Decision, isRefused, refuse, type Refused } from '../../core/decider.js';
import type { Stored } from '../../core/event.js';
import type { CommandStreams, Handled } from '../../core/handle.js';
import { PersonErased } from '../../core/vault/port.js';
import { type ApplicationCommand, type OutcomeCommand, outcome } from '../../domain/application/decider.js';
import {
  candidate,
  candidateErased,
  type Candidate,
  type PersonalInvitation,
} from '../../domain/candidate/decider.js';
import { type ApplicationRef, applicationRefOf } from '../../domain/candidate/events.js';
import { evaluationDecider, type EvaluationState } from '../../domain/evaluation/decider.js';
import type { EvaluationEvent } from '../../domain/evaluation/events.js';
import type { TrialCompleted } from '../../domain/session/events.js';
import { trial } from '../../domain/session/state.js';

/** The candidate and the invitation behind an application. */
export interface Invited {
  readonly candidate: Candidate;
  readonly invitation: PersonalInvitation;
}

/** The answer about an application that does not exist or belongs to another person. */
export const NO_APPLICATION = refuse('not_found', 'There is no such application.');

/**
 * The candidate and the invitation behind an application, from the candidate's stream read to its end: of one who was
 * erased, too.
 */
export const findInvitation = async (
  streams: CommandStreams,
  { candidateId, applicationId }: Pick<ApplicationRef, 'candidateId' | 'applicationId'>,
): Promise<Invited | Refused> => {
  const { state } = await streams.read(candidate, candidateId);
  const invitation = state?.invitations.find((one) => one.applicationId === applicationId);
  return state && invitation ? { candidate: state, invitation } : NO_APPLICATION;
};

/** What every command on an application that is not erased needs. */
export interface Opened extends Invited {
  readonly now: string;
  /** The version named by If-Match; `null`: any. */
  readonly expectedVersion: number | null;
  /** The id of the person who decides. */
  readonly actor: string;
}

/** As `findInvitation`, for commands: also refuses if the candidate was erased. */
export const openInvitation = async (
  streams: CommandStreams,
  ref: Pick<ApplicationRef, 'candidateId' | 'applicationId'>,
  { now, expectedVersion, actor }: Pick<RequestContext, 'now' | 'expectedVersion' | 'actor'>,
): Promise<Opened | Refused> => {
  const found = await findInvitation(streams, ref);
  if (isRefused(found)) return found;
  if (found.candidate.erased) return candidateErased();
  return { ...found, now: now.toISOString(), expectedVersion, actor: actor.id };
};

/** Reads what a decider of the session needs of its application. */
export const applicationCommandOf = async (
  streams: CommandStreams,
  application: ApplicationRef,
  context: RequestContext,
): Promise<ApplicationCommand | Refused> => {
  const opened = await openInvitation(streams, application, context);
  if (isRefused(opened)) return opened;
  const { state } = await streams.read(outcome, application.applicationId);
  return { ...opened, outcomeVersion: state.version };
};

/** Reads what a decider of the application needs of its session, from the session's stream read to its end. */
export const outcomeCommandOf = async (
  streams: CommandStreams,
  application: ApplicationRef,
  context: RequestContext,
): Promise<OutcomeCommand | Refused> => {
  const opened = await openInvitation(streams, application, context);
  if (isRefused(opened)) return opened;
  const { state } = await streams.read(trial, application.trialSessionId);
  // Until its stream begins, the session is as its invitation opened it.
  const { status, version } = state ?? { status: 'invited' as const, version: 1 };
  return { ...opened, ids: applicationRefOf(application), trial: { status, version } };
};

/** Only the erasure follows a session's completion. */
const LAST_EVENTS = 2;

/** The event that completed a session, read from the stream's end; `null`: it was not completed. */
export const readCompletion = async (
  streams: Pick<CommandStreams, 'each'>,
  trialSessionId: string,
): Promise<Stored<TrialCompleted> | null> => {
  const last = { direction: 'backward', limit: LAST_EVENTS } as const;
  for await (const event of streams.each(trial, trialSessionId, last))
    if (event.type === 'trial.completed') return event;
  return null;
};

/**
 * Changes an evaluation. Its chain continues its session's from the completion on, whichever event is its first, so that
 * neither can be exchanged later.
 * @param completed the event that completed the session; `null`: it was not completed
 */
export const handleEvaluation = (
  streams: Pick<CommandStreams, 'handle'>,
  {
    evaluationId,
    completed,
  }: { readonly evaluationId: string; readonly completed: Stored<TrialCompleted> | null },
  context: RequestContext,
  decide: (state: EvaluationState) => Decision<EvaluationEvent> | Promise<Decision<EvaluationEvent>>,
): Promise<Handled<EvaluationState>> =>
  streams.handle(evaluationDecider, evaluationId, context, decide, completed?.chain?.hash ?? null);

/**
 * Runs a candidate's own command. For an erased candidate it answers `missing`, as for a record that never existed,
 * also if the erasure happens while the command runs.
 */
export const unlessErased = async <S>(
  missing: Refused,
  command: () => Promise<Handled<S>>,
): Promise<Handled<S>> => {
  try {
    const handled = await command();
    return handled.kind === 'refused' && handled.refusal.code === 'erased' ? missing : handled;
  } catch (error) {
    if (error instanceof PersonErased) return missing;
    throw error;
  }
};
