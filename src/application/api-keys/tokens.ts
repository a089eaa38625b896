import { Inject, Injectable } from '@nestjs/common';
import { KeyedHasher, type KeyedHash } from '../../core/keyed-hash.js';
import type { Vault } from '../../vault/port.js';
import { derivedToken } from '../derived-tokens.js';
import { VAULT } from '../tokens.js';

const PREFIX = 'assay_';
/** The form of a key's token, as a part of a pattern. */
export const API_KEY_FORM = `${PREFIX}[A-Za-z0-9_-]{43}`;
const SECRET_NAME = 'api-key';

/** Tokens of API keys. Only their keyed hashes are stored. */
@Injectable()
export class ApiKeyTokens {
  constructor(
    @Inject(VAULT) private readonly vault: Pick<Vault, 'secret'>,
    private readonly hasher: KeyedHasher,
  ) {}

  /** `assay_` and 43 characters, base64url. */
  async tokenOf(apiKeyId: string): Promise<string> {
    return `${PREFIX}${await derivedToken(this.vault, SECRET_NAME, apiKeyId)}`;
  }

  /** What a token is found by. A caller cannot choose it without the server's secret, so look-up times reveal nothing. */
  hashOf(token: string): KeyedHash {
    return this.hasher.hmac('api key', token);
  }
}
