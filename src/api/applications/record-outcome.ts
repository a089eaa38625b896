import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { RequestContext } from '../../core/command-context.js';
import type { ApplicationRef } from '../../domain/candidate/events.js';
import { withInvitation, onTrial } from '../../domain/application/reading.js';
import { CommandStreams, type Handled } from '../../core/handle.js';
import { streamName } from '../../core/stream-name.js';
import { outcome, type OutcomeState, recordOutcome } from '../../domain/application/decider.js';
import type { OutcomeValues } from '../../domain/application/events.js';

export class RecordOutcome extends Command<Handled<OutcomeState>> {
  constructor(
    readonly context: RequestContext,
    readonly application: ApplicationRef,
    readonly values: OutcomeValues & { readonly reason: string | null },
  ) {
    super();
  }
}

@CommandHandler(RecordOutcome)
export class RecordOutcomeHandler implements ICommandHandler<RecordOutcome> {
  constructor(private readonly streams: CommandStreams) {}

  execute({ context, application, values }: RecordOutcome): Promise<Handled<OutcomeState>> {
    return this.streams.handle(
      outcome,
      streamName('application', application.applicationId),
      context,
      (state) =>
        withInvitation(this.streams, application, async () =>
          recordOutcome(state, { ...(await onTrial(this.streams, application, context)), ...values }),
        ),
    );
  }
}
