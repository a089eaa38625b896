import { randomInt, timingSafeEqual } from 'node:crypto';
import { normaliseEmail, readableEmail } from '../../core/email-address.js';
import type { KeyedHasher } from '../../core/keyed-hash.js';
import type { SealedRecords } from '../../vault/sealed-records.js';
import { SharedCount } from '../../vault/shared-count.js';

export const CODE_DIGITS = 8;
/** How long a code is valid. */
export const CODE_MINUTES = 10;
/** How often a code may be entered. */
const TRIES = 5;

/** How many codes may be sent to an address, for all browsers together. */
export interface CodeLimits {
  readonly per15Minutes: number;
  readonly perDay: number;
  /** For all addresses together, in ten minutes, by all processes. Default: `MAX_CODES`. */
  readonly ofAll?: number;
}
/** The limits unless the configuration has others. */
export const CODE_LIMITS: CodeLimits = { per15Minutes: 5, perDay: 20 };
/** Far more codes than a day of assessments needs. Each leaves a record for ten minutes and one for a day. */
export const MAX_CODES = 20_000;
const MAX_SECONDS = 24 * 3600;
const COMMON = 'codes of an address';
const OWN = 'codes of an invitation';
/** All browsers that follow an invitation's link have this many times the codes of one. */
const BROWSERS_OF_AN_INVITATION = 4;

/** The code that one sign-in waits for. */
interface AskedCode {
  readonly email: string;
  /** The keyed hash of the code. */
  readonly hash: string;
  readonly triesLeft: number;
  /** Counts the codes of its sign-in, from 1. */
  readonly number: number;
  /**
   * It was entered. The record stays until it expires, so that the same code sent again is not taken for a wrong one.
   */
  readonly used?: true;
}

/** Who asks for a code. */
export interface Asker {
  /** How many codes the sign-in had asked for when the form was shown: a form that is sent twice asks once. */
  readonly codesAskedBefore?: number | null;
  /** Set if the sign-in was begun by the link of an invitation that was sent to the address. */
  readonly invitation?: { readonly applicationId: string; readonly browser: string } | null;
}

/** When codes were asked for by the link of one invitation. */
interface OwnAllowance {
  readonly all: readonly number[];
  readonly browsers: Readonly<Record<string, readonly number[]>>;
}

export type Asked =
  | { readonly kind: 'asked'; readonly email: string; readonly code: string }
  /** This form has asked for a code before: it is on its way. */
  | { readonly kind: 'already' }
  | { readonly kind: 'limited'; readonly retrySeconds: number };

export type Entered =
  | { readonly kind: 'right'; readonly email: string }
  | { readonly kind: 'wrong'; readonly triesLeft: number }
  /** Right, and entered before. */
  | { readonly kind: 'used' }
  /** Expired, replaced or tried too often. */
  | { readonly kind: 'over' };

/**
 * The codes of sign-ins under way. A code is made, stored and counted in the same way for every address, invited or
 * not, so that no answer tells which addresses are.
 */
export class Codes {
  /** Codes for all addresses. */
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
   * Makes a code for a sign-in, which replaces the one before, unless the address has had as many as it may. Then a
   * browser that follows the link of an invitation to the address has an allowance of its own, which nobody else can
   * use up.
   * @param email any spelling; the answer has the one that codes are sent to
   */
  async ask(signIn: string, email: string, { codesAskedBefore, invitation }: Asker = {}): Promise<Asked> {
    const address = readableEmail(email);
    const compared = normaliseEmail(email);
    if (isAnswered(codesAskedBefore, await this.stored(signIn))) return { kind: 'already' };
    const full = await this.all.take();
    if (full > 0) return { kind: 'limited', retrySeconds: full };
    let retrySeconds = await this.count(compared);
    if (retrySeconds > 0 && invitation) {
      const own = await this.countOwn(compared, invitation.applicationId, invitation.browser);
      retrySeconds = Math.min(retrySeconds, own);
    }
    if (retrySeconds > 0) return { kind: 'limited', retrySeconds };
    const code = String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, '0');
    return this.records.update<AskedCode, Asked>('code', signIn, (former) => {
      if (isAnswered(codesAskedBefore, former)) return { answer: { kind: 'already' } };
      const hash = this.hashOf(signIn, code);
      const value = { email: address, hash, triesLeft: TRIES, number: numberOf(former) + 1 };
      return { answer: { kind: 'asked', email: address, code }, to: { value, seconds: CODE_MINUTES * 60 } };
    });
  }

  /** The address whose code a sign-in waits for, `null` without one, and how many codes it has asked for. */
  async waiting(signIn: string): Promise<{ readonly email: string | null; readonly codesAsked: number }> {
    const asked = await this.stored(signIn);
    return { email: asked === null || asked.used ? null : asked.email, codesAsked: numberOf(asked) };
  }

  /** Whether a code could still be entered: it has not expired, and was neither entered nor replaced. */
  async isCurrent(signIn: string, code: string): Promise<boolean> {
    const asked = await this.stored(signIn);
    return asked !== null && !asked.used && asked.hash === this.hashOf(signIn, code);
  }

  /** Enters a code. If several requests send the right one at the same time, one of them is answered with `right`. */
  enter(signIn: string, code: string): Promise<Entered> {
    const given = Buffer.from(this.hashOf(signIn, code));
    return this.records.update<AskedCode, Entered>('code', signIn, (asked) => {
      if (!asked || asked.triesLeft === 0) return { answer: { kind: 'over' } };
      if (timingSafeEqual(given, Buffer.from(asked.hash))) {
        if (asked.used) return { answer: { kind: 'used' } };
        return { answer: { kind: 'right', email: asked.email }, to: { value: { ...asked, used: true } } };
      }
      if (asked.used) return { answer: { kind: 'over' } };
      const triesLeft = asked.triesLeft - 1;
      // Kept even if no tries are left: the page offers to send another code to its address.
      return { answer: { kind: 'wrong', triesLeft }, to: { value: { ...asked, triesLeft } } };
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
   * Lets codes be sent to an address that has had as many as it may.
   * @param applicationIds invitations to it, whose own allowances begin anew as well
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

  /** Counts one code more for an address. @returns seconds until another may be asked for; 0: it is counted */
  private count(address: string): Promise<number> {
    return this.records.update<readonly number[], number>(COMMON, address, (stored) => {
      const times = this.recent(stored ?? []);
      const wait = this.wait(times, 1);
      if (wait > 0) return { answer: wait };
      return { answer: 0, to: { value: [...times, this.now()], seconds: MAX_SECONDS } };
    });
  }

  /** As `count`, for one browser that follows the link of one invitation to the address. */
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

  private recent(times: readonly number[]): readonly number[] {
    return times.filter((time) => time > this.now() - MAX_SECONDS * 1_000);
  }

  /** Seconds until another code is allowed. @param times of former codes @param factor how many times the limits apply */
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

/** Blanks, punctuation, marks of direction and what is not seen. */
const BETWEEN_DIGITS = /[\s\p{Z}\p{P}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}]/gu;

/**
 * The value of a decimal digit of any script. Unicode has them in runs of ten in order from 0, so that the number of
 * digits before one in its run is its value. Those of mathematical alphabets and of fullwidth forms are compatible with
 * ASCII's.
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
    digits += String(value);
  }
  return digits.length === CODE_DIGITS ? digits : null;
};
