import { START, type Position } from '../event-store/port.js';
import type { GenerationName } from '../read-store/port.js';
import { backoff, pause } from './backoff.js';
import { reasonOf } from './errors.js';
import type { Feed } from './feed.js';
import type { LeaseKeeper } from './leases.js';
import type { EngineLog } from './log.js';
import { runPass, type PassDependencies, type PassResult, type Segment } from './pass.js';
import type { Progress } from './progress.js';

/** What a segment's worker is at, as this process knows it. */
export interface SegmentStatus {
  readonly view: string;
  readonly generation: GenerationName;
  readonly segment: string;
  /** `standby`: another process has the lease. `stopped`: the next event is in the way; nothing is skipped. */
  readonly state: 'standby' | 'working' | 'stopped' | 'failing' | 'dropped';
  /** As of the last pass here; `null` before the first. */
  readonly position: Position | null;
  readonly caughtUp: boolean;
  /** Why it is stopped or failing. */
  readonly reason: string | null;
  /** Documents parked by this process since it started. */
  readonly parked: number;
}

export interface SegmentLoopOptions extends PassDependencies {
  readonly feed: Feed;
  readonly leases: LeaseKeeper;
  readonly progress: Progress;
  readonly log: EngineLog;
  readonly generation: GenerationName;
  readonly segment: Segment;
  readonly backoff: { readonly baseMs: number; readonly capMs: number };
  /** The segment has nothing left to read for now. False: the generation is no longer wanted. */
  readonly onCaughtUp: () => Promise<boolean>;
}

/** Works on one segment whenever it has the lease, for as long as the process lives. Never rejects. */
export class SegmentLoop {
  status: SegmentStatus;
  readonly #options: SegmentLoopOptions;
  #failures = 0;
  /** Whether the checkpoint was ever there: one that is gone means that the generation was dropped. */
  #begun = false;

  constructor(options: SegmentLoopOptions) {
    this.#options = options;
    this.status = {
      view: options.segment.view.name,
      generation: options.generation,
      segment: options.segment.name,
      state: 'standby',
      position: null,
      caughtUp: false,
      reason: null,
      parked: 0,
    };
  }

  async run(signal: AbortSignal): Promise<void> {
    const { leases, segment } = this.#options;
    while (!this.#isOver(signal)) {
      if (!leases.holds(segment.name)) this.#set({ state: 'standby', caughtUp: false, reason: null });
      await leases.acquired(segment.name, signal);
      if (this.#isOver(signal)) return;
      try {
        await this.#after(await this.#pass(signal), signal);
      } catch (error) {
        await this.#failed(error, signal);
      }
    }
  }

  #isOver(signal: AbortSignal): boolean {
    return signal.aborted || this.status.state === 'dropped';
  }

  #pass(signal: AbortSignal): Promise<PassResult> {
    const { leases, segment } = this.#options;
    const interrupted = (): boolean => signal.aborted || !leases.holds(segment.name);
    return runPass(this.#options, segment, { interrupted, begun: this.#begun });
  }

  async #after(result: PassResult, signal: AbortSignal): Promise<void> {
    const { feed, log, segment } = this.#options;
    switch (result.kind) {
      case 'advanced':
        this.#reached(result.position);
        this.#set({ state: 'working', reason: null, parked: this.status.parked + result.parked.length });
        for (const { documentId, position, reason } of result.parked) {
          log.error(
            { view: segment.view.name, documentId, position, reason },
            `An event could not be folded: its document of "${segment.view.name}" is parked, the rest goes on.`,
          );
        }
        return;
      case 'idle':
        this.#reached(result.position);
        this.#set({ state: 'working', caughtUp: true, reason: null });
        if (!(await this.#options.onCaughtUp())) {
          await this.#dropped();
          return;
        }
        // The subscription may be ahead of what pages show (a replica): no reason to spin.
        if (feed.position !== null && feed.position > result.position) await pause(backoff(0, 50), signal);
        else await feed.changed(result.position, signal);
        return;
      case 'again':
        await pause(backoff(this.#failures++, 10, 1000), signal);
        return;
      case 'stopped':
        await this.#stopped(result, signal);
        return;
      case 'dropped':
        await this.#dropped();
        return;
    }
  }

  async #dropped(): Promise<void> {
    const { leases, log, progress, segment, generation } = this.#options;
    this.#set({ state: 'dropped', caughtUp: false });
    progress.forget(segment.name);
    log.info({ generation, segment: segment.name }, `The generation ${generation} is no longer fed.`);
    await leases.giveUp(segment.name, Infinity);
  }

  async #stopped(
    { reason, message, position }: Extract<PassResult, { kind: 'stopped' }>,
    signal: AbortSignal,
  ): Promise<void> {
    const { leases, log, segment, backoff: timings } = this.#options;
    const view = segment.view.name;
    if (this.status.reason !== message) {
      log.error(
        { view, segment: segment.name, position, reason: message },
        `The view "${view}" has stopped.`,
      );
    }
    this.#set({ state: 'stopped', position, caughtUp: false, reason: message });
    const wait = backoff(this.#failures++, timings.baseMs * 10, timings.capMs);
    // Newer code may be running elsewhere: let it have the segment.
    if (reason === 'newer event') await leases.giveUp(segment.name, wait);
    await pause(wait, signal);
  }

  async #failed(error: unknown, signal: AbortSignal): Promise<void> {
    const { log, segment, backoff: timings } = this.#options;
    const view = segment.view.name;
    const reason = reasonOf(error);
    log.warn({ view, segment: segment.name, reason }, `A pass of the view "${view}" failed; it is repeated.`);
    this.#set({ state: 'failing', caughtUp: false, reason });
    await pause(backoff(this.#failures++, timings.baseMs, timings.capMs), signal);
  }

  #reached(position: Position): void {
    this.#failures = 0;
    this.#begun ||= position !== START;
    this.#options.progress.publish(this.#options.segment.name, position);
    this.#set({ position });
  }

  #set(change: Partial<SegmentStatus>): void {
    this.status = { ...this.status, ...change };
  }
}
