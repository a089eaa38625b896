import type { FeedItem, Position } from '../../core/event-store.js';
import type { Ring } from './ring.js';

/**
 * A segment that has folded everything up to the feed's position. Events that its view does not handle move it without
 * a pass; the first one that it may handle ends this.
 */
export class CaughtUpSegment {
  #endedAt: Position | null = null;
  #wake: (() => void) | null = null;

  constructor(
    readonly handled: ReadonlySet<string>,
    private readonly ring: Pick<Ring, 'position'>,
    private readonly leave: (segment: CaughtUpSegment) => void,
  ) {}

  /** The segment has folded everything up to here. */
  get position(): Position {
    return this.#endedAt ?? this.ring.position;
  }

  get isEnded(): boolean {
    return this.#endedAt !== null;
  }

  /** From now on the position stays. */
  end(): void {
    if (this.#endedAt !== null) return;
    this.#endedAt = this.ring.position;
    this.leave(this);
    this.wake();
  }

  /** Resolves once it has ended, or with the next `wake`. */
  changed(): Promise<void> {
    return this.isEnded ? Promise.resolve() : new Promise((resolve) => (this.#wake = resolve));
  }

  wake(): void {
    this.#wake?.();
  }
}

/** The segments that are at a feed's position, by the types that they handle: an event costs as much as those that do. */
export class CaughtUpSegments {
  readonly #all = new Set<CaughtUpSegment>();
  readonly #byType = new Map<string, Set<CaughtUpSegment>>();

  constructor(private readonly ring: Pick<Ring, 'position'>) {}

  add(handled: ReadonlySet<string>): CaughtUpSegment {
    const segment = new CaughtUpSegment(handled, this.ring, (ended) => this.#remove(ended));
    this.#all.add(segment);
    for (const type of handled) {
      const others = this.#byType.get(type);
      if (others === undefined) this.#byType.set(type, new Set([segment]));
      else others.add(segment);
    }
    return segment;
  }

  /**
   * Before the ring takes up an item: ends what it concerns, at the position before it.
   * @param types the latest types that the item's event may be; `null`: any
   */
  before(item: Exclude<FeedItem, { kind: 'live' }>, types: readonly string[] | null): void {
    if (this.#all.size === 0 || item.position <= this.ring.position) return;
    // Behind a gap there may be anything.
    if (types === null || item.after > this.ring.position) this.end();
    else for (const type of types) for (const segment of this.#byType.get(type) ?? []) segment.end();
  }

  /** Ends all. */
  end(): void {
    for (const segment of this.#all) segment.end();
  }

  #remove(segment: CaughtUpSegment): void {
    this.#all.delete(segment);
    for (const type of segment.handled) {
      const others = this.#byType.get(type);
      others?.delete(segment);
      if (others?.size === 0) this.#byType.delete(type);
    }
  }
}
