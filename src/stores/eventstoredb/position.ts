import { START, type Position } from '../../core/event-store.js';
import type { RawPosition } from './drivers/driver.js';

/*
 * The commit position, then the prepare position, 16 hex digits each, so that byte order compares commits first. A
 * checkpoint (C, 0) so stands before the event at (C, C), as it must: it says that everything before C was passed.
 */
const HALF = 16;
const POSITION = /^[0-9a-f]{32}$/;
/** What the server writes where it knows no position. */
const NONE = 0xffff_ffff_ffff_ffffn;

const half = (part: bigint): string => part.toString(16).padStart(HALF, '0');

/** Whether the server said where an event stands. */
export const isKnown = (raw: RawPosition | null | undefined): raw is RawPosition =>
  raw !== null && raw !== undefined && raw.commit < NONE && raw.prepare < NONE && raw.commit >= 0n;

export function toPosition({ commit, prepare }: RawPosition): Position {
  const first = half(commit);
  return (first + (prepare === commit ? first : half(prepare))) as Position;
}

/** Whether an event stands exactly there, as none does at a checkpoint between two. */
export const isOnRecord = (position: Position): boolean =>
  position !== START && position.slice(0, HALF) === position.slice(HALF);

/** `null` for `START`. @throws {RangeError} a text that this adapter never gave out as a position */
export function toRaw(position: Position): RawPosition | null {
  if (position === START) return null;
  if (!POSITION.test(position)) throw new RangeError('This is no position of an EventStoreDB log.');
  return {
    commit: BigInt(`0x${position.slice(0, HALF)}`),
    prepare: BigInt(`0x${position.slice(HALF)}`),
  };
}
