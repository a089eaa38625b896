import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { isRefused } from '../../core/decider.js';
import { CommandStreams, type Handled } from '../../core/handle.js';
import { streamName } from '../../core/stream-name.js';
import {
  outcome,
  type OutcomeState,
  type RecordOutcome as RecordedOutcome,
  recordOutcome,
} from '../../domain/application/decider.js';
import type { ApplicationRef } from '../../domain/candidate/events.js';
import { UseCase } from '../use-case.js';
import { onTrial } from './reading.js';

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
    const stream = streamName(outcome.kind, application.applicationId);
    return this.streams.handle(outcome, stream, context, async (state) => {
      const on = await onTrial(this.streams, application, context);
      return isRefused(on) ? on : recordOutcome(state, { ...on, ...recorded });
    });
  }
}
