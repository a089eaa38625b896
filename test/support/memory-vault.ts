import { randomBytes } from 'node:crypto';
import type { KeyedHash, PersonId, PersonKey, PersonRef, Vault } from '../../src/vault/port.js';

/** A vault for tests that need one and test something else. `waits`: keys are told by promise only. */
export class MemoryVault implements Vault {
  readonly known = new Map<PersonId, PersonKey>();
  private readonly hashes = new Map<KeyedHash, PersonId>();
  private readonly refs = new Map<KeyedHash, PersonRef[]>();
  private readonly secrets = new Map<string, Buffer>();

  constructor(waits = false) {
    if (!waits) this.keys.peek = (person) => this.known.get(person) ?? null;
  }

  readonly keys: { -readonly [Name in keyof Vault['keys']]: Vault['keys'][Name] } = {
    create: async (person) => {
      const key = this.known.get(person) ?? { kind: 'key', key: randomBytes(32) };
      this.known.set(person, key);
      return key;
    },
    get: async (person) => this.known.get(person) ?? null,
    erase: async (person) => {
      this.known.set(person, { kind: 'erased' });
      for (const [hash, id] of this.hashes) if (id === person) this.hashes.delete(hash);
      for (const [hash, refs] of this.refs)
        this.refs.set(
          hash,
          refs.filter((ref) => ref.person !== person),
        );
    },
  };

  private isErased(person: PersonId): boolean {
    return this.known.get(person)?.kind === 'erased';
  }

  readonly identities: Vault['identities'] = {
    get: async (hash) => this.hashes.get(hash) ?? null,
    swap: async (hash, expected, person) => {
      if ((this.hashes.get(hash) ?? null) !== expected || this.isErased(person)) return false;
      this.hashes.set(hash, person);
      return true;
    },
  };

  readonly carriers: Vault['carriers'] = {
    list: async (hash) => this.refs.get(hash) ?? [],
    add: async (hash, ref) => {
      const refs = this.refs.get(hash) ?? [];
      if (this.isErased(ref.person) || refs.some(({ person }) => person === ref.person)) return;
      this.refs.set(hash, [...refs, ref]);
    },
  };

  async secret(name: string, make: () => Buffer): Promise<Buffer> {
    const secret = this.secrets.get(name) ?? make();
    this.secrets.set(name, secret);
    return Buffer.from(secret);
  }

  async close(): Promise<void> {}
}
