import { Controller, Get, Inject, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Public } from '../../api/access/access.decorator.js';
import { validationFailed } from '../../api/http/api-error.js';
import { Operation } from '../../api/openapi/operation.js';
import { refusalOf } from '../../api/http/upgrade.js';
import { SOCKET_ROUTE } from './handshake.js';
import { asyncApiDocument } from '../asyncapi/document.js';
import { type Answer, json } from '../../api/http/answer.js';
import { PUBLIC_URL } from '../../api/documents/public-url.js';

/** Answers HTTP requests on the socket's path: refused upgrades, and requests without one. */
@Controller(SOCKET_ROUTE)
export class SocketController {
  /** Described in AsyncAPI. */
  @Get()
  @Public()
  @Operation(false)
  refuse(@Req() request: FastifyRequest): never {
    throw refusalOf(request.raw) ?? noUpgrade();
  }
}

const noUpgrade = () =>
  validationFailed([
    {
      path: 'Upgrade',
      rule: 'websocket',
      message: 'This is a WebSocket: connect to it with a WebSocket client.',
    },
  ]);

@Controller('asyncapi.json')
export class AsyncApiController {
  private readonly text: string;

  constructor(@Inject(PUBLIC_URL) publicUrl: string) {
    this.text = JSON.stringify(asyncApiDocument(publicUrl));
  }

  @Get()
  @Public()
  @Operation({
    id: 'asyncApi.read',
    tag: 'Operations',
    summary: 'The interview’s socket, described',
    description: 'Every message of it, with examples, and its codes.',
    success: { status: 200, description: 'AsyncAPI 3.0.', schema: { type: 'object' } },
  })
  read(): Answer {
    return json(this.text);
  }
}
