import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { RequestContext } from '../../app/commands/context.js';
import { type ApplicationRef, withInvitation } from '../../candidates/invitation.js';
import { CommandStreams, type Handled } from '../../event-store/handle.js';
import { streamName } from '../../event-store/stream-name.js';
import { withdrawTrial } from '../decider-candidate.js';
import { trial, type TrialState } from '../decider.js';

export class WithdrawTrial extends Command<Handled<TrialState>> {
  constructor(
    readonly context: RequestContext,
    readonly application: ApplicationRef,
  ) {
    super();
  }
}

@CommandHandler(WithdrawTrial)
export class WithdrawTrialHandler implements ICommandHandler<WithdrawTrial> {
  constructor(private readonly streams: CommandStreams) {}

  execute({ context, application }: WithdrawTrial): Promise<Handled<TrialState>> {
    const { expectedVersion } = context;
    const now = context.now.toISOString();
    return this.streams.handle(trial, streamName('trial', application.trialSessionId), context, (state) =>
      withInvitation(this.streams, application, (invitation) =>
        withdrawTrial(state, { invitation, now, expectedVersion }),
      ),
    );
  }
}
