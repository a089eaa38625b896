import type { Db } from 'mongodb';
import { describeMongoFailure, isMongoFailure, within, type MongoConnection } from '../connection.js';
import { ReadStoreUnavailable } from '../../errors.js';

/** One handle on the database: what its collections and registers call the server through. */
export class Session {
  #closing: Promise<void> | undefined;
  readonly #pending = new Set<Promise<unknown>>();

  constructor(
    private readonly connection: MongoConnection,
    private readonly timeoutMs: number,
  ) {}

  /**
   * A point read or write.
   * @throws {ReadStoreUnavailable} no answer, or a refusal; what was sent may have taken effect
   */
  call<T>(work: (db: Db) => Promise<T>): Promise<T> {
    return this.#run(work, this.timeoutMs);
  }

  /** As `call`, for pages, batches and what concerns a whole collection: it may take three times as long. */
  longCall<T>(work: (db: Db) => Promise<T>): Promise<T> {
    return this.#run(work, this.timeoutMs * 3);
  }

  /** What is under way may end first. */
  async close(): Promise<void> {
    await (this.#closing ??= this.#close());
  }

  async #close(): Promise<void> {
    await within(this.timeoutMs, () => Promise.allSettled(this.#pending)).catch(() => undefined);
    await this.connection.close();
  }

  async #run<T>(work: (db: Db) => Promise<T>, timeoutMs: number): Promise<T> {
    if (this.#closing) throw new ReadStoreUnavailable('The read store is closed.');
    const call = this.connection.run(work, timeoutMs);
    this.#pending.add(call);
    try {
      return await call;
    } catch (error) {
      throw isMongoFailure(error) ? unavailable(this.connection.shown, error) : error;
    } finally {
      this.#pending.delete(call);
    }
  }
}

export const unavailable = (shown: string, error: unknown): ReadStoreUnavailable =>
  new ReadStoreUnavailable(`The read store at ${shown} cannot answer: ${describeMongoFailure(error)}.`, {
    cause: error,
  });
