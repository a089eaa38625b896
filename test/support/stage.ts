import { join } from 'node:path';
import { type EmbeddedEventStore, openEmbeddedLog } from '../../src/stores/lmdb/log/log.js';
import { readConfiguration } from '../../src/process/config.js';
import { serviceKeys } from '../../src/process/secret-files.js';
import type { Position } from '../../src/core/event-store.js';
import { ConsistencyTokens } from '../../src/engine/reads/tokens.js';
import { openVault } from '../../src/process/adapters.js';
import { KeyedHasher } from '../../src/core/keyed-hash.js';
import { Api, Person, type Reply } from './api.js';
import { AUDIENCE, type FakeIssuer, type SigningPair, signingPair, startFakeIssuer } from './fake-issuer.js';
import { createOrganisation, definition, invite } from './organisation.js';
import { type Service, startService } from './service.js';

/** An error body as every path answers it. */
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
  /** `/trial-sessions/<id>`. */
  readonly session: string;
  /** The application as staff find it. */
  readonly application: string;
}

/** A service of its own with one organisation, its owner signed in. */
export class Stage {
  private candidates = 0;
  private opened: Promise<EmbeddedEventStore> | null = null;

  constructor(
    readonly service: Service,
    readonly api: Api,
    readonly org: string,
    readonly owner: Person,
    /** Gets a token for an address, verified. */
    readonly signIn: (email: string) => Promise<Person>,
  ) {}

  /** Below `/organisations/<id>`. */
  at(path = ''): string {
    return `/organisations/${this.org}${path}`;
  }

  /** A role that may be invited to. @returns its id */
  async role(name?: string): Promise<string> {
    const { body } = await this.owner.post<{ id: string }>(this.at('/roles'), definition(name));
    return body.id;
  }

  /** Somebody new who was invited to the role and has signed in, but not started. */
  async candidate(roleId: string): Promise<Candidate> {
    const email = `candidate-${++this.candidates}@example.org`;
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

  /** As `candidate`, and has started. */
  async started(roleId: string): Promise<Candidate> {
    const candidate = await this.candidate(roleId);
    await candidate.person.post(`${candidate.session}/start`, { consent: true });
    this.owner.follow(candidate.person);
    return candidate;
  }

  /** Another organisation of the service. @returns its id */
  async organisation(name: string, ownerEmail: string): Promise<string> {
    // A process opens a log once: to read it, or to write to it.
    await (await this.opened)?.close();
    this.opened = null;
    return createOrganisation(this.service.dataDir, name, ownerEmail);
  }

  /** The service's log, opened a second time. */
  log(): Promise<EmbeddedEventStore> {
    return (this.opened ??= openEmbeddedLog(join(this.service.dataDir, 'log'), { readOnly: true }));
  }

  /** Where the log ends. */
  async head(): Promise<Position> {
    return (await this.log()).head();
  }

  /** The service's consistency tokens, as another of its processes makes them. */
  async tokens(): Promise<ConsistencyTokens> {
    const configuration = readConfiguration({ DATA_DIR: this.service.dataDir });
    const vault = await openVault(configuration, await serviceKeys(configuration));
    const hasher = await KeyedHasher.of(vault);
    await vault.close();
    return new ConsistencyTokens((await this.log()).life, (...parts) => hasher.hmac(...parts));
  }

  async close(): Promise<void> {
    await (await this.opened)?.close();
    await this.service.stop();
  }
}

/** An identity provider of the test's own, which gives any token that is asked for. */
export interface Provider {
  readonly issuer: FakeIssuer;
  readonly keys: SigningPair;
  person(api: Api, subject: string, email: string, emailVerified?: boolean): Promise<Person>;
}

export const openProvider = async (): Promise<Provider> => {
  const keys = await signingPair('RS256', 'first');
  const issuer = await startFakeIssuer([keys.publicJwk]);
  const person = async (api: Api, sub: string, email: string, emailVerified = true): Promise<Person> =>
    new Person(api, email, await issuer.token(keys, { sub, email, email_verified: emailVerified }));
  return { issuer, keys, person };
};

/**
 * @param env beyond what tests usually say: no limits, warnings alone
 * @param provider the development issuer unless said; with it, the owner's subject is `sub-owner`
 */
export const openStage = async (
  env: Readonly<Record<string, string>> = {},
  provider: Provider | null = null,
): Promise<Stage> => {
  const identity = provider && { OIDC_ISSUER: provider.issuer.url, OIDC_AUDIENCE: AUDIENCE };
  const service = await startService({
    env: { RATE_LIMITS: 'off', LOG_LEVEL: 'warn', ...identity, ...env },
  });
  const api = new Api(service.url);
  const signIn = (email: string) =>
    provider ? provider.person(api, `sub-${email.split('@')[0] ?? ''}`, email) : api.as(email);
  const org = await createOrganisation(service.dataDir, 'Example', 'owner@example.org');
  const owner = await signIn('owner@example.org');
  await owner.get('/me');
  return new Stage(service, api, org, owner, signIn);
};

/** Words of frameworks and runtimes, which no caller is to see. */
const FOREIGN =
  /FST_|Bad Request|Cannot (GET|POST|PATCH|PUT|DELETE)|Internal Server|Unexpected (token|end)|in JSON at|must NOT|ECONN|ENOENT|MDB_|undefined|\bat \S+:\d+/;

/** Why an error body is not of the one shape, in our own words; `null` where it is. */
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
