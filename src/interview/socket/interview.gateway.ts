import { Inject, Injectable } from '@nestjs/common';
import { WebSocketGateway, type OnGatewayConnection } from '@nestjs/websockets';
import { LRUCache } from 'lru-cache';
import { setTimeout as sleep } from 'node:timers/promises';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { WebSocket } from 'ws';
import { CLOSE } from '../../../packages/interview-client/src/protocol/codes.js';
import { within } from '../../core/backoff.js';
import type { Sending } from '../../http/sending.js';
import type { Logger } from '../../process/log.js';
import type { Interviews, AdmittedCaller } from '../session/port.js';
import { Connection } from './connection.js';
import { ALL_FRAMES, FrameRate } from './limits.js';
import type { Timings } from './limits.js';

/** When the service stops: how long clients may take to close their side, in milliseconds. */
const LAST_MS = 1_000;

/** How many callers' frames are counted: many more than have a socket at the same time. */
const MAX_CALLERS = 20_000;

export interface GatewayOptions {
  readonly interviews: Interviews;
  readonly metrics: SocketMetrics;
  readonly timings: Timings;
  readonly logger: Logger;
  readonly sending: Sending;
}

/** Injection token of `GatewayOptions`: Nest finds only gateways that it creates itself. */
export const GATEWAY_OPTIONS = Symbol('GatewayOptions');

/** Holds the open sockets of interviews. */
@Injectable()
@WebSocketGateway()
export class InterviewGateway implements OnGatewayConnection<WebSocket> {
  private readonly connections = new Set<Connection>();
  /** Rates of frames by subject, so that a new connection does not restart the count. */
  private readonly frames = new LRUCache<string, FrameRate>({ max: MAX_CALLERS });

  constructor(@Inject(GATEWAY_OPTIONS) private readonly options: GatewayOptions) {}

  handleConnection(socket: WebSocket, admitted: AdmittedCaller): void {
    const { interviews, metrics, timings, logger, sending } = this.options;
    const { ids, caller } = admitted;
    const frames = this.frames.get(caller.subject) ?? new FrameRate(ALL_FRAMES);
    this.frames.set(caller.subject, frames);
    const started = performance.now();
    const connection = new Connection(socket, admitted, {
      interviews,
      timings,
      frames,
      waiting: sending.begin(caller.subject),
      failed: (err) => logger.error({ ...ids, err }, 'An interview failed on its socket.'),
      closed: (code) => {
        this.connections.delete(connection);
        metrics.closed(code);
        const durationMs = Math.round(performance.now() - started);
        logger.info({ ...ids, code, durationMs }, 'socket closed');
      },
    });
    this.connections.add(connection);
    metrics.opened();
    logger.info(ids, 'socket opened');
  }

  /**
   * Sends `go_away` to every client, waits `deadlineMs` at most until interviews have recorded what they received, and
   * closes the sockets. Resolves once no socket is left, at the latest about a second after that. Refuse new upgrades
   * before: see `EdgeServer.drain`.
   */
  async drain(deadlineMs: number): Promise<void> {
    for (const connection of this.connections) connection.goAway(deadlineMs);
    const { interviews, logger } = this.options;
    const rested = interviews.drain(deadlineMs).then(
      () => true,
      (err: unknown) => {
        logger.error({ err }, 'Interviews could not record what they had received.');
        return true;
      },
    );
    if (!(await within(deadlineMs, rested, () => false)))
      logger.warn('Interviews did not record in time what they had received.');
    for (const connection of this.connections) connection.close(CLOSE.restart);
    for (let left = LAST_MS; left > 0 && this.connections.size > 0; left -= 20) await sleep(20);
    for (const connection of this.connections) connection.terminate();
  }
}

/** Codes with their own series in the metrics. All others share one, since clients can use thousands of codes. */
const COUNTED_CODES: ReadonlySet<number> = new Set([...Object.values(CLOSE), 1002, 1005, 1006, 1007, 1008]);

/** Metrics of the interview's sockets. */
export class SocketMetrics {
  private readonly sockets: Gauge;
  private readonly closes: Counter<'code'>;
  private readonly upgrades: Counter<'status'>;

  constructor(registry: Registry) {
    const registers = [registry];
    this.sockets = new Gauge({
      name: 'interview_sockets',
      help: 'Number of open interview sockets in this process.',
      registers,
    });
    this.closes = new Counter({
      name: 'interview_socket_closes_total',
      help: 'Number of interview sockets that were closed, by closing code.',
      labelNames: ['code'],
      registers,
    });
    this.upgrades = new Counter({
      name: 'interview_upgrades_total',
      help: 'Number of requests for an interview socket, by the status of the answer.',
      labelNames: ['status'],
      registers,
    });
  }

  /** A request for the socket was answered. */
  answered(status: number): void {
    this.upgrades.inc({ status: `${status}` });
  }

  /** A socket is open. */
  opened(): void {
    this.sockets.inc();
  }

  /** A socket is closed. @param code the closing code */
  closed(code: number): void {
    this.sockets.dec();
    this.closes.inc({ code: COUNTED_CODES.has(code) ? `${code}` : 'other' });
  }
}
