import { calculateJwkThumbprint, type JWK } from 'jose';
import { createPrivateKey, generateKeyPairSync, randomBytes } from 'node:crypto';
import { KeyedHasher, type Secrets } from '../../core/keyed-hash.js';

/** How long an ID token is valid. */
export const ID_TOKEN_SECONDS = 3600;
/** How long after a sign-in the browser gets further tokens without another code, unless it is closed before. */
export const SESSION_SECONDS = 8 * 3600;
/** The kind of records of ended sessions, by their uid. */
export const ENDED_SESSION = 'ended session';

/** Time in milliseconds after which a new key signs. */
const PERIOD_MS = 90 * 86_400_000;

/** The keys of a period: the first one signs, all of them verify. */
export interface SigningKeys {
  readonly period: number;
  /** Private keys, ES256. */
  readonly keys: readonly JWK[];
}

const newKey = (): Buffer =>
  generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey.export({ type: 'pkcs8', format: 'der' });

/**
 * The issuer's keys and secrets, in the vault. Each period has a key, which the process that first needs it creates.
 * The keys of the periods before and after verify too, since tokens are valid beyond a period's end and clocks differ.
 */
export class IssuerKeys {
  private known: SigningKeys | undefined;

  constructor(
    private readonly secrets: Secrets,
    private readonly now: () => number = Date.now,
  ) {}

  /** The current keys. Returns the same object until the next period. */
  async signing(): Promise<SigningKeys> {
    const period = Math.floor(this.now() / PERIOD_MS);
    if (this.known?.period === period) return this.known;
    const keys = await Promise.all([period, period - 1, period + 1].map((one) => this.keyOf(one)));
    return (this.known = { period, keys });
  }

  /** The hasher for subjects, codes and the ids of records. */
  async hasher(): Promise<KeyedHasher> {
    return new KeyedHasher(await this.secrets.secret('candidate-issuer', () => randomBytes(32)));
  }

  private async keyOf(period: number): Promise<JWK> {
    const der = await this.secrets.secret(`candidate-issuer-key-${period}`, newKey);
    const jwk = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }).export({ format: 'jwk' }) as JWK;
    return { ...jwk, alg: 'ES256', use: 'sig', kid: await calculateJwkThumbprint(jwk) };
  }
}
