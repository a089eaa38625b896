import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { isRefused } from '../../core/decider.js';
import { CommandStreams, type Handled } from '../../core/handle.js';
import { outcome, type OutcomeState, requestErasure } from '../../domain/application/decider.js';
import type { ApplicationRef } from '../../domain/candidate/events.js';
import { UseCase } from '../use-case.js';
import { NO_APPLICATION, outcomeCommandOf, unlessErased } from './reading.js';

/**
 * A candidate asks staff to erase what the organisation holds about them. The caller has checked that the application
 * is the candidate's.
 */
export class RequestErasure extends UseCase<OutcomeState, { readonly application: ApplicationRef }> {
  readonly name = 'RequestErasure';
}

@CommandHandler(RequestErasure)
export class RequestErasureHandler implements ICommandHandler<RequestErasure> {
  constructor(private readonly streams: CommandStreams) {}

  execute({ context, input }: RequestErasure): Promise<Handled<OutcomeState>> {
    const { application } = input;
    return unlessErased(NO_APPLICATION, () =>
      this.streams.handle(outcome, application.applicationId, context, async (state) => {
        const command = await outcomeCommandOf(this.streams, application, context);
        return isRefused(command) ? command : requestErasure(state, command);
      }),
    );
  }
}
