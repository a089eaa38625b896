import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { isRefused } from '../../core/decider.js';
import { CommandStreams, type Handled } from '../../core/handle.js';
import type { AnnouncedWork } from '../../domain/session/events.js';
import { beginHandIn } from '../../domain/session/hand-in-decider.js';
import { trial, type TrialState } from '../../domain/session/state.js';
import { unlessErased } from '../applications/reading.js';
import { type CandidateSession, NO_SESSION, sessionCommandOf } from '../sessions/candidate-sessions.js';
import { UseCase } from '../use-case.js';

/** Begins a hand-in in a candidate's own session, unless the ticket has one of the same bytes. */
export class BeginHandIn extends UseCase<
  TrialState,
  CandidateSession & { readonly work: Omit<AnnouncedWork, 'handInId'>; readonly name: string }
> {
  readonly name = 'BeginHandIn';
}

@CommandHandler(BeginHandIn)
export class BeginHandInHandler implements ICommandHandler<BeginHandIn> {
  constructor(private readonly streams: CommandStreams) {}

  execute({ context, input }: BeginHandIn): Promise<Handled<TrialState>> {
    return unlessErased(NO_SESSION, () =>
      this.streams.handle(trial, input.application.trialSessionId, context, async (state) => {
        const command = await sessionCommandOf(this.streams, input, context);
        if (isRefused(command)) return command;
        const work = { handInId: context.newId('hand-in'), ...input.work };
        return beginHandIn(state, { ...command, work, name: input.name });
      }),
    );
  }
}
