import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { RequestContext } from '../../core/command-context.js';
import type { ApplicationRef } from '../../domain/candidate/events.js';
import { withInvitation, onTrial } from '../../domain/application/reading.js';
import { CommandStreams, type Handled } from '../../core/handle.js';
import { streamName } from '../../core/stream-name.js';
import { outcome, type OutcomeState, retractOutcome } from '../../domain/application/decider.js';

export class RetractOutcome extends Command<Handled<OutcomeState>> {
  constructor(
    readonly context: RequestContext,
    readonly application: ApplicationRef,
  ) {
    super();
  }
}

@CommandHandler(RetractOutcome)
export class RetractOutcomeHandler implements ICommandHandler<RetractOutcome> {
  constructor(private readonly streams: CommandStreams) {}

  execute({ context, application }: RetractOutcome): Promise<Handled<OutcomeState>> {
    return this.streams.handle(
      outcome,
      streamName('application', application.applicationId),
      context,
      (state) =>
        withInvitation(this.streams, application, async () =>
          retractOutcome(state, await onTrial(this.streams, application, context)),
        ),
    );
  }
}
