import { formerViews, views } from '../../../projections/index.js';
import { folds, lowest, positionsOf } from '../../engine/generations.js';
import type { Generation } from '../../stores/read-store.js';
import type { Engine } from '../engine.js';
import type { Screen } from '../output/screen.js';
import { amountOf, foldedBy, type Stage, stageOf } from './building.js';
import { inTheWayOf } from './in-the-way.js';
import type { Watched } from './watch.js';

const STILL_MS = 2_000;
const NONE: ReadonlySet<string> = new Set();

/** How far operations are, on the screen: a sentence where one comes to something new, a bar for what is built. */
export class StagesShown {
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
      if (paused.has(view)) this.#sayOnce(`${id} paused`, `"${view}" is paused: nothing of it is folded.`);
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
