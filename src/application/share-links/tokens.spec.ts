import { describe, expect, it } from '@jest/globals';
import { createHmac } from 'node:crypto';
import { MemoryVault } from '../../../test/support/memory-vault.js';
import { isToken, ShareTokens, tokenHash } from './tokens.js';

const ID = '0197a3b0-0000-7000-8000-000000000001';

describe('tokens of share links', () => {
  it('are the same for the same link, another for any other link or server', async () => {
    const vault = new MemoryVault();
    const token = await new ShareTokens(vault).tokenOf(ID);
    expect(await new ShareTokens(vault).tokenOf(ID)).toBe(token);
    expect(await new ShareTokens(vault).tokenOf(ID.replace(/1$/, '2'))).not.toBe(token);
    expect(await new ShareTokens(new MemoryVault()).tokenOf(ID)).not.toBe(token);
  });

  it('are 256 bits made of the secret and the id: links that stand depend on it', async () => {
    const secret = Buffer.alloc(32, 7);
    const names: string[] = [];
    const vault = {
      secret: async (name: string, make: () => Buffer) => {
        names.push(name);
        expect(make()).toHaveLength(32);
        return secret;
      },
    };
    const token = await new ShareTokens(vault).tokenOf(ID);
    expect(names).toEqual(['share-link']);
    expect(Buffer.from(token, 'base64url')).toEqual(createHmac('sha256', secret).update(ID).digest());
    expect(isToken(token)).toBe(true);
  });

  it('are stored as SHA-256 of their text, so that another spelling of the same bits opens nothing', () => {
    expect(tokenHash('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    const [one, other] = [`${'A'.repeat(42)}A`, `${'A'.repeat(42)}B`];
    expect(Buffer.from(one, 'base64url')).toEqual(Buffer.from(other, 'base64url'));
    expect(tokenHash(one)).not.toBe(tokenHash(other));
  });

  it.each([
    '',
    'A'.repeat(42),
    'A'.repeat(44),
    `${'A'.repeat(42)}=`,
    `${'A'.repeat(42)}+`,
    `${'A'.repeat(43)}\n`,
  ])('%j is none', (text) => expect(isToken(text)).toBe(false));
});
