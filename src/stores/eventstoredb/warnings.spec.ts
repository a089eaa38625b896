import { expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { testEventStoreUrl } from '../../../test/support/eventstoredb/server.js';

/** Jest's own options turn warnings off. */
const WARNED = { PATH: process.env['PATH'] };

/** In a process of its own: what a process warns of does not reach a test. */
const MANY_AT_ONCE = `
import { openEventStoreDb } from './dist/src/stores/eventstoredb/open.js';
const store = await openEventStoreDb(process.argv[1]);
const event = { id: crypto.randomUUID(), type: 'one', data: Buffer.from('{}'), metadata: Buffer.from('{}') };
await store.append('stream-1', 'no-stream', [event]);
const first = async (items) => { for await (const item of items) return item; };
const feed = () => store.subscribeToAll({ signal: new AbortController().signal });
const read = (index) => first(index % 2 ? store.readStream('stream-1') : store.readAll());
const feeds = Array.from({ length: 8 }, () => first(feed()));
const reads = Array.from({ length: 40 }, (_, index) => read(index));
console.log((await Promise.all([...feeds, ...reads])).filter(Boolean).length);
await store.close();
`;

it('answers many at once without a warning of the process', async () => {
  const { url, stop } = await testEventStoreUrl();
  try {
    const script = ['--trace-warnings', '--input-type=module', '--eval', MANY_AT_ONCE, url];
    const { stdout, stderr } = await promisify(execFile)(process.execPath, script, { env: WARNED });
    expect([stdout, stderr]).toEqual(['48\n', '']);
  } finally {
    await stop();
  }
});

/** As the clients' connections to such a host do. */
const BY_ADDRESS = `
import { loadDriver } from './dist/src/stores/eventstoredb/drivers/clients.js';
import { connect } from 'node:tls';
await loadDriver('eventstoredb');
connect({ host: '127.0.0.1', port: 1, servername: '127.0.0.1' }).on('error', () => process.emitWarning('another one'));
`;

it('prints no deprecation of Node for a host that is an IP address, and every other warning', async () => {
  const script = ['--input-type=module', '--eval', BY_ADDRESS];
  const { stderr } = await promisify(execFile)(process.execPath, script, { env: WARNED });
  expect(stderr).toContain('another one');
  expect(stderr).not.toMatch(/DEP0123|ServerName/);
});
