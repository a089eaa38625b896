import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { ApiError } from './api-error.js';

const MINUTE_SECONDS = 60;

/** Requests a minute, each for one subject or one address. */
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
  /** Addresses and codes that are sent to it, by address. */
  signInForm: 1_200,
  /** Of those, the ones of one sign-in, by address. */
  signInOwn: 60,
  /** Requests that were let in nowhere, by address. */
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

type OwnRate = 'activity' | 'shareLink';

/** Puts a route under a limit of its own: `activity` beside the caller's, `shareLink` by address. */
export const Limited =
  (rate: OwnRate): MethodDecorator =>
  (_target, _key, descriptor) => {
    Reflect.defineMetadata(RATE, rate, descriptor.value as object);
  };

/** The limit of its own that a route's handler is under. */
export const rateOf = (handler: object): OwnRate | undefined =>
  Reflect.getMetadata(RATE, handler) as OwnRate | undefined;

/** How much of one limit a caller has used. */
export interface Usage {
  readonly limit: number;
  readonly remaining: number;
  /** Until the limit begins anew. */
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

/** Counts requests in memory, each process for itself. */
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
      signInOwn: limiter('signInOwn'),
      refused: limiter('refused'),
    };
  }

  /** Counts one batch more. @returns `null`: no limit is kept */
  async batchOfActivity(subject: string): Promise<Usage | null> {
    return this.enabled ? this.count('activity', subject) : null;
  }

  /** Counts one request against a limit. */
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

/** The one that is hit first: exceeded before not, then the fewest left. */
export const smallest = (usages: readonly Usage[]): Usage | null =>
  usages.reduce<Usage | null>((best, one) => {
    if (!best || (one.exceeded && !best.exceeded)) return one;
    return one.exceeded === best.exceeded && one.remaining < best.remaining ? one : best;
  }, null);
