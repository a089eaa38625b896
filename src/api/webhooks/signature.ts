import { createHmac } from 'node:crypto';

const PREFIX = 'whsec_';

/** A secret as receivers know it. @param key 24 to 64 bytes */
export const formatSecret = (key: Buffer): string => `${PREFIX}${key.toString('base64')}`;

/**
 * One signature of a message's `webhook-signature`, by the Standard Webhooks specification.
 * @param secret as `formatSecret` makes it
 * @param seconds since 1970, the `webhook-timestamp`
 */
export const signatureOf = (secret: string, id: string, seconds: number, body: string): string => {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`;
};
