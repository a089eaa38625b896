import { resolve } from 'node:path';
import { urlOf } from '../core/text.js';
import { type CheckerSettings, checkerSettingsOf } from './checker-settings.js';
import {
  type DevelopmentAccess,
  developmentAccess,
  isLoopback,
  type IssuerMode,
  issuerMode,
  modeWarning,
} from './issuer-mode.js';
import { type MailSettings, mailSettingsOf } from './mail-settings.js';
import { type Providers, providersOf } from './providers.js';
import { eventStoreProblem, mongodbProblem, type ServerAddresses } from './server-addresses.js';
import { ConfigurationProblem, VariableReader } from './variable-reader.js';
import { type Environment, KEY_FORM, type LogLevel } from './variables.js';

/** The checked configuration of a process. */
export interface Configuration extends Providers {
  readonly production: boolean;
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Port of the status pages for operators; `null`: none. */
  readonly healthPort: number | null;
  /** The address of the service for callers, without a slash at the end; `null`: the one that it listens on. */
  readonly publicUrl: string | null;
  readonly allowedOrigins: readonly string[];
  /** An absolute path. */
  readonly dataDir: string;
  /** `null`: everything is kept in `dataDir`. */
  readonly servers: ServerAddresses | null;
  /** Into how many segments newly built views are split. */
  readonly segments: number;
  /** How many events a request for a past state may read. */
  readonly historyEvents: number;
  /** Whether views whose code has changed are rebuilt without an operator. */
  readonly automatic: boolean;
  /** How long a former generation is kept for a rollback, in milliseconds. */
  readonly graceMs: number;
  /** 32 bytes; `null`: it is in `dataDir`, where the first start creates it. */
  readonly dataKey: Buffer | null;
  /** Seed of the Ed25519 key that evidence is signed with. 32 bytes; `null`: as `dataKey`. */
  readonly signingKey: Buffer | null;
  /** The former DATA_KEY while it is being changed, 32 bytes; `null`: it is not being changed. */
  readonly dataKeyPrevious: Buffer | null;
  /** Public keys that evidence was signed with before `signingKey`: the `x` of each, in base64url. */
  readonly formerSigningKeys: readonly string[];
  readonly identity: Exclude<IssuerMode, { kind: 'refused' }>;
  readonly development: DevelopmentAccess;
  /** A sentence to log at every start; `null`: none. */
  readonly warning: string | null;
  /** Issuers whose addresses count as verified unless a token says otherwise: see `callerOf`. */
  readonly trustedEmailIssuers: readonly string[];
  readonly projector: 'embedded' | 'off';
  /** Addresses and networks whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: readonly string[];
  readonly rateLimits: boolean;
  /** Limits of candidates' sign-in: codes for one e-mail address, and forms from one client's address. */
  readonly signInLimits: {
    readonly codesPer15Minutes: number;
    readonly codesPerDay: number;
    readonly formsPerMinute: number;
  };
  readonly webhookAllowPrivate: boolean;
  readonly mail: MailSettings;
  /** Whether candidates sign in by a code that is mailed to them, or at the organisation's issuer. */
  readonly candidateSignIn: 'email' | 'oidc';
  readonly checker: CheckerSettings;
  readonly logLevel: LogLevel;
}

/** Reads and checks the configuration. @throws {ConfigurationProblem} with all wrong variables */
export const readConfiguration = (environment: Environment): Configuration => {
  const read = new VariableReader(environment);
  const production = read.get('NODE_ENV') === 'production';
  const servers = read.part(() => serversOf(read, production), null);
  const trustedProxies = read.get('TRUSTED_PROXIES').filter((proxy) => proxy !== 'none');
  const publicUrl = read.part(() => publicUrlOf(read, production), null);
  const mode = read.part(() => modeOf(read, trustedProxies, publicUrl), null);
  const outbox = mode === null || mode.development !== null;
  const mail = read.part(() => mailSettingsOf(read, production, outbox), null);
  const configuration = {
    production,
    host: read.get('HOST'),
    port: read.get('PORT'),
    healthPort: read.get('HEALTH_PORT'),
    publicUrl,
    allowedOrigins: read.get('ALLOWED_ORIGINS'),
    dataDir: resolve(read.get('DATA_DIR')),
    servers,
    segments: read.get('SEGMENTS') ?? (servers ? SEGMENTS_ON_SERVERS : 1),
    automatic: read.get('REBUILD') === 'automatic',
    graceMs: read.get('ROLLBACK_MINUTES') * 60_000,
    historyEvents: read.get('HISTORY_EVENTS'),
    dataKey: read.part(() => keyOf(read, 'DATA_KEY', production), null),
    signingKey: read.part(() => keyOf(read, 'SIGNING_KEY', production), null),
    dataKeyPrevious: read.get('DATA_KEY_PREVIOUS'),
    formerSigningKeys: read.get('FORMER_SIGNING_KEYS'),
    ...providersOf(read),
    ...(mode ?? NO_MODE),
    trustedEmailIssuers: read.get('OIDC_TRUSTED_EMAIL_ISSUERS'),
    projector: read.get('PROJECTOR'),
    trustedProxies,
    rateLimits: read.get('RATE_LIMITS') === 'on',
    signInLimits: {
      codesPer15Minutes: read.get('SIGN_IN_CODES_PER_QUARTER_HOUR'),
      codesPerDay: read.get('SIGN_IN_CODES_PER_DAY'),
      formsPerMinute: read.get('SIGN_IN_FORMS_PER_MINUTE'),
    },
    webhookAllowPrivate: read.get('WEBHOOK_ALLOW_PRIVATE') === 'on',
    mail: mail ?? NO_MAIL,
    checker: read.part(() => checkerSettingsOf(read, { production, publicUrl, trustedProxies }), NO_CHECKER),
    candidateSignIn: read.part(() => candidateSignInOf(read, mail), 'oidc' as const),
    logLevel: read.get('LOG_LEVEL'),
  };
  read.assertRight();
  return configuration;
};

type Mode = Pick<Configuration, 'identity' | 'development' | 'warning'>;

/** Placeholders for settings that are wrong: they are never used, as `assertRight` then throws. */
const NO_MODE: Mode = { identity: { kind: 'development', audience: '' }, development: null, warning: null };
const NO_CHECKER: CheckerSettings = { kind: 'none' };
const NO_MAIL: MailSettings = { way: { kind: 'off' }, from: { name: null, address: '' }, perDay: 0 };

const candidateSignInOf = (
  read: VariableReader,
  mail: MailSettings | null,
): Configuration['candidateSignIn'] => {
  const isOff = mail?.way.kind === 'off';
  const signIn = read.get('CANDIDATE_SIGN_IN') ?? (isOff ? 'oidc' : 'email');
  if (signIn === 'email' && isOff)
    read.wrong('CANDIDATE_SIGN_IN', 'can be email only where SMTP_URL is set: codes are sent by mail.');
  return signIn;
};

/** Default of `segments` with servers, so that several processes can share the work of a view. */
const SEGMENTS_ON_SERVERS = 4;

const serversOf = (read: VariableReader, production: boolean): ServerAddresses | null => {
  const eventStoreUrl = read.get('EVENTSTORE_URL');
  const mongodbUrl = read.get('MONGODB_URL');
  if (eventStoreUrl === null && mongodbUrl === null) return null;
  const wanted = 'set both for servers, neither for embedded stores.';
  if (eventStoreUrl === null) {
    return read.wrong('EVENTSTORE_URL', `must be set where MONGODB_URL is: ${wanted}`);
  }
  if (mongodbUrl === null) {
    return read.wrong('MONGODB_URL', `must be set where EVENTSTORE_URL is: ${wanted}`);
  }
  const eventStore = eventStoreProblem(eventStoreUrl, production);
  if (eventStore !== null) read.note('EVENTSTORE_URL', eventStore);
  const mongodb = mongodbProblem(mongodbUrl, production);
  if (mongodb !== null) read.wrong('MONGODB_URL', mongodb);
  return { eventStoreUrl, mongodbUrl };
};

const publicUrlOf = (read: VariableReader, production: boolean): string | null => {
  const text = read.get('PUBLIC_URL');
  if (text === null) return null;
  const url = urlOf(text);
  const plain = url?.protocol === 'http:' || url?.protocol === 'https:';
  if (!url || !plain || url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '') {
    return read.wrong('PUBLIC_URL', 'must be an http or https URL without credentials, query or fragment.');
  }
  if (production && url.protocol === 'http:' && !isLoopback(url.hostname)) {
    return read.wrong('PUBLIC_URL', 'must be an https URL while NODE_ENV is production.');
  }
  return url.href.replace(/(?<!\/)\/+$/, '');
};

const keyOf = (
  read: VariableReader,
  name: 'DATA_KEY' | 'SIGNING_KEY',
  production: boolean,
): Buffer | null => {
  const key = read.get(name);
  if (key === null && production) read.wrong(name, `must be set while NODE_ENV is production: ${KEY_FORM}.`);
  return key;
};

const modeOf = (read: VariableReader, trustedProxies: readonly string[], publicUrl: string | null): Mode => {
  const names = ['OIDC_ISSUER', 'OIDC_AUDIENCE', 'DEVELOPMENT_ISSUER', 'NODE_ENV', 'HOST'] as const;
  const values = Object.fromEntries(names.map((name) => [name, read.get(name) ?? undefined]));
  const environment = {
    ...values,
    ...(publicUrl !== null && { PUBLIC_URL: publicUrl }),
    behindProxy: trustedProxies.length > 0,
  };
  const identity = issuerMode(environment);
  if (identity.kind === 'refused') {
    if (values['NODE_ENV'] === 'production' && !values['OIDC_AUDIENCE'])
      read.note('OIDC_AUDIENCE', 'must be the audience of ID tokens for this service.');
    throw new ConfigurationProblem(identity.variable, identity.reason);
  }
  const warning = modeWarning(environment, read.has('NODE_ENV'));
  return { identity, development: developmentAccess(environment), warning };
};
