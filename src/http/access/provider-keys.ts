import type { SigningKey } from 'jwks-rsa';
import { createPublicKey } from 'node:crypto';
import { reasonOf } from '../../engine/errors.js';
import { type EngineLog, RepeatedWarnings, silentLog } from '../../engine/log.js';

/** The accepted signature algorithms, independent of what a token or a key set names. */
export const ALGORITHMS = ['RS256', 'ES256'] as const;
export type Algorithm = (typeof ALGORITHMS)[number];

/** A key that verifies a provider's tokens. */
export interface ProviderKey {
  /** Its id in the key set; `undefined`: it has none, and only a token without a key id can name it. */
  readonly kid: string | undefined;
  readonly algorithm: Algorithm;
  readonly pem: string;
}

/** The provider does not answer, and its last keys are too old to use. */
export class ProviderUnavailable extends Error {
  override readonly name = 'ProviderUnavailable';
}

/** Times in milliseconds. */
export interface KeyTimes {
  /** Age after which keys are fetched again. A key that the provider has dropped works no longer than this. */
  readonly maxAge: number;
  /** Shortest time between two requests for unknown key ids. */
  readonly cooldown: number;
  /** Shortest time between a failure and the next request. */
  readonly retry: number;
  /** How much longer the last keys are used if the provider does not answer. */
  readonly grace: number;
}

/** The times; tests shorten them. */
export const KEY_TIMES: KeyTimes = { maxAge: 300_000, cooldown: 10_000, retry: 2_000, grace: 3_600_000 };

interface KeySet {
  readonly keys: readonly ProviderKey[];
  readonly fetchedAt: number;
}

/**
 * The provider's keys, cached as one set that is replaced as a whole. So tokens with made-up key ids can neither evict
 * known keys nor use up the requests that refreshing needs.
 */
export class ProviderKeys {
  private set: KeySet | undefined;
  private failedAt = -Infinity;
  private askedAt = -Infinity;
  private pending: Promise<KeySet> | undefined;
  private readonly warnings: RepeatedWarnings;

  /**
   * Fetches nothing until the first `find`.
   * @param load fetches all keys from the provider; throws if it does not answer
   * @param now monotonic milliseconds: by a clock that is set back, old keys would count as fresh
   * @param log gets why the keys cannot be fetched: while the last ones are used, no caller is refused
   */
  constructor(
    private readonly load: () => Promise<readonly SigningKey[]>,
    private readonly times: KeyTimes = KEY_TIMES,
    private readonly now: () => number = () => performance.now(),
    log: EngineLog = silentLog,
  ) {
    this.warnings = new RepeatedWarnings(log);
  }

  /**
   * The key that a token's header names, and for how long a verification by it may be cached, in milliseconds.
   * Calls at the same time share one request to the provider.
   * @param kid the header's key id; `undefined`: it has none, which can only mean the provider's single key
   * @returns `null`: the provider has no such key
   * @throws {ProviderUnavailable} the provider does not answer
   */
  async find(
    algorithm: Algorithm,
    kid: string | undefined,
  ): Promise<{ key: ProviderKey; cacheMs: number } | null> {
    let set = await this.current();
    let key = pick(set.keys, algorithm, kid);
    if (!key && this.now() - this.askedAt >= this.times.cooldown) {
      set = await this.refresh();
      key = pick(set.keys, algorithm, kid);
    }
    if (key) {
      const { maxAge, retry } = this.times;
      return { key, cacheMs: Math.max(set.fetchedAt + maxAge - this.now(), retry) };
    }
    if (this.failedAt > set.fetchedAt)
      throw new ProviderUnavailable('The identity provider does not answer.');
    return null;
  }

  private async current(): Promise<KeySet> {
    const { set, times } = this;
    if (set && this.now() - set.fetchedAt < times.maxAge) return set;
    const relied = set && this.now() - set.fetchedAt < times.maxAge + times.grace ? set : null;
    if (this.now() - this.failedAt < times.retry) {
      if (relied) return relied;
      throw new ProviderUnavailable('The identity provider did not answer a moment ago.');
    }
    try {
      return await this.refresh();
    } catch (error) {
      if (relied) return relied;
      throw error;
    }
  }

  private refresh(): Promise<KeySet> {
    this.pending ??= this.ask().finally(() => (this.pending = undefined));
    return this.pending;
  }

  private async ask(): Promise<KeySet> {
    this.askedAt = this.now();
    // The age counts from the request, not from its answer: the provider may drop a key between them.
    const fetchedAt = this.askedAt;
    try {
      const keys = (await this.load()).flatMap((key) => usable(key) ?? []);
      this.warnings.resolved('keys');
      return (this.set = { keys, fetchedAt });
    } catch (error) {
      this.failedAt = this.now();
      this.warnings.warn(
        'keys',
        { reason: reasonOf(error) },
        'The keys of an identity provider could not be fetched. The service tries again, and uses the last ones for an hour.',
      );
      throw new ProviderUnavailable('The identity provider did not answer with its keys.', { cause: error });
    }
  }
}

/** A token without a key id can only mean the provider's single key. */
const pick = (
  keys: readonly ProviderKey[],
  algorithm: Algorithm,
  kid: string | undefined,
): ProviderKey | undefined =>
  kid === undefined
    ? keys.length === 1
      ? keys.find((key) => key.algorithm === algorithm)
      : undefined
    : keys.find((key) => key.kid === kid && key.algorithm === algorithm);

/** The algorithm follows from the key's type and size. A key that declares another one is not used. */
const usable = (key: SigningKey): ProviderKey | undefined => {
  const pem = key.getPublicKey();
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = createPublicKey(pem);
  const algorithm =
    type === 'rsa' && (details?.modulusLength ?? 0) >= 2048
      ? 'RS256'
      : type === 'ec' && details?.namedCurve === 'prime256v1'
        ? 'ES256'
        : undefined;
  if (!algorithm || (key.alg && key.alg !== algorithm)) return undefined;
  return { kid: key.kid, algorithm, pem };
};
