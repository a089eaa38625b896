import type { Position } from '../../core/event-store.js';
import { anySignal } from '../../core/signals.js';
import type { BuildFailure, GenerationName } from '../../stores/read-store.js';
import { backoff, pause } from '../../core/backoff.js';
import { GenerationUnusable } from '../../stores/errors.js';
import type { Feed } from '../live/feed.js';
import type { FoldCounts, Progress } from '../live/progress.js';
import {
  isCheckpointBehind,
  runPass,
  advanceCheckpoint,
  type PassDependencies,
  type PassResult,
  type SegmentPosition,
  WriteThroughCache,
} from '../fold/pass.js';
import type { CaughtUpSegment } from '../live/ring.js';
import type { Segment } from '../segments.js';
import type { Leases } from '../ownership/leases.js';
import type { EngineLog } from '../log.js';
import { SegmentReport, type SegmentStatus } from './segment-report.js';

/** What the pointer names a generation as. */
export type Role = 'live' | 'next' | 'former';

export interface SegmentLoopOptions extends PassDependencies {
  readonly feed: Feed;
  readonly leases: Leases;
  /** The name of the segment's lease. */
  readonly lease: string;
  readonly progress: Progress;
  readonly counts: FoldCounts;
  readonly log: EngineLog;
  readonly generation: GenerationName;
  readonly segment: Segment;
  readonly backoff: { readonly baseMs: number; readonly capMs: number };
  /** Called when a generation that is being built has to stop. */
  readonly onFailure: (failure: BuildFailure) => void;
  /** Of any generation but the live one the checkpoint follows each pass at once, since a promotion may wait for it. */
  readonly stage: { readonly role: Role };
}

/** From taking the lease to losing it, or to the end of the process. */
interface Term {
  /** Ends with the process. */
  readonly signal: AbortSignal;
  /** Ends with the process, or with the lease. */
  readonly ends: AbortSignal;
}

/** Works on one segment whenever it has the lease, until the signal aborts. Never rejects. */
export class SegmentLoop {
  readonly #options: SegmentLoopOptions;
  readonly #segment: Segment & { readonly collection: WriteThroughCache };
  #failures = 0;
  /** Whether the checkpoint was seen before: if it is gone then, the generation was dropped. */
  #begun = false;
  /** Where the last pass ended; `null`: the next one reads the checkpoint. */
  #current: SegmentPosition | null = null;
  /** Whether the checkpoint is to move before the next pass. */
  #isDue = false;
  /** Set while it moves with the feed without passes. */
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

  async run(signal: AbortSignal): Promise<void> {
    const { feed } = this.#options;
    const leave = feed.checkpoints.add(this);
    await this.#work(signal);
    leave();
  }

  /** The checkpoint moves to what was folded: at once, or after the pass at hand. */
  flush(): void {
    const current = this.#following === null ? this.#current : this.#reachedBy(this.#following);
    if (current !== null && !isCheckpointBehind(current)) return;
    this.#isDue = true;
    this.#following?.wake();
  }

  async #work(signal: AbortSignal): Promise<void> {
    const { leases, lease } = this.#options;
    while (!this.#isOver(signal)) {
      if (!leases.holds(lease)) this.#report.set({ state: 'standby', caughtUp: false, reason: null });
      const held = await leases.acquired(lease, signal);
      if (this.#isOver(signal)) return;
      const either = anySignal(signal, held);
      const term = { signal, ends: either.signal };
      while (!this.#isOver(term.ends) && leases.holds(lease)) await this.#step(term);
      either.end();
      await this.#end();
      // It is assigned to another process now, or lost already.
      if (held.aborted) await leases.giveUp(lease);
    }
  }

  /** Leaves the segment to other processes. */
  async leave(): Promise<void> {
    const { leases, lease, progress, segment } = this.#options;
    progress.forget(segment.name);
    await leases.forget(lease);
  }

  #isOver(signal: AbortSignal): boolean {
    const { state } = this.#report.status;
    return signal.aborted || state === 'dropped' || state === 'failed';
  }

  async #step(term: Term): Promise<void> {
    try {
      if (this.#hasNews()) await this.#options.feed.rounds.next();
      if (this.#isDue) await this.#advanceCheckpoint();
      await this.#after(await this.#pass(term), term);
    } catch (error) {
      await this.#failed(error, term.ends);
    }
  }

  /** Whether events have come since it was at the log's end. */
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
    // A pass that fails leaves nothing behind.
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
    // Without a first checkpoint a dropped generation cannot be told from a new one.
    if (checkpoint === null || (stage.role !== 'live' && !more)) await this.#advanceCheckpoint();
    if (!more) await this.#follow(ends);
  }

  async #idle({ position }: SegmentPosition, ends: AbortSignal): Promise<void> {
    const { feed } = this.#options;
    this.#report.set({ state: 'working', caughtUp: true, reason: null });
    if (await this.#follow(ends)) return;
    await this.#advanceCheckpoint();
    // The subscription may be ahead of the pages of a replica: wait, so as not to spin.
    if (feed.position !== null && feed.position > position) await pause(backoff(0, 50), ends);
    else await feed.changed(position, ends);
  }

  /**
   * Moves with the feed, the checkpoint a little later, until an event comes that may be the segment's.
   * @returns false: the feed is elsewhere
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
        if (!this.#isDue) await following.changed();
        this.#current = this.#reachedBy(following);
        if (this.#isDue) await this.#advanceCheckpoint();
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
    // Newer code may be running elsewhere: let it have the segment.
    if (reason === 'newer event') await leases.giveUp(lease, wait);
    await pause(wait, reason === 'newer event' ? signal : ends);
  }

  async #failed(error: unknown, ends: AbortSignal): Promise<void> {
    const { segment, counts, backoff: timings } = this.#options;
    // A live generation is tried again, so that it goes on once the operator has acted.
    if (error instanceof GenerationUnusable && segment.rules.strict) {
      this.#fail({ eventId: null, message: error.message });
      return;
    }
    this.#keep(null);
    this.#report.failing(error);
    counts.failed(segment);
    await pause(backoff(this.#failures++, timings.baseMs, timings.capMs), ends);
  }

  /** The lease has ended: the next owner goes on from the checkpoint. */
  async #end(): Promise<void> {
    try {
      await this.#advanceCheckpoint();
    } catch {
      // The next owner reads those events again, and the documents' positions refuse them.
    }
    this.#keep(null);
  }

  /** Moves the checkpoint to the position of the segment, if it is behind and the lease is still held. */
  async #advanceCheckpoint(): Promise<void> {
    const { leases, lease } = this.#options;
    const current = this.#current;
    this.#isDue = false;
    if (current === null || !isCheckpointBehind(current) || !leases.holds(lease)) return;
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
