import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { ApiError } from './api-error.js';

const MINUTE_SECONDS = 60;

/**
 * Requests a minute, by subject or by the client's address. `RouteGuard` counts `caller`, `activity` and `shareLink`;
 * the interview's socket counts `caller`, `connection` and `activity`; the issuer for candidates counts those of a
 * sign-in; `ErrorSink` counts `refused`.
 */
export const RATES = {
  /** All requests of one caller. */
  caller: 600,
  /** A candidate's batches of activity, over REST (beside `caller`) and the interview's socket together. */
  activity: 120,
  /** Openings of an interview's socket, beside `caller`: a client that reconnects makes a few. */
  connection: 300,
  /** Views of reports by share link, by address. */
  shareLink: 60,
  /**
   * Requests to the sign-in of candidates, by address. High, and only against floods: a sign-in takes about eight, and
   * hundreds of candidates may share an address. Each sign-in and each mailbox has tighter limits.
   */
  signIn: 6_000,
  /** Forms of the sign-in with an e-mail address or a code, by address. */
  signInForm: 1_200,
  /** Forms of one sign-in, beside `signInForm`, by address. */
  oneSignIn: 60,
  /** Requests that are answered with 401 or 403, by address. */
  refused: 600,
} as const;

export type Rate = keyof typeof RATES;

/**
 * The rates of the sign-in for that many forms a minute from one address. `signIn` is higher, since each form causes a
 * few requests without a form.
 */
export const signInRates = (formsPerMinute: number): Pick<Record<Rate, number>, 'signIn' | 'signInForm'> => ({
  signIn: (formsPerMinute * RATES.signIn) / RATES.signInForm,
  signInForm: formsPerMinute,
});

const RATE = Symbol('rate');

type RouteRate = 'activity' | 'shareLink';

/** Adds a limit to a route: `activity` by subject, `shareLink` by address. */
export const Limited =
  (rate: RouteRate): MethodDecorator =>
  (_target, _key, descriptor) => {
    Reflect.defineMetadata(RATE, rate, descriptor.value as object);
  };

/** The rate of a handler's `@Limited`; `undefined`: it has none. */
export const rateOf = (handler: object): RouteRate | undefined =>
  Reflect.getMetadata(RATE, handler) as RouteRate | undefined;

/** How much of one limit a caller has used. */
export interface Usage {
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until the count restarts, at least 1. */
  readonly resetSeconds: number;
  readonly exceeded: boolean;
}

/** Headers of an answer about a limit. */
export const rateLimitHeaders = ({ limit, remaining, resetSeconds }: Usage): Record<string, string> => ({
  'RateLimit-Limit': `${limit}`,
  'RateLimit-Remaining': `${remaining}`,
  'RateLimit-Reset': `${resetSeconds}`,
});

/** The error of a request beyond a limit. `Retry-After` has the seconds until the count restarts. */
export const rateLimited = (usage: Usage): ApiError =>
  new ApiError('rate_limited', `More than ${usage.limit} requests in a minute: wait before the next one.`, {
    headers: { ...rateLimitHeaders(usage), 'Retry-After': `${usage.resetSeconds}` },
  });

/**
 * Counts requests in memory, in each process separately, by fixed minutes that begin with a key's first request.
 * `count` also counts if limits are disabled: check `enabled` before.
 */
export class RateLimits {
  private readonly limiters: Readonly<Record<Rate, RateLimiterMemory>>;

  /**
   * @param enabled false: a gateway in front applies the limits
   * @param rates the rates that differ from `RATES`
   */
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

  /** Counts one batch of activities against `activity`. @returns `null`: limits are disabled */
  async batchOfActivity(subject: string): Promise<Usage | null> {
    return this.enabled ? this.count('activity', subject) : null;
  }

  /** Counts one request. @param key a subject or an address; for `oneSignIn` the address and the sign-in's id */
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

/** The usage that is nearest to its limit: an exceeded one, else the one with the fewest remaining. `null`: none. */
export const nearestToLimit = (usages: readonly Usage[]): Usage | null =>
  usages.reduce<Usage | null>((best, one) => {
    if (!best || (one.exceeded && !best.exceeded)) return one;
    return one.exceeded === best.exceeded && one.remaining < best.remaining ? one : best;
  }, null);
