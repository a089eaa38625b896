import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { RequestContext } from '../../app/commands/context.js';
import { accept } from '../../event-store/decider.js';
import { CommandStreams, type Handled } from '../../event-store/handle.js';
import { streamName } from '../../event-store/stream-name.js';
import type { TrialEvent } from '../../trials/events.js';
import { askedGeneration, evaluationDecider, type EvaluationState, recordResult } from '../decider.js';
import { type Detector, noDetector } from '../detector/detector.js';
import { generateEvaluation } from '../generate.js';
import { SCORER, type Scorer } from '../scorer.js';

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

@CommandHandler(GenerateEvaluation)
export class GenerateEvaluationHandler implements ICommandHandler<GenerateEvaluation> {
  constructor(
    private readonly streams: CommandStreams,
    @Inject(SCORER) private readonly scorer: Scorer,
    private readonly detector: Detector = noDetector,
  ) {}

  async execute(command: GenerateEvaluation): Promise<Handled<EvaluationState>> {
    const { context, evaluationId, trialSessionId, generation } = command;
    const session = await this.streams.events<TrialEvent>(streamName('trial', trialSessionId));
    // The evaluation's chain goes on from its session's, so that neither can be exchanged for another later.
    const completed = session.find(({ type }) => type === 'trial.completed');
    const head = completed?.chain?.hash ?? null;
    return this.streams.handle(
      evaluationDecider,
      streamName('evaluation', evaluationId),
      context,
      async (state) =>
        askedGeneration(state) === generation
          ? recordResult(
              await generateEvaluation({ session, generation, scorer: this.scorer, detector: this.detector }),
              state,
            )
          : accept(),
      head,
    );
  }
}
