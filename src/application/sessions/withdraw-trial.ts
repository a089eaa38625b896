import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { isRefused } from '../../core/decider.js';
import { CommandStreams, type Handled } from '../../core/handle.js';
import { withdrawTrial } from '../../domain/session/decider.js';
import { trial, type TrialState } from '../../domain/session/state.js';
import { unlessErased } from '../applications/reading.js';
import { UseCase } from '../use-case.js';
import { NO_SESSION, sessionCommandOf, type CandidateSession } from './candidate-sessions.js';

/** Ends a candidate’s own session, without an evaluation. */
export class WithdrawTrial extends UseCase<TrialState, CandidateSession> {
  readonly name = 'WithdrawTrial';
}

@CommandHandler(WithdrawTrial)
export class WithdrawTrialHandler implements ICommandHandler<WithdrawTrial> {
  constructor(private readonly streams: CommandStreams) {}

  execute({ context, input }: WithdrawTrial): Promise<Handled<TrialState>> {
    return unlessErased(NO_SESSION, () =>
      this.streams.handle(trial, input.application.trialSessionId, context, async (state) => {
        const command = await sessionCommandOf(this.streams, input, context);
        return isRefused(command) ? command : withdrawTrial(state, command);
      }),
    );
  }
}
