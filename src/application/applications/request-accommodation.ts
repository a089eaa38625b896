import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { isRefused } from '../../core/decider.js';
import { CommandStreams, type Handled } from '../../core/handle.js';
import { streamName } from '../../core/stream-name.js';
import { outcome, type OutcomeState, requestAccommodation } from '../../domain/application/decider.js';
import type { ApplicationRef } from '../../domain/candidate/events.js';
import { UseCase } from '../use-case.js';
import { unlessErased } from './unless-erased.js';
import { NO_APPLICATION, onTrial } from './reading.js';

/** Asks staff for an accommodation, in the candidate’s words. The application is known to be the caller's own. */
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
    const stream = streamName(outcome.kind, application.applicationId);
    return unlessErased(NO_APPLICATION, () =>
      this.streams.handle(outcome, stream, context, async (state) => {
        const on = await onTrial(this.streams, application, context);
        return isRefused(on) ? on : requestAccommodation(state, { ...on, text });
      }),
    );
  }
}
