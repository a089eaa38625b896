import { Counter, Gauge, type Registry } from 'prom-client';
import { CLOSE } from '../../../packages/interview-client/src/protocol/codes.js';

/** Clients may close with any of thousands of codes: those that say nothing to us are one series. */
const TOLD_APART: ReadonlySet<number> = new Set([...Object.values(CLOSE), 1002, 1005, 1006, 1007, 1008]);

/** What Prometheus learns of the interview's sockets. */
export class SocketMetrics {
  private readonly sockets: Gauge;
  private readonly closes: Counter<'code'>;
  private readonly upgrades: Counter<'status'>;

  constructor(registry: Registry) {
    const registers = [registry];
    this.sockets = new Gauge({
      name: 'interview_sockets',
      help: 'Sockets of interviews that are open.',
      registers,
    });
    this.closes = new Counter({
      name: 'interview_socket_closes_total',
      help: 'Sockets of interviews that were closed, by closing code.',
      labelNames: ['code'],
      registers,
    });
    this.upgrades = new Counter({
      name: 'interview_upgrades_total',
      help: 'Requests for the socket of an interview, by the status of the answer.',
      labelNames: ['status'],
      registers,
    });
  }

  answered(status: number): void {
    this.upgrades.inc({ status: `${status}` });
  }

  opened(): void {
    this.sockets.inc();
  }

  closed(code: number): void {
    this.sockets.dec();
    this.closes.inc({ code: TOLD_APART.has(code) ? `${code}` : 'other' });
  }
}
