import { type DynamicModule, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import type { Metrics } from '../process/metrics.js';
import { AsyncApiController } from '../interview/asyncapi/document.js';
import { DOCS_SETTINGS, DocsController, type DocsSettings } from '../api/documents/docs.controller.js';
import {
  CANDIDATE_PAGE,
  CandidatePageController,
  type CandidatePageSettings,
} from '../api/candidate-page/candidate-page.js';
import { HealthController, MetricsController, PUBLIC_METRICS } from '../api/status/controllers.js';
import { Health } from '../process/health.js';
import { OpenApi, OpenApiController } from '../api/documents/open-api.controller.js';
import { PUBLIC_URL } from '../process/tokens.js';
import { QueryModule } from '../http/openapi/operation.js';
import { RateLimitModule } from '../http/rate-limit.guard.js';
import type { RateLimits } from '../http/rate-limits.js';

interface OperationsOptions {
  readonly publicUrl: string;
  /** What the API shows of them; `null`: nothing. */
  readonly publicMetrics: Metrics | null;
  readonly health: Health;
  readonly docs: DocsSettings;
  readonly candidatePage: CandidatePageSettings;
}

/** What belongs to no resource: health, metrics, the API's description, a page to try it on and the candidates' page. */
@Module({})
class OperationsModule {
  static forRoot({
    publicUrl,
    publicMetrics,
    health,
    docs,
    candidatePage,
  }: OperationsOptions): DynamicModule {
    return {
      module: OperationsModule,
      imports: [DiscoveryModule],
      controllers: [
        HealthController,
        MetricsController,
        OpenApiController,
        AsyncApiController,
        DocsController,
        CandidatePageController,
      ],
      providers: [
        OpenApi,
        { provide: Health, useValue: health },
        { provide: PUBLIC_METRICS, useValue: publicMetrics },
        { provide: PUBLIC_URL, useValue: publicUrl },
        { provide: DOCS_SETTINGS, useValue: docs },
        { provide: CANDIDATE_PAGE, useValue: candidatePage },
      ],
    };
  }
}

interface AppOptions extends OperationsOptions {
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
