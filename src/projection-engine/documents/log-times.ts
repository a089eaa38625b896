import { parseMetadata } from '../../event-store/codec-stored.js';
import { START, type EventStore, type Position, type RecordedEvent } from '../../event-store/port.js';
import { Budget, type ReadLimits } from './limits.js';

/** Every event up to `position` was recorded at `latest` or earlier. */
interface Mark {
  readonly position: Position;
  readonly latest: number;
}

/** One mark for so many events: what a question about a known stretch reads at most. */
const MARK_EVERY = 1_000;

/** Clocks of writers may be apart, but not as far as that: what claims to be recorded later than so says nothing. */
const ABSURD_MS = 24 * 60 * 60 * 1_000;

/**
 * Where the log stood at a time. The log's order is the truth, and each event's `recordedAt` is by its writer's own
 * clock, so the two may disagree. **The log as of T is all that precedes the first event recorded after T.** So
 * nothing in it claims to be later than T, the answers to two times are in the order of the times, and an answer once
 * given never changes however the log grows beyond T. The price: behind an event of a writer whose clock is ahead, what
 * others recorded at or before T is left out, for as long as that clock was ahead.
 *
 * A log cannot be searched by time. So it is read once, from its beginning, as far as it was ever asked for; the marks
 * kept meanwhile (one for 1,000 events) let every later question read one stretch. Kept for the life of a process.
 */
export class LogTimes {
  readonly #marks: Mark[] = [{ position: START, latest: -Infinity }];

  constructor(
    private readonly eventStore: Pick<EventStore, 'readAll'>,
    private readonly now: () => number = Date.now,
  ) {}

  /**
   * The position up to which the log stood at a time; `START`: nothing was recorded by then.
   * @param limits of what is read; what was read in vain is remembered, so that asking again goes on from there
   * @throws {TooFar} past the limits
   * @throws {DamagedEvent} an event's metadata cannot be read
   */
  async positionAt(time: Date, limits: ReadLimits): Promise<Position> {
    const at = time.getTime();
    if (Number.isNaN(at)) throw new TypeError('This is no time.');
    const budget = new Budget(limits, `The log as of ${time.toISOString()}`);
    let { position, latest } = this.#before(at);
    let unmarked = 0;
    for await (const event of this.eventStore.readAll({ after: position })) {
      if (!budget.spend()) {
        this.#mark({ position, latest });
        throw budget.exceeded();
      }
      const recorded = this.#recordedAt(event);
      if (recorded > at) return position;
      latest = Math.max(latest, recorded);
      position = event.position;
      if (++unmarked % MARK_EVERY === 0) this.#mark({ position, latest });
    }
    return position;
  }

  /** The last mark all of which is at or before a time. */
  #before(at: number): Mark {
    let low = 0;
    for (let high = this.#marks.length; high - low > 1;) {
      const middle = (low + high) >>> 1;
      if (this.#markAt(middle).latest <= at) low = middle;
      else high = middle;
    }
    return this.#markAt(low);
  }

  #markAt(index: number): Mark {
    return this.#marks[index] ?? { position: START, latest: -Infinity };
  }

  /** Two questions may read the same stretch at once. */
  #mark(mark: Mark): void {
    if (mark.position > this.#markAt(this.#marks.length - 1).position) this.#marks.push(mark);
  }

  /** `-Infinity`: it says nothing that could be true. */
  #recordedAt(event: RecordedEvent): number {
    const recorded = Date.parse(String(parseMetadata(event)['recordedAt']));
    if (Number.isNaN(recorded) || recorded > this.now() + ABSURD_MS) return -Infinity;
    return recorded;
  }
}
