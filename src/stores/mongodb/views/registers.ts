import type { Collection, Db } from 'mongodb';
import { StoreUnusable } from '../../../core/errors.js';
import type { Position } from '../../../core/event-store.js';
import type { GenerationName, Heartbeat, Json, Pointer, ReadStore } from '../../read-store.js';
import { assertFollows, generationOf } from '../../rules.js';
import { inserted } from '../collections.js';
import type { Session } from '../session.js';
import { bodyOf, type StoredBody, storedBody } from './body.js';
import { gathered, gatheredMoves, type Movable } from './gathered.js';
import { REMEDY } from './record.js';
import { keyOf } from './text-key.js';

interface Named {
  readonly _id: string;
  readonly name: string;
  /** The generation with which it is removed; `null`: it belongs to none. */
  readonly generation: GenerationName | null;
}

interface CheckpointRecord extends Named, Movable {}

interface LeaseRecord extends Named {
  readonly owner: string;
  readonly counter: number;
}

interface PointerRecord {
  readonly _id: string;
  readonly view: string;
  /** Compared by a swap. */
  readonly revision: number;
  readonly pointer: StoredBody;
}

interface NumberRecord {
  readonly _id: string;
  readonly view: string;
  readonly number: number;
}

interface HeartbeatRecord extends Heartbeat {
  readonly _id: string;
}

const checkpointsOf = (db: Db): Collection<CheckpointRecord> =>
  db.collection<CheckpointRecord>('checkpoints');
const leasesOf = (db: Db): Collection<LeaseRecord> => db.collection<LeaseRecord>('leases');
const pointersOf = (db: Db): Collection<PointerRecord> => db.collection<PointerRecord>('pointers');
const numbersOf = (db: Db): Collection<NumberRecord> => db.collection<NumberRecord>('numbers');
const clockOf = (db: Db): Collection<HeartbeatRecord> => db.collection<HeartbeatRecord>('clock');
const HEARTBEAT = 'heartbeat';

/**
 * Small named values, changed by compare-and-set. If a change takes effect and its answer is lost, the call throws; the
 * same call again then returns false, since the stored value is no longer the expected one. Views poll checkpoints,
 * leases and pointers, and move checkpoints, at the same moments: such calls share a command (`gathered`).
 */
export class Registers {
  readonly #checkpoint: (name: string) => Promise<CheckpointRecord | null>;
  readonly #move: (name: string, from: Position, to: Position, eventId: string | null) => Promise<boolean>;
  readonly #lease: (name: string) => Promise<LeaseRecord | null>;
  readonly #pointer: (name: string) => Promise<PointerRecord | null>;

  constructor(private readonly session: Session) {
    this.#checkpoint = gathered(session, checkpointsOf);
    this.#move = gatheredMoves(session, checkpointsOf);
    this.#lease = gathered(session, leasesOf);
    this.#pointer = gathered(session, pointersOf);
  }

  readonly checkpoints: ReadStore['checkpoints'] = {
    get: async (name) => {
      const found = await this.#checkpoint(name);
      return found && found.position;
    },
    advance: (name, from, to, eventId = null) => {
      if (from !== null) return this.#move(name, from, to, eventId);
      return this.session.call((db) =>
        inserted(
          checkpointsOf(db).insertOne({
            ...named(name),
            position: to,
            event: eventId === null ? null : { at: to, id: eventId },
          }),
        ),
      );
    },
  };

  /** As `ReadStore.checkpointEvent`. Also `null` if a former version of this program moved it: that stores no event. */
  async checkpointEvent(name: string): Promise<string | null> {
    const found = await this.#checkpoint(name);
    return found?.event?.at === found?.position ? (found?.event?.id ?? null) : null;
  }

  readonly leases: ReadStore['leases'] = {
    get: async (name) => {
      const found = await this.#lease(name);
      return found && { owner: found.owner, counter: found.counter };
    },
    swap: (name, expected, next) =>
      this.session.call(async (db) => {
        const leases = leasesOf(db);
        const _id = keyOf(name);
        if (expected === null) {
          if (next === null) return (await leases.findOne({ _id })) === null;
          return inserted(leases.insertOne({ ...named(name), owner: next.owner, counter: next.counter }));
        }
        const guard = { _id, owner: expected.owner, counter: expected.counter };
        if (next === null) return (await leases.deleteOne(guard)).deletedCount === 1;
        const { owner, counter } = next;
        return (await leases.updateOne(guard, { $set: { owner, counter } })).matchedCount === 1;
      }),
  };

  readonly pointers: ReadStore['pointers'] = {
    get: async (view) => {
      const found = await this.#pointer(view);
      return found && parse(found);
    },
    swap: async (view, expected, next) => {
      assertFollows(view, expected, next);
      const _id = keyOf(view);
      const change = { revision: next.revision, pointer: storedBody(next as unknown as Json) };
      return this.session.call(async (db) => {
        const pointers = pointersOf(db);
        if (expected === null) return inserted(pointers.insertOne({ _id, view, ...change }));
        const { matchedCount } = await pointers.updateOne({ _id, revision: expected }, { $set: change });
        return matchedCount === 1;
      });
    },
    nextNumber: (view) =>
      this.session.call(async (db) => {
        for (;;) {
          const next = await raise(numbersOf(db), view);
          if (next !== null) return next;
        }
      }),
  };

  readonly clock: ReadStore['clock'] = {
    heartbeat: () =>
      this.session.call(async (db) => {
        const found = await clockOf(db).findOne({ _id: HEARTBEAT });
        if (found === null) return null;
        const { revision, at, alikeMs, doubted } = found;
        return { revision, at, alikeMs, doubted };
      }),
    record: (expected, next) =>
      this.session.call(async (db) => {
        const { revision, at, alikeMs, doubted } = next;
        const fields = { revision, at, alikeMs, doubted: doubted && { ...doubted } };
        if (expected === null) return inserted(clockOf(db).insertOne({ _id: HEARTBEAT, ...fields }));
        const guard = { _id: HEARTBEAT, revision: expected };
        return (await clockOf(db).updateOne(guard, { $set: fields })).matchedCount === 1;
      }),
    serverTime: () =>
      this.session.call(async (db) => {
        const { localTime } = (await db.command({ hello: 1 })) as { readonly localTime?: unknown };
        return localTime instanceof Date ? localTime.getTime() : null;
      }),
  };

  /** Generations that have checkpoints or leases. */
  async generations(): Promise<GenerationName[]> {
    const names = await this.session.call((db) =>
      Promise.all([checkpointsOf(db).distinct('generation'), leasesOf(db).distinct('generation')]),
    );
    return names.flat().filter((name) => name !== null);
  }

  /** Removes a generation's checkpoints and leases. The view's number is kept, since names are never used again. */
  async drop(generation: GenerationName): Promise<void> {
    await this.session.longCall(async (db) => {
      await checkpointsOf(db).deleteMany({ generation });
      await leasesOf(db).deleteMany({ generation });
    });
  }
}

const named = (name: string): Named => ({ _id: keyOf(name), name, generation: generationOf(name) });

/** @throws {StoreUnusable} the record is damaged */
function parse({ view, pointer }: PointerRecord): Pointer {
  try {
    return bodyOf(pointer) as unknown as Pointer;
  } catch (cause) {
    throw new StoreUnusable(`The read store's pointer of the view ${view} is damaged. ${REMEDY}`, { cause });
  }
}

/**
 * Raises the counter by one and returns it, only if this call raised it: if the answer was lost, the number is skipped.
 * @returns `null`: another call came first
 */
async function raise(numbers: Collection<NumberRecord>, view: string): Promise<number | null> {
  const _id = keyOf(view);
  const { number } = (await numbers.findOne({ _id })) ?? { number: 0 };
  const next = number + 1;
  if (number === 0) return (await inserted(numbers.insertOne({ _id, view, number: next }))) ? next : null;
  const { matchedCount } = await numbers.updateOne({ _id, number }, { $set: { number: next } });
  return matchedCount === 1 ? next : null;
}
