// In a file without the provider, since `oidc-provider` takes long to load and is loaded at the first sign-in.
import { LRUCache } from 'lru-cache';
import type { Adapter, AdapterFactory, AdapterPayload } from 'oidc-provider';
import type { Account } from './account.js';

const DAY_SECONDS = 86_400;
/** Limit of records in memory, for each kind: the least recently used are dropped. */
const MAX_RECORDS = 5_000;

/**
 * The development issuer's sign-ins under way, codes and sessions, in memory. After a restart a sign-in must begin
 * again; ID tokens stay valid.
 */
export class Grants {
  /** The account that signed in last under each subject. */
  readonly accounts = new LRUCache<string, Account>({ max: MAX_RECORDS });
  readonly adapter: AdapterFactory = memoryAdapter();
}

const memoryAdapter = (): AdapterFactory => {
  const records = new LRUCache<string, AdapterPayload>({ max: MAX_RECORDS });

  return (model): Adapter => {
    const key = (id: string): string => `${model}:${id}`;
    const findBy = (name: 'uid' | 'userCode', value: string): AdapterPayload | undefined => {
      for (const [stored, record] of records.entries()) {
        if (stored.startsWith(`${model}:`) && record[name] === value) return record;
      }
      return undefined;
    };
    return {
      upsert: async (id, payload, seconds = DAY_SECONDS) => {
        records.set(key(id), payload, { ttl: seconds * 1000 });
      },
      find: async (id) => records.get(key(id)),
      findByUid: async (uid) => findBy('uid', uid),
      findByUserCode: async (code) => findBy('userCode', code),
      consume: async (id) => {
        const record = records.get(key(id));
        if (record) record.consumed = Math.floor(Date.now() / 1000);
      },
      destroy: async (id) => {
        records.delete(key(id));
      },
      revokeByGrantId: async (grantId) => {
        for (const [stored, record] of [...records.entries()])
          if (record.grantId === grantId) records.delete(stored);
      },
    };
  };
};
