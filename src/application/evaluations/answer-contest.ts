import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { isRefused } from '../../core/decider.js';
import { CommandStreams, type Handled } from '../../core/handle.js';
import type { ApplicationRef } from '../../domain/candidate/events.js';
import { answerContest } from '../../domain/evaluation/contest-decider.js';
import { evaluationDecider, type EvaluationState } from '../../domain/evaluation/decider.js';
import { openInvitation } from '../applications/reading.js';
import { UseCase } from '../use-case.js';

/** Answers a contest, once. The caller has found the evaluation, and takes `application` from it. */
export class AnswerContest extends UseCase<
  EvaluationState,
  {
    readonly application: ApplicationRef;
    readonly evaluationId: string;
    readonly contestId: string;
    readonly text: string;
  }
> {
  readonly name = 'AnswerContest';
}

@CommandHandler(AnswerContest)
export class AnswerContestHandler implements ICommandHandler<AnswerContest> {
  constructor(private readonly streams: CommandStreams) {}

  execute({ context, input }: AnswerContest): Promise<Handled<EvaluationState>> {
    const { application, evaluationId, contestId, text } = input;
    const ids = { ...application, evaluationId, contestId };
    return this.streams.handle(evaluationDecider, evaluationId, context, async (state) => {
      const invited = await openInvitation(this.streams, application, context);
      return isRefused(invited) ? invited : answerContest(state, { ids, text, actor: invited.actor });
    });
  }
}
