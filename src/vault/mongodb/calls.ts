import { StoreUnusable } from '../../core/errors.js';
import {
  describeMongoFailure,
  isMongoFailure,
  isUnavailable,
  type MongoConnection,
} from '../../stores/mongodb/connection.js';
import { VaultUnavailable } from '../../core/vault/port.js';

/** A call may take so long, all its steps together; what was sent then may still take effect. */
export const DEADLINE_MS = 3_000;

/** Calls of the vault: each under its deadline, its failures told in the vault's words. */
export class Calls {
  private closed = false;

  constructor(private readonly connection: MongoConnection) {}

  /** @throws {VaultUnavailable} MongoDB is away, did not answer in time or refuses; or the vault is closed */
  async run<T>(work: () => Promise<T>, deadlineMs = DEADLINE_MS): Promise<T> {
    this.assertOpen();
    try {
      return await this.connection.run(work, deadlineMs);
    } catch (error) {
      if (!isMongoFailure(error)) throw error;
      throw this.closed ? closed() : away(error, this.connection.shown);
    }
  }

  assertOpen(): void {
    if (this.closed) throw closed();
  }

  async close(): Promise<void> {
    this.closed = true;
    await this.connection.close();
  }
}

const closed = (): VaultUnavailable => new VaultUnavailable('The vault is closed.');

/** The vault's word for a failure of MongoDB. */
export const away = (error: unknown, shown: string): VaultUnavailable =>
  new VaultUnavailable(`The vault at ${shown} cannot be used now: ${describeMongoFailure(error)}.`, {
    cause: error,
  });

/** At the start, what somebody must act on is not waited for. */
export const refused = (error: unknown): unknown =>
  error instanceof VaultUnavailable && isMongoFailure(error.cause) && !isUnavailable(error.cause)
    ? new StoreUnusable(error.message, { cause: error.cause })
    : error;
