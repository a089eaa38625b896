import { beforeEach, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { MemoryVault } from '../../../test/support/memory-vault.js';
import { KeyedHasher } from '../../core/keyed-hash.js';
import { SealedRecords } from '../../vault/sealed-records.js';
import { Codes, readCode } from './codes.js';

const EMAIL = 'carol@example.org';
const MINUTE = 60_000;

describe('codes', () => {
  let now: number;
  let vault: MemoryVault;
  let codes: Codes;
  const another = otherCodes();

  function otherCodes() {
    const hasher = new KeyedHasher(randomBytes(32));
    return () => new Codes(new SealedRecords(vault, hasher, () => now), hasher, () => now);
  }
  const ask = async (signIn = 'one', email = EMAIL): Promise<string> => {
    const asked = await codes.ask(signIn, email);
    if (asked.kind !== 'asked') throw new Error(`Not asked: ${JSON.stringify(asked)}.`);
    return asked.code;
  };
  /** @param n from 0: each gives another wrong code */
  const wrong = (code: string, n = 0): string => String((Number(code) + 1 + n) % 10 ** 8).padStart(8, '0');

  beforeEach(() => {
    now = 1_750_000_000_000;
    vault = new MemoryVault();
    codes = another();
  });

  it('have eight digits, and differ', async () => {
    const made = [await ask('one'), await ask('two'), await ask('three')];
    for (const code of made) expect(code).toMatch(/^\d{8}$/);
    expect(new Set(made).size).toBe(3);
  });

  it('are over once their tries are used up, also for who enters the right one then', async () => {
    const code = await ask();
    for (let triesLeft = 4; triesLeft >= 0; triesLeft--)
      expect(await codes.enter('one', wrong(code, triesLeft))).toEqual({ kind: 'wrong', triesLeft });
    expect(await codes.enter('one', code)).toEqual({ kind: 'over' });
    expect(await codes.enter('one', wrong(code))).toEqual({ kind: 'over' });
  });

  it('lose no further try by a form that is sent again with the same wrong code', async () => {
    const code = await ask();
    for (const process of [codes, another(), codes])
      expect(await process.enter('one', wrong(code))).toEqual({ kind: 'wrong', triesLeft: 4 });
    expect(await codes.enter('one', wrong(code, 1))).toEqual({ kind: 'wrong', triesLeft: 3 });
    expect(await codes.enter('one', wrong(code))).toEqual({ kind: 'wrong', triesLeft: 3 });
    expect(await codes.enter('one', code)).toMatchObject({ kind: 'right' });
    const next = await ask();
    expect(await codes.enter('one', wrong(next))).toEqual({ kind: 'wrong', triesLeft: 4 });
  });

  it('are counted for each sign-in, so that a form that is sent twice asks once', async () => {
    await ask();
    await ask();
    expect(await codes.waiting('one')).toEqual({ email: EMAIL, codesAsked: 2 });
    expect(await codes.ask('one', EMAIL, { codesAskedBefore: 1 })).toEqual({ kind: 'already' });
    expect(await codes.ask('one', EMAIL, { codesAskedBefore: 2 })).toMatchObject({ kind: 'asked' });
  });

  it('go to one spelling of an address', async () => {
    expect(await codes.ask('one', ' Carol@EXAMPLE.org')).toMatchObject({ kind: 'asked', email: EMAIL });
    // A letter that only looks like another one must not lead to another mailbox.
    expect(await codes.ask('two', 'carol@example.or\u212A')).toMatchObject({ email: 'carol@example.ork' });
  });

  it('are current until they are replaced, entered, given up for another address, or expired', async () => {
    const first = await ask();
    expect(await another().isCurrent('one', first)).toBe(true);
    const second = await ask();
    expect([await codes.isCurrent('one', first), await codes.isCurrent('one', second)]).toEqual([
      false,
      true,
    ]);
    await codes.forget('one');
    const third = await ask('one', 'dave@example.org');
    expect([await codes.isCurrent('one', second), await codes.isCurrent('one', third)]).toEqual([
      false,
      true,
    ]);
    await codes.enter('one', third);
    expect(await codes.isCurrent('one', third)).toBe(false);
    const late = await ask('two');
    now += 10 * 60_000;
    expect(await codes.isCurrent('two', late)).toBe(false);
  });

  it('are right once', async () => {
    const code = await ask();
    expect(await another().enter('one', code)).toEqual({ kind: 'right', email: EMAIL });
    expect(await codes.enter('one', code)).toEqual({ kind: 'used' });
    expect(await codes.enter('one', wrong(code))).toEqual({ kind: 'over' });
    expect(await codes.waiting('one')).toMatchObject({ email: null });
  });

  it('are asked for once by a form that is sent twice, and again by the next one', async () => {
    const send = (codesAskedBefore: number, signIn = 'one') =>
      another().ask(signIn, EMAIL, { codesAskedBefore });
    const asked = await Promise.all([send(0), send(0), send(0)]);
    expect(asked.map(({ kind }) => kind).sort()).toEqual(['already', 'already', 'asked']);
    expect(await send(0)).toEqual({ kind: 'already' });
    expect(await codes.waiting('one')).toEqual({ email: EMAIL, codesAsked: 1 });
    expect(await send(1)).toMatchObject({ kind: 'asked' });
    expect(await send(0, 'two')).toMatchObject({ kind: 'asked' });
    await codes.forget('two');
    now += 15 * MINUTE;
    expect(await send(0, 'two')).toMatchObject({ kind: 'asked' });
  });

  it('cost an address one code if its form is sent several times at once, whoever is first', async () => {
    for (let sent = 0; sent < 4; sent++) {
      const send = () => another().ask(`${sent}`, EMAIL, { codesAskedBefore: 0 });
      const asked = await Promise.all([send(), send()]);
      expect(asked.map(({ kind }) => kind).sort()).toEqual(['already', 'asked']);
    }
    expect((await codes.ask('fifth', EMAIL)).kind).toBe('asked');
    expect((await codes.ask('sixth', EMAIL)).kind).toBe('limited');
    const invitation = { applicationId: 'application', browser: 'mine' };
    for (let sent = 0; sent < 4; sent++) {
      const send = () => another().ask(`own ${sent}`, EMAIL, { codesAskedBefore: 0, invitation });
      expect((await Promise.all([send(), send()])).map(({ kind }) => kind).sort()).toEqual([
        'already',
        'asked',
      ]);
    }
    expect((await codes.ask('own fifth', EMAIL, { invitation })).kind).toBe('asked');
    expect((await codes.ask('own sixth', EMAIL, { invitation })).kind).toBe('limited');
  });

  it('are not limited by those that a clock which was years ahead has counted', async () => {
    now += 2 * 365 * 24 * 60 * MINUTE;
    const invitation = { applicationId: 'application', browser: 'mine' };
    for (let count = 0; count < 20; count++) await codes.ask(`${count}`, EMAIL, { invitation });
    expect((await codes.ask('more', EMAIL, { invitation })).kind).toBe('limited');
    now -= 2 * 365 * 24 * 60 * MINUTE;
    expect((await codes.ask('more', EMAIL)).kind).toBe('asked');
    for (let count = 0; count < 4; count++) await codes.ask(`later ${count}`, EMAIL);
    expect((await codes.ask('more', EMAIL)).kind).toBe('limited');
    expect((await codes.ask('more', EMAIL, { invitation })).kind).toBe('asked');
  });

  describe('of an address that strangers have used up', () => {
    const by = (browser: string, applicationId = 'application') => ({
      invitation: { applicationId, browser },
    });
    beforeEach(async () => {
      for (let count = 0; count < 20; count++) {
        await codes.ask(`stranger ${count}`, EMAIL);
        now += 4 * MINUTE;
      }
    });

    it('are left for who follows the invitation, in each browser a few', async () => {
      expect(await codes.ask('s', EMAIL)).toMatchObject({ kind: 'limited' });
      for (let count = 0; count < 5; count++)
        expect(await codes.ask('c', EMAIL, by('mine'))).toMatchObject({ kind: 'asked' });
      expect(await codes.ask('c', EMAIL, by('mine'))).toEqual({ kind: 'limited', retrySeconds: 15 * 60 });
      expect(await codes.ask('d', EMAIL, by('another'))).toMatchObject({ kind: 'asked' });
      expect(await codes.ask('s', EMAIL)).toMatchObject({ kind: 'limited' });
    });

    it('are bounded for all browsers together: the link may have gone on', async () => {
      const asked: string[] = [];
      for (let count = 0; count < 30; count++)
        asked.push((await codes.ask('c', EMAIL, by(`b${count}`))).kind);
      expect(asked.filter((kind) => kind === 'asked')).toHaveLength(20);
      expect(await codes.ask('c', EMAIL, by('b', 'another'))).toMatchObject({ kind: 'asked' });
    });

    it('are left for all again once that is lifted', async () => {
      for (let count = 0; count < 6; count++) await codes.ask('c', EMAIL, by('mine'));
      await another().lift(` ${EMAIL.toUpperCase()}`, ['application']);
      expect(await codes.ask('s', EMAIL)).toMatchObject({ kind: 'asked' });
      for (let count = 0; count < 20; count++) await codes.ask(`stranger ${count}`, EMAIL);
      expect(await codes.ask('c', EMAIL, by('mine'))).toMatchObject({ kind: 'asked' });
    });
  });

  it('are as many as the limits say', async () => {
    const hasher = new KeyedHasher(randomBytes(32));
    const records = new SealedRecords(vault, hasher, () => now);
    const few = new Codes(records, hasher, () => now, { per15Minutes: 2, perDay: 3 });
    const kinds: string[] = [];
    for (let count = 0; count < 5; count++) {
      kinds.push((await few.ask('one', EMAIL)).kind);
      now += 6 * MINUTE;
    }
    expect(kinds).toEqual(['asked', 'asked', 'limited', 'asked', 'limited']);
  });

  describe('for all addresses together', () => {
    const openFew = (ofAll: number): Codes => {
      const hasher = new KeyedHasher(randomBytes(32));
      const records = new SealedRecords(vault, hasher, () => now);
      return new Codes(records, hasher, () => now, { per15Minutes: 2, perDay: 3, ofAll });
    };
    const invitation = { applicationId: 'application', browser: 'mine' };

    it('are not used up by requests that a narrower limit refuses', async () => {
      const few = openFew(3);
      for (let count = 0; count < 10; count++) await few.ask(`stranger ${count}`, 'one@example.org');
      expect(await few.ask('other', EMAIL)).toMatchObject({ kind: 'asked' });
      expect(await few.ask('third', 'third@example.org')).toMatchObject({ kind: 'limited' });
    });

    it('count for no address and leave no record once they are used up', async () => {
      const few = openFew(2);
      for (const signIn of ['one', 'two']) expect((await few.ask(signIn, EMAIL)).kind).toBe('asked');
      const records = vault.passing.size;
      for (let count = 0; count < 3; count++) {
        expect((await few.ask(`more ${count}`, EMAIL, { invitation })).kind).toBe('limited');
        expect((await few.ask(`more ${count}`, `${count}@example.org`)).kind).toBe('limited');
      }
      expect(vault.passing.size).toBe(records);
      now += 10 * MINUTE;
      expect((await few.ask('own', EMAIL, { invitation })).kind).toBe('asked');
    });
  });

  it('are right once for many at the same time', async () => {
    const code = await ask();
    const entered = await Promise.all(Array.from({ length: 5 }, () => another().enter('one', code)));
    expect(entered.filter(({ kind }) => kind === 'right')).toHaveLength(1);
  });

  it('have five tries, also for many at the same time', async () => {
    const code = await ask();
    const entered = await Promise.all(
      Array.from({ length: 9 }, (_, n) => another().enter('one', wrong(code, n))),
    );
    const left = entered.map((one) => (one.kind === 'wrong' ? one.triesLeft : -1));
    expect(left.sort()).toEqual([-1, -1, -1, -1, 0, 1, 2, 3, 4]);
    expect(await codes.enter('one', code)).toEqual({ kind: 'over' });
    expect(await codes.waiting('one')).toMatchObject({ email: EMAIL });
  });

  it('belong to their sign-in, and only the newest is valid', async () => {
    const first = await ask();
    await ask('two');
    expect(await codes.enter('two', first)).toEqual({ kind: 'wrong', triesLeft: 4 });
    const second = await ask();
    expect(await codes.enter('one', first)).toEqual({ kind: 'wrong', triesLeft: 4 });
    expect(await codes.enter('one', second)).toMatchObject({ kind: 'right' });
    expect(await codes.enter('three', second)).toEqual({ kind: 'over' });
  });

  it('expire after ten minutes, also after a wrong try', async () => {
    const code = await ask();
    now += 9 * MINUTE;
    expect(await codes.enter('one', wrong(code))).toMatchObject({ kind: 'wrong' });
    now += MINUTE - 1;
    expect(await codes.waiting('one')).toMatchObject({ email: EMAIL });
    now += 1;
    expect(await codes.waiting('one')).toMatchObject({ email: null });
    expect(await codes.enter('one', code)).toEqual({ kind: 'over' });
  });

  it('are forgotten for another address', async () => {
    const code = await ask();
    await codes.forget('one');
    expect(await codes.enter('one', code)).toEqual({ kind: 'over' });
    await codes.forget('one');
  });

  it('are at most five in a quarter of an hour for an address, whichever sign-in asks', async () => {
    for (let count = 0; count < 5; count++) {
      await ask(`sign-in ${count}`);
      now += MINUTE;
    }
    expect(await codes.ask('six', EMAIL.toUpperCase())).toEqual({ kind: 'limited', retrySeconds: 600 });
    expect(await codes.waiting('six')).toMatchObject({ email: null });
    expect((await codes.ask('other', 'dave@example.org')).kind).toBe('asked');
    now += 10 * MINUTE - 1;
    expect(await codes.ask('six', EMAIL)).toEqual({ kind: 'limited', retrySeconds: 1 });
    now += 1;
    await ask('six');
  });

  it('are at most twenty in a day for an address', async () => {
    for (let count = 0; count < 20; count++) {
      await ask();
      now += 10 * MINUTE;
    }
    expect(await codes.ask('one', EMAIL)).toEqual({ kind: 'limited', retrySeconds: (24 * 60 - 200) * 60 });
    now += (24 * 60 - 200) * MINUTE;
    await ask();
  });

  it('cost an address no more than they are, however many ask at once', async () => {
    const asked = await Promise.all(
      Array.from({ length: 9 }, (_, index) => another().ask(`${index}`, EMAIL)),
    );
    expect(asked.filter(({ kind }) => kind === 'asked')).toHaveLength(5);
  });

  it('leave nothing behind that tells an address or a code', async () => {
    const code = await ask();
    const stored = JSON.stringify([...vault.passing]);
    const bytes = [...vault.passing.values()].map(({ sealed }) =>
      Buffer.from(sealed, 'base64').toString('latin1'),
    );
    for (const text of [EMAIL, code, 'carol', 'one'])
      expect([stored, ...bytes].some((one) => one.includes(`"${text}"`) || one.includes(text + '@'))).toBe(
        false,
      );
    now += 25 * 60 * MINUTE;
    // The code, the count of its address, and that of all.
    expect(await vault.shortLived.sweep(now)).toBe(3);
    expect(vault.passing.size).toBe(0);
  });

  it.each([
    ['12345678', '12345678'],
    [' 1234 5678 ', '12345678'],
    ['1234-5678', '12345678'],
    ['１２３４５６７８', '12345678'],
    ['1234567', null],
    ['123456789', null],
    ['1234567a', null],
    ['', null],
    ['٠١٢٣ ٤٥٦٧', '01234567'],
    ['۰۱۲۳۴۵۶۷', '01234567'],
    ['०१२३-४५६७', '01234567'],
    ['\u202A1234\u200B5678\u202C', '12345678'],
    ['\uFEFF1234\u2060 5678\u200F', '12345678'],
    ['1234.5678.', '12345678'],
    ['1234·5678', '12345678'],
    ['(1234) 5678', '12345678'],
    ['\u{1D7CE}1234567', '01234567'],
    ['1234S678', null],
    ['Code: 12345678', null],
    ['1234567八', null],
  ])('are read from %j as %j', (typed, code) => {
    expect(readCode(typed)).toBe(code);
  });

  it('are read in the decimal digits of every script', () => {
    const digits = Array.from({ length: 0x110000 }, (_, code) => String.fromCodePoint(code)).filter((sign) =>
      /^\p{Nd}$/u.test(sign),
    );
    // Unicode has them in runs of ten, each from 0 to 9.
    expect(digits.length % 10).toBe(0);
    digits.forEach((digit, index) => expect(readCode(digit.repeat(8))).toBe(String(index % 10).repeat(8)));
  });
});
