import { join, resolve } from 'node:path';
import { EVENTSTORE_SCHEMES, MONGODB_SCHEMES } from '../../process/server-addresses.js';
import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { assertDataFolder } from '../cli/stores.js';
import { OperatorError } from '../cli/program.js';
import { readFile } from 'node:fs/promises';
import { decodeKey } from '../../process/config.js';

/** Where a log and its vault are kept: a data folder, or two servers. */
export type Place =
  | { readonly kind: 'folder'; readonly folder: string }
  | { readonly kind: 'servers'; readonly eventStoreUrl: string; readonly mongoUrl: string };

/** What was given names no place: the sentence says how one is named. */
export class NoPlace extends Error {
  override readonly name = 'NoPlace';
}

const FORM = 'A place is a data folder, or an EventStoreDB URL and a MongoDB URL joined by a comma';

/**
 * Reads a place. URLs may hold commas between their hosts, so the second one begins where a second scheme does.
 * @throws {NoPlace}
 */
export const parsePlace = (text: string): Place => {
  if (text.trim() === '') throw new NoPlace(`${FORM}; it cannot be empty.`);
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return { kind: 'folder', folder: resolve(text) };
  const urls = text.split(/,(?=[a-z][a-z0-9+.-]*:\/\/)/i);
  for (const url of urls) {
    if (![...EVENTSTORE_SCHEMES, ...MONGODB_SCHEMES].includes(schemeOf(url)))
      throw new NoPlace(`${FORM}; ${schemeOf(url)}:// is the scheme of neither.`);
  }
  const eventStores = urls.filter((url) => EVENTSTORE_SCHEMES.includes(schemeOf(url)));
  const databases = urls.filter((url) => MONGODB_SCHEMES.includes(schemeOf(url)));
  const [[eventStoreUrl], [mongoUrl]] = [eventStores, databases];
  if (eventStoreUrl === undefined)
    throw new NoPlace(`${FORM}; here the EventStoreDB URL is missing, which keeps the events.`);
  if (mongoUrl === undefined)
    throw new NoPlace(`${FORM}; here the MongoDB URL is missing, which keeps the vault.`);
  if (urls.length > 2) throw new NoPlace(`${FORM}; here are ${urls.length} URLs.`);
  return { kind: 'servers', eventStoreUrl, mongoUrl };
};

/** How a place is named on the screen: without what signs in to it. */
export const nameOf = (place: Place): string =>
  place.kind === 'folder'
    ? place.folder
    : [place.eventStoreUrl, place.mongoUrl].map(withoutCredentials).join(',');

const schemeOf = (url: string): string => url.slice(0, url.indexOf('://')).toLowerCase();

/** Whatever stands before the last @ may be a password, and the query may name secrets. */
const withoutCredentials = (url: string): string => {
  const [, scheme = '', rest = ''] = /^([^:]+:\/\/)(.*)$/s.exec(url) ?? [];
  const [address = ''] = rest.slice(rest.lastIndexOf('@') + 1).split('?');
  return scheme + address;
};

/** Whether the two are served by clients of EventStoreDB's two generations, which cannot share a process. */
export const needBothClients = (one: Place, other: Place): boolean =>
  one.kind === 'servers' &&
  other.kind === 'servers' &&
  schemeOf(one.eventStoreUrl).startsWith('esdb') !== schemeOf(other.eventStoreUrl).startsWith('esdb');

export const SAME_PLACE = 'The source and the target are the same place: nothing was copied.';

/**
 * Looks at the folders before anything is opened, since opening makes what is missing.
 * @throws {OperatorError} both are one (servers that are one are known by the log's identity, once open), the source
 *   is no data folder, or the target is somebody's other folder
 */
export const assertFolders = (source: Place, target: Place): void => {
  if (source.kind === 'folder') assertSource(source.folder);
  if (target.kind === 'folder') assertFree(target.folder);
  if (source.kind !== 'folder' || target.kind !== 'folder') return;
  if (real(source.folder) === real(target.folder)) throw new OperatorError(SAME_PLACE);
};

const real = (folder: string): string => (existsSync(folder) ? realpathSync(folder) : folder);

const assertSource = (folder: string): void => {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new OperatorError(`There is no folder ${folder} to copy from.`);
  assertDataFolder(folder);
};

/** What may lie in a folder that is yet to become a data folder. */
const BEFOREHAND = ['data.key', 'signing.key', 'development-issuer.json'];

/** Somebody's other folder is not written to. */
const assertFree = (folder: string): void => {
  const stat = statSync(folder, { throwIfNoEntry: false });
  if (!stat) return;
  if (!stat.isDirectory()) throw new OperatorError(`${folder} is no folder that could be copied to.`);
  const names = readdirSync(folder);
  if (names.includes('log') || names.every((name) => BEFOREHAND.includes(name))) return;
  throw new OperatorError(
    `${folder} holds other files and no event log: copy to an empty folder, or to one that does not exist yet.`,
  );
};

/** The key that both vaults are wrapped by, and where it was found. */
interface DataKey {
  readonly key: Buffer;
  /** `null`: in the environment. */
  readonly file: string | null;
}

/**
 * DATA_KEY as the service on either place finds it: the environment's, else the one kept in a data folder. None is
 * made, and none is put anywhere.
 * @throws {OperatorError} there is none, or two that differ
 */
export const dataKeyOf = async (
  source: Place,
  target: Place,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<DataKey> => {
  const given = environment['DATA_KEY']?.trim();
  if (given) {
    const key = decodeKey(given);
    if (key) return { key, file: null };
    throw new OperatorError('DATA_KEY must be 32 random bytes as base64 or hex.');
  }
  const [first, second] = [await keptBy(source), await keptBy(target)];
  if (first && second && !first.key.equals(second.key))
    throw new OperatorError(
      `${first.file} and ${second.file} hold different keys: set DATA_KEY to the one that the source’s vault was made with, and take the target’s away.`,
    );
  const found = first ?? second;
  if (found) return found;
  const missing = [source, target].flatMap((place) =>
    place.kind === 'folder' ? [keyFile(place.folder)] : [],
  );
  throw new OperatorError(
    `Set DATA_KEY to the key that the source’s vault was made with${missing.length > 0 ? `: ${missing.join(' and ')} is not there` : ''}.`,
  );
};

const keyFile = (folder: string): string => join(folder, 'data.key');

const keptBy = async (place: Place): Promise<(DataKey & { readonly file: string }) | null> => {
  if (place.kind !== 'folder') return null;
  const file = keyFile(place.folder);
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new OperatorError(`${file} cannot be read: ${(error as Error).message}.`, { cause: error });
  }
  const key = decodeKey(text.trim());
  if (!key)
    throw new OperatorError(`${file} holds no key: restore that file, or set DATA_KEY to the key it held.`);
  return { key, file };
};
