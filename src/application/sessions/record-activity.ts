import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { isRefused } from '../../core/decider.js';
import { CommandStreams, type Handled } from '../../core/handle.js';
import { streamName } from '../../core/stream-name.js';
import type { Activity } from '../../domain/session/activity.js';
import { recordActivity } from '../../domain/session/decider.js';
import { trial, type TrialState } from '../../domain/session/state.js';
import { unlessErased } from '../applications/unless-erased.js';
import { UseCase } from '../use-case.js';
import { NO_SESSION, onOwnSession, type OwnSession } from './own-sessions.js';

/** Records what a candidate did in their own session: what is new of it, all or nothing. */
export class RecordActivity extends UseCase<
  TrialState,
  OwnSession & { readonly activities: readonly Activity[] }
> {
  readonly name = 'RecordActivity';
}

@CommandHandler(RecordActivity)
export class RecordActivityHandler implements ICommandHandler<RecordActivity> {
  constructor(private readonly streams: CommandStreams) {}

  execute({ context, input }: RecordActivity): Promise<Handled<TrialState>> {
    const stream = streamName(trial.kind, input.application.trialSessionId);
    return unlessErased(NO_SESSION, () =>
      this.streams.handle(trial, stream, context, async (state) => {
        const on = await onOwnSession(this.streams, input, context);
        return isRefused(on) ? on : recordActivity(state, { ...on, activities: input.activities });
      }),
    );
  }
}
