import type { Decoded } from '../../src/core/codec.js';
import { START, type Position, type RecordedEvent } from '../../src/core/event-store.js';
import type { Stored } from '../../src/core/event.js';
import { type Batch, SharedEvent } from '../../src/engine/live/ring.js';
import type { View, ViewDocument } from '../../src/engine/view.js';
import { storedEvents } from '../support/stored-events.js';
import type { Random } from './random.js';

interface Tally extends ViewDocument {
  readonly seen: readonly number[];
}

/** The view of the model. A document lists the events that it has counted, so that any missing or double one shows. */
export const tally: View<Tally> = {
  name: 'tally',
  version: 1,
  fingerprint: 'tally',
  handles: ['counted'],
  documentId: (event: { data: object }) => (event.data as Counted).document,
  initial: (): Tally => ({ seen: [] }),
  evolve: (document: Tally, event: { data: object }): Tally => {
    const { number, poison } = event.data as Counted;
    if (poison) throw new Error('This event cannot be folded.');
    return { seen: [...document.seen, number] };
  },
};

interface Counted {
  readonly document: string | null;
  readonly number: number;
  readonly poison: boolean;
}

export const DOCUMENTS = ['a', 'b', 'c', 'd', 'e'];

/** The parts of a stored document that folds make promises about. */
export interface FoldedTo {
  readonly id: string;
  readonly position: Position;
  readonly parkedAt: Position | null;
}

/** A log that grows while the model runs, and the expected document at each of its positions. */
export class World {
  readonly #events: readonly SharedEvent[];
  readonly #decoded: readonly (Counted | null)[];
  /** How many events have been appended. */
  length = 0;
  /** Whether an operator has skipped every event that cannot be folded. */
  skips = false;
  readonly #own = new Map<string, { readonly event: Stored; readonly counted: Counted }[]>(
    DOCUMENTS.map((id) => [id, []]),
  );
  readonly #poison = new Set<string>();

  constructor(random: Random, length: number) {
    this.#decoded = Array.from({ length }, (_, number) =>
      random.chance(0.2)
        ? null
        : {
            document: random.chance(0.1) ? null : (DOCUMENTS[random.below(DOCUMENTS.length)] ?? null),
            number,
            poison: random.chance(0.03),
          },
    );
    const stored = storedEvents(
      this.#decoded.map((data) => ({ type: data ? 'counted' : 'ignored', data: data ?? {} })),
    );
    const byPosition = new Map(stored.map((event) => [event.position, event]));
    const decode = async (event: RecordedEvent): Promise<Decoded> => {
      const found = byPosition.get(event.position);
      return found ? { kind: 'event', event: found } : { kind: 'unknown', type: event.type };
    };
    this.#events = stored.map(
      (event) =>
        new SharedEvent({ ...event, data: new Uint8Array(), metadata: new Uint8Array() }, { decode }),
    );
    for (const [index, counted] of this.#decoded.entries()) {
      const event = stored[index];
      if (counted?.document == null || event === undefined) continue;
      this.#own.get(counted.document)?.push({ event, counted });
      if (counted.poison) this.#poison.add(event.id);
    }
  }

  /** The ids of the events that folds leave out from now on. */
  get skipped(): ReadonlySet<string> {
    return this.skips ? this.#poison : NONE;
  }

  /** Every event of a document, in log order. */
  ownEvents(id: string): readonly Stored[] {
    return (this.#own.get(id) ?? []).map(({ event }) => event);
  }

  /** The events after a position, at most `most`. */
  pull(after: Position, most: number): Batch {
    const from = after === START ? 0 : Number(after);
    const events = this.#events.slice(from, Math.min(this.length, from + most));
    return { events, position: events.at(-1)?.position ?? after, more: events.length === most };
  }

  get size(): number {
    return this.#events.length;
  }

  /**
   * The expected content, repairs excluded, of a document with this position and parking; `undefined`: no correct fold
   * leads there. The fold is written without the engine.
   */
  expected({ id, position, parkedAt }: FoldedTo): string | undefined {
    const own = (this.#own.get(id) ?? []).filter(({ event }) => event.position <= position);
    if (own.at(-1)?.event.position !== position) return undefined;
    const poison = own.filter(({ counted }) => counted.poison).map(({ event }) => event.position);
    // Before the skip, the first poison parks. Afterwards any poison may, since earlier passes still run.
    if (parkedAt === null ? poison.length > 0 && !this.skips : !poison.includes(parkedAt)) return undefined;
    if (parkedAt !== null && !this.skips && parkedAt !== poison[0]) return undefined;
    const seen = own
      .filter(({ event, counted }) => !counted.poison && (parkedAt === null || event.position < parkedAt))
      .map(({ counted }) => counted.number);
    const body = seen.length > 0 ? { seen } : null;
    return JSON.stringify({ id, position, parkedAt, deleted: body === null && parkedAt === null, body });
  }

  /** The position of the document's last event at or before `position`; `START` if it has none. */
  lastOwn(id: string, position: Position): Position {
    return this.#own.get(id)?.findLast(({ event }) => event.position <= position)?.event.position ?? START;
  }
}

const NONE: ReadonlySet<string> = new Set();
