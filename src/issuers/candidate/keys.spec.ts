import { describe, expect, it } from '@jest/globals';
import { importJWK, jwtVerify, SignJWT } from 'jose';
import { MemoryVault } from '../../../test/support/memory-vault.js';
import { publicPart } from '../keys.js';
import { IssuerKeys } from './keys.js';

const PERIOD_MS = 90 * 86_400_000;

describe('the keys of the issuer for candidates', () => {
  it('are the same in every process, and the first one signs', async () => {
    const vault = new MemoryVault();
    const keys = new IssuerKeys(vault);
    const signing = await keys.signing();
    expect(await keys.signing()).toBe(signing);
    expect((await new IssuerKeys(vault).signing()).keys).toEqual(signing.keys);
    expect((await keys.hasher()).hmac('x')).toBe((await new IssuerKeys(vault).hasher()).hmac('x'));
    expect(new Set(signing.keys.map(({ kid }) => kid)).size).toBe(3);
    const [key] = signing.keys;
    const token = await new SignJWT({}).setProtectedHeader({ alg: 'ES256' }).sign(await importJWK(key!));
    await jwtVerify(token, await importJWK(publicPart(key!)));
    expect(publicPart(key!)).toEqual({ ...key, d: undefined });
    expect(JSON.stringify(publicPart(key!))).not.toContain('"d"');
  });

  it('change with the period; those before and after are known, and no others', async () => {
    const vault = new MemoryVault();
    let now = 100 * PERIOD_MS;
    const keys = new IssuerKeys(vault, () => now);
    const kids = async () => (await keys.signing()).keys.map(({ kid }) => kid!);
    const [first, , next] = await kids();
    now += PERIOD_MS - 1;
    expect((await kids())[0]).toBe(first);
    now += 1;
    const second = await kids();
    expect(second.slice(0, 2)).toEqual([next, first]);
    now += PERIOD_MS;
    expect(await kids()).not.toContain(first);
  });
});
