import { pause } from '../../core/backoff.js';
import type { EventStore, Position } from '../../core/event-store.js';
import type { Generation, Pointer, ReadStore } from '../../stores/read-store.js';
import { lowest, positionsOf } from './generations.js';
import { barred, frozen, swapped, thawed } from './pointer.js';

/** The differences of two generations, as a sentence; `null`: none. */
export type Difference = string | null;

/** Compares the documents of the live generation with those of the one to be promoted. */
export interface Comparing {
  /** Compares every document. */
  all(): Promise<Difference>;
  /** Compares the documents to which events after `after` and up to `upTo` belong. */
  since(after: Position, upTo: Position): Promise<Difference>;
}

export interface PromotionOptions {
  readonly eventStore: Pick<EventStore, 'head'>;
  readonly readStore: ReadStore;
  readonly view: string;
  readonly to: Generation;
  /** Id of the operator's request, recorded in the pointer; `null`: changed code led to it. */
  readonly operation: string | null;
  /** `Pointer.turn` when the promotion was decided. If another generation has become live since, it does nothing. */
  readonly turn: number;
  /** `null`: the documents are not compared. */
  readonly comparing: Comparing | null;
  readonly signal: AbortSignal;
  /** The current time, RFC 3339. */
  readonly now: () => string;
}

export type Promoted =
  | { readonly kind: 'promoted'; readonly from: Generation }
  | { readonly kind: 'differs'; readonly difference: string }
  /** In no attempt did the generation reach the end of the log in time. */
  | { readonly kind: 'behind' }
  /** The pointer has moved, or the process ends: read the pointer again. */
  | { readonly kind: 'again' };

/** Longest freeze, in milliseconds. Readers end one that lasts longer than a second. */
const FROZEN_MS = 700;
/** Attempts before a promotion ends as `behind`. */
const MAX_ATTEMPTS = 10;
/**
 * The wait after the first freeze without a swap, in milliseconds: enough for the reads that it made wait. After each
 * further one the wait is longer by as much.
 */
const THAWED_MS = 200;
/** Interval at which checkpoints are read while they have not reached a position, in milliseconds. */
const POLL_MS = 3;

/**
 * Makes a generation live, so that no read goes back in time by it. The view's conductor calls it, for the next
 * generation or, to roll back, the former one.
 *
 * The freeze is written before the log's end is read, so every read that did not see the freeze has shown nothing
 * beyond that end, whichever process feeds the live generation. That end is the barrier. From the freeze on, reads show
 * nothing until the barrier is recorded, and then nothing beyond it. Once every segment of the other generation has
 * passed the barrier, the swap is one compare-and-set.
 * @throws what the stores and the comparison throw; if the freeze could not be ended, readers end it
 */
export async function promote(options: PromotionOptions): Promise<Promoted> {
  const { eventStore, comparing, signal } = options;
  let compared = await eventStore.head();
  const difference = (await comparing?.all()) ?? null;
  if (difference !== null) return { kind: 'differs', difference };
  for (let attempt = 1; attempt <= MAX_ATTEMPTS && !signal.aborted; attempt++) {
    // What changed meanwhile is compared before the freeze, so that the freeze is short.
    const head = await eventStore.head();
    if (!(await passed(options, head, FROZEN_MS * 2))) continue;
    const since = (await comparing?.since(compared, head)) ?? null;
    if (since !== null) return { kind: 'differs', difference: since };
    compared = head;
    const outcome = await freezeAndSwap(options, compared);
    if (outcome.kind !== 'behind') return outcome;
    await pause(THAWED_MS * attempt, signal);
  }
  return signal.aborted ? { kind: 'again' } : { kind: 'behind' };
}

async function freezeAndSwap(options: PromotionOptions, compared: Position): Promise<Promoted> {
  const { eventStore, readStore, view, to, operation, turn, comparing, now } = options;
  const { pointers } = readStore;
  const current = await pointers.get(view);
  if (current?.turn !== turn || current.freeze !== null || !names(current, to)) return { kind: 'again' };
  const freezing = frozen(current, to.name);
  if (!(await pointers.swap(view, current.revision, freezing))) return { kind: 'again' };
  const until = performance.now() + FROZEN_MS;
  let last: Pointer = freezing;
  try {
    const barrier = await eventStore.head();
    const announced = barred(freezing, barrier);
    if (!(await pointers.swap(view, freezing.revision, announced))) return { kind: 'again' };
    last = announced;
    if (!(await passed(options, barrier, until - performance.now()))) return { kind: 'behind' };
    const difference = (await comparing?.since(compared, barrier)) ?? null;
    if (difference !== null) return { kind: 'differs', difference };
    // Not `null`: `names` has found the generation in the pointer. The swap fails if another process has changed the
    // pointer, as a reader does that ends the freeze.
    const next = swapped(announced, operation, now());
    if (next === null || !(await pointers.swap(view, announced.revision, next))) return { kind: 'behind' };
    return { kind: 'promoted', from: current.live };
  } finally {
    // Does nothing after the swap: the revision has changed.
    await pointers.swap(view, last.revision, thawed(last));
  }
}

const names = ({ next, former }: Pointer, { name }: Generation): boolean =>
  next?.generation.name === name || former?.generation.name === name;

/** Whether every segment of the generation reaches a position within that many milliseconds. */
async function passed(
  { readStore, to, signal }: PromotionOptions,
  position: Position,
  ms: number,
): Promise<boolean> {
  const until = performance.now() + ms;
  for (;;) {
    if (lowest(await positionsOf(readStore, to)) >= position) return true;
    if (performance.now() > until || signal.aborted) return false;
    await pause(POLL_MS);
  }
}
