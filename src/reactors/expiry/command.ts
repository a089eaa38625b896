import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { RequestContext } from '../../core/command-context.js';
import type { ApplicationRef } from '../../domain/candidate/events.js';
import { withInvitation } from '../../domain/application/reading.js';
import { CommandStreams, type Handled } from '../../core/handle.js';
import { streamName } from '../../core/stream-name.js';
import { expireTrial } from '../../domain/session/decider.js';
import { trial, type TrialState } from '../../domain/session/state.js';

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
