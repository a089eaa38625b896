import { join } from 'node:path';
import type { Position } from '../../src/core/event-store.js';
import { KeyedHasher } from '../../src/core/keyed-hash.js';
import { ConsistencyTokens } from '../../src/engine/reads/tokens.js';
import { openVault } from '../../src/process/adapters.js';
import { readConfiguration } from '../../src/process/config.js';
import { serviceKeys } from '../../src/process/secret-files.js';
import { type EmbeddedEventStore, openEmbeddedLog } from '../../src/stores/lmdb/log/log.js';
import { Api, Person, type Reply } from './api.js';
import { AUDIENCE, type FakeIssuer, type SigningPair, signingPair, startFakeIssuer } from './fake-issuer.js';
import { createOrganisation, definition, invite } from './organisation.js';
import { type Service, startService } from './service.js';
import { tokenFor } from './tokens.js';

/** The body of an error, which is the same for every path. */
export interface Failure {
  readonly error: string;
  readonly code: string;
  readonly requestId: string;
  readonly details?: readonly { readonly path: string; readonly rule: string; readonly message: string }[];
}

/** A candidate with a trial session. */
export interface Candidate {
  readonly person: Person;
  readonly email: string;
  readonly applicationId: string;
  readonly sessionId: string;
  /** The session's path: `/trial-sessions/<id>`. */
  readonly session: string;
  /** The application's path for staff. */
  readonly application: string;
}

/** A service that another process has started. */
interface SharedService extends Pick<Service, 'url' | 'port' | 'pid' | 'dataDir'> {
  /** A number that is unique to the suite. */
  readonly user: number;
}

/**
 * An organisation on a running service, with its owner signed in, and helpers to make its people. Get one by `joinStage`
 * (a shared service), `openStage` (a service of its own) or `stageOn` (any service).
 */
export class Stage {
  private candidates = 0;
  private opened: Promise<EmbeddedEventStore> | null = null;

  constructor(
    readonly service: Service,
    readonly api: Api,
    readonly org: string,
    readonly owner: Person,
    /** Signs a person in, with a verified address. */
    readonly signIn: (email: string) => Promise<Person>,
    /** The domain of its people's addresses. */
    private readonly domain = 'example.org',
    private readonly isShared = false,
  ) {}

  /** A path below the organisation's: `/organisations/<id>` and then `path`. */
  at(path = ''): string {
    return `/organisations/${this.org}${path}`;
  }

  /** Makes a role that takes invitations. @returns its id */
  async role(name?: string): Promise<string> {
    const { body } = await this.owner.post<{ id: string }>(this.at('/roles'), definition(name));
    return body.id;
  }

  /** Adds a member and signs them in. @param name the local part of the address */
  async member(role: string, name = role): Promise<Person> {
    const email = `${name}@${this.domain}`;
    await this.owner.post(this.at('/members'), { email, role });
    const person = await this.signIn(email);
    person.follow(this.owner);
    await person.get('/me');
    return person;
  }

  /** A new candidate who was invited to the role and has signed in, but not started. */
  async candidate(roleId: string): Promise<Candidate> {
    const email = `candidate-${++this.candidates}@${this.domain}`;
    const { applicationId, sessionId } = await invite(this.owner, this.org, roleId, email);
    const person = await this.signIn(email);
    person.follow(this.owner);
    await person.get('/me');
    const session = `/trial-sessions/${sessionId}`;
    return {
      person,
      email,
      applicationId,
      sessionId,
      session,
      application: this.at(`/applications/${applicationId}`),
    };
  }

  /** As `candidate`, with the session started. */
  async started(roleId: string): Promise<Candidate> {
    const candidate = await this.candidate(roleId);
    await candidate.person.post(`${candidate.session}/start`, { consent: true });
    this.owner.follow(candidate.person);
    return candidate;
  }

  /** Makes another organisation of the service. @returns its id */
  async organisation(name: string, ownerEmail: string): Promise<string> {
    // A process can open a log only once, for reading or for writing.
    await (await this.opened)?.close();
    this.opened = null;
    return createOrganisation(this.service.dataDir, name, ownerEmail);
  }

  /** The service's log, opened for reading beside the service. */
  log(): Promise<EmbeddedEventStore> {
    return (this.opened ??= openEmbeddedLog(join(this.service.dataDir, 'log'), { readOnly: true }));
  }

  /** The position of the log's last event. */
  async head(): Promise<Position> {
    return (await this.log()).head();
  }

  /** Makes consistency tokens as another process of the service does. */
  async tokens(): Promise<ConsistencyTokens> {
    const configuration = readConfiguration({ DATA_DIR: this.service.dataDir });
    const vault = await openVault(configuration, await serviceKeys(configuration));
    const hasher = await KeyedHasher.of(vault);
    await vault.close();
    return new ConsistencyTokens((await this.log()).life, (...parts) => hasher.hmac(...parts));
  }

  async close(): Promise<void> {
    await (await this.opened)?.close();
    if (!this.isShared) await this.service.stop();
  }
}

/** An identity provider of the test, which gives any requested token. */
export interface Provider {
  readonly issuer: FakeIssuer;
  readonly keys: SigningPair;
  person(api: Api, subject: string, email: string, emailVerified?: boolean): Promise<Person>;
}

/** Starts a provider with one key. Close its `issuer`. */
export const openProvider = async (): Promise<Provider> => {
  const keys = await signingPair('RS256', 'first');
  const issuer = await startFakeIssuer([keys.publicJwk]);
  const person = async (api: Api, sub: string, email: string, emailVerified = true): Promise<Person> =>
    new Person(api, email, await issuer.token(keys, { sub, email, email_verified: emailVerified }));
  return { issuer, keys, person };
};

/**
 * A stage on a service of its own, which its `close` stops. By default the service has no rate limits and logs warnings.
 * @param env further settings of the service
 * @param provider the identity provider; by default the development issuer. With a provider, the owner is `sub-owner`
 */
export const openStage = async (
  env: Readonly<Record<string, string>> = {},
  provider: Provider | null = null,
): Promise<Stage> => {
  const identity = provider && { OIDC_ISSUER: provider.issuer.url, OIDC_AUDIENCE: AUDIENCE };
  const service = await startService({
    env: { RATE_LIMITS: 'off', LOG_LEVEL: 'warn', ...identity, ...env },
  });
  return stageOn(service, { provider });
};

/**
 * A stage on the service that all suites of a run share (`test/jest/shared-service.mjs`), with an organisation and
 * addresses of its own. A suite on it must not stop the service, change its stores or settings, or count all that is
 * stored.
 */
export const joinStage = async (): Promise<Stage> => {
  const response = await fetch(process.env['SHARED_SERVICE'] ?? '');
  if (!response.ok) throw new Error(await response.text());
  const { user, ...of } = (await response.json()) as SharedService;
  const others = (): never => {
    throw new Error('Other suites use this service: open a stage.');
  };
  const service = { ...of, output: others, stop: others, kill: others, ended: others };
  return stageOn(service, { domain: `suite-${user}.example.org` });
};

/**
 * A stage on a running service, in an organisation of its own.
 * @param where the service's stores, as for `createOrganisation`; by default its data folder
 * @param provider as `openStage`
 */
export const stageOn = async (
  service: Service,
  {
    where = service.dataDir,
    provider = null,
    issuer = service.url,
    domain,
  }: {
    readonly where?: Parameters<typeof createOrganisation>[0];
    readonly provider?: Provider | null;
    /** The origin of the development issuer, if the service does not serve it. */
    readonly issuer?: string;
    /** The domain of its people's addresses, for a shared service: `close` does not stop it. */
    readonly domain?: string;
  } = {},
): Promise<Stage> => {
  const api = new Api(service.url);
  const signIn = async (email: string) =>
    provider
      ? provider.person(api, `sub-${email.split('@')[0] ?? ''}`, email)
      : new Person(api, email, await tokenFor(issuer, email));
  const email = `owner@${domain ?? 'example.org'}`;
  const org = await createOrganisation(where, 'Example', email);
  const owner = await signIn(email);
  await owner.get('/me');
  return new Stage(service, api, org, owner, signIn, domain, domain !== undefined);
};

/** Words of frameworks and runtimes, which no answer may contain. */
const FOREIGN =
  /FST_|Bad Request|Cannot (GET|POST|PATCH|PUT|DELETE)|Internal Server|Unexpected (token|end)|in JSON at|must NOT|ECONN|ENOENT|MDB_|undefined|\bat \S+:\d+/;

/** Why an error is not of the one shape and in our words; `null`: it is. */
export const faultOf = ({ body, headers }: Reply<Failure>): string | null => {
  if (
    !/^[A-Z].*[.]$/.test(body.error) &&
    !body.details?.some(({ message }) => body.error.startsWith(message))
  )
    return `no sentence: ${body.error}`;
  if (FOREIGN.test(JSON.stringify(body))) return `not our words: ${JSON.stringify(body)}`;
  if (body.requestId !== headers.get('x-request-id')) return 'another requestId than X-Request-Id';
  const known = ['error', 'code', 'requestId', 'details'];
  const other = Object.keys(body).find((key) => !known.includes(key));
  return other === undefined ? null : `a field of another name: ${other}`;
};
