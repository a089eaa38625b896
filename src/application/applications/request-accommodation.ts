import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { isRefused } from '../../core/decider.js';
import { CommandStreams, type Handled } from '../../core/handle.js';
import { outcome, type OutcomeState, requestAccommodation } from '../../domain/application/decider.js';
import type { ApplicationRef } from '../../domain/candidate/events.js';
import { UseCase } from '../use-case.js';
import { NO_APPLICATION, outcomeCommandOf, unlessErased } from './reading.js';

/**
 * Asks staff for an accommodation, in the candidate’s words. The caller has checked that the application is the
 * candidate's.
 */
export class RequestAccommodation extends UseCase<
  OutcomeState,
  { readonly application: ApplicationRef; readonly text: string }
> {
  readonly name = 'RequestAccommodation';
}

@CommandHandler(RequestAccommodation)
export class RequestAccommodationHandler implements ICommandHandler<RequestAccommodation> {
  constructor(private readonly streams: CommandStreams) {}

  execute({ context, input }: RequestAccommodation): Promise<Handled<OutcomeState>> {
    const { application, text } = input;
    return unlessErased(NO_APPLICATION, () =>
      this.streams.handle(outcome, application.applicationId, context, async (state) => {
        const command = await outcomeCommandOf(this.streams, application, context);
        return isRefused(command) ? command : requestAccommodation(state, { ...command, text });
      }),
    );
  }
}
