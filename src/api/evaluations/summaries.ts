import { Inject, Injectable } from '@nestjs/common';
import { applications } from '../../../projections/applications.js';
import { candidates } from '../../../projections/candidates.js';
import { contests } from '../../../projections/contests.js';
import {
  EVALUATION_STATUSES,
  type EvaluationDocument,
  evaluations,
  type EvaluationStatus,
} from '../../../projections/evaluations.js';
import { pendingEvaluations } from '../../../projections/pending-evaluations.js';
import { isErased } from '../../application/applications/erased.js';
import { EvaluationReadRecorder } from '../../application/evaluations/read-recorder.js';
import { type Freshness, type ListPart, type ListQuery, narrowedTo, Reads } from '../../application/reads.js';
import { VAULT } from '../../application/tokens.js';
import { MINUTE_MS } from '../../core/timestamp.js';
import type { AnyView } from '../../engine/view.js';
import type { Sort } from '../../http/list-query.js';
import { countsOf, dueWithin, type TimeRange, within } from '../../http/list-range.js';
import type { Reader, Vault } from '../../vault/port.js';
import { partsOf, shownOutcome } from '../applications/record.js';
import { evaluationSummary, type EvaluationSummary } from './record.js';

/** What a list of evaluations is narrowed to. `null` in `roleId`, `status` or `passed`: it is not narrowed by it. */
export interface EvaluationFilter {
  readonly roleId: string | null;
  readonly status: EvaluationStatus | null;
  readonly passed: boolean | null;
  /** When the trial session was completed. */
  readonly completed: TimeRange;
  /** The least and the greatest score, both inclusive; `null`: there is none. */
  readonly score: { readonly least: number | null; readonly greatest: number | null };
}

/**
 * What an evaluation may wait for. `failed`: another generation, since it has no result. `contested`: an answer to what the
 * candidate contests. `overdue`: its result, for more than `OVERDUE_MINUTES`.
 */
export const WAITING_EVALUATIONS = ['failed', 'contested', 'overdue'] as const;

export type WaitingEvaluation = (typeof WAITING_EVALUATIONS)[number];

/** Minutes after its request from which an evaluation without a result is overdue. */
export const OVERDUE_MINUTES = 15;

export type EvaluationOrder = 'completedAt' | 'overallScore';

/**
 * The orders that a filter allows; the first is the default. A page is one stretch of one index: a range of scores or
 * of times is a stretch only in its own order.
 */
export const evaluationOrders = ({
  completed: { from, to },
  score: { least, greatest },
}: Pick<EvaluationFilter, 'completed' | 'score'>): readonly [EvaluationOrder, ...EvaluationOrder[]] => {
  if (least !== null || greatest !== null) return ['overallScore'];
  return from === null && to === null ? ['completedAt', 'overallScore'] : ['completedAt'];
};

/** The part of an organisation’s evaluations that a request asks for. */
export type SelectedEvaluations =
  | { readonly waiting: WaitingEvaluation; readonly roleId: string | null }
  | { readonly waiting: null; readonly filter: EvaluationFilter; readonly sort: Sort<EvaluationOrder> };

/** Who is shown a score for each dimension, and how often that is recorded as a read. */
export interface Showing {
  readonly to: Reader;
  /** `once`: for each generation; `each time`: also if they have read it before. */
  readonly recorded: 'once' | 'each time';
}

interface SummaryPage {
  readonly items: readonly EvaluationSummary[];
  readonly nextCursor: string | null;
}

/** How many evaluations of an organisation there are, or of one role. */
export interface EvaluationCounts {
  readonly status: Readonly<Record<EvaluationStatus, number>>;
  readonly passed: Readonly<Record<'true' | 'false', number>>;
  readonly waiting: Readonly<Record<WaitingEvaluation, number>>;
}

/** Lists of an organisation's evaluations, each a stretch of an index. */
@Injectable()
export class EvaluationSummaries {
  constructor(
    private readonly reads: Reads,
    private readonly readRecorder: EvaluationReadRecorder,
    @Inject(VAULT) private readonly vault: Pick<Vault, 'keys'>,
  ) {}

  /** A page of what a request asks for. @param showing `null`: no scores of dimensions are shown */
  selected(
    organisationId: string,
    selected: SelectedEvaluations,
    showing: Showing | null,
    list: ListQuery,
    freshness: Freshness,
  ): Promise<SummaryPage> {
    return selected.waiting === null
      ? this.page(organisationId, selected.filter, selected.sort, showing, list, freshness)
      : this.waiting(organisationId, selected.roleId, selected.waiting, showing, list, freshness);
  }

  /**
   * A page of the evaluations of a filter, in one of its `evaluationOrders`.
   * @param showing `null`: no scores of dimensions are shown
   */
  async page(
    organisationId: string,
    { roleId, status, passed, completed, score }: EvaluationFilter,
    { by, reverse }: Sort<EvaluationOrder>,
    showing: Showing | null,
    list: ListQuery,
    freshness: Freshness,
  ): Promise<SummaryPage> {
    // Only a ready evaluation has passed or not, so no index has both fields.
    if (passed !== null && status !== null && status !== 'ready') return { items: [], nextCursor: null };
    const result = passed === null ? { Status: status } : { Passed: `${passed}` };
    const fields = { Organisation: organisationId, Role: roleId, ...result };
    const part =
      by === 'overallScore'
        ? { ...narrowedTo(fields, 'Score'), ...withinScores(score) }
        : { ...narrowedTo(fields), ...within(completed) };
    const page = await this.reads.listed(evaluations, { ...part, reverse }, list, freshness);
    const found = page.items.map(({ document }) => document);
    return { items: await this.shown(found, showing, freshness), nextCursor: page.nextCursor };
  }

  /**
   * A page of the evaluations that wait, the longest first.
   * @param showing `null`: no scores of dimensions are shown
   */
  async waiting(
    organisationId: string,
    roleId: string | null,
    what: WaitingEvaluation,
    showing: Showing | null,
    list: ListQuery,
    freshness: Freshness,
  ): Promise<SummaryPage> {
    const { view, part } = waitingPart(organisationId, roleId, what);
    const page = await this.reads.listed(view, part, list, freshness);
    const ids = page.items.map(({ id }) => id);
    const found = await this.reads.getMany(evaluations, ids, freshness);
    const documents = ids.flatMap((id) => found.get(id)?.document ?? []);
    return { items: await this.shown(documents, showing, freshness), nextCursor: page.nextCursor };
  }

  /** How many evaluations the list has under each status, result and wait. @param roleId `null`: of all roles */
  async counts(
    organisationId: string,
    roleId: string | null,
    freshness: Freshness,
  ): Promise<EvaluationCounts> {
    const fields = { Organisation: organisationId, Role: roleId };
    const [status, passed, waiting] = await Promise.all([
      countsOf(EVALUATION_STATUSES, (one) =>
        this.reads.count(evaluations, narrowedTo({ ...fields, Status: one }), freshness),
      ),
      countsOf(['true', 'false'], (one) =>
        this.reads.count(evaluations, narrowedTo({ ...fields, Passed: one }), freshness),
      ),
      countsOf(WAITING_EVALUATIONS, (one) => {
        const { view, part } = waitingPart(organisationId, roleId, one);
        return this.reads.count(view, part, freshness);
      }),
    ]);
    return { status, passed, waiting };
  }

  /** The summaries of these evaluations. If scores are shown, the reader is recorded first. */
  private async shown(
    found: readonly EvaluationDocument[],
    showing: Showing | null,
    freshness: Freshness,
  ): Promise<readonly EvaluationSummary[]> {
    const candidateIds = [...new Set(found.map(({ candidateId }) => candidateId))];
    const applicationIds = found.map(({ applicationId }) => applicationId);
    const [people, theirs] = await Promise.all([
      this.reads.getMany(candidates, candidateIds, freshness),
      this.reads.getMany(applications, applicationIds, freshness),
    ]);
    const gone = new Set<string>();
    for (const id of candidateIds) if (await isErased(this.vault, id)) gone.add(id);
    const shown = found.map((one) => (gone.has(one.candidateId) ? { ...one, scores: [] } : one));
    if (showing?.recorded === 'once') await this.readRecorder.recordOnce(shown, showing.to);
    if (showing?.recorded === 'each time') await this.readRecorder.recordResults(shown, showing.to);
    return shown.map((one) => {
      const erased = gone.has(one.candidateId);
      const candidateEmail = erased ? null : (people.get(one.candidateId)?.document.personal?.email ?? null);
      const application = theirs.get(one.applicationId);
      const parts = application && { ...partsOf(application, candidateEmail), erased };
      const candidateName = erased ? null : (parts?.candidateName ?? null);
      const outcome = parts ? shownOutcome(parts) : null;
      return evaluationSummary(one, { candidateEmail, candidateName, outcome }, showing !== null);
    });
  }
}

/** The range in the index, which has evaluations without a score below 0. */
const withinScores = ({ least, greatest }: EvaluationFilter['score']): Pick<ListPart, 'from' | 'upTo'> => ({
  ...((least ?? greatest) !== null && { from: least ?? 0 }),
  ...(greatest !== null && { upTo: greatest }),
});

const waitingPart = (
  organisationId: string,
  roleId: string | null,
  what: WaitingEvaluation,
): { readonly view: AnyView; readonly part: ListPart } => {
  const fields = { Organisation: organisationId, Role: roleId };
  switch (what) {
    case 'failed':
      return { view: evaluations, part: narrowedTo(fields, 'Failed') };
    case 'contested':
      return { view: contests, part: narrowedTo(fields, 'Contested') };
    case 'overdue': {
      const part = {
        ...narrowedTo({ ...fields, State: 'requested' }),
        ...dueWithin(-OVERDUE_MINUTES * MINUTE_MS),
      };
      return { view: pendingEvaluations, part };
    }
  }
};
