import type { Socket } from 'node:net';
import { validate as isUuid } from 'uuid';
import type { Caller } from '../../api/access/caller.js';
import { isTokenShaped, missingToken } from '../../api/access/credential.js';
import type { IdTokens } from '../../api/access/identity.js';
import { ApiError, notFound, refusalToApiError, unavailable } from '../../api/http/api-error.js';
import { rateLimited, type RateLimits, smallest } from '../../api/http/rate-limits.js';
import { readConsistencyToken } from '../../api/http/request-headers.js';
import type { Upgrade } from '../../api/http/upgrade.js';
import { PersonErased } from '../../core/vault/errors.js';
import type { Interviews, Visitor } from '../session/port.js';
import { handshakeProblem, readSocketAddress } from './handshake.js';
import { applications } from '../../../projections/applications.js';
import type { Freshness, Reads } from '../../api/reads.js';
import type { ApplicationRef } from '../../domain/candidate/events.js';
import type { OwnApplications } from '../../api/applications/own-applications.js';

export interface AdmissionOptions {
  readonly idTokens: Pick<IdTokens, 'verify'>;
  readonly ownSession: OwnSession;
  readonly interviews: Pick<Interviews, 'refusal'>;
  readonly limits: RateLimits;
  readonly seats: Seats;
  /** Whose pages may open a socket. Callers that are no pages name no origin. */
  readonly origins: ReadonlySet<string>;
  /** All is decided by then, or nobody is let in. */
  readonly deadlineMs: number;
}

/**
 * Who is let in to which session. Whether a session exists is asked last, and by nobody who has not passed all the
 * rest: until then every session id gets one and the same answer, in the same time.
 */
export class Admission {
  constructor(private readonly options: AdmissionOptions) {}

  /** @throws {ApiError} what answers the upgrade; anything else is a fault of ours or of what we depend on */
  async admit(upgrade: Upgrade): Promise<Visitor> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(tooSlow()), this.options.deadlineMs);
    });
    try {
      return await Promise.race([this.decide(upgrade), late]);
    } finally {
      clearTimeout(timer);
    }
  }

  private async decide({ request, socket }: Upgrade): Promise<Visitor> {
    const { idTokens, interviews, origins, seats } = this.options;
    const { headers, requestId } = request;
    const problem = handshakeProblem(headers);
    if (problem) throw problem;
    const address = readSocketAddress(request.url ?? '');
    if (!address?.token || !isTokenShaped(address.token)) throw missingToken();
    const caller = await idTokens.verify(address.token);
    if (headers.origin !== undefined && !origins.has(headers.origin)) throw foreignPage();
    await this.count(caller);
    if (!seats.take(socket)) throw unavailable('Too many interviews are open here. Try again shortly.');
    const consistencyToken = readConsistencyToken(headers['consistency-token']);
    const session = isUuid(address.sessionId)
      ? await this.options.ownSession(caller, address.sessionId, { consistencyToken })
      : null;
    if (!session) throw noSuchSession();
    const visitor = { caller, session, requestId };
    const refusal = await interviews.refusal(visitor).catch(erasedMeanwhile);
    if (refusal) throw refusalToApiError(refusal);
    if (!seats.takeAs(caller.subject, socket)) throw tooManyOpen();
    return visitor;
  }

  private async count({ subject }: Caller): Promise<void> {
    const { limits } = this.options;
    if (!limits.enabled) return;
    const standing = smallest(
      await Promise.all([limits.count('caller', subject), limits.count('connection', subject)]),
    );
    if (standing?.exceeded === true) throw rateLimited(standing);
  }
}

const noSuchSession = (): ApiError => notFound('There is no such trial session.');

/** To candidates an erased session is one that does not exist, also where the views do not know of it yet. */
const erasedMeanwhile = (error: unknown): never => {
  throw error instanceof PersonErased ? noSuchSession() : error;
};

const SEAT_FREE_SECONDS = 10;

/** Beside the rates: it holds also where a gateway keeps those. */
const tooManyOpen = (): ApiError =>
  new ApiError(
    'rate_limited',
    'You have as many connections to interviews open as one may have: close one, or wait until it is closed.',
    { headers: { 'Retry-After': `${SEAT_FREE_SECONDS}` } },
  );

const foreignPage = (): ApiError =>
  new ApiError('forbidden', 'Pages of this origin may not open an interview’s socket.');

const tooSlow = (): ApiError => unavailable('The interview could not be opened in time. Try again shortly.');

/** The caller's own session; `null` for somebody else's as for one that does not exist. */
export type OwnSession = (
  caller: Caller,
  sessionId: string,
  freshness: Freshness,
) => Promise<ApplicationRef | null>;

/** Looks a session up as candidates' other paths do. */
export const ownSession =
  (reads: Pick<Reads, 'settled'>, own: Pick<OwnApplications, 'bySession'>): OwnSession =>
  async (caller, sessionId, freshness) => {
    const found = await reads.settled([applications], () => own.bySession(caller, sessionId, freshness));
    if (!found) return null;
    const { id: applicationId, document } = found.application;
    const { organisationId, candidateId, trialSessionId, roleId } = document;
    return { organisationId, candidateId, applicationId, trialSessionId, roleId };
  };

/**
 * How many connections a process takes on, and how many of one caller: each costs memory, also while it is silent. Of
 * a caller's one at a time is in use; the others are of other sessions, or have been left and are not closed yet.
 */
export class Seats {
  private taken = 0;
  private readonly ofCallers = new Map<string, number>();

  constructor(
    private readonly most: number,
    private readonly mostOfCaller: number,
  ) {}

  /** Takes one until the connection is closed, whatever becomes of it. @returns whether there was one */
  take(socket: Socket): boolean {
    if (this.taken >= this.most) return false;
    if (socket.closed) return true;
    this.taken += 1;
    socket.once('close', () => (this.taken -= 1));
    return true;
  }

  /** Takes one of the caller's. @returns whether there was one */
  takeAs(subject: string, socket: Socket): boolean {
    const own = this.ofCallers.get(subject) ?? 0;
    if (own >= this.mostOfCaller) return false;
    if (socket.closed) return true;
    this.ofCallers.set(subject, own + 1);
    socket.once('close', () => {
      const left = (this.ofCallers.get(subject) ?? 0) - 1;
      if (left > 0) this.ofCallers.set(subject, left);
      else this.ofCallers.delete(subject);
    });
    return true;
  }
}
