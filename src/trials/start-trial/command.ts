import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { RequestContext } from '../../app/commands/context.js';
import { type ApplicationRef, withInvitation } from '../../candidates/invitation.js';
import { CommandStreams, type Handled } from '../../event-store/handle.js';
import { streamName } from '../../event-store/stream-name.js';
import { startTrial } from '../decider-candidate.js';
import { checkIdentity, type TokenIdentity, trial, type TrialState } from '../decider.js';

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
