import type { Lease } from '../stores/read-store.js';
import { Waiting } from './waiting.js';

/** The lease of a segment that this process works on, as far as it knows. */
export interface Wanted {
  readonly name: string;
  mine: Lease | null;
  takenAt: number;
  /** Ends once the lease is lost, or another process is to have it. */
  term: AbortController;
  /** Among whom it was left over: the one whose share it is did not take it, so it is kept for a while. */
  leftOver: string | null;
  /** How often in a row it was left over. */
  timesLeftOver: number;
  /** What stood there at the last look, and since when. */
  seen: { readonly lease: Lease | null; readonly since: number } | null;
  /** Since when nobody alive has held it, as far as was seen. */
  openSince: number | null;
  lookedAt: number;
  lookedAmong: string;
  /** Not to be taken before, so that another process can. */
  notBefore: number;
  /** What is being done about it: one thing at a time. */
  busy: Promise<void> | null;
  /** For its being held. */
  readonly waiting: Waiting;
}

export const newlyWanted = (name: string): Wanted => ({
  name,
  mine: null,
  takenAt: -Infinity,
  term: new AbortController(),
  leftOver: null,
  timesLeftOver: 0,
  seen: null,
  openSince: null,
  lookedAt: -Infinity,
  lookedAmong: '',
  notBefore: 0,
  busy: null,
  waiting: new Waiting(),
});

/** Ends the term; whether it stands in the store is another matter. */
export function lose(wanted: Wanted): void {
  wanted.mine = null;
  wanted.lookedAt = -Infinity;
  wanted.term.abort();
}
