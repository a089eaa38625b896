import type { CommandContexts, RequestContext } from '../../core/command-context.js';
import { eraseEvaluation, evaluationDecider } from '../../domain/evaluation/decider.js';
import type { CommandStreams, Handled } from '../../core/handle.js';
import type { Position } from '../../core/event-store.js';
import { streamName } from '../../core/stream-name.js';
import { eraseApplication, outcome } from '../../domain/application/decider.js';
import { eraseTrial } from '../../domain/session/decider.js';
import { trial, readCompletion } from '../../domain/session/state.js';
import { candidate } from '../../domain/candidate/decider.js';
import type { CandidateEvent, Invitation } from '../../domain/candidate/events.js';

/** Under which its commands are known: never to be changed. */
export const NAME = 'erase-candidate';

/**
 * Carries an erasure that was recorded on to the sessions, applications and evaluations of the candidate. What of them
 * was open ends by it. Each is told once, by whoever comes first.
 * @param going false: enough for now, others do the rest
 * @returns where the last of it stands, `null` where the candidate was not erased
 * @throws {StoreUnavailable | Error} again later
 */
export const carryOn = async (
  streams: CommandStreams,
  contexts: CommandContexts,
  candidateId: string,
  going: () => boolean = () => true,
): Promise<Position | null> => {
  const stream = streamName('candidate', candidateId);
  const events = await streams.events<CandidateEvent>(stream);
  const erasure = events.find(({ type }) => type === 'candidate.erased');
  if (!erasure) return null;
  const context = contexts.forReaction(NAME, erasure.id, erasure.metadata.correlationId);
  const { state } = await streams.read(candidate, stream);
  let last = erasure.position;
  for (const invitation of state?.invitations ?? []) {
    if (!going()) break;
    const told = await tell(streams, invitation, context);
    if (told > last) last = told;
  }
  return last;
};

/** Tells an application's three streams. @returns where the last of it stands */
const tell = async (
  streams: CommandStreams,
  invitation: Invitation,
  context: RequestContext,
): Promise<Position> => {
  const { organisationId, roleId, candidateId, applicationId, trialSessionId } = invitation;
  const ids = { organisationId, roleId, candidateId, applicationId, trialSessionId };
  const { state: session } = carriedOut(
    await streams.handle(trial, streamName('trial', trialSessionId), context, (state) =>
      eraseTrial(state, { invitation }),
    ),
  );
  const { position } = carriedOut(
    await streams.handle(outcome, streamName('application', applicationId), context, (state) =>
      eraseApplication(state, ids),
    ),
  );
  // From here on the session ends in no other way: only now is it certain whether there is an evaluation.
  const evaluationId = session?.evaluationId ?? null;
  if (evaluationId === null) return position;
  const completed = await readCompletion(streams, trialSessionId);
  const evaluation = carriedOut(
    await streams.handle(
      evaluationDecider,
      streamName('evaluation', evaluationId),
      context,
      (state) => eraseEvaluation(state, { ...ids, evaluationId }),
      completed?.chain?.hash ?? null,
    ),
  );
  return evaluation.position;
};

/** @throws {Error} others keep changing the stream: again later */
const carriedOut = <S>(handled: Handled<S>): Extract<Handled<S>, { kind: 'done' }> => {
  if (handled.kind === 'refused') throw new Error(handled.refusal.message);
  return handled;
};
