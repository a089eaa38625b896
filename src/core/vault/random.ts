import { randomBytes } from 'node:crypto';

/** A call for random bytes costs much the same for a dozen as for thousands. */
const POOL_BYTES = 4_096;

let pool = Buffer.alloc(0);
let taken = 0;

/**
 * Random bytes from the system's generator, each of them given once: for what is needed often. Their `buffer` also holds
 * bytes that will be given later.
 * @param count at most 4,096
 */
export function freshBytes(count: number): Buffer {
  if (count > POOL_BYTES) throw new RangeError(`At most ${POOL_BYTES} random bytes are given at once.`);
  if (taken + count > pool.length) {
    // A new pool: what was given of the former one stays as it is.
    pool = randomBytes(POOL_BYTES);
    taken = 0;
  }
  return pool.subarray(taken, (taken += count));
}
