import { candidates } from '../../projections/candidates.js';
import { evaluationResultId, evaluationResults } from '../../projections/evaluation-results.js';
import { evaluations } from '../../projections/evaluations.js';
import { evidence, type EvidenceDocument } from '../../projections/evidence.js';
import type { ListQuery } from '../app/http/list-query.js';
import type { Freshness, Reads } from '../app/reads.js';
import type { Position } from '../event-store/port.js';
import type { Found } from '../projection-engine/reads.js';
import type { DocumentOf } from '../projection-engine/view.js';
import {
  evaluationRecord,
  type EvaluationRecord,
  evaluationSummary,
  type EvaluationSummary,
  type EvidenceRecord,
  evidenceRecord,
  formerRecord,
} from './record.js';

export type FoundEvaluation = Found<DocumentOf<typeof evaluations>>;

/** What a list of evaluations is narrowed to. */
export interface EvaluationFilter {
  readonly roleId: string | null;
  readonly status: string | null;
}

/** Evaluations of one organisation, as its staff find them and see them. */
export class StaffEvaluations {
  constructor(private readonly reads: Reads) {}

  async byId(organisationId: string, id: string, freshness: Freshness): Promise<FoundEvaluation | null> {
    const found = await this.reads.get(evaluations, id, freshness);
    return found?.document.organisationId === organisationId ? found : null;
  }

  /** Looks for a command: "not found" is said only once the view has come to the log's present end. */
  settled(look: () => Promise<FoundEvaluation | null>): Promise<FoundEvaluation | null> {
    return this.reads.settled([evaluations], look);
  }

  async summaries(
    organisationId: string,
    { roleId, status }: EvaluationFilter,
    list: ListQuery,
    freshness: Freshness,
  ): Promise<{ readonly items: readonly EvaluationSummary[]; readonly nextCursor: string | null }> {
    const index =
      roleId === null
        ? status === null
          ? 'byOrganisation'
          : 'byStatus'
        : status === null
          ? 'byRole'
          : 'byRoleAndStatus';
    const prefix = [organisationId, roleId, status].filter((part) => part !== null);
    const page = await this.reads.list(evaluations, index, prefix, list, freshness);
    const ids = [...new Set(page.items.map(({ document }) => document.candidateId))];
    const people = await this.reads.getMany(candidates, ids, freshness);
    const items = page.items.map(({ document }) =>
      evaluationSummary(document, people.get(document.candidateId)?.document.personal?.email ?? null),
    );
    return { items, nextCursor: page.nextCursor };
  }

  /** @param generation a former one, `null` for the latest; the answer is `null` where there is none of that number */
  async record(
    { document, position }: FoundEvaluation,
    generation: number | null,
    freshness: Freshness,
  ): Promise<EvaluationRecord | null> {
    const { candidateId, evaluationId, trialSessionId } = document;
    // Composed of several views, and none may lag behind what the evaluation already says.
    const candidate = await this.reads.getAt(candidates, candidateId, position, freshness);
    const email = candidate?.document.personal?.email ?? null;
    if (generation === null || generation === document.generation)
      return evaluationRecord(document, email, await this.evidence(trialSessionId, position, freshness));
    const id = evaluationResultId(evaluationId, generation);
    const former = await this.reads.getAt(evaluationResults, id, position, freshness);
    if (!former) return null;
    const known = await this.evidence(trialSessionId, position, freshness);
    return formerRecord(document, former.document, email, known);
  }

  private async evidence(
    trialSessionId: string,
    position: Position,
    freshness: Freshness,
  ): Promise<EvidenceRecord> {
    const chunks: EvidenceDocument[] = [];
    let cursor: string | null = null;
    do {
      const list: ListQuery = { limit: 200, cursor };
      const page = await this.reads.listAt(
        evidence,
        'bySession',
        [trialSessionId],
        list,
        position,
        freshness,
      );
      chunks.push(...page.items.map(({ document }) => document));
      cursor = page.nextCursor;
    } while (cursor !== null);
    return evidenceRecord(chunks);
  }
}
