import type { Position } from '../core/event-store.js';
import type { GuardedWrite, Pointer, WriteResult } from './read-store.js';

/** The stored document, as far as a guarded write compares it. */
export interface Current {
  readonly position: string;
  readonly repairs: number;
}

/** A write's guard, and what is stored once it is written. */
export interface Guard {
  readonly expected: Position | null;
  readonly expectedRepairs: number;
  readonly position: Position;
  readonly repairs: number;
}

export const guardOf = ({ expected, expectedRepairs = 0, document }: GuardedWrite): Guard => ({
  expected,
  expectedRepairs,
  position: document.position,
  repairs: document.repairs ?? 0,
});

/** @param current `null`: there is no document */
export const holds = ({ expected, expectedRepairs }: Guard, current: Current | null): boolean =>
  expected === null
    ? current === null
    : current?.position === expected && current.repairs === expectedRepairs;

/** The result of a write whose guard does not hold. */
export const refusal = (
  { expectedRepairs, position, repairs }: Guard,
  current: Current | null,
): WriteResult => {
  const foldsOn = repairs === expectedRepairs && current?.repairs === expectedRepairs;
  return foldsOn && current.position >= position ? 'ahead' : 'behind';
};

/**
 * No two contents of a document ever have the same position and as many repairs: a guard that holds means that nothing
 * was written since.
 * @throws {TypeError} the document goes back, or neither carries the expected repairs along nor is the next repair
 */
export function assertRepairs({ expected, expectedRepairs = 0, document }: GuardedWrite): void {
  const { id, position, repairs = 0 } = document;
  if (!isCount(expectedRepairs) || (expected === null && expectedRepairs !== 0)) {
    throw new TypeError(`No document ${id} can be expected with ${expectedRepairs} repairs.`);
  }
  if (expected !== null && position < expected)
    throw new TypeError(`The document ${id} cannot go back from ${expected} to ${position}.`);
  const due = position === expected ? expectedRepairs + 1 : expectedRepairs;
  if (repairs === due) return;
  throw new TypeError(
    `The document ${id} has to be written with ${due} repairs, not ${repairs}: a fold onward keeps their number, a ` +
      'repair at the same position adds one.',
  );
}

/** @throws {TypeError} the pointer is not the one that follows */
export function assertFollows(view: string, expected: number | null, next: Pointer): void {
  const isRevision = expected === null || (isCount(expected) && expected > 0);
  if (isRevision && next.revision === (expected ?? 0) + 1) return;
  throw new TypeError(
    `A pointer of ${view} with revision ${next.revision} does not follow ${expected === null ? 'none' : `revision ${expected}`}.`,
  );
}

const isCount = (value: number): boolean => Number.isSafeInteger(value) && value >= 0;
