import { describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { MemoryVault } from '../../../test/support/memory-vault.js';
import { KeyedHasher } from '../../core/keyed-hash.js';
import { SealedRecords } from '../../vault/sealed-records.js';
import { FormAnswers } from '../form-answers.js';
import { IssuerKeys } from './keys.js';
import { ENDED_SESSION } from './keys.js';
import { createProvider } from './provider.js';
import { SignInStates } from './sign-in-states.js';

const open = async () => {
  const vault = new MemoryVault();
  const records = new SealedRecords(vault, new KeyedHasher(randomBytes(32)));
  const hasher = new KeyedHasher(randomBytes(32));
  const provider = createProvider({
    issuerUrl: 'https://assay.example.org/candidate',
    clientId: 'assay-candidate',
    redirectUri: 'https://assay.example.org/apply/callback',
    signing: await new IssuerKeys(vault).signing(),
    cookieKey: 'key',
    records,
    states: new SignInStates(hasher, '/candidate', true, Date.now),
    deviceAnswers: new FormAnswers(randomBytes(32), true),
    onError: () => undefined,
  });
  return { provider, records };
};

describe('a session', () => {
  it('stays ended if a request that was under way stores the session again', async () => {
    const { provider, records } = await open();
    const session = new provider.Session();
    Object.assign(session, { accountId: 'a', loginTs: 1, jti: 'id', uid: 'uid' });
    await session.save(100);
    expect(await provider.Session.find('id')).toMatchObject({ accountId: 'a' });
    await records.put(ENDED_SESSION, 'uid', true, 100);
    await session.destroy();
    await session.save(100);
    expect(await provider.Session.find('id')).toBeUndefined();
    expect(await provider.Session.findByUid('uid')).toBeUndefined();
  });
});
