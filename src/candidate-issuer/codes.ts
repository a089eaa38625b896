import { randomInt, timingSafeEqual } from 'node:crypto';
import type { KeyedHasher } from '../core/keyed-hash.js';
import { normaliseEmail, readableEmail } from '../core/email-address.js';
import type { SealedRecords } from './records.js';

export const CODE_DIGITS = 8;
export const CODE_MINUTES = 10;
const TRIES = 5;

/** Codes for one address: within so many seconds at most so many. */
const LIMITS = [
  { seconds: 15 * 60, most: 5 },
  { seconds: 24 * 3600, most: 20 },
] as const;
const LONGEST_SECONDS = 24 * 3600;

/** The code that one sign-in waits for. */
interface AskedCode {
  readonly email: string;
  /** Keyed. */
  readonly hash: string;
  readonly triesLeft: number;
}

export type Asked =
  | { readonly kind: 'asked'; readonly email: string; readonly code: string }
  | { readonly kind: 'limited'; readonly retrySeconds: number };

export type Entered =
  | { readonly kind: 'right'; readonly email: string }
  | { readonly kind: 'wrong'; readonly triesLeft: number }
  /** Used, expired, replaced or tried too often. */
  | { readonly kind: 'over' };

/**
 * The codes of sign-ins under way. Whether an address is known has no part in it: for any address a code is made, stored
 * and counted alike.
 */
export class Codes {
  constructor(
    private readonly records: SealedRecords,
    private readonly hasher: KeyedHasher,
    private readonly now: () => number = Date.now,
  ) {}

  /**
   * Makes a code for a sign-in, which replaces the one before. Nothing is made once the address is limited.
   * @param email any spelling; the answer has the one that codes are sent to
   */
  async ask(signIn: string, email: string): Promise<Asked> {
    const address = readableEmail(email);
    const retrySeconds = await this.count(normaliseEmail(email));
    if (retrySeconds > 0) return { kind: 'limited', retrySeconds };
    const code = String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, '0');
    const asked: AskedCode = { email: address, hash: this.hashOf(signIn, code), triesLeft: TRIES };
    await this.records.put('code', signIn, asked, CODE_MINUTES * 60);
    return { kind: 'asked', email: address, code };
  }

  /** The address that a sign-in waits for the code of; `null`: it waits for none. */
  async waitsFor(signIn: string): Promise<string | null> {
    return (await this.records.get<AskedCode>('code', signIn))?.email ?? null;
  }

  /** The right code is answered as right once, however many requests send it at the same time. */
  enter(signIn: string, code: string): Promise<Entered> {
    const given = Buffer.from(this.hashOf(signIn, code));
    return this.records.update<AskedCode, Entered>('code', signIn, (asked) => {
      if (!asked || asked.triesLeft === 0) return { answer: { kind: 'over' } };
      if (timingSafeEqual(given, Buffer.from(asked.hash)))
        return { answer: { kind: 'right', email: asked.email }, to: null };
      const triesLeft = asked.triesLeft - 1;
      // Without tries it stays until it expires: the page still knows the address to send another code to.
      return { answer: { kind: 'wrong', triesLeft }, to: { value: { ...asked, triesLeft } } };
    });
  }

  async forget(signIn: string): Promise<void> {
    await this.records.remove('code', signIn);
  }

  /** Counts one code more for an address. @returns seconds until another may be asked for; 0: it is counted */
  private count(address: string): Promise<number> {
    const now = this.now();
    return this.records.update<readonly number[], number>('codes of an address', address, (stored) => {
      const times = (stored ?? []).filter((time) => time > now - LONGEST_SECONDS * 1_000);
      const waits = LIMITS.map(({ seconds, most }) => {
        const first = times.at(-most);
        return first === undefined ? 0 : first + seconds * 1_000 - now;
      });
      const wait = Math.max(...waits);
      if (wait > 0) return { answer: Math.ceil(wait / 1_000) };
      return { answer: 0, to: { value: [...times, now], seconds: LONGEST_SECONDS } };
    });
  }

  private hashOf(signIn: string, code: string): string {
    return this.hasher.hmac('code', signIn, code);
  }
}

/** Blanks, punctuation, marks of direction and what is not seen. */
const BETWEEN_DIGITS = /[\s\p{Z}\p{P}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}]/gu;

/**
 * The value of a decimal digit of any script. Unicode has them in runs of ten in order from 0, so that the number of
 * digits before one in its run is its value. Those of mathematical alphabets and of fullwidth forms are compatible with ASCII's.
 */
const digitOf = (sign: string): number | null => {
  const ascii = sign.normalize('NFKC');
  if (/^[0-9]$/.test(ascii)) return Number(ascii);
  if (!/^\p{Nd}$/u.test(sign)) return null;
  const code = sign.codePointAt(0) ?? 0;
  let before = 0;
  while (/^\p{Nd}$/u.test(String.fromCodePoint(code - before - 1))) before++;
  return before % 10;
};

/** The digits of a code as somebody typed or pasted it; `null`: these are not as many as a code has. */
export const readCode = (typed: string): string | null => {
  let digits = '';
  for (const sign of typed.replaceAll(BETWEEN_DIGITS, '')) {
    const value = digitOf(sign);
    if (value === null) return null;
    digits += value;
  }
  return digits.length === CODE_DIGITS ? digits : null;
};
