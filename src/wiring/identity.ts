import { IdTokens } from '../api/access/identity.js';
import type { EdgeServer } from '../api/http/edge-server.js';
import { createDevelopmentIssuer } from '../development-issuer/development-issuer.js';
import type { Configuration } from '../process/config.js';
import type { Logger } from '../process/log.js';

/** Checks ID tokens by the configured issuer, or by a development issuer, which it mounts on the server. */
export const identityOf = (
  { identity, dataDir }: Pick<Configuration, 'identity' | 'dataDir'>,
  publicUrl: string,
  server: EdgeServer,
  logger: Logger,
): { readonly idTokens: IdTokens; readonly development: boolean } => {
  const { audience } = identity;
  if (identity.kind !== 'development')
    return { idTokens: new IdTokens({ issuer: identity.issuer, audience }), development: false };
  const issuerUrl = `${publicUrl}/issuer`;
  const issuer = createDevelopmentIssuer({
    issuerUrl,
    folder: dataDir,
    audience,
    onError: (err) => logger.error({ err }, 'The development issuer failed.'),
  });
  server.mount(issuer);
  const fetchJson = (url: string) => issuer.fetchJson(url);
  return { idTokens: new IdTokens({ issuer: issuerUrl, audience, fetchJson }), development: true };
};
