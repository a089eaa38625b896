import { createHmac, timingSafeEqual } from 'node:crypto';

/** Whether a notice is genuine, as a receiver finds it by the Standard Webhooks specification alone. */
export const isGenuine = (
  secret: string,
  headers: Readonly<Record<string, string | undefined>>,
  body: string,
): boolean => {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const expected = createHmac('sha256', key).update(signed).digest();
  return (headers['webhook-signature'] ?? '').split(' ').some((one) => {
    const [version, value = ''] = one.split(',');
    const given = Buffer.from(value, 'base64');
    return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
  });
};

/** How many signatures a notice bears. */
export const signaturesOf = (headers: Readonly<Record<string, string | undefined>>): number =>
  (headers['webhook-signature'] ?? '').split(' ').length;
