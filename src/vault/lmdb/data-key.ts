import { StoreUnusable } from '../../core/errors.js';
import { changing, type Description, keyChange, wrappedBy, type WrappingKey } from '../data-key.js';
import { secretOwner } from '../secrets.js';
import type { Environment, Inside } from './environment.js';
import type { KeyFiles } from './key-files.js';
import { decodeSecret, encodeSecret } from './tables.js';

const KEY = ['vault'];

/**
 * Ensures, when a vault is opened, that `current` wraps its keys; rewraps those that `former` wraps. Operators change
 * DATA_KEY by one process while no other has the vault open. The steps: one transaction rewraps the secrets and records
 * the change as begun, then each person's key is rewrapped, and one transaction records the end. If the change is cut
 * off, the next call with the same keys continues with the persons' keys.
 * @param files are prepared
 * @param isNew nothing was ever stored in the folder
 * @returns whether this call rewrapped the keys
 * @throws {StoreUnusable} another DATA_KEY, a newer version's vault, or one whose look-ups are lost; nothing is written
 */
export function ensureWrapped(
  environment: Environment,
  files: KeyFiles,
  current: WrappingKey,
  former: WrappingKey | null,
  isNew: boolean,
): boolean {
  const change = keyChange(describe(environment, current, isNew), current, former);
  if (change.step === 'none') return false;
  if (change.step === 'begin')
    environment.transactNow(
      (inside) => {
        // Another process may have begun the change meanwhile, or ended it.
        const now = keyChange(inside.get(KEY) as Description, current, former);
        if (now.step === 'begin') renewSecrets(inside, current, now.former);
      },
      { renews: true },
    );
  renewFiles(environment, files, current, change.former);
  return true;
}

/** The vault's description of itself; `undefined` in one that was never claimed. */
export const descriptionIn = (environment: Environment): Description | undefined =>
  environment.get(KEY) as Description | undefined;

/** The vault's description. A new vault is described as wrapped by `current`. */
function describe(environment: Environment, current: WrappingKey, isNew: boolean): Description {
  const described = descriptionIn(environment);
  if (described !== undefined) return described;
  if (!isNew)
    throw new StoreUnusable(
      'The vault holds personal keys but its look-ups are lost: restore the whole vault from its backup.',
    );
  return environment.transactNow(({ get, put }) => {
    // Another process may have been first.
    const first = get(KEY);
    if (first !== undefined) return first as Description;
    const own = wrappedBy(current);
    put(KEY, own);
    return own;
  });
}

/** Rewraps all secrets, and records that the change has begun. All is wrapped first: an error changes nothing. */
function renewSecrets(inside: Inside, current: WrappingKey, former: WrappingKey): void {
  const renewed = inside.keys(['secret']).map((key) => {
    const name = key[1] ?? '';
    const secret = former.unwrap(decodeSecret(inside.get(key)), secretOwner(name));
    if (!secret)
      throw new StoreUnusable(`The server's secret ${name} is damaged: restore the vault from its backup.`);
    return { key, wrapped: encodeSecret(current.wrap(secret, secretOwner(name))) };
  });
  for (const { key, wrapped } of renewed) inside.put(key, wrapped);
  inside.put(KEY, changing(former, current));
}

/**
 * Rewraps each person's key under the environment's write lock, so that two processes that start at once do not mix
 * their writes, and records the end of the change.
 */
function renewFiles(
  environment: Environment,
  files: KeyFiles,
  current: WrappingKey,
  former: WrappingKey,
): void {
  for (const person of files.persons()) environment.transactNow(() => files.rewrap(person, former));
  environment.transactNow(({ put, destroyFormerKeys }) => {
    // Freed pages of LMDB still have the secrets that `former` wraps: destroys the bucket's key that sealed them.
    destroyFormerKeys();
    put(KEY, wrappedBy(current));
  });
}
