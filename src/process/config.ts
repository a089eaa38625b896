import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { isPublicX } from '../core/signing.js';
import { isLoopback, type IssuerMode, issuerMode } from './issuer-mode.js';
import { type Providers, providersOf } from './providers.js';
import { eventStoreProblem, mongodbProblem, type ServerAddresses } from './server-addresses.js';
import { urlOf } from '../core/text.js';
import type { VariableName } from './variables.js';

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** The checked configuration of a process. */
export interface Configuration extends Providers {
  readonly production: boolean;
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  /** Port of the status pages for operators; `null`: none. */
  readonly healthPort: number | null;
  /** Where callers reach the service, without a slash at the end; `null`: at the address that it listens on. */
  readonly publicUrl: string | null;
  readonly allowedOrigins: readonly string[];
  /** Absolute. */
  readonly dataDir: string;
  /** `null`: everything is kept in `dataDir`. */
  readonly servers: ServerAddresses | null;
  /** Into how many segments newly built views are split. */
  readonly segments: number;
  /** Most events that are read for one answer about former times. */
  readonly historyEvents: number;
  /** Whether views whose code is newer are rebuilt automatically. */
  readonly automatic: boolean;
  /** How long a former generation is kept for a rollback, in milliseconds. */
  readonly graceMs: number;
  /** 32 bytes each; `null`: kept in `dataDir`, made on first start. */
  readonly dataKey: Buffer | null;
  readonly signingKey: Buffer | null;
  readonly dataKeyPrevious: Buffer | null;
  /** Public keys that evidence was signed with before `signingKey`: the `x` of each, in base64url. */
  readonly formerSigningKeys: readonly string[];
  readonly identity: Exclude<IssuerMode, { kind: 'refused' }>;
  readonly projector: 'embedded' | 'off';
  /** Addresses and networks whose `X-Forwarded-For` counts. */
  readonly trustedProxies: readonly string[];
  readonly rateLimits: boolean;
  readonly webhookAllowPrivate: boolean;
  readonly logLevel: LogLevel;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** A wrong variable, in one line for the operator. Secrets are never repeated in it. */
export class ConfigurationProblem extends Error {
  override readonly name = 'ConfigurationProblem';

  constructor(
    readonly variable: string,
    sentence: string,
  ) {
    super(sentence);
  }
}

/** A closed list, so that a misspelt `production` is refused. */
const NODE_ENVS = ['production', 'development', 'test'] as const;
const KEY_BYTES = 32;
/** More would cost more in checkpoints than they spread. */
const MOST_SEGMENTS = 64;
const SEGMENTS_ON_SERVERS = 4;
const HISTORY_EVENTS = 100_000;
/** A week. */
const MOST_ROLLBACK_MINUTES = 7 * 24 * 60;
const KEY_FORM = '32 random bytes as base64 or hex; "openssl rand -base64 32" makes one';

/** Reads single variables. Empty counts as unset, as container tools pass unset variables on as empty. */
class Reader {
  constructor(private readonly environment: Environment) {}

  text(name: VariableName): string | null {
    const value = this.environment[name]?.trim();
    return value ? value : null;
  }

  oneOf<T extends string>(name: VariableName, values: readonly T[], otherwise: T): T {
    const value = this.text(name) ?? otherwise;
    const known = values.find((one) => one === value);
    if (known !== undefined) return known;
    return this.wrong(name, `must be one of ${values.join(', ')}, not ${JSON.stringify(value)}.`);
  }

  flag(name: VariableName, otherwise: boolean): boolean {
    return this.oneOf(name, ['on', 'off'], otherwise ? 'on' : 'off') === 'on';
  }

  list(name: VariableName): readonly string[] {
    const parts = this.text(name)?.split(',') ?? [];
    return parts.map((part) => part.trim()).filter((part) => part !== '');
  }

  wholeNumber(name: VariableName, least: number, most: number, otherwise: number): number {
    const text = this.text(name) ?? `${otherwise}`;
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= least && value <= most) return value;
    return this.wrong(name, `must be a whole number from ${least} to ${most}, not ${JSON.stringify(text)}.`);
  }

  key(name: VariableName): Buffer | null {
    const value = this.text(name);
    if (value === null) return null;
    return decodeKey(value) ?? this.wrong(name, `must be ${KEY_FORM}.`);
  }

  wrong(name: VariableName, sentence: string): never {
    throw new ConfigurationProblem(name, `${name} ${sentence}`);
  }
}

/** A 32-byte key from hex or base64 (either alphabet); `null` for anything else. */
export const decodeKey = (text: string): Buffer | null => {
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex');
  if (!/^[A-Za-z0-9+/_-]{43}=?$/.test(text)) return null;
  const key = Buffer.from(text, 'base64');
  return key.length === KEY_BYTES ? key : null;
};

/** @throws {ConfigurationProblem} naming the first variable that is wrong */
export const readConfiguration = (environment: Environment): Configuration => {
  const read = new Reader(environment);
  const production = read.oneOf('NODE_ENV', NODE_ENVS, 'development') === 'production';
  const servers = serversOf(read, production);
  const trustedProxies = proxiesOf(read);
  return {
    production,
    host: hostOf(read),
    port: read.wholeNumber('PORT', 0, 65_535, 3000),
    healthPort: read.text('HEALTH_PORT') === null ? null : read.wholeNumber('HEALTH_PORT', 0, 65_535, 0),
    publicUrl: publicUrlOf(read, production),
    allowedOrigins: originsOf(read),
    dataDir: resolve(read.text('DATA_DIR') ?? './data'),
    servers,
    segments: read.wholeNumber('SEGMENTS', 1, MOST_SEGMENTS, servers ? SEGMENTS_ON_SERVERS : 1),
    automatic: read.oneOf('REBUILD', ['automatic', 'manual'], 'automatic') === 'automatic',
    graceMs: read.wholeNumber('ROLLBACK_MINUTES', 0, MOST_ROLLBACK_MINUTES, 60) * 60_000,
    historyEvents: read.wholeNumber('HISTORY_EVENTS', 1, 100_000_000, HISTORY_EVENTS),
    ...keysOf(read, production),
    formerSigningKeys: formerSigningKeysOf(read),
    ...providersOf(read),
    identity: identityOf(read, trustedProxies),
    projector: read.oneOf('PROJECTOR', ['embedded', 'off'], 'embedded'),
    trustedProxies,
    rateLimits: read.flag('RATE_LIMITS', true),
    webhookAllowPrivate: read.flag('WEBHOOK_ALLOW_PRIVATE', false),
    logLevel: read.oneOf('LOG_LEVEL', LOG_LEVELS, 'info'),
  };
};

const serversOf = (read: Reader, production: boolean): ServerAddresses | null => {
  const eventStoreUrl = read.text('EVENTSTORE_URL');
  const mongodbUrl = read.text('MONGODB_URL');
  if (eventStoreUrl === null && mongodbUrl === null) return null;
  const wanted = 'set both for servers, neither for embedded stores.';
  if (eventStoreUrl === null) {
    return read.wrong('EVENTSTORE_URL', `must be set where MONGODB_URL is: ${wanted}`);
  }
  if (mongodbUrl === null) {
    return read.wrong('MONGODB_URL', `must be set where EVENTSTORE_URL is: ${wanted}`);
  }
  const eventStore = eventStoreProblem(eventStoreUrl, production);
  if (eventStore !== null) read.wrong('EVENTSTORE_URL', eventStore);
  const mongodb = mongodbProblem(mongodbUrl, production);
  if (mongodb !== null) read.wrong('MONGODB_URL', mongodb);
  return { eventStoreUrl, mongodbUrl };
};

const hostOf = (read: Reader): string => {
  const host = read.text('HOST') ?? '127.0.0.1';
  const name = /^[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$/;
  if (isIP(host) === 0 && !name.test(host)) read.wrong('HOST', 'must be an IP address or a host name.');
  return host;
};

const publicUrlOf = (read: Reader, production: boolean): string | null => {
  const text = read.text('PUBLIC_URL');
  if (text === null) return null;
  const url = urlOf(text);
  const plain = url?.protocol === 'http:' || url?.protocol === 'https:';
  if (!url || !plain || url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '') {
    return read.wrong('PUBLIC_URL', 'must be an http or https URL without credentials, query or fragment.');
  }
  if (production && url.protocol === 'http:' && !isLoopback(url.hostname)) {
    return read.wrong('PUBLIC_URL', 'must be an https URL while NODE_ENV is production.');
  }
  return url.href.replace(/\/+$/, '');
};

const originsOf = (read: Reader): readonly string[] => {
  const origins = read.list('ALLOWED_ORIGINS');
  for (const origin of origins) {
    const url = urlOf(origin);
    if (url?.origin !== origin || !['http:', 'https:'].includes(url.protocol)) {
      read.wrong(
        'ALLOWED_ORIGINS',
        `must list origins such as https://app.example.org with commas between; ${JSON.stringify(origin)} is none.`,
      );
    }
  }
  return origins;
};

const keysOf = (
  read: Reader,
  production: boolean,
): Pick<Configuration, 'dataKey' | 'signingKey' | 'dataKeyPrevious'> => {
  const keys = {
    dataKey: read.key('DATA_KEY'),
    signingKey: read.key('SIGNING_KEY'),
    dataKeyPrevious: read.key('DATA_KEY_PREVIOUS'),
  };
  if (production) {
    for (const [name, key] of [
      ['DATA_KEY', keys.dataKey] as const,
      ['SIGNING_KEY', keys.signingKey] as const,
    ]) {
      if (!key) read.wrong(name, `must be set while NODE_ENV is production: ${KEY_FORM}.`);
    }
  }
  return keys;
};

const formerSigningKeysOf = (read: Reader): readonly string[] => {
  const keys = read.list('FORMER_SIGNING_KEYS');
  // Never repeated: it may be the private key by mistake.
  const wrong = keys.findIndex((key) => !isPublicX(key));
  if (wrong !== -1)
    read.wrong(
      'FORMER_SIGNING_KEYS',
      `must list public keys with commas between, each the "x" of a key of /.well-known/evidence-keys.json; number ${wrong + 1} is none.`,
    );
  return keys;
};

const identityOf = (read: Reader, trustedProxies: readonly string[]): Configuration['identity'] => {
  const names = [
    'OIDC_ISSUER',
    'OIDC_AUDIENCE',
    'DEVELOPMENT_ISSUER',
    'NODE_ENV',
    'HOST',
    'PUBLIC_URL',
  ] as const;
  const values = Object.fromEntries(names.map((name) => [name, read.text(name) ?? undefined]));
  const mode = issuerMode({ ...values, behindProxy: trustedProxies.length > 0 });
  if (mode.kind === 'refused') throw new ConfigurationProblem(mode.variable, mode.reason);
  return mode;
};

/** The proxy library's names of networks. */
const NETWORKS = ['loopback', 'linklocal', 'uniquelocal'];

const proxiesOf = (read: Reader): readonly string[] => {
  const proxies = read.list('TRUSTED_PROXIES').filter((proxy) => proxy !== 'none');
  for (const proxy of proxies) {
    const [address = '', bits, ...rest] = proxy.split('/');
    const version = isIP(address);
    const widest = version === 4 ? 32 : 128;
    const masked =
      bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= widest);
    if (!NETWORKS.includes(proxy) && (version === 0 || !masked || rest.length > 0)) {
      read.wrong(
        'TRUSTED_PROXIES',
        `must list IP addresses or networks such as 10.0.0.0/8; ${JSON.stringify(proxy)} is none.`,
      );
    }
  }
  return proxies;
};
