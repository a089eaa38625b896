import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { isRefused } from '../../core/decider.js';
import { CommandStreams, type Handled } from '../../core/handle.js';
import { cancelApplication } from '../../domain/application/decider.js';
import type { ApplicationRef } from '../../domain/candidate/events.js';
import { trial, type TrialState } from '../../domain/session/state.js';
import { UseCase } from '../use-case.js';
import { applicationCommandOf } from './reading.js';

/** Ends an open application: the candidate is withdrawn. */
export class CancelApplication extends UseCase<TrialState, { readonly application: ApplicationRef }> {
  readonly name = 'CancelApplication';
}

@CommandHandler(CancelApplication)
export class CancelApplicationHandler implements ICommandHandler<CancelApplication> {
  constructor(private readonly streams: CommandStreams) {}

  execute({ context, input }: CancelApplication): Promise<Handled<TrialState>> {
    const { application } = input;
    return this.streams.handle(trial, application.trialSessionId, context, async (state) => {
      const command = await applicationCommandOf(this.streams, application, context);
      return isRefused(command) ? command : cancelApplication(state, command);
    });
  }
}
