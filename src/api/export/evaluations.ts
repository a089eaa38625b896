import { evaluationResultId, evaluationResults } from '../../../projections/evaluation-results.js';
import { evaluations, type SignedHead } from '../../../projections/evaluations.js';
import type { Detection, EvaluationEvent } from '../../domain/evaluation/events.js';
import { type Explanation, explanationOf } from '../evaluations/explanation.js';
import { type EvaluationRecord, evaluationRecord, formerRecord } from '../evaluations/record.js';
import type { FoundEvaluation } from '../evaluations/staff-evaluations.js';
import type { Stored } from '../../core/event.js';
import { streamName } from '../../core/stream-name.js';
import type { FoundApplication } from '../applications/own-applications.js';
import type { Exporting } from './exporting.js';

/** One generation of an evaluation as it is exported: the evidence stands beside the evaluations, once for all. */
export interface ExportedEvaluation extends Omit<EvaluationRecord, 'evidence'> {
  readonly head: SignedHead | null;
  /** With every term and quote; `null` without a result. */
  readonly explanation: Explanation | null;
  readonly detections: readonly Detection[];
  readonly modelAnswers: readonly ExportedModelAnswer[];
}

/** What a model answered when it was asked to score a dimension, as it came. */
export interface ExportedModelAnswer {
  readonly dimensionId: string;
  readonly attempt: number;
  readonly model: string;
  readonly promptVersion: number;
  readonly parameters: Readonly<Record<string, number | string>>;
  readonly answer: string | null;
  readonly answeredAt: string;
}

const NO_EVIDENCE = { events: [], questions: [] };

/** The evaluation that a session has led to, `null` where there is none. */
export const evaluationOf = async (
  { reads, freshness }: Exporting,
  { document, position }: FoundApplication,
): Promise<FoundEvaluation | null> => {
  const id = document.trial.evaluationId;
  return id === null ? null : reads.getAt(evaluations, id, position, freshness);
};

/** All generations of an evaluation, oldest first, one in memory at a time. */
export async function* generationsOf(
  exporting: Exporting,
  { document, position }: FoundEvaluation,
  candidateEmail: string | null,
): AsyncGenerator<ExportedEvaluation, void, undefined> {
  const { reads, streams, freshness } = exporting;
  const { evaluationId, candidateId } = document;
  const stored = besides(streams.each<EvaluationEvent>(streamName('evaluation', evaluationId)));
  for (let generation = 1; generation <= document.generation; generation++) {
    const beside = await stored.next();
    const id = evaluationResultId(evaluationId, generation);
    const result = (await reads.getAt(evaluationResults, id, position, freshness))?.document ?? null;
    await exporting.assertNotErased(candidateId);
    const isLatest = generation === document.generation;
    if (!result && !isLatest) continue;
    const { evidence, ...record } =
      result && !isLatest
        ? formerRecord(document, result, candidateEmail, NO_EVIDENCE)
        : evaluationRecord(document, candidateEmail, NO_EVIDENCE);
    // What came since the evaluation was found is a later reader's.
    const isAnswered = record.status !== 'generating';
    yield {
      ...record,
      head: evidence.head,
      explanation: isAnswered && result?.result ? explanationOf(result, result.result) : null,
      ...(isAnswered && !beside.done ? beside.value : NOTHING),
    };
  }
}

type Besides = Pick<ExportedEvaluation, 'detections' | 'modelAnswers'>;

const NOTHING: Besides = { detections: [], modelAnswers: [] };

/** What is stored of each generation beside its result, from the first on. */
async function* besides(
  events: AsyncIterable<Stored<EvaluationEvent>>,
): AsyncGenerator<Besides, void, undefined> {
  let generation = 1;
  let own = NOTHING;
  for await (const event of events) {
    for (; generation < event.data.generation; generation++) {
      yield own;
      own = NOTHING;
    }
    if (event.type === 'evaluation.generated') own = { ...own, detections: event.data.detections };
    if (event.type !== 'evaluation.model_answered') continue;
    const { dimensionId, attempt, model, promptVersion, parameters } = event.data;
    const [answer, answeredAt] = [event.personal?.answer ?? null, event.metadata.recordedAt];
    const said = { dimensionId, attempt, model, promptVersion, parameters, answer, answeredAt };
    own = { ...own, modelAnswers: [...own.modelAnswers, said] };
  }
  yield own;
}
