import type { ReadStore } from '../stores/read-store.js';

/** The lease of whoever builds a segment apart from those who serve. */
export const builderOf = (segment: string): string => `${segment}.builder`;

/**
 * Leases of their own for whoever builds, so that nobody who is to feed a generation on has to wait until its builder
 * has gone. For a moment both feed it, which does no harm.
 */
export const builderLeases = (leases: ReadStore['leases']): ReadStore['leases'] => ({
  get: (name) => leases.get(builderOf(name)),
  swap: (name, expected, next) => leases.swap(builderOf(name), expected, next),
});
