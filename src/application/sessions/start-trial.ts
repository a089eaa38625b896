import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { isRefused } from '../../core/decider.js';
import { CommandStreams, type Handled } from '../../core/handle.js';
import { streamName } from '../../core/stream-name.js';
import { startTrial } from '../../domain/session/decider.js';
import { Notices } from './notice.js';
import { trial, type TrialState } from '../../domain/session/state.js';
import { unlessErased } from '../applications/unless-erased.js';
import { UseCase } from '../use-case.js';
import { NO_SESSION, onOwnSession, type OwnSession } from './own-sessions.js';

/** Starts a candidate’s own session, with consent to the notice that holds. */
export class StartTrial extends UseCase<
  TrialState,
  OwnSession & {
    /** The version of the notice that the candidate has read; `undefined`: none is named. */
    readonly noticeVersion: string | undefined;
    readonly consent: true;
  }
> {
  readonly name = 'StartTrial';
}

@CommandHandler(StartTrial)
export class StartTrialHandler implements ICommandHandler<StartTrial> {
  constructor(
    private readonly streams: CommandStreams,
    private readonly notices: Notices,
  ) {}

  execute({ context, input }: StartTrial): Promise<Handled<TrialState>> {
    const stream = streamName(trial.kind, input.application.trialSessionId);
    return unlessErased(NO_SESSION, () =>
      this.streams.handle(trial, stream, context, async (state) => {
        const on = await onOwnSession(this.streams, input, context);
        if (isRefused(on)) return on;
        const { consent, noticeVersion: named } = input;
        const notice = named === undefined ? null : { named, current: await this.notices.of(on.invitation) };
        return startTrial(state, { ...on, consent, notice });
      }),
    );
  }
}
