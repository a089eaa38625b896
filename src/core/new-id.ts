import { v7 } from 'uuid';
import { freshBytes } from './vault/random.js';

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
