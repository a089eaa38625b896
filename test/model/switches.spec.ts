import { expect, it } from '@jest/globals';
import type { Position } from '../../src/core/event-store.js';
import type { Ending, Operation, Operations } from '../../src/engine/generations/operations.js';
import { createViewReader } from '../../src/engine/reads/reads.js';
import type { Pointer, ReadStore } from '../../src/stores/read-store.js';
import { startConductor, startProjector } from '../support/alone.js';
import { eventuallyHolds } from '../support/eventually.js';
import { MemoryEventStore } from '../support/memory-event-store.js';
import { MemoryDatabase, openMemoryReadStore } from '../support/memory-read-store.js';
import { accounts, added, markingSealer, plainCodec, record } from '../support/projection-rig.js';

/** A whole switch from the live to the rebuilt generation, with callbacks at each of its moments. */
class Switch implements Operations {
  readonly eventStore = new MemoryEventStore();
  readonly database = new MemoryDatabase();
  readonly #direct = openMemoryReadStore(this.database);
  readonly #reader = createViewReader({
    eventStore: this.eventStore,
    readStore: this.#direct,
    sealer: markingSealer,
  });
  #ending: { readonly ending: Ending; readonly pointer: Pointer | null } | null = null;
  #asked = false;
  /** Whether a write of this document to the next generation waits. */
  held: (document: string) => boolean = () => false;
  /** Called just before the view is frozen for the first time. */
  onFreeze: () => Promise<void> = () => Promise.resolve();
  /** Called after each write of the pointer. */
  onPointer: (pointer: Pointer) => void = () => undefined;
  /** The result of the comparison of the generations over a part of the log; `null`: they are equal. */
  difference: (after: Position, upTo: Position) => string | null = () => null;

  async total(id: string): Promise<number | undefined> {
    return (await this.#reader.get(accounts, id))?.document.total;
  }

  /** Appends an event and waits until readers see it. */
  async served(id: string, total: number): Promise<Position> {
    const [position] = await record(this.eventStore, added(id, 1));
    await eventuallyHolds(async () => (await this.total(id)) === total);
    return position!;
  }

  pointer(): Promise<Pointer | null> {
    return this.#direct.pointers.get('accounts');
  }

  /** Rebuilds the view. @returns the operation's ending, and the pointer at that moment */
  async run(during: () => Promise<void>): Promise<{ readonly ending: Ending; readonly pointer: Pointer }> {
    const common = { eventStore: this.eventStore, views: [accounts], segments: 2, pollIntervalMs: 5 };
    const projector = startProjector({
      ...common,
      readStore: openMemoryReadStore(this.database, {
        before: async ({ operation, subject }) => {
          const document = /^accounts\.v1\.g2\/(.*)$/.exec(subject)?.[1];
          while (operation === 'apply' && document !== undefined && this.held(document))
            await new Promise((resolve) => setTimeout(resolve, 2));
        },
      }),
      codec: plainCodec(),
      sealer: markingSealer,
      owner: 'feeder',
    });
    const conductor = startConductor({
      ...common,
      readStore: this.#conducting(),
      operations: this,
      work: {
        comparing: () => ({
          all: async () => null,
          since: async (after, upTo) => this.difference(after, upTo),
        }),
        refold: () => Promise.reject(new Error('Nobody asks for it.')),
      },
      owner: 'conductor',
      automatic: true,
      graceMs: 60_000,
    });
    try {
      await projector.ready;
      await during();
      await eventuallyHolds(() => this.#ending !== null, 60_000);
      return this.#ending as { ending: Ending; pointer: Pointer };
    } finally {
      this.held = () => false;
      await conductor.stop();
      await projector.stop();
    }
  }

  rebuild(): void {
    this.#asked = true;
  }

  readIntent(): ReturnType<Operations['readIntent']> {
    const open: Operation = { id: '1', view: 'accounts', kind: 'rebuild', segments: 2, hold: false };
    const asked = this.#asked && this.#ending === null;
    return Promise.resolve({ open: asked ? [open] : [], paused: new Set(), skipped: () => new Set() });
  }

  async end(_: string, ending: Ending): Promise<void> {
    this.#ending ??= { ending, pointer: await this.pointer() };
  }

  promoted(): Promise<void> {
    return Promise.resolve();
  }

  #conducting(): ReadStore {
    const store = openMemoryReadStore(this.database);
    let frozen = false;
    const swap: ReadStore['pointers']['swap'] = async (view, expected, next) => {
      if (next.freeze !== null && !frozen) {
        frozen = true;
        await this.onFreeze();
      }
      const written = await store.pointers.swap(view, expected, next);
      if (written) this.onPointer(next);
      return written;
    };
    return { ...store, pointers: { ...store.pointers, swap } };
  }
}

/** Documents in both segments. */
const OTHERS = ['b', 'c', 'd', 'e', 'f'];

const begun = async (): Promise<Switch> => {
  const one = new Switch();
  await record(one.eventStore, added('a', 1), ...OTHERS.map((id) => added(id, 1)));
  return one;
};

it('after a switch, everything is shown that was shown before the view was frozen', async () => {
  const one = await begun();
  one.onFreeze = async () => {
    one.held = () => true;
    const position = await one.served('a', 2);
    // The write is released at the barrier: a switch without a barrier would go live without that write.
    one.onPointer = ({ freeze }) => {
      const barrier = freeze?.barrier ?? null;
      if (barrier !== null && barrier >= position) one.held = () => false;
    };
  };
  let seen: number | undefined;
  const { ending, pointer } = await one.run(async () => {
    one.rebuild();
    await eventuallyHolds(async () => (await one.pointer())?.turn === 2);
    seen = await one.total('a');
  });
  expect([ending.result, pointer.live.number, seen]).toEqual(['done', 2, 2]);
});

it('a switch waits for the slowest segment', async () => {
  const one = await begun();
  one.onFreeze = async () => {
    one.held = (document) => document === 'a';
    await one.served('a', 2);
    for (const id of OTHERS) await one.served(id, 2);
    // Release the write only after the first try has waited for this segment and ended without a switch.
    one.onPointer = ({ freeze, turn }) => {
      if (freeze === null && turn === 1) one.held = () => false;
    };
  };
  let seen: number | undefined;
  const { ending } = await one.run(async () => {
    one.rebuild();
    await eventuallyHolds(async () => (await one.pointer())?.turn === 2, 60_000);
    seen = await one.total('a');
  });
  expect([ending.result, seen]).toEqual(['done', 2]);
});

it('a switch compares what changed until the view was frozen, and unfreezes reads if it is refused', async () => {
  const one = await begun();
  let changed: Position | null = null;
  one.onFreeze = async () => {
    changed = await one.served('a', 2);
  };
  one.difference = (after, upTo) =>
    changed !== null && after < changed && changed <= upTo ? 'One document differs.' : null;
  const { ending, pointer } = await one.run(async () => one.rebuild());
  expect(ending.result).toBe('failed');
  expect(ending.message).toContain('One document differs.');
  expect([pointer.live.number, pointer.turn, pointer.freeze]).toEqual([1, 1, null]);
});
