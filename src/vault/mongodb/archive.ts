import { Binary } from 'mongodb';
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
import { unreadable } from '../data-key.js';
import type { AudioOf } from '../../core/vault/audio.js';
import { assertPersonId } from '../../core/vault/person-id.js';
import type { PersonId } from '../../core/vault/port.js';
import { secretOwner, type Secrets } from '../secrets.js';
import type { WrappingKey } from '../wrapping.js';
import type { AudioDocuments } from './audio-documents.js';
import type { Calls } from './calls.js';
import { type Carriers, refOf } from './carriers.js';
import type { Claims } from './claims.js';
import { bytesOf, type Collections } from './collections.js';
import type { Identities } from './identities.js';
import { pages } from './pages.js';
import { type ReadDocuments, readOf } from './read-documents.js';
import type { StoredKeys } from './stored-keys.js';
import type { Tombstones } from './tombstones.js';

type Entry<Kind extends VaultEntry['kind']> = Extract<VaultEntry, { kind: Kind }>;

/** What an archive works with. */
interface Parts {
  readonly calls: Calls;
  readonly collections: Collections;
  readonly wrapping: WrappingKey;
  readonly tombstones: Tombstones;
  readonly stored: StoredKeys;
  readonly identities: Identities;
  readonly carriers: Carriers;
  readonly claims: Claims;
  readonly reads: ReadDocuments;
  readonly chunks: AudioDocuments;
  readonly secrets: Secrets;
  readonly erase: (person: PersonId) => Promise<void>;
}

/** The vault's whole content in MongoDB, read out page by page and taken over. */
export class Archive {
  constructor(private readonly parts: Parts) {}

  async *entries(): AsyncGenerator<VaultEntry, void, undefined> {
    const { calls, collections } = this.parts;
    const { keys, erased, identities, carriers, claims, secrets, reads } = collections;
    for await (const page of pages(calls, erased))
      for (const { _id: person } of page) yield { kind: 'erased', person };
    for await (const page of pages(calls, keys))
      for (const { _id: person, wrapped } of await this.ofLiving(page, ({ _id }) => _id))
        yield {
          kind: 'key',
          person,
          wrapped: this.readable(wrapped, `The key of person ${person}`, person),
        };
    for await (const page of pages(calls, identities))
      for (const { _id: hash, person } of await this.ofLiving(page, (entry) => entry.person))
        yield { kind: 'identity', hash, person };
    for await (const page of pages(calls, carriers))
      for (const entry of await this.ofLiving(page, ({ person }) => person))
        yield { kind: 'carrier', hash: entry.hash, person: refOf(entry) };
    for await (const page of pages(calls, claims))
      for (const { _id: hash, person } of page) yield { kind: 'claim', hash, person };
    for await (const page of pages(calls, secrets))
      for (const { _id: name, wrapped } of page)
        yield {
          kind: 'secret',
          name,
          wrapped: this.readable(wrapped, `The server's secret ${name}`, secretOwner(name)),
        };
    for await (const page of pages(calls, reads))
      for (const document of page) yield { kind: 'read', entry: readOf(document) };
    for await (const end of this.audioOfLiving(this.parts.chunks.ends())) yield { kind: 'audio_end', ...end };
    for await (const chunk of this.audioOfLiving(this.parts.chunks.all())) yield { kind: 'audio', ...chunk };
  }

  async put(entry: VaultEntry): Promise<void> {
    switch (entry.kind) {
      case 'erased':
        assertPersonId(entry.person);
        if (!(await this.parts.tombstones.isSettled(entry.person))) await this.parts.erase(entry.person);
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

  private async putKey({ person, wrapped }: Entry<'key'>): Promise<void> {
    const { collections, stored, tombstones, wrapping } = this.parts;
    const what = `key of person ${person}`;
    assertPersonId(person);
    assertOpens(wrapping, what, wrapped, person);
    if (await tombstones.has(person)) return stored.destroy(person);
    const standing = await stored.insert(person, wrapped);
    if (standing === 'erased') return;
    if (compareWrapped(wrapping, what, wrapped, standing, person) === 'rewrapped')
      await collections.keys.updateOne(
        { _id: person, wrapped: new Binary(standing) },
        { $set: { wrapped: new Binary(wrapped) } },
      );
  }

  private async putIdentity({ hash, person }: Entry<'identity'>): Promise<void> {
    assertSamePerson(hash, person, await this.parts.identities.put(hash, person));
  }

  private async putCarrier({ hash, person }: Entry<'carrier'>): Promise<void> {
    assertSameRef(hash, person, await this.parts.carriers.put(hash, person));
  }

  private async putClaim({ hash, person }: Entry<'claim'>): Promise<void> {
    assertSameClaim(hash, person, await this.parts.claims.claim(hash, person));
  }

  private async putRead({ entry }: Entry<'read'>): Promise<void> {
    await this.parts.reads.record([entry]);
    assertSameRead(entry, await this.parts.reads.get(entry));
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

  /** A person's entries stand together, so that each person is asked about once. */
  private async *audioOfLiving<T extends AudioOf>(
    entries: AsyncIterable<T>,
  ): AsyncGenerator<T, void, undefined> {
    const { calls, tombstones } = this.parts;
    let last = null as { readonly person: PersonId; readonly erased: boolean } | null;
    for await (const entry of entries) {
      const { person } = entry;
      if (last?.person !== person) last = { person, erased: await calls.run(() => tombstones.has(person)) };
      if (!last.erased) yield entry;
    }
  }

  /** What does not belong to an erased person: theirs may still be there for a moment. */
  private async ofLiving<D>(page: readonly D[], personOf: (document: D) => PersonId): Promise<readonly D[]> {
    const { calls, tombstones } = this.parts;
    const erased = await calls.run(() => tombstones.among([...new Set(page.map(personOf))]));
    return page.filter((document) => !erased.has(personOf(document)));
  }

  private readable(wrapped: Binary, what: string, owner: string): Buffer {
    const bytes = bytesOf(wrapped);
    if (!this.parts.wrapping.unwrap(bytes, owner)) throw unreadable(what);
    return bytes;
  }
}
