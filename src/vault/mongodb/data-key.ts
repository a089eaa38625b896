import { Binary, type Collection } from 'mongodb';
import { StoreUnusable } from '../../core/errors.js';
import type { PersonId } from '../../core/vault/port.js';
import type { Session } from '../../stores/mongodb/session.js';
import {
  type WrappingKey,
  changing,
  type Description,
  keyChange,
  type KeyChange,
  keyChanged,
  wrappedBy,
  wrappedByNeither,
} from '../data-key.js';
import { insertIfAbsent, type Table } from '../driver.js';
import { secretOwner } from '../secrets.js';
import {
  bytesOf,
  type Collections,
  type DescriptionDocument,
  pages,
  Tombstones,
  type WrappedDocument,
} from './collections.js';
import { MongoTable } from './tables.js';

const KEY = ['vault'];

/**
 * Ensures that `current` wraps the vault; rewraps what `former` wraps. Any number of processes may do so at once, and
 * each may end at any moment: the next one skips what is done.
 * @returns whether this call changed the vault's DATA_KEY
 * @throws {StoreUnusable} another DATA_KEY, a newer version's vault, or one whose description is lost; nothing is
 *   written
 */
export async function ensureWrapped(
  session: Session,
  collections: Collections,
  current: WrappingKey,
  former: WrappingKey | null,
): Promise<boolean> {
  const description = new MongoTable<Description, DescriptionDocument>(
    session,
    collections.description,
    new Tombstones(collections.erased),
    { fields: ({ format, check, former }) => ({ format, check, former }), value: (document) => document },
  );
  const move = (from: Description, to: Description): Promise<boolean> =>
    session.call(() => description.replace(KEY, from, to));
  const plan = async (): Promise<KeyChange> => {
    for (;;) {
      const described = await session.call(() => describe(description, collections, current));
      const change = keyChange(described, current, former);
      // Recorded before anything is rewrapped: from here on no process opens the vault with the former key alone.
      if (change.step !== 'begin' || (await move(described, changing(change.former, current)))) return change;
    }
  };
  const change = await plan();
  if (!former) return false;
  const rewrapping = new Rewrapping(session, collections, current, former);
  // Even if no change is under way: a process that still ran with the former key may have stored something since.
  await rewrapping.run(change.step !== 'none');
  if (change.step === 'none') return false;
  await move(changing(former, current), wrappedBy(current));
  return true;
}

/** The vault's description; stored if the vault is new. */
async function describe(
  description: Table<Description>,
  collections: Collections,
  current: WrappingKey,
): Promise<Description> {
  const stored = await description.get(KEY);
  if (stored) return stored;
  // A process stores the description before anything else.
  if ((await holdsAnything(collections)) && !(await description.get(KEY)))
    throw new StoreUnusable(
      'The vault holds personal keys but its description is lost: restore the whole vault from its backup.',
    );
  const own = wrappedBy(current);
  return (await insertIfAbsent(description, KEY, own)) ?? own;
}

async function holdsAnything({ keys, erased, secrets }: Collections): Promise<boolean> {
  const found = await Promise.all([keys.findOne({}), erased.findOne({}), secrets.findOne({})]);
  return found.some((document) => document !== null);
}

/** Timeout of a page of writes, in milliseconds: longer than that of a call of a running service. */
const PAGE_MS = 10_000;

interface Kind {
  readonly collection: Collection<WrappedDocument>;
  readonly what: (id: string) => string;
  readonly owner: (id: string) => string;
  /** Whether a document that neither key opens may stay, since its person was erased. */
  readonly isGone: (id: string) => Promise<boolean>;
}

/**
 * Rewraps the documents that the former DATA_KEY still wraps. Each is replaced only if it is exactly as it was read, so
 * that several processes may do this at once, and any may end in the middle.
 */
class Rewrapping {
  constructor(
    private readonly session: Session,
    private readonly collections: Collections,
    private readonly current: WrappingKey,
    private readonly former: WrappingKey,
  ) {}

  /**
   * @param strict whether a document that neither key opens is a fault here; otherwise the process that needs it
   *   reports it
   * @throws {StoreUnusable} something is wrapped by neither key
   */
  async run(strict: boolean): Promise<void> {
    for (const kind of this.kinds()) {
      // Until a pass finds no document to rewrap.
      while (await this.pass(kind, strict));
    }
  }

  private kinds(): readonly Kind[] {
    const { keys, secrets, erased } = this.collections;
    return [
      {
        collection: secrets,
        what: (name) => `The server's secret ${name}`,
        owner: secretOwner,
        isGone: async () => false,
      },
      {
        collection: keys,
        what: (person) => `The key of person ${person}`,
        owner: (person) => person,
        isGone: (id) => new Tombstones(erased).has(id as PersonId),
      },
    ];
  }

  private async pass(kind: Kind, strict: boolean): Promise<boolean> {
    let found = false;
    for await (const page of pages(this.session, kind.collection)) {
      const old: { document: WrappedDocument; secret: Buffer }[] = [];
      for (const document of page) {
        const wrapped = bytesOf(document.wrapped);
        const owner = kind.owner(document._id);
        const secret = this.former.unwrap(wrapped, owner);
        if (secret) old.push({ document, secret });
        else if (strict && !this.current.unwrap(wrapped, owner)) await this.refuse(kind, document._id);
      }
      if (old.length === 0) continue;
      found = true;
      await this.session.call(() => this.renew(kind, old), PAGE_MS);
    }
    return found;
  }

  private async renew(
    kind: Kind,
    old: readonly { document: WrappedDocument; secret: Buffer }[],
  ): Promise<void> {
    const description = await this.collections.description.findOne({ _id: 'vault' });
    if (description?.check !== this.current.check) throw keyChanged();
    await kind.collection.bulkWrite(
      old.map(({ document: { _id, wrapped }, secret }) => ({
        updateOne: {
          filter: { _id, wrapped },
          update: { $set: { wrapped: new Binary(this.current.wrap(secret, kind.owner(_id))) } },
        },
      })),
      { ordered: false },
    );
  }

  private async refuse(kind: Kind, id: string): Promise<void> {
    if (!(await this.session.call(() => kind.isGone(id)))) throw wrappedByNeither(kind.what(id));
  }
}
