import { type DynamicModule, Module } from '@nestjs/common';
import { QueryModule } from '../api/openapi/query.guard.js';
import { RateLimitModule } from '../api/http/rate-limit.guard.js';
import type { RateLimits } from '../api/http/rate-limits.js';
import { OperationsModule, type OperationsOptions } from './operations.module.js';

export interface AppOptions extends OperationsOptions {
  /** The service's own parts, access first: guards run in the order of their modules. */
  readonly modules: readonly NonNullable<DynamicModule['imports']>[number][];
  readonly limits: RateLimits;
}

/** The root module. */
@Module({})
export class AppModule {
  static forRoot({ modules, limits, ...operations }: AppOptions): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ...modules,
        RateLimitModule.forRoot(limits),
        QueryModule,
        OperationsModule.forRoot(operations),
      ],
    };
  }
}
