import { LRUCache } from 'lru-cache';
import { timingSafeEqual } from 'node:crypto';
import { START, type LogId, type Position } from '../../core/event-store.js';
import type { Generation, ReadStore } from '../../stores/read-store.js';
import { ReadModelBehind } from '../errors.js';
import { folds } from '../generations/generations.js';
import { progressOf, type Progress } from '../live/progress.js';
import { memberLeases } from '../ownership/members.js';
import { LEASE_TIMINGS } from '../ownership/presence.js';
import { builderLeaseName } from '../segments.js';
import type { AnyView } from '../view.js';
import type { LiveGenerations, LiveGeneration } from './live-generations.js';

/** Hex of a keyed hash under a secret that all processes of a service share. */
type Hmac = (purpose: string, ...parts: readonly string[]) => string;

/** 128 bits: a token cannot be guessed. */
const MAC_CHARACTERS = 32;
/** The form of all tokens: base64url of the MAC and a position of any event store. */
export const TOKEN = /^[A-Za-z0-9_-]{43,1024}$/;
/** Consistency tokens in a request. */
const MAX_TOKENS = 32;

/**
 * Tokens that a client sends with a read, to see at least what it has read or written before. A token is opaque and
 * valid for one life of a log. Only the service can make one, so no client can make a read wait for a position that
 * does not exist.
 */
export class ConsistencyTokens {
  constructor(
    private readonly log: LogId,
    private readonly hmac: Hmac,
  ) {}

  /** The token of a position. */
  encode(position: Position): string {
    return Buffer.from(this.mac(position) + position).toString('base64url');
  }

  /**
   * The position of a token, or the last one of several with commas between them, as of commands that ran at once. A
   * token that this service did not make for this life of the log is ignored.
   * @returns `null`: there is no other token
   */
  decode(tokens: string | null): Position | null {
    const positions = (tokens ?? '').split(',', MAX_TOKENS).map((token) => this.decodeOne(token.trim()));
    return positions.reduce(
      (last, one) => (one !== null && (last === null || one > last) ? one : last),
      null,
    );
  }

  private decodeOne(token: string): Position | null {
    if (!TOKEN.test(token)) return null;
    const text = Buffer.from(token, 'base64url').toString();
    const position = text.slice(MAC_CHARACTERS) as Position;
    const [given, expected] = [Buffer.from(text.slice(0, MAC_CHARACTERS)), Buffer.from(this.mac(position))];
    return given.length === expected.length && timingSafeEqual(given, expected) ? position : null;
  }

  private mac(position: Position): string {
    return this.hmac('consistency-token', this.log, position).slice(0, MAC_CHARACTERS);
  }
}

/** How fresh a read must be. */
export interface Freshness {
  /** The position that the read must include, from a consistency token; none: any state. */
  readonly token?: Position | null | undefined;
  /** Longest wait for it, in milliseconds. Default: 2,000. */
  readonly deadlineMs?: number | undefined;
}

const DEFAULT_DEADLINE_MS = 2000;
/** The first and the longest wait between polls, in milliseconds, for segments that other processes feed. */
const POLL_MS = 10;
const MAX_POLL_MS = 50;
/** Segments whose checkpoints are cached. */
const SEEN = 1_000;
/** A name that no segment has: only time ends a wait for it. */
export const NOT_YET = '';

/** How long one read may still wait. */
export class Deadline {
  readonly #until: number;
  #tries = 0;

  /** Whether the read has not waited yet. */
  get isUntouched(): boolean {
    return this.#tries === 0;
  }

  constructor(deadlineMs = DEFAULT_DEADLINE_MS) {
    this.#until = performance.now() + deadlineMs;
  }

  /** Milliseconds until the next try; 0: the deadline has passed. */
  next(): number {
    const poll = Math.min(MAX_POLL_MS, POLL_MS * 2 ** this.#tries++);
    return Math.max(0, Math.min(poll, this.#until - performance.now()));
  }
}

/** The position that a read with that token needs of a generation: at least that from which it is readable. */
export const wantedOf = (
  { readableFrom = START }: Generation,
  token: Position | null | undefined,
): Position => (token == null || token < readableFrom ? readableFrom : token);

/** Waits until segments have reached the tokens of reads. */
export class TokenWaits {
  readonly #checkpoints: ReadStore['checkpoints'];
  readonly #progress: Progress;
  readonly #orphans: OrphanDetector;
  /** Cached checkpoints. */
  readonly #seen = new LRUCache<string, Position>({ max: SEEN });

  constructor(
    { readStore }: { readonly readStore: ReadStore },
    private readonly generations: Pick<LiveGenerations, 'last' | 'fromPointer'>,
  ) {
    this.#checkpoints = readStore.checkpoints;
    this.#progress = progressOf(readStore);
    this.#orphans = new OrphanDetector({ leases: readStore.leases });
  }

  /** Whether this process has seen a segment at a position or beyond: it never goes back. Reads nothing. */
  isKnown(segment: string, position: Position): boolean {
    return (
      position === START ||
      this.#progress.has(segment, position) ||
      (this.#seen.get(segment) ?? START) >= position
    );
  }

  /** Whether a segment, whichever process feeds it, has reached a position. Reads its checkpoint if need be. */
  async isThere(name: string, position: Position): Promise<boolean> {
    if (this.isKnown(name, position)) return true;
    const checkpoint = await this.#checkpoints.get(name);
    if (checkpoint !== null) this.#seen.set(name, checkpoint);
    return checkpoint !== null && checkpoint >= position;
  }

  /**
   * Waits before the next try of a read: until the segments have reached the token in this process, or for a moment.
   * @param segments those of the generation that have not reached it yet
   * @throws {ReadModelBehind} the deadline has passed, or no process feeds them
   */
  async nextTry(
    view: AnyView,
    deadline: Deadline,
    generation: Generation | null,
    segments: readonly string[],
    token: Position,
  ): Promise<void> {
    if (
      generation !== null &&
      deadline.isUntouched &&
      (await this.#orphans.isAny(view, generation, segments))
    )
      throw new ReadModelBehind(view.name);
    const ms = deadline.next();
    if (ms === 0) throw new ReadModelBehind(view.name);
    await this.#progress.reached(segments, token, ms);
  }

  /**
   * Each try reads the pointer.
   * @returns the live generation, once its segments have reached the token and the position from which it is readable
   * @throws {ReadModelBehind} as `nextTry`
   */
  async reached(
    view: AnyView,
    token: Position,
    deadline: Deadline,
    segments: (generation: Generation) => readonly string[],
  ): Promise<LiveGeneration> {
    const arrived = new Set<string>();
    const check = async (generation: Generation): Promise<void> => {
      const wanted = wantedOf(generation, token);
      const missing = segments(generation).filter((name) => !arrived.has(name));
      const isThere = async (name: string) => {
        if (await this.isThere(name, wanted)) arrived.add(name);
      };
      await Promise.all(missing.map(isThere));
    };
    for (;;) {
      const guess = this.generations.last(view)?.generation ?? null;
      const [serving] = await Promise.all([this.generations.fromPointer(view), guess && check(guess)]);
      const names = serving === null ? null : segments(serving.generation);
      if (serving !== null && serving.generation.name !== guess?.name) await check(serving.generation);
      if (serving !== null && names?.every((name) => arrived.has(name))) return serving;
      const missing = names?.filter((name) => !arrived.has(name));
      const generation = serving?.generation ?? null;
      const wanted = generation === null ? token : wantedOf(generation, token);
      await this.nextTry(view, deadline, generation, missing ?? [NOT_YET], wanted);
    }
  }
}

interface Sign {
  /** The owners of the segment's leases, and the counters that last proved that they are alive. */
  readonly text: string;
  /** When it was first seen, by this process's clock. */
  readonly since: number;
}

export interface OrphanDetectorOptions {
  readonly leases: ReadStore['leases'];
  /** Monotonic milliseconds. Default: this process's own. */
  readonly now?: () => number;
}

/** An owner is dead once its counter has not moved for this long, in milliseconds. */
const DEAD_MS = LEASE_TIMINGS.deadMs;
/** How long a read of the proofs of life is cached, in milliseconds. */
const KEPT_MS = 250;

/**
 * Finds segments that no living process feeds and this code cannot feed: a read need not wait for them. A segment that
 * is being handed over, or whose process has just died, is not an orphan yet.
 */
export class OrphanDetector {
  readonly #leases: ReadStore['leases'];
  readonly #now: () => number;
  /** By segment; of one generation for each view. */
  readonly #signs = new Map<string, { readonly generation: string; readonly signs: Map<string, Sign> }>();
  #proofs: { readonly asked: Promise<ReadonlyMap<string, string>>; readonly at: number } | null = null;

  constructor({ leases, now = () => performance.now() }: OrphanDetectorOptions) {
    this.#leases = leases;
    this.#now = now;
  }

  /** Whether any of these segments is an orphan. Throws what the read store throws. */
  async isAny(view: AnyView, generation: Generation, segments: readonly string[]): Promise<boolean> {
    // A process with this code may start at any moment.
    if (folds(view, generation)) return false;
    const proofs = await this.#proofsOfLife();
    const signs = this.#signsOf(view, generation);
    const orphaned = await Promise.all(segments.map((segment) => this.#isOrphaned(segment, signs, proofs)));
    return orphaned.includes(true);
  }

  async #isOrphaned(
    segment: string,
    signs: Map<string, Sign>,
    proofs: ReadonlyMap<string, string>,
  ): Promise<boolean> {
    const names = [segment, builderLeaseName(segment)];
    const leases = await Promise.all(names.map((name) => this.#leases.get(name)));
    const text = leases.map((lease) => `${lease?.owner} ${lease && proofs.get(lease.owner)}`).join();
    const now = this.#now();
    const former = signs.get(segment);
    if (former?.text === text) return now - former.since >= DEAD_MS;
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
    if (this.#proofs !== null && now - this.#proofs.at < KEPT_MS) return this.#proofs.asked;
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
