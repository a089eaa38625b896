import { describe, expect, it } from '@jest/globals';
import { RepeatingClient } from './repeating-client.js';

describe('a command that is sent again by a press of its button', () => {
  /** A client whose requests are answered by these statuses in turn; 0: there is no answer. */
  const clientOf = (...statuses: number[]) => {
    const keys: (string | null)[] = [];
    const client = new RepeatingClient({
      baseUrl: 'https://assay.example',
      maxRetries: 0,
      fetch: async (_url, init) => {
        keys.push(new Headers(init?.headers).get('Idempotency-Key'));
        const status = statuses.shift() ?? 200;
        if (status === 0) throw new TypeError('Failed to fetch');
        const body = JSON.stringify({ error: 'No.', code: 'unavailable' });
        return new Response(body, { status, headers: { 'Content-Type': 'application/json' } });
      },
    });
    const create = (name: string) =>
      client
        .post('/organisations/{orgId}/roles', {
          params: { orgId: 'o' },
          body: { name, overallThreshold: 60, dimensions: [] },
        })
        .catch(() => null);
    return { keys, create };
  };

  it.each([0, 503])('is the same one if its outcome is unknown (%i)', async (fault) => {
    const { keys, create } = clientOf(fault, fault, 200);
    for (const name of ['Pilot', 'Pilot', 'Pilot', 'Pilot']) await create(name);
    expect(new Set(keys.slice(0, 3)).size).toBe(1);
    expect(keys[3]).not.toBe(keys[0]);
  });

  it('is another one if it is sent with something else, or was refused', async () => {
    const { keys, create } = clientOf(0, 0, 422, 200);
    for (const name of ['Pilot', 'Guard', 'Guard', 'Guard']) await create(name);
    expect([keys[0] === keys[1], keys[1] === keys[2], keys[2] === keys[3]]).toEqual([false, true, false]);
  });
});
