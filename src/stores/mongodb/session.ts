import type { Db } from 'mongodb';
import { within } from '../../core/backoff.js';
import { StoreUnusable } from '../../core/errors.js';
import {
  connectMongo,
  DEFAULT_TIMEOUT_MS,
  MAX_CALL_DEADLINES,
  type MongoConnection,
  type MongoOptions,
} from './connection.js';
import { describeMongoFailure, isMongoFailure, isUnavailable } from './failure.js';
import { parseMongoUrl } from './url.js';

/** The name of a store in messages, and its port's error for a store that cannot answer. */
export interface MongoStoreKind {
  /** After an article: `read store`. */
  readonly name: string;
  readonly Unavailable: new (message: string, options?: ErrorOptions) => Error;
}

/** One handle on a store in a database. Each call has a deadline, and fails by the error of the store's port. */
export class Session {
  #closing: Promise<void> | undefined;
  readonly #pending = new Set<Promise<unknown>>();

  private constructor(
    private readonly connection: MongoConnection,
    private readonly kind: MongoStoreKind,
    private readonly timeoutMs: number,
  ) {}

  /**
   * Connects, and makes the store with the connection.
   * @param prepare makes the store; if it fails, the connection is closed
   * @returns what `prepare` made
   * @throws the port's error for an unavailable store: the server is unreachable
   * @throws {StoreUnusable} the server, or the store in it, refuses until an operator acts
   */
  static async open<T>(
    url: string,
    kind: MongoStoreKind,
    { timeoutMs = DEFAULT_TIMEOUT_MS, ...options }: MongoOptions,
    prepare: (session: Session) => Promise<T>,
  ): Promise<T> {
    const connection = await connectMongo(url, { ...options, timeoutMs }).catch((error: unknown) => {
      throw isUnavailable(error) ? unavailable(kind, parseMongoUrl(url).shown, error) : error;
    });
    const session = new Session(connection, kind, timeoutMs);
    try {
      return await prepare(session);
    } catch (error) {
      await session.close();
      throw error instanceof kind.Unavailable && isMongoFailure(error.cause) && !isUnavailable(error.cause)
        ? new StoreUnusable(error.message, { cause: error.cause })
        : error;
    }
  }

  get db(): Db {
    return this.connection.db;
  }

  /** The server's name in messages: scheme, hosts and database. */
  get shown(): string {
    return this.connection.shown;
  }

  /**
   * A point read or write.
   * @throws the port's error for an unavailable store: no answer in time, a refusal, or the session is closed; the call
   *   may have taken effect
   */
  async call<T>(work: (db: Db) => Promise<T>, timeoutMs = this.timeoutMs): Promise<T> {
    this.assertOpen();
    const call = this.connection.run(work, timeoutMs);
    this.#pending.add(call);
    try {
      return await call;
    } catch (error) {
      if (!isMongoFailure(error)) throw error;
      throw this.#closing ? closed(this.kind) : unavailable(this.kind, this.shown, error);
    } finally {
      this.#pending.delete(call);
    }
  }

  /** As `call`, for pages, batches and work on a whole collection: it may take three times as long. */
  longCall<T>(work: (db: Db) => Promise<T>): Promise<T> {
    return this.call(work, this.timeoutMs * MAX_CALL_DEADLINES);
  }

  /** @throws the port's error for an unavailable store: the session is closed */
  assertOpen(): void {
    if (this.#closing) throw closed(this.kind);
  }

  /** Waits for calls that have begun, at most `timeoutMs`. */
  async close(): Promise<void> {
    await (this.#closing ??= this.#close());
  }

  async #close(): Promise<void> {
    await within(this.timeoutMs, Promise.allSettled(this.#pending), () => undefined);
    await this.connection.close();
  }
}

const closed = ({ name, Unavailable }: MongoStoreKind): Error => new Unavailable(`The ${name} is closed.`);

const unavailable = ({ name, Unavailable }: MongoStoreKind, shown: string, cause: unknown): Error =>
  new Unavailable(`The ${name} at ${shown} cannot answer: ${describeMongoFailure(cause)}.`, { cause });
