import { assertOpens, compareWrapped } from './archived.js';
import { unreadable } from './data-key.js';
import type { WrappingKey } from './wrapping.js';

/** Where wrapped secrets lie. */
export interface SecretStore {
  get(name: string): Promise<Buffer | null>;
  /** Puts it where none stands, durably; answers the one that stands. */
  insert(name: string, wrapped: Buffer): Promise<Buffer>;
  /** Puts `wrapped` where exactly `standing` stands, durably. */
  replace(name: string, standing: Buffer, wrapped: Buffer): Promise<void>;
}

/** The server's own secrets. They never change, so they are kept in memory. */
export class Secrets {
  private readonly known = new Map<string, Buffer>();

  constructor(
    private readonly store: SecretStore,
    private readonly wrapping: WrappingKey,
  ) {}

  async get(name: string, make: () => Buffer): Promise<Buffer> {
    const known = this.known.get(name);
    if (known) return Buffer.from(known);
    const stored =
      (await this.store.get(name)) ??
      (await this.store.insert(name, this.wrapping.wrap(make(), secretOwner(name))));
    const secret = this.wrapping.unwrap(stored, secretOwner(name));
    if (!secret) throw unreadable(`The server's secret ${name}`);
    this.known.set(name, secret);
    return Buffer.from(secret);
  }

  /** Takes over a secret of another vault, byte for byte. @throws {StoreUnusable} another one stands */
  async put(name: string, wrapped: Buffer): Promise<void> {
    const owner = secretOwner(name);
    const what = `secret ${name}`;
    assertOpens(this.wrapping, what, wrapped, owner);
    const standing = await this.store.insert(name, wrapped);
    if (compareWrapped(this.wrapping, what, wrapped, standing, owner) === 'rewrapped')
      await this.store.replace(name, standing, wrapped);
  }
}

/** Distinct from every person id. */
export const secretOwner = (name: string): string => `secret:${name}`;
