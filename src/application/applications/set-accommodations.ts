import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { isRefused } from '../../core/decider.js';
import { CommandStreams, type Handled } from '../../core/handle.js';
import { outcome, type OutcomeState, setAccommodations } from '../../domain/application/decider.js';
import type { Accommodations } from '../../domain/application/events.js';
import type { ApplicationRef } from '../../domain/candidate/events.js';
import { UseCase } from '../use-case.js';
import { outcomeCommandOf } from './reading.js';

/** Grants accommodations; the former ones are replaced as a whole. */
export class SetAccommodations extends UseCase<
  OutcomeState,
  { readonly application: ApplicationRef; readonly accommodations: Accommodations }
> {
  readonly name = 'SetAccommodations';
}

@CommandHandler(SetAccommodations)
export class SetAccommodationsHandler implements ICommandHandler<SetAccommodations> {
  constructor(private readonly streams: CommandStreams) {}

  execute({ context, input }: SetAccommodations): Promise<Handled<OutcomeState>> {
    const { application, accommodations } = input;
    return this.streams.handle(outcome, application.applicationId, context, async (state) => {
      const command = await outcomeCommandOf(this.streams, application, context);
      return isRefused(command) ? command : setAccommodations(state, { ...command, accommodations });
    });
  }
}
