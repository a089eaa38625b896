import { urlOf } from '../../core/text.js';
import type { FetchJson } from './discovery.js';

/** How long an issuer's discovery document is kept, in milliseconds. */
const KEPT_MS = 3_600_000;
/** How long after a failed request for it the next one is made, in milliseconds. */
const RETRY_MS = 10_000;

/**
 * The origins that a browser connects to when somebody signs in at an issuer: the issuer's own, and those of its
 * endpoints, which some providers have elsewhere. The content security policy of a page that signs people in names
 * them. The function reads the discovery document once an hour, and never rejects: while there is none, it gives the
 * issuer's own origin.
 */
export const signInOrigins = (
  issuer: string,
  fetchDocument: FetchJson,
): (() => Promise<readonly string[]>) => {
  const own = new URL(issuer).origin;
  const ask = async (): Promise<readonly string[]> => {
    const found = await fetchDocument(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
    const { authorization_endpoint, token_endpoint } = (found ?? {}) as Readonly<Record<string, unknown>>;
    const urls = [authorization_endpoint, token_endpoint].map((endpoint) =>
      typeof endpoint === 'string' ? urlOf(endpoint) : null,
    );
    return [
      ...new Set([own, ...urls.flatMap((url) => (url?.protocol.startsWith('http') ? [url.origin] : []))]),
    ];
  };
  let known: Promise<readonly string[]> | null = null;
  let until = 0;
  return () => {
    if (known === null || performance.now() > until) {
      until = performance.now() + KEPT_MS;
      known = ask().catch(() => {
        until = performance.now() + RETRY_MS;
        return [own];
      });
    }
    return known;
  };
};
