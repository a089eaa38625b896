import { StoreUnusable } from '../../core/errors.js';

/** The database if the URL names none. */
const DEFAULT_DATABASE = 'assay';

// An @ anywhere else is a part of a password that was not encoded.
const URL_SHAPE = /^(mongodb(?:\+srv)?):\/\/(?:[^/?@]*@)?([^/?@]+)(?:\/([^?@]*))?(?:\?[^@]*)?$/;
/** The names of databases that MongoDB allows on every platform. */
const DATABASE = /^[^/\\. "$*<>:|?\0]{1,63}$/u;
const OF_THE_SERVER = new Set(['admin', 'local', 'config']);

/** A MongoDB URL that was checked. */
export interface MongoUrl {
  /** The given URL, which may have a password: only for the client. */
  readonly url: string;
  readonly database: string;
  /** Scheme, hosts and database, for messages. */
  readonly shown: string;
  /** Whether it names a user, or a way to sign in that needs none. */
  readonly signsIn: boolean;
}

/**
 * Parses a MongoDB URL: `mongodb://[user:password@]host[:port][,host…][/database][?options]` or `mongodb+srv://…`.
 * @throws {StoreUnusable} it is not such a URL, or names a database that is reserved for the server
 */
export function parseMongoUrl(url: string): MongoUrl {
  const [, scheme, hosts, path = ''] = URL_SHAPE.exec(url) ?? [];
  if (scheme === undefined || hosts === undefined) {
    throw new StoreUnusable(
      'The MongoDB URL must have the form mongodb://user:password@host:27017/database?options. ' +
        'Special characters in the password are percent-encoded.',
    );
  }
  const database = decoded(path) || DEFAULT_DATABASE;
  if (!DATABASE.test(database) || OF_THE_SERVER.has(database)) {
    throw new StoreUnusable(
      `The MongoDB URL at ${scheme}://${hosts} names the database ${JSON.stringify(database)}, which cannot be used. ` +
        'Name one of at most 63 letters, digits, - and _, other than admin, local and config.',
    );
  }
  const signsIn = url.includes('@') || /[?&]authMechanism=/i.test(url);
  return { url, database, shown: `${scheme}://${hosts}/${database}`, signsIn };
}

/** A text without anything that could be a URL's credentials: for messages of others that may quote the URL. */
export const withoutCredentials = (text: string): string => text.replace(/:\/\/.*@/gs, '://');

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
