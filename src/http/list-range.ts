import type { ListPart } from '../application/reads.js';
import { Count, Instant, Named } from '../core/json-schema.js';
import { MINUTE_MS } from '../core/timestamp.js';
import { type Query, queryParameter, readQuery } from './list-query.js';

/** A range of time; `null` in `from` or `to`: it is open on this side. */
export interface TimeRange {
  /** Inclusive. */
  readonly from: string | null;
  /** Exclusive. */
  readonly to: string | null;
}

/** Declares `?from=` and `?to=`. @param what happened at that time, such as "invited" */
export const rangeParameters = (what: string) => [
  queryParameter('from', Instant, `Only those ${what} at this time or later.`),
  queryParameter('to', Instant, `Only those ${what} before this time.`),
];

/** Reads `?from=&to=`. @throws {ApiError} `validation_failed` */
export const readRange = (query: Query): TimeRange => ({
  from: readQuery(query, { name: 'from', schema: Instant }),
  to: readQuery(query, { name: 'to', schema: Instant }),
});

/** The part of an index in which the time after the prefix is in the range. */
export const within = ({ from, to }: TimeRange): Pick<ListPart, 'from' | 'upTo'> => ({
  ...(from !== null && { from }),
  ...(to !== null && { upTo: new Date(Date.parse(to) - 1).toISOString() }),
});

/**
 * The part of an index in which the time after the prefix is at most `milliseconds` from now (negative: before now). It
 * is rounded up to the minute, so that requests within a minute read the same page, which may be cached.
 */
export const dueWithin = (milliseconds: number, now = Date.now()): Pick<ListPart, 'upTo'> => ({
  upTo: new Date(Math.ceil((now + milliseconds) / MINUTE_MS) * MINUTE_MS).toISOString(),
});

/** Declares a record with a count for each name. @param $id its name in the OpenAPI document */
export const countsRecord = <const Name extends string>($id: string, names: readonly Name[]) =>
  Named($id, Object.fromEntries(names.map((name) => [name, Count])) as Record<Name, typeof Count>);

/** Counts for each name. */
export const countsOf = async <Name extends string>(
  names: readonly Name[],
  count: (name: Name) => Promise<number>,
): Promise<Readonly<Record<Name, number>>> =>
  Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await count(name)] as const)),
  ) as Record<Name, number>;
