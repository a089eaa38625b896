import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { RequestContext } from '../../app/commands/context.js';
import { type ApplicationRef, withInvitation } from '../../candidates/invitation.js';
import { CommandStreams, type Handled } from '../../event-store/handle.js';
import { streamName } from '../../event-store/stream-name.js';
import type { Activity } from '../activity.js';
import { recordActivity } from '../decider-candidate.js';
import { checkIdentity, type TokenIdentity, trial, type TrialState } from '../decider.js';

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
