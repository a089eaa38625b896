import { type CanActivate, type ExecutionContext, Injectable, Module } from '@nestjs/common';
import { APP_GUARD, DiscoveryModule } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { ACCESS, type Access } from '../access/access.decorator.js';
import { AccessGuard } from '../access/access.guard.js';
import { DeclaredAccess } from '../access/declared-access.js';
import { type Query, refuseOtherThan } from '../list-query.js';
import { RateLimitGuard } from '../rate-limit.guard.js';
import { operationOf, queryParametersOf } from './operation.js';

/**
 * Refuses query parameters of a read that its description does not name: a misspelt filter would show everything.
 * Commands have none, and their query tells an Idempotency-Key's requests apart. Public routes take any, since links that
 * people pass on are given further ones by whatever they pass through.
 */
@Injectable()
export class QueryGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { method, query: given } = context.switchToHttp().getRequest<FastifyRequest>();
    const query = given as Query;
    if ((method !== 'GET' && method !== 'HEAD') || Object.keys(query).length === 0) return true;
    const handler = context.getHandler();
    const access = Reflect.getMetadata(ACCESS, handler) as Access | undefined;
    const operation = operationOf(handler);
    if (access?.kind !== 'public' && operation)
      refuseOtherThan(
        query,
        queryParametersOf(operation).map(({ name }) => name),
      );
    return true;
  }
}

/**
 * Guards every route, in this order: who calls and may do so, how often, and with which query parameters. It refuses to
 * start with a route that declares no access. `ID_TOKENS`, `MEMBERSHIPS` and `RateLimits` come from global modules.
 */
@Module({
  imports: [DiscoveryModule],
  providers: [
    DeclaredAccess,
    { provide: APP_GUARD, useClass: AccessGuard },
    { provide: APP_GUARD, useClass: RateLimitGuard },
    { provide: APP_GUARD, useClass: QueryGuard },
  ],
})
export class EdgeModule {}
