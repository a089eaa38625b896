import { pendingEvaluations } from '../../../projections/pending-evaluations.js';
import { handleEvaluation, readCompletion } from '../../application/applications/reading.js';
import type { HandInChanges } from '../../application/hand-ins/hand-in-changes.js';
import type { WorkComparison } from '../../application/hand-ins/work-comparison.js';
import type { CommandContexts, RequestContext } from '../../core/command-context.js';
import { SharedLock } from '../../core/concurrency.js';
import { accept, type Decision } from '../../core/decider.js';
import type { CommandStreams, Handled } from '../../core/handle.js';
import { PersonErased } from '../../core/vault/port.js';
import { outcome } from '../../domain/application/decider.js';
import type { GenerationAttempt } from '../../domain/evaluation/attempt-events.js';
import {
  requestedGeneration,
  evaluationDecider,
  type EvaluationState,
  recordResult,
} from '../../domain/evaluation/decider.js';
import type { EvaluationEvent } from '../../domain/evaluation/events.js';
import { awaitedBy } from '../../domain/evaluation/late-work.js';
import { trial } from '../../domain/session/state.js';
import type { Found } from '../../engine/reads/reads.js';
import type { DocumentOf } from '../../engine/view.js';
import type { Detector } from '../../scoring/detector/detector.js';
import { type EvidenceEvent, lateEvidence } from '../../scoring/evidence/evidence.js';
import { failedGeneration, generateEvaluation } from '../../scoring/generate.js';
import type { Scorer } from '../../scoring/scores/scorer.js';
import type { Vault } from '../../vault/port.js';
import { type Attempts, MAX_ENDED_PROCESSES } from '../attempts.js';
import type { WorkCounts } from '../metrics.js';
import { untilErased } from './until-erased.js';

/** The commands of a reactor have ids made of its name: it must never change. */
export const NAME = 'generate-evaluation';

/** The reactor that generates requested evaluations without a result. */
export const generateEvaluations = (
  generator: EvaluationGenerator,
  contexts: CommandContexts,
  counts: WorkCounts['evaluations'],
) => ({
  name: NAME,
  view: pendingEvaluations,
  index: 'byState',
  prefix: ['requested'],
  act: async (
    { document }: Found<DocumentOf<typeof pendingEvaluations>>,
    _: Date,
    ends: AbortSignal,
  ): Promise<void> => {
    const context = contexts.forReaction(NAME, document.causedBy, document.correlationId);
    const handled = await generator.generate(context, document, ends);
    if (handled.kind === 'refused') throw new Error(handled.refusal.message);
    const { status } = handled.state;
    if (handled.changed && (status === 'ready' || status === 'failed')) counts[status]++;
  },
});

/** A requested generation of an evaluation. */
type Requested = Pick<GenerationAttempt, 'evaluationId' | 'trialSessionId' | 'generation'>;

/**
 * Makes a generation and records it. A model may take minutes, so the generation is made before the command on the
 * evaluation's stream, which would block other commands. If the candidate is erased meanwhile, nothing is recorded: the
 * erasure ends the evaluation.
 *
 * A process records that it begins. A generation during which several processes have ended fails, and is not tried
 * again. A generation during which a process has ended is made alone, so that no other one can be the cause if a
 * process ends again.
 */
export class EvaluationGenerator {
  private readonly generations = new SharedLock();

  constructor(
    private readonly streams: CommandStreams,
    private readonly scorer: Scorer,
    private readonly detector: Detector,
    private readonly vault: Pick<Vault, 'keys'>,
    private readonly handIns: {
      readonly comparison: Pick<WorkComparison, 'similarWork'>;
      readonly changes: Pick<HandInChanges, 'shownWork'>;
    },
    private readonly attempts: Attempts,
    private readonly clock: () => Date = () => new Date(),
  ) {}

  /**
   * Makes the generation, if it is still the requested one.
   * @param signal aborts it: nothing is recorded
   * @throws the signal's reason
   */
  async generate(
    context: RequestContext,
    { evaluationId, trialSessionId, generation }: Requested,
    signal: AbortSignal,
  ): Promise<Handled<EvaluationState>> {
    const completed = await readCompletion(this.streams, trialSessionId);
    const record = async (
      decide: (state: EvaluationState) => Decision<EvaluationEvent>,
    ): Promise<Handled<EvaluationState>> => {
      const at = { ...context, now: this.clock() };
      const handled = await handleEvaluation(this.streams, { evaluationId, completed }, at, decide);
      this.attempts.done(evaluationId);
      return handled;
    };
    const nothing = () => record(() => accept());

    const { state: before } = await this.streams.read(evaluationDecider, evaluationId);
    const awaits = completed?.data.awaits ?? [];
    if (requestedGeneration(before) !== generation || awaitedBy(awaits, before.late).length > 0)
      return nothing();
    if (completed === null) throw new Error('Only a completed session can be evaluated.');
    const { organisationId, candidateId, applicationId } = completed.data;
    const tried = { organisationId, trialSessionId, evaluationId, generation };
    const { ended } = await this.attempts.before(tried);
    const later = await this.lateEvidenceOf(evaluationId);
    const make = () =>
      untilErased(this.vault, candidateId, signal, async (ending) => {
        ending.throwIfAborted();
        if (ended >= MAX_ENDED_PROCESSES)
          return { result: failedGeneration(completed, generation, endedProcesses(ended)), answers: [] };
        await this.attempts.begin(tried, context);
        const session = this.streams.each(trial, trialSessionId);
        const { scorer, detector } = this;
        const application = await this.streams.read(outcome, applicationId);
        const { timeFactor } = application.state.accommodations;
        const { comparison, changes } = this.handIns;
        const similar = await comparison.similarWork(completed, ending);
        const work = scorer.readsWork ? await changes.shownWork(trialSessionId, before.late, ending) : [];
        return generateEvaluation({
          session,
          later,
          similar,
          work,
          generation,
          timeFactor,
          scorer,
          detector,
          signal: ending,
        });
      });
    const basis = { awaits, late: later.length };
    try {
      const making = ended > 0 ? this.generations.exclusively(make) : this.generations.run(make);
      const made = await this.attempts.leaveIfStopped(signal, evaluationId, making);
      if (made === 'erased') return await nothing();
      return await record((current) => recordResult(current, made.result, made.answers, basis));
    } catch (error) {
      if (!(error instanceof PersonErased)) throw error;
      return nothing();
    }
  }

  /** The evidence from after the session's completion, in order. */
  private async lateEvidenceOf(evaluationId: string): Promise<readonly EvidenceEvent[]> {
    const later: EvidenceEvent[] = [];
    for await (const event of this.streams.each(evaluationDecider, evaluationId)) {
      const evidence = lateEvidence(event);
      if (evidence) later.push(evidence);
    }
    return later;
  }
}

const endedProcesses = (ended: number): string =>
  `The service’s process ended ${ended} times while it generated this evaluation, which is not tried again by itself: ask for a new generation once the cause is found.`;
