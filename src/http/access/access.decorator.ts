import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Caller, Member } from '../../application/caller.js';
import { Enumeration } from '../../core/json-schema.js';
import { MEMBER_ROLES, type Permission, PERMISSIONS, SCOPES } from '../../domain/organisation/permissions.js';

export const MEMBER_ROLE = Enumeration('MemberRole', MEMBER_ROLES);
export const PERMISSION = Enumeration('Permission', PERMISSIONS);
export const SCOPE = Enumeration('ApiKeyScope', SCOPES);

/**
 * What the guard reads of a request, and what it sets on it for rate limits, logs and handlers. A public route has neither
 * `caller` nor `member`.
 */
export interface AccessRequest {
  readonly method: string;
  readonly headers: {
    readonly authorization?: string | undefined;
    readonly 'consistency-token'?: string | string[] | undefined;
  };
  readonly params: unknown;
  /** Whose ID token it is; absent if the request has an API key. */
  caller?: Caller;
  /** Of a `@StaffMay` route only: the member, or an API key as one. */
  member?: Member;
}

/** What a route requires of its caller. */
export type Access =
  | { readonly kind: 'public' }
  | { readonly kind: 'signed-in' }
  | { readonly kind: 'staff'; readonly permission: Permission };

const ACCESS = Symbol('access');

/** Throws for a second declaration on one route, which would replace the first: the program does not start then. */
const declare =
  (access: Access): MethodDecorator =>
  (target, name, descriptor) => {
    const handler = descriptor.value as object;
    if (Reflect.hasMetadata(ACCESS, handler)) {
      throw new Error(`${target.constructor.name}.${String(name)} declares twice who may call it.`);
    }
    Reflect.defineMetadata(ACCESS, access, handler);
  };

/** The route needs no token, and ignores one. */
export const Public = (): MethodDecorator => declare({ kind: 'public' });

/** Any valid ID token will do: for `GET /me`, and for candidates' paths, whose handlers check whose record it is. */
export const SignedIn = (): MethodDecorator => declare({ kind: 'signed-in' });

/** Only members of the path's organisation `:orgId` whose role has the permission. */
export const StaffMay = (permission: Permission): MethodDecorator => declare({ kind: 'staff', permission });

/** The access that a route's handler declares; `undefined`: none, and the service does not start. */
export const accessOf = (handler: object): Access | undefined =>
  Reflect.getMetadata(ACCESS, handler) as Access | undefined;

const requestOf = (context: ExecutionContext): AccessRequest =>
  context.switchToHttp().getRequest<AccessRequest>();

/** Injects the caller of a `@SignedIn` route. @throws {Error} the request has none: the route is public */
export const CurrentCaller = createParamDecorator((_: unknown, context: ExecutionContext): Caller => {
  const { caller } = requestOf(context);
  if (!caller) throw new Error('A public route has no caller.');
  return caller;
});

/** The member that the guard has set on the request. @throws {Error} the route is without `@StaffMay` */
export const memberOf = (context: ExecutionContext): Member => {
  const { member } = requestOf(context);
  if (!member) throw new Error('Only a route with @StaffMay has a member.');
  return member;
};

/** Injects the member who calls a `@StaffMay` route. */
export const CurrentMember = createParamDecorator((_: unknown, context: ExecutionContext): Member =>
  memberOf(context),
);
