import { Controller, Get, Module, Param } from '@nestjs/common';
import { type StageDocument, stages } from '../../../projections/stages.js';
import { type ListQuery, Reads } from '../../application/reads.js';
import { Slices } from '../../core/concurrency.js';
import { Count, Named, Nullable, type Static, Type, Uuid } from '../../core/json-schema.js';
import { StaffMay } from '../../http/access/access.decorator.js';
import { type Answer, ok } from '../../http/answer.js';
import { Meta, type RequestMeta } from '../../http/meta.js';
import { Operation, type Operations } from '../../http/openapi/operation.js';
import { readSummary } from './signal.js';

/** The figures are counted over this many of the newest applications at most. */
const MAX_APPLICATIONS = 20_000;
/** Applications read at once. */
const PAGE = 500;

type StageTime = Static<typeof StageTime>;
const StageTime = Named('StageTime', {
  count: Type.Integer({ minimum: 0, description: 'The applications that have come through the stage.' }),
  medianSeconds: Nullable(
    Type.Integer({ minimum: 0, description: 'Of an even count, the mean of both in the middle.' }),
  ),
  p90Seconds: Nullable(
    Type.Integer({ minimum: 0, description: 'The shortest time that nine of ten have not exceeded.' }),
  ),
});

const times = { started: StageTime, completed: StageTime, evaluated: StageTime, decided: StageTime };

type SignalStages = Static<typeof SignalStages>;
const SignalStages = Named(
  'SignalStages',
  {
    roles: Type.Array(Named('RoleStages', { roleId: Uuid, roleName: Type.String(), ...times })),
    totals: Named('StageTotals', times),
    applicationCount: Count,
    isCut: Type.Boolean({
      description: `Whether the organisation has more applications than the ${MAX_APPLICATIONS} newest, which are counted.`,
    }),
  },
  { description: '`roles` are those of the signal, in its order; `totals` are of all their applications.' },
);

/** The stages in order, each with the field of the time at which it begins and of that at which it ends. */
const STAGES = {
  started: ['invitedAt', 'startedAt'],
  completed: ['startedAt', 'completedAt'],
  evaluated: ['completedAt', 'evaluatedAt'],
  decided: ['evaluatedAt', 'decidedAt'],
} as const satisfies Readonly<
  Record<keyof typeof times, readonly [keyof StageDocument, keyof StageDocument]>
>;

type Times = Readonly<Pick<StageDocument, 'roleId' | (typeof STAGES)[keyof typeof STAGES][number]>>;

/** How long applications took, by stage. */
export const stageTimesOf = (applications: readonly Times[]): SignalStages['totals'] => ({
  started: timeOf(applications, 'started'),
  completed: timeOf(applications, 'completed'),
  evaluated: timeOf(applications, 'evaluated'),
  decided: timeOf(applications, 'decided'),
});

const timeOf = (applications: readonly Times[], stage: keyof typeof STAGES): StageTime => {
  const [from, to] = STAGES[stage];
  const durations = applications
    .flatMap(({ [from]: begin, [to]: end }) =>
      // An outcome may be recorded before the evaluation is ready.
      begin === null || end === null ? [] : [Math.max(0, Date.parse(end) - Date.parse(begin))],
    )
    .sort((a, b) => a - b);
  const count = durations.length;
  if (count === 0) return { count, medianSeconds: null, p90Seconds: null };
  const at = (index: number): number => durations[index] ?? 0;
  const median = (at(Math.floor((count - 1) / 2)) + at(Math.floor(count / 2))) / 2;
  return { count, medianSeconds: seconds(median), p90Seconds: seconds(at(Math.ceil((count * 9) / 10) - 1)) };
};

/** Whole seconds, rounded half up. */
const seconds = (ms: number): number => Math.floor(ms / 1_000 + 0.5);

const operations = {
  read: {
    id: 'signal.readStages',
    tag: 'Signal',
    summary: 'Read how long applications take',
    description:
      'Per role and in total, for each stage: from the invitation to the start (`started`), from there to the completion (`completed`), to the first evaluation that was ready (`evaluated`), and to the outcome (`decided`). Each application counts once in a stage; a new generation or a corrected outcome changes no time. An erasure changes nothing.',
    success: { status: 200, description: 'The times.', schema: SignalStages },
  },
} satisfies Operations;

@Controller('organisations/:orgId/signal/stages')
class StagesController {
  constructor(private readonly reads: Reads) {}

  @Get()
  @StaffMay('signal.read')
  @Operation(operations.read)
  async read(
    @Param('orgId') organisationId: string,
    @Meta() meta: RequestMeta,
  ): Promise<Answer<SignalStages>> {
    const { summary } = await readSummary(this.reads, organisationId, meta);
    const { applications, isCut } = await this.newest(organisationId, meta);
    const byRole = new Map<string, Times[]>(summary.roles.map(({ roleId }) => [roleId, []]));
    for (const one of applications) byRole.get(one.roleId)?.push(one);
    const counted = [...byRole.values()].flat();
    return ok({
      roles: summary.roles.map(({ roleId, roleName }) => ({
        roleId,
        roleName,
        ...stageTimesOf(byRole.get(roleId) ?? []),
      })),
      totals: stageTimesOf(counted),
      applicationCount: counted.length,
      isCut,
    });
  }

  /** The newest applications, at most about `MAX_APPLICATIONS`; `isCut`: there are more. */
  private async newest(
    organisationId: string,
    meta: RequestMeta,
  ): Promise<{ readonly applications: readonly Times[]; readonly isCut: boolean }> {
    const applications: Times[] = [];
    const slices = new Slices();
    let list: ListQuery = { limit: PAGE, cursor: null };
    do {
      await slices.next();
      const page = await this.reads.newest(stages, 'byOrganisation', [organisationId], list, meta);
      for (const { document } of page.items) applications.push(document);
      list = { limit: PAGE, cursor: page.nextCursor };
    } while (list.cursor !== null && applications.length < MAX_APPLICATIONS);
    return { applications, isCut: list.cursor !== null };
  }
}

@Module({ controllers: [StagesController] })
export class StagesModule {}
