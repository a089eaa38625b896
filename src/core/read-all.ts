import type { EventStore } from './event-store.js';

export type ReadAllOptions = NonNullable<Parameters<EventStore['readAll']>[0]>;

/** @throws {TypeError} a read of the log has two beginnings */
export function assertOneStart({ after, from }: ReadAllOptions): void {
  if (after !== undefined && from !== undefined)
    throw new TypeError('A read of the log begins after a position or from one, not both.');
}
