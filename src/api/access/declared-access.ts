import { Inject, Injectable, type OnModuleInit, type Type } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { ACCESS, type Access } from './access.decorator.js';

/** Nest's own metadata keys of a route: the path (of a controller too) and the method. */
const PATH = 'path';
const METHOD = 'method';

/** One route of the application, as its decorators declare it. */
export interface DeclaredRoute {
  /** `RolesController.create`, as a message names it. */
  readonly name: string;
  readonly paths: readonly string[];
  readonly access: Access | undefined;
}

/** Refuses a route that does not declare who may call it, or names members of an organisation that its path lacks. */
export const checkRoute = ({ name, paths, access }: DeclaredRoute): void => {
  if (!access) {
    throw new Error(
      `${name} does not declare who may call it: give it @Public(), @SignedIn() or @StaffMay('permission').`,
    );
  }
  if (access.kind === 'staff' && !paths.every((path) => path.split('/').includes(':orgId'))) {
    throw new Error(`${name} is declared @StaffMay but its path has no :orgId to be a member of.`);
  }
};

/** Walks every controller when the application starts; a route without a declaration stops the start. */
@Injectable()
export class DeclaredAccess implements OnModuleInit {
  constructor(
    @Inject(DiscoveryService) private readonly discovery: DiscoveryService,
    @Inject(MetadataScanner) private readonly scanner: MetadataScanner,
  ) {}

  onModuleInit(): void {
    this.routes().forEach(checkRoute);
  }

  /** Every route of every controller. */
  routes(): readonly DeclaredRoute[] {
    return this.discovery
      .getControllers()
      .flatMap(({ metatype }) => (typeof metatype === 'function' ? this.routesOf(metatype as Type) : []));
  }

  private routesOf(controller: Type): readonly DeclaredRoute[] {
    const prototype = controller.prototype as Readonly<Record<string, object>>;
    return this.scanner.getAllMethodNames(prototype).flatMap((method) => {
      const handler = prototype[method];
      if (!handler || !Reflect.hasMetadata(METHOD, handler)) return [];
      const access = Reflect.getMetadata(ACCESS, handler) as Access | undefined;
      const paths = list(Reflect.getMetadata(PATH, controller)).flatMap((prefix) =>
        list(Reflect.getMetadata(PATH, handler)).map((path) => `${prefix}/${path}`),
      );
      return [{ name: `${controller.name}.${method}`, paths, access }];
    });
  }
}

const list = (path: unknown): readonly string[] => (Array.isArray(path) ? path : [path ?? '']).map(String);
