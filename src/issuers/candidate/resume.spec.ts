import { describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type Provider from 'oidc-provider';
import { MemoryVault } from '../../../test/support/memory-vault.js';
import { KeyedHasher } from '../../core/keyed-hash.js';
import { SealedRecords } from '../../vault/sealed-records.js';
import { resume } from './resume.js';

const UID = 'sign-in';

/** Requests of the browser of a finished sign-in. Each `answers` of the provider is called once, in turn. */
const given = async (...answers: readonly (() => number | Promise<never>)[]) => {
  const records = new SealedRecords(new MemoryVault(), new KeyedHasher(randomBytes(32)));
  let calls = 0;
  const provider = {
    createContext: () => ({ cookies: { get: () => UID } }),
    callback: () => async (_: unknown, response: import('node:http').ServerResponse) => {
      const status = await answers[calls++]!();
      if (status === 303) response.setHeader('Location', `/done-${calls}`);
      response.writeHead(status).end();
    },
  } as unknown as Provider;
  const server = createServer((request, response) => {
    void resume({ request, response, uid: UID } as never, { provider, records });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    go: async () => {
      const { status, headers } = await fetch(url, { redirect: 'manual' });
      return [status, headers.get('location')];
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
};

describe('the browser of a finished sign-in', () => {
  it('is sent back also if the process that had begun to answer has ended: its mark holds nobody up for long', async () => {
    const { go, close } = await given(
      () => new Promise<never>(() => undefined),
      () => 303,
    );
    void go().catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await Promise.all([go(), go()])).toEqual([
      [303, '/done-2'],
      [303, '/done-2'],
    ]);
    expect(await go()).toEqual([303, '/done-2']);
    close();
  }, 30_000);

  it('may ask again after the provider has failed', async () => {
    const { go, close } = await given(
      () => 500,
      () => 303,
    );
    expect(await go()).toEqual([500, null]);
    expect(await go()).toEqual([303, '/done-2']);
    expect(await go()).toEqual([303, '/done-2']);
    close();
  });
});
