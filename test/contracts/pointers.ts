import type { LogId, Position } from '../../src/core/event-store.js';
import type { Generation, GenerationName, Pointer } from '../../src/stores/read-store.js';

export const generation = (number: number): Generation => ({
  name: `things.v1.g${number}` as GenerationName,
  number,
  version: 1,
  log: 'log-1' as LogId,
  fingerprint: 'abc',
  segments: 8,
});

export const pointer = (revision: number, change: Partial<Pointer> = {}): Pointer => ({
  revision,
  live: generation(1),
  turn: 1,
  operation: null,
  next: null,
  former: null,
  freeze: null,
  declined: null,
  ...change,
});

/** One that has everything that a pointer may have. */
export const FULL_POINTER: Pointer = pointer(1, {
  live: generation(2),
  turn: 2,
  operation: '6f0b7a36-32a0-4f5b-8a53-5d2f5b0f8a11',
  next: {
    generation: generation(3),
    operation: null,
    hold: true,
    ready: true,
    failure: {
      eventId: 'e1',
      eventType: 'thing.happened',
      position: '0000000000000009' as Position,
      documentId: '$where.__proto__',
      message: 'Half a pair: \ud800, a zero: \0, and 💡.',
    },
  },
  former: { generation: generation(1), since: '2026-01-05T09:00:00.000Z' },
  freeze: { to: generation(3).name, barrier: '0000000000000012' as Position },
  declined: 'def',
});

/** Tries to change every value of a record, however deep. @returns whether any could be changed */
export function defaced(record: unknown): boolean {
  if (typeof record !== 'object' || record === null) return false;
  let changed = false;
  for (const [key, value] of Object.entries(record)) {
    changed = defaced(value) || changed;
    changed = Reflect.set(record, key, 'defaced') || changed;
  }
  return changed;
}
