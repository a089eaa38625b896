import type { Position } from '../core/event-store.js';
import { longLived } from '../core/signals.js';
import type { IndexKey, ReadStore } from '../stores/read-store.js';
import { backoff, pause } from '../core/backoff.js';
import { reasonOf } from './errors.js';
import type { Leases } from './leases.js';
import { silentLog, Troubles, type EngineLog } from './log.js';
import type { Found, FoundPage, ViewReader } from './reads.js';
import type { AnyView, DocumentOf } from './view.js';
import { wakeUps } from './progress.js';

export interface ReactorOptions<V extends AnyView> {
  readonly name: string;
  /** Lists what is asked and not answered; an entry leaves it by what `act` makes happen. */
  readonly view: V;
  readonly index: string;
  readonly prefix?: IndexKey;
  /** Upper bound of the key part after the prefix, asked anew for each look: what is due by now. */
  readonly upTo?: () => string | number;
  /**
   * Carries out one entry. It may be called again for the same one, also by another process at the same time: its
   * effect is a command whose id is made of the causing event and the reactor's name. Throwing: again later.
   */
  act(found: Found<DocumentOf<V>>): Promise<void>;
  /** Position of `reactor.installed`: the reactor does not act on entries at or before it. */
  readonly installedAt: () => Promise<Position>;
  readonly readStore: ReadStore;
  readonly reader: Pick<ViewReader, 'page'>;
  /** The process's. */
  readonly leases: Leases;
  readonly log?: EngineLog;
  /** Acts at most so many entries at once. */
  readonly concurrency?: number;
  /** How often it looks without being woken: for a view fed by another process, and for what becomes due. */
  readonly pollMs?: number;
  readonly retry?: { readonly baseMs: number; readonly capMs: number };
}

export interface Reactor {
  /** Ends after the entries at hand. */
  stop(): Promise<void>;
}

interface Attempt {
  readonly position: Position;
  readonly failures: number;
  /** Not again before, on this process's clock; infinite once it was done. */
  readonly notBefore: number;
}

const PAGE = 100;

/** Does what a view lists as still to be done, in one process at a time, until it is stopped. */
export function startReactor<V extends AnyView>(options: ReactorOptions<V>): Reactor {
  const { name, view, reader, readStore, leases } = options;
  const { concurrency = 4, pollMs = 1000, log = silentLog } = options;
  const retry = options.retry ?? { baseMs: 250, capMs: 60_000 };
  const abort = longLived();
  const { signal } = abort;
  const lease = `reactor.${name}`;
  /** Only what was listed at the last look; forgetting it all would merely repeat commands that do nothing again. */
  const attempts = new Map<string, Attempt>();
  /** What is being carried out, by id. */
  const atHand = new Map<string, Promise<void>>();
  const woken = wakeUps(readStore, view.name, signal);

  async function look(installedAt: Position): Promise<void> {
    const listed = new Set<string>();
    let cursor: string | null = null;
    do {
      const page: FoundPage<DocumentOf<V>> = await nextPage(cursor);
      const items = page.items.filter(({ position }) => position > installedAt);
      for (const { id } of items) listed.add(id);
      await actAll(items);
      cursor = page.nextCursor;
    } while (cursor !== null && going());
    for (const id of attempts.keys()) if (!listed.has(id) && !atHand.has(id)) attempts.delete(id);
  }

  function nextPage(cursor: string | null): Promise<FoundPage<DocumentOf<V>>> {
    const { index, prefix = [] } = options;
    return reader.page(view, {
      index,
      prefix,
      limit: PAGE,
      cursor: cursor ?? undefined,
      upTo: options.upTo?.(),
      evenParked: true,
    });
  }

  /** Begins on all that is due, as far as there is room: one that takes minutes does not delay the next look. */
  async function actAll(items: readonly Found<DocumentOf<V>>[]): Promise<void> {
    for (const item of items) {
      while (atHand.size >= concurrency) await Promise.race(atHand.values());
      if (!going()) return;
      if (!atHand.has(item.id)) atHand.set(item.id, act(item));
    }
  }

  async function act(item: Found<DocumentOf<V>>): Promise<void> {
    const known = attempts.get(item.id);
    const result = await attempt(item);
    attempts.set(item.id, result);
    atHand.delete(item.id);
    if (result !== known) woken.wake();
  }

  async function attempt(found: Found<DocumentOf<V>>): Promise<Attempt> {
    const { id, position } = found;
    const former = attempts.get(id);
    const known = former?.position === position ? former : { position, failures: 0, notBefore: 0 };
    if (performance.now() < known.notBefore) return known;
    try {
      await options.act(found);
      return { position, failures: 0, notBefore: Infinity };
    } catch (error) {
      const wait = backoff(known.failures, retry.baseMs, retry.capMs);
      log.warn(
        { reactor: name, id, reason: reasonOf(error) },
        `The reactor "${name}" failed; it tries again.`,
      );
      return { position, failures: known.failures + 1, notBefore: performance.now() + wait };
    }
  }

  const going = (): boolean => !signal.aborted && leases.holds(lease);

  /** When the next failed entry may be tried again, at most `pollMs` from now. */
  function untilNext(): number {
    const now = performance.now();
    let wait = pollMs;
    for (const [id, { notBefore }] of attempts)
      if (!atHand.has(id)) wait = Math.min(wait, Math.max(0, notBefore - now));
    return wait;
  }

  async function run(): Promise<void> {
    const troubles = new Troubles(log);
    let installedAt: Position | null = null;
    for (let failures = 0; !signal.aborted;) {
      await leases.acquired(lease, signal);
      if (!going()) continue;
      try {
        installedAt ??= await options.installedAt();
        woken.reset();
        await look(installedAt);
        failures = 0;
        troubles.over(name);
        await woken.next(untilNext());
      } catch (error) {
        const fields = { reactor: name, reason: reasonOf(error) };
        troubles.warn(name, fields, `The reactor "${name}" could not look; it will again.`);
        await pause(backoff(failures++, retry.baseMs, retry.capMs), signal);
      }
    }
  }

  const running = run();
  return {
    stop: async () => {
      abort.abort();
      await running;
      await Promise.all(atHand.values());
      await leases.forget(lease);
    },
  };
}
