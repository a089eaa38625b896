import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { WebSocketGateway, type OnGatewayConnection } from '@nestjs/websockets';
import { LRUCache } from 'lru-cache';
import type { WebSocket } from 'ws';
import type { Logger } from '../../process/log.js';
import { CLOSE } from '../../../packages/interview-client/src/protocol/codes.js';
import type { Interviews, Visitor } from '../session/port.js';
import { Connection } from './connection.js';
import { ALL_FRAMES, FrameRate } from './inbound.js';
import type { SocketMetrics } from './socket-metrics.js';
import type { Timings } from './timers.js';

/** Clients have so long to close once they are told to. */
const LAST_MS = 1_000;

/** Whose frames are counted, those that connected last: many more than have a socket at a time. */
const MOST_CALLERS = 20_000;

export interface GatewayOptions {
  readonly interviews: Interviews;
  readonly metrics: SocketMetrics;
  readonly timings: Timings;
  readonly logger: Logger;
}

/** Injection token of `GatewayOptions`: Nest finds gateways among classes that it makes itself. */
export const GATEWAY_OPTIONS = Symbol('GatewayOptions');

/** Holds the open sockets of interviews. */
@Injectable()
@WebSocketGateway()
export class InterviewGateway implements OnGatewayConnection<WebSocket> {
  private readonly connections = new Set<Connection>();
  /** By subject: whoever connects anew goes on counting. */
  private readonly frames = new LRUCache<string, FrameRate>({ max: MOST_CALLERS });

  constructor(@Inject(GATEWAY_OPTIONS) private readonly options: GatewayOptions) {}

  handleConnection(socket: WebSocket, visitor: Visitor): void {
    const { interviews, metrics, timings, logger } = this.options;
    const { requestId, caller } = visitor;
    const frames = this.frames.get(caller.subject) ?? new FrameRate(ALL_FRAMES);
    this.frames.set(caller.subject, frames);
    const started = performance.now();
    const connection = new Connection(socket, visitor, {
      interviews,
      timings,
      frames,
      failed: (err) => logger.error({ requestId, err }, 'An interview failed on its socket.'),
      closed: (code) => {
        this.connections.delete(connection);
        metrics.closed(code);
        const durationMs = Math.round(performance.now() - started);
        logger.info({ requestId, code, durationMs }, 'socket closed');
      },
    });
    this.connections.add(connection);
    metrics.opened();
    logger.info({ requestId }, 'socket opened');
  }

  /**
   * Tells every client to go, lets interviews come to rest for `deadlineMs` at most, and closes. Ends once no socket
   * is left, at the latest about a second after that. Whoever calls it lets nobody in any more: see `EdgeServer.drain`.
   */
  async drain(deadlineMs: number): Promise<void> {
    for (const connection of this.connections) connection.goAway(deadlineMs);
    const { interviews, logger } = this.options;
    const waiting = new AbortController();
    const late = sleep(deadlineMs, true, { signal: waiting.signal }).catch(() => false);
    const rested = interviews.drain(deadlineMs).then(
      () => false,
      (err: unknown) => {
        logger.error({ err }, 'Interviews could not come to rest.');
        return false;
      },
    );
    if (await Promise.race([rested, late])) logger.warn('Interviews did not come to rest in time.');
    waiting.abort();
    for (const connection of this.connections) connection.close(CLOSE.restart);
    for (let left = LAST_MS; left > 0 && this.connections.size > 0; left -= 20) await sleep(20);
    for (const connection of this.connections) connection.terminate();
  }
}
