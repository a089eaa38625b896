import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { isRefused } from '../../core/decider.js';
import { CommandStreams, type Handled } from '../../core/handle.js';
import {
  outcome,
  type OutcomeState,
  type RecordOutcome as RecordedOutcome,
  recordOutcome,
} from '../../domain/application/decider.js';
import type { ApplicationRef } from '../../domain/candidate/events.js';
import { UseCase } from '../use-case.js';
import { outcomeCommandOf } from './reading.js';

/** Records an outcome; the former one is replaced as a whole. */
export class RecordOutcome extends UseCase<
  OutcomeState,
  {
    readonly application: ApplicationRef;
    readonly recorded: Pick<RecordedOutcome, 'humanRound' | 'disposition' | 'reason'>;
  }
> {
  readonly name = 'RecordOutcome';
}

@CommandHandler(RecordOutcome)
export class RecordOutcomeHandler implements ICommandHandler<RecordOutcome> {
  constructor(private readonly streams: CommandStreams) {}

  execute({ context, input }: RecordOutcome): Promise<Handled<OutcomeState>> {
    const { application, recorded } = input;
    return this.streams.handle(outcome, application.applicationId, context, async (state) => {
      const command = await outcomeCommandOf(this.streams, application, context);
      return isRefused(command) ? command : recordOutcome(state, { ...command, ...recorded });
    });
  }
}
