import { randomBytes } from 'node:crypto';
import { v7, validate, version } from 'uuid';

/** A call for random bytes costs much the same for a dozen as for thousands. */
const POOL_BYTES = 4_096;

let pool = Buffer.alloc(0);
let taken = 0;

/**
 * Random bytes from the system's generator, taken from a pool; no byte is returned twice. Their `buffer` also holds
 * bytes for later calls.
 * @param count at most 4,096
 */
export function freshBytes(count: number): Buffer {
  if (count > POOL_BYTES) throw new RangeError(`At most ${POOL_BYTES} random bytes are given at once.`);
  if (taken + count > pool.length) {
    // A new pool: callers still use bytes of the former one.
    pool = randomBytes(POOL_BYTES);
    taken = 0;
  }
  return pool.subarray(taken, (taken += count));
}

const ID_BYTES = 16;
let milliseconds = 0;
let sequence = 0;

/** A UUID v7, above all that this process made before. */
export const newId = (): string => {
  const random = freshBytes(ID_BYTES);
  const now = Date.now();
  if (now > milliseconds) {
    milliseconds = now;
    // Its highest bit is free, so that there is room to count within a millisecond.
    sequence = random.readUInt32BE(6) >>> 1;
  } else if (++sequence > 0xffff_ffff) {
    sequence = 0;
    milliseconds++;
  }
  return v7({ random, msecs: milliseconds, seq: sequence });
};

/** When a UUID v7 was made, in milliseconds since the epoch; `null`: the text is no UUID v7. */
export const timeOfId = (id: string): number | null =>
  validate(id) && version(id) === 7 ? Number.parseInt(id.replace('-', '').slice(0, 12), 16) : null;
