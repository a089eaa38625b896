import { randomInt, timingSafeEqual } from 'node:crypto';
import { normaliseEmail, readableEmail } from '../../core/email-address.js';
import type { KeyedHasher } from '../../core/keyed-hash.js';
import type { SealedRecords } from '../../vault/sealed-records.js';
import { SharedCount } from '../../vault/shared-count.js';

export const CODE_DIGITS = 8;
/** How long a code is valid. */
export const CODE_MINUTES = 10;
/** How many different wrong codes may be entered. */
const TRIES = 5;

/** How many codes may be sent to an address, from all browsers together. */
export interface CodeLimits {
  readonly per15Minutes: number;
  readonly perDay: number;
  /** Codes for all addresses, in ten minutes, in all processes. Default: `MAX_CODES`. */
  readonly ofAll?: number;
}
/** The default limits. */
export const CODE_LIMITS: CodeLimits = { per15Minutes: 5, perDay: 20 };
/** Default of `ofAll`: far more than assessments need. Each code leaves a record for ten minutes and one for a day. */
export const MAX_CODES = 20_000;
const MAX_SECONDS = 24 * 3600;
/** How far the clocks of two processes may differ, in milliseconds. */
const MAX_AHEAD_MS = 15 * 60_000;
/** Kinds of records: times of the codes for an address, and of those by the link of one of its invitations. */
const COMMON = 'codes of an address';
const OWN = 'codes of an invitation';
/** All browsers that follow the link of one invitation may have this many times the codes of one browser. */
const BROWSERS_OF_AN_INVITATION = 4;

/** The code that one sign-in waits for. */
interface AskedCode {
  readonly email: string;
  /** The keyed hash of the code. */
  readonly hash: string;
  readonly triesLeft: number;
  /** The keyed hashes of the wrong codes that were entered; absent: none. */
  readonly wrong?: readonly string[];
  /** The number of the code in its sign-in, from 1. */
  readonly number: number;
  /** The code was entered. The record stays until it expires, so that the same code does not count as a wrong one. */
  readonly used?: true;
}

/** The form and the link by which a code is asked for. */
export interface CodeRequest {
  /** How many codes the sign-in had when the form was shown: a form that is sent twice asks for one code. */
  readonly codesAskedBefore?: number | null;
  /** The invitation to the address by whose link the sign-in was begun; `null` or left out: none. */
  readonly invitation?: { readonly applicationId: string; readonly browser: string } | null;
}

/** Times of the codes that were asked for by the link of one invitation. */
interface OwnAllowance {
  readonly all: readonly number[];
  readonly browsers: Readonly<Record<string, readonly number[]>>;
}

export type Asked =
  | { readonly kind: 'asked'; readonly email: string; readonly code: string }
  /** This form has already asked for a code. */
  | { readonly kind: 'already' }
  | { readonly kind: 'limited'; readonly retrySeconds: number };

export type Entered =
  | { readonly kind: 'right'; readonly email: string }
  | { readonly kind: 'wrong'; readonly triesLeft: number }
  /** The code is right, and was already entered. */
  | { readonly kind: 'used' }
  /** The code has expired, was replaced, or wrong ones were entered too often. */
  | { readonly kind: 'over' };

/**
 * The codes of sign-ins under way. A code is made, stored and counted in the same way for every address, so that no
 * answer reveals whether an address is invited.
 */
export class Codes {
  /** Counts the codes for all addresses. */
  private readonly all: SharedCount;

  constructor(
    private readonly records: SealedRecords,
    private readonly hasher: KeyedHasher,
    private readonly now: () => number = Date.now,
    private readonly limits: CodeLimits = CODE_LIMITS,
  ) {
    const limit = { max: limits.ofAll ?? MAX_CODES, seconds: CODE_MINUTES * 60 };
    this.all = new SharedCount(records, 'codes of all', limit, now);
  }

  /**
   * Makes a code for a sign-in, which replaces the one before, unless the address has reached its limit. Then a browser
   * that follows the link of an invitation to the address has an allowance of its own, so that others who ask for codes
   * for the address do not lock the candidate out.
   * @param email any spelling; the answer has the spelling that codes are sent to
   */
  async ask(
    signIn: string,
    email: string,
    { codesAskedBefore, invitation }: CodeRequest = {},
  ): Promise<Asked> {
    const address = readableEmail(email);
    const compared = normaliseEmail(email);
    if (isAnswered(codesAskedBefore, await this.stored(signIn))) return { kind: 'already' };
    const commonWait = await this.count(compared);
    // Only if the address has reached its limit is the code counted for the invitation.
    const countedFor = commonWait > 0 ? invitation : null;
    const retrySeconds = countedFor
      ? Math.min(commonWait, await this.countOwn(compared, countedFor.applicationId, countedFor.browser))
      : commonWait;
    if (retrySeconds > 0) return { kind: 'limited', retrySeconds };
    // Last: requests that their address's limit refuses must not use up the limit of all.
    const full = await this.all.take();
    if (full > 0) {
      await this.uncount(compared, countedFor);
      return { kind: 'limited', retrySeconds: full };
    }
    const code = String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, '0');
    const asked = await this.records.update<AskedCode, Asked>('code', signIn, (former) => {
      if (isAnswered(codesAskedBefore, former)) return { answer: { kind: 'already' } };
      const hash = this.hashOf(signIn, code);
      const value = { email: address, hash, triesLeft: TRIES, number: numberOf(former) + 1 };
      return { answer: { kind: 'asked', email: address, code }, to: { value, seconds: CODE_MINUTES * 60 } };
    });
    // Another request of the form was first, and has counted the code.
    if (asked.kind === 'already') await this.uncount(compared, countedFor);
    return asked;
  }

  /** The address to which a sign-in's code was sent (`null`: no code is waited for), and its number of codes. */
  async waiting(signIn: string): Promise<{ readonly email: string | null; readonly codesAsked: number }> {
    const asked = await this.stored(signIn);
    return { email: asked === null || asked.used ? null : asked.email, codesAsked: numberOf(asked) };
  }

  /** Whether a code can still be entered: it has not expired, and was neither entered nor replaced. */
  async isCurrent(signIn: string, code: string): Promise<boolean> {
    const asked = await this.stored(signIn);
    return asked !== null && !asked.used && asked.hash === this.hashOf(signIn, code);
  }

  /**
   * Enters a code. If several requests send the right one at the same time, only one of them gets `right`. The same wrong
   * code again, as of a page that is loaded again, takes no further try: a guesser learns nothing new by it.
   */
  enter(signIn: string, code: string): Promise<Entered> {
    const hash = this.hashOf(signIn, code);
    return this.records.update<AskedCode, Entered>('code', signIn, (asked) => {
      if (!asked || asked.triesLeft === 0) return { answer: { kind: 'over' } };
      if (timingSafeEqual(Buffer.from(hash), Buffer.from(asked.hash))) {
        if (asked.used) return { answer: { kind: 'used' } };
        return { answer: { kind: 'right', email: asked.email }, to: { value: { ...asked, used: true } } };
      }
      if (asked.used) return { answer: { kind: 'over' } };
      const { triesLeft: before, wrong = [] } = asked;
      if (wrong.includes(hash)) return { answer: { kind: 'wrong', triesLeft: before } };
      const triesLeft = before - 1;
      // The record stays even if no tries are left: the page offers to send another code to its address.
      const value = { ...asked, triesLeft, wrong: [...wrong, hash] };
      return { answer: { kind: 'wrong', triesLeft }, to: { value } };
    });
  }

  /** Ends the wait for a code. The count of the sign-in's codes stays. */
  async forget(signIn: string): Promise<void> {
    await this.records.update<AskedCode, undefined>('code', signIn, (asked) => ({
      answer: undefined,
      // No code has this hash.
      ...(asked && { to: { value: { ...asked, email: '', hash: this.hashOf(signIn, ''), used: true } } }),
    }));
  }

  /**
   * Resets the limit of codes for an address.
   * @param applicationIds invitations to the address, whose allowances are reset too
   */
  async lift(email: string, applicationIds: readonly string[]): Promise<void> {
    const compared = normaliseEmail(email);
    await this.records.remove(COMMON, compared);
    for (const applicationId of applicationIds)
      await this.records.remove(OWN, JSON.stringify([compared, applicationId]));
  }

  private stored(signIn: string): Promise<AskedCode | null> {
    return this.records.get<AskedCode>('code', signIn);
  }

  /**
   * Counts a code for an address.
   * @returns seconds until the limit allows another, and it is not counted; 0: counted
   */
  private count(address: string): Promise<number> {
    return this.records.update<readonly number[], number>(COMMON, address, (stored) => {
      const times = this.recent(stored ?? []);
      const wait = this.wait(times, 1);
      if (wait > 0) return { answer: wait };
      return { answer: 0, to: { value: [...times, this.now()], seconds: MAX_SECONDS } };
    });
  }

  /** As `count`, for one browser by the link of one invitation. */
  private countOwn(address: string, applicationId: string, browser: string): Promise<number> {
    const id = JSON.stringify([address, applicationId]);
    return this.records.update<OwnAllowance, number>(OWN, id, (stored) => {
      const all = this.recent(stored?.all ?? []);
      const times = this.recent(stored?.browsers[browser] ?? []);
      const wait = Math.max(this.wait(all, BROWSERS_OF_AN_INVITATION), this.wait(times, 1));
      if (wait > 0) return { answer: wait };
      const now = this.now();
      const browsers = { ...stored?.browsers, [browser]: [...times, now] };
      return { answer: 0, to: { value: { all: [...all, now], browsers }, seconds: MAX_SECONDS } };
    });
  }

  /**
   * Uncounts the last code for an address. A record without times is removed: no refused request leaves one.
   * @param own the invitation and browser by which it was counted; `null`: neither
   */
  private async uncount(address: string, own: CodeRequest['invitation']): Promise<void> {
    if (!own) {
      await this.records.update<readonly number[], undefined>(COMMON, address, (stored) => {
        const value = stored?.slice(0, -1) ?? [];
        return { answer: undefined, to: value.length > 0 ? { value } : null };
      });
      return;
    }
    const { applicationId, browser } = own;
    const id = JSON.stringify([address, applicationId]);
    await this.records.update<OwnAllowance, undefined>(OWN, id, (stored) => {
      const all = stored?.all.slice(0, -1) ?? [];
      if (all.length === 0) return { answer: undefined, to: null };
      const browsers = { ...stored?.browsers, [browser]: (stored?.browsers[browser] ?? []).slice(0, -1) };
      return { answer: undefined, to: { value: { all, browsers } } };
    });
  }

  /** The times of the last day. Those that are far ahead are left out: the clock was wrong. */
  private recent(times: readonly number[]): readonly number[] {
    const now = this.now();
    return times.filter((time) => time > now - MAX_SECONDS * 1_000 && time <= now + MAX_AHEAD_MS);
  }

  /**
   * Seconds until another code is allowed.
   * @param times of former codes, in milliseconds since 1970
   * @param factor how many times the limits apply
   */
  private wait(times: readonly number[], factor: number): number {
    const { per15Minutes, perDay } = this.limits;
    const waits = [
      { seconds: 15 * 60, max: per15Minutes * factor },
      { seconds: MAX_SECONDS, max: perDay * factor },
    ].map(({ seconds, max }) => {
      const first = times.at(-max);
      return first === undefined ? 0 : first + seconds * 1_000 - this.now();
    });
    return Math.ceil(Math.max(0, ...waits) / 1_000);
  }

  private hashOf(signIn: string, code: string): string {
    return this.hasher.hmac('code', signIn, code);
  }
}

const numberOf = (asked: AskedCode | null): number => asked?.number ?? 0;

const isAnswered = (codesAskedBefore: number | null | undefined, asked: AskedCode | null): boolean =>
  typeof codesAskedBefore === 'number' && numberOf(asked) > codesAskedBefore;

/** Blanks, punctuation, direction marks and invisible characters. */
const BETWEEN_DIGITS = /[\s\p{Z}\p{P}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}]/gu;

/**
 * The value of a decimal digit of any script. In Unicode the ten digits of a script are consecutive, so a digit's value
 * is the number of digits before it. Mathematical and full-width digits normalise to ASCII.
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

/** The digits of a code that was typed or pasted; `null`: their number is wrong. */
export const readCode = (typed: string): string | null => {
  let digits = '';
  for (const sign of typed.replaceAll(BETWEEN_DIGITS, '')) {
    const value = digitOf(sign);
    if (value === null) return null;
    digits += String(value);
  }
  return digits.length === CODE_DIGITS ? digits : null;
};
