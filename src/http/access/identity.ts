import { LRUCache } from 'lru-cache';
import passport from 'passport';
import { Strategy } from 'passport-jwt';
import type { Caller } from '../../application/caller.js';
import { isCandidateSubject } from '../../domain/candidate/events.js';
import type { EngineLog } from '../../engine/log.js';
import { ApiError } from '../api-error.js';
import { MAX_HEADER_BYTES } from '../edge-server.js';
import { callerOf, CLOCK_TOLERANCE_SECONDS, isTokenShaped } from './claims.js';
import { discoverKeys, fetchJson, type FetchJson } from './discovery.js';
import { ALGORITHMS, KEY_TIMES, ProviderKeys, ProviderUnavailable, type KeyTimes } from './provider-keys.js';

/** Injection token of `IdTokens`. */
export const ID_TOKENS = Symbol('IdTokens');

export interface IdTokenOptions {
  /** Exactly as in tokens' `iss`. Discovery finds the keys from here. */
  readonly issuer: string;
  readonly audience: string;
  /** Other clients of the issuer whose tokens are accepted too. Default: none. */
  readonly otherAudiences?: readonly string[];
  /** Fetches discovery and key documents. Default: over HTTP. */
  readonly fetchJson?: FetchJson;
  /** When keys are fetched. Default: `KEY_TIMES`. */
  readonly times?: KeyTimes;
  /** Gets why the issuer's keys cannot be fetched. Default: none. */
  readonly log?: EngineLog;
  /** An address counts as verified also if the issuer sends no `email_verified`, or the text "true". Default: false. */
  readonly trustsEmail?: boolean;
}

/** Bytes of verified tokens in the cache: some ten thousand tokens. */
const REMEMBERED_BYTES = 10 * 1024 * 1024;
const RETRY_AFTER_SECONDS = 2;

/** What the passport strategy reads instead of a request, for one token. */
interface Attempt {
  readonly token: string;
  /** For how long the outcome may be cached, in milliseconds. */
  cacheMs: number;
}

type Authenticate = (attempt: Attempt, response: undefined, next: (error: unknown) => void) => void;

/**
 * Verifies the ID tokens of an organisation's issuer and, if there is one, of the issuer for candidates. A token is
 * verified only by the keys of the issuer that it names, and neither issuer can authenticate a subject of the other. A
 * verified token is cached until it expires, or until its key must be fetched again if that is earlier.
 */
export class IdTokens {
  private readonly organisation: Issuer;
  private readonly candidates: Issuer | null;
  private readonly verified = new LRUCache<string, Caller>({
    maxSize: REMEMBERED_BYTES,
    sizeCalculation: (_, token) => token.length,
    ttlResolution: 0,
    // Removes an entry as soon as its token has expired.
    ttlAutopurge: true,
  });

  /** @param candidates `null`: candidates sign in at the organisation's issuer */
  constructor(organisation: IdTokenOptions, candidates: IdTokenOptions | null) {
    this.organisation = new Issuer(organisation, (caller) =>
      isCandidateSubject(caller.subject) ? null : caller,
    );
    this.candidates =
      candidates &&
      new Issuer(candidates, (caller) =>
        isCandidateSubject(caller.subject) ? { ...caller, candidateOnly: true } : null,
      );
  }

  /**
   * Whose token it is. Returns no promise if the token is in the cache.
   * @throws {ApiError} `invalid_token`, or `unavailable` if the provider's keys cannot be fetched
   */
  verify(token: string): Caller | Promise<Caller> {
    return this.verified.get(token) ?? this.verifyUncached(token);
  }

  private async verifyUncached(token: string): Promise<Caller> {
    if (token.length > MAX_HEADER_BYTES || !isTokenShaped(token)) throw invalidToken();
    const isForCandidates = this.candidates !== null && issuerIn(token) === this.candidates.name;
    const { caller, cacheMs } = await (isForCandidates ? this.candidates : this.organisation).verify(token);
    const ttl = Math.floor(Math.min(cacheMs, caller.expiresAt - Date.now()));
    if (ttl > 0) this.verified.set(token, caller, { ttl });
    return caller;
  }
}

/** The issuer that a token names, unverified. */
const issuerIn = (token: string): unknown => {
  try {
    const payload: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    return typeof payload === 'object' && payload !== null && 'iss' in payload ? payload.iss : undefined;
  } catch {
    return undefined;
  }
};

/** One issuer. Verifies its tokens with passport-jwt by the provider's keys. */
class Issuer {
  /** As in tokens' `iss`. */
  readonly name: string;
  private readonly passport = new passport.Passport();
  private readonly keys: ProviderKeys;

  /** @param admitted returns the caller; `null`: the issuer must not authenticate this subject */
  constructor(options: IdTokenOptions, admitted: (caller: Caller) => Caller | null) {
    this.name = options.issuer;
    const { trustsEmail = false } = options;
    const source = options.fetchJson ?? fetchJson;
    this.keys = new ProviderKeys(
      () => discoverKeys(options.issuer, source),
      options.times ?? KEY_TIMES,
      () => performance.now(),
      options.log,
    );
    const strategy = new Strategy(
      {
        jwtFromRequest: (attempt: unknown) => (attempt as Attempt).token,
        secretOrKeyProvider: (attempt: unknown, token: string, done) => {
          this.keyFor(attempt as Attempt, token).then(
            (pem) => done(null, pem),
            (error: unknown) => done(error),
          );
        },
        algorithms: [...ALGORITHMS],
        issuer: options.issuer,
        audience: [options.audience, ...(options.otherAudiences ?? [])],
        // eslint-disable-next-line @typescript-eslint/no-deprecated -- the only way to the clock tolerance
        jsonWebTokenOptions: { clockTolerance: CLOCK_TOLERANCE_SECONDS },
      },
      (payload: unknown, done: (error: null, caller: Caller | false) => void) => {
        const caller = callerOf(payload, options.audience, Date.now(), trustsEmail);
        done(null, (caller && admitted(caller)) ?? false);
      },
    );
    this.passport.use('id-token', strategy);
  }

  /**
   * Whose token it is, and for how long that may be cached, in milliseconds.
   * @throws {ApiError} as `IdTokens.verify`
   */
  async verify(token: string): Promise<{ readonly caller: Caller; readonly cacheMs: number }> {
    const attempt: Attempt = { token, cacheMs: Infinity };
    const caller = await this.authenticate(attempt);
    return { caller, cacheMs: attempt.cacheMs };
  }

  private authenticate(attempt: Attempt): Promise<Caller> {
    return new Promise((resolve, reject) => {
      const finish = (error: unknown, caller: Caller | false | undefined, reason: unknown): void =>
        caller ? resolve(caller) : reject(errorFor(error ?? reason));
      const run = this.passport.authenticate('id-token', { session: false }, finish) as Authenticate;
      run(attempt, undefined, reject);
    });
  }

  private async keyFor(attempt: Attempt, token: string): Promise<string> {
    const header = readHeader(token);
    const algorithm = ALGORITHMS.find((name) => name === header.alg);
    if (!algorithm) throw new Error('The algorithm is not one of ours.');
    // No critical extension is supported. A token of another kind (`at+jwt`, `logout+jwt`) is not an ID token.
    if ('crit' in header) throw new Error('The header holds critical extensions.');
    if (header.typ !== undefined && !(typeof header.typ === 'string' && /^jwt$/i.test(header.typ))) {
      throw new Error('The token is of another type.');
    }
    if (header.kid !== undefined && typeof header.kid !== 'string')
      throw new Error('The key id is not a text.');
    const found = await this.keys.find(algorithm, header.kid);
    if (!found) throw new Error('The provider has no such key.');
    attempt.cacheMs = found.cacheMs;
    return found.key.pem;
  }
}

/** A token's header. Read only `alg`, `kid`, `typ` and `crit` from it: a key in the header must not be trusted. */
const readHeader = (token: string): Readonly<Record<string, unknown>> => {
  const header: unknown = JSON.parse(Buffer.from(token.slice(0, token.indexOf('.')), 'base64url').toString());
  if (typeof header !== 'object' || header === null) throw new Error('The header is not an object.');
  return header as Readonly<Record<string, unknown>>;
};

const invalidToken = (cause?: unknown): ApiError => {
  const expired = cause instanceof Error && cause.name === 'TokenExpiredError';
  return new ApiError(
    'invalid_token',
    expired
      ? 'The ID token has expired. Sign in again and send the new one.'
      : 'The ID token was not accepted. Sign in again and send the ID token that this service’s identity provider gives.',
    { headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' }, cause },
  );
};

const errorFor = (cause: unknown): ApiError =>
  cause instanceof ProviderUnavailable
    ? new ApiError(
        'unavailable',
        'The identity provider does not answer, so sign-in cannot be checked. Try again soon.',
        {
          headers: { 'Retry-After': `${RETRY_AFTER_SECONDS}` },
          cause,
        },
      )
    : invalidToken(cause);
