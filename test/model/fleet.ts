import { randomUUID } from 'node:crypto';
import { createCodec } from '../../src/core/codec.js';
import { CommandStreams } from '../../src/core/handle.js';
import { Sealer } from '../../src/core/sealing.js';
import { eventRegistry } from '../../src/domain/event-registry.js';
import { operator } from '../../src/domain/operations/decider.js';
import type { OperationEnded, OperatorEvent } from '../../src/domain/operations/events.js';
import { documentWork } from '../../src/engine/documents/work.js';
import { type ProjectorOptions, startProjector } from '../../src/engine/feeding/runner.js';
import { type ConductorOptions, startConductor } from '../../src/engine/generations/conductor.js';
import type { Operation } from '../../src/engine/generations/operations.js';
import type { AnyView } from '../../src/engine/view.js';
import { OperatorRequests } from '../../src/operator/cli/requests.js';
import { OPERATOR_LOG, StreamOperations } from '../../src/process/operations/operations.js';
import type { Generation, Pointer } from '../../src/stores/read-store.js';
import { leasesOf } from '../support/alone.js';
import { eventually, eventuallyHolds } from '../support/eventually.js';
import { foldView } from '../support/given-view.js';
import { MemoryEventStore } from '../support/memory-event-store.js';
import { MemoryDatabase, openMemoryReadStore, type ReadStoreCall } from '../support/memory-read-store.js';
import { MemoryVault } from '../support/memory-vault.js';
import {
  accounts,
  markingSealer,
  plainCodec,
  record,
  type Recorded,
  wrapEventStore,
} from '../support/projection-rig.js';
import { storedEvents } from '../support/stored-events.js';

/** Decodes the events of accounts, but not those of the operator's stream. */
export const accountsCodec = () => ({
  ...plainCodec(),
  latestTypes: (type: string): readonly string[] => [type === 'former' ? 'added' : type],
});

/** When a process dies: right after its n-th call of this kind, calls of leases not counted, has changed a store. */
export interface Death {
  readonly kind: string;
  /** From 1. */
  readonly nth: number;
}

/** A process that feeds views and conducts operations. */
export interface FleetProcess {
  /** The kinds of its calls so far that change a store: `pointers.swap`, `append operation.ended`, ... */
  readonly calls: readonly string[];
  readonly died: Promise<void>;
  /** Only for a process that has not died. */
  stop(): Promise<void>;
}

type ProcessOptions = Partial<ProjectorOptions & ConductorOptions> & { readonly death?: Death };

type Asking<T = Operation> = T extends Operation ? Omit<T, 'id' | 'view'> : never;

const CHANGES = new Set(['apply', 'checkpoints.advance', 'pointers.swap', 'pointers.nextNumber', 'drop']);
const forever = (): Promise<never> => new Promise(() => undefined);

/** Several processes simulated in one, on stores in memory, with the real operator's stream. */
export class Fleet {
  readonly eventStore = new MemoryEventStore();
  readonly database = new MemoryDatabase();
  readonly readStore = openMemoryReadStore(this.database);
  /** The events of accounts that were appended. */
  readonly given: Recorded[] = [];
  readonly #running = new Set<FleetProcess>();

  /** Ends every process that has not died. */
  async close(): Promise<void> {
    for (const process of this.#running) await process.stop();
  }

  async append(...events: readonly Recorded[]): Promise<void> {
    this.given.push(...events);
    await record(this.eventStore, ...events);
  }

  async start({ death, ...options }: ProcessOptions = {}): Promise<FleetProcess> {
    const calls: string[] = [];
    let dead = false;
    let die: () => void = () => undefined;
    const died = new Promise<void>((resolve) => (die = resolve));
    const alive = async (): Promise<void> => {
      if (dead) await forever();
    };
    const changed = async (kind: string): Promise<void> => {
      await alive();
      calls.push(kind);
      if (death?.kind !== kind || calls.filter((call) => call === kind).length !== death.nth) return;
      dead = true;
      die();
      await forever();
    };
    const hooks = {
      before: alive,
      after: async ({ operation }: ReadStoreCall): Promise<void> => {
        if (CHANGES.has(operation)) await changed(operation);
        else await alive();
      },
    };
    const store = this.eventStore;
    const eventStore = wrapEventStore(store, {
      append: async (stream, expected, events) => {
        await alive();
        const appended = await store.append(stream, expected, events);
        await changed(`append ${events.map(({ type }) => type).join()}`);
        return appended;
      },
      // A poll of the operator's stream.
      readStream: async function* (...of) {
        await alive();
        yield* store.readStream(...of);
      },
      head: async () => {
        await alive();
        return await store.head();
      },
    });
    const codec = createCodec(eventRegistry, new Sealer(new MemoryVault()));
    const operations = new StreamOperations(new CommandStreams(eventStore, codec));
    const readStore = openMemoryReadStore(this.database, hooks);
    const common = {
      eventStore,
      readStore,
      codec: accountsCodec(),
      sealer: markingSealer,
      views: [accounts] as readonly AnyView[],
      operations,
      owner: `process-${randomUUID()}`,
      leaseTimings: { renewMs: 50, deadMs: 300 },
      backoff: { baseMs: 2, capMs: 20 },
      pollIntervalMs: 20,
      segments: 2,
      automatic: false,
      graceMs: 60_000,
    };
    const leases = leasesOf(readStore, common);
    const work = documentWork({ ...common, documents: markingSealer }, operations);
    const projector = startProjector({ ...common, leases, ...options });
    const conductor = startConductor({ ...common, leases, work, ...options });
    const process: FleetProcess = {
      calls,
      died,
      stop: async () => {
        this.#running.delete(process);
        const stopped = conductor.stop().then(() => projector.stop());
        await Promise.race([died, stopped.then(() => leases.stop())]);
      },
    };
    this.#running.add(process);
    await Promise.race([projector.ready, died]);
    return process;
  }

  #requests(): OperatorRequests {
    return new OperatorRequests(this.#streams());
  }

  #streams(): CommandStreams {
    return new CommandStreams(this.eventStore, createCodec(eventRegistry, new Sealer(new MemoryVault())));
  }

  /** Requests an operation. @returns its id */
  async ask(asking: Asking): Promise<string> {
    const id = randomUUID();
    await this.#requests().ask({ id, view: accounts.name, ...asking });
    return id;
  }

  /** Resolves once an operation has ended, with its ending. */
  async ended(id: string): Promise<OperationEnded['data']> {
    const requests = this.#requests();
    return eventually(() => requests.outcome(id));
  }

  async carriedOut(asking: Asking): Promise<OperationEnded['data']> {
    return await this.ended(await this.ask(asking));
  }

  /** The events of the operator's stream. */
  async events(): Promise<readonly OperatorEvent[]> {
    return await this.#streams().events(operator, OPERATOR_LOG);
  }

  async pointer(): Promise<Pointer> {
    const pointer = await this.readStore.pointers.get(accounts.name);
    if (pointer === null) throw new Error('There is no pointer yet.');
    return pointer;
  }

  /** A generation's documents, once it has reached the log's end. */
  async documents({ name, segments }: Generation): Promise<ReadonlyMap<string, unknown>> {
    const head = await this.eventStore.head();
    await eventuallyHolds(async () => {
      for (let n = 1; n <= segments; n++) {
        const position = await this.readStore.checkpoints.get(`${name}.${n}of${segments}`);
        if (position === null || position < head) return false;
      }
      return true;
    });
    const all = new Map<string, unknown>();
    for await (const { id, body } of this.readStore.collection(name, {}).all())
      all.set(id, (body as { sealed: object } | null)?.sealed ?? null);
    return all;
  }

  /** The expected documents: a fold, without the engine, of everything that was appended. */
  expected(): ReadonlyMap<string, unknown> {
    const folded = foldView(accounts, storedEvents(this.given));
    return new Map(
      [...folded].sort(([a], [b]) => (a < b ? -1 : 1)).map(([id, { document }]) => [id, document]),
    );
  }
}
