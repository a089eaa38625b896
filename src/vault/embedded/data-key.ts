import { StoreUnusable } from '../../event-store/errors.js';
import type { Environment, Inside } from './environment.js';
import type { KeyFiles } from './key-files.js';
import { owner } from './secrets.js';
import type { WrappingKey } from './wrapping.js';

/** Raised with every change of how the vault's files or entries are laid out. */
const FORMAT = 1;
const KEY = ['vault'];

/** What stands in the vault about itself. */
interface Description {
  readonly format: number;
  /** Of the DATA_KEY that secrets are wrapped by, and person keys too, but for those still wrapped by `former`. */
  readonly check: string;
  /** While a change of DATA_KEY is under way: of the one before. */
  readonly former: string | null;
}

/**
 * Makes sure that the vault is wrapped by `current`, and takes it over from `former` if it is not. The change may be
 * cut off at any moment and repeated: until it is through, the vault opens only with both keys.
 * @param isNew nothing was ever stored in the folder
 * @throws {StoreUnusable} another DATA_KEY, a newer version's vault, or one whose look-ups are lost; nothing is written
 */
export function claim(
  environment: Environment,
  files: KeyFiles,
  current: WrappingKey,
  former: WrappingKey | null,
  isNew: boolean,
): void {
  const standing = describe(environment, current, isNew);
  if (standing.format > FORMAT)
    throw new StoreUnusable(
      `The vault was written by a newer version of this program (format ${standing.format}, this one reads ${FORMAT}): run that version.`,
    );
  if (standing.check === current.check) {
    if (standing.former === null) return;
    if (standing.former !== former?.check)
      throw new StoreUnusable(
        'A change of DATA_KEY was cut off: set DATA_KEY_PREVIOUS to the former key and start once more.',
      );
    files.prepare();
    renewFiles(environment, files, current, former);
    return;
  }
  if (!former || standing.check !== former.check)
    throw new StoreUnusable(
      'The vault is wrapped by another DATA_KEY: set DATA_KEY to the one it was made with, or DATA_KEY_PREVIOUS to that one in order to change it.',
    );
  if (standing.former !== null)
    throw new StoreUnusable(
      'A former change of DATA_KEY was cut off: start once with the two keys of that change before changing it again.',
    );
  files.prepare();
  environment.transactNow((inside) => renewSecrets(inside, current, former));
  renewFiles(environment, files, current, former);
}

function describe(environment: Environment, current: WrappingKey, isNew: boolean): Description {
  const standing = environment.get(KEY);
  if (standing !== undefined) return standing as Description;
  if (!isNew)
    throw new StoreUnusable(
      'The vault holds personal keys but its look-ups are lost: restore the whole vault from its backup.',
    );
  return environment.transactNow(({ get, put }) => {
    // Another process may have been first.
    const first = get(KEY);
    if (first !== undefined) return first as Description;
    const own: Description = { format: FORMAT, check: current.check, former: null };
    put(KEY, own);
    return own;
  });
}

/** All secrets and the description in one transaction. Everything is wrapped before anything is put. */
function renewSecrets(inside: Inside, current: WrappingKey, former: WrappingKey): void {
  const renewed = inside.keys(['secret']).map((key) => {
    const name = key[1] ?? '';
    const secret = former.unwrap(Buffer.from(String(inside.get(key)), 'base64'), owner(name));
    if (!secret)
      throw new StoreUnusable(`The server's secret ${name} is damaged: restore the vault from its backup.`);
    return { key, wrapped: current.wrap(secret, owner(name)).toString('base64') };
  });
  for (const { key, wrapped } of renewed) inside.put(key, wrapped);
  inside.put(KEY, { format: FORMAT, check: current.check, former: former.check } satisfies Description);
}

/** Each key under the environment's write lock, so that two processes starting at once do not mix their writes. */
function renewFiles(
  environment: Environment,
  files: KeyFiles,
  current: WrappingKey,
  former: WrappingKey,
): void {
  for (const person of files.persons()) environment.transactNow(() => files.rewrap(person, former));
  environment.transactNow(({ put }) =>
    put(KEY, { format: FORMAT, check: current.check, former: null } satisfies Description),
  );
}
