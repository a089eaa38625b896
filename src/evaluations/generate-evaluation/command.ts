import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { RequestContext } from '../../app/commands/context.js';
import { VAULT } from '../../app/tokens.js';
import { accept, type Decision } from '../../event-store/decider.js';
import { CommandStreams, type Handled } from '../../event-store/handle.js';
import { streamName } from '../../event-store/stream-name.js';
import type { TrialEvent } from '../../trials/events.js';
import { PersonErased } from '../../vault/errors.js';
import type { Vault } from '../../vault/port.js';
import { askedGeneration, evaluationDecider, type EvaluationState, recordResult } from '../decider.js';
import type { Detector } from '../detector/detector.js';
import type { EvaluationEvent } from '../events.js';
import { generateEvaluation } from '../generate.js';
import { SCORER, type Scorer } from '../scorer.js';
import { untilErased } from './until-erased.js';

/** Answers the generation that is asked for; where another one is, or none, there is nothing to do. */
export class GenerateEvaluation extends Command<Handled<EvaluationState>> {
  constructor(
    readonly context: RequestContext,
    readonly evaluationId: string,
    readonly trialSessionId: string,
    readonly generation: number,
  ) {
    super();
  }
}

/**
 * Makes a generation and records it. It is made before the evaluation's stream is held: a model may take minutes, in
 * which others' commands on the evaluation go on. Where the candidate is erased meanwhile nothing is recorded: the
 * erasure itself ends the evaluation.
 */
@CommandHandler(GenerateEvaluation)
export class GenerateEvaluationHandler implements ICommandHandler<GenerateEvaluation> {
  constructor(
    private readonly streams: CommandStreams,
    @Inject(SCORER) private readonly scorer: Scorer,
    private readonly detector: Detector,
    @Inject(VAULT) private readonly vault: Pick<Vault, 'keys'>,
    private readonly clock: () => Date = () => new Date(),
  ) {}

  /**
   * @param signal ends it: nothing is recorded
   * @throws what the signal was aborted with
   */
  async execute(command: GenerateEvaluation, signal?: AbortSignal): Promise<Handled<EvaluationState>> {
    const { context, evaluationId, trialSessionId, generation } = command;
    const session = await this.streams.events<TrialEvent>(streamName('trial', trialSessionId));
    // The evaluation's chain goes on from its session's, so that neither can be exchanged for another later.
    const completed = session.find(({ type }) => type === 'trial.completed');
    const head = completed?.chain?.hash ?? null;
    const stream = streamName('evaluation', evaluationId);
    const record = (decide: (state: EvaluationState) => Decision<EvaluationEvent>) =>
      this.streams.handle(evaluationDecider, stream, { ...context, now: this.clock() }, decide, head);
    const nothing = () => record(() => accept());

    const { state: before } = await this.streams.read(evaluationDecider, stream);
    if (askedGeneration(before) !== generation) return nothing();
    const { scorer, detector } = this;
    const made = await untilErased(this.vault, completed?.data.candidateId ?? null, signal, (ending) =>
      generateEvaluation({ session, generation, scorer, detector, signal: ending }),
    );
    if (made === 'erased') return nothing();
    try {
      return await record((state) => recordResult(made.result, state, made.answers));
    } catch (error) {
      if (!(error instanceof PersonErased)) throw error;
      return nothing();
    }
  }
}
