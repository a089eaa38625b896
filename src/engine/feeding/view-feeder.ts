import { longLived } from '../../core/signals.js';
import type {
  BuildFailure,
  Generation,
  GenerationName,
  Pointer,
  ReadStore,
} from '../../stores/read-store.js';
import { reasonOf } from '../errors.js';
import { checkpointNames, collectionOf, folds } from '../generations/generations.js';
import { nextIs } from '../generations/pointer.js';
import { foldCountsOf, progressOf } from '../live/progress.js';
import { builderLeaseName, type FoldRules } from '../segments.js';
import type { AnyView } from '../view.js';
import { type Role, SegmentLoop, type SegmentLoopOptions } from './segment-loop.js';
import type { SegmentStatus } from './segment-report.js';

export interface ViewFeederOptions extends Pick<
  SegmentLoopOptions,
  'feed' | 'leases' | 'sealer' | 'log' | 'backoff'
> {
  readonly readStore: ReadStore;
  /** The current version of the view, and former ones that may still fold a generation. */
  readonly versions: readonly AnyView[];
  readonly feeds: Feeds;
}

/**
 * Which generations of a view a process feeds. `building`: the one that is being built, also after its promotion.
 * `serving`: the others, and that one once it is ready, while another process builds it: so the build does not slow
 * down the requests that this process answers. `all`: every one.
 */
export type Feeds = 'all' | 'serving' | 'building';

interface Fed extends Stage {
  readonly generation: Generation;
  readonly loops: readonly SegmentLoop[];
  readonly abort: AbortController;
  readonly running: Promise<unknown>;
}

/** A generation's role in the pointer, and its rules by operators' intent. It changes in place, while the loops run. */
interface Stage {
  role: Role;
  readonly rules: { -readonly [Name in keyof FoldRules]: FoldRules[Name] };
}

/** Feeds those generations of one view that its pointer names and this process's code folds. */
export class ViewFeeder {
  readonly #options: ViewFeederOptions;
  readonly #fed = new Map<GenerationName, Fed>();
  readonly #leaving = new Map<GenerationName, Promise<void>>();

  constructor(options: ViewFeederOptions) {
    this.#options = options;
  }

  /** The status of every segment that is fed here. */
  status(): readonly SegmentStatus[] {
    return [...this.#fed.values()].flatMap(({ loops }) => loops.map(({ status }) => status));
  }

  /** The names of the leases that this process tries to get, the live generation's first. */
  leases(): readonly string[] {
    const order: readonly Role[] = ['live', 'next', 'former'];
    return [...this.#fed.values()]
      .sort((a, b) => order.indexOf(a.role) - order.indexOf(b.role))
      .flatMap(({ generation }) => checkpointNames(generation).map((name) => this.#leaseOf(name)));
  }

  /**
   * Starts loops of generations that the pointer names, and stops the others. Called with what each poll has found.
   * @param pointer `null`: the view is paused, nothing is fed
   * @param skipped ids of the view's events that operators have skipped
   */
  follow(pointer: Pointer | null, skipped: ReadonlySet<string>): void {
    const wanted = pointer === null ? [] : this.#wanted(pointer);
    for (const [name, fed] of this.#fed) {
      const still = wanted.find(({ generation }) => generation.name === name);
      if (still === undefined) this.#leave(fed);
      else fed.role = still.role;
      Object.assign(fed.rules, rulesOf(fed.role, skipped));
    }
    for (const { generation, role, view } of wanted) {
      const { name } = generation;
      // Its leases are still being released: it is started at the next poll.
      if (this.#fed.has(name) || this.#leaving.has(name)) continue;
      this.#fed.set(name, this.#feed(view, generation, role, skipped));
    }
  }

  /** Ends after the current passes, and releases the leases. */
  async stop(): Promise<void> {
    for (const fed of this.#fed.values()) this.#leave(fed);
    await Promise.all(this.#leaving.values());
  }

  #leaseOf(segment: string): string {
    return this.#options.feeds === 'building' ? builderLeaseName(segment) : segment;
  }

  #wanted({ live, next, former }: Pointer) {
    const { versions, feeds } = this.#options;
    const named: readonly { readonly generation: Generation | undefined; readonly role: Role }[] = [
      { generation: live, role: 'live' },
      { generation: next?.failure === null ? next.generation : undefined, role: 'next' },
      { generation: former?.generation, role: 'former' },
    ];
    return named.flatMap(({ generation, role }) => {
      const view = generation && versions.find((version) => folds(version, generation));
      if (generation === undefined || view === undefined) return [];
      // The builder feeds a generation on after its promotion: a serving process may not have taken it yet.
      const built = role === 'next' || this.#fed.has(generation.name);
      const wanted = feeds === 'building' ? built : role !== 'next' || next?.ready === true;
      return feeds === 'all' || wanted ? [{ generation, role, view }] : [];
    });
  }

  #feed(view: AnyView, generation: Generation, role: Role, skipped: ReadonlySet<string>): Fed {
    const { readStore, ...common } = this.#options;
    const abort = longLived();
    const handled = new Set(view.handles);
    const collection = collectionOf(readStore, view, generation);
    const names = checkpointNames(generation);
    const stage: Stage = { role, rules: rulesOf(role, skipped) };
    const { rules } = stage;
    const loops = names.map(
      (name, index) =>
        new SegmentLoop({
          ...common,
          checkpoints: readStore.checkpoints,
          progress: progressOf(readStore),
          counts: foldCountsOf(readStore),
          generation: generation.name,
          segment: { view, handled, collection, name, index, count: names.length, rules },
          lease: this.#leaseOf(name),
          stage,
          onFailure: (failure) => void this.#recordFailure(view, generation, failure),
        }),
    );
    const running = Promise.all(loops.map((loop) => loop.run(abort.signal)));
    return Object.assign(stage, { generation, loops, abort, running });
  }

  /** Records why a rebuild has stopped. If several processes record a failure, the first one is kept. */
  async #recordFailure(view: AnyView, { name }: Generation, failure: BuildFailure): Promise<void> {
    const { pointers } = this.#options.readStore;
    try {
      for (;;) {
        const pointer = await pointers.get(view.name);
        const updated = pointer && nextIs(pointer, name, { failure });
        if (pointer === null || updated === null || pointer.next?.failure != null) break;
        if (await pointers.swap(view.name, pointer.revision, updated)) break;
      }
    } catch (error) {
      const fields = { view: view.name, reason: reasonOf(error) };
      this.#options.log.warn(
        fields,
        'The reason why a rebuild stopped could not be recorded; this is tried again.',
      );
    }
    // An operator may remove the failure before the next poll. A new loop starts from its checkpoint.
    const fed = this.#fed.get(name);
    if (fed !== undefined) this.#leave(fed);
  }

  #leave(fed: Fed): void {
    const { name } = fed.generation;
    this.#fed.delete(name);
    fed.abort.abort();
    const left = fed.running
      .then(() => Promise.all(fed.loops.map((loop) => loop.leave())))
      .then(() => undefined)
      .finally(() => this.#leaving.delete(name));
    this.#leaving.set(name, left);
  }
}

/** A generation that is being built has no gaps. */
const rulesOf = (role: Role, skipped: ReadonlySet<string>): FoldRules => ({
  strict: role === 'next',
  skipped,
});
