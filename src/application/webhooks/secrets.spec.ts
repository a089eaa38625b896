import { describe, expect, it } from '@jest/globals';
import { MemoryVault } from '../../../test/support/memory-vault.js';
import { isGenuine } from '../../../test/support/receiver.js';
import { messageOf, signatureOf, WebhookSecrets } from './secrets.js';

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
    const secret = await secrets.secretOf('a', 1);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(await secrets.secretOf('a', 1)).toBe(secret);
    const ids = { evaluationId: 'ä' };
    const delivery = { deliveryId: 'd', type: 'evaluation.ready', timestamp: 't', ids } as const;
    const { headers, body } = messageOf(delivery, [secret], new Date(1_700_000_000_999));
    expect(JSON.parse(body)).toEqual({ type: 'evaluation.ready', timestamp: 't', data: ids });
    expect(headers).toMatchObject({ 'webhook-id': 'd', 'webhook-timestamp': '1700000000' });
    expect(isGenuine(secret, headers, body)).toBe(true);
    expect(isGenuine(secret, headers, `${body} `)).toBe(false);
    expect(isGenuine(secret, { ...headers, 'webhook-timestamp': '1700000001' }, body)).toBe(false);
    expect(isGenuine(secret, { ...headers, 'webhook-id': 'e' }, body)).toBe(false);
    expect(isGenuine(await secrets.secretOf('b', 1), headers, body)).toBe(false);
    expect(isGenuine(await secrets.secretOf('a', 2), headers, body)).toBe(false);
  });

  it('of each secret that is valid is verified by whoever has that one', async () => {
    const secrets = new WebhookSecrets(new MemoryVault());
    const [first, second, third] = await Promise.all(
      [1, 2, 3].map((number) => secrets.secretOf('a', number)),
    );
    const delivery = { deliveryId: 'd', type: 'webhook.test', timestamp: 't', ids: {} } as const;
    const { headers, body } = messageOf(delivery, [third!, second!], new Date());
    expect(headers['webhook-signature']).toMatch(/^v1,[^ ]{44} v1,[^ ]{44}$/);
    expect([first, second, third].map((secret) => isGenuine(secret!, headers, body))).toEqual([
      false,
      true,
      true,
    ]);
  });
});
