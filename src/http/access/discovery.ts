import { JwksClient, type SigningKey } from 'jwks-rsa';
import { urlOf } from '../../core/text.js';

/** Fetches a JSON document. @throws {Error} it cannot be fetched, or is incomplete */
export type FetchJson = (url: string) => Promise<unknown>;

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 512 * 1024;

/** Fetches JSON over HTTP, without redirects, up to 512 KiB, within 5 s. */
export const fetchJson: FetchJson = async (url) => {
  const response = await fetch(url, {
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
    headers: { accept: 'application/json' },
  });
  if (!response.ok) {
    await response.body?.cancel();
    throw new Error(`${url} answered ${response.status}.`);
  }
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BYTES) throw new Error(`${url} answered more than ${MAX_BYTES} bytes.`);
    chunks.push(chunk);
  }
  return JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown;
};

const member = (document: unknown, name: string): unknown =>
  typeof document === 'object' && document !== null
    ? (document as Readonly<Record<string, unknown>>)[name]
    : undefined;

/**
 * Finds the URL of an issuer's key set by OpenID Connect Discovery.
 * @throws {Error} the issuer does not answer, or its answer cannot be used
 */
export const discoverJwksUri = async (issuer: string, fetchDocument: FetchJson): Promise<string> => {
  const document = await fetchDocument(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
  if (member(document, 'issuer') !== issuer) {
    throw new Error(
      `The identity provider at ${issuer} calls itself by another name: OIDC_ISSUER must match.`,
    );
  }
  const jwksUri = member(document, 'jwks_uri');
  const url = typeof jwksUri === 'string' ? urlOf(jwksUri) : null;
  const plain = url?.protocol === 'http:' && issuer.startsWith('http:');
  if (!url || !(url.protocol === 'https:' || plain)) {
    throw new Error(`The identity provider at ${issuer} names no usable jwks_uri.`);
  }
  return url.href;
};

/**
 * Fetches all public signing keys that an issuer publishes; empty: there are none.
 * @throws {Error} the issuer does not answer, or its answer is not a key set
 */
export const discoverKeys = async (issuer: string, fetchDocument: FetchJson): Promise<SigningKey[]> => {
  const jwksUri = await discoverJwksUri(issuer, fetchDocument);
  const document = await fetchDocument(jwksUri);
  const keys = member(document, 'keys');
  if (!Array.isArray(keys)) throw new Error(`${jwksUri} is not a JSON Web Key Set.`);
  const usable = keys.filter((key) => typeof key === 'object' && key !== null);
  const client = new JwksClient({ jwksUri, cache: false, fetcher: async () => ({ keys: usable }) });
  return client.getSigningKeys().catch((error: unknown) => {
    // The library throws for a set without signing keys. An empty set is valid: the provider trusts no key any more.
    if (error instanceof Error && error.name === 'JwksError') return [];
    throw error;
  });
};
