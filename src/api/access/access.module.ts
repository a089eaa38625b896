import { Module, type DynamicModule, type ModuleMetadata, type Provider } from '@nestjs/common';
import { APP_GUARD, DiscoveryModule } from '@nestjs/core';
import { AccessGuard } from './access.guard.js';
import { DeclaredAccess } from './declared-access.js';

export interface AccessModuleOptions {
  readonly imports?: ModuleMetadata['imports'];
  /** Provides `ID_TOKENS` and `MEMBERSHIPS`, unless what is imported does. */
  readonly providers?: readonly Provider[];
}

/** Guards every route of the application and refuses to start with one that declares nothing. */
@Module({})
export class AccessModule {
  static forRoot({ imports = [], providers = [] }: AccessModuleOptions): DynamicModule {
    return {
      module: AccessModule,
      imports: [DiscoveryModule, ...imports],
      providers: [...providers, DeclaredAccess, { provide: APP_GUARD, useClass: AccessGuard }],
      exports: [DeclaredAccess],
    };
  }
}
