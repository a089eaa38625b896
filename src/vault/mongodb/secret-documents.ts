import { Binary } from 'mongodb';
import type { SecretStore } from '../secrets.js';
import { bytesOf, type Collections } from './collections.js';
import { insertWrapped } from './insert.js';

/** Wrapped secrets, each a document under its name. */
export class SecretDocuments implements SecretStore {
  /** @param assertCurrent throws where DATA_KEY was changed, so that what was just wrapped may not be used */
  constructor(
    private readonly secrets: Collections['secrets'],
    private readonly assertCurrent: () => Promise<void>,
  ) {}

  async get(name: string): Promise<Buffer | null> {
    const stored = await this.secrets.findOne({ _id: name });
    return stored && bytesOf(stored.wrapped);
  }

  async insert(name: string, wrapped: Buffer): Promise<Buffer> {
    const standing = await insertWrapped(this.secrets, name, wrapped);
    await this.assertCurrent();
    return bytesOf(standing);
  }

  async replace(name: string, standing: Buffer, wrapped: Buffer): Promise<void> {
    await this.secrets.updateOne(
      { _id: name, wrapped: new Binary(standing) },
      { $set: { wrapped: new Binary(wrapped) } },
    );
  }
}
