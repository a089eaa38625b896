import type { RequestContext } from '../core/command-context.js';
import type { CommandStreams } from '../core/handle.js';
import { newId } from '../core/random.js';
import type { AttemptIds, CheckAttempt, GenerationAttempt } from '../domain/evaluation/attempt-events.js';
import { attemptsDecider, beginAttempt, leaveAttempt, otherAttempts } from '../domain/evaluation/attempts.js';

/** Work during which this many processes have ended is not tried again: it may be what ended them. */
export const MAX_ENDED_PROCESSES = 3;

/** The work that is attempted: an attempt without its process. */
export type Tried = Omit<GenerationAttempt, 'process'> | Omit<CheckAttempt, 'process'>;

/**
 * Records this process's attempts before they begin. So work during which several processes have ended is distinguished
 * from work that another process is doing, and is not tried again. Order of calls: `before`, `begin`, the work within
 * `leaveIfStopped`, `done`; and `leave` when the process ends.
 */
export class Attempts {
  /** The id of this process in the records. */
  private readonly process = newId();
  /** Attempts in progress, by the id of the evaluation or hand-in. */
  private readonly begun = new Map<string, { readonly tried: Tried; readonly context: RequestContext }>();

  constructor(
    private readonly streams: CommandStreams,
    private readonly clock: () => Date = () => new Date(),
  ) {}

  /**
   * `ended`: how many other processes have begun the work and not left it. `isBegun`: whether any process, including
   * this one, has begun it.
   */
  async before(tried: Tried): Promise<{ readonly ended: number; readonly isBegun: boolean }> {
    const { state } = await this.streams.read(attemptsDecider, streamIdOf(tried));
    const isBegun = state.generation === tried.generation && state.open.size > 0;
    return { ended: otherAttempts(state, { ...tried, process: this.process }), isBegun };
  }

  /** Records that this process begins the work. @throws {StoreUnavailable} the work must not begin */
  async begin(tried: Tried, context: RequestContext): Promise<void> {
    await this.write(tried, context, beginAttempt);
    this.begun.set(streamIdOf(tried), { tried, context });
  }

  /** Call it once the result is recorded, which ends the attempt. @param id of the evaluation or hand-in */
  done(id: string): void {
    this.begun.delete(id);
  }

  /**
   * Waits for the work. If it fails after `stop` has aborted, the attempt is recorded as left, so that it does not
   * count as work during which a process has ended.
   * @param id of the evaluation or hand-in
   * @throws what the work throws
   */
  async leaveIfStopped<T>(stop: AbortSignal, id: string, work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      if (stop.aborted) await this.leave(id);
      throw error;
    }
  }

  /**
   * Records that this process has left the work in an orderly way.
   * @param id of the evaluation or hand-in. Default: all
   */
  async leave(id?: string): Promise<void> {
    const left = [...this.begun]
      .filter(([one]) => id === undefined || one === id)
      .map(async ([one, { tried, context }]) => {
        await this.write(tried, context, leaveAttempt);
        this.begun.delete(one);
      });
    // If this fails, the attempt counts as one that has ended its process.
    await Promise.allSettled(left);
  }

  private async write(
    tried: Tried,
    context: RequestContext,
    decide: typeof beginAttempt | typeof leaveAttempt,
  ): Promise<void> {
    const ids: AttemptIds = { ...tried, process: this.process };
    // A new command id, since each process records its own attempt: it is not a repeated command.
    const own = { ...context, commandId: newId(), requestHash: null, now: this.clock() };
    const handled = await this.streams.handle(attemptsDecider, streamIdOf(tried), own, (state) =>
      decide(state, ids),
    );
    if (handled.kind === 'refused') throw new Error(handled.refusal.message);
  }
}

/** The id of the stream in which the attempt is recorded. */
const streamIdOf = (tried: Tried): string => ('handInId' in tried ? tried.handInId : tried.evaluationId);
