import { isLoopback } from './issuer-mode.js';

/** The servers of events and views. Without them, both are in DATA_DIR. */
export interface ServerAddresses {
  /** `esdb://`, `esdb+discover://`, `kurrentdb://`, `kurrentdb+discover://`, `kdb://`; a path names the log. */
  readonly eventStoreUrl: string;
  /** `mongodb://` or `mongodb+srv://`; the path names the database. */
  readonly mongodbUrl: string;
}

interface Address {
  readonly scheme: string;
  readonly user: string | null;
  readonly password: string | null;
  readonly hosts: readonly string[];
  /** Values of the query's parameters, by their `plainName`. */
  readonly parameters: ReadonlyMap<string, string>;
}

/** Schemes of an event store’s URL. */
export const EVENTSTORE_SCHEMES: readonly string[] = [
  'esdb',
  'esdb+discover',
  'kurrentdb',
  'kurrentdb+discover',
  'kdb',
  'kdb+discover',
];
/** Schemes of a MongoDB URL. */
export const MONGODB_SCHEMES: readonly string[] = ['mongodb', 'mongodb+srv'];

/** Well-known passwords from images and handbooks. */
const KNOWN_PASSWORDS = [
  '',
  'changeit',
  'password',
  'admin',
  'root',
  'example',
  'mongo',
  'mongodb',
  'secret',
];

const FORM =
  /^(?<scheme>[a-z][a-z+]*):\/\/(?:(?<user>[^:@/?#]*)(?::(?<password>[^@/?#]*))?@)?(?<hosts>[^@/?#]+)(?:\/[^?#]*)?(?:\?(?<query>[^#]*))?$/;

/**
 * The mistake in the address of an EventStoreDB, as the rest of a sentence after the variable's name; `null`: none. The
 * client reports further mistakes.
 */
export const eventStoreProblem = (text: string, production: boolean): string | null => {
  const address = parse(text);
  if (address === null || !EVENTSTORE_SCHEMES.includes(address.scheme)) {
    return 'must be an address such as esdb://user:password@host:2113?tls=true.';
  }
  if (!address.hosts.every(hasPort)) return PORTS;
  if (!production || address.hosts.every(isNear)) return null;
  const { parameters } = address;
  if (parameters.get('tls') === 'false') return plainText('tls=false');
  if (parameters.get('tlsverifycert') === 'false') return unverified('tlsVerifyCert=false');
  return credentialsProblem(address, parameters.has('usercertfile'));
};

/** As `eventStoreProblem`, for the address of a MongoDB; `null`: it has no mistake. */
export const mongodbProblem = (text: string, production: boolean): string | null => {
  const address = parse(text);
  if (address === null || !MONGODB_SCHEMES.includes(address.scheme)) {
    return 'must be an address such as mongodb://user:password@host:27017/assay?tls=true.';
  }
  if (!address.hosts.every(hasPort)) return PORTS;
  if (!production || address.hosts.every(isNear)) return null;
  if (!isEncrypted(address)) return plainText('no tls=true');
  const option = unverifiedBy(address);
  if (option !== null) return unverified(option);
  return credentialsProblem(address, address.parameters.has('authmechanism'));
};

/** Whether the connection is encrypted. Default: as in the client of the scheme. */
const isEncrypted = ({ scheme, parameters }: Address): boolean =>
  (parameters.get('tls') ?? parameters.get('ssl') ?? `${scheme !== 'mongodb'}`) === 'true';

/**
 * The option that switches off the verification of a MongoDB's certificate; `null`: none, or there is no encryption.
 */
const unverifiedBy = (address: Address): string | null => {
  if (!isEncrypted(address)) return null;
  const names = ['tlsInsecure', 'tlsAllowInvalidCertificates', 'tlsAllowInvalidHostnames'];
  const name = names.find((one) => address.parameters.get(one.toLowerCase()) === 'true');
  return name === undefined ? null : `${name}=true`;
};

/** A warning about the address of a MongoDB that switches a protection off; `null`: it switches none off. */
export const mongodbNotice = (text: string): string | null => {
  const address = parse(text);
  const option = address && unverifiedBy(address);
  return option === null
    ? null
    : `${option} in MONGODB_URL: the server’s certificate is not verified, so that another machine can pose as the server. Name the certificate’s authority by tlsCAFile instead.`;
};

/** The TLS servers of an address, and the file of the authority that is trusted for them. */
export interface EncryptedEnd {
  readonly hosts: readonly { readonly host: string; readonly port: number }[];
  /** `null`: the authorities that the system trusts. */
  readonly authorityFile: string | null;
}

/**
 * The TLS servers of a valid address; `null`: the connection is not encrypted, or the hosts are looked up by DNS
 * (`mongodb+srv`).
 */
export const encryptedEnd = (text: string): EncryptedEnd | null => {
  const address = parse(text);
  if (address === null || address.scheme === 'mongodb+srv') return null;
  if (!isEncrypted(address)) return null;
  const { parameters } = address;
  const hosts = address.hosts.map((text) => {
    const { host = '', port } = /^(?<host>\[[^\]]*\]|[^:]*)(?::(?<port>\d+))?$/.exec(text)?.groups ?? {};
    const usual = address.scheme === 'mongodb' ? MONGODB_PORT : EVENTSTORE_PORT;
    return { host: host.replace(/^\[|\]$/g, ''), port: port === undefined ? usual : Number(port) };
  });
  return { hosts, authorityFile: parameters.get('tlscafile') ?? null };
};

const EVENTSTORE_PORT = 2113;
const MONGODB_PORT = 27_017;

/** With an invalid port, a client would retry forever. The text may also be a password that contains a `/`. */
const PORTS =
  'must name a port from 1 to 65535 behind each host, or none; special characters of a password are percent-encoded.';

/** Whether a host has a valid port, or none. The colons of an IPv6 address are in brackets. */
const hasPort = (host: string): boolean => {
  const { port } = /^(?:\[[^\]]*\]|[^:]*)(?::(?<port>.*))?$/s.exec(host)?.groups ?? { port: '' };
  return port === undefined || (/^\d{1,5}$/.test(port) && Number(port) >= 1 && Number(port) <= 65_535);
};

const plainText = (by: string): string =>
  `names another machine with ${by}: while NODE_ENV is production what travels there must be encrypted.`;

const unverified = (by: string): string =>
  `contains ${by}: while NODE_ENV is production the server's certificate must be verified; trust its authority instead.`;

const credentialsProblem = ({ user, password }: Address, otherwiseKnown: boolean): string | null => {
  if (user === null || password === null) {
    return otherwiseKnown ? null : 'must hold a user and a password while NODE_ENV is production.';
  }
  const known = KNOWN_PASSWORDS.includes(password.toLowerCase()) || password === user;
  return known ? 'holds a well-known password: change it on the server, then here.' : null;
};

/** Whether a host is this machine, or a socket in its file system. */
const isNear = (host: string): boolean =>
  host.toLowerCase().includes('%2f') || isLoopback(host.replace(/:\d+$/, ''));

const parse = (text: string): Address | null => {
  const { scheme, user, password, hosts, query } = FORM.exec(text)?.groups ?? {};
  if (scheme === undefined || hosts === undefined) return null;
  const names = hosts.split(',');
  if (names.some((name) => name === '' || /\s/.test(name))) return null;
  const parameters = new URLSearchParams(query ?? '');
  return {
    scheme,
    user: user === undefined ? null : decoded(user),
    password: password === undefined ? null : decoded(password),
    hosts: names,
    parameters: new Map([...parameters].map(([name, value]) => [plainName(name), value.trim()])),
  };
};

/** A parameter's name without case, `-` and `_`: clients of EventStoreDB read `tls-verify-cert` as `tlsVerifyCert`. */
const plainName = (name: string): string => name.trim().toLowerCase().replaceAll(/[_-]/g, '');

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};
