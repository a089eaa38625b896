import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { RequestContext } from '../../app/commands/context.js';
import { type ApplicationRef, withInvitation } from '../../candidates/invitation.js';
import { staleVersion } from '../../event-store/decider.js';
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
    const { expectedVersion } = context;
    const stream = streamName('trial', application.trialSessionId);
    const { state: before } = await this.streams.read(trial, stream);
    // A completion that will be refused leaves the candidate in the middle of the answer.
    if (before !== null && !staleVersion(expectedVersion, before.version))
      await this.openTurns.closeOpenTurn(application);
    const now = context.now.toISOString();
    return this.streams.handle(trial, stream, context, (state) =>
      withInvitation(this.streams, application, (invitation) =>
        completeTrial(state, { invitation, now, expectedVersion, evaluationId: context.newId('evaluation') }),
      ),
    );
  }
}
