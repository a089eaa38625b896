import { setTimeout as sleep } from 'node:timers/promises';
import { StoreUnavailable } from '../../core/errors.js';
import { ReadStoreUnavailable } from '../../stores/errors.js';
import type { OperationKind } from '../../domain/operations/operations.js';
import { amountOf, type Engine } from '../cli/stores.js';
import type { Details, OperationResult } from '../../domain/operations/events.js';
import type { Screen } from '../cli/output.js';
import { OperatorError } from '../cli/program.js';
import { LocalBuildWorker, Projectors } from './own-work.js';
import { type EventStore, START } from '../../core/event-store.js';
import { checkpointNames, folds, lowest, positionsOf } from '../../engine/generations.js';
import type { Generation, Pointer, ReadStore } from '../../stores/read-store.js';
import { formerViews, views } from '../../../projections/index.js';
import { inTheWayOf } from './views.js';

export interface Watched {
  readonly id: string;
  readonly view: string;
  readonly kind: OperationKind;
}

/** What came of an operation that was watched. */
export interface Outcome {
  readonly operation: string;
  readonly view: string;
  readonly kind: OperationKind;
  /** `open`: the watch ended before it. */
  readonly result: OperationResult | 'open';
  readonly message: string;
  readonly details: Details;
}

interface Watching {
  readonly outcomes: readonly Outcome[];
  /** This process itself did the work, so that nobody goes on with what is open. */
  readonly alone: boolean;
}

const LOOK_MS = 250;
/** Stores that are away for longer end the watch. */
const PATIENCE_MS = 60_000;

/**
 * Waits for the ends of operations and shows how far they are. Where no process feeds views it does the work itself.
 * What is open goes on, or is taken up again, when the watch is ended by the signal.
 * @throws {OperatorError} the stores are away for long
 */
export const watch = async (
  engine: Engine,
  operations: readonly Watched[],
  screen: Screen,
  signal: AbortSignal,
): Promise<Watching> => {
  const { requests, stores } = engine;
  const projectors = new Projectors(stores.readStore.leases);
  const buildWorker = new LocalBuildWorker(engine, (line) => shown.say(line));
  const shown = new StagesShown(engine, screen);
  const ended = new Map<string, Outcome>();
  const open = (): readonly Watched[] => operations.filter(({ id }) => !ended.has(id));

  const look = async (): Promise<void> => {
    // The state first: whatever has ended by then is not shown as going on.
    const state = await requests.state();
    for (const { id, kind } of open()) {
      if (state.open.has(id)) continue;
      const outcome = await requests.outcome(id);
      if (outcome !== null) ended.set(id, { ...outcome, kind });
    }
    if (open().length === 0) return;
    if (!buildWorker.begun && !(await projectors.areAlive())) {
      shown.say(
        'No projector is running: this command does the work itself. Keep it running until it is done.',
      );
      buildWorker.keepUp();
    }
    if (buildWorker.begun) buildWorker.keepUp();
    await shown.look(open(), state.paused);
  };

  let answeredAt = performance.now();
  try {
    while (!signal.aborted) {
      try {
        await look();
        answeredAt = performance.now();
      } catch (error) {
        if (!(error instanceof StoreUnavailable || error instanceof ReadStoreUnavailable)) throw error;
        if (performance.now() - answeredAt > PATIENCE_MS)
          throw new OperatorError(`${error.message} The request stays open.`, { cause: error });
      }
      if (open().length === 0) break;
      await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined);
    }
  } finally {
    shown.end();
    await buildWorker.stop();
  }
  const still = (one: Watched): Outcome => ({
    ...{ operation: one.id, view: one.view, kind: one.kind },
    ...{ result: 'open', message: 'It goes on.', details: {} },
  });
  return { outcomes: operations.map((one) => ended.get(one.id) ?? still(one)), alone: buildWorker.begun };
};

/** How far what an operation asked for has come, by the view's pointer. */
interface Stage {
  /** `waiting`: nobody has taken it up yet; `ready`: at the log's end, compared or held; `switching`: about to serve. */
  readonly phase: 'waiting' | 'building' | 'ready' | 'switching';
  readonly pointer: Pointer | null;
  /** The generation that is built for it, or is about to serve. */
  readonly generation: Generation | null;
}

/** @param operation a rebuild's, or a promotion's or rollback's, for which nothing is built */
const stageOf = (pointer: Pointer | null, operation: string): Stage => {
  const next = pointer?.next ?? null;
  const to = pointer?.freeze?.to ?? null;
  if (pointer !== null && to !== null) {
    const frozen = [next?.generation, pointer.former?.generation].find((one) => one?.name === to);
    return { phase: 'switching', pointer, generation: frozen ?? null };
  }
  if (next === null || next.operation !== operation) return { phase: 'waiting', pointer, generation: null };
  return { phase: next.ready ? 'ready' : 'building', pointer, generation: next.generation };
};

interface Stores {
  readonly eventStore: EventStore;
  readonly readStore: Pick<ReadStore, 'checkpoints'>;
}

/** How much of the log a generation has folded, over its segments alike, in what the store's ordinals count. */
const foldedBy = async ({ eventStore, readStore }: Stores, generation: Generation): Promise<number> => {
  const names = checkpointNames(generation);
  const positions = await Promise.all(names.map((name) => readStore.checkpoints.get(name)));
  const folded = positions.map((position) => amountOf(eventStore, position ?? START));
  return folded.reduce((sum, one) => sum + one, 0) / names.length;
};

const STILL_MS = 2_000;
const NONE: ReadonlySet<string> = new Set();

/** How far operations are, on the screen: a sentence where one comes to something new, a bar for what is built. */
class StagesShown {
  readonly #engine: Engine;
  readonly #screen: Screen;
  readonly #said = new Map<string, string>();
  /** How much of the log a generation has folded, and since when no more. */
  readonly #folded = new Map<string, { readonly folded: number; readonly since: number }>();
  /** What the bar stands for; '': there is none. */
  #bar = '';

  constructor(engine: Engine, screen: Screen) {
    this.#engine = engine;
    this.#screen = screen;
  }

  say(line: string): void {
    this.#endBar();
    this.#screen.say(line);
  }

  async look(operations: readonly Watched[], paused: ReadonlySet<string>): Promise<void> {
    const { stores, unit } = this.#engine;
    const { eventStore, readStore } = stores;
    const total = amountOf(eventStore, await eventStore.head());
    const names: string[] = [];
    let done = 0;
    for (const operation of operations) {
      const { id, view } = operation;
      const stage = stageOf(await readStore.pointers.get(view), id);
      if (paused.has(view)) this.#sayOnce(`${id} paused`, `"${view}" is paused: it is not updated.`);
      this.#sayOnce(id, sentenceOf(operation, stage));
      if (stage.generation === null || stage.phase !== 'building') continue;
      names.push(stage.generation.name);
      const folded = await foldedBy(stores, stage.generation);
      done += folded;
      if (folded < total && this.#standsStill(stage.generation.name, folded))
        this.#sayOnce(`${id} in the way`, await this.#inTheWay(stage.generation, view));
    }
    if (names.length === 0) {
      this.#endBar();
      return;
    }
    const bar = names.length === 1 ? (names[0] ?? '') : `${names.length} views`;
    if (this.#bar !== bar) {
      this.#endBar();
      this.#screen.progress.begin(bar, total * names.length, unit);
      this.#bar = bar;
    }
    this.#screen.progress.to(done, total * names.length);
  }

  /** For long enough that a page at work is not taken for it. */
  #standsStill(generation: string, folded: number): boolean {
    const now = performance.now();
    const former = this.#folded.get(generation);
    if (former?.folded !== folded) this.#folded.set(generation, { folded, since: now });
    else if (now - former.since >= STILL_MS) return true;
    return false;
  }

  async #inTheWay(generation: Generation, view: string): Promise<string | null> {
    const { stores, requests } = this.#engine;
    const code = [...views, ...formerViews].find((one) => one.name === view && folds(one, generation));
    if (code === undefined) return null;
    const { skipped } = await requests.state();
    const position = lowest(await positionsOf(stores.readStore, generation));
    const sentence = await inTheWayOf(stores, code, position, skipped.get(view) ?? NONE);
    return sentence && `${generation.name} of "${view}" does not go on. ${sentence}`;
  }

  end(): void {
    this.#endBar();
  }

  #sayOnce(of: string, sentence: string | null): void {
    if (sentence === null || this.#said.get(of) === sentence) return;
    this.#said.set(of, sentence);
    this.say(sentence);
  }

  #endBar(): void {
    if (this.#bar !== '') this.#screen.progress.end();
    this.#bar = '';
  }
}

/** `null`: nothing to say of it. */
const sentenceOf = ({ view }: Watched, { phase, generation, pointer }: Stage): string | null => {
  const name = generation?.name ?? '';
  const live = pointer?.live.name ?? '';
  switch (phase) {
    case 'waiting':
      return null;
    case 'building':
      return `${name} of "${view}" is built beside ${live}, which serves.`;
    case 'ready':
      return `${name} of "${view}" has come to the log’s end.`;
    case 'switching':
      return `Readers are switched from ${live} to ${name}.`;
  }
};
