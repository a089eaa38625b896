import { pendingErasures } from '../../../projections/pending-erasures.js';
import type { CommandContexts, RequestContext } from '../../app/commands/context.js';
import { eraseEvaluation, evaluationDecider } from '../../evaluations/decider.js';
import type { CommandStreams, Handled } from '../../event-store/handle.js';
import { streamName } from '../../event-store/stream-name.js';
import { eraseApplication, outcome } from '../../outcomes/decider.js';
import type { Found } from '../../projection-engine/reads.js';
import type { DocumentOf } from '../../projection-engine/view.js';
import { eraseTrial } from '../../trials/decider-staff.js';
import { trial } from '../../trials/decider.js';
import type { TrialEvent } from '../../trials/events.js';
import type { PersonId, Vault } from '../../vault/port.js';
import { candidate } from '../decider.js';
import type { Invitation } from '../events.js';

/** Under which its commands are known: never to be changed. */
export const NAME = 'erase-candidate';

/** What carries erasures on needs. */
export interface ErasingStores {
  readonly streams: CommandStreams;
  readonly vault: Pick<Vault, 'keys'>;
}

/**
 * Carries every erasure on: to the key, where whoever recorded the erasure was stopped before it was destroyed, then
 * to the sessions, applications and evaluations of the candidate. What of them was open ends by it.
 */
export const eraseCandidates = (stores: ErasingStores, contexts: CommandContexts) => ({
  name: NAME,
  view: pendingErasures,
  index: 'byRequest',
  act: async ({ id, document }: Found<DocumentOf<typeof pendingErasures>>): Promise<void> => {
    const { requested } = document;
    if (!requested) return;
    await stores.vault.keys.erase(id as PersonId);
    const context = contexts.forReaction(NAME, requested.causedBy, requested.correlationId);
    const { state } = await stores.streams.read(candidate, streamName('candidate', id));
    for (const invitation of state?.invitations ?? []) await eraseInvited(stores, invitation, context);
  },
});

/** Tells an application's three streams. */
const eraseInvited = async (
  { streams }: ErasingStores,
  invitation: Invitation,
  context: RequestContext,
): Promise<void> => {
  const { organisationId, roleId, candidateId, applicationId, trialSessionId } = invitation;
  const ids = { organisationId, roleId, candidateId, applicationId, trialSessionId };
  const session = carriedOut(
    await streams.handle(trial, streamName('trial', trialSessionId), context, (state) =>
      eraseTrial(state, { invitation }),
    ),
  );
  carriedOut(
    await streams.handle(outcome, streamName('application', applicationId), context, (state) =>
      eraseApplication(state, ids),
    ),
  );
  // From here on the session ends in no other way: only now is it certain whether there is an evaluation.
  if (session?.phase.status !== 'completed') return;
  const { evaluationId } = session.phase;
  const events = await streams.events<TrialEvent>(streamName('trial', trialSessionId));
  const completed = events.find(({ type }) => type === 'trial.completed');
  carriedOut(
    await streams.handle(
      evaluationDecider,
      streamName('evaluation', evaluationId),
      context,
      (state) => eraseEvaluation(state, { ...ids, evaluationId }),
      completed?.chain?.hash ?? null,
    ),
  );
};

/** @throws {Error} others keep changing the stream: again later */
const carriedOut = <S>(handled: Handled<S>): S => {
  if (handled.kind === 'refused') throw new Error(handled.refusal.message);
  return handled.state;
};
