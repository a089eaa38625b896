// Apart from the provider: `oidc-provider` takes long to load, so it is loaded at the first sign-in.
import { LRUCache } from 'lru-cache';
import type { Adapter, AdapterFactory, AdapterPayload } from 'oidc-provider';
import type { Account } from './account.js';

const DAY_SECONDS = 86_400;
/** Most records in memory, of each sort: the oldest are dropped. */
const MAX_RECORDS = 5_000;

/**
 * Sign-ins under way, codes and sessions of the development issuer, in memory: one that is lost to a restart is begun
 * anew. ID tokens need none of it.
 */
export class Grants {
  /** Who signed in last under a subject. */
  readonly accounts = new LRUCache<string, Account>({ max: MAX_RECORDS });
  readonly adapter: AdapterFactory = memoryAdapter();
}

const memoryAdapter = (): AdapterFactory => {
  const records = new LRUCache<string, AdapterPayload>({ max: MAX_RECORDS });

  return (model): Adapter => {
    const key = (id: string): string => `${model}:${id}`;
    const findBy = (name: 'uid' | 'userCode', value: string): AdapterPayload | undefined => {
      for (const [at, record] of records.entries()) {
        if (at.startsWith(`${model}:`) && record[name] === value) return record;
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
        for (const [at, record] of [...records.entries()]) if (record.grantId === grantId) records.delete(at);
      },
    };
  };
};
