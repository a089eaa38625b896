import type { SecretStore } from '../secrets.js';
import { type Environment, KEPT_BACK } from './environment.js';

/** Wrapped secrets in the environment, in base64: `secret <name>`. */
export class SecretEntries implements SecretStore {
  constructor(private readonly environment: Environment) {}

  async get(name: string): Promise<Buffer | null> {
    const stored = this.environment.get(keyOf(name));
    return stored === undefined ? null : decoded(stored);
  }

  async insert(name: string, wrapped: Buffer): Promise<Buffer> {
    const key = keyOf(name);
    const stored = await this.environment.transact(({ get, put }) => {
      const first = get(key);
      if (first !== undefined) return first;
      put(key, encoded(wrapped));
      return encoded(wrapped);
    }, KEPT_BACK);
    return decoded(stored);
  }

  async replace(name: string, standing: Buffer, wrapped: Buffer): Promise<void> {
    const key = keyOf(name);
    await this.environment.transact(({ get, put }) => {
      if (get(key) === encoded(standing)) put(key, encoded(wrapped));
    });
  }
}

export const encoded = (wrapped: Buffer): string => wrapped.toString('base64');
export const decoded = (stored: unknown): Buffer => Buffer.from(String(stored), 'base64');

const keyOf = (name: string): string[] => ['secret', name];
