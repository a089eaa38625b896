import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { ModelInterview } from './model-interview.js';
import { ModelWork } from './model-work.js';

/**
 * The part of the service that a simulation uses, in memory: the simulation is tested against it. It injects faults in
 * a fixed cycle, so that each run is the same.
 */
export interface FakeService {
  readonly url: string;
  readonly organisationId: string;
  readonly ownerEmail: string;
  close(): Promise<void>;
}

export interface Trouble {
  /** Every nth request is carried out, and its answer is cut off. */
  readonly cutEvery?: number;
  /** Every nth request is answered 503. */
  readonly unavailableEvery?: number;
  /** Every nth frame of an interview cuts its connection, and every nth upgrade is refused. */
  readonly breakEvery?: number;
  /** A flaw in what is counted: a second copy of a completion counts again, or one activity is stored twice. */
  readonly flaw?:
    | 'loses_answers'
    | 'asks_more'
    | 'counts_resends'
    | 'stores_duplicates'
    | 'ignores_retraction'
    | 'forgets_rename'
    | 'checks_first_hand_in'
    | 'believes_reports';
}

interface Session {
  readonly id: string;
  readonly applicationId: string;
  readonly roleId: string;
  readonly roleName: string;
  readonly email: string;
  status: string;
  expiresAt: number;
  completions: number;
  readonly events: { readonly clientEventId: string; readonly eventType: string }[];
  interview: ModelInterview | null;
  readonly work: ModelWork;
  outcome: { humanRound: string | null; disposition: string | null } | null;
}
type Reply = readonly [status: number, body?: unknown];
type Body = Record<string, unknown>;

export async function startFakeService(trouble: Trouble = {}): Promise<FakeService> {
  const fake = new Fake(trouble);
  const server = createServer((request, response) => void fake.serve(request, response));
  server.on('upgrade', (request, socket, head: Buffer) => fake.upgrade(request, socket, head));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    organisationId: fake.organisationId,
    ownerEmail: fake.ownerEmail,
    close: async () => {
      fake.hangUp();
      await closed(server);
    },
  };
}

const closed = (server: Server): Promise<void> =>
  new Promise((done) => {
    server.close(() => done());
    server.closeAllConnections();
  });

const refused = (status: number, code: string): Reply => [status, { error: code, code, requestId: 'r' }];

class Fake {
  readonly organisationId = randomUUID();
  readonly ownerEmail = 'owner@staff.example';
  private readonly members = new Set([this.ownerEmail]);
  private readonly roles = new Map<string, { name: string; dimensions: unknown[] }>();
  private readonly sessions = new Map<string, Session>();
  private readonly fileSets = new ModelWork();
  private readonly remembered = new Map<string, Reply>();
  private served = 0;
  private frames = 0;
  private upgrades = 0;
  private readonly sockets = new WebSocketServer({ noServer: true });

  constructor(private readonly trouble: Trouble) {}

  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    this.served += 1;
    const every = (n: number | undefined): boolean => n !== undefined && this.served % n === 0;
    const [status, body] = every(this.trouble.unavailableEvery)
      ? refused(503, 'unavailable')
      : this.answer(request, text === '' ? {} : (JSON.parse(text) as Body));
    if (every(this.trouble.cutEvery)) {
      response.destroy();
      return;
    }
    response.writeHead(status, {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      'consistency-token': String(this.served),
    });
    response.end(body === undefined ? '' : JSON.stringify(body));
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    this.expire();
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://fake');
    const session = this.sessions.get(pathname.split('/')[2] ?? '');
    const every = this.trouble.breakEvery;
    this.upgrades += 1;
    const welcome = session?.email === searchParams.get('token') && session.status === 'started';
    if (!welcome || (every !== undefined && this.upgrades % every === 0)) {
      socket.end('HTTP/1.1 503 Service Unavailable\r\n\r\n');
      return;
    }
    const { flaw } = this.trouble;
    const interview = (session.interview ??= new ModelInterview({
      questions: 5,
      ...(every !== undefined && { cut: () => (this.frames += 1) % every === 0 }),
      ...(flaw === 'loses_answers' && { loseAnswerEvery: 4 }),
    }));
    this.sockets.handleUpgrade(request, socket, head, (accepted) => interview.accept(accepted));
  }

  hangUp(): void {
    for (const client of this.sockets.clients) client.terminate();
  }

  private answer(request: IncomingMessage, body: Body): Reply {
    const email = request.headers.authorization?.slice('Bearer '.length) ?? '';
    const { pathname } = new URL(request.url ?? '/', 'http://fake');
    const key = request.headers['idempotency-key'];
    const known = key === undefined ? undefined : this.remembered.get(`${email} ${pathname} ${String(key)}`);
    if (known !== undefined) return known;
    const reply = this.decide(
      `${request.method} ${pathname}`,
      email,
      body,
      request.headers['consistency-token'] !== undefined,
    );
    if (key !== undefined && reply[0] < 300)
      this.remembered.set(`${email} ${pathname} ${String(key)}`, reply);
    return reply;
  }

  private decide(route: string, email: string, body: Body, toldOf: boolean): Reply {
    this.expire();
    // Views lag: a caller without the token of an application does not find it yet.
    if (route.startsWith('GET /applications/') && !toldOf) return refused(404, 'not_found');
    const organisation = `/organisations/${this.organisationId}`;
    const [method = '', path = ''] = route.split(' ');
    if (path === '/health/live') return [200, {}];
    if (path === '/.well-known/evidence-keys.json') return [200, { keys: [{ x: 'of-the-fake' }] }];
    if (path === '/issuer/token-for') return [200, { idToken: body['email'], expiresIn: 3600 }];
    if (path === '/me')
      return [200, { memberships: this.members.has(email) ? [{ organisationId: this.organisationId }] : [] }];
    if (!path.startsWith(organisation)) return this.candidate(method, path, email, body);
    return this.members.has(email)
      ? this.staff(method, path.slice(organisation.length), body)
      : refused(403, 'forbidden');
  }

  private staff(method: string, path: string, body: Body): Reply {
    const [, kind = '', id = '', what = ''] = path.split('/');
    if (kind === 'members') {
      this.members.add(String(body['email']));
      return [201, {}];
    }
    if (kind === 'roles' && what === 'invitations') return this.invite(id, body);
    if (kind === 'roles') {
      const roleId = method === 'POST' ? randomUUID() : id;
      const { name, dimensions } = body as { name: string; dimensions: unknown[] };
      const former = this.roles.get(roleId);
      if (this.trouble.flaw !== 'forgets_rename' || (former?.dimensions.length ?? 0) === 0)
        this.roles.set(roleId, { name, dimensions });
      return [method === 'POST' ? 201 : 200, { id: roleId }];
    }
    if (kind === 'tickets') {
      if (what !== 'file-sets') return [method === 'POST' ? 201 : 200, { id: 'ticket' }];
      return this.fileSets.answer(path.slice(path.indexOf(what) + what.length), body);
    }
    if (kind === 'signal') return [200, this.signal()];
    if (kind === 'evaluations') return id === '' ? this.page(this.evaluations()) : this.evaluation(id, what);
    if (kind === 'trial-sessions') return this.outcome(method, this.sessions.get(id), body);
    const session = [...this.sessions.values()].find(({ applicationId }) => applicationId === id);
    if (id === '') return this.page([...this.sessions.values()].map((one) => this.application(one)));
    if (session === undefined) return refused(404, 'not_found');
    if (method === 'PATCH') session.expiresAt = Date.parse(body['expiresAt'] as string);
    else session.status = 'withdrawn';
    return [200, this.application(session)];
  }

  private candidate(method: string, path: string, email: string, body: Body): Reply {
    const [, kind, id = '', what] = path.split('/');
    const session =
      kind === 'applications'
        ? [...this.sessions.values()].find(({ applicationId }) => applicationId === id)
        : this.sessions.get(id);
    if (session?.email !== email) return refused(404, 'not_found');
    if (method === 'GET') return [200, { id, status: session.status }];
    if (what === 'tickets') return session.work.answer(path.slice(path.indexOf('hand-ins') + 8), body);
    const lead = { start: 'started', complete: 'completed', withdraw: 'withdrawn' }[what ?? ''];
    if (lead !== undefined) {
      if (!['invited', 'started', lead].includes(session.status)) return refused(409, 'session_ended');
      if (lead === 'completed') session.completions += 1;
      session.status = lead;
      return [200, { id, status: lead }];
    }
    const sent = body['events'] as Session['events'];
    const known = new Set(session.events.map(({ clientEventId }) => clientEventId));
    const fresh = sent.filter(({ clientEventId }) => !known.has(clientEventId));
    session.events.push(...(this.trouble.flaw === 'stores_duplicates' ? sent : fresh));
    return [202, { accepted: fresh.length, duplicates: sent.length - fresh.length }];
  }

  private invite(roleId: string, body: Body): Reply {
    const email = String(body['candidateEmail']);
    const open = [...this.sessions.values()].some(
      (one) => one.email === email && one.roleId === roleId && ['invited', 'started'].includes(one.status),
    );
    if (open) return refused(409, 'already_invited');
    const expiresAt = typeof body['expiresAt'] === 'string' ? Date.parse(body['expiresAt']) : Infinity;
    const session: Session = {
      id: randomUUID(),
      applicationId: randomUUID(),
      roleId,
      roleName: this.roles.get(roleId)?.name ?? '',
      email,
      status: 'invited',
      expiresAt,
      completions: 0,
      events: [],
      interview: null,
      work: new ModelWork(),
      outcome: null,
    };
    this.sessions.set(session.id, session);
    return [201, this.application(session)];
  }

  private outcome(method: string, session: Session | undefined, body: Body): Reply {
    if (session?.status !== 'completed') return refused(409, 'trial_not_completed');
    const { humanRound = null, disposition = null } = body as Record<string, string>;
    if (method === 'PUT') session.outcome = { humanRound, disposition };
    else if (this.trouble.flaw !== 'ignores_retraction') session.outcome = null;
    return method === 'PUT' ? [200, session.outcome] : [204];
  }

  private application(session: Session): object {
    const { applicationId, roleId, roleName, email, status, outcome } = session;
    const ahead = Math.min(session.expiresAt, Date.now() + 14 * 86_400_000);
    const trialSessions = [{ id: session.id, status, expiresAt: new Date(ahead).toISOString() }];
    const candidateUrl = `http://candidates.example/apply/${applicationId}`;
    const named = { id: applicationId, roleId, roleName, candidateEmail: email, candidateUrl };
    return { ...named, status, outcome, trialSessions };
  }

  private evaluations(): object[] {
    return [...this.sessions.values()]
      .filter(({ status }) => status === 'completed')
      .map(({ id, roleName }) => ({ id, trialSessionId: id, status: 'ready', roleName }));
  }

  private evaluation(id: string, what: string): Reply {
    const session = this.sessions.get(id);
    if (session === undefined) return refused(404, 'not_found');
    const { interview, events: own, work } = session;
    const { flaw } = this.trouble;
    const isBelieved = flaw === 'believes_reports' && own.some(({ eventType }) => eventType === 'test.run');
    const { record, explanation } = work.scores(isBelieved);
    if (what === 'explanation') return [200, explanation];
    const activities = [...own, ...((interview?.activities() ?? []) as Session['events'])];
    const events = [
      ...activities.map(({ eventType }) => ({ eventType, source: 'candidate' })),
      ...work.events(flaw === 'checks_first_hand_in'),
    ];
    const questions = interview?.questions() ?? [];
    if (flaw === 'asks_more') questions.push(...questions.slice(-1));
    return [
      200,
      {
        status: 'ready',
        ...record,
        evidence: {
          events: events.map((event, index) => ({ ...event, sequenceNumber: index + 1 })),
          questions,
        },
      },
    ];
  }

  private page(items: object[]): Reply {
    return [200, { items, nextCursor: null }];
  }

  private signal(): object {
    const figures = (sessions: readonly Session[]): object => {
      const outcomes = sessions.flatMap(({ outcome }) => (outcome === null ? [] : [outcome]));
      const count = (value: string): number =>
        outcomes.filter(({ humanRound, disposition }) => humanRound === value || disposition === value)
          .length;
      const completed = sessions.reduce(
        (sum, { status, completions }) =>
          sum + (status !== 'completed' ? 0 : this.trouble.flaw === 'counts_resends' ? completions : 1),
        0,
      );
      return {
        trialCompletedCount: completed,
        outcomeRecordedCount: outcomes.length,
        awaitingOutcomeCount: completed - outcomes.length,
        humanRound: { passed: count('passed'), failed: count('failed') },
        disposition: { hired: count('hired'), declined: count('declined') },
      };
    };
    const all = [...this.sessions.values()];
    const rows = [...this.roles].map(([roleId, { name }]) => ({
      roleId,
      roleName: name,
      ...figures(all.filter((session) => session.roleId === roleId)),
    }));
    const place = (row: { roleName: string; roleId: string }): string => `${row.roleName}\u0000${row.roleId}`;
    return { roles: rows.sort((a, b) => (place(a) < place(b) ? -1 : 1)), totals: figures(all) };
  }

  private expire(): void {
    for (const session of this.sessions.values()) {
      if (session.interview?.completed && session.status === 'started') {
        session.status = 'completed';
        session.completions += 1;
      }
      if (['invited', 'started'].includes(session.status) && session.expiresAt <= Date.now())
        session.status = 'expired';
    }
  }
}
