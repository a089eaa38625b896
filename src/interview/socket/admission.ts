import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import { validate as isUuid } from 'uuid';
import { PROTOCOL } from '../../../packages/interview-client/src/protocol/messages.js';
import { applications } from '../../../projections/applications.js';
import type { CandidateApplications } from '../../application/applications/candidate-applications.js';
import type { Caller } from '../../application/caller.js';
import type { Freshness, Reads } from '../../application/reads.js';
import { within } from '../../core/backoff.js';
import { PersonErased } from '../../core/vault/port.js';
import type { ApplicationRef } from '../../domain/candidate/events.js';
import { isTokenShaped, missingToken } from '../../http/access/claims.js';
import type { IdTokens } from '../../http/access/identity.js';
import {
  ApiError,
  notFound,
  refusalToApiError,
  unavailable,
  validationFailed,
} from '../../http/api-error.js';
import { readConsistencyToken } from '../../http/meta.js';
import { rateLimited, type RateLimits, nearestToLimit } from '../../http/rate-limits.js';
import { type Sending, tooMuchWaits } from '../../http/sending.js';
import type { Upgrade } from '../../http/upgrade.js';
import type { Interviews, AdmittedCaller } from '../session/port.js';

export interface AdmissionOptions {
  readonly idTokens: Pick<IdTokens, 'verify'>;
  readonly ownSession: CandidateSession;
  readonly interviews: Pick<Interviews, 'refusal'>;
  readonly limits: RateLimits;
  readonly connections: ConnectionLimit;
  readonly sending: Pick<Sending, 'isFull'>;
  /** Origins of pages that may open a socket. Programs send no `Origin`. */
  readonly origins: ReadonlySet<string>;
  /** Longest time for the decision, in milliseconds; after that the upgrade is refused. */
  readonly deadlineMs: number;
}

/**
 * Decides whether an upgrade is accepted, and for which session. The session is looked up after all other checks: until
 * then every session id gets the same answer in the same time.
 */
export class Admission {
  constructor(private readonly options: AdmissionOptions) {}

  /** @throws {ApiError} the answer to the upgrade; any other error is an internal fault or a store's */
  async admit(upgrade: Upgrade): Promise<AdmittedCaller> {
    const admitted = await within(this.options.deadlineMs, this.decide(upgrade), () => null);
    if (admitted === null) throw tooSlow();
    return admitted;
  }

  private async decide({ request, socket }: Upgrade): Promise<AdmittedCaller> {
    const { idTokens, interviews, origins, connections, sending } = this.options;
    const { headers, ids } = request;
    const problem = handshakeProblem(headers);
    if (problem) throw problem;
    const address = readSocketAddress(request.url ?? '');
    if (!address?.token || !isTokenShaped(address.token)) throw missingToken();
    const caller = await idTokens.verify(address.token);
    if (headers.origin !== undefined && !origins.has(headers.origin)) throw foreignPage();
    await this.count(caller);
    if (sending.isFull) throw tooMuchWaits();
    if (!connections.take(socket, null))
      throw unavailable('Too many interviews are open here. Try again shortly.');
    const consistencyToken = readConsistencyToken(headers['consistency-token']);
    const session = isUuid(address.sessionId)
      ? await this.options.ownSession(caller, address.sessionId, { consistencyToken })
      : null;
    if (!session) throw noSuchSession();
    const admitted = { caller, session, ids };
    const refusal = await interviews.refusal(admitted).catch(erasedMeanwhile);
    if (refusal) throw refusalToApiError(refusal);
    if (!connections.take(socket, caller.subject)) throw tooManyOpen();
    return admitted;
  }

  private async count({ subject }: Caller): Promise<void> {
    const { limits } = this.options;
    if (!limits.enabled) return;
    const usage = nearestToLimit(
      await Promise.all([limits.count('caller', subject), limits.count('connection', subject)]),
    );
    if (usage?.exceeded === true) throw rateLimited(usage);
  }
}

const noSuchSession = (): ApiError => notFound('There is no such trial session.');

/** Answers an erased candidate's session as one that does not exist, also while the views still have it. */
const erasedMeanwhile = (error: unknown): never => {
  throw error instanceof PersonErased ? noSuchSession() : error;
};

const RETRY_AFTER_SECONDS = 10;

/** The process applies this limit itself, even if a gateway in front of it applies the rate limits. */
const tooManyOpen = (): ApiError =>
  new ApiError(
    'rate_limited',
    'You have the most interview connections open that one caller may have. Close one, or wait until one is closed.',
    { headers: { 'Retry-After': `${RETRY_AFTER_SECONDS}` } },
  );

const foreignPage = (): ApiError =>
  new ApiError('forbidden', 'Pages of this origin may not open an interview’s socket.');

const tooSlow = (): ApiError => unavailable('The interview could not be opened in time. Try again shortly.');

/** Looks up the caller's session; `null`: it is another caller's, or does not exist. */
export type CandidateSession = (
  caller: Caller,
  sessionId: string,
  freshness: Freshness,
) => Promise<ApplicationRef | null>;

/** Looks up a session in the candidate's applications. If it is missing, looks it up again in caught-up views. */
export const ownSession =
  (reads: Pick<Reads, 'findCaughtUp'>, own: Pick<CandidateApplications, 'bySession'>): CandidateSession =>
  async (caller, sessionId, freshness) => {
    const found = await reads.findCaughtUp([applications], () => own.bySession(caller, sessionId, freshness));
    if (!found) return null;
    const { id: applicationId, document } = found.application;
    const { organisationId, candidateId, trialSessionId, roleId } = document;
    return { organisationId, candidateId, applicationId, trialSessionId, roleId };
  };

/**
 * Limits the connections of a process and of one caller, since each costs memory, even if it is idle. A client uses one
 * at a time; others of the caller belong to other sessions, or are dropped and not closed yet.
 */
export class ConnectionLimit {
  /** Open connections by subject; `null`: all of the process. */
  private readonly taken = new Map<string | null, number>();

  constructor(
    private readonly max: number,
    private readonly maxOfCaller: number,
  ) {}

  /**
   * Counts a connection until it is closed.
   * @param subject counts it for this caller; `null`: for the process
   * @returns false: the limit is reached, and it is not counted
   */
  take(socket: Socket, subject: string | null): boolean {
    const taken = this.taken.get(subject) ?? 0;
    if (taken >= (subject === null ? this.max : this.maxOfCaller)) return false;
    if (socket.closed) return true;
    this.taken.set(subject, taken + 1);
    socket.once('close', () => {
      const left = (this.taken.get(subject) ?? 0) - 1;
      if (left > 0) this.taken.set(subject, left);
      else this.taken.delete(subject);
    });
    return true;
  }
}

const KEY = /^[A-Za-z0-9+/]{22}==$/;
/** The only supported version: earlier drafts send the page's origin in another header. */
const VERSION = '13';
const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/** What is wrong with the headers of a WebSocket handshake; `null`: nothing. */
export const handshakeProblem = (headers: IncomingHttpHeaders): ApiError | null => {
  if (headers['sec-websocket-version'] !== VERSION) {
    const problem = wrong('Sec-WebSocket-Version', `must be ${VERSION}`);
    return new ApiError(problem.code, problem.message, {
      details: problem.details ?? [],
      headers: { 'Sec-WebSocket-Version': VERSION },
    });
  }
  if (!KEY.test(headers['sec-websocket-key'] ?? ''))
    return wrong('Sec-WebSocket-Key', 'must be 16 random bytes in base64');
  const offered = headers['sec-websocket-protocol']?.split(',').map((name) => name.trim()) ?? [];
  const readable = offered.every((name) => NAME.test(name)) && new Set(offered).size === offered.length;
  if (!readable) return wrong('Sec-WebSocket-Protocol', 'must list different names with commas between');
  // A browser drops a connection that selects none of the offered subprotocols, and shows the page no reason.
  if (offered.length > 0 && !offered.includes(PROTOCOL))
    return wrong('Sec-WebSocket-Protocol', `must offer ${PROTOCOL} if it offers any`);
  return null;
};

const wrong = (path: string, must: string): ApiError =>
  validationFailed([{ path, rule: 'handshake', message: `${path} ${must}.` }]);

/** The socket's route in Nest's syntax. */
export const SOCKET_ROUTE = 'interrogation/:id/socket';

const TARGET = /^\/interrogation\/([^/?#]+)\/socket(?:\?([^#]*))?$/;

/** What the target of a request for the socket contains. */
export interface SocketAddress {
  readonly sessionId: string;
  /** `null`: the query has no token, or more than one. */
  readonly token: string | null;
}

/**
 * Reads a request's target; `null`: it is not the socket's. The token is not decoded: none of its characters need
 * encoding, and logs would not redact an encoded one.
 */
export const readSocketAddress = (target: string): SocketAddress | null => {
  const [, id, query = ''] = TARGET.exec(target) ?? [];
  const sessionId = id === undefined ? null : decoded(id);
  if (sessionId === null) return null;
  const tokens = query.split('&').filter((one) => one === 'token' || one.startsWith('token='));
  return { sessionId, token: tokens.length === 1 ? (tokens[0]?.slice('token='.length) ?? null) : null };
};

const decoded = (segment: string): string | null => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
};
