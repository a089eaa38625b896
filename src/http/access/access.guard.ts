import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { validate as isUuid } from 'uuid';
import { ApiError } from '../api-error.js';
import { readConsistencyToken } from '../headers.js';
import { ACCESS, type Access, type AccessRequest } from './access.decorator.js';
import {
  type Caller,
  type Member,
  MEMBERSHIPS,
  type Memberships,
  unclearEmail,
} from '../../application/caller.js';
import { bearerToken, missingToken } from './claims.js';
import { ID_TOKENS, type IdTokens } from './identity.js';
import { may } from './permissions.js';

/** Methods that change nothing. */
const READS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/** Admits only callers that the route's declaration names: first it identifies, then it authorizes. */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    @Inject(ID_TOKENS) private readonly idTokens: Pick<IdTokens, 'verify'>,
    @Inject(MEMBERSHIPS) private readonly memberships: Memberships,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const access = this.reflector.get<Access | undefined>(ACCESS, context.getHandler());
    // The start refuses such a route; should one get here all the same, it stays shut.
    if (!access) throw forbidden();
    if (access.kind === 'public') return true;
    const request = context.switchToHttp().getRequest<AccessRequest>();
    const token = bearerToken(request.headers.authorization);
    if (token === null) throw missingToken();
    const caller = await this.idTokens.verify(token);
    request.caller = caller;
    if (access.kind === 'staff') {
      const member = caller.candidateOnly ? null : await this.memberOf(caller, request);
      if (!member || !may(member.role, access.permission))
        throw forbidden(member === null ? caller : undefined);
      request.member = member;
    }
    return true;
  }

  private memberOf(caller: Caller, request: AccessRequest): Promise<Member | null> | null {
    const { orgId } = request.params as { readonly orgId?: unknown };
    const consistencyToken = readConsistencyToken(request.headers['consistency-token']);
    return typeof orgId === 'string' && isUuid(orgId)
      ? this.memberships.find(caller, orgId, { command: !READS.has(request.method), consistencyToken })
      : null;
  }
}

/** One answer for no member, no such organisation, no id at all and no such permission: none tells from another. */
const forbidden = (caller?: Caller): ApiError => {
  const sentence = 'You are no member of this organisation, or your role does not allow this.';
  const unclear = caller && unclearEmail(caller);
  return new ApiError('forbidden', unclear ? `${sentence} ${unclear}` : sentence);
};
