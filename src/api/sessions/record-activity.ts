import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { RequestContext } from '../../core/command-context.js';
import type { ApplicationRef } from '../../domain/candidate/events.js';
import { withInvitation } from '../../domain/application/reading.js';
import { CommandStreams, type Handled } from '../../core/handle.js';
import { streamName } from '../../core/stream-name.js';
import type { Activity } from '../../domain/session/activity.js';
import { recordActivity, checkIdentity, type TokenIdentity } from '../../domain/session/decider.js';
import { trial, type TrialState } from '../../domain/session/state.js';

export class RecordActivity extends Command<Handled<TrialState>> {
  constructor(
    readonly context: RequestContext,
    readonly application: ApplicationRef,
    readonly identity: TokenIdentity,
    readonly activities: readonly Activity[],
  ) {
    super();
  }
}

@CommandHandler(RecordActivity)
export class RecordActivityHandler implements ICommandHandler<RecordActivity> {
  constructor(private readonly streams: CommandStreams) {}

  execute({ context, application, identity, activities }: RecordActivity): Promise<Handled<TrialState>> {
    const now = context.now.toISOString();
    return this.streams.handle(trial, streamName('trial', application.trialSessionId), context, (state) =>
      withInvitation(this.streams, application, (invitation, candidate) =>
        recordActivity(state, {
          invitation,
          now,
          identity: checkIdentity(candidate, identity),
          activities,
        }),
      ),
    );
  }
}
