import type { LogId } from '../event-store/port.js';
import type { Generation, ReadStore, ViewCollection } from '../read-store/port.js';
import { ReadModelBehind } from './errors.js';
import { collectionOf } from './generations.js';
import type { AnyView } from './view.js';

interface Handle {
  readonly generation: Generation;
  readonly collection: ViewCollection;
}

/** The generations that views are read from. A pointer never comes back to a generation that it has left. */
export class LiveGenerations {
  /** What each view's pointer named last. */
  readonly #handles = new Map<string, Handle>();

  constructor(
    private readonly readStore: ReadStore,
    private readonly logId: LogId,
  ) {}

  /** What the pointer named last, without asking it. */
  last(view: AnyView): Generation | null {
    return this.#handles.get(view.name)?.generation ?? null;
  }

  /** What the pointer names; `null`: nothing, or what is of another log and about to be thrown away. */
  async pointed(view: AnyView): Promise<Generation | null> {
    const generation = await this.readStore.pointers.get(view.name);
    if (generation?.log !== this.logId) {
      this.#handles.delete(view.name);
      return null;
    }
    if (this.last(view)?.name !== generation.name) {
      this.#handles.set(view.name, {
        generation,
        collection: collectionOf(this.readStore, view, generation),
      });
    }
    return generation;
  }

  /** @throws {ReadModelBehind} there is none */
  async live(view: AnyView): Promise<Generation> {
    const generation = await this.pointed(view);
    if (generation === null) throw new ReadModelBehind(view.name);
    return generation;
  }

  collection(view: AnyView, generation: Generation): ViewCollection {
    const handle = this.#handles.get(view.name);
    return handle?.generation.name === generation.name
      ? handle.collection
      : collectionOf(this.readStore, view, generation);
  }
}
