import type { Position } from '../../core/event-store.js';
import { joined } from '../../core/signals.js';
import type { BuildFailure, GenerationName } from '../../stores/read-store.js';
import { backoff, pause } from '../../core/backoff.js';
import { GenerationUnusable } from '../../stores/errors.js';
import { reasonOf } from '../errors.js';
import type { Feed } from '../live/feed.js';
import type { FoldCounts, Progress } from '../live/progress.js';
import type { EngineLog } from '../log.js';
import {
  isCheckpointBehind,
  runPass,
  advanceCheckpoint,
  type PassDependencies,
  type PassResult,
  type SegmentPosition,
} from '../fold/pass.js';
import { RememberedDocuments } from '../fold/remembered.js';
import type { Rest } from '../live/resting.js';
import type { Segment } from '../segments.js';
import type { Leases } from '../ownership/leases.js';

/** What a segment's worker is at, as this process knows it. */
export interface SegmentStatus {
  readonly view: string;
  readonly generation: GenerationName;
  readonly segment: string;
  /**
   * `standby`: another process has the lease. `stopped`: the next event is in the way; nothing is skipped. `failed`: a
   * strict fold ends before an event that cannot be folded, or its documents cannot be stored until an operator acts.
   */
  readonly state: 'standby' | 'working' | 'stopped' | 'failing' | 'failed' | 'dropped';
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
  readonly leases: Leases;
  /** Under which the segment is worked on. */
  readonly lease: string;
  readonly progress: Progress;
  readonly counts: FoldCounts;
  readonly log: EngineLog;
  readonly generation: GenerationName;
  readonly segment: Segment;
  readonly backoff: { readonly baseMs: number; readonly capMs: number };
  /** A generation that is being built can go no further. */
  readonly onFailure: (failure: BuildFailure) => void;
  /** Whether checkpoints must follow at once, since a promotion may wait for them. */
  readonly isEager: () => boolean;
}

/** How long a checkpoint may stay behind what was folded while events keep coming. */
const MAX_LAG_MS = 50;

/** One time of having the lease. */
interface Term {
  /** The process's own. */
  readonly signal: AbortSignal;
  /** With the process's, or the lease's. */
  readonly ends: AbortSignal;
}

/** Works on one segment whenever it has the lease, until the signal aborts. Never rejects. */
export class SegmentLoop {
  readonly #options: SegmentLoopOptions;
  readonly #segment: Segment & { readonly collection: RememberedDocuments };
  #failures = 0;
  /** Whether the checkpoint was ever there: one that is gone means that the generation was dropped. */
  #begun = false;
  /** What the last pass came to; `null`: the next one reads the store. */
  #current: SegmentPosition | null = null;
  /** Whether the last pass found nothing: the next one may leave the checkpoint to the rest that follows. */
  #isIdle = false;
  /** Since when the checkpoint is behind what was folded; `null`: it is not. */
  #behindSince: number | null = null;
  /** While no event for it comes. */
  #rest: Rest | null = null;
  #status: SegmentStatus;

  constructor(options: SegmentLoopOptions) {
    this.#options = options;
    const { segment } = options;
    this.#segment = { ...segment, collection: new RememberedDocuments(segment.collection) };
    this.#status = {
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

  get status(): SegmentStatus {
    return this.#rest === null ? this.#status : { ...this.#status, position: this.#rest.position };
  }

  async run(signal: AbortSignal): Promise<void> {
    const { leases, lease } = this.#options;
    while (!this.#isOver(signal)) {
      if (!leases.holds(lease)) this.#set({ state: 'standby', caughtUp: false, reason: null });
      const held = await leases.acquired(lease, signal);
      if (this.#isOver(signal)) return;
      const either = joined(signal, held);
      const term = { signal, ends: either.signal };
      while (!this.#isOver(term.ends) && leases.holds(lease)) await this.#step(term);
      either.end();
      await this.#end();
      // Asked for by the process whose share it is now, or lost already.
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
    const { state } = this.#status;
    return signal.aborted || state === 'dropped' || state === 'failed';
  }

  async #step(term: Term): Promise<void> {
    try {
      if (this.#hasNews()) await this.#options.feed.turn();
      await this.#after(await this.#pass(term), term);
    } catch (error) {
      await this.#failed(error, term.ends);
    }
  }

  /** Whether events have come since it was at the log's end. */
  #hasNews(): boolean {
    const { feed, isEager } = this.#options;
    if (this.#current === null || feed.position === null || !this.#status.caughtUp || isEager()) return false;
    return feed.position > this.#current.position;
  }

  async #pass({ signal, ends }: Term): Promise<PassResult> {
    const { leases, lease, isEager } = this.#options;
    const interrupted = (): boolean => signal.aborted || !leases.holds(lease);
    const carried = this.#current;
    // Should it fail, nothing stays.
    this.#current = null;
    if (carried === null) this.#segment.collection.forget();
    const lags = this.#behindSince !== null && performance.now() - this.#behindSince > MAX_LAG_MS;
    const lazy = this.#isIdle && !lags && !ends.aborted && !isEager();
    const guards = { interrupted, begun: this.#begun, carried, lazy };
    const result = await runPass(this.#options, this.#segment, guards);
    if (result.kind === 'stopped') this.#current = carried;
    return result;
  }

  async #after(result: PassResult, term: Term): Promise<void> {
    switch (result.kind) {
      case 'advanced':
        this.#isIdle = false;
        this.#reached(result, result.folded > 0);
        this.#options.counts.folded(this.#options.segment, result.folded, result.documents);
        this.#set({ state: 'working', reason: null, parked: this.#status.parked + result.parked.length });
        this.#logParked(result);
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
        this.#fail(result.failure, result.position);
        return;
      case 'dropped':
        this.#dropped();
        return;
    }
  }

  async #idle({ position, checkpoint }: SegmentPosition, ends: AbortSignal): Promise<void> {
    const { feed, isEager, segment } = this.#options;
    this.#isIdle = true;
    this.#set({ state: 'working', caughtUp: true, reason: null });
    if (isEager()) await this.#advanceCheckpoint();
    const folded = this.#behindSince !== null;
    const rest = isEager() ? null : feed.rest(position, segment.handled, checkpoint, folded);
    if (rest !== null) await this.#untilOver(rest, ends);
    // The subscription may be ahead of what pages show (a replica): no reason to spin.
    else if (feed.position !== null && feed.position > position) await pause(backoff(0, 50), ends);
    else await feed.changed(position, ends);
  }

  /** Moves with the feed, the checkpoint a little later, until an event comes that may be the segment's. */
  async #untilOver(rest: Rest, ends: AbortSignal): Promise<void> {
    const { progress, segment } = this.#options;
    const end = (): void => rest.end();
    ends.addEventListener('abort', end);
    if (ends.aborted) end();
    this.#rest = rest;
    progress.follow(segment.name, rest);
    try {
      while ((await rest.interrupted()) === 'checkpoint due' && this.#current !== null) {
        this.#current = { ...this.#current, position: rest.position };
        await this.#advanceCheckpoint();
      }
    } finally {
      ends.removeEventListener('abort', end);
      end();
      this.#rest = null;
      this.#set({ position: rest.position });
      if (this.#current !== null) this.#current = { ...this.#current, position: rest.position };
    }
  }

  #dropped(): void {
    const { log, segment, generation } = this.#options;
    this.#keep(null);
    this.#set({ state: 'dropped', caughtUp: false });
    log.info(
      { generation, segment: segment.name },
      `The generation ${generation} is gone; it is fed no longer.`,
    );
  }

  #fail(failure: BuildFailure, position = this.#status.position): void {
    const { log, segment, onFailure } = this.#options;
    const view = segment.view.name;
    const at = failure.eventId === null ? '' : ' at an event that it cannot fold';
    log.error({ view, segment: segment.name, ...failure }, `A rebuild of "${view}" has stopped${at}.`);
    this.#keep(null);
    this.#set({ state: 'failed', position, caughtUp: false, reason: failure.message });
    onFailure(failure);
  }

  async #stopped(
    { reason, message, position }: Extract<PassResult, { kind: 'stopped' }>,
    { signal, ends }: Term,
  ): Promise<void> {
    const { leases, lease, log, segment, backoff: timings } = this.#options;
    const view = segment.view.name;
    if (this.#status.reason !== message) {
      log.error(
        { view, segment: segment.name, position, reason: message },
        `The view "${view}" has stopped.`,
      );
    }
    this.#set({ state: 'stopped', position, caughtUp: false, reason: message });
    await this.#advanceCheckpoint();
    const wait = backoff(this.#failures++, timings.baseMs * 10, timings.capMs);
    // Newer code may be running elsewhere: let it have the segment.
    if (reason === 'newer event') await leases.giveUp(lease, wait);
    await pause(wait, reason === 'newer event' ? signal : ends);
  }

  async #failed(error: unknown, ends: AbortSignal): Promise<void> {
    const { log, segment, backoff: timings } = this.#options;
    // What serves is tried again, so that it goes on once the operator has acted.
    if (error instanceof GenerationUnusable && segment.rules.strict) {
      this.#fail({ eventId: null, message: error.message });
      return;
    }
    const view = segment.view.name;
    const reason = reasonOf(error);
    log.warn({ view, segment: segment.name, reason }, `A pass of the view "${view}" failed; it is repeated.`);
    this.#options.counts.failed(segment);
    this.#keep(null);
    this.#set({ state: 'failing', caughtUp: false, reason });
    await pause(backoff(this.#failures++, timings.baseMs, timings.capMs), ends);
  }

  /** The lease ends: the next owner goes on from the checkpoint. */
  async #end(): Promise<void> {
    try {
      if (this.#options.leases.holds(this.#options.lease)) await this.#advanceCheckpoint();
    } catch {
      // The next owner reads those events again; the guards refuse them.
    }
    this.#keep(null);
  }

  /** Moves the checkpoint to the position of the segment, if it is behind. */
  async #advanceCheckpoint(): Promise<void> {
    const current = this.#current;
    if (current === null || !isCheckpointBehind(current)) return;
    this.#keep(null);
    this.#keep(await advanceCheckpoint(this.#options, this.#options.segment, current));
  }

  #keep(current: SegmentPosition | null): void {
    this.#current = current;
    if (current === null || !isCheckpointBehind(current)) this.#behindSince = null;
    if (current !== null) this.#begun ||= current.checkpoint !== null;
  }

  #reached(current: SegmentPosition, folded: boolean): void {
    const { progress, segment } = this.#options;
    this.#failures = 0;
    this.#keep({ position: current.position, checkpoint: current.checkpoint });
    if (folded && isCheckpointBehind(current)) this.#behindSince ??= performance.now();
    progress.publish(segment.name, current.position, folded);
    this.#set({ position: current.position });
  }

  #logParked({ parked }: Extract<PassResult, { kind: 'advanced' }>): void {
    const { log, segment } = this.#options;
    for (const { documentId, position, reason } of parked) {
      log.error(
        { view: segment.view.name, documentId, position, reason },
        `An event could not be folded: its document of "${segment.view.name}" is parked, the rest goes on.`,
      );
    }
  }

  #set(change: Partial<SegmentStatus>): void {
    this.#status = { ...this.#status, ...change };
  }
}
