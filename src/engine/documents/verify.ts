import { type Position, START } from '../../core/event-store.js';
import type { Generation, ReadStore, ViewCollection } from '../../stores/read-store.js';
import { collectionOf, positionsOf } from '../generations/generations.js';
import { segmentOf } from '../segments.js';
import type { AnyView } from '../view.js';
import {
  Findings,
  SHOWN,
  type Report,
  type Shown,
  isNone,
  comparableOfReplayed,
  comparableOfStored,
  differencesBetween,
  Unreadable,
} from './comparison.js';
import { chunksOf, type ReadingOptions, whileThere, type FoldStores } from './reading.js';
import { type Targets, foldUntilCaughtUp, type CatchUpOptions, type Pair } from './replay.js';

export type Verification = Report<Flaw>;

export interface VerifyOptions extends Omit<ReadingOptions, 'onProgress' | 'events'> {
  /** Every document, or a random sample. */
  readonly which: 'all' | Sample;
  /** How many findings are described. Default: `SHOWN`. */
  readonly shown?: Shown;
  /**
   * Called with the position that was read, the number of this reading of the log, from 1, and the number of all
   * readings; by default not.
   */
  readonly onProgress?: (progress: {
    readonly part: number;
    readonly parts: number;
    readonly position: Position;
  }) => void;
  /** How many documents are folded in one reading of the log, and so held in memory at once. */
  readonly atOnce?: number;
}

/** How many documents are replayed at once, unless another number is given. */
const AT_ONCE = 20_000;
const NONE = { different: 0, missing: 0, extra: 0, behind: 0, unreadable: 0 } as const;

/**
 * Replays a generation's documents from the log and compares them with the stored ones, each at the position at which
 * it was read, while events are folded into the generation. Positions, repairs and index entries are not compared. With
 * `all`, missing documents are found too: up to the checkpoints, every document must exist. Cost: one reading of the
 * log for each `atOnce` documents; memory for as many documents.
 * @throws {GenerationGone} it was dropped meanwhile
 * @throws what `replayDocuments` and the stores throw
 */
export async function verifyGeneration(
  stores: VerifyStores,
  view: AnyView,
  generation: Generation,
  options: VerifyOptions,
): Promise<Verification> {
  const { which, shown = SHOWN, atOnce = AT_ONCE } = options;
  const collection = collectionOf(stores.readStore, view, generation);
  const findings = new Findings<Flaw>(NONE, shown);
  const verifier = new Verifier(stores, view, generation, collection, findings);
  await whileThere(stores.readStore, generation, async () => {
    if (which === 'all') {
      const parts = await partsFor(collection, atOnce);
      for (let part = 0; part < parts; part++)
        await verifier.part((id) => segmentOf(id, parts) === part, readingOf(options, part, parts));
    } else {
      const sample = await sampleOf(collection, which);
      const batches = [...chunksOf(sample, atOnce)];
      for (const [part, batch] of batches.entries())
        await verifier.documents(new Map(batch), readingOf(options, part, batches.length));
    }
  });
  return findings.report();
}

function readingOf(
  { skipped, signal, onProgress }: VerifyOptions,
  part: number,
  parts: number,
): ReadingOptions {
  return {
    skipped,
    ...(signal && { signal }),
    ...(onProgress && { onProgress: (position) => onProgress({ part: part + 1, parts, position }) }),
  };
}

/**
 * `different`: it differs from the fold of its events (left is what is stored, right is the fold). `missing`: it has
 * events but is not stored. `extra`: it is stored but has no event. `behind`: the checkpoint has passed events of its
 * own that were not folded into it. `unreadable`: it does not open.
 */
export type Flaw = 'different' | 'missing' | 'extra' | 'behind' | 'unreadable';

export type VerifyStores = FoldStores & { readonly readStore: ReadStore };

/** Compares a generation's documents with their replays, some at a time. */
export class Verifier {
  constructor(
    private readonly stores: VerifyStores,
    private readonly view: AnyView,
    private readonly generation: Generation,
    private readonly collection: ViewCollection,
    private readonly findings: Findings<Flaw>,
  ) {}

  /** Compares every stored document of a part of all ids, and finds missing ones. */
  async part(mine: (id: string) => boolean, options: ReadingOptions): Promise<void> {
    // Read before the documents, so that these must show everything up to the positions.
    const passed = await positionsOf(this.stores.readStore, this.generation);
    const upTo = passed.reduce((a, b) => (a > b ? a : b), START);
    const passedOf = (id: string): Position => passed[segmentOf(id, passed.length)] ?? START;
    const targets = new Map<string, Position>();
    for await (const { id, position } of this.collection.all()) if (mine(id)) targets.set(id, position);
    /** Documents that seem to lack events, with the position of their last one. */
    const unseen = new Map<string, Position>();
    const onLeftOut = (id: string, position: Position): void => {
      if (position <= passedOf(id) && mine(id)) unseen.set(id, position);
    };
    await this.documents(targets, { ...options, others: { onLeftOut, upTo } });
    for (const ids of chunksOf(unseen.keys(), CHUNK)) await this.#lookFor(ids, unseen);
  }

  /** Compares stored documents, each as of its position in `targets`. */
  async documents(targets: Targets, options: CatchUpOptions): Promise<void> {
    const { stores, view, collection, findings } = this;
    const moving = await foldUntilCaughtUp(stores, view, collection, targets, options, async (pairs) => {
      const again: string[] = [];
      for (const pair of pairs) if (!(await this.#compare(pair))) again.push(pair.stored.id);
      return again;
    });
    findings.moving += moving.length;
  }

  /** @returns false: it was changed meanwhile */
  async #compare(pair: Pair): Promise<boolean> {
    const { stored, replayed } = pair;
    if ((await this.#differenceIn(pair)) !== null) {
      // Read again: a repair or an erasure may have come between the two reads.
      const now = await this.collection.get(stored.id);
      if (now?.position !== stored.position) return false;
      const found = await this.#differenceIn({ stored: now, replayed });
      if (found !== null) this.findings.add(found.kind, stored.id, found.differences, found.note);
    }
    this.findings.compared++;
    return true;
  }

  async #differenceIn({ stored, replayed }: Pair) {
    const { sealer } = this.stores;
    const left = await comparableOfStored(sealer, stored);
    const right = await comparableOfReplayed(sealer, replayed);
    if (left instanceof Unreadable) return flaw('unreadable', left.reason);
    if (right === null) return left === null ? null : flaw('extra', 'The log holds no event of it.');
    if (left === null) return flaw('missing', 'It is a tombstone without content, and its events are there.');
    const differences = differencesBetween(left, right, this.findings.shown.fields);
    return isNone(differences) ? null : { kind: 'different' as const, differences, note: null };
  }

  async #lookFor(ids: readonly string[], unseen: Targets): Promise<void> {
    const current = await this.collection.getMany(ids);
    for (const id of ids) {
      const last = unseen.get(id) ?? START;
      const stored = current.get(id);
      if (stored === undefined) {
        this.findings.compared++;
        this.findings.add('missing', id, undefined, `Its events reach to ${last}.`);
      } else if (stored.position < last) {
        this.findings.add(
          'behind',
          id,
          undefined,
          `It is at ${stored.position}, its events reach to ${last}.`,
        );
      }
    }
  }
}

/** How many documents are read in one call. */
const CHUNK = 100;

const flaw = (kind: Flaw, note: string) => ({ kind, differences: undefined, note });

/** Most characters of documents, as JSON text, that are held in memory at once. */
const CHARACTERS_AT_ONCE = 64 << 20;

/** How many parts a collection is divided into, so that each has few enough documents and little enough text. */
export async function partsFor(collection: ViewCollection, atOnce: number): Promise<number> {
  let documents = 0;
  let characters = 0;
  for await (const { body } of collection.all()) {
    documents++;
    characters += JSON.stringify(body).length;
  }
  return Math.max(1, Math.ceil(documents / atOnce), Math.ceil(characters / CHARACTERS_AT_ONCE));
}

/** A random sample of documents. */
export interface Sample {
  /** The most documents. */
  readonly size: number;
  /** An integer: the same one chooses the same sample of the same documents. */
  readonly seed: number;
}

/** A uniform sample with positions, in one reading of the collection (reservoir sampling). */
export async function sampleOf(
  collection: ViewCollection,
  { size, seed }: Sample,
): Promise<readonly (readonly [id: string, position: Position])[]> {
  const sample: (readonly [string, Position])[] = [];
  const random = randomFrom(seed);
  let seen = 0;
  for await (const { id, position } of collection.all()) {
    const place = seen++ < size ? sample.length : Math.floor(random() * seen);
    if (place < size) sample[place] = [id, position];
  }
  return sample;
}

/** Mulberry32: numbers from 0 up to 1, the same for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
