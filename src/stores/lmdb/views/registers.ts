import { LRUCache } from 'lru-cache';
import { crc32 } from 'node:zlib';
import type { Position } from '../../../core/event-store.js';
import { deepFreeze } from '../../../core/json.js';
import { encodeId } from '../../index-key.js';
import type { GenerationName, Heartbeat, Lease, Pointer, ReadStore } from '../../read-store.js';
import { assertFollows, generationOf } from '../../rules.js';
import { lend } from './record.js';
import type { Session } from './session.js';

/**
 * The first byte of a register's key: c checkpoint, e event at a checkpoint, l lease, p pointer, n number of the view's
 * last generation, h heartbeat.
 */
type Kind = 'c' | 'l' | 'p' | 'n' | 'h' | 'e';

/** The stored value, with the name: the key of a long name has only its hash. */
interface Register {
  readonly name: string;
  readonly value: unknown;
}

/** A register as of its last read. */
interface Known {
  readonly key: Buffer;
  readonly bytes: Buffer | null;
  readonly value: unknown;
}

/** How many parsed registers are cached. */
const REMEMBERED = 2_000;

/** The event at a checkpoint; valid only while the checkpoint is at that position. */
interface CheckpointEvent {
  readonly position: Position;
  readonly eventId: string;
}

/** The read store's checkpoints, leases, pointers and heartbeat, changed by compare-and-set: see `ReadStore`. */
export class Registers {
  /** Parsed values by kind and name. The bytes are read each time and parsed only if they have changed. */
  readonly #known = new LRUCache<string, Known>({ max: REMEMBERED });

  constructor(private readonly session: Session) {}

  readonly checkpoints: ReadStore['checkpoints'] = {
    get: async (name) => this.#get('c', name) as Position | null,
    advance: (name, from, to, eventId = null) =>
      this.#swap<Position>(
        'c',
        name,
        (current) => current === from,
        to,
        // In a register of its own, so that an older version of this program can still read and move the checkpoint.
        eventId === null ? null : { kind: 'e', value: { position: to, eventId } satisfies CheckpointEvent },
      ),
  };

  /** As `ReadStore.checkpointEvent`: `null` too if the checkpoint has moved past the recorded event. */
  async checkpointEvent(name: string): Promise<string | null> {
    const event = this.#get('e', name) as CheckpointEvent | null;
    return event !== null && event.position === this.#get('c', name) ? event.eventId : null;
  }

  readonly leases: ReadStore['leases'] = {
    get: async (name) => this.#get('l', name) as Lease | null,
    swap: async (name, expected, next) =>
      this.#swap<Lease>(
        'l',
        name,
        (current) => current?.owner === expected?.owner && current?.counter === expected?.counter,
        next && { owner: next.owner, counter: next.counter },
      ),
  };

  readonly pointers: ReadStore['pointers'] = {
    get: async (view) => this.#get('p', view) as Pointer | null,
    swap: async (view, expected, next) => {
      assertFollows(view, expected, next);
      const holds = (current: Pointer | null): boolean => (current?.revision ?? null) === expected;
      return this.#swap('p', view, holds, next);
    },
    nextNumber: async (view) => {
      const key = keyOf('n', view);
      const { registers } = this.session.tables;
      return this.session.write(() => {
        const next = ((this.#read(key) as number | null) ?? 0) + 1;
        void registers.put(key, encode(view, next));
        return next;
      });
    },
  };

  readonly clock: ReadStore['clock'] = {
    heartbeat: async () => this.#get('h', 'heartbeat') as Heartbeat | null,
    record: async (expected, next) =>
      this.#swap<Heartbeat>('h', 'heartbeat', (current) => (current?.revision ?? null) === expected, next),
    serverTime: async () => null,
  };

  /** Generations that have checkpoints or leases. */
  generations(): Set<GenerationName> {
    const names = [...this.#names('c'), ...this.#names('l')].map(generationOf);
    return new Set(names.filter((name) => name !== null));
  }

  /** Removes a generation's checkpoints and leases. The view's number is kept, since names are never used again. */
  async drop(generation: GenerationName): Promise<void> {
    const { registers } = this.session.tables;
    await this.session.write(() => {
      for (const kind of ['c', 'l', 'e'] as const) {
        for (const name of this.#names(kind)) {
          if (generationOf(name) === generation) void registers.remove(keyOf(kind, name));
        }
      }
    });
  }

  #names(kind: Kind): string[] {
    const { registers } = this.session.tables;
    const range = registers.getRange({
      start: Buffer.from(kind),
      end: Buffer.from([kind.charCodeAt(0) + 1]),
    });
    return [...range].map(({ value }) => this.#decode(value).name);
  }

  /** For reads outside a write. @throws {StoreUnusable} the register is damaged */
  #get(kind: Kind, name: string): unknown {
    const known = this.#known.get(kind + name);
    const key = known?.key ?? keyOf(kind, name);
    return this.session.read(() => {
      const lent = lend(this.session.tables.registers, key);
      const bytes = lent ? lent.bytes.subarray(0, lent.size) : null;
      if (known && sameBytes(known.bytes, bytes)) return known.value;
      // Frozen: every later reader gets this same value. The lent bytes are copied: LMDB reuses them at its next read.
      const value = bytes === null ? null : deepFreeze(this.#decode(bytes).value);
      this.#known.set(kind + name, { key, bytes: bytes && Buffer.from(bytes), value });
      return value;
    });
  }

  /** Inside a write: includes what the write has put. */
  #read(key: Buffer): unknown {
    const bytes = this.session.tables.registers.getBinary(key);
    return bytes ? this.#decode(bytes).value : null;
  }

  #decode(lent: Uint8Array): Register {
    const bytes = Buffer.from(lent.buffer, lent.byteOffset, lent.byteLength);
    if (bytes.length <= CHECKSUM || crc32(bytes.subarray(CHECKSUM)) !== bytes.readUInt32BE(0)) {
      throw this.session.faults.damaged('a checkpoint, lease or pointer');
    }
    return JSON.parse(bytes.toString('utf8', CHECKSUM)) as Register;
  }

  /**
   * Compare-and-set.
   * @param next `null`: the register is removed
   * @param beside a second register of that name, written in the same transaction
   * @returns false if `holds` rejects the current value
   */
  async #swap<T>(
    kind: Kind,
    name: string,
    holds: (current: T | null) => boolean,
    next: T | null,
    beside: { readonly kind: Kind; readonly value: unknown } | null = null,
  ): Promise<boolean> {
    const key = keyOf(kind, name);
    const value = next === null ? null : encode(name, next);
    const { registers } = this.session.tables;
    return this.session.write(() => {
      if (!holds(this.#read(key) as T | null)) return false;
      void (value ? registers.put(key, value) : registers.remove(key));
      if (beside !== null) void registers.put(keyOf(beside.kind, name), encode(name, beside.value));
      return true;
    });
  }
}

const sameBytes = (a: Buffer | null, b: Buffer | null): boolean =>
  a === null || b === null ? a === b : a.equals(b);

const keyOf = (kind: Kind, name: string): Buffer => Buffer.concat([Buffer.from(kind), encodeId(name)]);

/** Bytes of the CRC-32 that comes first. */
const CHECKSUM = 4;

function encode(name: string, value: unknown): Buffer {
  const text = JSON.stringify({ name, value });
  const bytes = Buffer.allocUnsafe(CHECKSUM + Buffer.byteLength(text));
  bytes.write(text, CHECKSUM);
  bytes.writeUInt32BE(crc32(bytes.subarray(CHECKSUM)), 0);
  return bytes;
}
