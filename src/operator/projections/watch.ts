import { setTimeout as sleep } from 'node:timers/promises';
import { Unavailable } from '../../core/errors.js';
import type { Position } from '../../core/event-store.js';
import type { Details, OperationResult } from '../../domain/operations/events.js';
import type { OperationKind } from '../../domain/operations/operations.js';
import { lowest, positionsOf } from '../../engine/generations/generations.js';
import type { Generation, Pointer } from '../../stores/read-store.js';
import type { Screen } from '../cli/output.js';
import { OperatorError } from '../cli/program.js';
import { amountOf, type Engine, meanAmountOf } from '../cli/stores.js';
import { LocalBuildWorker, Projectors } from './own-work.js';
import { blockedBy, codeOf } from './views.js';

/** An operation whose progress is printed. */
export interface Watched {
  readonly id: string;
  readonly view: string;
  readonly kind: OperationKind;
}

/** The outcome of an operation that was watched. */
export interface Outcome {
  readonly operation: string;
  readonly view: string;
  readonly kind: OperationKind;
  /** `open`: the watch ended first. */
  readonly result: OperationResult | 'open';
  readonly message: string;
  readonly details: Details;
}

interface Watching {
  readonly outcomes: readonly Outcome[];
  /** Whether this process does the work, so that open operations stop with it. */
  readonly alone: boolean;
}

const POLL_MS = 250;
/** How long stores may not answer before the watch ends. */
const ANSWER_TIMEOUT_MS = 60_000;

/**
 * Waits for the ends of operations and prints their progress. If no projector is running, it does the work itself.
 * @param signal ends the watch; open operations stay open
 * @throws {OperatorError} the stores do not answer for a minute
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

  const refresh = async (): Promise<void> => {
    // The state first, so that no ended operation is shown as open.
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
      buildWorker.begin();
    }
    buildWorker.assertNotInVain();
    await shown.refresh(open(), state.paused);
  };

  let answeredAt = performance.now();
  try {
    while (!signal.aborted) {
      try {
        await refresh();
        answeredAt = performance.now();
      } catch (error) {
        if (!(error instanceof Unavailable)) throw error;
        if (performance.now() - answeredAt > ANSWER_TIMEOUT_MS)
          throw new OperatorError(`${error.message} The request stays open.`, { cause: error });
      }
      if (open().length === 0) break;
      await sleep(POLL_MS, undefined, { signal }).catch(() => undefined);
    }
  } finally {
    shown.end();
    await buildWorker.stop();
  }
  const still = (one: Watched): Outcome => ({
    ...{ operation: one.id, view: one.view, kind: one.kind },
    ...{ result: 'open', message: 'Still open.', details: {} },
  });
  return { outcomes: operations.map((one) => ended.get(one.id) ?? still(one)), alone: buildWorker.begun };
};

/** The state of an operation, by the view's pointer. */
interface Stage {
  /** For the screen; `null`: no process has begun it. */
  readonly sentence: string | null;
  /** The generation that is being built for it. */
  readonly building: Generation | null;
}

const stageOf = (pointer: Pointer | null, operation: string): Stage => {
  if (pointer === null) return WAITING;
  const { live, next, freeze } = pointer;
  if (freeze) return { sentence: `Switching readers from ${live.name} to ${freeze.to}.`, building: null };
  if (next?.operation !== operation) return WAITING;
  const { generation, ready } = next;
  return ready
    ? { sentence: `${generation.name} has caught up with the log.`, building: null }
    : { sentence: `Building ${generation.name} beside ${live.name}, which is live.`, building: generation };
};

const WAITING: Stage = { sentence: null, building: null };

/** Longer than a page takes to fold. */
const STALLED_AFTER_MS = 2_000;
const NONE: ReadonlySet<string> = new Set();

/** Prints the progress of operations: a sentence for each new stage, and a bar for the generations being built. */
class StagesShown {
  readonly #engine: Engine;
  readonly #screen: Screen;
  readonly #printed = new Map<string, string>();
  /** How much of the log a generation has folded, and since when. */
  readonly #folded = new Map<string, { readonly folded: number; readonly since: number }>();
  /** The bar's label; '': there is none. */
  #bar = '';

  constructor(engine: Engine, screen: Screen) {
    this.#engine = engine;
    this.#screen = screen;
  }

  say(line: string): void {
    this.#endBar();
    this.#screen.say(line);
  }

  async refresh(operations: readonly Watched[], paused: ReadonlySet<string>): Promise<void> {
    const { stores, unit } = this.#engine;
    const { eventStore, readStore } = stores;
    const total = amountOf(eventStore, await eventStore.head());
    const names: string[] = [];
    let done = 0;
    for (const { id, view } of operations) {
      const { sentence, building } = stageOf(await readStore.pointers.get(view), id);
      if (paused.has(view)) this.#sayOnce(`${id} paused`, `"${view}" is paused: it is not updated.`);
      this.#sayOnce(id, sentence);
      if (building === null) continue;
      names.push(building.name);
      const positions = await positionsOf(readStore, building);
      const folded = meanAmountOf(eventStore, positions);
      done += folded;
      if (folded < total && this.#isStalled(building.name, folded))
        this.#sayOnce(`${id} blocked`, await this.#blockedBy(building, view, lowest(positions)));
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
    this.#screen.progress.update(done, total * names.length);
  }

  #isStalled(generation: string, folded: number): boolean {
    const now = performance.now();
    const former = this.#folded.get(generation);
    if (former?.folded !== folded) this.#folded.set(generation, { folded, since: now });
    else if (now - former.since >= STALLED_AFTER_MS) return true;
    return false;
  }

  async #blockedBy(generation: Generation, view: string, position: Position): Promise<string | null> {
    const { stores, requests } = this.#engine;
    const code = codeOf(view, generation);
    if (code === null) return null;
    const { skipped } = await requests.state();
    const sentence = await blockedBy(stores, code, position, skipped.get(view) ?? NONE);
    return sentence && `${generation.name} is blocked. ${sentence}`;
  }

  end(): void {
    this.#endBar();
  }

  #sayOnce(of: string, sentence: string | null): void {
    if (sentence === null || this.#printed.get(of) === sentence) return;
    this.#printed.set(of, sentence);
    this.say(sentence);
  }

  #endBar(): void {
    if (this.#bar !== '') this.#screen.progress.end();
    this.#bar = '';
  }
}
