import { RequestMethod, type Type } from '@nestjs/common';
import type { ErrorCode } from '../http/api-error.js';
import { ACCESS, type Access } from '../access/access.decorator.js';
import { type Class, schemaOf, shapeOf } from '../validation/fields.js';
import { operationOf, type OperationOptions } from './operation.js';
import type { TSchema } from '../../core/json-schema.js';

/** Nest's own metadata keys of controllers and handlers. */
const PATH = 'path';
const METHOD = 'method';
const ARGUMENTS = '__routeArguments__';
const BODY = 3;

/** One route as its decorators describe it. */
export interface DescribedRoute {
  readonly id: string;
  /** In lower case. */
  readonly method: string;
  /** `/organisations/{orgId}/roles`. */
  readonly path: string;
  readonly options: OperationOptions;
  readonly isPublic: boolean;
  /** Every refusal but those that any path may answer. */
  readonly errors: readonly ErrorCode[];
  readonly body: TSchema | null;
  /** A request without one is refused. */
  readonly bodyRequired: boolean;
}

const paths = (from: object): readonly string[] =>
  [Reflect.getMetadata(PATH, from) as string | readonly string[] | undefined].flat().map((one) => one ?? '');

const join = (prefix: string, path: string): string =>
  `/${[prefix, path]
    .flatMap((part) => part.split('/'))
    .filter((part) => part !== '')
    .map((part) => part.replace(/^:(.+)$/, '{$1}'))
    .join('/')}`;

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

const errorsOf = (
  { errors = [], conditional }: OperationOptions,
  access: Access | undefined,
  method: string,
): readonly ErrorCode[] => {
  if ('exactly' in errors) return errors.exactly;
  const all: ErrorCode[] = [];
  if (access && access.kind !== 'public') all.push('missing_token', 'invalid_token', 'unavailable');
  if (access?.kind === 'staff') all.push('forbidden');
  // What any command may answer follows what this one alone does.
  all.push(...errors.filter((code) => code !== 'conflict'));
  if (access && access.kind !== 'public' && method === 'POST') all.push('idempotency_key_reused');
  if (errors.includes('conflict')) all.push('conflict');
  if (conditional) all.push('version_mismatch');
  return all;
};

/**
 * A controller's routes.
 * @throws a handler has no description: an undescribed route is not served
 */
export const describedRoutes = (controller: Type): readonly DescribedRoute[] => {
  const prototype = controller.prototype as Readonly<Record<string, unknown>>;
  return Object.getOwnPropertyNames(prototype).flatMap((name) => {
    const handler = prototype[name];
    if (typeof handler !== 'function' || !Reflect.hasMetadata(METHOD, handler)) return [];
    const options = operationOf(handler);
    if (options === undefined) {
      throw new Error(`${controller.name}.${name} is not described: give it @Operation({…}).`);
    }
    if (!options) return [];
    const access = Reflect.getMetadata(ACCESS, handler) as Access | undefined;
    const method = RequestMethod[Reflect.getMetadata(METHOD, handler) as number] ?? '';
    const body = bodyTypeOf(controller, name);
    return paths(controller).flatMap((prefix) =>
      paths(handler).map((path) => ({
        id: options.id,
        method: method.toLowerCase(),
        path: join(prefix, path),
        options,
        isPublic: access?.kind === 'public',
        errors: errorsOf(options, access, method),
        body: body && schemaOf(body),
        bodyRequired: body !== null && shapeOf(body)?.mayBeAbsent !== true,
      })),
    );
  });
};
