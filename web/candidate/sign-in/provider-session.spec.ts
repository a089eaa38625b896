import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Provider, type Tokens } from '../../shared/oidc.js';
import { ProviderSession } from './provider-session.js';

const config = {
  issuer: 'https://provider.example',
  clientId: 'page',
  redirectUri: 'https://assay.example/apply/callback',
  signIn: 'oidc',
} as const;

const tokens = (idToken: string): Tokens => ({
  ...{ idToken, refreshToken: 'refresh', subject: 'ada', email: 'ada@candidates.example' },
  ...{ iat: 0, exp: 3_600 },
});

const storageOf = (values: Map<string, string>) => ({
  getItem: (name: string) => values.get(name) ?? null,
  setItem: (name: string, value: string) => void values.set(name, value),
  removeItem: (name: string) => void values.delete(name),
});

describe('a renewal that is still under way when the candidate signs out', () => {
  const stored = new Map<string, string>();
  let answer: (renewed: Tokens | null) => void;
  let session: ProviderSession;

  beforeEach(async () => {
    stored.clear();
    Object.assign(globalThis, { localStorage: storageOf(stored), sessionStorage: storageOf(new Map()) });
    jest.spyOn(Provider.prototype, 'arrive').mockResolvedValue(tokens('first'));
    jest.spyOn(Provider.prototype, 'isReachable').mockResolvedValue(true);
    jest.spyOn(Provider.prototype, 'refresh').mockImplementation(
      () =>
        new Promise((resolve, reject) => {
          answer = (renewed) => (renewed === null ? reject(new Error('Refused.')) : resolve(renewed));
        }),
    );
    jest.spyOn(Provider.prototype, 'askInFrame').mockResolvedValue(tokens('third'));
    session = new ProviderSession(
      config,
      () => 'en',
      () => undefined,
    );
    expect((await session.arrive()).arrival).toBe('in');
  });
  afterEach(() => {
    session.forget();
    jest.restoreAllMocks();
    for (const name of ['localStorage', 'sessionStorage']) Reflect.deleteProperty(globalThis, name);
  });

  it.each([['succeeds', tokens('second')] as const, ['is refused', null] as const])(
    'and then %s signs nobody in again',
    async (_, renewed) => {
      const asked = session.renewed('first');
      await session.end();
      answer(renewed);
      expect(await asked).toBeNull();
      expect([session.subject, session.tokenNow(), stored.get('assay.signed-in')]).toEqual([
        ...[null, null, 'out'],
      ]);
    },
  );

  it('signs nobody in again either if another tab has signed out', async () => {
    const asked = session.renewed('first');
    stored.set('assay.signed-in', 'out');
    answer(tokens('second'));
    await asked;
    expect(stored.get('assay.signed-in')).toBe('out');
  });
});
