import { Module } from '@nestjs/common';
import { AnswerContestHandler } from '../../application/evaluations/answer-contest.js';
import { ContestEvaluationHandler } from '../../application/evaluations/contest-evaluation.js';
import { EvaluationReadRecorder } from '../../application/evaluations/read-recorder.js';
import { RegenerateEvaluationHandler } from '../../application/evaluations/regenerate-evaluation.js';
import { ApplicationsModule } from '../applications/applications.module.js';
import { HistoryModule } from '../history/history.js';
import { EvaluationBodies } from './bodies.js';
import { CandidateEvaluations, CandidateEvaluationsController } from './candidate-evaluations.js';
import { ContestsController } from './contests.js';
import { EvaluationCountsController, EvaluationsController } from './evaluations.js';
import { EvaluationExplanations } from './explanation.js';
import { EvaluationHistory } from './history.js';
import { EvaluationReadsController } from './reads.js';
import { StaffEvaluations } from './staff-evaluations.js';
import { EvaluationSummaries } from './summaries.js';

/** Evaluations as an organisation's staff and as their candidates see them. */
@Module({
  imports: [ApplicationsModule, HistoryModule],
  controllers: [
    CandidateEvaluationsController,
    EvaluationsController,
    EvaluationCountsController,
    EvaluationReadsController,
    ContestsController,
  ],
  providers: [
    RegenerateEvaluationHandler,
    AnswerContestHandler,
    ContestEvaluationHandler,
    EvaluationBodies,
    EvaluationExplanations,
    EvaluationHistory,
    EvaluationReadRecorder,
    EvaluationSummaries,
    CandidateEvaluations,
    StaffEvaluations,
  ],
  exports: [EvaluationReadRecorder, EvaluationSummaries, StaffEvaluations],
})
export class EvaluationsModule {}
