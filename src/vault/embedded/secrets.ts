import { StoreUnusable } from '../../event-store/errors.js';
import type { Environment } from './environment.js';
import type { WrappingKey } from './wrapping.js';

/** The server's own secrets, wrapped: `secret <name>` in the environment. They never change, so they are kept. */
export class Secrets {
  private readonly known = new Map<string, Buffer>();

  constructor(
    private readonly environment: Environment,
    private readonly wrapping: WrappingKey,
  ) {}

  async get(name: string, make: () => Buffer): Promise<Buffer> {
    const known = this.known.get(name);
    if (known) return Buffer.from(known);
    const key = ['secret', name];
    let stored = this.environment.get(key);
    if (stored === undefined) {
      const made = this.wrapping.wrap(make(), owner(name)).toString('base64');
      stored = await this.environment.transact(({ get, put }) => {
        const first = get(key);
        if (first !== undefined) return first;
        put(key, made);
        return made;
      });
    }
    const secret = this.wrapping.unwrap(Buffer.from(String(stored), 'base64'), owner(name));
    if (!secret)
      throw new StoreUnusable(
        `The server's secret ${name} cannot be unwrapped: it is damaged, or DATA_KEY was changed by another process. Restart with the current DATA_KEY, or restore the vault from its backup.`,
      );
    this.known.set(name, secret);
    return Buffer.from(secret);
  }
}

/** Distinct from every person id. */
export const owner = (name: string): string => `secret:${name}`;
