import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { RequestContext } from '../../app/commands/context.js';
import { type ApplicationRef, withInvitation } from '../../candidates/invitation.js';
import { CommandStreams, type Handled } from '../../event-store/handle.js';
import { streamName } from '../../event-store/stream-name.js';
import { OPEN_TURNS, type OpenTurns } from '../../interview/session/ending.js';
import { completeTrial } from '../decider-candidate.js';
import { trial, type TrialState } from '../decider.js';

export class CompleteTrial extends Command<Handled<TrialState>> {
  constructor(
    readonly context: RequestContext,
    readonly application: ApplicationRef,
  ) {
    super();
  }
}

@CommandHandler(CompleteTrial)
export class CompleteTrialHandler implements ICommandHandler<CompleteTrial> {
  constructor(
    private readonly streams: CommandStreams,
    @Inject(OPEN_TURNS) private readonly openTurns: OpenTurns,
  ) {}

  async execute({ context, application }: CompleteTrial): Promise<Handled<TrialState>> {
    await this.openTurns.closeOpenTurn(application);
    const { expectedVersion } = context;
    const now = context.now.toISOString();
    return this.streams.handle(trial, streamName('trial', application.trialSessionId), context, (state) =>
      withInvitation(this.streams, application, (invitation) =>
        completeTrial(state, { invitation, now, expectedVersion, evaluationId: context.newId('evaluation') }),
      ),
    );
  }
}
