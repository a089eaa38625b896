import { describe, expect, it, jest } from '@jest/globals';
import { silentLog } from '../../engine/log.js';
import { signInOrigins } from './sign-in-origins.js';

const ISSUER = 'https://issuer.example/tenant/';

describe('the origins of a sign-in', () => {
  it('are the issuer’s and those of its endpoints, each once, and asked for once', async () => {
    const asked: string[] = [];
    const origins = signInOrigins(ISSUER, async (url) => {
      asked.push(url);
      return {
        authorization_endpoint: 'https://issuer.example/auth?x=1',
        token_endpoint: 'https://tokens.example/token',
      };
    });
    expect(await origins()).toEqual(['https://issuer.example', 'https://tokens.example']);
    expect(await origins()).toEqual(['https://issuer.example', 'https://tokens.example']);
    expect(asked).toEqual([`${ISSUER.slice(0, -1)}/.well-known/openid-configuration`]);
  });

  it('are asked for again after an hour, and ten seconds after a failure', async () => {
    let asked = 0;
    let now = 1_000;
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => now);
    try {
      const origins = signInOrigins(ISSUER, async () => {
        if (++asked === 1) throw new Error('away');
        return { token_endpoint: `https://tokens-${asked}.example/` };
      });
      const second = async () => (await origins())[1];
      expect(await second()).toBeUndefined();
      now += 10_000;
      expect(await second()).toBeUndefined();
      now += 1;
      expect(await second()).toBe('https://tokens-2.example');
      now += 3_600_000;
      expect(await second()).toBe('https://tokens-2.example');
      now += 1;
      expect(await second()).toBe('https://tokens-3.example');
    } finally {
      clock.mockRestore();
    }
  });

  it('say in the log why they are asked for again', async () => {
    const warn = jest.fn();
    const away = async (): Promise<never> => {
      throw new Error('away');
    };
    await signInOrigins(ISSUER, away, { ...silentLog, warn })();
    expect(warn.mock.calls).toEqual([
      [{ issuer: ISSUER, reason: 'Error: away' }, expect.stringContaining('tries again')],
    ]);
  });

  it.each([
    ['gives no answer', () => Promise.reject(new Error('away'))],
    ['answers nothing of use', async () => null],
    ['names what is no address of a page', async () => ({ token_endpoint: "javascript:'none'", x: 1 })],
  ])('are its own alone if it %s', async (_case, fetchDocument) => {
    expect(await signInOrigins(ISSUER, fetchDocument)()).toEqual(['https://issuer.example']);
  });
});
