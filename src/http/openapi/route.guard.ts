import { type CanActivate, type ExecutionContext, Inject, Injectable, Module } from '@nestjs/common';
import { APP_GUARD, DiscoveryModule } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { validate as isUuid } from 'uuid';
import { API_KEY_FORM } from '../../application/api-keys/tokens.js';
import {
  API_KEY_HOLDERS,
  type ApiKeyHolders,
  type Caller,
  type Member,
  MEMBERSHIPS,
  type Memberships,
  unclearEmail,
} from '../../application/caller.js';
import { memberMay, type Permission } from '../../domain/organisation/permissions.js';
import { type Access, accessOf, type AccessRequest } from '../access/access.decorator.js';
import { missingToken } from '../access/claims.js';
import { DeclaredAccess } from '../access/declared-access.js';
import { ID_TOKENS, type IdTokens } from '../access/identity.js';
import { ApiError } from '../api-error.js';
import { countedAddress } from '../counted-address.js';
import { type Query, refuseOtherThan } from '../list-query.js';
import { readConsistencyToken } from '../meta.js';
import {
  rateLimited,
  rateLimitHeaders,
  rateOf,
  RateLimits,
  nearestToLimit,
  type Usage,
} from '../rate-limits.js';
import { operationOf, queryParametersOf } from './operation.js';

/** The methods of reads. */
const READS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

type GuardedRequest = FastifyRequest & AccessRequest;

/**
 * Checks a request against its route's declarations, in this order: the caller's identity and permission, the rate
 * limits (so that they count by person, not by address), and the names of the query parameters.
 */
@Injectable()
export class RouteGuard implements CanActivate {
  constructor(
    @Inject(ID_TOKENS) private readonly idTokens: Pick<IdTokens, 'verify'>,
    @Inject(MEMBERSHIPS) private readonly memberships: Memberships,
    @Inject(API_KEY_HOLDERS) private readonly apiKeys: ApiKeyHolders,
    private readonly limits: RateLimits,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<GuardedRequest>();
    const handler = context.getHandler();
    const access = accessOf(handler);
    // The service does not start with such a route; refused for safety.
    if (!access) throw forbidden();
    if (access.kind !== 'public') await this.admit(request, access);
    if (this.limits.enabled) await this.count(request, http.getResponse<FastifyReply>(), handler);
    // Only for reads that are not public: mail programs and social networks add parameters to shared links.
    if (access.kind !== 'public') refuseUnknownQuery(request, handler);
    return true;
  }

  /** Identifies and authorises the caller, and sets the request's `caller` and `member`. */
  private async admit(request: GuardedRequest, access: Access): Promise<void> {
    const { authorization } = request.headers;
    const token = bearerToken(authorization);
    if (token === null) {
      const apiKey = access.kind === 'staff' ? apiKeyIn(authorization) : null;
      if (access.kind !== 'staff' || apiKey === null) throw missingToken();
      request.member = await this.memberBy(apiKey, request, access.permission);
      return;
    }
    const caller = await this.idTokens.verify(token);
    request.caller = caller;
    if (access.kind !== 'staff') return;
    const member = caller.candidateOnly ? null : await this.memberOf(caller, request);
    if (!member || !memberMay(member, access.permission))
      throw forbidden(member === null ? caller : undefined);
    request.member = member;
  }

  private async memberBy(token: string, { params }: GuardedRequest, permission: Permission): Promise<Member> {
    const found = await this.apiKeys.find(token);
    if (!found) throw refusedKey();
    const { organisationId, member } = found;
    const { orgId } = params as { readonly orgId?: unknown };
    if (orgId !== organisationId || !memberMay(member, permission)) throw forbiddenKey();
    return member;
  }

  private memberOf(caller: Caller, request: GuardedRequest): Promise<Member | null> | null {
    const { orgId } = request.params as { readonly orgId?: unknown };
    const consistencyToken = readConsistencyToken(request.headers['consistency-token']);
    return typeof orgId === 'string' && isUuid(orgId)
      ? this.memberships.find(caller, orgId, { command: !READS.has(request.method), consistencyToken })
      : null;
  }

  private async count(request: GuardedRequest, reply: FastifyReply, handler: object): Promise<void> {
    const subject = (request.member ?? request.caller)?.subject;
    const rate = rateOf(handler);
    const counts: Promise<Usage>[] = [];
    if (subject !== undefined) counts.push(this.limits.count('caller', subject));
    if (rate === 'activity' && subject !== undefined) counts.push(this.limits.count('activity', subject));
    if (rate === 'shareLink') counts.push(this.limits.count('shareLink', countedAddress(request.ip)));
    const usage = nearestToLimit(await Promise.all(counts));
    if (!usage) return;
    if (usage.exceeded) throw rateLimited(usage);
    reply.headers(rateLimitHeaders(usage));
  }
}

const BEARER = /^Bearer +([A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*) *$/i;

/** The token in an `Authorization` header; `null`: it is missing or malformed. */
export const bearerToken = (header: string | undefined): string | null =>
  header === undefined ? null : (BEARER.exec(header)?.[1] ?? null);

/** Only the name of the scheme is case-insensitive. */
const API_KEY = new RegExp(`^[Bb][Ee][Aa][Rr][Ee][Rr] +(${API_KEY_FORM}) *$`);

/** The token of an API key in an `Authorization` header; `null`: it has another credential. */
export const apiKeyIn = (header: string | undefined): string | null =>
  header === undefined ? null : (API_KEY.exec(header)?.[1] ?? null);

/** The same error for a key that never existed, has expired or was revoked. */
const refusedKey = (): ApiError =>
  new ApiError(
    'invalid_token',
    'The API key was not accepted: it is unknown, has expired or was revoked, or its maker has left the organisation.',
    { headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' } },
  );

/**
 * The same error for all cases, so that a caller cannot find out which applies: not a member, no such organisation, not
 * an id, or no permission.
 */
const forbidden = (caller?: Caller): ApiError => {
  const sentence = 'You are not a member of this organisation, or your role does not allow this.';
  const unclear = caller && unclearEmail(caller);
  return new ApiError('forbidden', unclear ? `${sentence} ${unclear}` : sentence);
};

/**
 * The same error for all cases: another organisation, no such organisation, no such scope, or a creator whose role no
 * longer allows it.
 */
const forbiddenKey = (): ApiError =>
  new ApiError(
    'forbidden',
    'This API key is not of this organisation, or its scopes or the role of its maker do not allow this.',
  );

/**
 * Refuses query parameters of a read that its description does not have: a misspelt filter would show everything.
 * Commands have no query parameters; their query only distinguishes requests with the same Idempotency-Key.
 */
const refuseUnknownQuery = ({ method, query }: FastifyRequest, handler: object): void => {
  const given = query as Query;
  if (!READS.has(method) || Object.keys(given).length === 0) return;
  const operation = operationOf(handler);
  if (operation)
    refuseOtherThan(
      given,
      queryParametersOf(operation).map(({ name }) => name),
    );
};

/**
 * Guards all routes. The application does not start if one declares no access. `ID_TOKENS`, `MEMBERSHIPS` and
 * `RateLimits` come from global modules.
 */
@Module({
  imports: [DiscoveryModule],
  providers: [DeclaredAccess, { provide: APP_GUARD, useClass: RouteGuard }],
})
export class EdgeModule {}
