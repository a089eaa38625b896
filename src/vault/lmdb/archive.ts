import type { VaultEntry } from '../archive.js';
import {
  assertNotBehind,
  assertOpens,
  assertSameChunk,
  assertSameClaim,
  assertSamePerson,
  assertSameRead,
  assertSameRef,
  compareWrapped,
} from '../archived.js';
import { assertAudioOf, assertAudioPlace } from '../audio-chunks.js';
import type { PersonId } from '../../core/vault/port.js';
import type { Secrets } from '../secrets.js';
import type { WrappingKey } from '../wrapping.js';
import type { AudioEntries } from './audio-entries.js';
import type { ClaimEntries } from './claims.js';
import type { Environment } from './environment.js';
import type { KeyFiles } from './key-files.js';
import type { LookUps } from './look-ups.js';
import type { ReadEntries } from './read-entries.js';
import { decoded } from './secret-entries.js';

type Entry<Kind extends VaultEntry['kind']> = Extract<VaultEntry, { kind: Kind }>;

/** What an archive works with. */
interface Parts {
  readonly environment: Environment;
  readonly files: KeyFiles;
  readonly lookUps: LookUps;
  readonly claims: ClaimEntries;
  readonly reads: ReadEntries;
  readonly chunks: AudioEntries;
  readonly secrets: Secrets;
  readonly wrapping: WrappingKey;
  readonly erase: (person: PersonId) => Promise<void>;
}

/** The embedded vault's whole content, read out and taken over. */
export class Archive {
  constructor(private readonly parts: Parts) {}

  /** Only the persons' ids are in memory at once: their files lie by hash, and a folder has no order. */
  *entries(): Iterable<VaultEntry> {
    const { environment, files, lookUps, claims, reads, chunks } = this.parts;
    const erased = new Set([...files.tombstones(), ...lookUps.erased()]);
    for (const person of [...erased].sort()) yield { kind: 'erased', person };
    for (const person of [...files.persons()].sort()) {
      const wrapped = erased.has(person) ? null : files.wrapped(person);
      if (wrapped !== null && wrapped !== 'erased') yield { kind: 'key', person, wrapped };
    }
    for (const entry of lookUps.identities())
      if (!erased.has(entry.person)) yield { kind: 'identity', ...entry };
    for (const entry of lookUps.allCarriers())
      if (!erased.has(entry.person.person)) yield { kind: 'carrier', ...entry };
    for (const entry of claims.all()) yield { kind: 'claim', ...entry };
    for (const { key, value } of environment.walk(['secret']))
      yield { kind: 'secret', name: key[1] ?? '', wrapped: decoded(value) };
    for (const entry of reads.all()) yield { kind: 'read', entry };
    for (const end of chunks.ends()) if (!erased.has(end.person)) yield { kind: 'audio_end', ...end };
    for (const chunk of chunks.all()) if (!erased.has(chunk.person)) yield { kind: 'audio', ...chunk };
  }

  async put(entry: VaultEntry): Promise<void> {
    switch (entry.kind) {
      case 'erased':
        if (!this.isGone(entry.person)) await this.parts.erase(entry.person);
        return;
      case 'key':
        return this.putKey(entry);
      case 'identity':
        return this.putIdentity(entry);
      case 'carrier':
        return this.putCarrier(entry);
      case 'claim':
        return this.putClaim(entry);
      case 'read':
        return this.putRead(entry);
      case 'secret':
        return this.parts.secrets.put(entry.name, entry.wrapped);
      case 'audio_end':
        return this.putAudioEnd(entry);
      case 'audio':
        return this.putAudio(entry);
    }
  }

  /** Erased, and nothing left to be done about it. */
  private isGone(person: PersonId): boolean {
    const { files, lookUps } = this.parts;
    return files.isErased(person) && lookUps.isErased(person) && !lookUps.isBeingErased(person);
  }

  private async putKey({ person, wrapped }: Entry<'key'>): Promise<void> {
    const { environment, files, lookUps, wrapping } = this.parts;
    const what = `key of person ${person}`;
    assertOpens(wrapping, what, wrapped, person);
    if (lookUps.isErased(person)) return;
    await files.insert(person, () => wrapped);
    const standing = files.wrapped(person);
    if (standing === null || standing === 'erased') return;
    if (compareWrapped(wrapping, what, wrapped, standing, person) === 'rewrapped')
      await environment.transact(() => files.replace(person, wrapped));
  }

  private async putIdentity({ hash, person }: Entry<'identity'>): Promise<void> {
    assertSamePerson(hash, person, await this.parts.lookUps.putIdentity(hash, person));
  }

  private async putCarrier({ hash, person }: Entry<'carrier'>): Promise<void> {
    assertSameRef(hash, person, await this.parts.lookUps.putCarrier(hash, person));
  }

  private async putClaim({ hash, person }: Entry<'claim'>): Promise<void> {
    assertSameClaim(hash, person, await this.parts.claims.claim(hash, person));
  }

  private async putRead({ entry }: Entry<'read'>): Promise<void> {
    await this.parts.reads.record([entry]);
    assertSameRead(entry, this.parts.reads.get(entry));
  }

  private async putAudioEnd(end: Entry<'audio_end'>): Promise<void> {
    assertAudioOf(end);
    assertNotBehind(end, (await this.parts.chunks.putEnd(end)) ?? 0);
  }

  private async putAudio(chunk: Entry<'audio'>): Promise<void> {
    assertAudioOf(chunk);
    assertAudioPlace(chunk);
    const standing = await this.parts.chunks.put(chunk);
    if (standing !== null) assertSameChunk(chunk, standing);
  }
}
