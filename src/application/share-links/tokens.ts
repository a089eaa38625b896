import { Inject, Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import type { Vault } from '../../vault/port.js';
import { derivedToken } from '../derived-tokens.js';
import { VAULT } from '../tokens.js';

/** The form of a token. */
export const SHARE_TOKEN = /^[A-Za-z0-9_-]{43}$/;
const SECRET_NAME = 'share-link';

/** Tokens of share links. Only their hashes are stored. */
@Injectable()
export class ShareTokens {
  constructor(@Inject(VAULT) private readonly vault: Pick<Vault, 'secret'>) {}

  /** The token of a link: 43 characters, base64url. */
  tokenOf(linkId: string): Promise<string> {
    return derivedToken(this.vault, SECRET_NAME, linkId);
  }
}

/** Whether a text has the form of a token: nothing else is ever looked up. */
export const isToken = (text: string): boolean => SHARE_TOKEN.test(text);

/** What is stored of a token: SHA-256, lower-case hex. */
export const tokenHash = (token: string): string => createHash('sha256').update(token, 'utf8').digest('hex');
