import { Injectable, type OnModuleInit, RequestMethod, type Type } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { type Access, accessOf } from './access.decorator.js';

/** Nest's own metadata keys of a route: the path (of a controller too) and the method. */
const PATH = 'path';
const METHOD = 'method';

/** One route of the application, as its decorators declare it. */
export interface DeclaredRoute {
  readonly controller: Type;
  /** The name of the handler in the controller. */
  readonly name: string;
  readonly handler: object;
  /** In upper case. */
  readonly method: string;
  /** Such as `/organisations/:orgId/roles`. */
  readonly paths: readonly string[];
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

/** Every route of every controller. */
export const declaredRoutes = (discovery: DiscoveryService): readonly DeclaredRoute[] =>
  discovery
    .getControllers()
    .flatMap(({ metatype }) => (typeof metatype === 'function' ? routesIn(metatype as Type) : []));

/** Refuses a route that does not declare who may call it, or names members of an organisation that its path lacks. */
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

/** Looks at every route when the application starts; one without a declaration stops the start. */
@Injectable()
export class DeclaredAccess implements OnModuleInit {
  constructor(private readonly discovery: DiscoveryService) {}

  onModuleInit(): void {
    declaredRoutes(this.discovery).forEach(checkRoute);
  }
}
