import { urlOf } from '../../core/text.js';
import { reasonOf } from '../../engine/errors.js';
import { type EngineLog, RepeatedWarnings, silentLog } from '../../engine/log.js';
import type { FetchJson } from './discovery.js';

/** How long an issuer's discovery document is cached, in milliseconds. */
const KEPT_MS = 3_600_000;
/** Shortest time between a failed request for it and the next one, in milliseconds. */
const RETRY_MS = 10_000;

/**
 * The origins that a browser connects to during a sign-in at an issuer: the issuer's own and those of its endpoints,
 * which may differ. A sign-in page needs them in its content security policy. The function fetches the discovery
 * document once an hour. It never rejects: without the document it returns the issuer's own origin.
 * @param log gets why the document cannot be fetched: a sign-in that needs another origin fails in the browser alone
 */
export const signInOrigins = (
  issuer: string,
  fetchDocument: FetchJson,
  log: EngineLog = silentLog,
): (() => Promise<readonly string[]>) => {
  const own = new URL(issuer).origin;
  const warnings = new RepeatedWarnings(log);
  const ask = async (): Promise<readonly string[]> => {
    const found = await fetchDocument(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
    warnings.resolved('origins');
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
      known = ask().catch((error: unknown) => {
        until = performance.now() + RETRY_MS;
        const fields = { issuer, reason: reasonOf(error) };
        warnings.warn(
          'origins',
          fields,
          'The discovery document of an identity provider could not be fetched. The service tries again, and lets pages connect to the provider’s own origin alone.',
        );
        return [own];
      });
    }
    return known;
  };
};
