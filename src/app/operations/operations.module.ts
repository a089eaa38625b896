import { type DynamicModule, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Metrics } from '../metrics.js';
import { AsyncApiController } from './async-api.controller.js';
import { DOCS_SETTINGS, DocsController, type DocsSettings } from './docs/docs.controller.js';
import { HealthController } from './health.controller.js';
import { Health } from './health.js';
import { MetricsController } from './metrics.controller.js';
import { OpenApi, OpenApiController } from './open-api.controller.js';
import { PUBLIC_URL } from './public-url.js';

export interface OperationsOptions {
  readonly publicUrl: string;
  readonly metrics: Metrics;
  readonly health: Health;
  readonly docs: DocsSettings;
}

/** What those who run the service need of it: health, metrics, its description and a page to try it on. */
@Module({})
export class OperationsModule {
  static forRoot({ publicUrl, metrics, health, docs }: OperationsOptions): DynamicModule {
    return {
      module: OperationsModule,
      imports: [DiscoveryModule],
      controllers: [
        HealthController,
        MetricsController,
        OpenApiController,
        AsyncApiController,
        DocsController,
      ],
      providers: [
        OpenApi,
        { provide: Health, useValue: health },
        { provide: Metrics, useValue: metrics },
        { provide: PUBLIC_URL, useValue: publicUrl },
        { provide: DOCS_SETTINGS, useValue: docs },
      ],
    };
  }
}
