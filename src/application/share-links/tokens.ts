import { Inject, Injectable } from '@nestjs/common';
import { createHash, createHmac, randomBytes } from 'node:crypto';
import { VAULT } from '../tokens.js';
import type { Vault } from '../../vault/port.js';

/** What a token looks like. */
export const SHARE_TOKEN = /^[A-Za-z0-9_-]{43}$/;
const SECRET_NAME = 'share-link';
const SECRET_BYTES = 32;

/**
 * Tokens of share links: 256 bits, made from the server's own secret and the link's id, so that an answer can be given
 * again without a token being kept anywhere. What is stored is the token's hash. The byte layout cannot change while
 * links stand.
 */
@Injectable()
export class ShareTokens {
  constructor(@Inject(VAULT) private readonly vault: Pick<Vault, 'secret'>) {}

  /** The token of a link: 43 characters, base64url. */
  async tokenOf(linkId: string): Promise<string> {
    const secret = await this.vault.secret(SECRET_NAME, () => randomBytes(SECRET_BYTES));
    return createHmac('sha256', secret).update(linkId, 'utf8').digest('base64url');
  }
}

/** Whether a text has the form of a token: nothing else is ever looked up. */
export const isToken = (text: string): boolean => SHARE_TOKEN.test(text);

/** What is stored of a token: SHA-256, lower-case hex. */
export const tokenHash = (token: string): string => createHash('sha256').update(token, 'utf8').digest('hex');
