import { urlOf } from '../../core/text.js';
import type { FetchJson } from './discovery.js';

/** How long an answer holds, in milliseconds, and how soon an issuer that gave none is asked again. */
const KNOWN_MS = 3_600_000;
const UNKNOWN_MS = 10_000;

/**
 * The origins that a page meets when somebody signs in at an issuer: the issuer's own, and those of its endpoints, which
 * some providers have elsewhere. Asked for once an hour; while the issuer does not answer, its own origin alone.
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
      until = performance.now() + KNOWN_MS;
      known = ask().catch(() => {
        until = performance.now() + UNKNOWN_MS;
        return [own];
      });
    }
    return known;
  };
};
