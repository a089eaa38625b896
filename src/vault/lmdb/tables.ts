import { isDeepStrictEqual } from 'node:util';
import type { PersonId } from '../../core/vault/port.js';
import type { Table, TableEntry, TableKey, Tables } from '../driver.js';
import type { PersonRef, ReadEntry, ShortLived, SweepCursor } from '../port.js';
import { type Environment, type Inside, FROM_RESERVE, type TransactionOptions } from './environment.js';

/** Entries that `scan` yields at once. */
const PAGE = 500;
/** No entry of `insertMany` takes more room. */
const ENTRY_BYTES = 1024;

/** How a table's values are stored. */
interface Form<V> {
  /** First part of each key. */
  readonly kind: string;
  readonly encode: (value: V) => unknown;
  readonly decode: (stored: unknown, key: TableKey) => V;
  /** The person whose erasure removes the entry. Default: erasures leave it. */
  readonly ownerOf?: (value: V) => PersonId;
  /** Options of the transactions that put. Default: these are refused if the disk is nearly full. */
  readonly options?: TransactionOptions;
}

/**
 * A table's entries in the environment of the vault's look-ups. Reads are synchronous; each write is one transaction, in
 * which LMDB lets one process in at a time. Entries of the environment, each under its table's kind and its key:
 *
 *     identity <hash>              person
 *     carrier <hash> <person>      who carries an e-mail or a subject
 *     claim <hash>                 person
 *     read <evaluation> <time> <id>
 *     secret <name>                wrapped, in base64
 *     short-lived <hash>
 *     sweep <name>
 *     person <person> <key…>       every entry above that belongs to the person
 *     erased <person>              gets no entries any more
 */
class LmdbTable<V> implements Table<V> {
  constructor(
    private readonly environment: Environment,
    private readonly form: Form<V>,
  ) {}

  async get(key: TableKey): Promise<V | null> {
    const stored = this.environment.get(this.path(key));
    return stored === undefined ? null : this.form.decode(stored, key);
  }

  async list(prefix: TableKey): Promise<readonly V[]> {
    return [...this.environment.walk(this.path(prefix))].map(
      ({ key, value }) => this.entry(key, value).value,
    );
  }

  async last(prefix: TableKey, limit: number, before: TableKey | null): Promise<readonly V[]> {
    const found = this.environment.last(this.path(prefix), limit, before ? this.path(before) : undefined);
    return found.map(({ key, value }) => this.entry(key, value).value);
  }

  async insert(key: TableKey, value: V): Promise<'inserted' | 'taken' | 'erased'> {
    const { ownerOf, options } = this.form;
    const path = this.path(key);
    const isErased = (read: Pick<Inside, 'get'> | Environment): boolean =>
      ownerOf !== undefined && read.get(['erased', ownerOf(value)]) !== undefined;
    // A repeated call, which changes nothing, needs no transaction.
    if (this.environment.get(path) !== undefined && !isErased(this.environment)) return 'taken';
    return this.environment.transact((inside) => {
      if (isErased(inside)) return 'erased';
      if (inside.get(path) !== undefined) return 'taken';
      this.put(inside, path, value);
      return 'inserted';
    }, options);
  }

  /** For tables without owners only: it does not check whether a person was erased. */
  async insertMany(entries: readonly TableEntry<V>[]): Promise<void> {
    const cost = { changes: entries.length, bytes: entries.length * ENTRY_BYTES };
    await this.environment.transact(
      (inside) => {
        for (const { key, value } of entries)
          if (inside.get(this.path(key)) === undefined) this.put(inside, this.path(key), value);
      },
      { ...this.form.options, cost },
    );
  }

  async replace(key: TableKey, expected: V, value: V): Promise<boolean> {
    const { ownerOf, encode, options } = this.form;
    const path = this.path(key);
    return this.environment.transact((inside) => {
      if (ownerOf && inside.get(['erased', ownerOf(value)]) !== undefined) return false;
      if (!isDeepStrictEqual(inside.get(path), encode(expected))) return false;
      if (ownerOf) inside.remove(['person', ownerOf(expected), ...path]);
      this.put(inside, path, value);
      return true;
    }, options);
  }

  async remove(key: TableKey, expected: V): Promise<boolean> {
    const { ownerOf, encode } = this.form;
    const path = this.path(key);
    return this.environment.transact((inside) => {
      if (!isDeepStrictEqual(inside.get(path), encode(expected))) return false;
      if (ownerOf) inside.remove(['person', ownerOf(expected), ...path]);
      inside.remove(path);
      return true;
    }, FROM_RESERVE);
  }

  async *scan(): AsyncGenerator<readonly TableEntry<V>[], void, undefined> {
    let page: TableEntry<V>[] = [];
    for (const { key, value } of this.environment.walk(this.path([]), PAGE)) {
      page.push(this.entry(key, value));
      if (page.length < PAGE) continue;
      yield page;
      page = [];
    }
    yield page;
  }

  private put({ put }: Inside, path: string[], value: V): void {
    const { ownerOf, encode } = this.form;
    put(path, encode(value));
    if (ownerOf) put(['person', ownerOf(value), ...path], true);
  }

  private path(key: TableKey): string[] {
    return [this.form.kind, ...key];
  }

  private entry([, ...key]: string[], stored: unknown): TableEntry<V> {
    return { key, value: this.form.decode(stored, key) };
  }
}

const asIs = { encode: (value: unknown) => value, decode: (stored: unknown) => stored as never };

/** The vault’s tables in an LMDB environment. */
export const tablesIn = (environment: Environment): Tables => ({
  identities: new LmdbTable<PersonId>(environment, {
    kind: 'identity',
    ...asIs,
    ownerOf: (person) => person,
  }),
  carriers: new LmdbTable<PersonRef>(environment, {
    kind: 'carrier',
    encode: ({ person, kind, organisationId }) => ({ person, kind, organisationId }),
    decode: asIs.decode,
    ownerOf: ({ person }) => person,
  }),
  claims: new LmdbTable<PersonId>(environment, { kind: 'claim', ...asIs }),
  reads: new LmdbTable<ReadEntry>(environment, {
    kind: 'read',
    encode: ({ organisationId, actor: { type, id } }) => ({ organisationId, actor: { type, id } }),
    decode: (stored, [evaluationId = '', at = '', id = '']) => {
      const { organisationId, actor } = stored as Pick<ReadEntry, 'organisationId' | 'actor'>;
      return { id, evaluationId, organisationId, actor, at };
    },
    options: FROM_RESERVE,
  }),
  secrets: new LmdbTable<Buffer>(environment, {
    kind: 'secret',
    encode: encodeSecret,
    decode: decodeSecret,
    options: FROM_RESERVE,
  }),
  shortLived: new LmdbTable<ShortLived>(environment, {
    kind: 'short-lived',
    encode: ({ sealed, expiresAt }) => `${expiresAt} ${sealed}`,
    decode: (stored) => {
      const [expiresAt = '', sealed = ''] = String(stored).split(' ');
      return { sealed, expiresAt: Number(expiresAt) };
    },
  }),
  sweeps: new LmdbTable<SweepCursor>(environment, {
    kind: 'sweep',
    encode: ({ after, at }) => [String(at), ...(after === null ? [] : [after])].join(' '),
    decode: (stored) => {
      const [at = '', ...after] = String(stored).split(' ');
      return { after: after.length === 0 ? null : after.join(' '), at: Number(at) };
    },
    options: FROM_RESERVE,
  }),
});

/** A wrapped secret's stored form. */
export function encodeSecret(wrapped: Buffer): string {
  return wrapped.toString('base64');
}

/** The inverse of `encodeSecret`. */
export function decodeSecret(stored: unknown): Buffer {
  return Buffer.from(String(stored), 'base64');
}
