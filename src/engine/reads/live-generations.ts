import { START, type LogId, type Position } from '../../core/event-store.js';
import type { Freeze, Generation, Pointer, ReadStore, ViewCollection } from '../../stores/read-store.js';
import { ReadModelBehind } from '../errors.js';
import { collectionOf } from '../generations/generations.js';
import { thawed } from '../generations/pointer.js';
import type { AnyView } from '../view.js';

/** The live generation of a view, as its pointer named it last. */
export interface LiveGeneration {
  readonly generation: Generation;
  /** Raised by one with each promotion: differs if the same generation becomes live again. */
  readonly turn: number;
  /** Reads show nothing beyond it; `null`: there is none. */
  readonly barrier: Position | null;
  /** Its documents. */
  readonly collection: ViewCollection;
}

interface Handle {
  readonly pointer: Pointer;
  readonly serving: LiveGeneration;
}

/** A reader that sees the same freeze for this long, in milliseconds, ends it: a promotion's is shorter. */
const MAX_FROZEN_MS = 1000;

/** The generations that views are read from. */
export class LiveGenerations {
  readonly #handles = new Map<string, Handle>();
  /** By view: the freeze that its readers wait for, and since when. */
  readonly #frozen = new Map<string, { readonly revision: number; readonly since: number }>();

  constructor(
    private readonly readStore: ReadStore,
    private readonly life: LogId,
  ) {}

  /** The generation that the pointer named at its last read; `null`: none, or it was not read yet. */
  last(view: AnyView): LiveGeneration | null {
    return this.#handles.get(view.name)?.serving ?? null;
  }

  /** Reads the pointer. `null`: there is none, or it names a generation of another log, which will be replaced. */
  async fromPointer(view: AnyView): Promise<LiveGeneration | null> {
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
        ? known.serving.collection
        : collectionOf(this.readStore, view, live);
    const serving = { generation: live, turn, barrier: barrierOf(freeze), collection };
    this.#handles.set(view.name, { pointer, serving });
    return serving;
  }

  /** As `fromPointer`. @throws {ReadModelBehind} in place of `null` */
  async live(view: AnyView): Promise<LiveGeneration> {
    const serving = await this.fromPointer(view);
    if (serving === null) throw new ReadModelBehind(view.name);
    return serving;
  }

  /**
   * To be called at each try of a read that waits for a swap. If the freeze lasts too long, its process has died and this
   * ends it. That is safe: the swap is a compare-and-set on the frozen pointer.
   */
  async thawIfStuck(view: AnyView): Promise<void> {
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

/** Until the barrier is recorded, reads show nothing, since any event might be beyond it. */
const barrierOf = (freeze: Freeze | null): Position | null => freeze && (freeze.barrier ?? START);
