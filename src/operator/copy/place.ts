import { readdirSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { ISSUER_FILE } from '../../process/secret-files.js';
import { EVENTSTORE_SCHEMES, MONGODB_SCHEMES } from '../../process/server-addresses.js';
import { decodeKey } from '../../process/variables.js';
import { assertDataFolder, assertOutside, isSameFolder } from '../cli/folders.js';
import { OperatorError } from '../cli/program.js';

/** Where a log and its vault are: in a data folder, or on two servers. */
export type Place =
  | { readonly kind: 'folder'; readonly folder: string }
  | { readonly kind: 'servers'; readonly eventStoreUrl: string; readonly mongoUrl: string };

/** The text does not name a place. The message explains how to name one. */
export class NoPlace extends Error {
  override readonly name = 'NoPlace';
}

const FORM = 'A place is a data folder, or an EventStoreDB URL and a MongoDB URL joined by a comma';

/**
 * Reads a place. URLs may contain commas between hosts, so the second URL begins at the second scheme.
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
  const eventStoreUrl = urls.find((url) => EVENTSTORE_SCHEMES.includes(schemeOf(url)));
  const mongoUrl = urls.find((url) => MONGODB_SCHEMES.includes(schemeOf(url)));
  if (eventStoreUrl === undefined) throw new NoPlace(`${FORM}; the EventStoreDB URL is missing.`);
  if (mongoUrl === undefined) throw new NoPlace(`${FORM}; the MongoDB URL is missing.`);
  if (urls.length > 2) throw new NoPlace(`${FORM}; these are ${urls.length} URLs.`);
  return { kind: 'servers', eventStoreUrl, mongoUrl };
};

/** A place's name without credentials. */
export const nameOf = (place: Place): string =>
  place.kind === 'folder'
    ? place.folder
    : [place.eventStoreUrl, place.mongoUrl].map(withoutCredentials).join(',');

const schemeOf = (url: string): string => url.slice(0, url.indexOf('://')).toLowerCase();

/** A URL without what may be a secret: everything before the last `@`, and the query. */
const withoutCredentials = (url: string): string => {
  const [, scheme = '', rest = ''] = /^([^:]+:\/\/)(.*)$/s.exec(url) ?? [];
  const [address = ''] = rest.slice(rest.lastIndexOf('@') + 1).split('?');
  return scheme + address;
};

/** Whether the two need both clients of EventStoreDB, which cannot share a process. */
export const needBothClients = (one: Place, other: Place): boolean =>
  one.kind === 'servers' &&
  other.kind === 'servers' &&
  schemeOf(one.eventStoreUrl).startsWith('esdb') !== schemeOf(other.eventStoreUrl).startsWith('esdb');

export const SAME_PLACE = 'The source and the target are the same place: nothing was copied.';

/**
 * Checks the folders before anything is opened, since opening creates what is missing.
 * @throws {OperatorError} both are the same folder (the same servers are found by the log's id, once open), the source is
 *   no data folder, or the target holds other files
 */
export const assertFolders = (source: Place, target: Place): void => {
  if (source.kind === 'folder') assertSource(source.folder);
  if (target.kind === 'folder') assertTarget(target.folder);
  if (source.kind !== 'folder' || target.kind !== 'folder') return;
  if (isSameFolder(source.folder, target.folder)) throw new OperatorError(SAME_PLACE);
  assertOutside(target.folder, source.folder, 'the source');
};

const assertSource = (folder: string): void => {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new OperatorError(`There is no folder ${folder} to copy from.`);
  assertDataFolder(folder);
};

/** Files that may be in the target although it is not yet a data folder. */
const ALLOWED_IN_TARGET = ['data.key', 'signing.key', ISSUER_FILE];

const assertTarget = (folder: string): void => {
  const stat = statSync(folder, { throwIfNoEntry: false });
  if (!stat) return;
  if (!stat.isDirectory()) throw new OperatorError(`${folder} is not a folder.`);
  const names = readdirSync(folder);
  if (names.includes('log') || names.every((name) => ALLOWED_IN_TARGET.includes(name))) return;
  throw new OperatorError(
    `${folder} holds other files and no event log: copy to an empty folder, or to one that does not exist yet.`,
  );
};

/** The key that encrypts both vaults. */
interface DataKey {
  readonly key: Buffer;
  /** Where it was found; `null`: in the environment. */
  readonly file: string | null;
}

/**
 * Finds DATA_KEY as the service does: in the environment, else in a data folder of either place. Creates none.
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
  const [first, second] = [await keyKeptIn(source), await keyKeptIn(target)];
  if (first && second && !first.key.equals(second.key))
    throw new OperatorError(
      `${first.file} and ${second.file} hold different keys: set DATA_KEY to the key of the source’s vault, and remove the target’s file.`,
    );
  const found = first ?? second;
  if (found) return found;
  const missing = [source, target].flatMap((place) =>
    place.kind === 'folder' ? [keyFile(place.folder)] : [],
  );
  throw new OperatorError(
    `Set DATA_KEY to the key of the source’s vault${missing.length > 0 ? ` (no key in ${missing.join(' or ')})` : ''}.`,
  );
};

const keyFile = (folder: string): string => join(folder, 'data.key');

/**
 * The key in a place’s data folder; `null`: there is none.
 * @throws {OperatorError} its file cannot be read, or has no key
 */
const keyKeptIn = async (place: Place): Promise<(DataKey & { readonly file: string }) | null> => {
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
