import type { Position } from '../../core/event-store.js';
import type { BuildFailure, GenerationName } from '../../stores/read-store.js';
import { reasonOf } from '../errors.js';
import type { Parked } from '../fold/fold.js';
import type { EngineLog } from '../log.js';
import type { Segment } from '../segments.js';

/** The state of a segment's loop in this process. */
export interface SegmentStatus {
  readonly view: string;
  readonly generation: GenerationName;
  readonly segment: string;
  /**
   * `standby`: another process has the lease. `stopped`: the next event cannot be read or assigned, and is not skipped.
   * `failing`: the last pass has thrown and is repeated. `failed`: a strict fold has ended before an event that it
   * cannot fold, or because its documents cannot be stored until an operator acts. `dropped`: the generation was
   * dropped.
   */
  readonly state: 'standby' | 'working' | 'stopped' | 'failing' | 'failed' | 'dropped';
  /** As of the last pass here; `null` before the first. */
  readonly position: Position | null;
  readonly caughtUp: boolean;
  /** Why it is stopped, failing or failed; `null` while it is working or on standby. */
  readonly reason: string | null;
  /** Documents parked by this process since it started. */
  readonly parked: number;
}

interface ReportOptions {
  readonly log: EngineLog;
  readonly generation: GenerationName;
  readonly segment: Segment;
}

/** A segment's status, and a line in the log for each change that operators should know. */
export class SegmentReport {
  readonly #options: ReportOptions;
  #status: SegmentStatus;

  constructor(options: ReportOptions) {
    this.#options = options;
    const { generation, segment } = options;
    this.#status = {
      view: segment.view.name,
      generation,
      segment: segment.name,
      state: 'standby',
      position: null,
      caughtUp: false,
      reason: null,
      parked: 0,
    };
  }

  get status(): SegmentStatus {
    return this.#status;
  }

  /** Changes some fields of the status. */
  set(change: Partial<SegmentStatus>): void {
    this.#status = { ...this.#status, ...change };
  }

  /** A pass has folded events. Reports the documents that it has parked. */
  folded(parked: readonly Parked[]): void {
    this.set({ state: 'working', reason: null, parked: this.#status.parked + parked.length });
    const { view } = this.#status;
    for (const { documentId, position, reason } of parked) {
      this.#options.log.error(
        { view, documentId, position, reason },
        `An event could not be folded: its document of "${view}" is parked; the other documents are still updated.`,
      );
    }
  }

  /** The generation was dropped: the segment is no longer fed. */
  dropped(): void {
    const { generation, segment } = this.#status;
    this.set({ state: 'dropped', caughtUp: false });
    this.#options.log.info(
      { generation, segment },
      `The generation ${generation} is gone; it is fed no longer.`,
    );
  }

  /** A strict fold has ended for good. */
  failed(failure: BuildFailure, position = this.#status.position): void {
    const { view, segment } = this.#status;
    const at = failure.eventId === null ? '' : ' at an event that it cannot fold';
    this.#options.log.error({ view, segment, ...failure }, `A rebuild of "${view}" has stopped${at}.`);
    this.set({ state: 'failed', position, caughtUp: false, reason: failure.message });
  }

  /** An event blocks the segment. */
  stopped(reason: string, position: Position): void {
    const { view, segment, reason: former } = this.#status;
    if (former !== reason)
      this.#options.log.error({ view, segment, position, reason }, `The view "${view}" has stopped.`);
    this.set({ state: 'stopped', position, caughtUp: false, reason });
  }

  /** To be called when a pass has thrown. */
  failing(error: unknown): void {
    const { view, segment } = this.#status;
    const reason = reasonOf(error);
    this.#options.log.warn({ view, segment, reason }, `A pass of the view "${view}" failed; it is repeated.`);
    this.set({ state: 'failing', caughtUp: false, reason });
  }
}
