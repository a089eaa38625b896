import { createHmac, randomBytes } from 'node:crypto';
import type { Vault } from '../vault/port.js';

const SECRET_BYTES = 32;

/**
 * 256 bits made from one of the server's own secrets and an id, so that an answer can be repeated though no token is
 * stored. The byte layout cannot change while tokens are valid.
 * @param secretName of the secret, which is made when it is first needed
 * @returns 43 characters, base64url
 */
export const derivedToken = async (
  vault: Pick<Vault, 'secret'>,
  secretName: string,
  id: string,
): Promise<string> => {
  const secret = await vault.secret(secretName, () => randomBytes(SECRET_BYTES));
  return createHmac('sha256', secret).update(id, 'utf8').digest('base64url');
};
