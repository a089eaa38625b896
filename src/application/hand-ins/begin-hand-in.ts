import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { isRefused } from '../../core/decider.js';
import { CommandStreams, type Handled } from '../../core/handle.js';
import type { PersonId } from '../../core/vault/port.js';
import type { AnnouncedWork } from '../../domain/session/events.js';
import { beginHandIn, replacedBy } from '../../domain/session/hand-in-decider.js';
import { type HandIn, handInById } from '../../domain/session/hand-ins.js';
import { trial, type TrialState } from '../../domain/session/state.js';
import { unlessErased } from '../applications/reading.js';
import { type CandidateSession, NO_SESSION, sessionCommandOf } from '../sessions/candidate-sessions.js';
import { Uploads } from '../uploads/uploads.js';
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
  constructor(
    private readonly streams: CommandStreams,
    private readonly uploads: Uploads,
  ) {}

  execute(command: BeginHandIn): Promise<Handled<TrialState>> {
    return unlessErased(NO_SESSION, () => this.begin(command));
  }

  private async begin({ context, input }: BeginHandIn): Promise<Handled<TrialState>> {
    const { trialSessionId, candidateId } = input.application;
    let replaced: HandIn | undefined;
    const handled = await this.streams.handle(trial, trialSessionId, context, async (state) => {
      const command = await sessionCommandOf(this.streams, input, context);
      if (isRefused(command)) return command;
      const work = { handInId: context.newId('hand-in'), ...input.work };
      replaced = state ? replacedBy(state, work) : undefined;
      return beginHandIn(state, { ...command, work, name: input.name });
    });
    if (replaced === undefined || isRefused(handled) || !handled.state) return handled;
    const { handInId } = replaced;
    // If the process ends before, the sweep discards them.
    if (handInById(handled.state.handIns, handInId)?.refused)
      await this.uploads.discard({ person: candidateId as PersonId, fileId: handInId });
    return handled;
  }
}
