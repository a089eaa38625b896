import { expect, it } from '@jest/globals';
import client from '@kurrent/kurrentdb-client';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aStream, collect, events } from '../../../../test/contracts/event-store-kit.js';
import { makeCertificate } from '../../../../test/support/eventstoredb/certificate.js';
import { startEventStoreServer } from '../../../../test/support/eventstoredb/server.js';
import { loadDriver } from '../drivers/clients.js';
import { openEventStoreDb } from '../open.js';
import { parseUrl } from '../url.js';

// In a process of its own, as the contracts are: none can hold both clients.

it('verifies no certificate with tlsVerifyCert=false, however that is spelt, and says so', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'assay-kurrentdb-'));
  const server = await startEventStoreServer({ tls: await makeCertificate(folder) });
  const said: string[] = [];
  const onTrouble = (sentence: string): void => void said.push(sentence);
  const url = `kurrentdb://127.0.0.1:${server.port}?tls=true`;
  try {
    for (const option of ['tlsVerifyCert', 'tls-verify-cert']) {
      const store = await openEventStoreDb(`${url}&${option}=false`, { onTrouble });
      await store.append(aStream(), 'no-stream', events(1));
      expect((await collect(store.readAll())).length).toBeGreaterThan(0);
      await store.close();
    }
    expect(said).toEqual(
      Array(2).fill(expect.stringMatching(/^tlsVerifyCert=false .* is not verified, .*tlsCAFile/)),
    );
    await expect(openEventStoreDb(url, { onTrouble })).rejects.toThrow(/is not trusted/);
    expect(said).toHaveLength(2);
  } finally {
    await server.stop();
    await rm(folder, { recursive: true });
  }
});

it('sends the credentials with every call, since the client leaves those of the URL encoded', async () => {
  const seen: Record<string, unknown> = {};
  const { prototype } = client.KurrentDBClient;
  for (const name of ['appendToStream', 'readStream', 'readAll', 'subscribeToAll'] as const)
    Object.assign(prototype, {
      [name]: (...given: readonly { readonly credentials?: unknown }[]) => {
        seen[name] = given.at(-1)?.credentials;
        throw new Error('sent');
      },
    });
  const url = parseUrl('kurrentdb://assay:s3%3Acr%40t%25@127.0.0.1:1?tls=false');
  const driver = await loadDriver('kurrentdb');
  const one = driver({
    connectionString: url.connectionString(10_000, 10_000),
    credentials: url.credentials,
  });
  const origin = { commit: 0n, prepare: 0n };
  const read = { direction: 'forwards', count: 1 } as const;
  for (const call of [
    () => one.append('role-1', 'no_stream', [], 1_000),
    () => one.readStream('role-1', { ...read, from: 'start' }, () => true),
    () => one.readAll({ ...read, from: origin }, () => true),
    () => one.subscribe(origin, { prefixes: [''] }, {} as never),
  ])
    expect(call).toThrow('sent');
  const decoded = { username: 'assay', password: 's3:cr@t%' };
  expect(seen).toEqual({
    appendToStream: decoded,
    readStream: decoded,
    readAll: decoded,
    subscribeToAll: decoded,
  });
});
