import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { isRefused, staleVersion } from '../../core/decider.js';
import { CommandStreams, type Handled } from '../../core/handle.js';
import type { ApplicationRef } from '../../domain/candidate/events.js';
import { completeTrial } from '../../domain/session/decider.js';
import { recordAnswer, type RecordAnswer } from '../../domain/session/interview-decider.js';
import { trial, type TrialState } from '../../domain/session/state.js';
import { unlessErased } from '../applications/reading.js';
import { UseCase } from '../use-case.js';
import { NO_SESSION, sessionCommandOf, type CandidateSession } from './candidate-sessions.js';

/** Injection token of `OpenTurns`. */
export const OPEN_TURNS = Symbol('OpenTurns');

/** The open turn of an interview, for a session that is completed by REST. */
export interface OpenTurns {
  /**
   * The answer so far in the open turn, to be recorded in the append that ends the session, so that no acknowledged
   * speech is missing and no further question is asked in between. `null`: no speech, or no open turn.
   * @throws {StoreUnavailable | VaultUnavailable} try again
   */
  transcribeOpenTurn(session: ApplicationRef): Promise<RecordAnswer | null>;
  /** Discards that turn's audio if it is not kept. @param state as the session was left */
  discardClosedAudio(session: ApplicationRef, state: TrialState, turn: number): Promise<void>;
}

/** Completes a candidate's own session, with the answer so far in its open turn. Its evaluation begins. */
export class CompleteTrial extends UseCase<TrialState, CandidateSession> {
  readonly name = 'CompleteTrial';
}

/** If the audio cannot be discarded, the session is completed anyway; the sweep removes the audio later. */
const sweptLater = (): void => undefined;

@CommandHandler(CompleteTrial)
export class CompleteTrialHandler implements ICommandHandler<CompleteTrial> {
  constructor(
    private readonly streams: CommandStreams,
    @Inject(OPEN_TURNS) private readonly openTurns: OpenTurns,
  ) {}

  execute(command: CompleteTrial): Promise<Handled<TrialState>> {
    return unlessErased(NO_SESSION, () => this.complete(command));
  }

  private async complete({ context, input }: CompleteTrial): Promise<Handled<TrialState>> {
    const { application } = input;
    const { state: before } = await this.streams.read(trial, application.trialSessionId);
    // If the completion will be refused, the candidate may continue to speak: leave the turn open.
    const mayComplete = before !== null && !staleVersion(context.expectedVersion, before.version);
    const openAnswer = mayComplete ? await this.openTurns.transcribeOpenTurn(application) : null;
    const handled = await this.streams.handle(trial, application.trialSessionId, context, async (state) => {
      const command = await sessionCommandOf(this.streams, input, context);
      if (isRefused(command)) return command;
      const answered = openAnswer === null ? null : recordAnswer(state, openAnswer);
      const first = answered?.kind === 'accepted' ? answered.events : [];
      return completeTrial(state, { ...command, evaluationId: context.newId('evaluation'), first });
    });
    if (handled.kind === 'done' && openAnswer !== null)
      await this.openTurns.discardClosedAudio(application, handled.state, openAnswer.turn).catch(sweptLater);
    return handled;
  }
}
