import { Binary, type Collection } from 'mongodb';
import { keyChanged, wrappedByNeither } from '../data-key.js';
import type { PersonId } from '../../core/vault/port.js';
import { secretOwner } from '../secrets.js';
import type { WrappingKey } from '../wrapping.js';
import type { Calls } from './calls.js';
import { bytesOf, type Collections, pages } from './collections.js';
import { Tombstones } from './tombstones.js';

/** A page of writes may take longer than a call of a running service. */
const PAGE_MS = 10_000;

/** Something wrapped, under its id. */
interface Wrapped {
  readonly _id: string;
  readonly wrapped: Binary;
}

interface Kind {
  readonly collection: Collection<Wrapped>;
  readonly what: (id: string) => string;
  readonly owner: (id: string) => string;
  /** Whether a document may be left as it is, since nobody needs it any more. */
  readonly isGone: (id: string) => Promise<boolean>;
}

/**
 * Wraps everything afresh that is still wrapped by the former DATA_KEY. Each document from exactly what was read to
 * the same under the current key, so that many may do it at once and it may end anywhere.
 */
export class Rewrapping {
  constructor(
    private readonly calls: Calls,
    private readonly collections: Collections,
    private readonly current: WrappingKey,
    private readonly former: WrappingKey,
  ) {}

  /**
   * @param strict what neither key opens is a fault, not somebody else's to report
   * @throws {StoreUnusable} something is wrapped by neither key
   */
  async run(strict: boolean): Promise<void> {
    for (const kind of this.kinds()) {
      // Until a look from end to end finds nothing more.
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
        collection: keys as unknown as Collection<Wrapped>,
        what: (person) => `The key of person ${person}`,
        owner: (person) => person,
        isGone: (id) => new Tombstones(erased).has(id as PersonId),
      },
    ];
  }

  private async pass(kind: Kind, strict: boolean): Promise<boolean> {
    let found = false;
    for await (const page of pages(this.calls, kind.collection)) {
      const old: { document: Wrapped; secret: Buffer }[] = [];
      for (const document of page) {
        const wrapped = bytesOf(document.wrapped);
        const owner = kind.owner(document._id);
        const secret = this.former.unwrap(wrapped, owner);
        if (secret) old.push({ document, secret });
        else if (strict && !this.current.unwrap(wrapped, owner)) await this.refuse(kind, document._id);
      }
      if (old.length === 0) continue;
      found = true;
      await this.calls.run(() => this.renew(kind, old), PAGE_MS);
    }
    return found;
  }

  private async renew(kind: Kind, old: readonly { document: Wrapped; secret: Buffer }[]): Promise<void> {
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
    if (!(await this.calls.run(() => kind.isGone(id)))) throw wrappedByNeither(kind.what(id));
  }
}
