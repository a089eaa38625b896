import type { AddressInfo } from 'node:net';
import type { Configuration } from './config.js';

/** Where callers reach the service, without a slash at the end. */
export const publicUrlOf = ({ publicUrl, host }: Configuration, { port }: AddressInfo): string => {
  if (publicUrl !== null) return publicUrl;
  // A wildcard is no address that a browser could go to.
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
};

/** What somebody who has just started the service wants to know. */
export const announcement = (url: string, development: boolean): string =>
  [
    `Assay serves at ${url}`,
    `  try it:   ${url}/docs`,
    ...(development
      ? [
          `  sign in:  ${url}/issuer, as any e-mail address (development only)`,
          `  scripts:  curl -s -H 'content-type: application/json' -d '{"email":"owner@example.org"}' ${url}/issuer/token-for`,
        ]
      : []),
    '',
  ].join('\n');
