import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer as createPlain, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import { Registry } from 'prom-client';
import { makeCertificate } from '../../test/support/eventstoredb/certificate.js';
import { registerCertificateMetrics } from './certificate-metrics.js';

describe('the expiry of certificates', () => {
  let folder: string;
  let certificateFile: string;
  let server: Server;
  let port: number;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'assay-expiry-'));
    const made = await makeCertificate(folder);
    ({ certificateFile } = made);
    const [key, cert] = await Promise.all([readFile(made.keyFile), readFile(certificateFile)]);
    server = createServer({ key, cert }, (socket) => socket.on('error', () => undefined));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    ({ port } = server.address() as AddressInfo);
  });
  afterEach(async () => {
    server.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** By `store of`, in days from now. */
  const daysLeft = async (eventStoreUrl: string, mongodbUrl: string) => {
    const registry = new Registry();
    registerCertificateMetrics(registry, { eventStoreUrl, mongodbUrl });
    const [metric] = await registry.getMetricsAsJSON();
    return Object.fromEntries(
      metric!.values.map(({ labels, value }) => [
        `${String(labels['store'])} ${String(labels['of'])}`,
        Math.round((value - Date.now() / 1000) / 86_400),
      ]),
    );
  };

  it('is that of what the servers show, and of the authority that is trusted for them', async () => {
    const found = await daysLeft(
      `esdb://127.0.0.1:${port}?tlsCAFile=${certificateFile}`,
      `mongodb://u:p@127.0.0.1:${port}/assay?tls=true`,
    );
    expect(found).toEqual({ 'event-store server': 2, 'event-store authority': 2, 'read-store server': 2 });
  });

  it('is left out where nothing is encrypted, or nobody shows a certificate', async () => {
    const plain = createPlain((socket) => socket.destroy()).listen(0, '127.0.0.1');
    await once(plain, 'listening');
    const { port: other } = plain.address() as AddressInfo;
    const found = await daysLeft(
      `esdb://127.0.0.1:${port}?tls=false`,
      `mongodb://127.0.0.1:${other}/assay?tls=true&tlsCAFile=/nowhere`,
    );
    plain.close();
    expect(found).toEqual({});
  });
});
