import type { SigningKey } from 'jwks-rsa';
import { createPublicKey } from 'node:crypto';

/** The signature algorithms that are honoured, whatever a token or a key set asks for. */
export const ALGORITHMS = ['RS256', 'ES256'] as const;
export type Algorithm = (typeof ALGORITHMS)[number];

/** A key that verifies a provider's tokens. */
export interface ProviderKey {
  readonly kid: string | undefined;
  readonly algorithm: Algorithm;
  readonly pem: string;
}

/** The provider does not answer and nothing that it said before may still be relied on. */
export class ProviderUnavailable extends Error {
  override readonly name = 'ProviderUnavailable';
}

/** All in milliseconds. */
export interface KeyTimes {
  /** Keys are asked for again past this age: a key that the provider dropped works no longer than that. */
  readonly maxAge: number;
  /** Shortest time between two requests for unknown key ids. */
  readonly cooldown: number;
  /** Shortest time between a failure and the next request. */
  readonly retry: number;
  /** How much longer the last keys are used while the provider does not answer. */
  readonly grace: number;
}

/** The times unless a test shortens them. */
export const KEY_TIMES: KeyTimes = { maxAge: 300_000, cooldown: 10_000, retry: 2_000, grace: 3_600_000 };

interface KeySet {
  readonly keys: readonly ProviderKey[];
  readonly fetchedAt: number;
}

/**
 * The provider's keys, kept as one set. A set as a whole ages and is replaced, so that tokens with made-up key ids can
 * neither push known keys out nor use up the requests that refreshing needs.
 */
export class ProviderKeys {
  private set: KeySet | undefined;
  private failedAt = -Infinity;
  private askedAt = -Infinity;
  private pending: Promise<KeySet> | undefined;

  /**
   * @param load gets all keys from the provider; throws if it does not answer
   * @param now milliseconds since 1970
   */
  constructor(
    private readonly load: () => Promise<readonly SigningKey[]>,
    private readonly times: KeyTimes = KEY_TIMES,
    private readonly now: () => number = Date.now,
  ) {}

  /**
   * The key that a token's header names, and until when what it proves may be remembered, in milliseconds since 1970.
   * @returns `null`: the provider has no such key
   * @throws {ProviderUnavailable} the provider does not answer, so that this cannot be known
   */
  async find(
    algorithm: Algorithm,
    kid: string | undefined,
  ): Promise<{ key: ProviderKey; until: number } | null> {
    let set = await this.current();
    let key = pick(set.keys, algorithm, kid);
    if (!key && this.now() - this.askedAt >= this.times.cooldown) {
      set = await this.refresh();
      key = pick(set.keys, algorithm, kid);
    }
    if (key) {
      return { key, until: Math.max(set.fetchedAt + this.times.maxAge, this.now() + this.times.retry) };
    }
    if (this.failedAt > set.fetchedAt) throw new ProviderUnavailable('The identity provider is away.');
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
    // The age counts from the request, not from its answer: the provider may drop a key in between.
    const fetchedAt = this.askedAt;
    try {
      const keys = (await this.load()).flatMap((key) => usable(key) ?? []);
      return (this.set = { keys, fetchedAt });
    } catch (error) {
      this.failedAt = this.now();
      throw new ProviderUnavailable('The identity provider did not answer with its keys.', { cause: error });
    }
  }
}

/** Without a key id only a provider's single key can be meant. */
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

/** A key's algorithm follows from its own type and size; what it declares may only agree. */
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
