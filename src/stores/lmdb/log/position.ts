import { START, type Position } from '../../../core/event-store.js';

/** The place of an event in the whole log, counted from 1 without a gap. 0 is before the first. */
export type Sequence = number;

// 14 hex digits hold every safe integer, so the width never changes.
const WIDTH = 14;
const POSITION = /^[0-9a-f]{14}$/;

export const toPosition = (sequence: Sequence): Position =>
  sequence === 0 ? START : (sequence.toString(16).padStart(WIDTH, '0') as Position);

/** @throws {RangeError} a text that this adapter never gave out as a position */
export function toSequence(position: Position): Sequence {
  if (position === START) return 0;
  const sequence = POSITION.test(position) ? Number.parseInt(position, 16) : Number.NaN;
  if (!Number.isSafeInteger(sequence) || sequence === 0) {
    throw new RangeError('This is no position of an embedded log.');
  }
  return sequence;
}
