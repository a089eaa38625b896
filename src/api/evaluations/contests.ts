import { Body, Controller, Get, Inject, Param, Post } from '@nestjs/common';
import { contests, type ContestsDocument } from '../../../projections/contests.js';
import type { Member } from '../../application/caller.js';
import { AnswerContest } from '../../application/evaluations/answer-contest.js';
import { EvaluationReadRecorder } from '../../application/evaluations/read-recorder.js';
import { Reads } from '../../application/reads.js';
import { VAULT } from '../../application/tokens.js';
import { present } from '../../application/use-case.js';
import { actorOf, type RequestContext } from '../../core/command-context.js';
import { Enumeration, Instant, Named, Nullable, type Static, Type, Uuid } from '../../core/json-schema.js';
import { applicationRefOf } from '../../domain/candidate/events.js';
import type { Contest } from '../../domain/evaluation/contests.js';
import { type EvaluationState } from '../../domain/evaluation/decider.js';
import { CONTESTED, type Contested } from '../../domain/evaluation/events.js';
import { CurrentMember, StaffMay } from '../../http/access/access.decorator.js';
import { type Answer, ok } from '../../http/answer.js';
import { Meta, type RequestMeta } from '../../http/meta.js';
import { Operation, type Operations } from '../../http/openapi/operation.js';
import { Schema } from '../../http/validation/fields.js';
import { Nested, OneOf, Optional, Text } from '../../http/validation/rules.js';
import type { Vault } from '../../vault/port.js';
import { assertNotErased } from '../applications/staff-applications.js';
import { Commands, StaffContext } from '../cqrs/commands.js';
import { StaffEvaluations } from './staff-evaluations.js';

/** UTF-16 units of a contest's or an answer's text. */
const MAX_TEXT = 4_000;
/** UTF-16 units. */
const MAX_REFERENCE = 1_000;

const CONTESTED_KIND = Enumeration('ContestedKind', CONTESTED);

@Schema('ContestAbout')
export class ContestAboutDto {
  @OneOf(CONTESTED_KIND) kind!: Contested;
  @Optional() @Text({ notBlank: true, maxLength: MAX_REFERENCE }) reference?: string;
}

@Schema('ContestEvaluation')
export class ContestEvaluationDto {
  @Nested(() => ContestAboutDto) about!: ContestAboutDto;
  @Text({ notBlank: true, maxLength: MAX_TEXT }) text!: string;
}

@Schema('AnswerContest')
export class AnswerContestDto {
  @Text({ notBlank: true, maxLength: MAX_TEXT }) text!: string;
}

const UNREADABLE = '`null` once it can no longer be read.';

const OwnAnswer = Named('OwnContestAnswer', {
  text: Nullable(Type.String({ description: UNREADABLE })),
  answeredAt: Instant,
});

/** A contest as its candidate sees it: not who answered it. */
export type OwnContestRecord = Static<typeof OwnContestRecord>;
export const OwnContestRecord = Named('OwnContest', {
  id: Uuid,
  about: Named('ContestedPart', {
    kind: CONTESTED_KIND,
    reference: Nullable(Type.String({ description: 'As the candidate named it.' })),
  }),
  text: Nullable(Type.String({ description: UNREADABLE })),
  createdAt: Instant,
  answer: Nullable(OwnAnswer),
});

/** A contest as staff see it. */
type ContestRecord = Static<typeof ContestRecord>;
const ContestRecord = Named('Contest', {
  ...OwnContestRecord.properties,
  answer: Nullable(
    Named('ContestAnswer', {
      ...OwnAnswer.properties,
      answeredBy: Type.String({ description: 'The subject of the member who answered.' }),
    }),
  ),
});

type ContestList = Static<typeof ContestList>;
const ContestList = Named('Contests', { items: Type.Array(ContestRecord) });

const contestRecord = ({
  contestId,
  kind,
  reference,
  text,
  contestedAt,
  answer,
}: Contest): ContestRecord => ({
  id: contestId,
  about: { kind, reference },
  text,
  createdAt: contestedAt,
  answer,
});

/** A contest as its candidate sees it: without who answered. */
export const ownContestRecord = (contest: Contest): OwnContestRecord => {
  const { answer, ...record } = contestRecord(contest);
  return { ...record, answer: answer && { text: answer.text, answeredAt: answer.answeredAt } };
};

/** The contests of an evaluation by its document. @param document `null`: there are none */
export const contestsOf = (document: ContestsDocument | null): readonly Contest[] =>
  (document?.contests ?? []).map(({ answer, ...facts }) => {
    const texts = document?.personal?.texts[facts.contestId];
    return {
      ...facts,
      reference: texts?.reference ?? null,
      text: texts?.text ?? null,
      answer: answer && { ...answer, text: texts?.answer ?? null },
    };
  });

/** The contest that a command on its evaluation was about. */
export const contestIn = ({ contests: all }: EvaluationState, contestId: string): Contest =>
  present(all.find((one) => one.contestId === contestId));

const operations = {
  list: {
    id: 'evaluations.listContests',
    tag: 'Evaluations',
    summary: 'List what the candidate contests',
    description: 'Oldest first, at most 20, with the answers. It counts as a read of the evaluation.',
    links: { contestId: '/items/0/id' },
    success: { status: 200, description: 'The contests.', schema: ContestList },
    errors: ['erased'],
  },
  answer: {
    id: 'evaluations.answerContest',
    tag: 'Evaluations',
    summary: 'Answer a contest',
    example: { text: 'You are right: we do not count this answer.' },
    description: 'Once. The candidate sees the answer, and not who gave it.',
    success: { status: 200, description: 'The contest with its answer.', schema: ContestRecord },
    errors: ['already_answered', 'erased'],
  },
} satisfies Operations;

/** Staff read what a candidate contests, and answer it. Candidates contest at `me/evaluations`. */
@Controller('organisations/:orgId/evaluations/:evaluationId/contests')
export class ContestsController {
  constructor(
    private readonly commands: Commands,
    private readonly reads: Reads,
    private readonly staff: StaffEvaluations,
    private readonly readRecorder: EvaluationReadRecorder,
    @Inject(VAULT) private readonly vault: Vault,
  ) {}

  @Get()
  @StaffMay('evaluations.read')
  @Operation(operations.list)
  async list(
    @Param('orgId') organisationId: string,
    @Param('evaluationId') id: string,
    @Meta() meta: RequestMeta,
    @CurrentMember() member: Member,
  ): Promise<Answer<ContestList>> {
    const evaluation = await this.staff.outline(organisationId, id, meta);
    await assertNotErased(this.vault, evaluation.document.candidateId);
    const found = await this.reads.getAt(contests, id, evaluation.position, meta);
    await this.readRecorder.record({ organisationId, evaluationId: id }, actorOf(member));
    return ok({ items: contestsOf(found?.document ?? null).map(contestRecord) });
  }

  @Post(':contestId/answer')
  @StaffMay('outcomes.record')
  @Operation(operations.answer)
  async answer(
    @Param('orgId') organisationId: string,
    @Param('evaluationId') evaluationId: string,
    @Param('contestId') contestId: string,
    @Body() { text }: AnswerContestDto,
    @Meta() meta: RequestMeta,
    @StaffContext() context: RequestContext,
  ): Promise<Answer<ContestRecord>> {
    const found = await this.staff.reference(organisationId, evaluationId, meta);
    const application = applicationRefOf(found.document);
    const command = new AnswerContest(context, { application, evaluationId, contestId, text });
    const { state, consistencyToken } = await this.commands.execute(command);
    return ok(contestRecord(contestIn(state, contestId)), { consistencyToken });
  }
}
