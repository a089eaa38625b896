import 'reflect-metadata';
import type { DynamicModule, NestApplicationOptions, Type, WebSocketAdapter } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyPluginAsync } from 'fastify';
import type { EdgeServer } from '../http/edge-server.js';
import { ErrorFilter, ErrorSink } from '../http/error-sink.js';
import { createFastify, EdgeAdapter } from '../http/fastify.js';
import type { RateLimits } from '../http/rate-limits.js';
import { BodyPipe } from '../http/validation/validate.js';
import { FrameworkLog, type Logger } from '../process/log.js';
import type { Metrics } from '../process/metrics.js';

export interface ApplicationOptions {
  /** The root module. */
  readonly module: DynamicModule;
  readonly server: EdgeServer;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly limits: RateLimits;
  readonly trustedProxies: readonly string[];
  /** Routes beside those of the module's controllers. Default: none. */
  readonly routes?: readonly FastifyPluginAsync[];
  /** The adapter of WebSocket gateways, one of the module's providers; without one there are no gateways. */
  readonly sockets?: Type<WebSocketAdapter>;
}

/**
 * Builds the application on the edge and opens the server to it.
 * @throws whatever a module fails with as it starts
 */
export const openApplication = async (options: ApplicationOptions): Promise<NestFastifyApplication> => {
  const { module, server, logger, metrics, limits, trustedProxies, routes = [], sockets } = options;
  const sink = new ErrorSink(logger, limits);
  const { instance } = createFastify({ server, sink, logger, metrics, trustedProxies });
  for (const plugin of routes) void instance.register(plugin);
  // eslint-disable-next-line @typescript-eslint/no-unsafe-class-instance-assignment -- Nest declares its options as a class and takes any object of that shape.
  const nest: NestApplicationOptions = {
    logger: new FrameworkLog(logger),
    bodyParser: false,
    abortOnError: false,
  };
  const application = await NestFactory.create<NestFastifyApplication>(
    module,
    new EdgeAdapter(instance),
    nest,
  );
  application.useGlobalPipes(new BodyPipe());
  application.useGlobalFilters(new ErrorFilter(sink));
  if (sockets) application.useWebSocketAdapter(application.get<WebSocketAdapter>(sockets));
  await application.init();
  await instance.ready();
  server.open((request, response) => instance.routing(request, response));
  return application;
};
