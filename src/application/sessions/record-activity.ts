import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { isRefused } from '../../core/decider.js';
import { CommandStreams, type Handled } from '../../core/handle.js';
import type { Activity } from '../../domain/session/activity.js';
import { recordActivity } from '../../domain/session/decider.js';
import { trial, type TrialState } from '../../domain/session/state.js';
import { unlessErased } from '../applications/reading.js';
import { UseCase } from '../use-case.js';
import { NO_SESSION, sessionCommandOf, type CandidateSession } from './candidate-sessions.js';

/** Records what a candidate did in their own session: all activities that are new, or none. */
export class RecordActivity extends UseCase<
  TrialState,
  CandidateSession & { readonly activities: readonly Activity[] }
> {
  readonly name = 'RecordActivity';
}

@CommandHandler(RecordActivity)
export class RecordActivityHandler implements ICommandHandler<RecordActivity> {
  constructor(private readonly streams: CommandStreams) {}

  execute({ context, input }: RecordActivity): Promise<Handled<TrialState>> {
    return unlessErased(NO_SESSION, () =>
      this.streams.handle(trial, input.application.trialSessionId, context, async (state) => {
        const command = await sessionCommandOf(this.streams, input, context);
        return isRefused(command)
          ? command
          : recordActivity(state, { ...command, activities: input.activities });
      }),
    );
  }
}
