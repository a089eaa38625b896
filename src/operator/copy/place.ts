import { resolve } from 'node:path';
import { EVENTSTORE_SCHEMES, MONGODB_SCHEMES } from '../../process/server-addresses.js';

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
