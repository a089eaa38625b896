import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { isRefused } from '../../core/decider.js';
import { CommandStreams, type Handled } from '../../core/handle.js';
import { streamName } from '../../core/stream-name.js';
import { cancelApplication } from '../../domain/application/decider.js';
import type { ApplicationRef } from '../../domain/candidate/events.js';
import { trial, type TrialState } from '../../domain/session/state.js';
import { UseCase } from '../use-case.js';
import { onApplication } from './reading.js';

/** Ends an open application: the candidate is withdrawn. */
export class CancelApplication extends UseCase<TrialState, { readonly application: ApplicationRef }> {
  readonly name = 'CancelApplication';
}

@CommandHandler(CancelApplication)
export class CancelApplicationHandler implements ICommandHandler<CancelApplication> {
  constructor(private readonly streams: CommandStreams) {}

  execute({ context, input }: CancelApplication): Promise<Handled<TrialState>> {
    const { application } = input;
    const stream = streamName(trial.kind, application.trialSessionId);
    return this.streams.handle(trial, stream, context, async (state) => {
      const on = await onApplication(this.streams, application, context);
      return isRefused(on) ? on : cancelApplication(state, on);
    });
  }
}
