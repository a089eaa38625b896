import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, link, mkdir, readFile, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { hasCode } from '../core/errors.js';
import { PRIVATE_FILE } from '../stores/lmdb/folder.js';
import { syncFolder, using } from '../vault/lmdb/durable-files.js';
import type { Configuration } from './config.js';
import { ConfigurationProblem } from './variable-reader.js';
import { decodeKey } from './variables.js';

/** The file of the development issuer's keys, in DATA_DIR. If it is lost, the same address gets another subject. */
export const ISSUER_FILE = 'development-issuer.json';

/** The keys of a service. */
export interface ServiceKeys {
  /** Encrypts the personal-data keys and the service's other secrets. */
  readonly dataKey: Buffer;
  /** The former `dataKey` while it is being changed; `null`: it is not being changed. */
  readonly dataKeyPrevious: Buffer | null;
  /** Seed of the Ed25519 key that evidence is signed with. */
  readonly signingKey: Buffer;
}

/** Called with a sentence about a problem that was repaired. */
type OnTrouble = (sentence: string) => void;

const onStandardError: OnTrouble = (sentence) => void process.stderr.write(`${sentence}\n`);

/** The mode bits of all users except the owner. */
const OTHERS = 0o077;

/** Makes a key's file readable by its owner only. @throws {ConfigurationProblem} its mode cannot be changed */
const closeToOthers = async (path: string, variable: string, onTrouble: OnTrouble): Promise<void> => {
  // Windows has no such modes.
  if (process.platform === 'win32' || ((await stat(path)).mode & OTHERS) === 0) return;
  await chmod(path, PRIVATE_FILE).catch(() => undefined);
  if (((await stat(path)).mode & OTHERS) !== 0)
    throw new ConfigurationProblem(
      variable,
      `${path} can be read by other users of this machine: let its owner alone read it (chmod 600), or set ${variable} instead.`,
    );
  onTrouble(
    `${path} could be read by other users of this machine, and no longer can. If one of them may have read it, change ${variable}.`,
  );
};

/** Reads the secret in a file; `null`: there is no file. */
const readKept = async (path: string, variable: string, onTrouble: OnTrouble): Promise<Buffer | null> => {
  try {
    await closeToOthers(path, variable, onTrouble);
    const key = decodeKey((await readFile(path, 'utf8')).trim());
    if (key) return key;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null;
    throw error;
  }
  throw new ConfigurationProblem(
    variable,
    `${variable} cannot be read from ${path}: restore that file, or set ${variable} to the key it held.`,
  );
};

/**
 * Reads the secret in a file, and creates it if there is no file. The file is written under another name and then
 * linked, so that two processes that start at the same time use the same key, and neither reads an incomplete one.
 */
const keptIn = async (
  folder: string,
  file: string,
  variable: string,
  onTrouble: OnTrouble,
): Promise<Buffer> => {
  const path = join(folder, file);
  // Checked before the key is read: a process creates the key before the vault, so a vault without a key means that the
  // key was lost.
  const used = existsSync(join(folder, VAULT_DATA));
  for (;;) {
    const kept = await readKept(path, variable, onTrouble);
    if (kept) return kept;
    if (used) throw lost(path, variable);
    const draft = join(folder, `.${file}.${randomBytes(8).toString('hex')}`);
    try {
      await using(draft, 'wx', async (file) => {
        await file.writeFile(`${randomBytes(32).toString('base64')}\n`);
        await file.sync();
      });
      await link(draft, path);
    } catch (error) {
      if (!hasCode(error, 'EEXIST')) throw error;
    } finally {
      await rm(draft, { force: true });
    }
    await syncFolder(folder);
  }
};

/** A folder that exists in every vault that was opened. */
const VAULT_DATA = join('vault', 'look-ups');

/** The error for a lost key: a new one could not decrypt existing data, and its signatures would not be trusted. */
const lost = (path: string, variable: string): ConfigurationProblem =>
  new ConfigurationProblem(
    variable,
    `${variable} is not set and ${path} is not there, though there is data that was made with it: set ${variable} to that key, or put the file back.`,
  );

/**
 * The service's keys. Those that are not configured are in `DATA_DIR`, in files that only their owner can read.
 * @param onTrouble called for a key's file that others could read. Default: standard error
 * @throws {ConfigurationProblem} `DATA_DIR` cannot be used
 */
export const serviceKeys = async (
  configuration: Configuration,
  onTrouble: OnTrouble = onStandardError,
): Promise<ServiceKeys> => {
  const { dataDir, dataKey, signingKey, dataKeyPrevious, servers } = configuration;
  try {
    // With servers and both keys configured, nothing is written here: the file system may be read-only.
    if (!servers || !dataKey || !signingKey) await makeFolder(dataDir);
    return {
      dataKey: dataKey ?? (await keptIn(dataDir, 'data.key', 'DATA_KEY', onTrouble)),
      signingKey: signingKey ?? (await keptIn(dataDir, 'signing.key', 'SIGNING_KEY', onTrouble)),
      dataKeyPrevious,
    };
  } catch (error) {
    if (error instanceof ConfigurationProblem) throw error;
    const reason = (error as Partial<Error>).message ?? 'no reason is known';
    throw new ConfigurationProblem('DATA_DIR', `DATA_DIR cannot be used: ${reason}.`);
  }
};

/**
 * The keys of a service that exists. Creates none, so that a command without the service's keys leaves none behind that
 * a later one would take for them.
 * @returns `signingKey` is `null` if there is none
 * @throws {ConfigurationProblem} there is no DATA_KEY, or a key's file does not contain a key
 */
export const existingKeys = async (
  configuration: Configuration,
): Promise<Omit<ServiceKeys, 'signingKey'> & { readonly signingKey: Buffer | null }> => {
  const { dataKey, signingKey } = await presentKeys(configuration);
  if (dataKey === null)
    throw new ConfigurationProblem(
      'DATA_KEY',
      `DATA_KEY is not set and ${join(configuration.dataDir, 'data.key')} is not there: set DATA_KEY to the service’s key, or put the file back.`,
    );
  return { dataKey, signingKey, dataKeyPrevious: configuration.dataKeyPrevious };
};

/**
 * The existing keys. Creates none.
 * @throws {ConfigurationProblem} a key's file does not contain a key
 */
export const presentKeys = async ({
  dataDir,
  dataKey,
  signingKey,
}: Pick<Configuration, 'dataDir' | 'dataKey' | 'signingKey'>): Promise<{
  readonly dataKey: Buffer | null;
  readonly signingKey: Buffer | null;
}> => ({
  dataKey: dataKey ?? (await readKept(join(dataDir, 'data.key'), 'DATA_KEY', onStandardError)),
  signingKey: signingKey ?? (await readKept(join(dataDir, 'signing.key'), 'SIGNING_KEY', onStandardError)),
});

/**
 * Makes a folder and its missing parents, readable by their owner alone. An existing one is unchanged. Node's option
 * `recursive` is not used: it never ends below a folder that cannot contain another, such as /proc.
 */
export const makeFolder = async (path: string): Promise<void> => {
  const make = () => mkdir(path, { mode: 0o700 });
  try {
    await make().catch(async (error: unknown) => {
      if (!hasCode(error, 'ENOENT') || dirname(path) === path) throw error;
      await makeFolder(dirname(path));
      await make();
    });
  } catch (error) {
    // It may exist already, or another process may have made it meanwhile.
    if (!hasCode(error, 'EEXIST') || !(await stat(path)).isDirectory()) throw error;
  }
};
