import { openTrials } from '../../projections/open-trials.js';
import type { CommandContexts, RequestContext } from '../core/command-context.js';
import type { Found } from '../engine/reads.js';
import type { DocumentOf } from '../engine/view.js';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { ApplicationRef } from '../domain/candidate/events.js';
import { withInvitation } from '../domain/application/reading.js';
import { CommandStreams, type Handled } from '../core/handle.js';
import { streamName } from '../core/stream-name.js';
import { expireTrial } from '../domain/session/decider.js';
import { trial, type TrialState } from '../domain/session/state.js';

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

/** Ends a session whose time is up; one that is not, or has ended, stays as it is. */
export class ExpireTrial extends Command<Handled<TrialState>> {
  constructor(
    readonly context: RequestContext,
    readonly application: ApplicationRef,
  ) {
    super();
  }
}

@CommandHandler(ExpireTrial)
export class ExpireTrialHandler implements ICommandHandler<ExpireTrial> {
  constructor(private readonly streams: CommandStreams) {}

  execute({ context, application }: ExpireTrial): Promise<Handled<TrialState>> {
    const now = context.now.toISOString();
    return this.streams.handle(trial, streamName('trial', application.trialSessionId), context, (state) =>
      withInvitation(this.streams, application, (invitation) => expireTrial(state, { invitation, now })),
    );
  }
}
