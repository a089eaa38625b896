import { Injectable, type OnModuleInit, RequestMethod, type Type } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { type Access, accessOf } from './access.decorator.js';

/** Nest's metadata keys of a route: the path (of a controller too) and the method. */
const PATH = 'path';
const METHOD = 'method';

/** One route of the application, from its decorators. */
export interface DeclaredRoute {
  readonly controller: Type;
  /** The name of the handler in the controller. */
  readonly name: string;
  readonly handler: object;
  /** In upper case. */
  readonly method: string;
  /** Patterns such as `/organisations/:orgId/roles`. */
  readonly paths: readonly string[];
  /** `undefined`: the handler declares none, and `DeclaredAccess` does not let the application start. */
  readonly access: Access | undefined;
}

const pathsOf = (target: object): readonly string[] =>
  [Reflect.getMetadata(PATH, target) as string | readonly string[] | undefined]
    .flat()
    .map((path) => path ?? '');

const join = (...parts: readonly string[]): string =>
  `/${parts
    .flatMap((part) => part.split('/'))
    .filter((part) => part !== '')
    .join('/')}`;

const routesIn = (controller: Type): readonly DeclaredRoute[] => {
  const prototype = controller.prototype as Readonly<Record<string, object>>;
  return new MetadataScanner().getAllMethodNames(prototype).flatMap((name) => {
    const handler = prototype[name];
    if (!handler || !Reflect.hasMetadata(METHOD, handler)) return [];
    const method = RequestMethod[Reflect.getMetadata(METHOD, handler) as number] ?? '';
    const paths = pathsOf(controller).flatMap((prefix) => pathsOf(handler).map((path) => join(prefix, path)));
    return [{ controller, name, handler, method, paths, access: accessOf(handler) }];
  });
};

/** All routes of all controllers. */
export const declaredRoutes = (discovery: DiscoveryService): readonly DeclaredRoute[] =>
  discovery
    .getControllers()
    .flatMap(({ metatype }) => (typeof metatype === 'function' ? routesIn(metatype as Type) : []));

/** Throws if a route declares no access, or access of an organisation's members without `:orgId` in its path. */
const checkRoute = ({ controller, name, paths, access }: DeclaredRoute): void => {
  const route = `${controller.name}.${name}`;
  if (!access) {
    throw new Error(
      `${route} does not declare who may call it: give it @Public(), @SignedIn() or @StaffMay('permission').`,
    );
  }
  if (access.kind === 'staff' && !paths.every((path) => path.split('/').includes(':orgId'))) {
    throw new Error(`${route} is declared @StaffMay but its path has no :orgId to be a member of.`);
  }
};

/** Checks all routes when the application starts. It does not start if one declares no access. */
@Injectable()
export class DeclaredAccess implements OnModuleInit {
  constructor(private readonly discovery: DiscoveryService) {}

  onModuleInit(): void {
    declaredRoutes(this.discovery).forEach(checkRoute);
  }
}
