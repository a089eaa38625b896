import { join } from 'node:path';
import { type EmbeddedEventStore, openEmbeddedLog } from '../../src/event-store/embedded/open.js';
import { Api, type Person, type Reply } from './api.js';
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
  private log: Promise<EmbeddedEventStore> | null = null;

  constructor(
    readonly service: Service,
    readonly api: Api,
    readonly org: string,
    readonly owner: Person,
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
    const person = await this.api.as(email);
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

  /** Where the log ends, by a second look at its files. */
  async head(): Promise<string> {
    this.log ??= openEmbeddedLog(join(this.service.dataDir, 'log'), { readOnly: true });
    return (await this.log).head();
  }

  async close(): Promise<void> {
    await (await this.log)?.close();
    await this.service.stop();
  }
}

/** @param env beyond what tests usually say: no limits, warnings alone */
export const openStage = async (env: Readonly<Record<string, string>> = {}): Promise<Stage> => {
  const service = await startService({ env: { RATE_LIMITS: 'off', LOG_LEVEL: 'warn', ...env } });
  const api = new Api(service.url);
  const org = await createOrganisation(service.dataDir, 'Example', 'owner@example.org');
  const owner = await api.as('owner@example.org');
  await owner.get('/me');
  return new Stage(service, api, org, owner);
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
