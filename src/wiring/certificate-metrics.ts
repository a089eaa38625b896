import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { connect } from 'node:tls';
import { Gauge, type Registry } from 'prom-client';
import { inTime } from '../core/backoff.js';
import { encryptedEnd, type EncryptedEnd, type ServerAddresses } from '../process/server-addresses.js';

const CONNECT_TIMEOUT_MS = 3_000;
/** Time between two checks, in milliseconds: certificates change rarely, and each check opens a connection. */
const CHECK_AGAIN_MS = 10 * 60_000;

/** Whose certificates: the servers', or those of the authority that this process trusts for them. */
type Of = 'server' | 'authority';
interface Expiry {
  readonly store: 'event-store' | 'read-store';
  readonly of: Of;
  /** Seconds since 1970. */
  readonly at: number;
}

/** Registers the metrics of when the certificates of the servers and of their authority expire. */
export const registerCertificateMetrics = (registry: Registry, servers: ServerAddresses): void => {
  const ends = [
    ['event-store', encryptedEnd(servers.eventStoreUrl)],
    ['read-store', encryptedEnd(servers.mongodbUrl)],
  ] as const;
  let reading: Promise<readonly Expiry[]> | null = null;
  let readAt = -Infinity;
  const readAll = async (): Promise<readonly Expiry[]> =>
    (await Promise.all(ends.map(async ([store, end]) => (end ? expiriesOf(store, end) : [])))).flat();
  new Gauge({
    name: 'assay_certificate_expiry_timestamp_seconds',
    help: 'Expiry of the certificate that expires first: of the store’s servers, or of the authority that is trusted for them.',
    labelNames: ['store', 'of'],
    registers: [registry],
    async collect() {
      if (performance.now() - readAt > CHECK_AGAIN_MS) {
        readAt = performance.now();
        reading = readAll();
      }
      const expiries = reading && (await inTime(reading));
      if (expiries === null) return;
      this.reset();
      for (const { store, of, at } of expiries) this.set({ store, of }, at);
    },
  });
};

/** Reads the expiries. Servers and files that cannot be read are left out: other metrics show an unavailable server. */
const expiriesOf = async (store: Expiry['store'], end: EncryptedEnd): Promise<readonly Expiry[]> => {
  const shown = await Promise.all(end.hosts.map((host) => shownBy(host).catch(() => null)));
  const trusted = end.authorityFile === null ? null : await authorityIn(end.authorityFile).catch(() => null);
  return [...firstOf(store, 'server', shown), ...firstOf(store, 'authority', [trusted])];
};

const firstOf = (store: Expiry['store'], of: Of, times: readonly (number | null)[]): readonly Expiry[] => {
  const known = times.filter((at) => at !== null);
  return known.length === 0 ? [] : [{ store, of, at: Math.min(...known) }];
};

/**
 * When the server's certificate expires. The certificate is not verified, so that an expired one is reported too;
 * nothing else is read from the connection.
 */
const shownBy = ({ host, port }: EncryptedEnd['hosts'][number]): Promise<number> =>
  new Promise((resolve, reject) => {
    const socket = connect({
      ...{ host, port, rejectUnauthorized: false },
      ...(isIP(host) === 0 && { servername: host }),
    });
    socket.setTimeout(CONNECT_TIMEOUT_MS, () => socket.destroy(new Error('It does not answer.')));
    socket.once('error', reject);
    socket.once('secureConnect', () => {
      const certificate = socket.getPeerX509Certificate();
      socket.destroy();
      if (certificate) resolve(secondsOf(certificate));
      else reject(new Error('It shows no certificate.'));
    });
  });

const PEM = /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g;

const authorityIn = async (file: string): Promise<number> => {
  const certificates = (await readFile(file, 'utf8')).match(PEM);
  if (certificates === null) throw new Error('It holds no certificate.');
  return Math.min(...certificates.map((pem) => secondsOf(new X509Certificate(pem))));
};

const secondsOf = ({ validTo }: X509Certificate): number => Date.parse(validTo) / 1000;
