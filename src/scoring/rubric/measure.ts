import type { Fraction } from '../arithmetic.js';
import { fraction, ZERO } from '../arithmetic.js';
import type { EvidenceEvent } from '../evidence.js';

/** What one signal finds in a session. */
export interface Measure<Signal extends string = string> {
  readonly signal: Signal;
  /** From 0 to 1. */
  readonly share: Fraction;
  /** What the share counts, as a plain sentence with its figures. */
  readonly finding: string;
  /** Every event it rests on, in order; fewer may be cited. */
  readonly evidence: readonly EvidenceEvent[];
  /** What an event of it is quoted by. */
  readonly quote: (event: EvidenceEvent) => string | null;
}

/** `counted / all`, 0 where there is nothing to count: what did not happen earns nothing. */
export const shareOf = (counted: number | bigint, all: number | bigint): Fraction =>
  BigInt(all) === 0n ? ZERO : fraction(counted, all);

/** `1 change`, `2 changes`. */
export const counted = (count: number | bigint, one: string, many = `${one}s`): string =>
  `${count.toString()} ${BigInt(count) === 1n ? one : many}`;
