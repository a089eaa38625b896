import { openTrials } from '../../projections/open-trials.js';
import { pendingErasures } from '../../projections/pending-erasures.js';
import { pendingEvaluations } from '../../projections/pending-evaluations.js';
import { NAME as ERASE, propagateErasure } from '../application/applications/erase-candidate.js';
import { handleEvaluation, openInvitation, readCompletion } from '../application/applications/reading.js';
import type { CommandContexts } from '../core/command-context.js';
import { isRefused } from '../core/decider.js';
import { StoreUnavailable } from '../core/errors.js';
import type { Position } from '../core/event-store.js';
import type { CommandStreams } from '../core/handle.js';
import type { PersonId } from '../core/vault/port.js';
import { applicationRefOf } from '../domain/candidate/events.js';
import { firstDeadline } from '../domain/evaluation/awaited.js';
import { endWait } from '../domain/evaluation/late-work-decider.js';
import { installReactors, operator } from '../domain/operations/decider.js';
import { expireTrial } from '../domain/session/decider.js';
import { trial } from '../domain/session/state.js';
import type { Found } from '../engine/reads/reads.js';
import type { DocumentOf } from '../engine/view.js';
import { OPERATOR_LOG } from '../process/operations/operations.js';
import type { Vault } from '../vault/port.js';

/**
 * Records, once for all processes, that reactors are installed. A reactor does not act on events before its record, so
 * a process that handles commands must call this before the first command.
 */
export const installAll = async (
  streams: CommandStreams,
  contexts: CommandContexts,
  reactors: readonly string[],
): Promise<void> => {
  const context = contexts.forSystem({ type: 'system', id: 'reactors' }, 'reactors');
  await streams.handle(operator, OPERATOR_LOG, context, (state) => installReactors(state, reactors));
};

/**
 * Records that a reactor is installed, if that is not yet recorded.
 * @returns the position of that record. It is read from the log, since a state has no positions of this process's appends
 */
export const installedAt = async (
  streams: CommandStreams,
  contexts: CommandContexts,
  reactor: string,
): Promise<Position> => {
  await installAll(streams, contexts, [reactor]);
  const from = (await streams.read(operator, OPERATOR_LOG)).state.reactors.get(reactor);
  if (from !== undefined)
    for await (const { position } of streams.each(operator, OPERATOR_LOG, { from, limit: 1 }))
      return position;
  throw new StoreUnavailable(`The reactor ${reactor} could not be installed yet.`);
};

/** The commands of a reactor have ids made of its name: it must never change. */
export const EXPIRE = 'expire-trial';

/** The reactor that expires open sessions after their `expiresAt`. */
export const expireTrials = (streams: CommandStreams, contexts: CommandContexts) => ({
  name: EXPIRE,
  view: openTrials,
  index: 'byExpiry',
  dueAt: ({ expiresAt }: DocumentOf<typeof openTrials>): string => expiresAt,
  act: async ({ document }: Found<DocumentOf<typeof openTrials>>, now: Date): Promise<void> => {
    const context = contexts.forReaction(EXPIRE, document.causedBy, document.correlationId);
    const handled = await streams.handle(trial, document.trialSessionId, context, async (state) => {
      const invited = await openInvitation(streams, document, context);
      if (isRefused(invited)) return invited;
      return expireTrial(state, { invitation: invited.invitation, now: now.toISOString() });
    });
    // An erasure ends the session itself.
    if (handled.kind === 'refused' && handled.refusal.code !== 'erased')
      throw new Error(handled.refusal.message);
  },
});

/** The commands of a reactor have ids made of its name: it must never change. */
export const END_WAIT = 'end-evaluation-wait';

/** Ends an evaluation's wait for each piece of work whose time is over: the evaluation is made without it. */
export const endWaits = (streams: CommandStreams, contexts: CommandContexts) => ({
  name: END_WAIT,
  view: pendingEvaluations,
  index: 'byDeadline',
  dueAt: ({ awaited }: DocumentOf<typeof pendingEvaluations>): string => firstDeadline(awaited) ?? '',
  act: async ({ document }: Found<DocumentOf<typeof pendingEvaluations>>, now: Date): Promise<void> => {
    const { evaluationId, trialSessionId, causedBy, correlationId } = document;
    const completed = await readCompletion(streams, trialSessionId);
    if (completed === null) return;
    const { awaits = [] } = completed.data;
    const ids = { ...applicationRefOf(document), evaluationId };
    // Each deadline has its own command.
    const cause = `${causedBy} ${firstDeadline(document.awaited)}`;
    const context = contexts.forReaction(END_WAIT, cause, correlationId);
    const own = { ...context, causationId: causedBy };
    const handled = await handleEvaluation(streams, { evaluationId, completed }, own, (state) =>
      endWait(state, { ids, awaits, now: now.toISOString() }),
    );
    if (handled.kind === 'refused') throw new Error(handled.refusal.message);
  },
});

/**
 * The reactor that finishes recorded erasures: destroys the key, then ends the candidate's sessions, applications and
 * evaluations.
 */
export const eraseCandidates = (
  { streams, vault }: { readonly streams: CommandStreams; readonly vault: Pick<Vault, 'keys'> },
  contexts: CommandContexts,
) => ({
  name: ERASE,
  view: pendingErasures,
  index: 'byRequest',
  act: async ({ id, document }: Found<DocumentOf<typeof pendingErasures>>): Promise<void> => {
    if (!document.requested) return;
    await vault.keys.erase(id as PersonId);
    await propagateErasure(streams, contexts, id);
  },
});
