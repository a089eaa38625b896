import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { isRefused } from '../../core/decider.js';
import { CommandStreams, type Handled } from '../../core/handle.js';
import { startTrial } from '../../domain/session/decider.js';
import { trial, type TrialState } from '../../domain/session/state.js';
import { unlessErased } from '../applications/reading.js';
import { ticketVersions } from '../tickets/ticket-versions.js';
import { UseCase } from '../use-case.js';
import { NO_SESSION, sessionCommandOf, type CandidateSession } from './candidate-sessions.js';
import { ConsentNotices } from './consent-notice.js';

/** Starts a candidate’s own session, with consent to the current notice. */
export class StartTrial extends UseCase<
  TrialState,
  CandidateSession & {
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
    private readonly notices: ConsentNotices,
  ) {}

  execute({ context, input }: StartTrial): Promise<Handled<TrialState>> {
    return unlessErased(NO_SESSION, () =>
      this.streams.handle(trial, input.application.trialSessionId, context, async (state) => {
        const command = await sessionCommandOf(this.streams, input, context);
        if (isRefused(command)) return command;
        const { consent, noticeVersion: named } = input;
        const notice =
          named === undefined ? null : { named, ...(await this.notices.currentOf(command.invitation)) };
        const tickets = await ticketVersions(this.streams, command.invitation);
        return startTrial(state, { ...command, consent, notice, tickets });
      }),
    );
  }
}
