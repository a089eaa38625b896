import { openTrials } from '../../../projections/open-trials.js';
import type { CommandContexts } from '../../core/command-context.js';
import type { Found } from '../../engine/reads.js';
import type { DocumentOf } from '../../engine/view.js';
import { ExpireTrial, type ExpireTrialHandler } from './command.js';

/** Under which its commands are known: never to be changed. */
export const NAME = 'expire-trial';

/** Expires every open session whose time is up. */
export const expireTrials = (handler: ExpireTrialHandler, contexts: CommandContexts) => ({
  name: NAME,
  view: openTrials,
  index: 'byExpiry',
  upTo: (): string => new Date().toISOString(),
  // What becomes due wakes nobody.
  pollMs: 500,
  act: async ({ document }: Found<DocumentOf<typeof openTrials>>): Promise<void> => {
    const context = contexts.forReaction(NAME, document.causedBy, document.correlationId);
    const handled = await handler.execute(new ExpireTrial(context, document));
    // An erasure ends the session itself.
    if (handled.kind === 'refused' && handled.refusal.code !== 'erased')
      throw new Error(handled.refusal.message);
  },
});
