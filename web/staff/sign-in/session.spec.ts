import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Provider, type Tokens } from '../../shared/oidc.js';
import { StaffSession } from './session.js';

const config = {
  issuer: 'https://provider.example',
  clientId: 'console',
  redirectUri: 'https://assay.example/console/callback',
  development: false,
  people: [],
  outbox: null,
};

const tokens = (idToken: string): Tokens => ({
  ...{ idToken, refreshToken: 'refresh', subject: 'nora', email: 'nora@larkspur.example' },
  ...{ iat: 0, exp: 60 },
});

const storageOf = (values: Map<string, string>) => ({
  getItem: (name: string) => values.get(name) ?? null,
  setItem: (name: string, value: string) => void values.set(name, value),
  removeItem: (name: string) => void values.delete(name),
});

describe('what is still under way when a member of staff signs out', () => {
  const stored = new Map<string, string>();
  let answer: (renewed: Tokens) => void;
  let session: StaffSession;

  beforeEach(async () => {
    stored.clear();
    Object.assign(globalThis, { localStorage: storageOf(stored), sessionStorage: storageOf(new Map()) });
    jest.spyOn(Provider.prototype, 'arrive').mockResolvedValue(tokens('first'));
    jest
      .spyOn(Provider.prototype, 'refresh')
      .mockImplementation(() => new Promise((resolve) => (answer = resolve)));
    session = new StaffSession(config, () => 'en');
    expect((await session.arrive()).outcome).toBe('in');
  });
  afterEach(() => {
    jest.restoreAllMocks();
    for (const name of ['localStorage', 'sessionStorage']) Reflect.deleteProperty(globalThis, name);
  });

  it('signs nobody in again: a renewal whose answer comes afterwards', async () => {
    const asked = session.token('first');
    session.forget();
    stored.set('assay.staff-signed-in', 'out');
    answer(tokens('second'));
    expect(await asked).toBeNull();
    expect([session.isSignedIn, session.ended.value, stored.get('assay.staff-signed-in')]).toEqual([
      ...[false, null, 'out'],
    ]);
  });

  it('signs nobody in again either if another tab has signed out', async () => {
    const asked = session.token('first');
    stored.set('assay.staff-signed-in', 'out');
    answer(tokens('second'));
    expect(await asked).toBeNull();
    expect(stored.get('assay.staff-signed-in')).toBe('out');
  });

  it('is renewed as long as nobody signs out', async () => {
    const asked = session.token('first');
    answer(tokens('second'));
    expect(await asked).toBe('second');
  });
});
