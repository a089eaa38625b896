import { randomFillSync } from 'node:crypto';
import { v7 } from 'uuid';

const ID_BYTES = 16;
/** A call for random bytes costs the same for one id as for hundreds. */
const pool = Buffer.alloc(256 * ID_BYTES);
let taken = pool.length;
let milliseconds = 0;
let sequence = 0;

/** A UUID v7, above all that this process made before. */
export const newId = (): string => {
  if (taken === pool.length) {
    randomFillSync(pool);
    taken = 0;
  }
  const random = pool.subarray(taken, (taken += ID_BYTES));
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
