import { unreadable } from './data-key.js';
import { insertIfAbsent, type VaultDriver } from './driver.js';

/** The server's own secrets. They never change, so they are cached. */
export class Secrets {
  private readonly known = new Map<string, Buffer>();

  constructor(private readonly driver: Pick<VaultDriver, 'tables' | 'wrapping' | 'assertCurrent'>) {}

  /** The server’s secret of that name. @param make called if there is none yet */
  async get(name: string, make: () => Buffer): Promise<Buffer> {
    const known = this.known.get(name);
    if (known) return Buffer.from(known);
    const { tables, wrapping } = this.driver;
    const owner = secretOwner(name);
    const stored =
      (await tables.secrets.get([name])) ?? (await this.insertIfAbsent(name, wrapping.wrap(make(), owner)));
    const secret = stored && wrapping.unwrap(stored, owner);
    if (!secret) throw unreadable(`The server's secret ${name}`);
    this.known.set(name, secret);
    return Buffer.from(secret);
  }

  /** Stores a wrapped secret if there is none; returns the stored one. @throws {StoreUnusable} DATA_KEY was changed */
  async insertIfAbsent(name: string, wrapped: Buffer): Promise<Buffer | null> {
    const stored = await insertIfAbsent(this.driver.tables.secrets, [name], wrapped);
    await this.driver.assertCurrent();
    return stored;
  }
}

/** Distinct from every person id. */
export const secretOwner = (name: string): string => `secret:${name}`;
