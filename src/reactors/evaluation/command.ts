import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { RequestContext } from '../../core/command-context.js';
import { VAULT } from '../../process/tokens.js';
import { accept, type Decider, type Decision } from '../../core/decider.js';
import { CommandStreams, type Handled } from '../../core/handle.js';
import { newId } from '../../core/new-id.js';
import type { StreamName } from '../../core/event-store.js';
import { streamName } from '../../core/stream-name.js';
import { readCompletion } from '../../domain/session/state.js';
import type { TrialEvent } from '../../domain/session/events.js';
import { PersonErased } from '../../core/vault/port.js';
import type { Vault } from '../../vault/port.js';
import {
  askedGeneration,
  evaluationDecider,
  type EvaluationState,
  recordResult,
} from '../../domain/evaluation/decider.js';
import type { Detector } from '../../scoring/detector/detector.js';
import {
  attemptEvent,
  type AttemptEvent,
  type AttemptIds,
  type EvaluationEvent,
} from '../../domain/evaluation/events.js';
import { failedGeneration, generateEvaluation } from '../../scoring/generate.js';
import { SCORER, type Scorer } from '../../scoring/scores/scorer.js';
import { SharedLock, untilErased } from './running.js';

/** Answers the generation that is asked for; where another one is, or none, there is nothing to do. */
export class GenerateEvaluation extends Command<Handled<EvaluationState>> {
  constructor(
    readonly context: RequestContext,
    readonly evaluationId: string,
    readonly trialSessionId: string,
    readonly generation: number,
  ) {
    super();
  }
}

/**
 * Makes a generation and records it. It is made before the evaluation's stream is held: a model may take minutes, in
 * which others' commands on the evaluation go on. Where the candidate is erased meanwhile nothing is recorded: the
 * erasure itself ends the evaluation.
 *
 * That a process begins is written before it does: a generation that ended several of them has failed, and ends no
 * more. One that may have ended a process is made with no other beside it, so that no other is taken for the cause.
 */
@CommandHandler(GenerateEvaluation)
export class GenerateEvaluationHandler implements ICommandHandler<GenerateEvaluation> {
  /** This process, among those that have begun a generation. */
  private readonly process = newId();
  private readonly generations = new SharedLock();
  /** Begun here and not answered, by evaluation. */
  private readonly begun = new Map<string, Attempt>();

  constructor(
    private readonly streams: CommandStreams,
    @Inject(SCORER) private readonly scorer: Scorer,
    private readonly detector: Detector,
    @Inject(VAULT) private readonly vault: Pick<Vault, 'keys'>,
    private readonly clock: () => Date = () => new Date(),
  ) {}

  /**
   * @param signal ends it: nothing is recorded
   * @throws what the signal was aborted with
   */
  async execute(command: GenerateEvaluation, signal?: AbortSignal): Promise<Handled<EvaluationState>> {
    const { context, evaluationId, trialSessionId, generation } = command;
    // The evaluation's chain goes on from its session's, so that neither can be exchanged for another later.
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
    const { organisationId, candidateId } = completed.data;
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
        return generateEvaluation({ session, generation, scorer, detector, signal: ending });
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

  /** Once nothing is generated any more: this process stops in good order, and is not one that a generation ended. */
  async leave(): Promise<void> {
    const left = [...this.begun.values()].map((attempt) => this.write(attempt, leaveAttempt));
    // One that could not be written counts as ended: others may still try.
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
    // Each process writes its own: none is the same command sent again.
    const own = { ...context, commandId: newId(), requestHash: null, now: this.clock() };
    const handled = await this.streams.handle(attempts, attemptsOf(ids), own, (state) => decide(state, ids));
    if (handled.kind === 'refused') throw new Error(handled.refusal.message);
  }
}

/** A generation that this process makes. */
interface Attempt {
  readonly ids: Parameters<typeof beginAttempt>[1];
  readonly context: RequestContext;
}

const attemptsOf = ({ evaluationId }: Attempt['ids']): StreamName => streamName('attempts', evaluationId);

const endedProcesses = (ended: number): string =>
  `The service’s process ended ${ended} times while it generated this evaluation, which is not tried again by itself: ask for a new generation once the cause is found.`;

/** What the stream says of the generation that was begun last. */
export interface Attempts {
  readonly generation: number;
  /** The processes that have begun the generation and not left it. */
  readonly open: ReadonlySet<string>;
}

/** Processes that one generation may end: after so many it has failed. */
export const MAX_ENDED_PROCESSES = 3;

export const attempts: Decider<Attempts, AttemptEvent> = {
  kind: 'attempts',
  initial: { generation: 0, open: new Set() },
  evolve: (state, { type, data: { generation, process } }) => {
    const open = new Set(generation === state.generation ? state.open : []);
    if (type === 'attempt.begun') open.add(process);
    else open.delete(process);
    return { generation, open };
  },
};

/** Processes other than this one that have begun a generation and neither answered nor left it. */
export const othersAt = (state: Attempts, { generation, process }: AttemptIds): number =>
  state.generation === generation ? [...state.open].filter((one) => one !== process).length : 0;

/** Begins a generation in a process; sent again by the same process, it changes nothing. */
export const beginAttempt = (state: Attempts, ids: AttemptIds): Decision<AttemptEvent> =>
  isOpen(state, ids) ? accept() : accept(attemptEvent('attempt.begun', ids));

/** A process that stops lets go of a generation that it had begun. */
export const leaveAttempt = (state: Attempts, ids: AttemptIds): Decision<AttemptEvent> =>
  isOpen(state, ids) ? accept(attemptEvent('attempt.left', ids)) : accept();

const isOpen = (state: Attempts, { generation, process }: AttemptIds): boolean =>
  state.generation === generation && state.open.has(process);
