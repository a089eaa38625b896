import type { EventStore, Position } from '../../core/event-store.js';
import { evidenceKeys } from '../../core/signing/evidence-keys.js';
import { TrustedKeys } from '../../core/signing/trusted-keys.js';
import { OperatorError } from '../cli/program.js';
import { withReadableLog } from '../cli/stores.js';
import { pastNext } from './reading.js';
import type { Checking } from './session-evidence.js';

/** What a verification works with: the log to be read, and the keys that are there. */
export interface Verification {
  readonly checking: Checking & { readonly log: EventStore };
  /** The position behind the event that follows one; `null` on a server, which gives out no such positions. */
  readonly past: ((position: Position) => Position) | null;
}

/**
 * Runs `work` on the service's log, which it only reads. No key is made; personal parts are opened only if DATA_KEY is
 * present.
 * @throws {OperatorError} there is no service's data, or no key to check signatures by
 */
export const withVerification = <T>(work: (verification: Verification) => Promise<T>): Promise<T> =>
  withReadableLog(({ configuration, log, signingKey, sealer }) => {
    const trusted = trustedKeys(signingKey, configuration.formerSigningKeys);
    const past = configuration.servers === null ? pastNext : null;
    return work({ checking: { log, trusted, sealer }, past });
  });

const trustedKeys = (signingKey: Buffer | null, former: readonly string[]): TrustedKeys => {
  if (signingKey) return evidenceKeys(signingKey, former).trusted;
  if (former.length > 0) return new TrustedKeys(former);
  throw new OperatorError(
    'There is no key to check signatures by: set SIGNING_KEY as the service has it, or name public keys of /.well-known/evidence-keys.json in FORMER_SIGNING_KEYS.',
  );
};
