import { Inject, Injectable, Module } from '@nestjs/common';
import { type Freshness, Reads } from '../../application/reads.js';
import { CODEC, EVENT_STORE } from '../../application/tokens.js';
import { gapless } from '../../core/aggregate.js';
import { Semaphore } from '../../core/concurrency.js';
import type { EventStore, StreamName } from '../../core/event-store.js';
import {
  CannotFold,
  TooFar,
  Budget,
  type ReadLimits,
  type FoldStores,
} from '../../engine/documents/reading.js';
import type { Operations } from '../../engine/generations/operations.js';
import { ApiError, unavailable } from '../../http/api-error.js';
import type { Query } from '../../http/list-query.js';
import { StreamOperations } from '../../process/operations/operations.js';
import { DocumentSealer } from '../../vault/documents.js';
import { FoldedViews } from './folded-views.js';
import { type Moment, readAt } from './moment.js';
import { Past, type Reading } from './past.js';

/** Answers that are folded at the same time: folding is work on the event loop, which all requests share. */
const AT_ONCE = 2;
/** How long a further answer waits in the queue, in milliseconds. */
const QUEUE_TIMEOUT_MS = 2_000;

/** Injection token of the `ReadLimits` of one answer. */
export const HISTORY_LIMITS = Symbol('HistoryLimits');

/**
 * Answers as they were at a past moment, folded from the log when they are asked for. Order for an answer: `moment`,
 * then `freshness` for what is read live beside it, `isPresent` if the live views may still have the answer, else
 * `goBack`.
 */
@Injectable()
export class History {
  readonly #gate = new Gate(AT_ONCE, QUEUE_TIMEOUT_MS);

  constructor(
    @Inject(EVENT_STORE) private readonly eventStore: EventStore,
    @Inject(CODEC) private readonly codec: FoldStores['codec'],
    @Inject(DocumentSealer) private readonly sealer: FoldStores['sealer'],
    private readonly reads: Reads,
    @Inject(StreamOperations) private readonly operations: Pick<Operations, 'readIntent'>,
    @Inject(HISTORY_LIMITS) private readonly limits: ReadLimits,
  ) {}

  /**
   * The moment that a request asks for by `?at=`: a consistency token or a time. A future time is the log's present
   * end.
   * @throws {ApiError} `validation_failed`
   */
  async moment(query: Query): Promise<Moment> {
    const at = readAt(query, (token) => this.reads.positionOf({ consistencyToken: token }));
    if (at.kind === 'position') return { position: at.position, until: null };
    const isPast = at.time < new Date().toISOString();
    return { position: await this.eventStore.head(), until: isPast ? at.time : null };
  }

  /** How fresh a live read beside the history must be: as the moment, and as the request itself asks. */
  freshness({ position }: Moment, meta: Freshness): Freshness {
    const wanted = this.reads.positionOf(meta);
    const later = wanted !== null && wanted > position ? wanted : position;
    return { consistencyToken: this.reads.tokenOf(later) };
  }

  /**
   * Whether these streams have no event after the moment, so that live views show them as they were. Their reads must
   * be as fresh as `freshness` says. False for a past time, which events are compared with one by one.
   */
  async isPresent({ position, until }: Moment, streams: readonly StreamName[]): Promise<boolean> {
    if (until !== null) return false;
    const unmoved = streams.map(async (stream) => {
      for await (const last of gapless(this.eventStore, stream, { direction: 'backward', limit: 1 }))
        return last.position <= position;
      return true;
    });
    return (await Promise.all(unmoved)).every((one) => one);
  }

  /**
   * Runs `work`, the code that composes the present answer, over views as they were at the moment.
   * @param readings of each stream whose events the documents are folded from
   * @throws {ApiError} `too_far`: the streams have more events than the limits allow, or take longer; `unavailable`: too
   *   many requests fold at the same time, or an event cannot be folded now
   */
  async goBack<T>(
    moment: Moment,
    readings: Iterable<Reading> | AsyncIterable<Reading>,
    work: (reads: Reads) => Promise<T>,
  ): Promise<T> {
    const { eventStore, codec, sealer, limits } = this;
    try {
      return await this.#gate.pass(async () => {
        const intent = await this.operations.readIntent();
        const past = new Past(eventStore, moment, new Budget(limits, 'This history'));
        const events = await past.events(readings);
        const views = new FoldedViews({ eventStore, codec, sealer }, events, (view) => intent.skipped(view));
        return await work(this.reads.over(views));
      });
    } catch (error) {
      if (error instanceof TooFar) throw tooFar(limits, error);
      if (error instanceof CannotFold) throw unavailable('This cannot be folded just now.', error);
      throw error;
    }
  }
}

const tooFar = ({ events }: ReadLimits, cause: unknown): ApiError =>
  new ApiError(
    'too_far',
    `More would have to be read than one request may: at most ${events} events, and for a few seconds.`,
    { cause },
  );

/** Runs a limited number at once; others wait in a queue, for a limited time. */
export class Gate {
  readonly #places: Semaphore;

  /**
   * @param places how many run at once
   * @param timeoutMs how long one waits in the queue
   */
  constructor(
    places: number,
    private readonly timeoutMs: number,
  ) {
    this.#places = new Semaphore(places);
  }

  /** @throws {ApiError} `unavailable`: its turn did not come in time */
  async pass<T>(work: () => Promise<T>): Promise<T> {
    const release = await this.#places.acquire(this.timeoutMs);
    if (release === null) throw unavailable('Too many requests are reading the past. Try again shortly.');
    try {
      return await work();
    } finally {
      release();
    }
  }
}

@Module({ providers: [History], exports: [History] })
export class HistoryModule {}
