import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { isRefused, refuse } from '../../core/decider.js';
import { CommandStreams, type Handled } from '../../core/handle.js';
import { outcome } from '../../domain/application/decider.js';
import type { ApplicationRef } from '../../domain/candidate/events.js';
import { contestEvaluation } from '../../domain/evaluation/contest-decider.js';
import { type EvaluationState, releasedOf } from '../../domain/evaluation/decider.js';
import type { Contested } from '../../domain/evaluation/events.js';
import { organisation } from '../../domain/organisation/decider.js';
import type { CandidateResults } from '../../domain/organisation/events.js';
import { handleEvaluation, openInvitation, readCompletion, unlessErased } from '../applications/reading.js';
import { UseCase } from '../use-case.js';

/** The answer to anybody but the evaluation's candidate, and to the candidate once erased. */
export const NO_EVALUATION = refuse('not_found', 'There is no such evaluation.');

/** A candidate contests a part of their evaluation. The caller has checked that the evaluation is the candidate's. */
export class ContestEvaluation extends UseCase<
  EvaluationState,
  {
    readonly application: ApplicationRef;
    readonly evaluationId: string;
    readonly contestId: string;
    readonly kind: Contested;
    /** What it is about, as the candidate names it; `null`: not named. */
    readonly reference: string | null;
    readonly text: string;
  }
> {
  readonly name = 'ContestEvaluation';
}

@CommandHandler(ContestEvaluation)
export class ContestEvaluationHandler implements ICommandHandler<ContestEvaluation> {
  constructor(private readonly streams: CommandStreams) {}

  execute(command: ContestEvaluation): Promise<Handled<EvaluationState>> {
    return unlessErased(NO_EVALUATION, () => this.contest(command));
  }

  private async contest({ context, input }: ContestEvaluation): Promise<Handled<EvaluationState>> {
    const { application, evaluationId, contestId, ...contest } = input;
    const ids = { ...application, evaluationId, contestId };
    // The session’s completion begins the evaluation: the contest may be the first event of its stream.
    const completed = await readCompletion(this.streams, application.trialSessionId);
    return handleEvaluation(this.streams, { evaluationId, completed }, context, async (state) => {
      const invited = await openInvitation(this.streams, application, context);
      if (isRefused(invited)) return invited;
      const released = await this.released(application, state);
      return contestEvaluation(state, { ids, ...contest, released });
    });
  }

  private async released(
    { organisationId, applicationId }: ApplicationRef,
    state: EvaluationState,
  ): Promise<CandidateResults> {
    const [settings, decided] = await Promise.all([
      this.streams.read(organisation, organisationId),
      this.streams.read(outcome, applicationId),
    ]);
    return releasedOf({
      candidateResults: settings.state?.candidateResults ?? 'nothing',
      isReady: state.status !== 'none' && state.readyGeneration !== null,
      isDecided: decided.state.current !== null,
    });
  }
}
