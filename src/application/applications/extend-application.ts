import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { isRefused } from '../../core/decider.js';
import { CommandStreams, type Handled } from '../../core/handle.js';
import { extendApplication } from '../../domain/application/decider.js';
import type { ApplicationRef } from '../../domain/candidate/events.js';
import { trial, type TrialState } from '../../domain/session/state.js';
import { UseCase } from '../use-case.js';
import { applicationCommandOf } from './reading.js';

/** Sets another time at which an open application expires. */
export class ExtendApplication extends UseCase<
  TrialState,
  { readonly application: ApplicationRef; readonly expiresAt: string }
> {
  readonly name = 'ExtendApplication';
}

@CommandHandler(ExtendApplication)
export class ExtendApplicationHandler implements ICommandHandler<ExtendApplication> {
  constructor(private readonly streams: CommandStreams) {}

  execute({ context, input }: ExtendApplication): Promise<Handled<TrialState>> {
    const { application, expiresAt } = input;
    return this.streams.handle(trial, application.trialSessionId, context, async (state) => {
      const command = await applicationCommandOf(this.streams, application, context);
      return isRefused(command) ? command : extendApplication(state, { ...command, expiresAt });
    });
  }
}
