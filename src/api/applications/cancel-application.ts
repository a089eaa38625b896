import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { RequestContext } from '../../core/command-context.js';
import { CommandStreams, type Handled } from '../../core/handle.js';
import { streamName } from '../../core/stream-name.js';
import { outcome, cancelApplication } from '../../domain/application/decider.js';
import { trial, type TrialState } from '../../domain/session/state.js';
import type { ApplicationRef } from '../../domain/candidate/events.js';
import { withInvitation } from '../../domain/application/reading.js';

export class CancelApplication extends Command<Handled<TrialState>> {
  constructor(
    readonly context: RequestContext,
    readonly application: ApplicationRef,
  ) {
    super();
  }
}

@CommandHandler(CancelApplication)
export class CancelApplicationHandler implements ICommandHandler<CancelApplication> {
  constructor(private readonly streams: CommandStreams) {}

  execute({ context, application }: CancelApplication): Promise<Handled<TrialState>> {
    const { expectedVersion } = context;
    return this.streams.handle(trial, streamName('trial', application.trialSessionId), context, (state) =>
      withInvitation(this.streams, application, async (invitation) => {
        const stream = streamName('application', application.applicationId);
        const outcomeVersion = (await this.streams.read(outcome, stream)).state.version;
        const now = context.now.toISOString();
        return cancelApplication(state, { invitation, now, expectedVersion, outcomeVersion });
      }),
    );
  }
}
