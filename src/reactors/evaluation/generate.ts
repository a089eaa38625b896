import { outcome } from '../../domain/application/decider.js';
import { pendingEvaluations } from '../../../projections/pending-evaluations.js';
import type { CommandContexts, RequestContext } from '../../core/command-context.js';
import { accept, type Decision } from '../../core/decider.js';
import type { StreamName } from '../../core/event-store.js';
import type { CommandStreams, Handled } from '../../core/handle.js';
import { newId } from '../../core/new-id.js';
import { streamName } from '../../core/stream-name.js';
import { PersonErased } from '../../core/vault/port.js';
import {
  askedGeneration,
  attempts,
  beginAttempt,
  evaluationDecider,
  type EvaluationState,
  leaveAttempt,
  othersAt,
  recordResult,
} from '../../domain/evaluation/decider.js';
import type { AttemptIds, EvaluationEvent } from '../../domain/evaluation/events.js';
import type { TrialEvent } from '../../domain/session/events.js';
import { readCompletion } from '../../application/applications/reading.js';
import type { Found } from '../../engine/reads/reads.js';
import type { DocumentOf } from '../../engine/view.js';
import type { Detector } from '../../scoring/detector/detector.js';
import { failedGeneration, generateEvaluation } from '../../scoring/generate.js';
import type { Scorer } from '../../scoring/scores/scorer.js';
import type { Vault } from '../../vault/port.js';
import type { WorkCounts } from '../metrics.js';
import { SharedLock, untilErased } from './running.js';

/** The commands of a reactor have ids made of its name: it must never change. */
export const NAME = 'generate-evaluation';

/**
 * Generates every requested evaluation that has no result.
 * @param stopping ends the generations in progress: another process starts them again
 */
export const generateEvaluations = (
  generator: EvaluationGenerator,
  contexts: CommandContexts,
  stopping: AbortSignal,
  counts: WorkCounts['evaluations'],
) => ({
  name: NAME,
  view: pendingEvaluations,
  index: 'byState',
  prefix: ['requested'],
  act: async ({ document }: Found<DocumentOf<typeof pendingEvaluations>>): Promise<void> => {
    const context = contexts.forReaction(NAME, document.causedBy, document.correlationId);
    try {
      const handled = await generator.generate(context, document, stopping);
      if (handled.kind === 'refused') throw new Error(handled.refusal.message);
      const { status } = handled.state;
      if (handled.changed && (status === 'ready' || status === 'failed')) counts[status]++;
    } catch (error) {
      if (!stopping.aborted) throw error;
    }
  },
});

/** A generation fails after it has ended so many processes. */
const MAX_ENDED_PROCESSES = 3;

/** A requested generation of an evaluation. */
type Requested = Pick<AttemptIds, 'evaluationId' | 'trialSessionId' | 'generation'>;

/** A generation that this process makes. */
interface Attempt {
  readonly ids: AttemptIds;
  readonly context: RequestContext;
}

/**
 * Makes a generation and records it. A model may take minutes, so the generation is made before the evaluation's stream
 * is held: other commands on the evaluation go on meanwhile. If the candidate is erased meanwhile nothing is recorded:
 * the erasure itself ends the evaluation.
 *
 * A process records that it begins, so that a generation which has ended several processes fails and ends no more. One
 * that may have ended a process is made alone, so that no other generation is taken for the cause.
 */
export class EvaluationGenerator {
  /** This process, in the record of attempts. */
  private readonly process = newId();
  private readonly generations = new SharedLock();
  /** In progress, by evaluation. */
  private readonly begun = new Map<string, Attempt>();

  constructor(
    private readonly streams: CommandStreams,
    private readonly scorer: Scorer,
    private readonly detector: Detector,
    private readonly vault: Pick<Vault, 'keys'>,
    private readonly clock: () => Date = () => new Date(),
  ) {}

  /**
   * Makes the generation, unless another one is requested, or none.
   * @param signal ends it: nothing is recorded
   * @throws the signal's reason
   */
  async generate(
    context: RequestContext,
    { evaluationId, trialSessionId, generation }: Requested,
    signal?: AbortSignal,
  ): Promise<Handled<EvaluationState>> {
    // The evaluation's chain continues its session's, so that neither can be exchanged later.
    const completed = await readCompletion(this.streams, trialSessionId);
    const head = completed?.chain?.hash ?? null;
    const stream = streamName('evaluation', evaluationId);
    const record = async (
      decide: (state: EvaluationState) => Decision<EvaluationEvent>,
    ): Promise<Handled<EvaluationState>> => {
      const now = this.clock();
      const handled = await this.streams.handle(evaluationDecider, stream, { ...context, now }, decide, head);
      this.begun.delete(evaluationId);
      return handled;
    };
    const nothing = () => record(() => accept());

    const { state: before } = await this.streams.read(evaluationDecider, stream);
    if (askedGeneration(before) !== generation) return nothing();
    if (completed === null) throw new Error('Only a completed session can be evaluated.');
    const { organisationId, candidateId, applicationId } = completed.data;
    const ids = { organisationId, trialSessionId, evaluationId, generation, process: this.process };
    const attempt = { ids, context };
    const { state } = await this.streams.read(attempts, attemptsOf(ids));
    const ended = othersAt(state, ids);
    const make = () =>
      untilErased(this.vault, candidateId, signal, async (ending) => {
        ending.throwIfAborted();
        if (ended >= MAX_ENDED_PROCESSES)
          return { result: failedGeneration(completed, generation, endedProcesses(ended)), answers: [] };
        await this.begin(attempt);
        const session = this.streams.each<TrialEvent>(streamName('trial', trialSessionId));
        const { scorer, detector } = this;
        const application = await this.streams.read(outcome, streamName('application', applicationId));
        const { timeFactor } = application.state.accommodations;
        return generateEvaluation({ session, generation, timeFactor, scorer, detector, signal: ending });
      });
    const made = await (ended > 0 ? this.generations.exclusively(make) : this.generations.run(make));
    if (made === 'erased') return nothing();
    try {
      return await record((current) => recordResult(made.result, current, made.answers));
    } catch (error) {
      if (!(error instanceof PersonErased)) throw error;
      return nothing();
    }
  }

  /** Records, once nothing is generated any more, that this process stops in an orderly way. */
  async leave(): Promise<void> {
    const left = [...this.begun.values()].map((attempt) => this.write(attempt, leaveAttempt));
    // An attempt whose end is not recorded counts as one that ended its process.
    await Promise.allSettled(left);
  }

  private async begin(attempt: Attempt): Promise<void> {
    await this.write(attempt, beginAttempt);
    this.begun.set(attempt.ids.evaluationId, attempt);
  }

  private async write(
    { ids, context }: Attempt,
    decide: typeof beginAttempt | typeof leaveAttempt,
  ): Promise<void> {
    // Each process records its own attempt: none is a repeated command.
    const own = { ...context, commandId: newId(), requestHash: null, now: this.clock() };
    const handled = await this.streams.handle(attempts, attemptsOf(ids), own, (state) => decide(state, ids));
    if (handled.kind === 'refused') throw new Error(handled.refusal.message);
  }
}

const attemptsOf = ({ evaluationId }: AttemptIds): StreamName => streamName('attempts', evaluationId);

const endedProcesses = (ended: number): string =>
  `The service’s process ended ${ended} times while it generated this evaluation, which is not tried again by itself: ask for a new generation once the cause is found.`;
