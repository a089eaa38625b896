import { describe, expect, it } from '@jest/globals';
import { START, type Position } from '../../src/core/event-store.js';
import { PARKED } from '../../src/engine/fold/fold.js';
import type {
  GenerationName,
  GuardedWrite,
  ReadStore,
  StoredDocument,
  WriteResult,
} from '../../src/stores/read-store.js';
import { runSchedule, Violation, type Mutation } from './schedule.js';

const SCHEDULES = Number(process.env['MODEL_SCHEDULES'] ?? 1000);

describe('The engine’s loop', () => {
  it('keeps its promises in every random schedule of workers, crashes, pauses, stale reads and failures', async () => {
    let passes = 0;
    for (let seed = 1; seed <= SCHEDULES; seed++) {
      try {
        passes += (await runSchedule(seed)).passes;
      } catch (error) {
        throw new Error(`The schedule with seed ${seed} broke a promise.`, { cause: error });
      }
    }
    expect(passes).toBeGreaterThan(SCHEDULES * 5);
  });

  it('runs the same schedule for the same seed', async () => {
    expect(await runSchedule(77)).toEqual(await runSchedule(77));
  });
});

describe('The model notices', () => {
  const mutations: readonly (readonly [string, Mutation])[] = [
    ['a guard that replaces any older document instead of exactly the one read', olderGuard],
    ['a checkpoint that moves before the documents are written', checkpointFirst],
    ['a refused write behind ours that is taken for somebody else’s work', behindIsFine],
    ['a checkpoint that is set, not compared and set', blindCheckpoint],
    ['events at or below a document’s position that are folded again', noSkip],
    ['a guard that takes no notice of repairs', repairsIgnored],
    ['a checkpoint that moves to a head asked for on the side, not to what was read', headOnTheSide],
  ];
  it.each(mutations.map(([what, mutation]) => ({ what, mutation })))('$what', async ({ mutation }) => {
    await expect(firstViolation(mutation)).resolves.toBeLessThanOrEqual(500);
  });
});

/** The seed of the first schedule that breaks a promise; more than 500 means none did. */
async function firstViolation(mutation: Mutation): Promise<number> {
  for (let seed = 1; seed <= 500; seed++) {
    try {
      await runSchedule(seed, mutation);
    } catch (error) {
      if (error instanceof Violation) return seed;
      throw error;
    }
  }
  return Infinity;
}

/** The store's collections with another `apply`. */
const withApply =
  (
    apply: (
      batch: readonly GuardedWrite[],
      store: ReadStore,
      name: string,
    ) => Promise<readonly WriteResult[]>,
  ) =>
  (store: ReadStore): ReadStore => ({
    ...store,
    collection: (name, indexes) => ({
      ...store.collection(name, indexes),
      apply: (batch) => apply(batch, store, name),
    }),
  });

/** Applies each write by itself, changed by `alter`, which receives the document that is really stored. */
function altered(
  [handle, direct, gate]: Parameters<Mutation>,
  alter: (write: GuardedWrite, stored: StoredDocument | null) => GuardedWrite,
): ReadStore {
  return {
    ...handle,
    collection: (name, indexes) => ({
      ...handle.collection(name, indexes),
      apply: async (batch) => {
        const results: WriteResult[] = [];
        for (const write of batch) {
          await gate();
          const target = direct.collection(name, indexes);
          results.push(...(await target.apply([alter(write, await target.get(write.document.id))])));
          await gate();
        }
        return results;
      },
    }),
  };
}

function olderGuard(...stores: Parameters<Mutation>): ReadStore {
  return altered(stores, (write, stored) => {
    const position = stored?.position ?? null;
    const older = position === null || position < write.document.position;
    return { ...write, expected: older ? position : write.expected };
  });
}

function repairsIgnored(...stores: Parameters<Mutation>): ReadStore {
  return altered(stores, (write, stored) => (stored === null ? write : asIfNeverRepaired(write, stored)));
}

function checkpointFirst(handle: ReadStore): ReadStore {
  let held: (() => Promise<unknown>)[] = [];
  const store = withApply(async (batch, inner, name) => {
    held.push(() => inner.collection(name as GenerationName, PARKED).apply(batch));
    return batch.map(() => 'written');
  })(handle);
  const advance: ReadStore['checkpoints']['advance'] = async (...move) => {
    const moved = await handle.checkpoints.advance(...move);
    const writes = held;
    held = [];
    for (const write of writes) await write();
    return moved;
  };
  return { ...store, checkpoints: { ...handle.checkpoints, advance } };
}

function behindIsFine(handle: ReadStore): ReadStore {
  return withApply(async (batch, inner, name) => {
    const results = await inner.collection(name as GenerationName, PARKED).apply(batch);
    return results.map(() => 'written');
  })(handle);
}

function blindCheckpoint(handle: ReadStore, direct: ReadStore, gate: () => Promise<void>): ReadStore {
  const advance = async (name: string, _from: Position | null, to: Position): Promise<boolean> => {
    await gate();
    await direct.checkpoints.advance(name, await direct.checkpoints.get(name), to);
    await gate();
    return true;
  };
  return { ...handle, checkpoints: { ...handle.checkpoints, advance } };
}

function headOnTheSide(handle: ReadStore): ReadStore {
  const advance: ReadStore['checkpoints']['advance'] = (name, from, to) => {
    const next = String(Number(to) + 1).padStart(to.length, '0') as Position;
    return handle.checkpoints.advance(name, from, next);
  };
  return { ...handle, checkpoints: { ...handle.checkpoints, advance } };
}

function asIfNeverRepaired(write: GuardedWrite, { repairs = 0 }: StoredDocument): GuardedWrite {
  const { expected, document } = write;
  if (expected === null) return write;
  const isRepair = expected === document.position;
  return {
    ...write,
    expectedRepairs: repairs,
    document: { ...document, repairs: repairs + (isRepair ? 1 : 0) },
  };
}

/** Reads show every document at the beginning of the log. Their writes are guarded by what was really read. */
function noSkip(handle: ReadStore): ReadStore {
  return {
    ...handle,
    collection: (name, indexes) => {
      const inner = handle.collection(name, indexes);
      const read = new Map<string, Position>();
      const forget = (document: StoredDocument): StoredDocument => {
        read.set(document.id, document.position);
        return { ...document, position: START };
      };
      return {
        ...inner,
        get: async (id) => {
          const document = await inner.get(id);
          return document && forget(document);
        },
        heads: (ids) => inner.heads(ids),
        getMany: async (ids) =>
          new Map([...(await inner.getMany(ids))].map(([id, document]) => [id, forget(document)])),
        apply: (batch) =>
          inner.apply(
            batch.map((write) => {
              const { document } = write;
              if (write.expected !== START) return write;
              const expected = read.get(document.id) ?? null;
              // A write at the stored position moves nothing: it is accepted as a repair.
              const repairs = (write.expectedRepairs ?? 0) + (expected === document.position ? 1 : 0);
              return { ...write, expected, document: { ...document, repairs } };
            }),
          ),
      };
    },
  };
}
