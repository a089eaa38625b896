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

/** Ids in the form in which the server returns them; any other form would come back changed. */
const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** How long a conflict is held back until its reason can be read. */
const SEEN_WITHIN_MS = 500;

/** One append, checked and with bytes of its own: its caller's buffers are free again. */
export interface PreparedAppend {
  readonly stream: StreamName;
  readonly expected: Expected;
  readonly events: readonly ProposedEvent[];
  readonly sends: Sends;
}

/** When an append was sent, of what is not answered: by all calls for it, of which each sends it several times. */
interface Sends {
  unanswered: readonly number[];
}

/** Sends by their list of events, which is the same object if they are sent again. */
const sendsOf = new WeakMap<readonly EncodedEvent[], Sends>();

/** @throws {AppendRefused} no store would take it, or no EventStoreDB */
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

/** @throws {StoreUnavailable} whether it was stored is not known: the same ids may go again */
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
  // The answer to an append that was sent again may leave it out.
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
  // No stream is refused for being where it was expected: then the answer is an old one.
  const stale = actual === null || actual === expected;
  if (stale) return { kind: 'conflict', actual: (await lastRevision(server, stream)) ?? 'no-stream' };
  if (actual !== 'no-stream') await seen(server, stream, actual);
  return { kind: 'conflict', actual };
}

/**
 * Waits until a revision can be read. The server judges by what it has taken and not committed yet: a writer that reads
 * after a conflict would see the same as before, and soon give up. What never comes was lost with a leader.
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
 * Of one append within this time, by all calls for it: a server that was frozen takes all that were sent to it, and each
 * may be as large as an append may be.
 */
const MAX_UNANSWERED = 4;
const UNANSWERED_MS = 10_000;
/** Less than this is not worth another try. */
const MIN_LEFT_MS = 50;

/** Answers that hold whatever becomes of the other tries. */
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
        // All tries met no leader and the time is over, or none is left.
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
      // The pause begins once it is under way: what waits for its turn is not helped by a second one in the queue.
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
          // The first try's: it was under way for the whole time.
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
