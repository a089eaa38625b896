import type { Type } from '@nestjs/common';
import type { TSchema } from '../../core/json-schema.js';
import { type Permission, SCOPES } from '../../domain/organisation/permissions.js';
import type { Access } from '../access/access.decorator.js';
import type { DeclaredRoute } from '../access/declared-access.js';
import type { ErrorCode } from '../api-error.js';
import { rateOf } from '../rate-limits.js';
import { type Class, schemaOf, shapeOf } from '../validation/fields.js';
import { operationOf, type OperationOptions } from './operation.js';

/** Nest's metadata key of a handler's arguments. */
const ARGUMENTS = '__routeArguments__';
/** Nest's number for a body among the arguments. */
const BODY = 3;

/** One route, described from its decorators. */
export interface DescribedRoute {
  readonly id: string;
  /** In lower case. */
  readonly method: string;
  /** Such as `/organisations/{orgId}/roles`. */
  readonly path: string;
  readonly options: OperationOptions;
  /** The kind of caller that may call it. */
  readonly access: Access['kind'];
  /** The scope with which an API key may call it; `null`: no API key may. */
  readonly scope: Permission | null;
  /** The codes of all its errors. */
  readonly errors: readonly ErrorCode[];
  /** `null`: the route takes none. */
  readonly body: TSchema | null;
  /** Whether a request without a body is refused. */
  readonly bodyRequired: boolean;
}

const bodyTypeOf = (controller: Type, name: string): Class | null => {
  const declared = Reflect.getMetadata(ARGUMENTS, controller, name) as
    Readonly<Record<string, { readonly index: number }>> | undefined;
  const key = Object.keys(declared ?? {}).find((one) => one.startsWith(`${BODY}:`));
  const index = key === undefined ? undefined : declared?.[key]?.index;
  if (index === undefined) return null;
  const types = Reflect.getMetadata(
    'design:paramtypes',
    controller.prototype as object,
    name,
  ) as readonly Class[];
  const type = types[index];
  return type && shapeOf(type) ? type : null;
};

/** The names of a path's parameters, in their order. */
export const namesInPath = (path: string): readonly string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].flatMap(([, name]) => name ?? []);

const COMMON_ERRORS = [
  'validation_failed',
  'malformed_json',
  'too_large',
  'internal',
  'unavailable',
] as const;

const errorsOf = (
  { errors = [], conditional, eventless }: OperationOptions,
  access: Access['kind'],
  { method, path, isLimited }: { method: string; path: string; isLimited: boolean },
): readonly ErrorCode[] => {
  const all: ErrorCode[] = [...errors, ...COMMON_ERRORS];
  const isPublic = access === 'public';
  if (!isPublic) all.push('missing_token', 'invalid_token', 'view_parked');
  const isNamed = namesInPath(path).some((name) => name !== 'orgId');
  // Candidates can get it for their own record: if their token does not say whether its address is verified.
  if (access === 'staff' || (!isPublic && isNamed)) all.push('forbidden');
  if (!isPublic || isLimited) all.push('rate_limited');
  if (isNamed) all.push('not_found');
  if (!isPublic && method === 'POST' && !eventless) all.push('idempotency_key_reused');
  if (method !== 'GET') all.push('conflict', 'unsupported_media_type');
  if (conditional) all.push('version_mismatch');
  return all;
};

/**
 * Describes a route, once for each of its paths. Empty: the OpenAPI document leaves it out.
 * @throws {Error} the handler declares no description or no access, or its body has no example: the service does not
 *   start then
 */
export const describedRoutes = (route: DeclaredRoute): readonly DescribedRoute[] => {
  const { controller, name, handler, method, paths, access } = route;
  const options = operationOf(handler);
  if (options === undefined || access === undefined)
    throw new Error(`${controller.name}.${name} is not described: give it @Operation({…}).`);
  if (!options) return [];
  const body = bodyTypeOf(controller, name);
  if (body && !options.example)
    throw new Error(`${options.id} takes a body: give its @Operation an example.`);
  const isLimited = rateOf(handler) !== undefined;
  return paths
    .map((path) => path.replaceAll(/:([^/]+)/g, '{$1}'))
    .map((path) => ({
      id: options.id,
      method: method.toLowerCase(),
      path,
      options,
      access: access.kind,
      scope: access.kind === 'staff' && SCOPES.includes(access.permission) ? access.permission : null,
      errors: errorsOf(options, access.kind, { method, path, isLimited }),
      body: body && schemaOf(body),
      bodyRequired: body !== null && shapeOf(body)?.mayBeAbsent !== true,
    }));
};
