import { Controller, type DynamicModule, Get, Module, type ModuleMetadata, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { CandidateApplications } from '../../application/applications/candidate-applications.js';
import { Reads } from '../../application/reads.js';
import { Public } from '../../http/access/access.decorator.js';
import type { IdTokens } from '../../http/access/identity.js';
import { validationFailed } from '../../http/api-error.js';
import type { EdgeServer } from '../../http/edge-server.js';
import { Operation } from '../../http/openapi/operation.js';
import type { RateLimits } from '../../http/rate-limits.js';
import { refusalOf } from '../../http/upgrade.js';
import type { Logger } from '../../process/log.js';
import type { Metrics } from '../../process/metrics.js';
import { AsyncApiController } from '../asyncapi/document.js';
import { INTERVIEWS, type Interviews } from '../session/port.js';
import { Admission, ownSession, ConnectionLimit, SOCKET_ROUTE } from './admission.js';
import {
  GATEWAY_OPTIONS,
  type GatewayOptions,
  InterviewGateway,
  SocketMetrics,
} from './interview.gateway.js';
import { TIMINGS, type Timings } from './limits.js';
import { SocketAdapter } from './socket.adapter.js';

/** Answers requests on the socket's path that do not become sockets: refused upgrades, and requests without one. */
@Controller(SOCKET_ROUTE)
export class SocketController {
  /** The AsyncAPI document describes it. */
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

const MAX_SOCKETS = 2_000;
/** Sockets of one caller. Reconnecting can leave some open until their `readyMs` has passed. */
const MAX_SOCKETS_OF_CALLER = 10;
/** Time limit of the decision whether to accept an upgrade. */
const DECISION_TIMEOUT_MS = 5_000;

export interface InterviewSocketOptions {
  /** Modules that export `CandidateApplications`. `INTERVIEWS` and `Reads` come from global modules. */
  readonly imports: NonNullable<ModuleMetadata['imports']>;
  readonly server: EdgeServer;
  readonly idTokens: Pick<IdTokens, 'verify'>;
  readonly limits: RateLimits;
  readonly metrics: Metrics;
  readonly logger: Logger;
  /** Origins of pages that may open a socket, beside the service's own. */
  readonly allowedOrigins: readonly string[];
  readonly publicUrl: string;
  /** Time limits of each connection. Default: `TIMINGS`. */
  readonly timings?: Timings;
  /** Time limit of the decision whether to accept an upgrade, in milliseconds. Default: `DECISION_TIMEOUT_MS`. */
  readonly decisionMs?: number;
  /** How many sockets may be open in this process. Default: `MAX_SOCKETS`. */
  readonly maxSockets?: number;
}

/** The interview's socket: pass `SocketAdapter` to `openApplication`, and call `InterviewGateway.drain` at the end. */
@Module({})
export class InterviewSocketModule {
  static forRoot(options: InterviewSocketOptions): DynamicModule {
    const { imports, server, idTokens, limits, logger } = options;
    const timings = options.timings ?? TIMINGS;
    const metrics = new SocketMetrics(options.metrics.registry);
    const origins = new Set([...options.allowedOrigins, new URL(options.publicUrl).origin]);
    const connections = new ConnectionLimit(options.maxSockets ?? MAX_SOCKETS, MAX_SOCKETS_OF_CALLER);
    const deadlineMs = options.decisionMs ?? DECISION_TIMEOUT_MS;
    return {
      module: InterviewSocketModule,
      imports,
      controllers: [SocketController, AsyncApiController],
      providers: [
        {
          provide: GATEWAY_OPTIONS,
          inject: [INTERVIEWS],
          useFactory: (interviews: Interviews): GatewayOptions => ({
            ...{ interviews, metrics, timings, logger },
            sending: server.sending,
          }),
        },
        InterviewGateway,
        {
          provide: SocketAdapter,
          inject: [INTERVIEWS, Reads, CandidateApplications],
          useFactory: (interviews: Interviews, reads: Reads, own: CandidateApplications) => {
            const admission = new Admission({
              idTokens,
              ownSession: ownSession(reads, own),
              interviews,
              limits,
              connections,
              sending: server.sending,
              origins,
              deadlineMs,
            });
            return new SocketAdapter({ server, admission, metrics, timings });
          },
        },
      ],
      exports: [InterviewGateway, SocketAdapter],
    };
  }
}
