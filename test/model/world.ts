import type { Decoded } from '../../src/event-store/codec.js';
import { START, type Position, type RecordedEvent } from '../../src/event-store/port.js';
import type { Batch } from '../../src/projection-engine/ring.js';
import { SharedEvent } from '../../src/projection-engine/shared-event.js';
import type { View, ViewDocument } from '../../src/projection-engine/view.js';
import { storedEvents } from '../support/stored-events.js';
import type { Random } from './random.js';

interface Tally extends ViewDocument {
  readonly seen: readonly number[];
}

/** The view of the model: a document lists the events it has counted, so that one too many or too few shows. */
export const tally: View<Tally> = {
  name: 'tally',
  version: 1,
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

/** A log that grows while the model runs, and what every document must be at each of its positions. */
export class World {
  readonly #events: readonly SharedEvent[];
  readonly #decoded: readonly (Counted | null)[];
  /** How much of the log has been appended. */
  length = 0;
  /** Document id and position to the stored document's text. */
  readonly #expected = new Map<string, string>();
  readonly #ownPositions = new Map<string, Position[]>(DOCUMENTS.map((id) => [id, []]));

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
    this.#foldAll();
  }

  /** What follows a position, in pages of any length. */
  pull(after: Position, most: number): Batch {
    const from = after === START ? 0 : Number(after);
    const events = this.#events.slice(from, Math.min(this.length, from + most));
    return { events, position: events.at(-1)?.position ?? after, more: events.length === most };
  }

  get size(): number {
    return this.#events.length;
  }

  /** What is stored for a document whose position is `position`; `undefined`: it can never stand there. */
  expected(id: string, position: Position): string | undefined {
    return this.#expected.get(`${id}@${position}`);
  }

  /** Of the last event at or before `position` that belongs to the document; `START`: none does. */
  lastOwn(id: string, position: Position): Position {
    return this.#ownPositions.get(id)?.findLast((own) => own <= position) ?? START;
  }

  /** The pure fold, written without the engine. */
  #foldAll(): void {
    const seen = new Map<string, number[]>();
    const parkedAt = new Map<string, Position>();
    this.#decoded.forEach((event, index) => {
      const position = this.#events[index]?.position;
      if (event?.document == null || position === undefined) return;
      const id = event.document;
      if (event.poison && !parkedAt.has(id)) parkedAt.set(id, position);
      if (!parkedAt.has(id)) seen.set(id, [...(seen.get(id) ?? []), event.number]);
      const content = seen.get(id);
      this.#ownPositions.get(id)?.push(position);
      this.#expected.set(
        `${id}@${position}`,
        JSON.stringify({
          id,
          position,
          parkedAt: parkedAt.get(id) ?? null,
          deleted: false,
          body: content ? { seen: content } : null,
        }),
      );
    });
  }
}
