import { describe, expect, it } from '@jest/globals';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { MemoryVault } from '../../test/support/memory-vault.js';
import { messageOf } from './delivering/message.js';
import { WebhookSecrets } from './secrets.js';
import { signatureOf } from './signature.js';

/** As a receiver would, by the specification alone. */
const verify = (secret: string, headers: Readonly<Record<string, string>>, body: string): boolean => {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const expected = createHmac('sha256', key).update(signed).digest();
  return (headers['webhook-signature'] ?? '').split(' ').some((one) => {
    const [version, value = ''] = one.split(',');
    const given = Buffer.from(value, 'base64');
    return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
  });
};

describe('A signature', () => {
  it('is that of the specification’s own example', () => {
    expect(
      signatureOf(
        'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
        'msg_p5jXN8AQM9LWM0D4loKWxJek',
        1_614_265_330,
        '{"test": 2432232314}',
      ),
    ).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
  });

  it('is verified by a receiver, and by nobody with another secret or for other bytes', async () => {
    const secrets = new WebhookSecrets(new MemoryVault());
    const secret = await secrets.of('a');
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(await secrets.of('a')).toBe(secret);
    const ids = { evaluationId: 'ä' };
    const delivery = { deliveryId: 'd', type: 'evaluation.ready', timestamp: 't', ids } as const;
    const { headers, body } = messageOf(delivery, secret, new Date(1_700_000_000_999));
    expect(JSON.parse(body)).toEqual({ type: 'evaluation.ready', timestamp: 't', data: ids });
    expect(headers).toMatchObject({ 'webhook-id': 'd', 'webhook-timestamp': '1700000000' });
    expect(verify(secret, headers, body)).toBe(true);
    expect(verify(secret, headers, `${body} `)).toBe(false);
    expect(verify(secret, { ...headers, 'webhook-timestamp': '1700000001' }, body)).toBe(false);
    expect(verify(secret, { ...headers, 'webhook-id': 'e' }, body)).toBe(false);
    expect(verify(await secrets.of('b'), headers, body)).toBe(false);
  });
});
