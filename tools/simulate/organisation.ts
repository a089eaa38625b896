import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { evidenceKeys } from '../../src/core/signing.js';
import { readConfiguration } from '../../src/process/config.js';
import { programFile } from '../../src/process/installation.js';
import { presentKeys } from '../../src/process/secret-files.js';
import { ConfigurationProblem } from '../../src/process/variable-reader.js';
import { RetryingClient, type Service, Unexpected } from './service.js';

/** No organisation was made; the message is for the user. */
export class NoOrganisation extends Error {
  override readonly name = 'NoOrganisation';
}

const OPERATOR = programFile('operator');
const KEYS = '/.well-known/evidence-keys.json';

/**
 * Call this before an organisation is made. Checks that the service signs with the key of this environment. A service with
 * another key has other data, and would not read what the operator's command writes.
 * @throws {NoOrganisation} it does not
 */
export async function assertSameService(service: Service): Promise<void> {
  const configuration = configurationHere();
  const { signingKey } = await presentKeys(configuration);
  const own = signingKey === null ? null : evidenceKeys(signingKey).trusted.published[0]?.x;
  if (own === (await publishedKey(service))) return;
  const here = configuration.servers
    ? 'EVENTSTORE_URL and MONGODB_URL'
    : `DATA_DIR (${configuration.dataDir})`;
  throw new NoOrganisation(
    `${service.name} works on other data than ${here}, where the organisation would be made: nothing was written. ` +
      'Set the environment of that service, or name an organisation of it by --organisation and --email.',
  );
}

const publishedKey = async (service: Service): Promise<string | undefined> => {
  try {
    return (await new RetryingClient(service).get(KEYS)).keys[0]?.x;
  } catch (error) {
    if (!(error instanceof Unexpected)) throw error;
    throw new NoOrganisation(`${error.message} Is ${service.name} this service’s address?`, { cause: error });
  }
};

const configurationHere = (): ReturnType<typeof readConfiguration> => {
  try {
    return readConfiguration(process.env);
  } catch (error) {
    if (error instanceof ConfigurationProblem) throw new NoOrganisation(error.message, { cause: error });
    throw error;
  }
};

/**
 * Makes an organisation by the operator's command, under this process's own environment.
 * @returns its id
 * @throws {NoOrganisation} with the last line that the command printed
 */
export async function createOrganisation(name: string, ownerEmail: string): Promise<string> {
  const command = ['organisations', 'create', '--name', name, '--owner-email', ownerEmail, '--json'];
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [OPERATOR, ...command], {
      timeout: 60_000,
    });
    return (JSON.parse(stdout) as { readonly id: string }).id;
  } catch (error) {
    const words = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : '';
    const last = words.split('\n').at(-1) ?? '';
    throw new NoOrganisation(`\`assay organisations create\` failed: ${last === '' ? String(error) : last}`);
  }
}
