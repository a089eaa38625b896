import { describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { createCodec } from '../../src/core/codec.js';
import { START } from '../../src/core/event-store.js';
import { CommandStreams } from '../../src/core/handle.js';
import { Sealer } from '../../src/core/sealing.js';
import { IDLE_POLL_MS } from '../../src/core/shared-interval.js';
import { eventRegistry } from '../../src/domain/event-registry.js';
import { documentWork } from '../../src/engine/documents/work.js';
import { startProjector } from '../../src/engine/feeding/runner.js';
import { startConductor } from '../../src/engine/generations/conductor.js';
import { startReactor } from '../../src/engine/reactors/reactor.js';
import { createViewReader } from '../../src/engine/reads/reads.js';
import type { AnyView } from '../../src/engine/view.js';
import { StreamOperations } from '../../src/process/operations/operations.js';
import { leasesOf, RIGHT_CLOCK } from '../support/alone.js';
import { eventuallyHolds } from '../support/eventually.js';
import { MemoryEventStore } from '../support/memory-event-store.js';
import { openMemoryReadStore } from '../support/memory-read-store.js';
import { MemoryVault } from '../support/memory-vault.js';
import { accounts, added, markingSealer, record, wrapEventStore } from '../support/projection-rig.js';
import { accountsCodec } from './fleet.js';

const PULSES = 4;
const names = Array.from({ length: 8 }, (_, index) => `accounts-${index}`);

/** Counts commands as a store receives them: calls of one kind in one turn of the event loop are one command. */
class Commands {
  readonly #counts = new Map<string, number>();
  readonly #open = new Set<string>();

  count(kind: string): void {
    if (this.#open.has(kind)) return;
    this.#open.add(kind);
    setImmediate(() => this.#open.delete(kind));
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1);
  }

  take(): Readonly<Record<string, number>> {
    const counts = Object.fromEntries(this.#counts);
    this.#counts.clear();
    return counts;
  }
}

describe('An idle process', () => {
  // With the intervals of the service. A slow machine sends fewer commands, never more.
  it('sends the stores a few commands a tick, however many views it feeds, and none to the log', async () => {
    const commands = new Commands();
    const store = new MemoryEventStore();
    const eventStore = wrapEventStore(store, {
      readStream: (...of) => (commands.count('log.readStream'), store.readStream(...of)),
      readAll: (...of) => (commands.count('log.readAll'), store.readAll(...of)),
      head: () => (commands.count('log.head'), store.head()),
    });
    const readStore = openMemoryReadStore(undefined, {
      before: ({ operation }) => commands.count(operation),
    });
    const streams = new CommandStreams(eventStore, createCodec(eventRegistry, new Sealer(new MemoryVault())));
    const operations = new StreamOperations(streams);
    const leases = leasesOf(readStore);
    const views: readonly AnyView[] = names.map((name) => ({ ...accounts, name }));
    const common = {
      eventStore,
      readStore,
      codec: accountsCodec(),
      sealer: markingSealer,
      views,
      operations,
      leases,
    };
    const work = documentWork({ ...common, documents: markingSealer }, operations);
    const reader = createViewReader(common);
    const acted: string[] = [];
    const reaction = {
      index: 'large',
      act: async ({ id }: { readonly id: string }) => void acted.push(id),
      installedAt: async () => START,
      timekeeper: RIGHT_CLOCK,
    };
    const parts = [
      startProjector({ ...common, segments: 1 }),
      startConductor({ ...common, work, segments: 1, automatic: true, graceMs: 60_000 }),
      ...views.map((view) => startReactor({ ...common, ...reaction, name: view.name, view, reader })),
    ];
    try {
      await record(store, added('a', 100));
      await eventuallyHolds(() => acted.length === names.length);
      await sleep(2 * IDLE_POLL_MS);
      commands.take();
      await sleep(PULSES * IDLE_POLL_MS);
      const counts = commands.take();
      expect(Object.keys(counts).filter((kind) => kind.startsWith('log.'))).toEqual([]);
      const sum = Object.values(counts).reduce((total, count) => total + count, 0);
      // Pointers, the process's slot, the others' slots; and from time to time a check of each lease.
      expect({ counts, isFew: sum <= 3 * (PULSES + 1) + 2 }).toEqual({ counts, isFew: true });
      // It still reacts to events.
      await record(store, added('b', 100));
      await eventuallyHolds(() => acted.length === 2 * names.length, 2_000);
    } finally {
      for (const part of parts.reverse()) await part.stop();
      await leases.stop();
    }
  });
});
