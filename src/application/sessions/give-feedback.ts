import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { isRefused } from '../../core/decider.js';
import { CommandStreams, type Handled } from '../../core/handle.js';
import { feedback, type FeedbackState, giveFeedback } from '../../domain/application/feedback.js';
import type { ApplicationRef } from '../../domain/candidate/events.js';
import { trial } from '../../domain/session/state.js';
import { openInvitation, unlessErased } from '../applications/reading.js';
import { UseCase } from '../use-case.js';
import { NO_SESSION } from './candidate-sessions.js';

/**
 * Records what the candidate thinks of the assessment. The caller has checked that the application is the candidate's.
 */
export class GiveFeedback extends UseCase<
  FeedbackState,
  {
    readonly application: ApplicationRef;
    /** From 1 to 5, like `fairness`; `null`: none was given. */
    readonly ease: number | null;
    readonly fairness: number | null;
    /** `null`: none was given. */
    readonly text: string | null;
  }
> {
  readonly name = 'GiveFeedback';
}

@CommandHandler(GiveFeedback)
export class GiveFeedbackHandler implements ICommandHandler<GiveFeedback> {
  constructor(private readonly streams: CommandStreams) {}

  execute({ context, input }: GiveFeedback): Promise<Handled<FeedbackState>> {
    const { application: ids, ...given } = input;
    return unlessErased(NO_SESSION, () =>
      this.streams.handle(feedback, ids.trialSessionId, context, async (before) => {
        const invited = await openInvitation(this.streams, ids, context);
        if (isRefused(invited)) return invited;
        const session = await this.streams.read(trial, ids.trialSessionId);
        return giveFeedback(before, { ids, status: session.state?.status ?? 'invited', ...given });
      }),
    );
  }
}
