import { openTrials } from '../../projections/open-trials.js';
import { pendingErasures } from '../../projections/pending-erasures.js';
import { NAME as ERASE, propagateErasure } from '../api/applications/erasure.js';
import type { CommandContexts } from '../core/command-context.js';
import { StoreUnavailable } from '../core/errors.js';
import type { Position } from '../core/event-store.js';
import type { CommandStreams } from '../core/handle.js';
import { streamName } from '../core/stream-name.js';
import type { PersonId } from '../core/vault/port.js';
import { withInvitation } from '../domain/application/reading.js';
import { installReactor, operator } from '../domain/operations/decider.js';
import type { OperatorEvent } from '../domain/operations/events.js';
import { expireTrial } from '../domain/session/decider.js';
import { trial } from '../domain/session/state.js';
import type { Found } from '../engine/reads.js';
import type { DocumentOf } from '../engine/view.js';
import type { Vault } from '../vault/port.js';

/**
 * Records, once for all processes, that a reactor is installed.
 * @returns the position of that record in the log
 */
export const installedAt = async (
  streams: CommandStreams,
  contexts: CommandContexts,
  reactor: string,
): Promise<Position> => {
  const stream = streamName('operator', 'log');
  const context = contexts.forSystem({ type: 'system', id: reactor }, reactor);
  const handled = await streams.handle(operator, stream, context, (state) =>
    installReactor(state, { reactor }),
  );
  // Read back: another process may have recorded it first, and its position counts.
  const position = (await streams.read(operator, stream)).state.reactors.get(reactor);
  if (handled.kind === 'refused' || position === undefined)
    throw new StoreUnavailable(`The reactor ${reactor} could not be installed yet.`);
  return position;
};

/**
 * As `installedAt`, but exact from the start: the process that has just recorded it knows no position in its state.
 * What happens before it is not acted on, so it must be recorded before the first command.
 */
export const installationOf = async (
  streams: CommandStreams,
  contexts: CommandContexts,
  reactor: string,
): Promise<Position> => {
  await installedAt(streams, contexts, reactor);
  for await (const event of streams.each<OperatorEvent>(streamName('operator', 'log')))
    if (event.type === 'reactor.installed' && event.data.reactor === reactor) return event.position;
  throw new StoreUnavailable(`The reactor ${reactor} could not be installed yet.`);
};

/** The commands of a reactor have ids made of its name: it must never change. */
const EXPIRE = 'expire-trial';

/** Expires every open session after its `expiresAt`. */
export const expireTrials = (streams: CommandStreams, contexts: CommandContexts) => ({
  name: EXPIRE,
  view: openTrials,
  index: 'byExpiry',
  dueAt: ({ expiresAt }: DocumentOf<typeof openTrials>): string => expiresAt,
  act: async ({ document }: Found<DocumentOf<typeof openTrials>>): Promise<void> => {
    const context = contexts.forReaction(EXPIRE, document.causedBy, document.correlationId);
    const now = context.now.toISOString();
    const stream = streamName('trial', document.trialSessionId);
    const handled = await streams.handle(trial, stream, context, (state) =>
      withInvitation(streams, document, (invitation) => expireTrial(state, { invitation, now })),
    );
    // An erasure ends the session itself.
    if (handled.kind === 'refused' && handled.refusal.code !== 'erased')
      throw new Error(handled.refusal.message);
  },
});

/** Finishes recorded erasures: destroys the key, then ends the candidate's sessions, applications and evaluations. */
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
