import { LRUCache } from 'lru-cache';
import { START, type Position } from '../../core/event-store.js';
import type { Generation, ReadStore } from '../../stores/read-store.js';
import { ReadModelBehind } from '../errors.js';
import { builderOf, memberLeases } from '../ownership/members.js';
import { folds } from '../generations/generations.js';
import type { LiveGenerations, Serving } from './live-generations.js';
import { LEASE_TIMINGS } from '../ownership/presence.js';
import { progressOf, type Progress } from '../live/progress.js';
import type { AnyView } from '../view.js';

export interface Freshness {
  /** What the read must have seen, from a consistency token; none: any state. */
  readonly token?: Position | null | undefined;
  /** How long it may wait for that, in milliseconds; 2,000 unless said. */
  readonly deadlineMs?: number | undefined;
}

const DEADLINE_MS = 2000;
/** For segments worked on by other processes, first and at most; those of this one wake their readers. */
const POLL_MS = 10;
const MAX_POLL_MS = 50;
/** Segments whose checkpoints are remembered. */
const SEEN = 1_000;
/** A segment that never moves: there is nothing to be woken by but the poll. */
export const NOT_YET = '';

/** How long one read has waited so far. */
export class Patience {
  readonly #until: number;
  #tries = 0;

  /** Nothing was waited for yet. */
  get isFresh(): boolean {
    return this.#tries === 0;
  }

  constructor(deadlineMs = DEADLINE_MS) {
    this.#until = performance.now() + deadlineMs;
  }

  /** How long to wait until the next try; 0: no longer. */
  next(): number {
    const poll = Math.min(MAX_POLL_MS, POLL_MS * 2 ** this.#tries++);
    return Math.max(0, Math.min(poll, this.#until - performance.now()));
  }
}

/** What a read with that token needs of a generation. */
export const wantedOf = (
  { readableFrom = START }: Generation,
  token: Position | null | undefined,
): Position => (token == null || token < readableFrom ? readableFrom : token);

/** Waits until what reads need has come as far as their tokens. */
export class TokenWaits {
  readonly #checkpoints: ReadStore['checkpoints'];
  readonly #progress: Progress;
  readonly #unfed: Unfed;
  /** Checkpoints as they were read last. */
  readonly #seen = new LRUCache<string, Position>({ max: SEEN });

  constructor(
    { readStore }: { readonly readStore: ReadStore },
    private readonly generations: Pick<LiveGenerations, 'last' | 'pointed'>,
  ) {
    this.#checkpoints = readStore.checkpoints;
    this.#progress = progressOf(readStore);
    this.#unfed = new Unfed({ leases: readStore.leases });
  }

  /** Whether a segment is known here to have come to a position: it never goes back. */
  isKnown(segment: string, position: Position): boolean {
    return (
      position === START ||
      this.#progress.has(segment, position) ||
      (this.#seen.get(segment) ?? START) >= position
    );
  }

  /** Whether a segment, whichever process feeds it, has come to a position. */
  async isThere(name: string, position: Position): Promise<boolean> {
    if (this.isKnown(name, position)) return true;
    const checkpoint = await this.#checkpoints.get(name);
    if (checkpoint !== null) this.#seen.set(name, checkpoint);
    return checkpoint !== null && checkpoint >= position;
  }

  /**
   * @param segments those of the generation that are not there yet
   * @throws {ReadModelBehind} the deadline has passed, or no process feeds them
   */
  async nextTry(
    view: AnyView,
    patience: Patience,
    generation: Generation | null,
    segments: readonly string[],
    token: Position,
  ): Promise<void> {
    if (generation !== null && patience.isFresh && (await this.#unfed.isAny(view, generation, segments)))
      throw new ReadModelBehind(view.name);
    const ms = patience.next();
    if (ms === 0) throw new ReadModelBehind(view.name);
    await this.#progress.reached(segments, token, ms);
  }

  /** The generation whose segments have reached the token, and where it is readable from; each try reads the pointer. */
  async reached(
    view: AnyView,
    token: Position,
    patience: Patience,
    segments: (generation: Generation) => readonly string[],
  ): Promise<Serving> {
    const arrived = new Set<string>();
    const look = async (generation: Generation): Promise<void> => {
      const wanted = wantedOf(generation, token);
      const missing = segments(generation).filter((name) => !arrived.has(name));
      const isThere = async (name: string) => {
        if (await this.isThere(name, wanted)) arrived.add(name);
      };
      await Promise.all(missing.map(isThere));
    };
    for (;;) {
      const guess = this.generations.last(view)?.generation ?? null;
      const [serving] = await Promise.all([this.generations.pointed(view), guess && look(guess)]);
      const names = serving === null ? null : segments(serving.generation);
      if (serving !== null && serving.generation.name !== guess?.name) await look(serving.generation);
      if (serving !== null && names?.every((name) => arrived.has(name))) return serving;
      const missing = names?.filter((name) => !arrived.has(name));
      const generation = serving?.generation ?? null;
      const wanted = generation === null ? token : wantedOf(generation, token);
      await this.nextTry(view, patience, generation, missing ?? [NOT_YET], wanted);
    }
  }
}

interface Sign {
  /** Who has the segment, and by what they last proved to be alive. */
  readonly text: string;
  /** When it was first seen, by this process's clock. */
  readonly since: number;
}

export interface UnfedOptions {
  readonly leases: ReadStore['leases'];
  /** How long the owner of a segment may prove nothing, in milliseconds: the time after which its lease is dead. */
  readonly deadMs?: number;
  /** What is known is not asked again for so long, in milliseconds. */
  readonly keptMs?: number;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}

const KEPT_MS = 250;

/**
 * Finds segments that no process feeds and this code cannot: waiting for them is in vain. One that is handed over, or
 * whose process has just died, is not taken for one.
 */
export class Unfed {
  readonly #leases: ReadStore['leases'];
  readonly #deadMs: number;
  readonly #keptMs: number;
  readonly #now: () => number;
  /** By segment; of one generation for each view. */
  readonly #signs = new Map<string, { readonly generation: string; readonly signs: Map<string, Sign> }>();
  #proofs: { readonly asked: Promise<ReadonlyMap<string, string>>; readonly at: number } | null = null;

  constructor({
    leases,
    deadMs = LEASE_TIMINGS.deadMs,
    keptMs = KEPT_MS,
    now = () => performance.now(),
  }: UnfedOptions) {
    this.#leases = leases;
    this.#deadMs = deadMs;
    this.#keptMs = keptMs;
    this.#now = now;
  }

  /** Whether any of these segments, which a reader waits for, goes no further. Throws what the read store throws. */
  async isAny(view: AnyView, generation: Generation, segments: readonly string[]): Promise<boolean> {
    // A process with this code may start at any moment.
    if (folds(view, generation)) return false;
    const proofs = await this.#proofsOfLife();
    const signs = this.#signsOf(view, generation);
    const unfed = await Promise.all(segments.map((segment) => this.#isUnfed(segment, signs, proofs)));
    return unfed.includes(true);
  }

  async #isUnfed(
    segment: string,
    signs: Map<string, Sign>,
    proofs: ReadonlyMap<string, string>,
  ): Promise<boolean> {
    const names = [segment, builderOf(segment)];
    const leases = await Promise.all(names.map((name) => this.#leases.get(name)));
    const text = leases.map((lease) => `${lease?.owner} ${lease && proofs.get(lease.owner)}`).join();
    const now = this.#now();
    const former = signs.get(segment);
    if (former?.text === text) return now - former.since >= this.#deadMs;
    signs.set(segment, { text, since: now });
    return false;
  }

  #signsOf({ name }: AnyView, generation: Generation): Map<string, Sign> {
    const known = this.#signs.get(name);
    if (known?.generation === generation.name) return known.signs;
    const signs = new Map<string, Sign>();
    this.#signs.set(name, { generation: generation.name, signs });
    return signs;
  }

  /** Lease counters of the processes that feed or build, by owner. */
  #proofsOfLife(): Promise<ReadonlyMap<string, string>> {
    const now = this.#now();
    if (this.#proofs !== null && now - this.#proofs.at < this.#keptMs) return this.#proofs.asked;
    const asked = this.#askForProofs();
    asked.catch(() => (this.#proofs = null));
    this.#proofs = { asked, at: now };
    return asked;
  }

  async #askForProofs(): Promise<ReadonlyMap<string, string>> {
    const members = await memberLeases(this.#leases);
    return new Map(members.map(({ owner, counter }) => [owner, `${counter}`]));
  }
}
