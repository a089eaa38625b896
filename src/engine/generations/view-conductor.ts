import type { EventStore } from '../../core/event-store.js';
import { GenerationUnusable } from '../../stores/errors.js';
import type { Generation, Pointer, ReadStore } from '../../stores/read-store.js';
import { pause } from '../../core/backoff.js';
import { lowest, newGeneration, positionsOf, sweep, SWEEP_AFTER_MS } from './generations.js';
import type { EngineLog } from '../log.js';
import { nextStep, type Step, isGraceOver, situationOf } from './next-step.js';
import type { Ending, Operation, Operations, OperatorIntent } from './operations.js';
import { incompleteStreams } from '../live/beginnings.js';
import { progressOf } from '../live/progress.js';
import { building, givenUp, isMoving, nextIs, thawed, withoutFormer } from './pointer.js';
import { promote, type Comparing } from './promotion.js';
import type { Timekeeper } from '../trusted-clock.js';
import type { AnyView } from '../view.js';

/** What a conductor has done to documents and with generations, for it knows none of their code. */
export interface DocumentWork {
  comparing(view: AnyView, live: Generation, next: Generation, signal: AbortSignal): Comparing;
  /** @throws whatever keeps it from being done at all */
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
  readonly versions: readonly [AnyView, ...AnyView[]];
  readonly operations: Operations;
  readonly work: DocumentWork;
  readonly log: EngineLog;
  /** Of new generations, unless the operation names another number. */
  readonly segments: number;
  readonly automatic: boolean;
  /** How long a former generation is kept to go back to, in milliseconds. */
  readonly graceMs: number;
  /** Milliseconds of the epoch, by this process's clock. */
  readonly now?: () => number;
  /** Whether that clock is believed where a former generation is let go by it. Default: always. */
  readonly timekeeper?: Timekeeper;
}

/** A generation that has not moved for this long is not fed, in milliseconds. */
const STALLED_MS = 10_000;

/** A promotion freezes readers for less. */
const STUCK_MS = 1_000;

/** `stepped`: something has changed, so that the next step may follow at once. `waiting`: something is under way. */
type Outcome = 'stepped' | 'waiting' | 'idle';

/** Takes one view from step to step. One call at a time; what a call did is seen from the stores by the next. */
export class ViewConductor {
  readonly #options: ViewConductorOptions;
  readonly #now: () => number;
  /** Where the segments of what is being built stood, and since when. */
  #watched: { readonly generation: string; readonly positions: string; readonly since: number } | null = null;

  /** The last turn that was written down for operators. */
  #told = 0;
  #frozen: { readonly revision: number; readonly since: number } | null = null;

  constructor(options: ViewConductorOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  get name(): string {
    return this.#options.versions[0].name;
  }

  /**
   * Does the next step. Throws what the stores throw: the same call again is then right.
   * @param intent as of a while ago: whether there is anything to do
   */
  async step(intent: OperatorIntent, signal: AbortSignal): Promise<Outcome> {
    const { readStore, operations, versions, automatic } = this.#options;
    const pointer = await readStore.pointers.get(this.name);
    if (pointer === null) return 'waiting';
    await this.#tell(pointer);
    const watched = {
      stalled: await this.#isStalled(pointer),
      stuck: this.#isStuck(pointer),
      graceOver: await this.#isGraceOver(pointer),
    };
    const stepFor = (wanted: OperatorIntent): Step =>
      nextStep(situationOf({ versions, pointer, intent: wanted, automatic, ...watched }));
    if (stepFor(intent).kind === 'nothing') return isMoving(pointer) ? 'waiting' : 'idle';
    // Asked behind the pointer: what has ended before is never begun again.
    return await this.#carryOut(stepFor(await operations.look()), pointer, signal);
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
            isBuilt(step.ending) ? this.#withIncomplete(step.ending) : step.ending,
          );
        return 'stepped';
      case 'build':
        return await this.#build(step, pointer);
      case 'resume': {
        const { next } = pointer;
        const resumed = next && nextIs(pointer, next.generation.name, { failure: null });
        return resumed === null ? 'waiting' : await this.#swap(pointer, resumed);
      }
      case 'give up':
        return await this.#remove(givenUp(pointer), pointer);
      case 'let go':
        return await this.#remove(withoutFormer(pointer), pointer);
      case 'thaw':
        return await this.#swap(pointer, thawed(pointer));
      case 'promote':
        return await this.#promote(step, pointer, signal);
      case 'refold':
        return await this.#refold(step.operation, pointer, signal);
    }
  }

  /** What was built from a log that lacks beginnings of streams lacks what they held. */
  #withIncomplete(ending: Ending): Ending {
    const missing = incompleteStreams(progressOf(this.#options.readStore).incomplete);
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

  /** Ready is what has passed where the log ended a moment ago. */
  async #await({ next, ...pointer }: Pointer, signal: AbortSignal): Promise<Outcome> {
    if (next === null) return 'waiting';
    const { eventStore, readStore } = this.#options;
    const head = await eventStore.head();
    for (let looks = 0; looks < 4 && !signal.aborted; looks++) {
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
    // What other code folded differs by intent.
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
        // A rebuild goes on and is tried again; the operation that asked for this very promotion ends with it.
        if (to === 'next' && pointer.next?.operation === operation) return 'waiting';
        return await this.#refused(
          to,
          operation,
          `${generation.name} of "${view.name}" does not come to the end of the log; see \`assay projections status ${view.name}\`.`,
        );
    }
  }

  /** What was built stays, held, until an operator has looked at it. */
  async #refused(to: 'next' | 'former', operation: string | null, message: string): Promise<Outcome> {
    const { readStore, operations } = this.#options;
    // Told first: a rebuild that is held already would end as done.
    const ending = this.#withIncomplete({ result: 'failed', message, details: {} });
    if (operation !== null) await operations.end(operation, ending);
    const pointer = await readStore.pointers.get(this.name);
    const next = to === 'next' ? pointer?.next : null;
    const held = pointer && next && nextIs(pointer, next.generation.name, { hold: true });
    if (pointer != null && held != null) await this.#swap(pointer, held);
    return 'stepped';
  }

  /** In every generation that readers may come to see. */
  async #refold(
    operation: Extract<Operation, { kind: 'refold' }>,
    { live, former }: Pointer,
    signal: AbortSignal,
  ): Promise<Outcome> {
    const { operations, versions, work } = this.#options;
    const endings: Ending[] = [];
    for (const generation of [live, ...(former === null ? [] : [former.generation])]) {
      const view = versions.find((version) => version.version === generation.version);
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

  /** From the pointer, not from the swap: the process that swapped may have died before it was recorded. */
  async #tell({ live, former, turn, operation }: Pointer): Promise<void> {
    if (former === null || turn === this.#told) return;
    const [from, to] = [former.generation.name, live.name];
    await this.#options.operations.promoted({ view: this.name, from, to, operation });
    this.#told = turn;
  }

  async #isGraceOver(pointer: Pointer): Promise<boolean> {
    const { graceMs, timekeeper } = this.#options;
    if (!isGraceOver(pointer, graceMs, this.#now())) return false;
    return timekeeper === undefined || (await timekeeper.now('end')) !== null;
  }

  #isStuck({ freeze, revision }: Pointer): boolean {
    if (freeze === null) this.#frozen = null;
    else if (this.#frozen?.revision !== revision) this.#frozen = { revision, since: performance.now() };
    return this.#frozen !== null && performance.now() - this.#frozen.since >= STUCK_MS;
  }

  /** By this process's own clock: no other's is compared. */
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
    // A ready generation does not move while no event comes.
    return !next.ready || lowest(current) < (await eventStore.head());
  }
}

/** Whether it is about a generation that was built. */
const isBuilt = ({ result, details }: Ending): boolean => result === 'done' && 'generation' in details;

const differs = (view: string, { name }: Generation, difference: string): string =>
  `${name} differs from the live generation: ${difference} It is held: see \`assay projections diff ${view}\`, then ` +
  'promote it with --accept-differences, or cancel it.';

const unknownVersion = (view: string, { name, version }: Generation): Ending => ({
  result: 'failed',
  message: `No running code folds ${name} of "${view}" (version ${version}).`,
  details: {},
});
