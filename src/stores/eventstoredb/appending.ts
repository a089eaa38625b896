import { setTimeout as sleep } from 'node:timers/promises';
import { AppendRefused, AppendTooLarge } from '../../core/errors.js';
import {
  type Appended,
  type Conflict,
  type EncodedEvent,
  type Expected,
  type Position,
  type StreamName,
  assertAppendable,
} from '../../core/event-store.js';
import type { Call, DriverClient, ProposedEvent, Written } from './drivers/driver.js';
import { asClientError, Cancelled, isTemporary, TimedOut, storeFault } from './faults.js';
import { lastRevision, streamPage } from './reading.js';
import { isKnown, toPosition, toProposed } from './record.js';
import type { Server } from './server.js';

/** The form of ids that the server returns unchanged. */
const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** How long the answer to a conflict waits until the other writer's event can be read, in milliseconds. */
const SEEN_WITHIN_MS = 500;

/** One append, checked, with a copy of its bytes: the caller may write over its buffers. */
export interface PreparedAppend {
  readonly stream: StreamName;
  readonly expected: Expected;
  readonly events: readonly ProposedEvent[];
  readonly sends: Sends;
}

/** The sends of one append, including all calls that repeat it. */
interface Sends {
  /** When each send without an answer began, by `performance.now()`. */
  unanswered: readonly number[];
}

/** By the list of events, which is the same object if a caller appends it again. */
const sendsOf = new WeakMap<readonly EncodedEvent[], Sends>();

/** @throws {AppendRefused} no store, or no EventStoreDB, accepts it: sending it again is useless */
export function prepare(
  stream: StreamName,
  expected: Expected,
  events: readonly EncodedEvent[],
): PreparedAppend {
  assertAppendable(stream, expected, events);
  if (!events.every(({ id }) => ID.test(id))) {
    throw new AppendRefused("An event's id is a UUID in lower case where the log is an EventStoreDB.");
  }
  const sends = sendsOf.get(events) ?? { unanswered: [] };
  sendsOf.set(events, sends);
  return { stream, expected, events: events.map(toProposed), sends };
}

/** @throws {StoreUnavailable} it is not known whether it was stored: the caller may append the same events again */
export async function append(
  server: Server,
  { stream, expected, events, sends }: PreparedAppend,
): Promise<Appended | Conflict> {
  const { names } = server;
  const revision = expected === 'no-stream' ? 'no_stream' : BigInt(expected);
  let written: Written;
  try {
    written = await send(server, sends, (client, leftMs) =>
      client.append(names.stored(stream), revision, events, leftMs),
    );
  } catch (error) {
    return refused(server, stream, expected, error);
  }
  return appended(server, stream, written);
}

async function appended(
  server: Server,
  stream: StreamName,
  { revision, position }: Written,
): Promise<Appended> {
  // The answer to a repeated append may lack the position.
  const at = isKnown(position) ? toPosition(position) : await positionOf(server, stream, Number(revision));
  server.head.reached(at);
  return { kind: 'appended', revision: Number(revision), position: at };
}

async function positionOf(server: Server, stream: StreamName, revision: number): Promise<Position> {
  const { events } = await streamPage(server, stream, { from: revision, direction: 'forwards', count: 1 });
  const [event] = events;
  if (event?.revision !== revision) {
    throw storeFault(server, new Error(`what was appended to ${stream} cannot be read back`));
  }
  return event.position;
}

async function refused(
  server: Server,
  stream: StreamName,
  expected: Expected,
  error: unknown,
): Promise<Conflict> {
  const { type } = asClientError(error);
  if (type === 'maximum-append-size-exceeded') {
    throw new AppendTooLarge(
      `EventStoreDB at ${server.address} takes smaller appends than the usual 1 MiB: raise its MaxAppendSize.`,
      { cause: error },
    );
  }
  if (type !== 'wrong-expected-version') throw storeFault(server, error);
  const actual = actualOf(error);
  // If the reported revision is the expected one, the answer is out of date: read the stream's revision instead.
  const stale = actual === null || actual === expected;
  if (stale) return { kind: 'conflict', actual: (await lastRevision(server, stream)) ?? 'no-stream' };
  if (actual !== 'no-stream') await seen(server, stream, actual);
  return { kind: 'conflict', actual };
}

/**
 * Waits until a revision can be read. The server refuses an append also for events that it has not committed yet: a
 * writer that reads at once after a conflict would get the same state as before, and soon reach its limit of retries.
 * If the event never can be read, it was lost with a former leader.
 */
async function seen(server: Server, stream: StreamName, revision: number): Promise<void> {
  const until = performance.now() + SEEN_WITHIN_MS;
  for (let pause = 2; performance.now() < until; pause *= 2) {
    const last = await lastRevision(server, stream).catch(() => Infinity);
    if (last !== null && last >= revision) return;
    await sleep(pause);
  }
}

/** The stream's revision by a conflict's error, under either client's name for it; `null`: it has none. */
function actualOf(error: unknown): Expected | null {
  const { actualVersion, actualState } = error as { actualVersion?: unknown; actualState?: unknown };
  const actual = actualVersion ?? actualState;
  if (actual === 'no_stream') return 'no-stream';
  return typeof actual === 'bigint' && actual >= 0n && actual <= BigInt(Number.MAX_SAFE_INTEGER)
    ? Number(actual)
    : null;
}

/** An append that is not answered within this time is sent again, then after twice the time, and so on. */
const AGAIN_AFTER_MS = 400;
/** How often an append is sent, unless the store was opened to wait for its servers. */
const MAX_TRIES = 3;
/**
 * Most sends of one append without an answer within `UNANSWERED_MS`, over all calls that repeat it: a suspended server
 * processes each of them once it resumes, and each may have the largest size of an append.
 */
const MAX_UNANSWERED = 4;
const UNANSWERED_MS = 10_000;
/** With less time than this left, no further try is made. */
const MIN_LEFT_MS = 50;

/** Errors that decide the append, whatever the other tries return. */
const SETTLED = new Set([
  'wrong-expected-version',
  'maximum-append-size-exceeded',
  'access-denied',
  'stream-deleted',
]);

const recent = ({ unanswered }: Sends): number =>
  unanswered.filter((at) => performance.now() - at < UNANSWERED_MS).length;

const isUnanswered = (error: Error, type: string): boolean =>
  error instanceof TimedOut || error instanceof Cancelled || type === 'deadline-exceeded';

/**
 * Sends an append until it is answered, within its one deadline. The server does not answer an append that is repeated
 * while the first one is not committed yet: it reports a timeout after two or three seconds, which is past the deadline.
 * Events with the same ids at the same place are stored once, however often they are sent.
 * @throws {Error} the client's own, or that there was no answer in time
 */
function send(
  { interactive, limits }: Pick<Server, 'interactive' | 'limits'>,
  sends: Sends,
  begin: (client: DriverClient, leftMs: number) => Call<Written>,
): Promise<Written> {
  return new Promise((resolve, reject) => {
    const until = performance.now() + limits.deadlineMs;
    let timer: NodeJS.Timeout | undefined;
    let pause = AGAIN_AFTER_MS;
    let tries = 0;
    let open = 0;
    let over = false;
    let fault: Error | null = null;

    const end = (settle: () => void): void => {
      over = true;
      clearTimeout(timer);
      settle();
    };
    const mayTry = (): boolean =>
      !over &&
      recent(sends) < MAX_UNANSWERED &&
      (limits.patient || tries < MAX_TRIES) &&
      (tries === 0 || until - performance.now() > MIN_LEFT_MS);

    const attempt = (): void => {
      clearTimeout(timer);
      if (!mayTry()) {
        // No try reached a leader and the time is over, or no try is left.
        const last = fault ?? new TimedOut(limits.deadlineMs);
        if (!over && open === 0) end(() => reject(last));
        return;
      }
      tries++;
      open++;
      let sentAt: number | null = null;
      const answered = (): void => {
        sends.unanswered = sends.unanswered.filter((at) => at !== sentAt);
      };
      // The pause begins once the call has a slot: before that, another try would only wait behind this one.
      const beginning = (client: DriverClient, leftMs: number): Call<Written> => {
        if (over) return { result: Promise.reject(new Cancelled()), cancel: () => undefined };
        sentAt = performance.now();
        sends.unanswered = [...sends.unanswered, sentAt];
        timer = setTimeout(attempt, pause);
        pause *= 2;
        return begin(client, leftMs);
      };
      interactive.run('append', Math.ceil(Math.max(1, until - performance.now())), beginning).then(
        (written) => {
          answered();
          if (!over) end(() => resolve(written));
        },
        (caught: unknown) => {
          open--;
          const error = caught instanceof Error ? caught : new Error(String(caught));
          const type = asClientError(error).type ?? '';
          if (!isUnanswered(error, type)) answered();
          if (over) return;
          if (SETTLED.has(type)) fault = error;
          // Report the first try's error: it had the most time.
          const first = (fault ??= error);
          if (type === 'timeout' && mayTry()) attempt();
          else if (isTemporary(error, limits.patient) && mayTry()) return;
          else if (open === 0 || SETTLED.has(type)) end(() => reject(first));
        },
      );
    };
    attempt();
  });
}
