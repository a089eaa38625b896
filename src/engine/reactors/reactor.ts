/*
 * reactors/: background work that events cause. It promises that every entry that a view lists as still to be done is
 * carried out, by one process at a time, and again if it failed. It may assume that its action has an id of its own, so
 * that a repetition changes nothing, and that the action's events remove the entry from the list. Order: take the lease
 * (`leased-poller`), read the list, act on what is due, sleep until an event or a time wakes it (`wake-ups`).
 */
import { backoff } from '../../core/backoff.js';
import type { Position } from '../../core/event-store.js';
import { anySignal, longLived } from '../../core/signals.js';
import type { IndexKey, ReadStore } from '../../stores/read-store.js';
import { reasonOf } from '../errors.js';
import { silentLog, type EngineLog } from '../log.js';
import type { Leases } from '../ownership/leases.js';
import type { Found, FoundPage, PageQuery, ViewReader } from '../reads/reads.js';
import type { Timekeeper } from '../trusted-clock.js';
import type { AnyView, DocumentOf } from '../view.js';
import { pollUnderLease } from './leased-poller.js';
import { WakeUps } from './wake-ups.js';

export interface ReactorOptions<V extends AnyView> {
  /** Names its lease, and is part of the ids of its commands: it never changes. */
  readonly name: string;
  /** Lists what is still to be done; an entry leaves the list by the events that `act` causes. */
  readonly view: V;
  readonly index: string;
  /** Only the entries of the index whose keys begin with it. Default: all. */
  readonly prefix?: IndexKey;
  /** When an entry is due, RFC 3339: the index's key part after the prefix. Default: at once. */
  readonly dueAt?: (document: DocumentOf<V>) => string;
  /**
   * Carries out one entry. It may be called again for the same one, also by another process at the same time: its
   * effect is a command whose id is made of the causing event and the reactor's name. If it throws, it is called again
   * later.
   * @param now the time of the poll: the entry was due by then
   * @param ends aborts once another process may carry it out, or the reactor is stopped: end long work then, and throw
   */
  act(found: Found<DocumentOf<V>>, now: Date, ends: AbortSignal): Promise<void>;
  /** Called only if there is a `dueAt`: while it returns `null`, no entry is due. */
  readonly timekeeper: Timekeeper;
  /** Position of `reactor.installed`: the reactor does not act on entries at or before it. */
  readonly installedAt: () => Promise<Position>;
  readonly readStore: ReadStore;
  readonly reader: Pick<ViewReader, 'page' | 'hasReached'>;
  /** The leases of this process. */
  readonly leases: Leases;
  /** By default nothing is logged. */
  readonly log?: EngineLog;
  /** Most entries that it acts on at once. Default: 4. */
  readonly concurrency?: number;
  /** How often it polls while the view, fed by another process, is behind, in milliseconds. Default: 1,000. */
  readonly pollMs?: number;
  /**
   * How long a failed entry waits before it is tried again: `baseMs`, then twice as long each time, up to `capMs`.
   * Default: 250 ms up to a minute.
   */
  readonly retry?: { readonly baseMs: number; readonly capMs: number };
}

/** Does what a view lists as still to be done. */
export interface Reactor {
  /** Resolves once the current entries are carried out, or have ended by their signal. */
  stop(): Promise<void>;
}

interface Attempt {
  readonly position: Position;
  readonly failures: number;
  /** Earliest time of the next attempt, on this process's clock; infinite once it was done. */
  readonly notBefore: number;
}

/** Documents in a page of the view. */
const PAGE = 100;
/**
 * How long a process with a doubtful clock leaves the lease to another one, whose clock may be right, in milliseconds.
 */
const IN_DOUBT_MS = 10_000;

/** Carries out what a view lists as still to be done, in one process at a time, until it is stopped. */
export function startReactor<V extends AnyView>(options: ReactorOptions<V>): Reactor {
  const { name, view, reader, readStore, leases, timekeeper } = options;
  const { concurrency = 4, dueAt, log = silentLog } = options;
  const retry = options.retry ?? { baseMs: 250, capMs: 60_000 };
  const abort = longLived();
  const { signal } = abort;
  const lease = `reactor.${name}`;
  /** Attempts at the last poll's entries. They save repeated commands, which would do nothing more. */
  const attempts = new Map<string, Attempt>();
  /** Actions under way, by id. */
  const atHand = new Map<string, Promise<void>>();
  const wakeUps = new WakeUps(view, readStore, reader, signal, options.pollMs);

  /** @returns milliseconds until the next entry is due or may be tried again, as of this read of the list */
  async function poll(installedAt: Position, lost: AbortSignal): Promise<number> {
    const now = dueAt ? await timekeeper.nowIfTrusted('end') : new Date();
    if (now === null) {
      await leases.giveUp(lease, Math.min(IN_DOUBT_MS, retry.capMs));
      return 0;
    }
    const listed = new Set<string>();
    const upTo = dueAt && now.toISOString();
    let cursor: string | null = null;
    let due = 0;
    do {
      const page: FoundPage<DocumentOf<V>> = await listedBy({
        limit: PAGE,
        cursor: cursor ?? undefined,
        upTo,
      });
      due += page.items.length;
      const items = page.items.filter(({ position }) => position > installedAt);
      for (const { id } of items) listed.add(id);
      await actAll(items, (item) => act(item, now, lost));
      cursor = page.nextCursor;
    } while (cursor !== null && mayGoOn());
    for (const id of attempts.keys()) if (!listed.has(id) && !atHand.has(id)) attempts.delete(id);
    return Math.min(untilRetry(), dueAt ? await untilDue(dueAt, due) : Infinity);
  }

  function listedBy(query: Pick<PageQuery, 'limit' | 'cursor' | 'upTo'>): Promise<FoundPage<DocumentOf<V>>> {
    const { index, prefix = [] } = options;
    return reader.page(view, { index, prefix, evenParked: true, ...query });
  }

  /** Milliseconds until the next entry is due, after the `before` entries that are already due. */
  async function untilDue(at: (document: DocumentOf<V>) => string, before: number): Promise<number> {
    // If a page of them is due, the events of `act` wake the reactor soon.
    if (before >= PAGE) return Infinity;
    const next = (await listedBy({ limit: before + 1 })).items[before];
    return next === undefined ? Infinity : Math.max(0, Date.parse(at(next.document)) - Date.now());
  }

  /**
   * Begins all due entries, within `concurrency`. It does not wait for their end: one that takes minutes must not delay
   * the next poll.
   */
  async function actAll(
    items: readonly Found<DocumentOf<V>>[],
    begin: (item: Found<DocumentOf<V>>) => Promise<void>,
  ): Promise<void> {
    for (const item of items) {
      while (atHand.size >= concurrency) await Promise.race(atHand.values());
      if (!mayGoOn()) return;
      if (!atHand.has(item.id)) atHand.set(item.id, begin(item));
    }
  }

  /** Acts on one entry, keeps the result, and wakes the next poll unless nothing was done. */
  async function act(item: Found<DocumentOf<V>>, now: Date, lost: AbortSignal): Promise<void> {
    const known = attempts.get(item.id);
    const result = await attempt(item, now, lost);
    attempts.set(item.id, result);
    atHand.delete(item.id);
    if (result !== known) wakeUps.wake();
  }

  /** @returns the former attempt if it is too early for another one */
  async function attempt(found: Found<DocumentOf<V>>, now: Date, lost: AbortSignal): Promise<Attempt> {
    const { id, position } = found;
    const former = attempts.get(id);
    const known = former?.position === position ? former : { position, failures: 0, notBefore: 0 };
    if (performance.now() < known.notBefore) return known;
    const ends = anySignal(signal, lost);
    try {
      await options.act(found, now, ends.signal);
      return { position, failures: 0, notBefore: Infinity };
    } catch (error) {
      // It was ended, and is due if this process gets the lease again.
      if (ends.signal.aborted) return { ...known, notBefore: 0 };
      const wait = backoff(known.failures, retry.baseMs, retry.capMs);
      log.warn(
        { reactor: name, id, reason: reasonOf(error) },
        `The reactor "${name}" failed; it tries again.`,
      );
      return { position, failures: known.failures + 1, notBefore: performance.now() + wait };
    } finally {
      ends.end();
    }
  }

  /** Whether this process may begin another entry. */
  const mayGoOn = (): boolean => !signal.aborted && leases.holds(lease);

  /** Milliseconds until the next failed entry may be tried again. */
  function untilRetry(): number {
    const now = performance.now();
    let wait = Infinity;
    for (const [id, { notBefore }] of attempts)
      if (!atHand.has(id)) wait = Math.min(wait, Math.max(0, notBefore - now));
    return wait;
  }

  let installedAt: Position | null = null;
  const running = pollUnderLease({
    lease,
    leases,
    signal,
    wakeUps,
    log,
    warning: `The reactor "${name}" could not read what is due. It tries again.`,
    retry,
    poll: async (lost) => {
      installedAt ??= await options.installedAt();
      return poll(installedAt, lost);
    },
  });
  return {
    stop: async () => {
      abort.abort();
      await running;
      await Promise.all(atHand.values());
      await leases.forget(lease);
    },
  };
}
