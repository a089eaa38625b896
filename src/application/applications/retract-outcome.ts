import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { isRefused } from '../../core/decider.js';
import { CommandStreams, type Handled } from '../../core/handle.js';
import { outcome, type OutcomeState, retractOutcome } from '../../domain/application/decider.js';
import type { ApplicationRef } from '../../domain/candidate/events.js';
import { UseCase } from '../use-case.js';
import { outcomeCommandOf } from './reading.js';

/** Retracts the outcome. */
export class RetractOutcome extends UseCase<OutcomeState, { readonly application: ApplicationRef }> {
  readonly name = 'RetractOutcome';
}

@CommandHandler(RetractOutcome)
export class RetractOutcomeHandler implements ICommandHandler<RetractOutcome> {
  constructor(private readonly streams: CommandStreams) {}

  execute({ context, input }: RetractOutcome): Promise<Handled<OutcomeState>> {
    const { application } = input;
    return this.streams.handle(outcome, application.applicationId, context, async (state) => {
      const command = await outcomeCommandOf(this.streams, application, context);
      return isRefused(command) ? command : retractOutcome(state, command);
    });
  }
}
