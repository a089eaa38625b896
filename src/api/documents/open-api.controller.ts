import { Controller, Get, Inject, Injectable, Module, type OnModuleInit } from '@nestjs/common';
import { DiscoveryModule, DiscoveryService } from '@nestjs/core';
import { PUBLIC_URL } from '../../application/tokens.js';
import { AnyObject } from '../../core/json-schema.js';
import { Public } from '../../http/access/access.decorator.js';
import { declaredRoutes } from '../../http/access/declared-access.js';
import { type Answer, json } from '../../http/answer.js';
import { type DescribedRoute, describedRoutes } from '../../http/openapi/described-route.js';
import { openApiDocument } from '../../http/openapi/document.js';
import { Operation, type Operations } from '../../http/openapi/operation.js';
import { describedNotices } from '../webhooks/described-notices.js';
import { DocsController } from './docs.controller.js';

/**
 * The OpenAPI document. It is made at its first request, since it takes a twentieth of the time of a start. The service
 * does not start if a route has no description, or two have the same id.
 */
@Injectable()
export class OpenApi implements OnModuleInit {
  private routes: readonly DescribedRoute[] = [];
  private text: string | null = null;

  constructor(
    private readonly discovery: DiscoveryService,
    @Inject(PUBLIC_URL) private readonly publicUrl: string,
  ) {}

  onModuleInit(): void {
    this.routes = declaredRoutes(this.discovery).flatMap(describedRoutes);
    const ids = this.routes.map(({ id }) => id);
    const twice = ids.find((id, index) => ids.indexOf(id) !== index);
    if (twice !== undefined) throw new Error(`Two routes are called ${twice} in the OpenAPI document.`);
  }

  /** The document as JSON. */
  get document(): string {
    return (this.text ??= JSON.stringify(openApiDocument(this.routes, describedNotices(), this.publicUrl)));
  }
}

const operations = {
  read: {
    id: 'openApi.read',
    tag: 'Operations',
    summary: 'This document',
    success: { status: 200, description: 'OpenAPI 3.1.', schema: AnyObject },
  },
} satisfies Operations;

@Controller('openapi.json')
export class OpenApiController {
  constructor(private readonly openApi: OpenApi) {}

  @Get()
  @Public()
  @Operation(operations.read)
  read(): Answer {
    return json(this.openApi.document);
  }
}

@Module({
  imports: [DiscoveryModule],
  controllers: [OpenApiController, DocsController],
  providers: [OpenApi],
})
export class DocumentsModule {}
