import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { MemoryVault } from '../../test/support/memory-vault.js';
import { KeyedHasher } from './keyed-hash.js';

const hasher = new KeyedHasher(Buffer.alloc(32, 7));
const UUID_V8 = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
/** Any string there is, halves of surrogate pairs included. */
const anyString = () =>
  fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)) });

describe('keyed hashes', () => {
  it('of an address lead to what former releases stored, whichever way its domain is written', () => {
    const hasher = new KeyedHasher(Buffer.alloc(32, 7));
    // As the releases before made it: lower-cased, the domain as it was written.
    const former = (...parts: string[]) => hasher.hmac('email', ...parts);
    for (const spelling of ['Anna@bücher.example', 'anna@BÜCHER.example', 'anna@xn--bcher-kva.example']) {
      expect(hasher.emailHashes(spelling)).toEqual([
        former('anna@xn--bcher-kva.example'),
        former('anna@bücher.example'),
      ]);
      expect(hasher.formerIdentityHashes('o', spelling)).toEqual([
        hasher.hmac('identity', 'o', 'anna@bücher.example'),
      ]);
      expect(hasher.identityHash('o', spelling)).toBe(
        hasher.hmac('identity', 'o', 'anna@xn--bcher-kva.example'),
      );
    }
    expect(hasher.emailHashes('Ada@Example.com')).toEqual([hasher.emailHash('ada@example.com')]);
  });

  it('never change: they stand in stored ids and look-ups', () => {
    expect(hasher.hmac('purpose', 'one', 'two')).toBe(
      '958cb2be917960b90b4317ba787e68e588db691320794abac46bf1dfe94220fc',
    );
    expect(hasher.hmac('purpose')).toBe('f078193acd29fdef94509bbdc44229b608201c6ed1bf684456a4534c6d697bc0');
    expect(hasher.emailHash('Ada@Example.com')).toBe(
      'b0c672e889d75e8cb60f31cddd3f3f3e66977827e0f4f0cc79dc9ab535c57daa',
    );
    expect(hasher.subjectHash('subject')).toBe(
      'bf3d60573bf521cbe347009df6fc01d582f105ab3ec5731a802e494fe9ac8218',
    );
    expect(hasher.identityHash('organisation', 'Ada@Example.com')).toBe(
      'c45714b8f111410a0a0e7754cf7df24736ac12721ce4b586ee0ac93a5627dd5b',
    );
    expect(hasher.uuidV8('purpose', 'one', 'two')).toBe('883260bd-6e3c-8f03-a9e8-4366f99e86c6');
  });

  it('differ wherever purpose or parts differ', () => {
    const list = fc.array(anyString(), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(list, list, ([a = '', ...as], [b = '', ...bs]) => {
        const same = JSON.stringify([a, ...as]) === JSON.stringify([b, ...bs]);
        expect(hasher.hmac(a, ...as) === hasher.hmac(b, ...bs)).toBe(same);
        expect(hasher.uuidV8(a, ...as) === hasher.uuidV8(b, ...bs)).toBe(same);
      }),
    );
    const lists = [
      ['a', 'b'],
      ['ab'],
      ['a', 'b', ''],
      ['', 'a', 'b'],
      ['a\0b'],
      ['\ud800'],
      ['\ud801'],
      ['\ufffd'],
      [],
    ];
    expect(new Set(lists.map((parts) => hasher.hmac('p', ...parts))).size).toBe(lists.length);
  });

  it('differ under another secret', () => {
    const other = new KeyedHasher(Buffer.alloc(32, 8));
    expect(other.emailHash('a@b')).not.toBe(hasher.emailHash('a@b'));
    expect(() => new KeyedHasher(Buffer.alloc(16))).toThrow('32 bytes');
  });

  it('compare e-mails normalised, subjects exactly, and each kind apart', () => {
    expect(hasher.emailHash('  ADA@example.com ')).toBe(hasher.emailHash('ada@example.com'));
    expect(hasher.identityHash('o', 'ADA@example.com')).toBe(hasher.identityHash('o', 'ada@example.com'));
    expect(hasher.identityHash('o', 'a@b')).not.toBe(hasher.identityHash('p', 'a@b'));
    expect(hasher.subjectHash('A')).not.toBe(hasher.subjectHash('a'));
    expect(hasher.subjectHash('a@b')).not.toBe(hasher.emailHash('a@b'));
  });

  it('derives valid UUIDs v8', () => {
    fc.assert(fc.property(anyString(), anyString(), (a, b) => expect(hasher.uuidV8(a, b)).toMatch(UUID_V8)));
  });

  it('are the same for everyone who shares the vault', async () => {
    const vault = new MemoryVault();
    const [one, two] = [await KeyedHasher.of(vault), await KeyedHasher.of(vault)];
    expect(one.hmac('p', 'x')).toBe(two.hmac('p', 'x'));
    expect(one.hmac('p', 'x')).not.toBe((await KeyedHasher.of(new MemoryVault())).hmac('p', 'x'));
  });
});
