import type { Stored } from '../../core/event.js';
import type { TrialCompleted, TrialEvent } from '../../domain/session/events.js';
import type { RequestContext } from '../../core/command-context.js';
import { isRefused, refuse, type Refused } from '../../core/decider.js';
import type { CommandStreams } from '../../core/handle.js';
import { streamName } from '../../core/stream-name.js';
import {
  candidate,
  candidateErased,
  type Candidate,
  type OwnInvitation,
} from '../../domain/candidate/decider.js';
import { type ApplicationRef, applicationRefOf } from '../../domain/candidate/events.js';
import { trial } from '../../domain/session/state.js';
import { type OnApplication, type OnTrial, outcome } from '../../domain/application/decider.js';

/** The candidate and the invitation behind an application. */
export interface Invited {
  readonly candidate: Candidate;
  readonly invitation: OwnInvitation;
}

/** What an application is that does not exist, or is another's. */
export const NO_APPLICATION = refuse('not_found', 'There is no such application.');

/**
 * The candidate and the invitation behind an application, from the candidate's stream read to its end: of one who was
 * erased, too.
 */
export const findInvitation = async (
  streams: CommandStreams,
  { candidateId, applicationId }: Pick<ApplicationRef, 'candidateId' | 'applicationId'>,
): Promise<Invited | Refused> => {
  const { state } = await streams.read(candidate, streamName(candidate.kind, candidateId));
  const invitation = state?.invitations.find((one) => one.applicationId === applicationId);
  return state && invitation ? { candidate: state, invitation } : NO_APPLICATION;
};

/** What every decision about an application that is not erased is made by. */
export interface Opened extends Invited {
  readonly now: string;
  readonly expectedVersion: number | null;
  /** Who decides, by id. */
  readonly actor: string;
}

/** As `findInvitation`, for a decision; refused too where the candidate was erased. */
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

/** The application's part in a decision about its session. */
export const onApplication = async (
  streams: CommandStreams,
  application: ApplicationRef,
  context: RequestContext,
): Promise<OnApplication | Refused> => {
  const opened = await openInvitation(streams, application, context);
  if (isRefused(opened)) return opened;
  const { state } = await streams.read(outcome, streamName(outcome.kind, application.applicationId));
  return { ...opened, outcomeVersion: state.version };
};

/** The session's part in a decision about the application, from its stream read to the end. */
export const onTrial = async (
  streams: CommandStreams,
  application: ApplicationRef,
  context: RequestContext,
): Promise<OnTrial | Refused> => {
  const opened = await openInvitation(streams, application, context);
  if (isRefused(opened)) return opened;
  const { state } = await streams.read(trial, streamName(trial.kind, application.trialSessionId));
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
  const stream = streamName(trial.kind, trialSessionId);
  const last = { direction: 'backward', limit: LAST_EVENTS } as const;
  for await (const event of streams.each<TrialEvent>(stream, last))
    if (event.type === 'trial.completed') return event;
  return null;
};
