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

/** Answers that are folded at once: folding is work on the event loop, which all requests share. */
const AT_ONCE = 2;
const QUEUE_TIMEOUT_MS = 2_000;

/** Injection token of the `ReadLimits` of one answer. */
export const HISTORY_LIMITS = Symbol('HistoryLimits');

/** Past states, folded on demand from the log. */
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
   * The moment that a request asks for.
   * @throws {ApiError} `validation_failed`
   */
  async moment(query: Query): Promise<Moment> {
    const at = readAt(query, (token) => this.reads.positionOf({ consistencyToken: token }));
    if (at.kind === 'position') return { position: at.position, until: null };
    const isPast = at.time < new Date().toISOString();
    return { position: await this.eventStore.head(), until: isPast ? at.time : null };
  }

  /** For what has to be read live beside it: as fresh as the moment, and as the request itself asks. */
  freshness({ position }: Moment, meta: Freshness): Freshness {
    const wanted = this.reads.positionOf(meta);
    const later = wanted !== null && wanted > position ? wanted : position;
    return { consistencyToken: this.reads.tokenOf(later) };
  }

  /** Whether the live views, which are at the moment or beyond, still have the state of these streams at the moment. */
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
   * Reads of views as they were at a moment, for what composes the present answer.
   * @param readings of every stream that what will be read depends on
   * @throws {ApiError} `too_far`: past the limits; `unavailable`: too many ask at once, or an event is in the way
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
