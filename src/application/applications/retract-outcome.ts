import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { isRefused } from '../../core/decider.js';
import { CommandStreams, type Handled } from '../../core/handle.js';
import { streamName } from '../../core/stream-name.js';
import { outcome, type OutcomeState, retractOutcome } from '../../domain/application/decider.js';
import type { ApplicationRef } from '../../domain/candidate/events.js';
import { UseCase } from '../use-case.js';
import { onTrial } from './reading.js';

/** Takes the outcome back. */
export class RetractOutcome extends UseCase<OutcomeState, { readonly application: ApplicationRef }> {
  readonly name = 'RetractOutcome';
}

@CommandHandler(RetractOutcome)
export class RetractOutcomeHandler implements ICommandHandler<RetractOutcome> {
  constructor(private readonly streams: CommandStreams) {}

  execute({ context, input }: RetractOutcome): Promise<Handled<OutcomeState>> {
    const { application } = input;
    const stream = streamName(outcome.kind, application.applicationId);
    return this.streams.handle(outcome, stream, context, async (state) => {
      const on = await onTrial(this.streams, application, context);
      return isRefused(on) ? on : retractOutcome(state, on);
    });
  }
}
