import type { Position } from '../../src/core/event-store.js';
import { deepFreeze } from '../../src/core/json.js';
import { BadCursor } from '../../src/stores/errors.js';
import { encodeStart, indexKeyOf } from '../../src/stores/index-key.js';
import type {
  DocumentHead,
  GenerationName,
  GuardedWrite,
  Heartbeat,
  IndexKey,
  Keys,
  Lease,
  Page,
  PageOptions,
  Pointer,
  ReadStore,
  StoredDocument,
  ViewCollection,
  WriteResult,
} from '../../src/stores/read-store.js';
import {
  assertFollows,
  assertBatch,
  assertGenerationName,
  assertPage,
  declaredIndexes,
  type DeclaredIndexes,
  documentText,
  generationOf,
  viewOf,
} from '../../src/stores/rules.js';
import { assertPlainJson } from './plain-json.js';

/** A call: its operation (`apply`, `get`, `checkpoints.advance`, ...) and its subject (a document, a checkpoint, ...). */
export interface ReadStoreCall {
  readonly operation: string;
  readonly subject: string;
}

/** Faults of one handle. Each process of a model opens a handle with hooks of its own. */
export interface MemoryReadStoreHooks {
  /** Called before a call takes effect. It may wait, so that others run. If it throws, the call has no effect. */
  before?(call: ReadStoreCall): void | Promise<void>;
  /** Called after a call took effect, before its answer. If it throws, the answer is lost. */
  after?(call: ReadStoreCall): void | Promise<void>;
  /** By how many writes the replica that answers this read lags; 0, the default, is the newest state. */
  staleBy?(call: ReadStoreCall): number;
  /** If true, this write is refused without a reason and has no effect. The contract allows that: it answers `behind`. */
  refuses?(write: GuardedWrite): boolean;
}

/** A value with its history, so that a stale replica can answer. */
class Cell<T> {
  readonly #versions: { readonly at: number; readonly value: T | null }[] = [];

  at(moment: number): T | null {
    for (let i = this.#versions.length - 1; i >= 0; i--) {
      const version = this.#versions[i];
      if (version && version.at <= moment) return version.value;
    }
    return null;
  }

  set(at: number, value: T | null): void {
    this.#versions.push({ at, value });
  }
}

interface Row {
  readonly text: string;
  readonly position: Position;
  readonly repairs: number;
  readonly keys: Keys;
}

/** The state that several handles share, as of a server. */
export class MemoryDatabase {
  /** The number of writes so far: the time of the replicas. */
  now = 0;
  readonly documents = new Map<string, Map<string, Cell<Row>>>();
  readonly checkpoints = new Map<string, Cell<Position>>();
  readonly checkpointEvents = new Map<
    string,
    { readonly position: Position; readonly eventId: string | null }
  >();
  readonly leases = new Map<string, Cell<Lease>>();
  readonly pointers = new Map<string, Cell<Pointer>>();
  readonly numbers = new Map<string, number>();
  readonly heartbeats = new Map<string, Cell<Heartbeat>>();
}

const cellOf = <T>(cells: Map<string, Cell<T>>, name: string): Cell<T> => {
  let cell = cells.get(name);
  if (!cell) cells.set(name, (cell = new Cell<T>()));
  return cell;
};

const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

function compareParts(a: string | number, b: string | number): number {
  if (typeof a === 'number') return typeof b === 'number' ? a - b : -1;
  return typeof b === 'number' ? 1 : byBytes(a, b);
}

function compareKeys(a: IndexKey, b: IndexKey): number {
  for (const [i, part] of a.entries()) {
    const order = compareParts(part, b[i] ?? '');
    if (order !== 0) return order;
  }
  return 0;
}

const begins = (key: IndexKey, prefix: IndexKey): boolean =>
  key.length >= prefix.length && prefix.every((part, i) => compareParts(part, key[i] ?? '') === 0);

/** Opens a handle on a read store in memory, which has the contract of the real ones. */
export function openMemoryReadStore(
  database: MemoryDatabase = new MemoryDatabase(),
  hooks: MemoryReadStoreHooks = {},
): ReadStore {
  async function call<T>(operation: string, subject: string, effect: (moment: number) => T): Promise<T> {
    const named = { operation, subject };
    await hooks.before?.(named);
    const result = effect(database.now - (hooks.staleBy?.(named) ?? 0));
    await hooks.after?.(named);
    return result;
  }

  function swap<T>(cell: Cell<T>, holds: (current: T | null) => boolean, next: T | null): boolean {
    if (!holds(cell.at(database.now))) return false;
    cell.set(++database.now, next);
    return true;
  }

  return {
    collection: (name, indexes) => {
      assertGenerationName(name);
      return collection(database, hooks, call, name, declaredIndexes(indexes));
    },

    drop: (name) =>
      call('drop', name, () => {
        database.documents.delete(name);
        for (const cells of [database.checkpoints, database.leases]) {
          for (const key of cells.keys()) if (generationOf(key) === name) cells.delete(key);
        }
      }),

    generations: () =>
      call('generations', '', () => {
        const names = new Set<string>();
        for (const [name, rows] of database.documents) if (rows.size > 0) names.add(name);
        for (const [name, cell] of [...database.checkpoints, ...database.leases]) {
          const generation = generationOf(name);
          if (generation && cell.at(database.now) !== null) names.add(generation);
        }
        return [...names].sort(byBytes) as GenerationName[];
      }),

    checkpoints: {
      get: (name) =>
        call('checkpoints.get', name, (moment) => database.checkpoints.get(name)?.at(moment) ?? null),
      advance: (name, from, to, eventId = null) =>
        call('checkpoints.advance', name, () => {
          const moved = swap(cellOf(database.checkpoints, name), (current) => current === from, to);
          if (moved) database.checkpointEvents.set(name, { position: to, eventId });
          return moved;
        }),
    },

    checkpointEvent: (name) =>
      call('checkpointEvent', name, () => {
        const { position, eventId } = database.checkpointEvents.get(name) ?? {};
        return position === database.checkpoints.get(name)?.at(database.now) ? (eventId ?? null) : null;
      }),

    leases: {
      get: (name) => call('leases.get', name, (moment) => database.leases.get(name)?.at(moment) ?? null),
      swap: (name, expected, next) =>
        call('leases.swap', name, () =>
          swap(
            cellOf(database.leases, name),
            (current) => current?.owner === expected?.owner && current?.counter === expected?.counter,
            next && { owner: next.owner, counter: next.counter },
          ),
        ),
    },

    pointers: {
      get: (view) => call('pointers.get', view, (moment) => database.pointers.get(view)?.at(moment) ?? null),
      swap: async (view, expected, next) => {
        assertFollows(view, expected, next);
        const kept = deepFreeze(structuredClone(next));
        return call('pointers.swap', view, () =>
          swap(cellOf(database.pointers, view), (current) => (current?.revision ?? null) === expected, kept),
        );
      },
      nextNumber: (view) =>
        call('pointers.nextNumber', view, () => {
          const next = (database.numbers.get(view) ?? 0) + 1;
          database.numbers.set(view, next);
          return next;
        }),
    },

    clock: {
      heartbeat: () =>
        call('clock.heartbeat', '', (moment) => database.heartbeats.get('')?.at(moment) ?? null),
      record: (expected, next) =>
        call('clock.record', '', () =>
          swap(
            cellOf(database.heartbeats, ''),
            (current) => (current?.revision ?? null) === expected,
            deepFreeze(structuredClone(next)),
          ),
        ),
      serverTime: () => call('clock.serverTime', '', () => null),
    },

    close: async () => undefined,
  };
}

function collection(
  database: MemoryDatabase,
  hooks: MemoryReadStoreHooks,
  call: <T>(operation: string, subject: string, effect: (moment: number) => T) => Promise<T>,
  name: GenerationName,
  indexes: DeclaredIndexes,
): ViewCollection {
  const rows = (): Map<string, Cell<Row>> => {
    let found = database.documents.get(name);
    if (!found) database.documents.set(name, (found = new Map<string, Cell<Row>>()));
    return found;
  };
  const read = (id: string, moment: number): StoredDocument | null => {
    const row = database.documents.get(name)?.get(id)?.at(moment);
    return row ? (JSON.parse(row.text) as StoredDocument) : null;
  };
  const about = (id: string): string => `${name}/${id}`;

  function write({ expected, expectedRepairs = 0, document, keys }: GuardedWrite, text: string): WriteResult {
    const standing = database.documents.get(name)?.get(document.id)?.at(database.now) ?? null;
    const repairs = standing?.repairs ?? 0;
    if ((standing?.position ?? null) !== expected || repairs !== expectedRepairs) {
      const isRepair = expected === document.position;
      const done = standing !== null && standing.position >= document.position;
      return done && repairs === expectedRepairs && !isRepair ? 'ahead' : 'behind';
    }
    cellOf(rows(), document.id).set(++database.now, {
      text,
      position: document.position,
      repairs: document.repairs ?? 0,
      keys: document.deleted ? {} : { ...keys },
    });
    return 'written';
  }

  return {
    get: (id) => call('get', about(id), (moment) => read(id, moment)),

    getMany: (ids) =>
      call('getMany', about(ids.join()), (moment) => {
        const found = new Map<string, StoredDocument>();
        for (const id of ids) {
          const document = read(id, moment);
          if (document) found.set(id, document);
        }
        return found;
      }),

    heads: (ids) =>
      call('heads', about(ids.join()), (moment) => {
        const found = new Map<string, DocumentHead>();
        for (const id of ids) {
          const row = database.documents.get(name)?.get(id)?.at(moment);
          if (row) found.set(id, { position: row.position, repairs: row.repairs });
        }
        return found;
      }),

    apply: async (batch) => {
      assertBatch(batch, indexes);
      const texts = batch.map(({ document }) => {
        assertPlainJson(document.body);
        return documentText(document);
      });
      // One call for each write: the contract does not promise that a batch takes effect at once, or completely.
      const results: WriteResult[] = [];
      for (const [i, guarded] of batch.entries()) {
        const text = texts[i] ?? '';
        results.push(
          await call('apply', about(guarded.document.id), () =>
            hooks.refuses?.(guarded) ? 'behind' : write(guarded, text),
          ),
        );
      }
      return results;
    },

    page: async (options) => {
      const {
        index,
        prefix,
        limit,
        cursor,
        reverse = false,
        from,
        upTo,
        startsWith,
        maxBytes = Infinity,
      } = options;
      assertPage(options, indexes);
      if (startsWith !== undefined) encodeStart(startsWith);
      const scope = [viewOf(name), index, prefix, reverse, startsWith];
      const start = cursor === undefined ? null : readCursor(cursor, scope);
      return call('page', about(index), (moment): Page => {
        const sign = reverse ? -1 : 1;
        const entries = [...(database.documents.get(name) ?? [])]
          .flatMap(([id, cell]) => {
            const key = indexKeyOf(indexes.get(index) ?? [], cell.at(moment)?.keys ?? {});
            return key && begins(key, prefix) ? [{ key, id }] : [];
          })
          .filter(({ key }) => {
            const next = key[prefix.length];
            if (startsWith !== undefined) return typeof next === 'string' && starts(next, startsWith);
            return isWithin(next ?? '', { from, upTo });
          })
          .map((entry) => ({ ...entry, compare: (k: IndexKey, id: string) => order(entry, k, id) * sign }))
          .filter(({ compare }) => !start || compare(start.key, start.id) > 0)
          .sort((a, b) => a.compare(b.key, b.id));
        const items: StoredDocument[] = [];
        let bytes = 0;
        for (const { id } of entries.slice(0, limit)) {
          const document = read(id, moment);
          if (!document) continue;
          bytes += Buffer.byteLength(documentText(document));
          if (items.length > 0 && bytes > maxBytes) break;
          items.push(document);
        }
        const taken = entries.slice(0, items.length);
        const last = taken.at(-1);
        return {
          items,
          next: last && entries.length > items.length ? writeCursor(scope, last) : null,
        };
      });
    },

    count: async ({ index, prefix, from, upTo, limit }) => {
      assertPage({ index, prefix, from, upTo, limit }, indexes);
      return call('count', about(index), (moment) => {
        const keys = [...(database.documents.get(name)?.values() ?? [])].flatMap((cell) => {
          const key = indexKeyOf(indexes.get(index) ?? [], cell.at(moment)?.keys ?? {});
          return key && begins(key, prefix) && isWithin(key[prefix.length] ?? '', { from, upTo })
            ? [key]
            : [];
        });
        return Math.min(keys.length, limit);
      });
    },

    all: async function* () {
      const ids = await call('all', name, () =>
        [...(database.documents.get(name)?.keys() ?? [])].sort(byBytes),
      );
      for (const id of ids) {
        const document = read(id, database.now);
        if (document) yield document;
      }
    },
  };
}

const isWithin = (part: string | number, { from, upTo }: Pick<PageOptions, 'from' | 'upTo'>): boolean =>
  (from === undefined || compareParts(part, from) >= 0) &&
  (upTo === undefined || compareParts(part, upTo) <= 0);

const starts = (text: string, start: string): boolean =>
  Buffer.from(text).subarray(0, Buffer.byteLength(start)).equals(Buffer.from(start));

const order = (entry: { key: IndexKey; id: string }, key: IndexKey, id: string): number =>
  compareKeys(entry.key, key) || byBytes(entry.id, id);

const writeCursor = (bound: unknown, { key, id }: { key: IndexKey; id: string }): string =>
  Buffer.from(JSON.stringify({ bound, key, id })).toString('base64url');

function readCursor(cursor: string, bound: unknown): { key: IndexKey; id: string } {
  try {
    const read = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as {
      bound: unknown;
      key: IndexKey;
      id: string;
    };
    if (JSON.stringify(read.bound) === JSON.stringify(bound) && writeCursor(bound, read) === cursor)
      return read;
  } catch {
    // No cursor of this store.
  }
  throw new BadCursor('The cursor is not one that this list gave.');
}
