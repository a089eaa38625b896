import type { FeedItem, Position } from '../../core/event-store.js';
import type { Ring } from './ring.js';

/** How long checkpoints may follow later than their segments: readers in other processes wait for them. */
const CHECKPOINT_LAG_MS = 250;
/** The checkpoints that others take along may follow earlier, which saves them a write of their own. */
const ALONG_LAG_MS = CHECKPOINT_LAG_MS / 2;
/** Segments that have an event to fold come first. */
const HOLD_BACK_MS = 20;
/** Segments that have folded the same event mostly end their passes within it: their checkpoints share one write. */
const TOGETHER_MS = 5;
/** How long those that have ended wait for the others, at most. */
const MAX_TOGETHER_MS = 25;

/** Why a rest was interrupted: the checkpoint must follow, or the segment must look for itself. */
export type Interruption = 'checkpoint due' | 'over';

/**
 * A segment that has folded everything up to the feed's position. Events that its view does not handle move it without
 * a pass, however many segments rest.
 */
export class Rest {
  #endedAt: Position | null = null;
  #pending: Interruption | null = null;
  #resolve: ((why: Interruption) => void) | null = null;

  /** @param stored the checkpoint, or where it was told to follow to */
  constructor(
    readonly handled: ReadonlySet<string>,
    private stored: Position | null,
    private readonly ring: Pick<Ring, 'position'>,
    private readonly leave: (rest: Rest) => void,
  ) {}

  /** The segment has folded everything up to here. */
  get position(): Position {
    return this.#endedAt ?? this.ring.position;
  }

  /** Resolves with the next interruption, at once if it has come already. */
  interrupted(): Promise<Interruption> {
    return new Promise((resolve) => {
      this.#resolve = resolve;
      this.#tell();
    });
  }

  /** From now on the position stays. */
  end(): void {
    if (this.#endedAt !== null) return;
    this.#endedAt = this.ring.position;
    this.leave(this);
    this.#pending = 'over';
    this.#tell();
  }

  /** The checkpoint must follow, if it is behind the position. */
  follow(): void {
    if (this.stored === this.position) return;
    this.stored = this.position;
    this.#pending ??= 'checkpoint due';
    this.#tell();
  }

  #tell(): void {
    if (this.#pending === null || this.#resolve === null) return;
    this.#resolve(this.#pending);
    this.#resolve = null;
    if (this.#pending !== 'over') this.#pending = null;
  }
}

/** The segments of a feed that rest, by the types that end it. */
export class Resting {
  readonly #all = new Set<Rest>();
  readonly #byType = new Map<string, Set<Rest>>();
  /** Those that have folded events beyond their checkpoints. */
  readonly #behind = new Set<Rest>();
  /** How many have left for an event and are not back. */
  #away = 0;
  #timer: NodeJS.Timeout | null = null;
  #soon: NodeJS.Timeout | null = null;
  #dueAt = -Infinity;

  constructor(private readonly ring: Pick<Ring, 'position'>) {}

  /**
   * @param checkpoint as stored
   * @param folded the segment has folded events beyond it: it follows soon, since readers elsewhere may wait for them
   */
  add(handled: ReadonlySet<string>, checkpoint: Position | null, folded = false): Rest {
    const rest = new Rest(handled, checkpoint, this.ring, (ended) => this.#remove(ended));
    this.#away = Math.max(0, this.#away - 1);
    this.#all.add(rest);
    for (const type of handled) {
      const others = this.#byType.get(type);
      if (others === undefined) this.#byType.set(type, new Set([rest]));
      else others.add(rest);
    }
    if (folded) this.#followSoon(rest);
    else if (checkpoint !== rest.position) this.#schedule();
    return rest;
  }

  /**
   * Before the ring takes up an item: ends the rests that it concerns, at the position before it.
   * @param types the latest types that the item's event may be; `null`: any
   */
  before(item: Exclude<FeedItem, { kind: 'live' }>, types: readonly string[] | null): void {
    if (this.#all.size === 0 || item.position <= this.ring.position) return;
    // Behind a gap there may be anything.
    const before = this.#all.size;
    if (types === null || item.after > this.ring.position) this.end();
    else for (const type of types) for (const rest of this.#byType.get(type) ?? []) rest.end();
    this.#away += before - this.#all.size;
  }

  /** After the ring has taken it up. */
  moved(): void {
    if (this.#all.size > 0) this.#schedule();
  }

  /** Ends all rests. */
  end(): void {
    for (const rest of this.#all) rest.end();
    for (const timer of [this.#timer, this.#soon]) if (timer !== null) clearTimeout(timer);
    this.#timer = this.#soon = null;
  }

  #followSoon(rest: Rest): void {
    this.#behind.add(rest);
    this.#soon ??= this.#gather(performance.now() + MAX_TOGETHER_MS);
  }

  #gather(until: number): NodeJS.Timeout {
    return setTimeout(() => {
      const waits = this.#away > 0 && performance.now() + TOGETHER_MS <= until;
      this.#soon = waits ? this.#gather(until) : null;
      if (!waits) this.#followBehind();
    }, TOGETHER_MS);
  }

  #followBehind(): void {
    // One that stopped or failed is not waited for again.
    this.#away = 0;
    if (performance.now() >= this.#dueAt + ALONG_LAG_MS) this.#followAll();
    else for (const behind of this.#behind) behind.follow();
    this.#behind.clear();
  }

  /** One time for all, so that a store can move their checkpoints in one write. */
  #schedule(): void {
    if (this.#timer !== null) return;
    const now = performance.now();
    const wait = Math.max(HOLD_BACK_MS, this.#dueAt + CHECKPOINT_LAG_MS - now);
    this.#timer = setTimeout(() => {
      this.#timer = null;
      // Else all follow with those that are gathered.
      if (this.#soon === null) this.#followAll();
    }, wait);
  }

  #followAll(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#dueAt = performance.now();
    for (const rest of this.#all) rest.follow();
  }

  #remove(rest: Rest): void {
    this.#all.delete(rest);
    this.#behind.delete(rest);
    for (const type of rest.handled) {
      const others = this.#byType.get(type);
      others?.delete(rest);
      if (others?.size === 0) this.#byType.delete(type);
    }
  }
}
