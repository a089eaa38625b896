import { Controller, Get, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Public } from '../../api/access/access.decorator.js';
import { validationFailed } from '../../api/http/api-error.js';
import { Operation } from '../../api/openapi/operation.js';
import { refusalOf } from '../../api/http/upgrade.js';
import { SOCKET_ROUTE } from './address.js';

/** Answers on the socket's path whoever stays with HTTP: refused upgrades, and requests that ask for none. */
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
