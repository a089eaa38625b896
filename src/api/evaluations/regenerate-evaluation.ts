import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { RequestContext } from '../../core/command-context.js';
import type { ApplicationRef } from '../../domain/candidate/events.js';
import { withInvitation } from '../../domain/application/reading.js';
import { staleVersion } from '../../core/decider.js';
import { CommandStreams, type Handled } from '../../core/handle.js';
import { streamName } from '../../core/stream-name.js';
import {
  evaluationDecider,
  type EvaluationState,
  requestRegeneration,
} from '../../domain/evaluation/decider.js';

/** Asks for the next generation of an evaluation that is known to exist. */
export class RegenerateEvaluation extends Command<Handled<EvaluationState>> {
  constructor(
    readonly context: RequestContext,
    readonly evaluationId: string,
    readonly application: Pick<ApplicationRef, 'candidateId' | 'applicationId'>,
  ) {
    super();
  }
}

@CommandHandler(RegenerateEvaluation)
export class RegenerateEvaluationHandler implements ICommandHandler<RegenerateEvaluation> {
  constructor(private readonly streams: CommandStreams) {}

  execute({ context, evaluationId, application }: RegenerateEvaluation): Promise<Handled<EvaluationState>> {
    return this.streams.handle(evaluationDecider, streamName('evaluation', evaluationId), context, (state) =>
      withInvitation(this.streams, application, () => {
        const stale = staleVersion(context.expectedVersion, state.version);
        return stale ?? requestRegeneration({ begun: true }, state);
      }),
    );
  }
}
