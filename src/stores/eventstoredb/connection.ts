import { setImmediate as freshTurn, setTimeout as sleep } from 'node:timers/promises';
import { within } from '../../core/backoff.js';
import { Semaphore } from '../../core/concurrency.js';
import type { Call, ClientOptions, Driver, DriverClient } from './drivers/driver.js';
import { asClientError, Cancelled, isTemporary, TimedOut } from './faults.js';
import { madeByUrl, type EventStoreDbUrl } from './url.js';

/** Wait before the first retry of a read. */
const FIRST_WAIT_MS = 50;
const MAX_WAIT_MS = 400;
/** How much later than the server's deadline ours is: the server's error has more information than our time-out. */
const GRACE_MS = 250;
/** A connection on which no call was answered for this long is replaced: a new one may reach the server. */
const REPLACE_AFTER_MS = 4_000;
/** If a server answered within this time and cannot be reached now, another node may be about to replace it. */
const RECENT_MS = 2_000;
const CLOSE_TIMEOUT_MS = 1_000;

interface Client {
  readonly driver: DriverClient;
  calls: number;
  /** When it last answered, or was made. */
  answeredAt: number;
}

/** Kinds of calls. Each has slots of its own on a connection, so that no call waits for one of another kind. */
export type Kind = 'append' | 'read' | 'subscription';

/**
 * Calls over one connection to the server, each with a deadline, and never more at once than a connection can carry. The
 * client reconnects by itself after an error; a client that gets no answers at all is replaced here.
 */
export class Connection {
  static #made = 0;
  readonly #slots: Readonly<Record<Kind, Semaphore>>;
  #client: Client;
  #answeredAt = -Infinity;

  /**
   * @param slots calls of each kind at once
   * @throws {StoreUnusable} the client does not take the URL
   */
  constructor(
    private readonly driver: Driver,
    private readonly url: EventStoreDbUrl,
    /** As in the store's options. */
    private readonly limits: { readonly keepAliveMs: number; readonly patient: boolean },
    slots: Readonly<Record<Kind, number>>,
  ) {
    this.#slots = {
      append: new Semaphore(slots.append),
      read: new Semaphore(slots.read),
      subscription: new Semaphore(slots.subscription),
    };
    this.#client = this.#make();
  }

  /**
   * Runs one call. A read is sent again within its deadline if there was no leader, since an election takes a few
   * seconds, or if the connection broke soon after an answer, since the client then finds another node.
   * @param begin gets the time that is left for the call, in milliseconds
   * @throws {TimedOut | Cancelled | Error} no answer in time, the signal aborted, or the client's own error
   */
  async run<T>(
    kind: Kind,
    deadlineMs: number,
    begin: (client: DriverClient, leftMs: number) => Call<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    const until = performance.now() + deadlineMs;
    const isUp = performance.now() - this.#answeredAt <= RECENT_MS;
    let deposed: unknown = null;
    for (let wait = FIRST_WAIT_MS; ; wait = Math.min(2 * wait, MAX_WAIT_MS)) {
      const answer = { begun: false };
      const watched = (client: DriverClient): DriverClient => ({
        ...client,
        readAll: (options, take) => client.readAll(options, (event) => ((answer.begun = true), take(event))),
        readStream: (stream, options, take) =>
          client.readStream(stream, options, (event) => ((answer.begun = true), take(event))),
      });
      try {
        return await this.#once(
          kind,
          until,
          deadlineMs,
          (client, left) => begin(watched(client), left),
          signal,
        );
      } catch (error) {
        const mayWait = kind === 'read' && !answer.begun && !signal?.aborted;
        if (!mayWait || !isTemporary(error, this.limits.patient || isUp || deposed !== null)) throw error;
        // Keep the first error: those during the change to another leader describe the cause less well.
        deposed ??= isTemporary(error, false) ? error : null;
        if (performance.now() + wait >= until) throw deposed ?? error;
        await sleep(wait);
      }
    }
  }

  #once<T>(
    kind: Kind,
    until: number,
    deadlineMs: number,
    begin: (client: DriverClient, leftMs: number) => Call<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    return this.#during(kind, Math.max(1, until - performance.now()), async (used) => {
      const left = Math.max(1, Math.ceil(until - performance.now()));
      try {
        const answer = await answered(begin(used.driver, left), left + GRACE_MS, deadlineMs, signal);
        this.#answeredAt = used.answeredAt = performance.now();
        return answer;
      } catch (error) {
        this.#failed(used, error);
        throw error;
      }
    });
  }

  /**
   * Runs a call without a deadline, such as a subscription, until it ends or the signal aborts.
   * @param slotWithinMs the longest wait for a slot, in milliseconds
   * @throws {TimedOut | Cancelled | Error} no slot was free in time, the signal aborted, or the client's own error
   */
  hold(
    begin: (client: DriverClient) => Call<void>,
    signal: AbortSignal,
    slotWithinMs: number,
  ): Promise<void> {
    return this.#during('subscription', slotWithinMs, (used) =>
      answered(begin(used.driver), null, 0, signal),
    );
  }

  /**
   * Takes a slot, and counts the call so that its client is not closed during it.
   * @throws {TimedOut} no slot was free in time
   */
  async #during<T>(kind: Kind, withinMs: number, call: (used: Client) => Promise<T>): Promise<T> {
    const giveBack = await this.#slots[kind].acquire(withinMs);
    if (giveBack === null) throw new TimedOut(Math.ceil(withinMs));
    // If the client's channel closes in the event turn in which a call begins, it throws where no caller can catch it.
    await freshTurn();
    const used = this.#client;
    used.calls++;
    try {
      return await call(used);
    } finally {
      giveBack();
      used.calls--;
      if (used !== this.#client && used.calls === 0) void closeClient(used);
    }
  }

  /** Further calls use a new connection; calls that have begun end on the former one. */
  renew(): void {
    this.#client = this.#make();
  }

  /** Cancels the calls that have begun, on the current connection. Resolves within a second. */
  async close(): Promise<void> {
    await closeClient(this.#client);
  }

  #make(): Client {
    // No two connections have equal settings, or their clients would share one and its 100 streams.
    const { keepAliveMs } = this.limits;
    const interval = keepAliveMs + (Connection.#made++ % 1_000);
    const options: ClientOptions = {
      connectionString: this.url.connectionString(interval, keepAliveMs),
      credentials: this.url.credentials,
    };
    return {
      driver: madeByUrl(() => withoutAdvice(() => this.driver(options))),
      calls: 0,
      answeredAt: performance.now(),
    };
  }

  #failed(used: Client, error: unknown): void {
    if (error instanceof Cancelled) return;
    const silent = error instanceof TimedOut || asClientError(error).type === 'deadline-exceeded';
    if (!silent) used.answeredAt = performance.now();
    if (used === this.#client && performance.now() - used.answeredAt >= REPLACE_AFTER_MS) this.renew();
  }
}

/**
 * The answer to a call.
 * @param ms the deadline, in milliseconds; `null`: none
 * @param namedMs the time that the error names if the deadline passes
 */
function answered<T>(call: Call<T>, ms: number | null, namedMs: number, signal?: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const over = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', cancel);
    };
    const fail = (error: Error): void => {
      over();
      call.cancel();
      reject(error);
    };
    const cancel = (): void => fail(new Cancelled());
    const timer = ms === null ? undefined : setTimeout(() => fail(new TimedOut(namedMs)), ms);
    call.result.then(
      (answer) => {
        over();
        resolve(answer);
      },
      (error: unknown) => {
        over();
        reject(error instanceof Error ? error : new Error(String(error)));
      },
    );
    signal?.addEventListener('abort', cancel);
    if (signal?.aborted) cancel();
  });
}

async function closeClient({ driver }: Client): Promise<void> {
  await within(CLOSE_TIMEOUT_MS, driver.close(), () => undefined).catch(() => undefined);
}

/**
 * Warnings of the clients that are not printed. One advises against keepalive below 10 s: with the advised values a frozen
 * server is noticed only after 20 s. The other, about tlsVerifyCert, shows the whole URL with its password: `parseUrl`
 * makes a notice in its place.
 */
const ADVICE = ['Specified KeepAliveInterval', '"tlsVerifyCert"'];

function withoutAdvice<T>(make: () => T): T {
  const { warn } = console;
  console.warn = (...words: unknown[]) => {
    if (!ADVICE.some((advice) => String(words[0]).startsWith(advice))) warn.apply(console, words);
  };
  try {
    return make();
  } finally {
    console.warn = warn;
  }
}
