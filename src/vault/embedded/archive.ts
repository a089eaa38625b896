import type { VaultEntry } from '../archive.js';
import { assertOpens, assertSamePerson, assertSameRef, compareWrapped } from '../archived.js';
import type { PersonId } from '../port.js';
import type { Secrets } from '../secrets.js';
import type { WrappingKey } from '../wrapping.js';
import type { Environment } from './environment.js';
import type { KeyFiles } from './key-files.js';
import type { LookUps } from './look-ups.js';
import { decoded } from './secret-entries.js';

type Entry<Kind extends VaultEntry['kind']> = Extract<VaultEntry, { kind: Kind }>;

/** The embedded vault's whole content, read out and taken over. */
export class Archive {
  constructor(
    private readonly environment: Environment,
    private readonly files: KeyFiles,
    private readonly lookUps: LookUps,
    private readonly secrets: Secrets,
    private readonly wrapping: WrappingKey,
    private readonly erase: (person: PersonId) => Promise<void>,
  ) {}

  /** Only the persons' ids are in memory at once: their files lie by hash, and a folder has no order. */
  *entries(): Iterable<VaultEntry> {
    const erased = new Set([...this.files.tombstones(), ...this.lookUps.erased()]);
    for (const person of [...erased].sort()) yield { kind: 'erased', person };
    for (const person of [...this.files.persons()].sort()) {
      const wrapped = erased.has(person) ? null : this.files.wrapped(person);
      if (wrapped !== null && wrapped !== 'erased') yield { kind: 'key', person, wrapped };
    }
    for (const entry of this.lookUps.identities())
      if (!erased.has(entry.person)) yield { kind: 'identity', ...entry };
    for (const entry of this.lookUps.allCarriers())
      if (!erased.has(entry.person.person)) yield { kind: 'carrier', ...entry };
    for (const { key, value } of this.environment.walk(['secret']))
      yield { kind: 'secret', name: key[1] ?? '', wrapped: decoded(value) };
  }

  async put(entry: VaultEntry): Promise<void> {
    switch (entry.kind) {
      case 'erased':
        if (!this.isGone(entry.person)) await this.erase(entry.person);
        return;
      case 'key':
        return this.putKey(entry);
      case 'identity':
        return this.putIdentity(entry);
      case 'carrier':
        return this.putCarrier(entry);
      case 'secret':
        return this.secrets.put(entry.name, entry.wrapped);
    }
  }

  /** Erased, and nothing left to be done about it. */
  private isGone(person: PersonId): boolean {
    return (
      this.files.isErased(person) && this.lookUps.isErased(person) && !this.lookUps.isBeingErased(person)
    );
  }

  private async putKey({ person, wrapped }: Entry<'key'>): Promise<void> {
    const what = `key of person ${person}`;
    assertOpens(this.wrapping, what, wrapped, person);
    if (this.lookUps.isErased(person)) return;
    await this.files.insert(person, () => wrapped);
    const standing = this.files.wrapped(person);
    if (standing === null || standing === 'erased') return;
    if (compareWrapped(this.wrapping, what, wrapped, standing, person) === 'rewrapped')
      await this.environment.transact(() => this.files.replace(person, wrapped));
  }

  private async putIdentity({ hash, person }: Entry<'identity'>): Promise<void> {
    assertSamePerson(hash, person, await this.lookUps.putIdentity(hash, person));
  }

  private async putCarrier({ hash, person }: Entry<'carrier'>): Promise<void> {
    assertSameRef(hash, person, await this.lookUps.putCarrier(hash, person));
  }
}
