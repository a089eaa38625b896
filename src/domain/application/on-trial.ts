import type { RequestContext } from '../../core/command-context.js';
import type { ApplicationRef } from '../candidate/invitation.js';
import type { CommandStreams } from '../../core/handle.js';
import { streamName } from '../../core/stream-name.js';
import { trial } from '../session/decider.js';
import type { OnTrial } from './decider.js';

/** What a decision about an outcome needs of its session: read from the session's stream to its end. */
export const onTrial = async (
  streams: CommandStreams,
  application: ApplicationRef,
  { actor, expectedVersion }: RequestContext,
): Promise<OnTrial> => {
  const { organisationId, roleId, candidateId, applicationId, trialSessionId } = application;
  const { state } = await streams.read(trial, streamName('trial', trialSessionId));
  return {
    ids: { organisationId, roleId, candidateId, applicationId, trialSessionId },
    // A session whose stream has not begun stands as its invitation left it.
    trial: state ? { status: state.phase.status, version: state.version } : { status: 'invited', version: 1 },
    actor: actor.id,
    expectedVersion,
  };
};
