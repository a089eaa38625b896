import { backoff, pause } from '../../core/backoff.js';
import type { Position } from '../../core/event-store.js';
import { anySignal } from '../../core/signals.js';
import { GenerationUnusable } from '../../stores/errors.js';
import type { BuildFailure, GenerationName } from '../../stores/read-store.js';
import {
  isCheckpointBehind,
  runPass,
  advanceCheckpoint,
  type PassDependencies,
  type PassResult,
  type SegmentPosition,
  WriteThroughCache,
} from '../fold/pass.js';
import type { Feed } from '../live/feed.js';
import type { FoldCounts, Progress } from '../live/progress.js';
import type { CaughtUpSegment } from '../live/ring.js';
import type { EngineLog } from '../log.js';
import type { Leases } from '../ownership/leases.js';
import type { Segment } from '../segments.js';
import { SegmentReport, type SegmentStatus } from './segment-report.js';

/** Which of a view's generations it is: the one that is read, the one that is being built, or the one before. */
export type Role = 'live' | 'next' | 'former';

export interface SegmentLoopOptions extends PassDependencies {
  readonly feed: Feed;
  readonly leases: Leases;
  /** The name of the segment's lease. */
  readonly lease: string;
  /** Wakes reads that wait for the segment's position. */
  readonly progress: Progress;
  /** The process's metrics of folds. */
  readonly counts: FoldCounts;
  readonly log: EngineLog;
  readonly generation: GenerationName;
  readonly segment: Segment;
  readonly backoff: { readonly baseMs: number; readonly capMs: number };
  /** Called when a build has stopped at a failure. */
  readonly onFailure: (failure: BuildFailure) => void;
  /** Its role may change while the loop runs: a generation is promoted. */
  readonly stage: { readonly role: Role };
}

/** The time from taking a segment's lease to losing it, or to the end of the process. */
interface Term {
  /** Ends with the process. */
  readonly signal: AbortSignal;
  /** Ends with the process, or with the lease. */
  readonly ends: AbortSignal;
}

/**
 * Feeds one segment while this process has its lease: makes passes until the segment has caught up, then follows the
 * feed until an event comes that the segment may handle. `run` ends when its signal aborts; call `leave` afterwards.
 */
export class SegmentLoop {
  readonly #options: SegmentLoopOptions;
  readonly #segment: Segment & { readonly collection: WriteThroughCache };
  /** Passes in a row that did not advance: the pause before the next one grows with them. */
  #failures = 0;
  /** Whether the segment has had a checkpoint: if it has none now, the generation was dropped. */
  #begun = false;
  /** Where the last pass ended; `null`: the next one begins at the stored checkpoint. */
  #current: SegmentPosition | null = null;
  /** Whether the checkpoint has to move before the next pass. */
  #isFlushDue = false;
  /** Set while the segment has caught up and moves with the feed, without passes. */
  #following: CaughtUpSegment | null = null;
  readonly #report: SegmentReport;

  constructor(options: SegmentLoopOptions) {
    this.#options = options;
    const { segment } = options;
    this.#segment = { ...segment, collection: new WriteThroughCache(segment.collection) };
    this.#report = new SegmentReport(options);
  }

  get status(): SegmentStatus {
    const { status } = this.#report;
    return this.#following === null ? status : { ...status, position: this.#following.position };
  }

  /** Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    const { feed } = this.#options;
    const remove = feed.checkpoints.add(this);
    await this.#work(signal);
    remove();
  }

  /** Leaves the segment to other processes, after `run`. */
  async leave(): Promise<void> {
    const { leases, lease, progress, segment } = this.#options;
    progress.forget(segment.name);
    await leases.forget(lease);
  }

  /** Moves the checkpoint to the segment's position: at once, or after the current pass. The flusher calls it. */
  flush(): void {
    const current = this.#following === null ? this.#current : this.#reachedBy(this.#following);
    if (current !== null && !isCheckpointBehind(current)) return;
    this.#isFlushDue = true;
    this.#following?.wake();
  }

  async #work(signal: AbortSignal): Promise<void> {
    const { leases, lease } = this.#options;
    while (!this.#isOver(signal)) {
      if (!leases.holds(lease)) this.#report.set({ state: 'standby', caughtUp: false, reason: null });
      const held = await leases.acquired(lease, signal);
      if (this.#isOver(signal)) return;
      const ending = anySignal(signal, held);
      const term = { signal, ends: ending.signal };
      while (!this.#isOver(term.ends) && leases.holds(lease)) await this.#step(term);
      ending.end();
      await this.#end();
      // The lease is now assigned to another process, or already lost.
      if (held.aborted) await leases.giveUp(lease);
    }
  }

  #isOver(signal: AbortSignal): boolean {
    const { state } = this.#report.status;
    return signal.aborted || state === 'dropped' || state === 'failed';
  }

  async #step(term: Term): Promise<void> {
    try {
      if (this.#hasNews()) await this.#options.feed.rounds.next();
      if (this.#isFlushDue) await this.#advanceCheckpoint();
      await this.#after(await this.#pass(term), term);
    } catch (error) {
      await this.#failed(error, term.ends);
    }
  }

  /** Whether events have come since the segment was at the log's end. */
  #hasNews(): boolean {
    const { feed, stage } = this.#options;
    const isAtEnd = stage.role === 'live' && this.#report.status.caughtUp;
    if (this.#current === null || feed.position === null || !isAtEnd) return false;
    return feed.position > this.#current.position;
  }

  async #pass({ signal }: Term): Promise<PassResult> {
    const { leases, lease } = this.#options;
    const interrupted = (): boolean => signal.aborted || !leases.holds(lease);
    const carried = this.#current;
    // If the pass throws, the next one begins at the stored checkpoint.
    this.#current = null;
    if (carried === null) this.#segment.collection.clear();
    const result = await runPass(this.#options, this.#segment, { interrupted, begun: this.#begun, carried });
    if (result.kind === 'stopped') this.#current = carried;
    return result;
  }

  async #after(result: PassResult, term: Term): Promise<void> {
    switch (result.kind) {
      case 'advanced':
        await this.#advanced(result, term.ends);
        return;
      case 'idle':
        this.#reached(result, false);
        await this.#idle(result, term.ends);
        return;
      case 'again':
        await pause(backoff(this.#failures++, 10, 1000), term.ends);
        return;
      case 'stopped':
        await this.#stopped(result, term);
        return;
      case 'failed':
        this.#keep({ position: result.position, checkpoint: result.checkpoint });
        await this.#advanceCheckpoint();
        if (this.#current !== null) this.#fail(result.failure, result.position);
        return;
      case 'dropped':
        this.#keep(null);
        this.#report.dropped();
        return;
    }
  }

  async #advanced(result: Extract<PassResult, { kind: 'advanced' }>, ends: AbortSignal): Promise<void> {
    const { counts, feed, stage, segment } = this.#options;
    const { checkpoint, folded, documents, more, parked } = result;
    this.#reached(result, folded > 0);
    counts.folded(segment, folded, documents);
    this.#report.folded(parked);
    if (more || folded === 0) feed.checkpoints.moved();
    else feed.checkpoints.folded(this);
    // A new segment gets its first checkpoint at once: without one, a dropped generation would look like a new one. So
    // does a generation that is not live: its promotion may wait for the checkpoint.
    if (checkpoint === null || (stage.role !== 'live' && !more)) await this.#advanceCheckpoint();
    if (!more) await this.#follow(ends);
  }

  async #idle({ position }: SegmentPosition, ends: AbortSignal): Promise<void> {
    const { feed } = this.#options;
    this.#report.set({ state: 'working', caughtUp: true, reason: null });
    if (await this.#follow(ends)) return;
    await this.#advanceCheckpoint();
    // The subscription may be ahead of the pages that a replica returns: wait before the next pass.
    if (feed.position !== null && feed.position > position) await pause(backoff(0, 50), ends);
    else await feed.changed(position, ends);
  }

  /**
   * Moves the segment with the feed until an event comes that it may handle; the checkpoint follows a little later.
   * @returns false: the segment is not at the feed's position, or its generation is not live
   */
  async #follow(ends: AbortSignal): Promise<boolean> {
    const { feed, stage, progress, segment } = this.#options;
    if (this.#current === null || stage.role !== 'live') return false;
    const following = feed.follow(this.#current.position, segment.handled);
    if (following === null) return false;
    this.#report.set({ state: 'working', caughtUp: true, reason: null });
    this.#following = following;
    progress.follow(segment.name, following);
    const end = (): void => following.end();
    ends.addEventListener('abort', end);
    if (ends.aborted) end();
    try {
      while (!following.isEnded && this.#current !== null) {
        if (!this.#isFlushDue) await following.changed();
        this.#current = this.#reachedBy(following);
        if (this.#isFlushDue) await this.#advanceCheckpoint();
      }
    } finally {
      ends.removeEventListener('abort', end);
      end();
      this.#following = null;
      this.#report.set({ position: following.position });
      this.#current = this.#reachedBy(following);
    }
    return true;
  }

  #reachedBy({ position }: CaughtUpSegment): SegmentPosition | null {
    return this.#current && { ...this.#current, position };
  }

  #fail(failure: BuildFailure, position?: Position): void {
    this.#keep(null);
    this.#report.failed(failure, position);
    this.#options.onFailure(failure);
  }

  async #stopped(
    { reason, message, position }: Extract<PassResult, { kind: 'stopped' }>,
    { signal, ends }: Term,
  ): Promise<void> {
    const { leases, lease, backoff: timings } = this.#options;
    this.#report.stopped(message, position);
    await this.#advanceCheckpoint();
    const wait = backoff(this.#failures++, timings.baseMs * 10, timings.capMs);
    // Newer code may run in another process: leave the segment to it.
    if (reason === 'newer event') await leases.giveUp(lease, wait);
    await pause(wait, reason === 'newer event' ? signal : ends);
  }

  async #failed(error: unknown, ends: AbortSignal): Promise<void> {
    const { segment, counts, backoff: timings } = this.#options;
    // A live generation is tried again, so that it is fed as soon as the operator has acted.
    if (error instanceof GenerationUnusable && segment.rules.strict) {
      this.#fail({ eventId: null, message: error.message });
      return;
    }
    this.#keep(null);
    this.#report.failing(error);
    counts.failed(segment);
    await pause(backoff(this.#failures++, timings.baseMs, timings.capMs), ends);
  }

  /** The lease has ended: the next owner starts from the checkpoint. */
  async #end(): Promise<void> {
    try {
      await this.#advanceCheckpoint();
    } catch {
      // The next owner reads the events again, and does not write documents that already contain them.
    }
    this.#keep(null);
  }

  /** Moves the checkpoint to the position of the segment, if it is behind and the lease is still held. */
  async #advanceCheckpoint(): Promise<void> {
    const { leases, lease } = this.#options;
    const current = this.#current;
    this.#isFlushDue = false;
    if (current === null || !isCheckpointBehind(current) || !leases.holds(lease)) return;
    // If this throws, the next pass begins at the stored checkpoint.
    this.#keep(null);
    this.#keep(await advanceCheckpoint(this.#options, this.#options.segment, current));
  }

  #keep(current: SegmentPosition | null): void {
    this.#current = current;
    if (current !== null) this.#begun ||= current.checkpoint !== null;
  }

  #reached(current: SegmentPosition, folded: boolean): void {
    const { progress, segment } = this.#options;
    this.#failures = 0;
    this.#keep({ position: current.position, checkpoint: current.checkpoint });
    progress.publish(segment.name, current.position, folded);
    this.#report.set({ position: current.position });
  }
}
