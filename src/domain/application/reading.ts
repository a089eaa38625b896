import type { RequestContext } from '../../core/command-context.js';
import { type Decision, refuse, type Refused } from '../../core/decider.js';
import type { AnyEvent } from '../../core/event.js';
import type { CommandStreams } from '../../core/handle.js';
import { streamName } from '../../core/stream-name.js';
import { candidate, candidateErased, type Candidate, type OwnInvitation } from '../candidate/decider.js';
import { type ApplicationRef, applicationRefOf, type Invitation } from '../candidate/events.js';
import { trial } from '../session/state.js';
import type { OnTrial } from './decider.js';

/** The candidate and the invitation behind an application. */
export interface Invited {
  readonly candidate: Candidate;
  readonly invitation: OwnInvitation;
}

/**
 * The candidate and the invitation behind an application, from the candidate's stream read to its end: of one who was
 * erased, too.
 */
export const findInvitation = async (
  streams: CommandStreams,
  { candidateId, applicationId }: Pick<ApplicationRef, 'candidateId' | 'applicationId'>,
): Promise<Invited | Refused> => {
  const { state } = await streams.read(candidate, streamName('candidate', candidateId));
  const invitation = state?.invitations.find((one) => one.applicationId === applicationId);
  return state && invitation
    ? { candidate: state, invitation }
    : refuse('not_found', 'There is no such application.');
};

/** Decides with the invitation at hand, unless the candidate was erased. */
export const withInvitation = async <E extends AnyEvent>(
  streams: CommandStreams,
  ref: Pick<ApplicationRef, 'candidateId' | 'applicationId'>,
  decide: (invitation: Invitation, candidate: Candidate) => Decision<E> | Promise<Decision<E>>,
): Promise<Decision<E>> => {
  const found = await findInvitation(streams, ref);
  if ('kind' in found) return found;
  return found.candidate.erased ? candidateErased() : decide(found.invitation, found.candidate);
};

/** The session's part in a decision about an outcome, from its stream read to the end. */
export const onTrial = async (
  streams: CommandStreams,
  application: ApplicationRef,
  { actor, expectedVersion }: RequestContext,
): Promise<OnTrial> => {
  const { state } = await streams.read(trial, streamName('trial', application.trialSessionId));
  return {
    ids: applicationRefOf(application),
    // Until its stream begins, the session is as its invitation opened it.
    trial: state ? { status: state.status, version: state.version } : { status: 'invited', version: 1 },
    actor: actor.id,
    expectedVersion,
  };
};
