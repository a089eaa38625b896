import { messageOf, StoreUnusable } from '../../core/errors.js';
import type { DriverName } from './drivers/clients.js';
import type { ClientOptions } from './drivers/driver.js';
import { isLogName } from './record.js';

/** The parts of a store's URL. */
export interface EventStoreDbUrl {
  readonly driver: DriverName;
  /** The log's name at the server, `null` without one. */
  readonly log: string | null;
  /** The server for an error's sentence: without the password. */
  readonly address: string;
  readonly credentials: ClientOptions['credentials'];
  /** A warning about an option of the URL that has no effect or disables a protection; `null`: none. */
  readonly notice: string | null;
  /** The connection string for the client, with these keepalive settings, in milliseconds. */
  connectionString(keepAliveInterval: number, keepAliveTimeout: number): string;
}

/** Makes a client. @throws {StoreUnusable} the client refuses the URL */
export function madeByUrl<T>(make: () => T): T {
  try {
    return make();
  } catch (error) {
    const message = messageOf(error);
    // A message that quotes the URL may hold the password.
    throw badUrl(message.startsWith('Unexpected') ? 'the client cannot read it' : message.replace(/\.$/, ''));
  }
}

const DRIVERS: ReadonlyMap<string, DriverName> = new Map([
  ['esdb', 'eventstoredb'],
  ['esdb+discover', 'eventstoredb'],
  ['kurrentdb', 'kurrentdb'],
  ['kurrentdb+discover', 'kurrentdb'],
  ['kdb', 'kurrentdb'],
  ['kdb+discover', 'kurrentdb'],
]);

const URL_FORM = /^([a-z+]+):\/\/(?:([^@/?]*)@)?([^@/?]+)(?:\/([^/?]*))?\/?(?:\?(.*))?$/i;

/**
 * Options of the clients that a URL may have. The clients ignore any other one, a misspelt `tls` included, and differ in
 * which spellings of these they read.
 */
const OPTIONS: ReadonlyMap<string, string> = new Map(
  [
    'connectionName',
    'defaultDeadline',
    'discoveryInterval',
    'gossipTimeout',
    'maxDiscoverAttempts',
    'tls',
    'tlsCAFile',
    'tlsVerifyCert',
    'userCertFile',
    'userKeyFile',
  ].map((name) => [name.toLowerCase(), name]),
);
/**
 * Options that only the adapter sets. It sets no node preference: so the clients choose the leader, and only its
 * answers are exact. On a connection to another node each call would fail until the client has connected to the leader.
 */
const OURS = new Set(['keepaliveinterval', 'keepalivetimeout', 'nodepreference', 'throwonappendfailure']);

/** Sent if the URL names no user: a server that asks for credentials refuses them. */
const ANONYMOUS = { username: 'nobody', password: 'nobody' };

/** @throws {StoreUnusable} it is not the URL of an event store */
export function parseUrl(url: string): EventStoreDbUrl {
  const [, scheme = '', user, hosts = '', log = '', query = ''] = URL_FORM.exec(url.trim()) ?? [];
  const driver = DRIVERS.get(scheme.toLowerCase());
  if (!driver) {
    throw badUrl(
      'it must have the form esdb://user:password@host:2113/log?tls=true (or esdb+discover, kurrentdb, kurrentdb+discover)',
    );
  }
  if (log !== '' && !isLogName(log)) {
    throw badUrl(`the log's name '${log}' may hold letters, digits, _ and - alone, 100 of them at most`);
  }
  const options = query
    .split('&')
    .filter((option) => option !== '' && !OURS.has(keyOf(option)))
    .map(canonical);
  const authority = `${scheme.toLowerCase()}://${user === undefined ? '' : `${user}@`}${hosts}`;
  return {
    driver,
    log: log === '' ? null : log,
    address: hosts,
    credentials: user === undefined ? ANONYMOUS : credentialsOf(user),
    notice: options.includes('tlsVerifyCert=false')
      ? unverified(driver, options.includes('tls=false'))
      : null,
    connectionString: (interval, timeout) =>
      `${authority}?${[...options, `keepAliveInterval=${interval}`, `keepAliveTimeout=${timeout}`].join('&')}`,
  };
}

/** The notice about tlsVerifyCert=false, whose effect differs by client. */
const unverified = (driver: DriverName, isPlain: boolean): string => {
  const option = 'tlsVerifyCert=false in EVENTSTORE_URL';
  if (isPlain) return `${option} has no effect: with tls=false there is no certificate.`;
  return driver === 'eventstoredb'
    ? `${option} has no effect: the certificate is verified all the same. Name its authority by tlsCAFile.`
    : `${option}: the server’s certificate is not verified, so that another machine can pose as the server. Name the certificate’s authority by tlsCAFile instead.`;
};

/** @throws {StoreUnusable} there is no such option */
const canonical = (option: string): string => {
  const at = option.indexOf('=');
  const name = OPTIONS.get(keyOf(option));
  if (at < 0 || name === undefined) throw badUrl(`its option '${option.split('=')[0] ?? ''}' is not known`);
  return `${name}=${option.slice(at + 1).trim()}`;
};

const keyOf = (option: string): string =>
  (option.split('=')[0] ?? '').trim().toLowerCase().replaceAll(/[_-]/g, '');

function credentialsOf(user: string): ClientOptions['credentials'] {
  const [username, password, ...more] = user.split(':');
  if (!username || !password || more.length > 0) {
    throw badUrl(
      'it names a user otherwise than as user:password@, with : and @ in either written as %3A and %40',
    );
  }
  try {
    return { username: decodeURIComponent(username), password: decodeURIComponent(password) };
  } catch {
    throw badUrl('a % in its user or password is not written as %25');
  }
}

const badUrl = (why: string): StoreUnusable =>
  new StoreUnusable(`The event store's URL cannot be used: ${why}.`);
