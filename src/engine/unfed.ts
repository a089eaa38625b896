import type { Generation, ReadStore } from '../stores/read-store.js';
import { builderLeases, builderOf, memberLeases } from './members.js';
import { folds } from './generations.js';
import { LEASE_TIMINGS } from './presence.js';
import type { AnyView } from './view.js';

interface Sign {
  /** Who has the segment, and by what they last proved to be alive. */
  readonly text: string;
  /** When it was first seen, by this process's clock. */
  readonly since: number;
}

export interface UnfedOptions {
  readonly leases: ReadStore['leases'];
  /** How long whoever feeds a segment may give no sign of life, in milliseconds: as long as a dead lease stands. */
  readonly deadMs?: number;
  /** What is known is not asked again for so long, in milliseconds. */
  readonly keptMs?: number;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}

const KEPT_MS = 250;

/**
 * Tells of segments that nobody feeds and this code cannot: to wait for them is in vain. One that is handed over, or
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
    // Whoever runs this code may start at any moment.
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

  /** What stands in the slots of the processes that feed or build, by owner. */
  #proofsOfLife(): Promise<ReadonlyMap<string, string>> {
    const now = this.#now();
    if (this.#proofs !== null && now - this.#proofs.at < this.#keptMs) return this.#proofs.asked;
    const asked = this.#askForProofs();
    asked.catch(() => (this.#proofs = null));
    this.#proofs = { asked, at: now };
    return asked;
  }

  async #askForProofs(): Promise<ReadonlyMap<string, string>> {
    const all = await Promise.all([memberLeases(this.#leases), memberLeases(builderLeases(this.#leases))]);
    return new Map(all.flat().map(({ owner, counter }) => [owner, `${counter}`]));
  }
}
