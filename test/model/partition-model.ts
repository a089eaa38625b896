/**
 * The model of a design for one pass over all live views; docs/partitions.md tells it.
 *
 * Actors share one store and are interleaved at random. Each `yield` is a place where others run, where an actor is
 * delayed, or where it crashes and starts again from the beginning. After each change of the store, `check` compares
 * every document and every checkpoint with the log. Positions are whole numbers; 0 is the start of the log.
 */
import { Random } from './random.js';

/** Ways to break the design, each of which the model must notice. */
export const MUTATIONS = [
  /** A partition's checkpoint has the same name under every layout. */
  'name without revision',
  /** A generation that joins starts at the partitions' positions, whatever its own checkpoints say. */
  'join at the checkpoint',
  /** The partition's checkpoint advances before the documents are written. */
  'checkpoint before documents',
  /** A reader counts a partition's position for a generation that is not a member. */
  'reader ignores members',
  /** A document's write only asks that its position grows, not that it is still the one that was read. */
  'weak guard',
  /** A pass goes on, and advances its checkpoint, after a write was refused as behind. */
  'advance over behind',
  /** The starts are as late as if they were written when the partitions had already gone on. */
  'starts after swap',
  /** A blocked member leaves with its own checkpoints at the end of the page. */
  'leave at page end',
] as const;

export type Mutation = (typeof MUTATIONS)[number];

export class Violation extends Error {}

/** What a run tried: one that tried nothing shows nothing. */
export interface Tried {
  reads: number;
  joins: number;
  leaves: number;
  promotions: number;
}

/** `<view>.g<number>` */
type Generation = string;

interface Event {
  readonly position: number;
  readonly document: number;
  /** The views that handle it. */
  readonly views: ReadonlySet<number>;
  /** The views that cannot fold it: the document is parked. */
  readonly poison: ReadonlySet<number>;
  /** The views for which it is newer than the code of some processes: their pass is blocked. */
  readonly newer: ReadonlySet<number>;
}

interface Document {
  readonly position: number;
  readonly seen: readonly number[];
  readonly parkedAt: number | null;
  readonly repairs: number;
}

/** One per store, replaced by compare-and-set on its revision. */
interface Layout {
  readonly revision: number;
  readonly members: readonly Generation[];
  readonly partitions: number;
  /** Where each partition starts while it has no checkpoint under this revision. */
  readonly starts: readonly number[];
}

interface Pointer {
  readonly live: Generation;
  readonly next: Generation | null;
  readonly former: Generation | null;
  /** Counts the promotions. */
  readonly turn: number;
  /** Set during a promotion: readers show nothing beyond the barrier. */
  readonly freeze: { readonly to: Generation; readonly barrier: number | null } | null;
  readonly revision: number;
}

type Steps<Result = void> = Generator<void, Result, void>;
type Actor = () => Steps;

/** How far a pass came without a write of its checkpoint, since no event was the partition's. */
interface Ahead {
  readonly revision: number;
  readonly checkpoint: number;
  readonly position: number;
}

interface Running {
  readonly actor: Actor;
  steps: Steps;
  /** The step before which it does not run. */
  delayedUntil: number;
}

const VIEWS = [0, 1, 2];
const DOCUMENTS = [0, 1, 2, 3, 4, 5];
/** Most partitions that a layout can have. */
const PARTITIONS = 3;
const STEPS_TO_CATCH_UP = 40_000;

const range = (length: number): number[] => Array.from({ length }, (_, index) => index);
const hash = (document: number, parts: number): number => (document * 7 + 3) % parts;
const viewOf = (generation: Generation): number => Number.parseInt(generation, 10);
const isHandled = (generation: Generation, event: Event): boolean => event.views.has(viewOf(generation));

const splitKey = (key: string): readonly [generation: Generation, number: number] => {
  const [generation, number] = key.split('/') as [Generation, string];
  return [generation, Number(number)];
};

/**
 * Runs one random schedule: first with crashes, delays and stale reads while the log grows, then without them until all
 * live generations are members and have caught up.
 *
 * @throws {Violation} if an invariant is broken or the views never catch up
 */
export function runSchedule(seed: number, mutation: Mutation | null = null): Tried {
  return new PartitionModel(seed, mutation).run();
}

class PartitionModel {
  readonly #random: Random;
  readonly #mutation: Mutation | null;
  readonly #log: readonly Event[];
  /** The events of each document, by view and document. */
  readonly #handled: readonly (readonly (readonly Event[])[])[];
  /** How much of the log has been appended. */
  #head: number;
  /** Whether actors crash and are delayed, reads are stale, and operators intervene. */
  #chaos = true;
  /** Whether events that cannot be folded are left out. */
  #skips = false;
  /** Whether every process has the code for the newest events. */
  #upgraded = false;
  /** Whether the store has changed since the last check. */
  #changed = false;
  #step = 0;
  readonly #tried: Tried = { reads: 0, joins: 0, leaves: 0, promotions: 0 };
  readonly #running: Running[] = [];

  /** All versions of each document, by `<generation>/<document>`: a stale read returns an earlier one. */
  readonly #documents = new Map<string, readonly Document[]>();
  /** The own checkpoints of generations, by `<generation>/<segment>`. */
  readonly #ownCheckpoints = new Map<string, number>();
  readonly #segments = new Map<Generation, number>();
  /** The checkpoints of partitions, by name. */
  readonly #partitionCheckpoints = new Map<string, number>();
  readonly #pointers = new Map<number, Pointer>();
  readonly #dropped = new Set<Generation>();
  readonly #paused = new Set<number>();
  #layout: Layout;
  /** Every layout that there was: the checkpoints of former ones must stay true. */
  readonly #layouts: Layout[];
  /** The greatest position that a read showed, by `<view>/<document>`. */
  readonly #shown = new Map<string, number>();

  constructor(seed: number, mutation: Mutation | null) {
    this.#random = new Random(seed);
    this.#mutation = mutation;
    const someViews = (probability: number): ReadonlySet<number> =>
      new Set(VIEWS.filter(() => this.#random.chance(probability)));
    this.#log = range(8 + this.#random.below(14)).map((index) => ({
      position: index + 1,
      views: someViews(0.6),
      document: this.#random.below(DOCUMENTS.length),
      poison: someViews(0.03),
      newer: someViews(0.012),
    }));
    this.#handled = VIEWS.map((view) =>
      DOCUMENTS.map((document) =>
        this.#log.filter((event) => event.document === document && event.views.has(view)),
      ),
    );
    this.#head = this.#random.below(4);
    const partitions = 1 + this.#random.below(2);
    this.#layout = { revision: 0, members: [], partitions, starts: range(partitions).map(() => 0) };
    this.#layouts = [this.#layout];
    for (const view of VIEWS) {
      const live = this.#createGeneration(view);
      this.#pointers.set(view, { live, next: null, former: null, turn: 1, freeze: null, revision: 1 });
    }
  }

  run(): Tried {
    this.#startActors();
    this.#runSteps(600 + this.#random.below(900), () => false);
    this.#calm();
    this.#start(() => this.#repairer());
    this.#runSteps(STEPS_TO_CATCH_UP, () => this.#caughtUp());
    if (!this.#caughtUp())
      throw new Violation(
        `never caught up: ${JSON.stringify(this.#layout)}, lowest ${this.#lowestPartition(this.#layout)}`,
      );
    return this.#tried;
  }

  // The schedule

  #startActors(): void {
    const knows = (): boolean => this.#upgraded;
    const always = (): boolean => true;
    for (const { live } of this.#pointers.values())
      for (const segment of range(this.#segments.get(live)!)) {
        this.#ownCheckpoints.set(`${live}/${segment}`, 0);
        this.#start(() => this.#segmentWorker(live, segment, knows));
        // A lease does not exclude: another process may still feed the same segment.
        if (this.#random.chance(0.4)) this.#start(() => this.#segmentWorker(live, segment, always));
      }
    for (const partition of range(PARTITIONS)) {
      this.#start(() => this.#partitionWorker(partition, knows));
      if (this.#random.chance(0.5)) this.#start(() => this.#partitionWorker(partition, always));
    }
    this.#start(() => this.#conductor());
    if (this.#random.chance(0.3)) this.#start(() => this.#conductor());
    this.#start(() => this.#reader());
    this.#start(() => this.#reader());
    if (this.#random.chance(0.7)) this.#start(() => this.#repairer());
  }

  #start(actor: Actor): void {
    this.#running.push({ actor, steps: actor(), delayedUntil: 0 });
  }

  #runSteps(most: number, done: () => boolean): void {
    for (let step = 0; step < most && !done(); step++) {
      this.#step++;
      if (this.#chaos && this.#head < this.#log.length && this.#random.chance(0.04)) this.#head++;
      if (this.#chaos && this.#random.chance(0.001)) this.#skips = true;
      this.#runOne();
      if (!this.#changed) continue;
      this.#check();
      this.#changed = false;
    }
  }

  #runOne(): void {
    const ready = this.#running.filter(({ delayedUntil }) => delayedUntil <= this.#step);
    if (ready.length === 0) return;
    const one = this.#pick(ready);
    if (this.#chaos && this.#random.chance(0.01)) one.delayedUntil = this.#step + this.#random.below(250);
    if (this.#chaos && this.#random.chance(0.006)) {
      one.steps = one.actor();
      return;
    }
    if (one.steps.next().done) this.#running.splice(this.#running.indexOf(one), 1);
  }

  /** Ends the chaos: the log is complete, every process is upgraded, and nothing is paused or frozen. */
  #calm(): void {
    this.#chaos = false;
    this.#head = this.#log.length;
    this.#skips = true;
    this.#upgraded = true;
    this.#paused.clear();
    for (const [view, pointer] of this.#pointers)
      if (pointer.freeze !== null) this.#swapPointer(view, pointer, { freeze: null });
  }

  #caughtUp(): boolean {
    const end = this.#log.length;
    return VIEWS.every((view) => {
      const { live } = this.#pointers.get(view)!;
      return (
        this.#layout.members.includes(live) &&
        this.#lowestPartition(this.#layout) === end &&
        DOCUMENTS.every((document) => {
          const current = this.#latest(live, document);
          return (
            (current?.position ?? 0) === this.#lastHandled(live, document, end) &&
            (current?.parkedAt ?? null) === null
          );
        })
      );
    });
  }

  #pick<Item>(items: readonly Item[]): Item {
    return items[this.#random.below(items.length)]!;
  }

  // The invariants

  /** @throws {Violation} if a document or a checkpoint contradicts the log */
  #check(): void {
    for (const [key, versions] of this.#documents) this.#checkDocument(key, versions.at(-1)!);
    for (const [key, position] of this.#ownCheckpoints) {
      const [generation, segment] = splitKey(key);
      const segments = this.#segments.get(generation)!;
      for (const document of DOCUMENTS)
        if (hash(document, segments) === segment)
          this.#checkReached(generation, document, position, `own checkpoint ${key}`);
    }
    // Every checkpoint is a statement that never becomes false: those of former layouts count too.
    for (const layout of this.#layouts) {
      const positions = this.#partitionPositions(layout);
      for (const member of layout.members)
        for (const document of DOCUMENTS) {
          const position = positions[hash(document, layout.partitions)]!;
          this.#checkReached(member, document, position, `layout ${layout.revision}`);
        }
    }
  }

  /** A document has each event of its own exactly once, in order, up to its position or to where it is parked. */
  #checkDocument(key: string, { position, seen, parkedAt }: Document): void {
    const [generation, document] = splitKey(key);
    const isPoison = (event: Event): boolean => event.poison.has(viewOf(generation));
    const events = this.#eventsOf(generation, document, position);
    if (events.at(-1)?.position !== position)
      throw new Violation(`${key} is at ${position}, which is no event of its own`);
    if (parkedAt === null && !this.#skips && events.some(isPoison))
      throw new Violation(`${key} passed an event that it cannot fold`);
    const expected = events
      .filter((event) => !isPoison(event) && (parkedAt === null || event.position < parkedAt))
      .map((event) => event.position);
    if (expected.join() !== seen.join())
      throw new Violation(`${key} at ${position} has ${seen.join()}, not ${expected.join()}`);
  }

  /** All events up to the checkpoint are in the document. */
  #checkReached(generation: Generation, document: number, position: number, checkpoint: string): void {
    if (this.#dropped.has(generation)) return;
    const reached = this.#latest(generation, document)?.position ?? 0;
    if (reached < this.#lastHandled(generation, document, position))
      throw new Violation(`${checkpoint} at ${position}: ${generation}/${document} is at ${reached}`);
  }

  /** A document's events up to a position. */
  #eventsOf(generation: Generation, document: number, upTo: number): Event[] {
    return this.#handled[viewOf(generation)]![document]!.filter(({ position }) => position <= upTo);
  }

  #lastHandled(generation: Generation, document: number, upTo: number): number {
    return this.#eventsOf(generation, document, upTo).at(-1)?.position ?? 0;
  }

  // The store

  #createGeneration(view: number): Generation {
    const generation = `${view}.g${this.#segments.size + 1}`;
    this.#segments.set(generation, 1 + this.#random.below(2));
    return generation;
  }

  #latest(generation: Generation, document: number): Document | null {
    return this.#documents.get(`${generation}/${document}`)?.at(-1) ?? null;
  }

  /** Reads a document as a worker does: what it returns may be stale. */
  #read(generation: Generation, document: number): Document | null {
    const versions = this.#documents.get(`${generation}/${document}`);
    if (!versions) return null;
    if (!this.#chaos || !this.#random.chance(0.15)) return versions.at(-1)!;
    const version = this.#random.below(versions.length + 1);
    return version === 0 ? null : versions[version - 1]!;
  }

  #append(generation: Generation, document: number, next: Document): void {
    const key = `${generation}/${document}`;
    this.#documents.set(key, [...(this.#documents.get(key) ?? []), next]);
    this.#changed = true;
  }

  /** A write is guarded by the position and the repairs that were read; so a document never goes back. */
  #write(
    generation: Generation,
    document: number,
    expected: Document | null,
    next: Document,
  ): 'written' | 'done' | 'behind' {
    const current = this.#latest(generation, document);
    const position = current?.position ?? 0;
    const sameRepairs = (current?.repairs ?? 0) === (expected?.repairs ?? 0);
    const fits =
      this.#mutation === 'weak guard'
        ? position < next.position
        : position === (expected?.position ?? 0) && sameRepairs;
    if (!fits) return position >= next.position && sameRepairs ? 'done' : 'behind';
    this.#append(generation, document, next);
    return 'written';
  }

  /** The revision in the name is the fence: an owner that missed a change of the layout advances the former name. */
  #partitionName({ revision, partitions }: Layout, partition: number): string {
    const name = `${partition}of${partitions}`;
    return this.#mutation === 'name without revision' ? name : `${revision}.${name}`;
  }

  #partitionPosition(layout: Layout, partition: number): number {
    return (
      this.#partitionCheckpoints.get(this.#partitionName(layout, partition)) ?? layout.starts[partition]!
    );
  }

  #advancePartition(layout: Layout, partition: number, position: number): void {
    this.#partitionCheckpoints.set(this.#partitionName(layout, partition), position);
    this.#changed = true;
  }

  #partitionPositions(layout: Layout): number[] {
    return range(layout.partitions).map((partition) => this.#partitionPosition(layout, partition));
  }

  #lowestPartition(layout: Layout): number {
    return Math.min(...this.#partitionPositions(layout));
  }

  #ownPosition(generation: Generation, segment: number): number {
    return this.#ownCheckpoints.get(`${generation}/${segment}`) ?? 0;
  }

  #advanceOwn(generation: Generation, segment: number, position: number): void {
    this.#ownCheckpoints.set(`${generation}/${segment}`, position);
    this.#changed = true;
  }

  #lowestOwn(generation: Generation): number {
    const segments = range(this.#segments.get(generation)!);
    return Math.min(...segments.map((segment) => this.#ownPosition(generation, segment)));
  }

  /**
   * How far a generation has come, at one document or (null) at all. Each checkpoint is true, so the greatest counts; a
   * partition speaks of the members of its layout alone. The layout may be old: it makes true statements only.
   */
  #positionOf(generation: Generation, layout: Layout, document: number | null): number {
    const own =
      document === null
        ? this.#lowestOwn(generation)
        : this.#ownPosition(generation, hash(document, this.#segments.get(generation)!));
    if (this.#mutation !== 'reader ignores members' && !layout.members.includes(generation)) return own;
    const partition =
      document === null
        ? this.#lowestPartition(layout)
        : this.#partitionPosition(layout, hash(document, layout.partitions));
    return Math.max(own, partition);
  }

  /** Members and starts change in one compare-and-set. */
  #swapLayout(from: Layout, change: Partial<Omit<Layout, 'revision'>>): boolean {
    if (this.#layout.revision !== from.revision) return false;
    this.#layout = { ...from, ...change, revision: from.revision + 1 };
    this.#layouts.push(this.#layout);
    this.#changed = true;
    return true;
  }

  /** @returns the new pointer, or null if another was faster */
  #swapPointer(view: number, from: Pointer, change: Partial<Omit<Pointer, 'revision'>>): Pointer | null {
    if (this.#pointers.get(view)!.revision !== from.revision) return null;
    const now = { ...from, ...change, revision: from.revision + 1 };
    this.#pointers.set(view, now);
    return now;
  }

  // The pass

  #fold(generation: Generation, before: Document | null, events: readonly Event[]): Document | null {
    let document = before;
    for (const { position, poison } of events) {
      if (position <= (document?.position ?? 0)) continue;
      const base = document ?? { position: 0, seen: [], parkedAt: null, repairs: 0 };
      const isPoison = poison.has(viewOf(generation));
      if (base.parkedAt !== null || (isPoison && this.#skips)) document = { ...base, position };
      else if (isPoison) document = { ...base, position, parkedAt: position };
      else document = { ...base, position, seen: [...base.seen, position] };
    }
    return document;
  }

  /** The events after a position, up to a few further. */
  #readPage(from: number, most: number): Event[] {
    const to = Math.min(this.#head, from + most);
    return this.#log.filter(({ position }) => position > from && position <= to);
  }

  /**
   * Folds a page into a generation.
   *
   * @returns the position it reached: just before an event that is newer than the code, else the end of the page; null if
   *   a write was refused as behind, after which the pass starts over and advances nothing
   */
  *#foldPage(
    generation: Generation,
    page: readonly Event[],
    knowsNewer: boolean,
    owns: (document: number) => boolean,
  ): Steps<number | null> {
    const handled = page.filter((event) => isHandled(generation, event));
    const blocking = handled.find(({ newer }) => newer.has(viewOf(generation)) && !knowsNewer);
    const end = blocking ? blocking.position - 1 : page.at(-1)!.position;
    const events = handled.filter(({ position, document }) => position <= end && owns(document));
    const before = new Map<number, Document | null>();
    for (const { document } of events)
      if (!before.has(document)) before.set(document, this.#read(generation, document));
    yield;
    for (const [document, was] of before) {
      const next = this.#fold(
        generation,
        was,
        events.filter((event) => event.document === document),
      );
      if (next === null || next === was) continue;
      const result = this.#write(generation, document, was, next);
      if (result === 'behind' && this.#mutation !== 'advance over behind') return null;
      if (this.#random.chance(0.5)) yield;
    }
    return end;
  }

  /** Feeds all members of the layout within one partition: one page, one checkpoint. */
  *#partitionWorker(partition: number, knowsNewer: () => boolean): Steps {
    let ahead = null as Ahead | null;
    for (;;) {
      const layout = this.#layout;
      yield;
      if (partition >= layout.partitions || layout.members.length === 0) {
        yield;
        continue;
      }
      const owns = (document: number): boolean => hash(document, layout.partitions) === partition;
      const checkpoint = this.#partitionPosition(layout, partition);
      let from = checkpoint;
      yield;
      if (ahead?.revision === layout.revision && ahead.checkpoint === checkpoint && this.#random.chance(0.7))
        from = ahead.position;
      ahead = null;
      const page = this.#readPage(from, 1 + this.#random.below(4));
      yield;
      if (page.length === 0) continue;
      // A pass may look whether the layout changed. It does not have to: the checkpoint's name is the fence.
      if (this.#random.chance(0.5)) {
        const { revision } = this.#layout;
        yield;
        if (revision !== layout.revision) continue;
      }
      const pageEnd = page.at(-1)!.position;
      if (this.#mutation === 'checkpoint before documents') {
        if (this.#partitionPosition(layout, partition) === checkpoint)
          this.#advancePartition(layout, partition, pageEnd);
        yield;
      }
      const reached = yield* this.#foldIntoMembers(layout, page, knowsNewer, owns);
      if (reached === null) continue;
      const { end, blocked } = reached;
      if (end > checkpoint) {
        const mayWait = blocked === null && this.#random.chance(0.3);
        if (mayWait && !page.some(({ document }) => owns(document))) {
          ahead = { revision: layout.revision, checkpoint, position: end };
        } else {
          yield;
          // Compare-and-set: another owner may have advanced it.
          if (this.#partitionPosition(layout, partition) !== checkpoint) continue;
          this.#advancePartition(layout, partition, end);
          ahead = { revision: layout.revision, checkpoint: end, position: end };
        }
      }
      // An event that blocks one member alone: it leaves, so that the others go on.
      if (blocked !== null)
        yield* this.#leave(blocked, this.#mutation === 'leave at page end' ? pageEnd : null);
      yield;
    }
  }

  /** @returns the lowest position that a member reached, and the member that was blocked there; null: start over */
  *#foldIntoMembers(
    layout: Layout,
    page: readonly Event[],
    knowsNewer: () => boolean,
    owns: (document: number) => boolean,
  ): Steps<{ end: number; blocked: Generation | null } | null> {
    let end = page.at(-1)!.position;
    let blocked: Generation | null = null;
    for (const member of layout.members) {
      const reached = yield* this.#foldPage(member, page, knowsNewer(), owns);
      if (reached === null) return null;
      if (reached >= end) continue;
      end = reached;
      blocked = member;
    }
    return { end, blocked };
  }

  /** Feeds one segment of a generation while that stands apart from the layout. */
  *#segmentWorker(generation: Generation, segment: number, knowsNewer: () => boolean): Steps {
    const segments = this.#segments.get(generation)!;
    for (;;) {
      const layout = this.#layout;
      yield;
      if (this.#dropped.has(generation)) return;
      if (layout.members.includes(generation) || this.#paused.has(viewOf(generation))) {
        yield;
        continue;
      }
      const checkpoint = this.#ownPosition(generation, segment);
      yield;
      const page = this.#readPage(checkpoint, 1 + this.#random.below(5));
      yield;
      if (page.length === 0) {
        yield;
        continue;
      }
      const reached = yield* this.#foldPage(
        generation,
        page,
        knowsNewer(),
        (document) => hash(document, segments) === segment,
      );
      if (reached === null || reached <= checkpoint) continue;
      yield;
      if (this.#ownPosition(generation, segment) === checkpoint && !this.#dropped.has(generation))
        this.#advanceOwn(generation, segment, reached);
    }
  }

  // Membership

  /**
   * Raises the own checkpoints to the lowest partition, then swaps the layout: a crash between leaves true own
   * checkpoints and a member.
   */
  *#leave(generation: Generation, ownTo: number | null = null): Steps {
    const layout = this.#layout;
    yield;
    if (!layout.members.includes(generation)) return;
    const lowest = ownTo ?? this.#lowestPartition(layout);
    yield;
    for (const segment of range(this.#segments.get(generation)!)) {
      if (this.#ownPosition(generation, segment) < lowest && !this.#dropped.has(generation))
        this.#advanceOwn(generation, segment, lowest);
      if (this.#random.chance(0.5)) yield;
    }
    const starts = this.#partitionPositions(layout);
    yield;
    const members = layout.members.filter((member) => member !== generation);
    if (this.#swapLayout(layout, { members, starts })) this.#tried.leaves++;
  }

  /**
   * Reads the layout, the partitions, then the own checkpoints; one swap writes the member and, as each partition's
   * start, the lower of the partition and the lowest own checkpoint.
   */
  *#join(generation: Generation): Steps {
    const layout = this.#layout;
    yield;
    if (layout.members.includes(generation) || this.#dropped.has(generation)) return;
    const positions: number[] = [];
    for (const partition of range(layout.partitions)) {
      positions.push(this.#partitionPosition(layout, partition));
      if (this.#random.chance(0.3)) yield;
    }
    yield;
    const lowest = this.#lowestOwn(generation);
    yield;
    const isFirst = layout.members.length === 0;
    // The first member waits for no other; any further one has to be close, or the others would fold again from afar.
    if (!isFirst && lowest < Math.max(...positions) - 1) return;
    let starts = positions.map((position) => (isFirst ? lowest : Math.min(position, lowest)));
    if (this.#mutation === 'join at the checkpoint') starts = positions;
    if (this.#mutation === 'starts after swap') {
      const later = this.#lowestPartition(layout);
      yield;
      starts = positions.map(() => Math.max(later, lowest));
    }
    if (this.#swapLayout(layout, { members: [...layout.members, generation], starts })) this.#tried.joins++;
  }

  /** Changes the number of partitions: all start at the lowest position. */
  *#repartition(): Steps {
    const layout = this.#layout;
    yield;
    const lowest = this.#lowestPartition(layout);
    yield;
    const partitions = 1 + this.#random.below(PARTITIONS);
    this.#swapLayout(layout, { partitions, starts: range(partitions).map(() => lowest) });
  }

  *#conductor(): Steps {
    for (;;) {
      yield;
      const view = this.#pick(VIEWS);
      const pointer = this.#pointers.get(view)!;
      yield;
      const layout = this.#layout;
      yield;
      if (!layout.members.includes(pointer.live) && !this.#paused.has(view)) yield* this.#join(pointer.live);
      else if (this.#chaos) yield* this.#intervene(view, pointer, layout);
    }
  }

  /** What operators ask for, at random: a rebuild and its promotion most often. */
  *#intervene(view: number, pointer: Pointer, layout: Layout): Steps {
    const { next, former } = pointer;
    if (next !== null && this.#random.chance(0.6)) {
      yield* this.#promote(view, pointer, layout, next);
      return;
    }
    const choice = next === null && this.#random.chance(0.3) ? 3 : this.#random.below(9);
    if (choice === 0) yield* this.#pause(view, pointer);
    else if (choice === 1) this.#paused.delete(view);
    else if (choice === 2) yield* this.#repartition();
    else if (choice === 3 && next === null)
      this.#swapPointer(view, pointer, { next: this.#startBuild(view), freeze: null });
    else if (choice === 4 && former !== null) yield* this.#dropFormer(view, pointer, former);
    else if ((choice === 5 || choice === 6) && next !== null)
      yield* this.#promote(view, pointer, layout, next);
    else if (choice === 7 && former !== null) yield* this.#promote(view, pointer, layout, former);
  }

  *#pause(view: number, { live, former }: Pointer): Steps {
    this.#paused.add(view);
    yield;
    yield* this.#leave(live);
    if (former !== null) yield* this.#leave(former);
  }

  /** A generation that is being built stands apart: own workers feed it, some with newer code. */
  #startBuild(view: number): Generation {
    const generation = this.#createGeneration(view);
    for (const segment of range(this.#segments.get(generation)!)) {
      this.#advanceOwn(generation, segment, 0);
      this.#start(() =>
        this.#segmentWorker(generation, segment, () => this.#random.chance(0.3) || this.#upgraded),
      );
    }
    return generation;
  }

  /** Leaves, changes the pointer, waits for the sweep, then drops. */
  *#dropFormer(view: number, pointer: Pointer, former: Generation): Steps {
    yield* this.#leave(former);
    yield;
    if (this.#layout.members.includes(former)) return;
    const freeze = pointer.freeze?.to === former ? null : pointer.freeze;
    if (this.#swapPointer(view, pointer, { former: null, freeze }) === null) return;
    yield* this.#waitForSweep();
    this.#drop(former);
  }

  *#waitForSweep(): Steps {
    for (let steps = this.#random.below(30); steps > 0; steps--) yield;
  }

  #drop(generation: Generation): void {
    this.#dropped.add(generation);
    for (const key of this.#ownCheckpoints.keys())
      if (key.startsWith(`${generation}/`)) this.#ownCheckpoints.delete(key);
  }

  /**
   * Promotes the next generation, or rolls back to the former one: freezes what readers show, waits until the generation
   * has reached the barrier, then swaps the pointer. It joins afterwards.
   */
  *#promote(view: number, pointer: Pointer, layout: Layout, to: Generation): Steps {
    if (pointer.freeze !== null || this.#positionOf(to, layout, null) < this.#head - 2) return;
    const frozen = this.#swapPointer(view, pointer, { freeze: { to, barrier: null } });
    if (frozen === null) return;
    yield;
    const barrier = this.#head;
    yield;
    const barred = this.#swapPointer(view, frozen, { freeze: { to, barrier } });
    if (barred === null) return;
    yield;
    let reached = false;
    for (let looks = 0; looks < 40 && !reached; looks++) {
      const current = this.#layout;
      yield;
      reached = this.#positionOf(to, current, null) >= barrier;
      yield;
    }
    if (!reached) {
      this.#swapPointer(view, barred, { freeze: null });
      return;
    }
    const promoted = this.#swapPointer(view, barred, {
      live: to,
      former: pointer.live,
      next: to === pointer.next ? null : pointer.next,
      freeze: null,
      turn: pointer.turn + 1,
    });
    if (promoted === null) return;
    this.#tried.promotions++;
    if (to !== pointer.next || pointer.former === null) return;
    yield* this.#leave(pointer.former);
    yield* this.#waitForSweep();
    if (!this.#layout.members.includes(pointer.former)) this.#drop(pointer.former);
  }

  // Repairs and reads

  /** Folds parked documents again from their events. */
  *#repairer(): Steps {
    for (;;) {
      yield;
      const keys = [...this.#documents.keys()];
      if (keys.length === 0) continue;
      const [generation, document] = splitKey(this.#pick(keys));
      const was = this.#latest(generation, document)!;
      yield;
      if (was.parkedAt === null) continue;
      const events = this.#eventsOf(generation, document, was.position);
      const next = this.#fold(generation, null, events);
      yield;
      const current = this.#latest(generation, document)!;
      if (next !== null && current.position === was.position && current.repairs === was.repairs)
        this.#append(generation, document, { ...next, repairs: was.repairs + 1 });
    }
  }

  /** Reads one document of a view with a token, and never less than an earlier read showed. */
  *#reader(): Steps {
    /** What it knows of the layout may be old. */
    let cached = this.#layout;
    for (;;) {
      yield;
      const view = this.#pick(VIEWS);
      const document = this.#random.below(DOCUMENTS.length);
      const token = this.#random.chance(0.5) ? 0 : this.#random.below(this.#head + 1);
      const shownBefore = this.#shown.get(`${view}/${document}`) ?? 0;
      for (let attempt = 0; attempt < 30; attempt++) {
        const { live, turn } = this.#pointers.get(view)!;
        yield;
        if (this.#random.chance(0.6)) {
          cached = this.#layout;
          yield;
        }
        const reached = this.#positionOf(live, cached, document) >= token;
        yield;
        const position = this.#latest(live, document)?.position ?? 0;
        yield;
        // The pointer is read again after the document: a promotion may have come between.
        const now = this.#pointers.get(view)!;
        if (now.turn !== turn) continue;
        const tooEarly = !reached && position < token;
        const frozen = now.freeze !== null && position > (now.freeze.barrier ?? 0);
        if (tooEarly || frozen) {
          yield;
          continue;
        }
        if (this.#dropped.has(live)) continue;
        this.#show(live, document, position, token, shownBefore);
        break;
      }
    }
  }

  /** @throws {Violation} if a read shows less than its token, or less than an earlier read */
  #show(
    generation: Generation,
    document: number,
    position: number,
    token: number,
    shownBefore: number,
  ): void {
    const key = `${viewOf(generation)}/${document}`;
    if (position < this.#lastHandled(generation, document, token))
      throw new Violation(`a read of ${generation}/${document} with token ${token} showed ${position}`);
    if (position < shownBefore)
      throw new Violation(`a read of ${generation}/${document} went back from ${shownBefore} to ${position}`);
    this.#shown.set(key, Math.max(this.#shown.get(key) ?? 0, position));
    this.#tried.reads++;
  }
}
