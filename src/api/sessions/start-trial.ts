import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { RequestContext } from '../../core/command-context.js';
import type { ApplicationRef } from '../../domain/candidate/events.js';
import { withInvitation } from '../../domain/application/reading.js';
import { CommandStreams, type Handled } from '../../core/handle.js';
import { streamName } from '../../core/stream-name.js';
import { startTrial, checkIdentity, type TokenIdentity } from '../../domain/session/decider.js';
import { trial, type TrialState } from '../../domain/session/state.js';

export class StartTrial extends Command<Handled<TrialState>> {
  constructor(
    readonly context: RequestContext,
    readonly application: ApplicationRef,
    readonly identity: TokenIdentity,
  ) {
    super();
  }
}

@CommandHandler(StartTrial)
export class StartTrialHandler implements ICommandHandler<StartTrial> {
  constructor(private readonly streams: CommandStreams) {}

  execute({ context, application, identity }: StartTrial): Promise<Handled<TrialState>> {
    const { expectedVersion } = context;
    const now = context.now.toISOString();
    return this.streams.handle(trial, streamName('trial', application.trialSessionId), context, (state) =>
      withInvitation(this.streams, application, (invitation, candidate) =>
        startTrial(state, {
          invitation,
          now,
          expectedVersion,
          consent: true,
          identity: checkIdentity(candidate, identity),
        }),
      ),
    );
  }
}
