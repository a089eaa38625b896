import { MongoClient, ReadConcern, type Db, type MongoClientOptions } from 'mongodb';
import { setTimeout as sleep } from 'node:timers/promises';
import { within } from '../../core/backoff.js';
import { StoreUnusable } from '../../core/errors.js';
import {
  describeMongoFailure,
  isNotPrimary,
  isUnauthorized,
  isUnavailable,
  MongoDeadlineExceeded,
} from './failure.js';
import { parseMongoUrl, type MongoUrl } from './url.js';

export interface MongoOptions {
  /** How long one call may take, in milliseconds. Default 3,000. */
  readonly timeoutMs?: number;
  /** The name of this client in the server's logs. Default `assay`. */
  readonly appName?: string;
  /**
   * Repeats a call within its deadline while the server is unreachable, even if it may have taken effect, since every
   * write has a guard. For operators' commands, which no caller repeats.
   */
  readonly patient?: boolean;
}

/** A client of its own, with majority reads and writes at the primary. Standalone, replica set or sharded cluster. */
export interface MongoConnection {
  readonly db: Db;
  /** The server's name in messages: scheme, hosts and database. */
  readonly shown: string;
  /**
   * Runs calls of `db` under one deadline; a call that was sent may still take effect after it. If the server refuses a
   * call because it is no longer the primary, it has done nothing: the calls are run again within the deadline.
   * @param timeoutMs for calls that may take longer than a point read or write: at most three times the default
   * @throws {MongoDeadlineExceeded} no answer in time
   * @throws the driver's own errors otherwise: see `describeMongoFailure`
   */
  run<T>(work: (db: Db) => Promise<T>, timeoutMs?: number): Promise<T>;
  /** Ends within the deadline, even if the server does not answer. Idempotent. */
  close(): Promise<void>;
}

/** How long one call may take by default. */
export const DEFAULT_TIMEOUT_MS = 3_000;
/** How many deadlines the longest call may take: a page, a batch, or work on a whole collection. */
export const MAX_CALL_DEADLINES = 3;
/** How often a monitor checks each server; while a call waits for one, the driver checks twice a second. */
const HEARTBEAT_MS = 10_000;
const MAX_CONNECT_MS = 2_000;

/**
 * Connects and checks that the server answers, is new enough and accepts the credentials. Afterwards the driver
 * reconnects by itself if a server was unreachable.
 * @throws {StoreUnusable} refused until an operator acts: bad URL or credentials, too old a server, no permission
 * @throws a driver's error for which `isUnavailable` holds: the server is unreachable
 */
export async function connectMongo(url: string, options: MongoOptions = {}): Promise<MongoConnection> {
  const { timeoutMs = DEFAULT_TIMEOUT_MS, patient = false } = options;
  const isTemporary = patient ? isUnavailable : isNotPrimary;
  const target = parseMongoUrl(url);
  const client = makeClient(target, clientOptions(timeoutMs, options.appName ?? 'assay'));
  try {
    // On the database itself, so that the URL's options cannot weaken them.
    const db = client.db(target.database, {
      writeConcern: { w: 'majority', journal: true, wtimeoutMS: timeoutMs },
      readConcern: new ReadConcern('majority'),
      readPreference: 'primary',
    });
    await inTime(
      timeoutMs,
      repeated(timeoutMs, isTemporary, () => firstCalls(client, db)),
    );
    const probe = (): MongoClient =>
      makeClient(target, clientOptions(timeoutMs, `${options.appName ?? 'assay'} probe`));
    return connection({ client, db, shown: target.shown, timeoutMs, isTemporary }, probe);
  } catch (error) {
    await closeQuietly(client, timeoutMs);
    throw isUnavailable(error) ? error : unusable(target, error);
  }
}

async function firstCalls(client: MongoClient, db: Db): Promise<void> {
  await client.connect();
  await db.command({ ping: 1 });
  // A server answers a ping without credentials, but this command only with them.
  await db.listCollections({}, { nameOnly: true }).toArray();
}

interface Connected extends Pick<MongoConnection, 'db' | 'shown'> {
  readonly client: MongoClient;
  readonly timeoutMs: number;
  /** Whether a call that failed with this error is run again. */
  readonly isTemporary: (error: unknown) => boolean;
}

function connection(
  { client, db, shown, timeoutMs, isTemporary }: Connected,
  probe: () => MongoClient,
): MongoConnection {
  let closing: Promise<void> | undefined;
  const recycler = new ClientRecycler({
    answers: async () => {
      const other = probe();
      try {
        await inTime(timeoutMs, other.db(db.databaseName).command({ ping: 1 }));
        return true;
      } catch {
        return false;
      } finally {
        await closeQuietly(other, timeoutMs);
      }
    },
    reconnect: async () => {
      await closeQuietly(client, timeoutMs);
      if (!closing) await inTime(timeoutMs, client.connect());
    },
  });
  return {
    db,
    shown,
    run: (work, ownTimeoutMs = timeoutMs) =>
      recycler.watch(
        inTime(
          ownTimeoutMs,
          repeated(ownTimeoutMs, isTemporary, () => work(db)),
        ),
      ),
    close: () => (closing ??= closeQuietly(client, timeoutMs)),
  };
}

const FIRST_WAIT_MS = 50;
const MAX_WAIT_MS = 400;

/** Repeats a call that fails with a temporary error, until that many milliseconds have passed. */
async function repeated<T>(
  milliseconds: number,
  isTemporary: (error: unknown) => boolean,
  work: () => Promise<T>,
): Promise<T> {
  const until = performance.now() + milliseconds;
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(2 * wait, MAX_WAIT_MS)) {
    try {
      return await work();
    } catch (error) {
      if (!isTemporary(error) || performance.now() + wait >= until) throw error;
      await sleep(wait);
    }
  }
}

const clientOptions = (timeoutMs: number, appName: string): MongoClientOptions => ({
  appName,
  // A write with an unknown outcome is repeated by its caller, which has the guard of the write.
  retryWrites: false,
  retryReads: true,
  // Each ends a little before the next, so that a call fails with its cause, if that is known, and not with its
  // deadline.
  connectTimeoutMS: Math.min(Math.ceil((timeoutMs * 2) / 3), MAX_CONNECT_MS),
  serverSelectionTimeoutMS: Math.ceil((timeoutMs * 5) / 6),
  waitQueueTimeoutMS: timeoutMs,
  socketTimeoutMS: timeoutMs * MAX_CALL_DEADLINES,
  heartbeatFrequencyMS: HEARTBEAT_MS,
  // The same on every kind of server; a monitor that gets no answer ends the calls in flight.
  serverMonitoringMode: 'poll',
});

function makeClient(target: MongoUrl, options: MongoClientOptions): MongoClient {
  try {
    return new MongoClient(target.url, options);
  } catch (error) {
    // The driver's message may quote a part of the URL that is a password.
    const option =
      error instanceof Error && /^(?:URI )?options? [\w, ]+ (?:is|are) not supported$/i.exec(error.message);
    throw new StoreUnusable(
      `The MongoDB URL of ${target.shown} is not valid (${option ? option[0] : 'check its hosts, its credentials and its options'}).`,
    );
  }
}

const NO_USER =
  'the server wants a user, and the URL names none: put its name and password before the host, with : between and @ after them';

const unusable = (target: MongoUrl, error: unknown): Error => {
  if (error instanceof StoreUnusable) return error;
  const why = !target.signsIn && isUnauthorized(error) ? NO_USER : describeMongoFailure(error);
  return new StoreUnusable(`${target.shown} cannot be used: ${why}.`, { cause: error });
};

const inTime = <T>(milliseconds: number, work: Promise<T>): Promise<T> =>
  within(milliseconds, work, () => {
    throw new MongoDeadlineExceeded(milliseconds);
  });

async function closeQuietly(client: MongoClient, timeoutMs: number): Promise<void> {
  await inTime(timeoutMs, client.close()).catch(() => undefined);
}

/** After this time without a successful call, a second client is made to test the first one, in milliseconds. */
const DOUBT_MS = 8_000;

interface RecyclerOptions {
  /** Whether the server answers a new client. */
  readonly answers: () => Promise<boolean>;
  /** Closes all connections of the client in use and connects it again. */
  readonly reconnect: () => Promise<void>;
  readonly doubtMs?: number;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}

/**
 * Reconnects a client that no longer finds its server. The driver observes servers by monitors, and after broken
 * connections a monitor may stop for good (observed): the server then answers other clients, but not this one until its
 * process is restarted. So if all calls have failed for `doubtMs` and a new client gets an answer, the client is
 * reconnected.
 */
export class ClientRecycler {
  private readonly now: () => number;
  /** Time by `now` since which no call has succeeded; `null`: the last one did. */
  private failingSince: number | null = null;
  private isReconnecting = false;

  constructor(private readonly options: RecyclerOptions) {
    this.now = options.now ?? (() => performance.now());
  }

  /** Returns or throws what the call does, and reconnects the client if calls have failed for too long. */
  async watch<T>(call: Promise<T>): Promise<T> {
    try {
      const result = await call;
      this.failingSince = null;
      return result;
    } catch (error) {
      if (isUnavailable(error)) this.failed();
      throw error;
    }
  }

  private failed(): void {
    this.failingSince ??= this.now();
    const isDoubtful = this.now() - this.failingSince >= (this.options.doubtMs ?? DOUBT_MS);
    if (!isDoubtful || this.isReconnecting) return;
    this.isReconnecting = true;
    this.reconnect()
      // The next failing call tries it again.
      .catch(() => undefined)
      .finally(() => {
        this.isReconnecting = false;
      });
  }

  private async reconnect(): Promise<void> {
    if (!(await this.options.answers()) || this.failingSince === null) return;
    await this.options.reconnect();
    this.failingSince = null;
  }
}
