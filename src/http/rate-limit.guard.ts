import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { countedAddress } from './counted-address.js';
import { rateLimited, rateLimitHeaders, RateLimits, smallest, type Usage } from './rate-limits.js';

const RATE = Symbol('rate');

type OwnRate = 'activity' | 'shareLink';

/** Puts a route under a limit of its own: `activity` beside the caller's, `shareLink` by address. */
export const Limited =
  (rate: OwnRate): MethodDecorator =>
  (_target, _key, descriptor) => {
    Reflect.defineMetadata(RATE, rate, descriptor.value as object);
  };

/** The limit of its own that a route's handler is under. */
export const rateOf = (handler: object): OwnRate | undefined =>
  Reflect.getMetadata(RATE, handler) as OwnRate | undefined;

/** As far as the guard of access has found out who calls. */
type LimitedRequest = FastifyRequest & { readonly caller?: { readonly subject: string } };

/** Runs after the guard of access, so that a limit is a person's and not an address's. */
@Injectable()
export class RateLimitGuard implements CanActivate {
  constructor(private readonly limits: RateLimits) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    return !this.limits.enabled || this.count(context);
  }

  private async count(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<LimitedRequest>();
    const subject = request.caller?.subject;
    const rate = rateOf(context.getHandler());
    const counts: Promise<Usage>[] = [];
    if (subject !== undefined) counts.push(this.limits.count('caller', subject));
    if (rate === 'activity' && subject !== undefined) counts.push(this.limits.count('activity', subject));
    if (rate === 'shareLink') counts.push(this.limits.count('shareLink', countedAddress(request.ip)));
    const usage = smallest(await Promise.all(counts));
    if (!usage) return true;
    if (usage.exceeded) throw rateLimited(usage);
    http.getResponse<FastifyReply>().headers(rateLimitHeaders(usage));
    return true;
  }
}
