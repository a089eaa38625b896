import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { isRefused, staleVersion } from '../../core/decider.js';
import { CommandStreams, type Handled } from '../../core/handle.js';
import type { ApplicationRef } from '../../domain/candidate/events.js';
import {
  evaluationDecider,
  type EvaluationState,
  requestRegeneration,
} from '../../domain/evaluation/decider.js';
import { openInvitation } from '../applications/reading.js';
import { UseCase } from '../use-case.js';

/**
 * Requests the next generation of an evaluation. The caller has found the evaluation, and takes `application` from it.
 */
export class RegenerateEvaluation extends UseCase<
  EvaluationState,
  {
    readonly evaluationId: string;
    readonly application: Pick<ApplicationRef, 'candidateId' | 'applicationId'>;
  }
> {
  readonly name = 'RegenerateEvaluation';
}

@CommandHandler(RegenerateEvaluation)
export class RegenerateEvaluationHandler implements ICommandHandler<RegenerateEvaluation> {
  constructor(private readonly streams: CommandStreams) {}

  execute({ context, input }: RegenerateEvaluation): Promise<Handled<EvaluationState>> {
    const { evaluationId, application } = input;
    return this.streams.handle(evaluationDecider, evaluationId, context, async (state) => {
      const invited = await openInvitation(this.streams, application, context);
      if (isRefused(invited)) return invited;
      const stale = staleVersion(context.expectedVersion, state.version);
      return stale ?? requestRegeneration(state, { begun: true });
    });
  }
}
