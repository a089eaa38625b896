import { Body, Controller, Get, Inject, Injectable, Param, Post } from '@nestjs/common';
import { applications } from '../../../projections/applications.js';
import { contests } from '../../../projections/contests.js';
import { evaluationResultId, evaluationResults } from '../../../projections/evaluation-results.js';
import { evaluations } from '../../../projections/evaluations.js';
import { organisations } from '../../../projections/organisations.js';
import {
  type CandidateApplication,
  CandidateApplications,
} from '../../application/applications/candidate-applications.js';
import { isErased } from '../../application/applications/erased.js';
import type { Caller } from '../../application/caller.js';
import { ContestEvaluation } from '../../application/evaluations/contest-evaluation.js';
import { EvaluationReadRecorder } from '../../application/evaluations/read-recorder.js';
import { type Freshness, Reads } from '../../application/reads.js';
import { VAULT } from '../../application/tokens.js';
import { Named, Nullable, type Static, Type, Uuid } from '../../core/json-schema.js';
import { applicationRefOf } from '../../domain/candidate/events.js';
import { releasedOf } from '../../domain/evaluation/decider.js';
import { CurrentCaller, SignedIn } from '../../http/access/access.decorator.js';
import { Answer, ok } from '../../http/answer.js';
import { Meta, type RequestMeta } from '../../http/meta.js';
import { Operation, type Operations } from '../../http/openapi/operation.js';
import type { Vault } from '../../vault/port.js';
import { Commands } from '../cqrs/commands.js';
import {
  ContestEvaluationDto,
  contestIn,
  contestsOf,
  OwnContestRecord,
  ownContestRecord,
} from './contests.js';
import {
  type ReadyGeneration,
  RELEASED,
  ReleasedExplanation,
  releasedExplanation,
  ReleasedResult,
  releasedResult,
} from './released.js';
import { type FoundEvaluation, noSuchEvaluation } from './staff-evaluations.js';

/** Which evaluation belongs to an application, and how much of it is released. */
type OwnEvaluationSummary = Static<typeof OwnEvaluationSummary>;
const OwnEvaluationSummary = Named('OwnEvaluationSummary', {
  evaluationId: Uuid,
  applicationId: Uuid,
  roleName: Type.String({ description: 'As it was at the invitation.' }),
  completedAt: Type.String({ format: 'date-time', description: 'When the trial session was completed.' }),
  released: RELEASED,
});

const OwnEvaluationList = Named('OwnEvaluations', { items: Type.Array(OwnEvaluationSummary) });

/** An evaluation as its candidate sees it. */
type OwnEvaluationRecord = Static<typeof OwnEvaluationRecord>;
const OwnEvaluationRecord = Named('OwnEvaluation', {
  ...OwnEvaluationSummary.properties,
  result: Nullable(ReleasedResult),
  explanation: Nullable(ReleasedExplanation),
  contests: Type.Array(OwnContestRecord),
});

/** An evaluation that is the caller's own. */
interface CandidateEvaluation {
  readonly evaluation: FoundEvaluation;
  readonly own: CandidateApplication;
}

/** Evaluations as candidates see them: what the organisation has released. */
@Injectable()
export class CandidateEvaluations {
  constructor(
    private readonly reads: Reads,
    private readonly own: CandidateApplications,
    @Inject(VAULT) private readonly vault: Pick<Vault, 'keys'>,
    private readonly readRecorder: EvaluationReadRecorder,
  ) {}

  /** @returns `null` if it does not exist, or is another person's */
  async byId(caller: Caller, id: string, freshness: Freshness): Promise<CandidateEvaluation | null> {
    const evaluation = await this.reads.outline(evaluations, id, freshness);
    // An id without an evaluation finds no application, and gets the same answer.
    const own = await this.own.byId(caller, evaluation?.document.applicationId ?? id, freshness);
    return evaluation && own && !(await isErased(this.vault, own.candidate.id)) ? { evaluation, own } : null;
  }

  /** Those of all the caller's applications. */
  async all(caller: Caller, freshness: Freshness): Promise<readonly OwnEvaluationSummary[]> {
    const summaries: OwnEvaluationSummary[] = [];
    for (const own of await this.own.all(caller, freshness)) {
      const { position, document } = own.application;
      const id = document.trial.evaluationId;
      const evaluation = id && (await this.reads.outlineAt(evaluations, id, position, freshness));
      if (evaluation && !document.erased) summaries.push(await this.summary({ evaluation, own }, freshness));
    }
    return summaries;
  }

  /** Records that a released result is read, before it is answered. */
  async record(found: CandidateEvaluation, freshness: Freshness): Promise<OwnEvaluationRecord> {
    const summary = await this.summary(found, freshness);
    const { released } = summary;
    const shown = released === 'nothing' ? null : await this.ready(found.evaluation, freshness);
    const { id, position } = found.evaluation;
    const contested = await this.reads.getAt(contests, id, position, freshness);
    if (shown) await this.recordRead(found);
    // A candidate who was erased meanwhile is not shown.
    if (await isErased(this.vault, found.own.candidate.id)) throw noSuchEvaluation();
    return {
      ...summary,
      result: shown && releasedResult(shown),
      explanation: shown && released === 'result_with_explanation' ? releasedExplanation(shown) : null,
      contests: contestsOf(contested?.document ?? null).map(ownContestRecord),
    };
  }

  /** An evaluation as its candidate’s list shows it: as much as the organisation has released. */
  private async summary(
    { evaluation, own: { application } }: CandidateEvaluation,
    freshness: Freshness,
  ): Promise<OwnEvaluationSummary> {
    const { evaluationId, roleName, completedAt, readyGeneration, organisationId } = evaluation.document;
    const organisation = await this.reads.get(organisations, organisationId, freshness);
    const released = releasedOf({
      candidateResults: organisation?.document.candidateResults ?? 'nothing',
      isReady: readyGeneration !== null,
      isDecided: application.document.outcome !== null,
    });
    return { evaluationId, applicationId: application.id, roleName, completedAt, released };
  }

  /** The latest generation that became ready, also while a later one is generated. */
  private async ready(
    { document, position }: FoundEvaluation,
    freshness: Freshness,
  ): Promise<ReadyGeneration | null> {
    const { evaluationId, readyGeneration } = document;
    if (readyGeneration === null) return null;
    const id = evaluationResultId(evaluationId, readyGeneration);
    const found = await this.reads.getAt(evaluationResults, id, position, freshness);
    const result = found?.document.result;
    return found && result ? { ...found.document, result } : null;
  }

  /** Records the candidate’s own read, before the answer. */
  private async recordRead({ evaluation, own: { candidate } }: CandidateEvaluation): Promise<void> {
    const actor = { type: 'candidate', id: candidate.id } as const;
    await this.readRecorder.record(evaluation.document, actor);
  }
}

const operations = {
  list: {
    id: 'me.listEvaluations',
    tag: 'Candidates',
    summary: 'List my evaluations',
    description: 'Which evaluation belongs to which application, and how much of it is released.',
    links: { evaluationId: '/items/0/evaluationId' },
    success: { status: 200, description: 'The evaluations.', schema: OwnEvaluationList },
  },
  read: {
    id: 'me.readEvaluation',
    tag: 'Candidates',
    summary: 'Get what I am shown of my evaluation',
    description:
      'What the organisation’s `candidateResults` says, once a generation is ready and an outcome is recorded; nothing before that. The figures are those of the latest ready generation. A result that is shown counts as a read of the evaluation.',
    success: {
      status: 200,
      description: 'The evaluation as far as it is released.',
      schema: OwnEvaluationRecord,
    },
  },
  contest: {
    id: 'me.contestEvaluation',
    tag: 'Candidates',
    summary: 'Contest something of my evaluation',
    example: { about: { kind: 'transcript', reference: 'turn 2' }, text: 'I said “parser”, not “partner”.' },
    description:
      'In words, as long as something of it is released; the transcript can be contested at any time. At most 20 for an evaluation. Staff see it beside the evidence and answer it once; both become evidence.',
    success: { status: 201, description: 'The contest.', schema: OwnContestRecord },
    errors: ['nothing_released', 'too_many_contests'],
  },
} satisfies Operations;

@Controller('me/evaluations')
export class CandidateEvaluationsController {
  constructor(
    private readonly own: CandidateEvaluations,
    private readonly reads: Reads,
    private readonly commands: Commands,
  ) {}

  @Get()
  @SignedIn()
  @Operation(operations.list)
  async list(
    @Meta() meta: RequestMeta,
    @CurrentCaller() caller: Caller,
  ): Promise<Answer<Static<typeof OwnEvaluationList>>> {
    return ok({ items: await this.own.all(caller, meta) });
  }

  @Get(':evaluationId')
  @SignedIn()
  @Operation(operations.read)
  async read(
    @Param('evaluationId') id: string,
    @Meta() meta: RequestMeta,
    @CurrentCaller() caller: Caller,
  ): Promise<Answer<OwnEvaluationRecord>> {
    const found = await this.own.byId(caller, id, meta);
    if (!found) throw noSuchEvaluation();
    return ok(await this.own.record(found, meta));
  }

  @Post(':evaluationId/contests')
  @SignedIn()
  @Operation(operations.contest)
  async contest(
    @Param('evaluationId') evaluationId: string,
    @Body() { about, text }: ContestEvaluationDto,
    @Meta() meta: RequestMeta,
    @CurrentCaller() caller: Caller,
  ): Promise<Answer<OwnContestRecord>> {
    const found = await this.reads.findCaughtUp([evaluations, applications], () =>
      this.own.byId(caller, evaluationId, meta),
    );
    if (!found) throw noSuchEvaluation();
    const application = applicationRefOf(found.evaluation.document);
    const { kind, reference = null } = about;
    const context = this.commands.contextOf(caller, application, meta);
    const contestId = context.newId('contest');
    const contest = { application, evaluationId, contestId, kind, reference, text };
    const { state, consistencyToken } = await this.commands.execute(new ContestEvaluation(context, contest));
    return new Answer(201, ownContestRecord(contestIn(state, contestId)), { consistencyToken });
  }
}
