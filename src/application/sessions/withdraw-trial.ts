import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { isRefused } from '../../core/decider.js';
import { CommandStreams, type Handled } from '../../core/handle.js';
import { streamName } from '../../core/stream-name.js';
import { withdrawTrial } from '../../domain/session/decider.js';
import { trial, type TrialState } from '../../domain/session/state.js';
import { unlessErased } from '../applications/unless-erased.js';
import { UseCase } from '../use-case.js';
import { NO_SESSION, onOwnSession, type OwnSession } from './own-sessions.js';

/** Ends a candidate’s own session, without an evaluation. */
export class WithdrawTrial extends UseCase<TrialState, OwnSession> {
  readonly name = 'WithdrawTrial';
}

@CommandHandler(WithdrawTrial)
export class WithdrawTrialHandler implements ICommandHandler<WithdrawTrial> {
  constructor(private readonly streams: CommandStreams) {}

  execute({ context, input }: WithdrawTrial): Promise<Handled<TrialState>> {
    const stream = streamName(trial.kind, input.application.trialSessionId);
    return unlessErased(NO_SESSION, () =>
      this.streams.handle(trial, stream, context, async (state) => {
        const on = await onOwnSession(this.streams, input, context);
        return isRefused(on) ? on : withdrawTrial(state, on);
      }),
    );
  }
}
