import { Slices } from '../core/concurrency.js';
import { MAX_APPEND_BYTES } from '../core/event-store.js';
import type { AnyEvent, Stored } from '../core/event.js';
import { jsonBytes } from '../core/json.js';
import type { PersonId } from '../core/vault/port.js';
import { applicationRefOf } from '../domain/candidate/events.js';
import {
  evaluationEvent,
  type EvaluationFailed,
  type EvaluationGenerated,
  type EvaluationIds,
  type EvidenceHead,
  type ModelAnswered,
  type ShownWork,
  type SimilarWork,
} from '../domain/evaluation/events.js';
import type { RoleDefinition } from '../domain/role/events.js';
import type { TrialCompleted, TrialEvent } from '../domain/session/events.js';
import { detectionsOf, type Detector, noDetector } from './detector/detector.js';
import { type EvidenceEvent, evidenceEvents, textIn } from './evidence/evidence.js';
import { isHandIn, setupIn } from './evidence/work.js';
import { findIntegrity } from './integrity/find.js';
import { currentRuleSet, type RuleSet } from './rule-sets.js';
import type { ModelAnswer, Scorer, Scoring } from './scores/scorer.js';
import { checkScoring, overallOf } from './scores/scores.js';

/** Largest result in bytes of its JSON: sealing its personal part must still fit one append. */
export const MAX_RESULT_BYTES = 640 * 1024;

/** What an evaluation is generated from. */
export interface GenerationInput {
  /**
   * The session's whole stream: it opens with the role's pinned definition and ends with `trial.completed`. What
   * scorers and rules see of each event is kept in memory: by a session's budget some 40 MB in all.
   */
  readonly session: Iterable<Stored<TrialEvent>> | AsyncIterable<Stored<TrialEvent>>;
  readonly generation: number;
  /**
   * The evidence after the completion: hand-ins that were begun before it, and results of checks, in order. Their
   * sequence numbers continue from the completion's. By default none.
   */
  readonly later?: readonly EvidenceEvent[];
  /** What hand-ins have in common with those of other candidates. Default: nothing. */
  readonly similar?: readonly SimilarWork[];
  /** What a model is shown of hand-ins. Default: nothing. */
  readonly work?: readonly ShownWork[];
  /** The candidate was granted this many times the usual time; thresholds of gaps are multiplied by it. Default 1. */
  readonly timeFactor?: number;
  readonly scorer: Scorer;
  /** By default the current rule set. */
  readonly ruleSet?: RuleSet;
  /** Default: none. */
  readonly detector?: Detector;
  /** Cancels the generation. Without it, the generation cannot be cancelled. */
  readonly signal?: AbortSignal;
}

/** A generation's result; it fits one append. */
export interface Generation {
  readonly result: EvaluationGenerated | EvaluationFailed;
  /** The model's answers that led to the result. */
  readonly answers: readonly ModelAnswered[];
}

/**
 * One generation of a completed session's evaluation. Apart from what scorer and detector answer, a function of the
 * input and the rule set alone: no clock, no locale, no store.
 * @throws {Error} the session is not completed, or its stream does not open with its facts: nothing to evaluate
 * @throws what the signal was aborted with
 */
export async function generateEvaluation(input: GenerationInput): Promise<Generation> {
  const {
    session,
    generation,
    later = [],
    similar = [],
    work = [],
    timeFactor = 1,
    scorer,
    ruleSet = currentRuleSet,
    detector = noDetector,
    signal,
  } = input;
  const { completed, role, evidence: recorded } = await gathered(session, signal);
  const evidence = recorded && withWork([...recorded, ...later], work);
  const ids = idsOf(completed, generation);
  const person = ids.candidateId as PersonId;
  const head = headOf(completed);
  const fail = (failure: string, answers: readonly ModelAnswered[] = []): Generation => {
    const result = failedGeneration(completed, generation, failure);
    return fitOneAppend([...answers, result]) ? { result, answers } : { result, answers: [] };
  };

  // A session can have thousands of events: other work runs between the stages.
  const slices = new Slices();
  const letOthersRun = async (): Promise<void> => {
    await slices.next();
    signal?.throwIfAborted();
  };
  if (evidence === null) return fail('Some of the evidence can no longer be read.');
  await letOthersRun();
  const scoring = await askScorer(scorer, role, evidence, signal);
  const answers = (scoring.answers ?? []).map((answer) => answerEvent(answer, ids, person));
  if (scoring.kind === 'failed') return fail(scoring.reason, answers);
  const checked = checkScoring(role, evidence, scoring.dimensions);
  if (checked.kind === 'unusable') return fail(checked.reason, answers);
  await letOthersRun();

  const { scores, rationales, quotes } = checked;
  const overallThreshold = completed.data.overallThreshold;
  const overall = overallOf(scores, overallThreshold);
  const endedAt = completed.metadata.recordedAt;
  const detections = await detectionsOf(evidence, ruleSet.integrity, detector, signal);
  const figures = {
    ...ids,
    head,
    ruleSet: ruleSet.name,
    scoredBy: scorer.describe(),
    scores,
    overallScore: overall.score,
    overallExact: overall.exact,
    overallThreshold,
    passed: overall.passed,
    integrity: findIntegrity(
      {
        ...{ evidence, tickets: setupIn(role.ticketIds, evidence), endedAt, detections, similar, timeFactor },
        aiPolicy: role.aiPolicy,
      },
      ruleSet.integrity,
    ),
    detections,
    ...(similar.length > 0 && { similar }),
  };
  const generated = evaluationEvent('evaluation.generated', figures, person, { rationales, quotes });
  return jsonBytes(generated.data) + jsonBytes(generated.personal) <= MAX_RESULT_BYTES &&
    fitOneAppend([...answers, generated])
    ? { result: generated, answers }
    : fail(`The result for ${role.dimensions.length} dimensions is larger than one event may be.`, answers);
}

/** @param failure a sentence for staff */
export const failedGeneration = (
  completed: Stored<TrialCompleted>,
  generation: number,
  failure: string,
): EvaluationFailed => {
  const ids = idsOf(completed, generation);
  const data = { ...ids, head: headOf(completed) };
  return evaluationEvent('evaluation.failed', data, ids.candidateId as PersonId, { failure });
};

/** The completion, not the stream's end: later events, such as an erasure, are no evidence of the session. */
const headOf = ({ data, chain }: Stored<TrialCompleted>): EvidenceHead => ({
  sequenceNumber: data.sequenceNumber,
  hash: chain?.hash ?? null,
});

/** Reads a session up to its completion. `evidence` is `null` if some of it can no longer be read. */
async function gathered(
  session: GenerationInput['session'],
  signal: AbortSignal | undefined,
): Promise<{
  readonly completed: Stored<TrialCompleted>;
  readonly role: RoleDefinition;
  readonly evidence: readonly EvidenceEvent[] | null;
}> {
  let role: RoleDefinition | undefined;
  let completed: Stored<TrialCompleted> | null = null;
  let evidence: EvidenceEvent[] | null = [];
  for await (const event of session) {
    signal?.throwIfAborted();
    if (event.revision === 0 && 'opening' in event.data) role = event.data.opening?.role;
    const seen = evidenceEvents(event);
    if (seen === null) evidence = null;
    else evidence?.push(...seen);
    if (event.type !== 'trial.completed') continue;
    completed = event;
    break;
  }
  if (completed === null) throw new Error('Only a completed session can be evaluated.');
  if (role === undefined) throw new Error("A session's first event must carry its opening.");
  return { completed, role, evidence };
}

/** The evidence in which each hand-in has what a model is shown of it. */
const withWork = (
  evidence: readonly EvidenceEvent[],
  work: readonly ShownWork[],
): readonly EvidenceEvent[] => {
  const byId = new Map(work.map((one) => [one.handInId, one]));
  return evidence.map((event) => {
    const shown = isHandIn(event) ? byId.get(textIn(event, 'handInId') ?? '') : undefined;
    return shown ? { ...event, work: shown } : event;
  });
};

/** Calls the scorer. An error becomes a failure, unless the signal aborted the call. */
async function askScorer(
  scorer: Scorer,
  role: RoleDefinition,
  evidence: readonly EvidenceEvent[],
  signal: AbortSignal | undefined,
): Promise<Scoring> {
  try {
    return await scorer.score({ role, evidence }, signal);
  } catch (error) {
    signal?.throwIfAborted();
    // The message can hold addresses or payloads: staff get only the error's name.
    const name = error instanceof Error ? error.name : 'Error';
    return { kind: 'failed', reason: `The scorer stopped with an unexpected fault (${name}).` };
  }
}

/** A model's answer as an event. */
const answerEvent = (
  { answer, work, ...of }: ModelAnswer,
  ids: EvaluationIds,
  person: PersonId,
): ModelAnswered =>
  evaluationEvent('evaluation.model_answered', { ...ids, ...of }, person, { answer, ...(work && { work }) });

const idsOf = ({ data }: TrialCompleted, generation: number): EvaluationIds => ({
  ...applicationRefOf(data),
  evaluationId: data.evaluationId,
  generation,
});

/** More than an event's metadata, chain link, signature and the wrapping of its sealed part take. */
const ENVELOPE_BYTES = 2 * 1024;

/**
 * Whether one append takes them all, sealed parts (base64) included. Estimated upwards: what fits here is not refused.
 */
export const fitOneAppend = (events: readonly AnyEvent[]): boolean =>
  events.reduce((sum, event) => sum + maxBytes(event), 0) <= MAX_APPEND_BYTES;

const maxBytes = ({ data, personal }: AnyEvent): number =>
  ENVELOPE_BYTES + jsonBytes(data) + (personal === null ? 0 : Math.ceil((jsonBytes(personal) * 4) / 3));
