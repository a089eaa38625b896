import { Injectable } from '@nestjs/common';
import { candidates } from '../../../projections/candidates.js';
import { evaluationResultId, evaluationResults } from '../../../projections/evaluation-results.js';
import { evaluations } from '../../../projections/evaluations.js';
import { evidence, type EvidenceDocument } from '../../../projections/evidence.js';
import { NO_EVALUATION } from '../../application/evaluations/contest-evaluation.js';
import type { ListQuery } from '../../application/reads.js';
import { type Freshness, Reads } from '../../application/reads.js';
import type { Position } from '../../core/event-store.js';
import type { Found } from '../../engine/reads/reads.js';
import type { AnyView, DocumentOf } from '../../engine/view.js';
import { type ApiError, refusalToApiError } from '../../http/api-error.js';
import { gathered, object, type Pieces, value } from '../../http/json-pieces.js';
import type { Source } from './body-cache.js';
import { EvidencePieces } from './evidence-pieces.js';
import {
  evaluationRecord,
  type EvaluationRecord,
  type EvidenceRecord,
  evidenceRecord,
  formerRecord,
} from './record.js';

const NO_EVIDENCE: EvidenceRecord = { events: [], questions: [] };

export type FoundEvaluation = Found<DocumentOf<typeof evaluations>>;

/** 404: the organisation has no such evaluation. */
export const noSuchEvaluation = (): ApiError => refusalToApiError(NO_EVALUATION.refusal);

const foundOf = (evaluation: FoundEvaluation | null): FoundEvaluation => {
  if (!evaluation) throw noSuchEvaluation();
  return evaluation;
};

/** An evaluation as JSON. */
interface InPieces {
  readonly version: number;
  readonly pieces: AsyncGenerator<Buffer, void, undefined>;
  /** What it is made of, complete once all pieces are read. */
  readonly sources: readonly Source[];
}

/** Evaluations of one organisation, as its staff find them and see them. */
@Injectable()
export class StaffEvaluations {
  constructor(private readonly reads: Reads) {}

  /** An evaluation of the organisation’s; `null`: it has none by that id. */
  async byId(organisationId: string, id: string, freshness: Freshness): Promise<FoundEvaluation | null> {
    const found = await this.reads.get(evaluations, id, freshness);
    return found?.document.organisationId === organisationId ? found : null;
  }

  /**
   * An evaluation without what is personal of it.
   * @throws {ApiError} `not_found`
   */
  async outline(organisationId: string, id: string, freshness: Freshness): Promise<FoundEvaluation> {
    return foundOf(await this.findOutline(organisationId, id, freshness));
  }

  /**
   * As `outline`, for a command: it is "not found" only once the view has reached the log's end as of the call.
   * @throws {ApiError} `not_found`
   */
  async reference(organisationId: string, id: string, freshness: Freshness): Promise<FoundEvaluation> {
    const find = () => this.findOutline(organisationId, id, freshness);
    return foundOf(await this.reads.findCaughtUp([evaluations], find));
  }

  /** As `byId`, without what is personal. */
  private async findOutline(
    organisationId: string,
    id: string,
    freshness: Freshness,
  ): Promise<FoundEvaluation | null> {
    const found = await this.reads.outline(evaluations, id, freshness);
    return found?.document.organisationId === organisationId ? found : null;
  }

  /** @param generation a former one, `null` for the latest; the answer is `null` if there is none of that number */
  async record(
    found: FoundEvaluation,
    generation: number | null,
    freshness: Freshness,
  ): Promise<EvaluationRecord | null> {
    const made = await this.withoutEvidence(found, generation, freshness);
    if (made === null) return null;
    const { record } = made;
    const { trialSessionId } = found.document;
    const evidence = await this.evidence(trialSessionId, found.position, freshness);
    return { ...record, evidence: { ...evidence, head: record.evidence.head } };
  }

  /**
   * As `record`, as pieces of JSON. A page of evidence is read once the pieces before it were taken.
   * @param assertNotErased called after each page of evidence is read and before it is handed on
   */
  async inPieces(
    found: FoundEvaluation,
    generation: number | null,
    freshness: Freshness,
    assertNotErased: () => Promise<void>,
  ): Promise<InPieces | null> {
    const made = await this.withoutEvidence(found, generation, freshness);
    if (made === null) return null;
    const { record } = made;
    const { position, document } = found;
    const { reads } = this;
    const { trialSessionId } = document;
    const source = { reads, freshness, position, trialSessionId, assertNotErased };
    const written = new EvidencePieces(source);
    const members = Object.entries(record).map(([name, member]): [string, Pieces] => [
      name,
      name === 'evidence' ? written.pieces(record.evidence.head) : value(member),
    ]);
    const sources = [...made.sources, { view: evidence, stamps: written.stamps }];
    return { version: record.version, pieces: gathered(object(Object.fromEntries(members))), sources };
  }

  /** The record without its evidence, and what it was made from; `null`: there is no such generation. */
  private async withoutEvidence(
    found: FoundEvaluation,
    generation: number | null,
    freshness: Freshness,
  ): Promise<{ readonly record: EvaluationRecord; readonly sources: readonly Source[] } | null> {
    const { document, position } = found;
    const { candidateId, evaluationId } = document;
    // Composed of several views, and none may lag behind the evaluation.
    const candidate = await this.reads.getAt(candidates, candidateId, position, freshness);
    const email = candidate?.document.personal?.email ?? null;
    const sources = [source(evaluations, evaluationId, found), source(candidates, candidateId, candidate)];
    if (generation === null || generation === document.generation)
      return { record: evaluationRecord(document, email, NO_EVIDENCE), sources };
    const id = evaluationResultId(evaluationId, generation);
    const former = await this.reads.getAt(evaluationResults, id, position, freshness);
    if (!former) return null;
    const record = formerRecord(document, former.document, email, NO_EVIDENCE);
    return { record, sources: [...sources, source(evaluationResults, id, former)] };
  }

  /** All evidence of a session in memory, which the session's budget bounds. */
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

/** A document of a view as a source. A document without a stamp gets the stamp `''`; `null`: there is no document. */
const source = (view: AnyView, id: string, found: Pick<Found<unknown>, 'stamp'> | null): Source => ({
  view,
  stamps: new Map([[id, found && (found.stamp ?? '')]]),
});
