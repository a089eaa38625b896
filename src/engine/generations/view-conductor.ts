import { pause } from '../../core/backoff.js';
import type { EventStore } from '../../core/event-store.js';
import { GenerationUnusable } from '../../stores/errors.js';
import type { Generation, Pointer, ReadStore } from '../../stores/read-store.js';
import { progressOf } from '../live/progress.js';
import { truncationNotice } from '../live/truncated-streams.js';
import type { EngineLog } from '../log.js';
import type { Timekeeper } from '../trusted-clock.js';
import type { AnyView } from '../view.js';
import { isFed, lowest, newGeneration, positionsOf, sweep, SWEEP_AFTER_MS } from './generations.js';
import { nextStep, type Step, isGraceOver, situationOf } from './next-step.js';
import type { Ending, Operation, Operations, OperatorIntent } from './operations.js';
import { building, withoutNext, isMoving, nextIs, thawed, withoutFormer } from './pointer.js';
import { promote, type Comparing } from './promotion.js';

/** The comparison and repair of documents that a conductor needs: `documents/` implements it. */
export interface DocumentWork {
  comparing(view: AnyView, live: Generation, next: Generation, signal: AbortSignal): Comparing;
  /** Throws what the stores throw, and an error that stops the fold of all documents. */
  refold(
    view: AnyView,
    generation: Generation,
    operation: Extract<Operation, { kind: 'refold' }>,
    signal: AbortSignal,
  ): Promise<Ending>;
}

export interface ViewConductorOptions {
  readonly eventStore: EventStore;
  readonly readStore: ReadStore;
  /** The view as this process's code has it, then former versions of it that are still registered. */
  readonly versions: readonly [AnyView, ...AnyView[]];
  readonly operations: Operations;
  readonly work: DocumentWork;
  readonly log: EngineLog;
  /** The number of segments of new generations, unless the operation names another. */
  readonly segments: number;
  /** Whether changed code rebuilds a view without an operation. */
  readonly automatic: boolean;
  /** How long a former generation is kept for a rollback, in milliseconds. */
  readonly graceMs: number;
  /** Milliseconds of the epoch. Default: this process's clock. */
  readonly now?: () => number;
  /** Checks that clock before a former generation is dropped. Default: always. */
  readonly timekeeper?: Timekeeper;
}

/** A generation that is behind and has not moved for this long, in milliseconds, counts as not fed. */
const STALLED_MS = 10_000;

/** A freeze that lasts this long, in milliseconds, counts as left by a process that died: a promotion's is shorter. */
const STUCK_MS = 1_000;

/** `stepped`: something has changed, so that the next step may follow at once. `waiting`: something is under way. */
type Outcome = 'stepped' | 'waiting' | 'idle';

/** Does the steps of one view, one call at a time. Each step starts from the stored state. */
export class ViewConductor {
  readonly #options: ViewConductorOptions;
  readonly #now: () => number;
  /** The positions of the generation that is being built, and since when they have not changed. */
  #watched: { readonly generation: string; readonly positions: string; readonly since: number } | null = null;

  /** The last turn that was recorded for operators. */
  #recorded = 0;
  #frozen: { readonly revision: number; readonly since: number } | null = null;

  constructor(options: ViewConductorOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  get name(): string {
    return this.#options.versions[0].name;
  }

  /**
   * Does the next step, if any. Throws what the stores throw: the call may then be repeated.
   * @param intent may be old: it decides only whether the intent is read again
   */
  async step(intent: OperatorIntent, signal: AbortSignal): Promise<Outcome> {
    const { readStore, operations, versions, automatic } = this.#options;
    const pointer = await readStore.pointers.get(this.name);
    if (pointer === null) return 'waiting';
    await this.#record(pointer);
    const watched = {
      stalled: await this.#isStalled(pointer),
      stuck: this.#isStuck(pointer),
      graceOver: await this.#isGraceOver(pointer),
    };
    const stepFor = (wanted: OperatorIntent): Step =>
      nextStep(situationOf({ versions, pointer, intent: wanted, automatic, ...watched }));
    if (stepFor(intent).kind === 'nothing') return isMoving(pointer) ? 'waiting' : 'idle';
    // Read after the pointer, so that an operation that has ended is never begun again.
    return await this.#carryOut(stepFor(await operations.readIntent()), pointer, signal);
  }

  async #carryOut(step: Step, pointer: Pointer, signal: AbortSignal): Promise<Outcome> {
    const { operations } = this.#options;
    switch (step.kind) {
      case 'nothing':
        return 'waiting';
      case 'await':
        return await this.#await(pointer, signal);
      case 'end':
        for (const operation of step.operations)
          await operations.end(
            operation,
            isBuilt(step.ending) ? this.#withTruncation(step.ending) : step.ending,
          );
        return 'stepped';
      case 'build':
        return await this.#build(step, pointer);
      case 'resume': {
        const { next } = pointer;
        const resumed = next && nextIs(pointer, next.generation.name, { failure: null });
        return resumed === null ? 'waiting' : await this.#swap(pointer, resumed);
      }
      case 'drop next':
        return await this.#remove(withoutNext(pointer), pointer);
      case 'drop former':
        return await this.#remove(withoutFormer(pointer), pointer);
      case 'thaw':
        return await this.#swap(pointer, thawed(pointer));
      case 'promote':
        return await this.#promote(step, pointer, signal);
      case 'refold':
        return await this.#refold(step.operation, pointer, signal);
    }
  }

  /** Adds a warning about truncated streams: the generation lacks what they held. */
  #withTruncation(ending: Ending): Ending {
    const missing = truncationNotice(progressOf(this.#options.readStore).truncated);
    return missing === null ? ending : { ...ending, message: `${ending.message} ${missing}` };
  }

  async #swap({ revision }: Pointer, next: Pointer): Promise<Outcome> {
    await this.#options.readStore.pointers.swap(this.name, revision, next);
    return 'stepped';
  }

  async #build(
    { operation, hold, segments }: Extract<Step, { kind: 'build' }>,
    pointer: Pointer,
  ): Promise<Outcome> {
    const { versions, log } = this.#options;
    const [view] = versions;
    const generation = await newGeneration(this.#options, view, segments ?? this.#options.segments);
    log.info(
      { view: view.name, serving: pointer.live.name, generation: generation.name },
      `Rebuilding the view "${view.name}": ${pointer.live.name} stays live until ${generation.name} has caught up.`,
    );
    return await this.#swap(pointer, building(pointer, generation, { operation, hold }));
  }

  /** A generation is ready once it has passed the log's end as read at the beginning of this call. */
  async #await({ next, ...pointer }: Pointer, signal: AbortSignal): Promise<Outcome> {
    if (next === null) return 'waiting';
    const { eventStore, readStore } = this.#options;
    const head = await eventStore.head();
    for (let polls = 0; polls < 4 && !signal.aborted; polls++) {
      if (lowest(await positionsOf(readStore, next.generation)) >= head) {
        const ready = nextIs({ ...pointer, next }, next.generation.name, { ready: true });
        return ready === null ? 'waiting' : await this.#swap({ ...pointer, next }, ready);
      }
      await pause(50, signal);
    }
    return 'waiting';
  }

  async #remove(next: Pointer, pointer: Pointer): Promise<Outcome> {
    const { readStore, log } = this.#options;
    if (!(await readStore.pointers.swap(this.name, pointer.revision, next))) return 'stepped';
    await pause(SWEEP_AFTER_MS);
    const dropped = await sweep(readStore);
    if (dropped.length > 0) log.info({ dropped }, 'Generations were removed that nothing needs any more.');
    return 'stepped';
  }

  async #promote(
    { to, operation, acceptDifferences }: Extract<Step, { kind: 'promote' }>,
    pointer: Pointer,
    signal: AbortSignal,
  ): Promise<Outcome> {
    const { eventStore, readStore, versions, work, log } = this.#options;
    const [view] = versions;
    const generation = to === 'next' ? pointer.next?.generation : pointer.former?.generation;
    if (generation === undefined) return 'stepped';
    // Documents of other code differ on purpose.
    const compared = !acceptDifferences && pointer.live.fingerprint === generation.fingerprint;
    const outcome = await promote({
      eventStore,
      readStore,
      view: view.name,
      to: generation,
      operation,
      turn: pointer.turn,
      comparing: compared ? work.comparing(view, pointer.live, generation, signal) : null,
      signal,
      now: () => new Date(this.#now()).toISOString(),
    });
    switch (outcome.kind) {
      case 'again':
        return 'stepped';
      case 'promoted': {
        const from = outcome.from.name;
        log.info({ view: view.name, from, to: generation.name }, `${generation.name} is now live.`);
        return 'stepped';
      }
      case 'differs':
        return await this.#refused(to, operation, differs(view.name, generation, outcome.difference));
      case 'behind':
        // A rebuild is tried again. An operation that requests only this promotion has failed.
        if (to === 'next' && pointer.next?.operation === operation) return 'waiting';
        return await this.#refused(
          to,
          operation,
          `${generation.name} of "${view.name}" does not come to the end of the log; see \`assay projections status ${view.name}\`.`,
        );
    }
  }

  /** Holds the built generation, for an operator to decide. */
  async #refused(to: 'next' | 'former', operation: string | null, message: string): Promise<Outcome> {
    const { readStore, operations } = this.#options;
    // Ended first: a rebuild whose generation is held would end as done.
    const ending = this.#withTruncation({ result: 'failed', message, details: {} });
    if (operation !== null) await operations.end(operation, ending);
    const pointer = await readStore.pointers.get(this.name);
    const next = to === 'next' ? pointer?.next : null;
    const held = pointer && next && nextIs(pointer, next.generation.name, { hold: true });
    if (pointer != null && held != null) await this.#swap(pointer, held);
    return 'stepped';
  }

  /** Repairs documents of the live generation and of the former one, to which an operator may go back. */
  async #refold(
    operation: Extract<Operation, { kind: 'refold' }>,
    { live, former }: Pointer,
    signal: AbortSignal,
  ): Promise<Outcome> {
    const { operations, readStore, versions, work } = this.#options;
    const codeOf = (generation: Generation) =>
      versions.find((version) => version.version === generation.version);
    // A process with newer code repairs it, and ends the operation.
    if (codeOf(live) === undefined && (await isFed(readStore, live))) return 'waiting';
    const endings: Ending[] = [];
    for (const generation of [live, ...(former === null ? [] : [former.generation])]) {
      const view = codeOf(generation);
      try {
        if (view !== undefined) endings.push(await work.refold(view, generation, operation, signal));
      } catch (error) {
        if (!(error instanceof GenerationUnusable)) throw error;
        endings.unshift({ result: 'failed', message: error.message, details: {} });
      }
      if (signal.aborted) return 'stepped';
    }
    const [ending] = endings;
    await operations.end(operation.id, ending ?? unknownVersion(this.name, live));
    return 'stepped';
  }

  /**
   * Records the last promotion, as read from the pointer: the process that swapped may have died before it recorded it.
   */
  async #record({ live, former, turn, operation }: Pointer): Promise<void> {
    if (former === null || turn === this.#recorded) return;
    const [from, to] = [former.generation.name, live.name];
    await this.#options.operations.promoted({ view: this.name, from, to, operation });
    this.#recorded = turn;
  }

  async #isGraceOver(pointer: Pointer): Promise<boolean> {
    const { graceMs, timekeeper } = this.#options;
    if (!isGraceOver(pointer, graceMs, this.#now())) return false;
    return timekeeper === undefined || (await timekeeper.nowIfTrusted('end')) !== null;
  }

  #isStuck({ freeze, revision }: Pointer): boolean {
    if (freeze === null) this.#frozen = null;
    else if (this.#frozen?.revision !== revision) this.#frozen = { revision, since: performance.now() };
    return this.#frozen !== null && performance.now() - this.#frozen.since >= STUCK_MS;
  }

  /** Whether the generation that is being built is behind and has not moved, by this process's clock alone. */
  async #isStalled({ next }: Pointer): Promise<boolean> {
    if (next === null) {
      this.#watched = null;
      return false;
    }
    const generation = next.generation.name;
    const { eventStore, readStore } = this.#options;
    const current = await positionsOf(readStore, next.generation);
    const positions = current.join();
    const same = this.#watched?.generation === generation && this.#watched.positions === positions;
    if (!same) this.#watched = { generation, positions, since: performance.now() };
    if (performance.now() - (this.#watched?.since ?? Infinity) < STALLED_MS) return false;
    // A ready one at the log's end does not move while no event comes.
    return !next.ready || lowest(current) < (await eventStore.head());
  }
}

/** Whether it reports a built generation. */
const isBuilt = ({ result, details }: Ending): boolean => result === 'done' && 'generation' in details;

const differs = (view: string, { name }: Generation, difference: string): string =>
  `${name} differs from the live generation: ${difference} It is held: see \`assay projections diff ${view}\`, then ` +
  'promote it with --accept-differences, or cancel it.';

const unknownVersion = (view: string, { name, version }: Generation): Ending => ({
  result: 'failed',
  message: `No running code folds ${name} of "${view}" (version ${version}).`,
  details: {},
});
