import { type Configuration, readConfiguration } from '../../process/config.js';
import { presentKeys } from '../../process/secret-files.js';
import type { EventStore, Position } from '../../core/event-store.js';
import { evidenceKeys } from '../../core/signing/evidence-keys.js';
import { TrustedKeys } from '../../core/signing/trusted-keys.js';
import { openVault } from '../../process/stores.js';
import { Sealer } from '../../core/vault/sealing.js';
import { assertDataFolder, openLogToRead } from '../cli/stores.js';
import { OperatorError } from '../cli/program.js';
import { pastNext } from './reading.js';
import type { Checking } from './session-evidence.js';

/** What a verification works with: the log to be read, and the keys that are there. */
export interface Verification {
  readonly checking: Checking & { readonly log: EventStore };
  /** The position behind the event that follows one; `null` on a server, which gives out no such positions. */
  readonly past: ((position: Position) => Position) | null;
}

/**
 * Work on the log of the service, beside it or without it. No key is made, and what is personal is read only where its
 * key is there.
 * @throws {OperatorError} there is no service's data, or no key that signatures could be checked by
 */
export const withVerification = async <T>(work: (verification: Verification) => Promise<T>): Promise<T> => {
  const configuration = readConfiguration(process.env);
  const { dataDir, servers } = configuration;
  if (servers === null) assertDataFolder(dataDir, 'DATA_DIR');
  const keys = await presentKeys(configuration);
  const trusted = trustedKeys(keys.signingKey, configuration.formerSigningKeys);
  const log = await openLogToRead(configuration);
  try {
    const past = servers === null ? pastNext : null;
    return await withSealer(configuration, keys.dataKey, (sealer) =>
      work({ checking: { log, trusted, sealer }, past }),
    );
  } finally {
    await log.close();
  }
};

const withSealer = async <T>(
  configuration: Configuration,
  dataKey: Buffer | null,
  work: (sealer: Sealer | null) => Promise<T>,
): Promise<T> => {
  if (!dataKey) return work(null);
  const { dataKeyPrevious } = configuration;
  const vault = await openVault(configuration, { dataKey, dataKeyPrevious });
  try {
    return await work(new Sealer(vault));
  } finally {
    await vault.close();
  }
};

const trustedKeys = (signingKey: Buffer | null, former: readonly string[]): TrustedKeys => {
  if (signingKey) return evidenceKeys(signingKey, former).trusted;
  if (former.length > 0) return new TrustedKeys(former);
  throw new OperatorError(
    'There is no key to check signatures by: set SIGNING_KEY as the service has it, or name public keys of /.well-known/evidence-keys.json in FORMER_SIGNING_KEYS.',
  );
};
