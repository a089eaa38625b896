import { START, type LogId, type Position } from '../../core/event-store.js';
import type { Freeze, Generation, Pointer, ReadStore, ViewCollection } from '../../stores/read-store.js';
import { ReadModelBehind } from '../errors.js';
import { collectionOf } from '../generations/generations.js';
import { thawed } from '../generations/pointer.js';
import type { AnyView } from '../view.js';

/** What a view's pointer named last. */
export interface Serving {
  readonly generation: Generation;
  /** Tells this time of serving from an earlier one of the same generation. */
  readonly turn: number;
  /** Reads show nothing beyond it; `null`: everything. */
  readonly barrier: Position | null;
}

interface Handle {
  readonly collection: ViewCollection;
  readonly pointer: Pointer;
  readonly serving: Serving;
}

/** A promotion freezes reads for less; a reader that sees the same freeze for longer ends it. */
const MAX_FROZEN_MS = 1000;

/** The generations that views are read from. */
export class LiveGenerations {
  readonly #handles = new Map<string, Handle>();
  /** Freezes that reads are held up by: since when, by revision. */
  readonly #frozen = new Map<string, { readonly revision: number; readonly since: number }>();

  constructor(
    private readonly readStore: ReadStore,
    private readonly life: LogId,
  ) {}

  /** What the pointer named last, without asking it. */
  last(view: AnyView): Serving | null {
    return this.#handles.get(view.name)?.serving ?? null;
  }

  /** What the pointer names; `null`: nothing, or what is of another log and about to be thrown away. */
  async pointed(view: AnyView): Promise<Serving | null> {
    const pointer = await this.readStore.pointers.get(view.name);
    if (pointer?.live.log !== this.life) {
      this.#handles.delete(view.name);
      return null;
    }
    const known = this.#handles.get(view.name);
    if (known?.pointer.revision === pointer.revision) return known.serving;
    const { live, turn, freeze } = pointer;
    const collection =
      known?.serving.generation.name === live.name
        ? known.collection
        : collectionOf(this.readStore, view, live);
    const serving = { generation: live, turn, barrier: barrierOf(freeze) };
    this.#handles.set(view.name, { collection, pointer, serving });
    return serving;
  }

  /** @throws {ReadModelBehind} there is none */
  async live(view: AnyView): Promise<Serving> {
    const serving = await this.pointed(view);
    if (serving === null) throw new ReadModelBehind(view.name);
    return serving;
  }

  collection(view: AnyView, generation: Generation): ViewCollection {
    const handle = this.#handles.get(view.name);
    return handle?.serving.generation.name === generation.name
      ? handle.collection
      : collectionOf(this.readStore, view, generation);
  }

  /**
   * To be called for each try of a read that a barrier holds up. If the freeze lasts
   * too long, its process has died: it is ended here, which is safe, since the swap is a compare-and-set on what was frozen.
   */
  async heldUp(view: AnyView): Promise<void> {
    const pointer = this.#handles.get(view.name)?.pointer;
    if (pointer?.freeze == null) return;
    const { revision } = pointer;
    const since = this.#frozen.get(view.name);
    if (since?.revision !== revision) {
      this.#frozen.set(view.name, { revision, since: performance.now() });
    } else if (performance.now() - since.since > MAX_FROZEN_MS) {
      await this.readStore.pointers.swap(view.name, revision, thawed(pointer));
    }
  }
}

/** As long as it is not known nothing is shown: what is read meanwhile may turn out to lie beyond it. */
const barrierOf = (freeze: Freeze | null): Position | null => freeze && (freeze.barrier ?? START);
