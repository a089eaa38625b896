import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { ApiError } from './api-error.js';

const MINUTE_SECONDS = 60;

/**
 * Requests a minute, by subject or by the client's address. `RouteGuard` counts `caller`, `activity` and `shareLink`;
 * the interview's socket `caller`, `connection` and `activity`; the issuer for candidates those of a sign-in;
 * `ErrorSink` `refused`.
 */
export const RATES = {
  /** Every request of one caller. */
  caller: 600,
  /** A candidate's batches of activity, by REST (beside `caller`) and by the interview's socket together. */
  activity: 120,
  /** Openings of an interview's socket, beside `caller`: a client that reconnects makes a few. */
  connection: 300,
  /** Reports by share link, by address. */
  shareLink: 60,
  /**
   * Requests to the sign-in of candidates, by address. A backstop against floods alone: a sign-in takes about eight, and
   * hundreds of candidates may sign in behind one address. Tighter limits hold for each sign-in and each mailbox.
   */
  signIn: 6_000,
  /** Forms with an address or a code that are sent to it, by address. */
  signInForm: 1_200,
  /** Forms of one sign-in, beside `signInForm`, by address. */
  oneSignIn: 60,
  /** Requests that are answered with 401 or 403, by address. */
  refused: 600,
} as const;

export type Rate = keyof typeof RATES;

/**
 * The rates of the sign-in that allow that many forms a minute from a client's address. Each form comes with a few requests
 * that send none.
 */
export const signInRates = (formsPerMinute: number): Pick<Record<Rate, number>, 'signIn' | 'signInForm'> => ({
  signIn: (formsPerMinute * RATES.signIn) / RATES.signInForm,
  signInForm: formsPerMinute,
});

const RATE = Symbol('rate');

type RouteRate = 'activity' | 'shareLink';

/** Puts a route under a further limit: `activity` by subject, `shareLink` by address. */
export const Limited =
  (rate: RouteRate): MethodDecorator =>
  (_target, _key, descriptor) => {
    Reflect.defineMetadata(RATE, rate, descriptor.value as object);
  };

/** What `@Limited` said of a route's handler; `undefined`: nothing. */
export const rateOf = (handler: object): RouteRate | undefined =>
  Reflect.getMetadata(RATE, handler) as RouteRate | undefined;

/** How much of one limit a caller has used. */
export interface Usage {
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until the minute is over and the limit applies anew, at least 1. */
  readonly resetSeconds: number;
  readonly exceeded: boolean;
}

/** The answer's headers about a limit. */
export const rateLimitHeaders = ({ limit, remaining, resetSeconds }: Usage): Record<string, string> => ({
  'RateLimit-Limit': `${limit}`,
  'RateLimit-Remaining': `${remaining}`,
  'RateLimit-Reset': `${resetSeconds}`,
});

/** The error of a request beyond a limit, with the wait until the next one. */
export const rateLimited = (usage: Usage): ApiError =>
  new ApiError('rate_limited', `More than ${usage.limit} requests in a minute: wait before the next one.`, {
    headers: { ...rateLimitHeaders(usage), 'Retry-After': `${usage.resetSeconds}` },
  });

/**
 * Counts requests in memory, each process for itself, by fixed minutes that begin with a key's first request. `count`
 * counts whether or not limits are kept: its callers ask `enabled` first.
 */
export class RateLimits {
  private readonly limiters: Readonly<Record<Rate, RateLimiterMemory>>;

  /** @param enabled false if a gateway in front keeps the limits @param rates that differ from `RATES` */
  constructor(
    readonly enabled: boolean,
    rates: Partial<Readonly<Record<Rate, number>>> = {},
  ) {
    const limiter = (name: Rate) =>
      new RateLimiterMemory({
        keyPrefix: name,
        points: rates[name] ?? RATES[name],
        duration: MINUTE_SECONDS,
      });
    this.limiters = {
      caller: limiter('caller'),
      activity: limiter('activity'),
      connection: limiter('connection'),
      shareLink: limiter('shareLink'),
      signIn: limiter('signIn'),
      signInForm: limiter('signInForm'),
      oneSignIn: limiter('oneSignIn'),
      refused: limiter('refused'),
    };
  }

  /** Counts one batch of activities against `activity`. @returns `null`: no limits are kept */
  async batchOfActivity(subject: string): Promise<Usage | null> {
    return this.enabled ? this.count('activity', subject) : null;
  }

  /** Counts one request. @param key a subject or an address; of `oneSignIn` the address and the sign-in's id */
  async count(rate: Rate, key: string): Promise<Usage> {
    const limit = this.limiters[rate].points;
    try {
      return usage(limit, await this.limiters[rate].consume(key), false);
    } catch (outcome) {
      if (outcome instanceof RateLimiterRes) return usage(limit, outcome, true);
      throw outcome;
    }
  }
}

const usage = (limit: number, outcome: RateLimiterRes, exceeded: boolean): Usage => ({
  limit,
  remaining: Math.max(0, outcome.remainingPoints),
  resetSeconds: Math.max(1, Math.ceil(outcome.msBeforeNext / 1000)),
  exceeded,
});

/** The usage that is nearest to its limit: an exceeded one, else that with the fewest left. `null`: there are none. */
export const nearestToLimit = (usages: readonly Usage[]): Usage | null =>
  usages.reduce<Usage | null>((best, one) => {
    if (!best || (one.exceeded && !best.exceeded)) return one;
    return one.exceeded === best.exceeded && one.remaining < best.remaining ? one : best;
  }, null);
