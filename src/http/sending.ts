import { Gauge, type Registry } from 'prom-client';
import { type ApiError, unavailable } from './api-error.js';

/** Most bytes that may wait to be sent. */
export interface SendingLimits {
  /** In all of the process. */
  readonly all: number;
  /** To one caller, on all of their connections. */
  readonly caller: number;
}

const LIMITS: SendingLimits = { all: 64 * 1024 * 1024, caller: 16 * 1024 * 1024 };

/** Bytes up to which an answer is sent however much waits, such as an error. */
export const SMALL_BYTES = 16 * 1024;
/** What a streamed body counts as, in bytes: about what it has in memory, its next piece and what its socket holds. */
export const STREAM_BYTES = 512 * 1024;

/** Counts what waits on one connection to be read by its client. */
export interface Waiting {
  /** Replaces the count. @returns false: too much waits in all, and the count stays as it was */
  becomes(bytes: number): boolean;
}

/** The sum of what waits in this process to be sent: clients that read slowly would take up its memory. */
export class Sending {
  private all = 0;
  private readonly byCaller = new Map<string, number>();

  constructor(private readonly limits: SendingLimits = LIMITS) {}

  /** What waits in all, in bytes. */
  get bytes(): number {
    return this.all;
  }

  /** Whether nothing should begin that sends as much as a stream. */
  get isFull(): boolean {
    return this.all + STREAM_BYTES > this.limits.all;
  }

  /** Begins the count of one answer, which ends with `becomes(0)`. @param caller a subject, or an address */
  begin(caller: string): Waiting {
    let here = 0;
    return {
      becomes: (bytes) => {
        if (bytes > Math.max(here, SMALL_BYTES) && !this.fits(bytes - here, caller)) return false;
        this.add(bytes - here, caller);
        here = bytes;
        return true;
      },
    };
  }

  /** A body that is larger than a limit fits if nothing else waits. */
  private fits(bytes: number, caller: string): boolean {
    const own = this.byCaller.get(caller) ?? 0;
    return (
      (this.all === 0 || this.all + bytes <= this.limits.all) &&
      (own === 0 || own + bytes <= this.limits.caller)
    );
  }

  private add(bytes: number, caller: string): void {
    this.all += bytes;
    const own = (this.byCaller.get(caller) ?? 0) + bytes;
    if (own > 0) this.byCaller.set(caller, own);
    else this.byCaller.delete(caller);
  }
}

/** What waits here to be sent, for Prometheus. */
export const registerSendingMetrics = (registry: Registry, sending: Pick<Sending, 'bytes'>): void => {
  new Gauge({
    name: 'assay_sending_waiting_bytes',
    help: 'Bytes that wait in this process to be read by its callers.',
    registers: [registry],
    collect() {
      this.set(sending.bytes);
    },
  });
};

/** 503 for an answer that is not sent because too much waits. */
export const tooMuchWaits = (): ApiError =>
  unavailable('Too much waits here to be sent. Read the answers that you have asked for, and try again.');
