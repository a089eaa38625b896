import { pause } from '../../core/backoff.js';
import { START, type Position } from '../../core/event-store.js';
import type { ViewCollection, Generation, ReadStore, StoredDocument } from '../../stores/read-store.js';
import { collectionOf, positionsOf } from '../generations/generations.js';
import type { Throttle } from '../live/throttle.js';
import { segmentOf } from '../segments.js';
import type { DocumentSealer, AnyView } from '../view.js';
import {
  isNone,
  Findings,
  SHOWN,
  type Report,
  comparableOfStored,
  differencesBetween,
  Unreadable,
} from './comparison.js';
import { chunksOf, whileThere } from './reading.js';

/** Documents read at once. */
const CHUNK = 200;

/**
 * Compares two generations document by document while events are folded into both. Two documents are compared if they
 * are at the same position, or if the segment of the one behind has passed the other's position: then the document has
 * no further event up to there. Others are read again, and counted as moving after about half a second. A document that
 * is created meanwhile may be left out: `changedSince` finds it.
 * @throws {GenerationGone} one of them was dropped meanwhile
 * @throws what the stores throw
 */
export async function diffGenerations(
  stores: DiffStores,
  left: Side,
  right: Side,
  options: DiffOptions = {},
): Promise<Comparison> {
  const pairs = new GenerationPairs(stores, left, right, options);
  const compareAll = async (): Promise<void> => {
    for await (const ids of idsOf(pairs.left)) {
      await options.throttle?.wait();
      await pairs.compare(ids);
    }
    for await (const ids of idsOf(pairs.right)) {
      await options.throttle?.wait();
      await pairs.compare(await pairs.withoutLeft(ids));
    }
  };
  return await pairs.report(compareAll);
}

/** As `diffGenerations`, for these documents only. */
export async function compareDocuments(
  stores: DiffStores,
  left: Side,
  right: Side,
  ids: Iterable<string>,
  options: DiffOptions = {},
): Promise<Comparison> {
  const pairs = new GenerationPairs(stores, left, right, options);
  return await pairs.report(async () => {
    for (const chunk of chunksOf(ids, CHUNK)) await pairs.compare(chunk);
  });
}

async function* idsOf(collection: ViewCollection): AsyncGenerator<readonly string[], void, undefined> {
  let ids: string[] = [];
  for await (const { id } of collection.all()) {
    ids.push(id);
    if (ids.length < CHUNK) continue;
    yield ids;
    ids = [];
  }
  if (ids.length > 0) yield ids;
}

/** One of two generations of a view. */
export interface Side {
  /** The code that folds it. */
  readonly view: AnyView;
  readonly generation: Generation;
}

/** `unreadable`: one of the two does not open. */
export type DocumentDifference = 'different' | 'only left' | 'only right' | 'unreadable';

/**
 * A removed document is compared too: a later event may restore it with its content. Only a tombstone without content is
 * the same as no document.
 */
export type Comparison = Report<DocumentDifference>;

export interface DiffStores {
  readonly readStore: ReadStore;
  readonly sealer: DocumentSealer;
}

export interface DiffOptions {
  /** Aborting it throws its reason. Without it the comparison runs to its end. */
  readonly signal?: AbortSignal;
  /** Called after each 200 documents or fewer with the number that is done; by default not. */
  readonly onProgress?: (documents: number) => void;
  /** Slows `diffGenerations`; without it the comparison is not slowed. `compareDocuments` never is. */
  readonly throttle?: Pick<Throttle, 'wait'> | undefined;
}

/** Milliseconds between two reads of documents whose positions differ. */
const WAITS_MS: readonly number[] = [5, 20, 50, 100, 200];

const NONE = { different: 0, 'only left': 0, 'only right': 0, unreadable: 0 } as const;

/**
 * Compares documents of two generations, each at the same position in both. Call `report` once; the work that it runs
 * calls `compare`.
 */
export class GenerationPairs {
  readonly left: ViewCollection;
  readonly right: ViewCollection;
  readonly #findings: Findings<DocumentDifference>;
  #dealtWith = 0;

  constructor(
    private readonly stores: DiffStores,
    private readonly one: Side,
    private readonly other: Side,
    private readonly options: DiffOptions,
  ) {
    const { readStore } = stores;
    this.left = collectionOf(readStore, one.view, one.generation);
    this.right = collectionOf(readStore, other.view, other.generation);
    this.#findings = new Findings<DocumentDifference>(NONE, SHOWN);
  }

  /** Runs `work`, and reports what its calls of `compare` found. @throws {GenerationGone} one was dropped meanwhile */
  async report(work: () => Promise<void>): Promise<Comparison> {
    const { readStore } = this.stores;
    await whileThere(readStore, this.one.generation, () =>
      whileThere(readStore, this.other.generation, work),
    );
    return this.#findings.report();
  }

  /** Those of `ids` that the left generation has no document of. */
  async withoutLeft(ids: readonly string[]): Promise<readonly string[]> {
    const there = await this.left.getMany(ids);
    return ids.filter((id) => !there.has(id));
  }

  /** Compares these documents, at most 200. Those that keep moving for about half a second are counted as moving. */
  async compare(ids: readonly string[]): Promise<void> {
    const { signal, onProgress } = this.options;
    let open = ids;
    for (const wait of [...WAITS_MS, 0]) {
      signal?.throwIfAborted();
      open = await this.#compareSettled(open);
      if (open.length === 0) break;
      await pause(wait, signal);
    }
    this.#findings.moving += open.length;
    this.#dealtWith += ids.length;
    onProgress?.(this.#dealtWith);
  }

  /** @returns those that cannot be compared yet */
  async #compareSettled(ids: readonly string[]): Promise<readonly string[]> {
    const { readStore } = this.stores;
    // Read before the documents, so that these show everything up to the positions.
    const [passedLeft, passedRight] = await Promise.all([
      positionsOf(readStore, this.one.generation),
      positionsOf(readStore, this.other.generation),
    ]);
    const [left, right] = await Promise.all([this.left.getMany(ids), this.right.getMany(ids)]);
    const open: string[] = [];
    for (const id of ids) {
      const mine = left.get(id) ?? null;
      const theirs = right.get(id) ?? null;
      const a = mine?.position ?? START;
      const b = theirs?.position ?? START;
      const areComparable =
        a === b || (a < b ? passedOf(passedLeft, id) >= b : passedOf(passedRight, id) >= a);
      if (!areComparable || !(await this.#comparePair(id, mine, theirs))) open.push(id);
    }
    return open;
  }

  /** @returns false: one of them was changed meanwhile */
  async #comparePair(
    id: string,
    left: StoredDocument | null,
    right: StoredDocument | null,
  ): Promise<boolean> {
    if ((await this.#disagreementOf(left, right)) !== null) {
      // Read again: a repair or an erasure may have come between the two reads.
      const [mine, theirs] = await Promise.all([this.left.get(id), this.right.get(id)]);
      if (mine?.position !== left?.position || theirs?.position !== right?.position) return false;
      const found = await this.#disagreementOf(mine, theirs);
      if (found !== null) this.#findings.add(found.kind, id, found.differences, found.note);
    }
    this.#findings.compared++;
    return true;
  }

  async #disagreementOf(left: StoredDocument | null, right: StoredDocument | null) {
    const { sealer } = this.stores;
    const mine = await comparableOfStored(sealer, left);
    const theirs = await comparableOfStored(sealer, right);
    if (mine instanceof Unreadable) return { kind: 'unreadable', note: `Left: ${mine.reason}` } as const;
    if (theirs instanceof Unreadable) return { kind: 'unreadable', note: `Right: ${theirs.reason}` } as const;
    if (mine === null && theirs === null) return null;
    if (mine === null) return { kind: 'only right' } as const;
    if (theirs === null) return { kind: 'only left' } as const;
    const differences = differencesBetween(mine, theirs, this.#findings.shown.fields);
    return isNone(differences) ? null : ({ kind: 'different', differences } as const);
  }
}

const passedOf = (positions: readonly Position[], id: string): Position =>
  positions[segmentOf(id, positions.length)] ?? START;
