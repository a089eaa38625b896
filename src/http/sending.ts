import { Gauge, type Registry } from 'prom-client';
import { type ApiError, unavailable } from './api-error.js';

/** How many bytes may wait to be sent. */
export interface SendingLimits {
  /** In the whole process. */
  readonly all: number;
  /** To one caller, on all connections. */
  readonly caller: number;
}

const LIMITS: SendingLimits = { all: 64 * 1024 * 1024, caller: 16 * 1024 * 1024 };

/** An answer up to this size, such as an error, is sent even if too much waits; in bytes. */
export const SMALL_BYTES = 16 * 1024;
/**
 * What a streamed body counts as, in bytes: about what it has in memory with its next piece and its socket's buffer.
 */
export const STREAM_BYTES = 512 * 1024;

/** Counts the bytes of one answer, or one connection, that its client has not read. */
export interface Waiting {
  /** Replaces the count. @returns false: a limit would be exceeded, and the count is unchanged */
  becomes(bytes: number): boolean;
}

/** Counts and limits what waits in this process to be sent: slow clients would fill its memory. */
export class Sending {
  private all = 0;
  private readonly byCaller = new Map<string, number>();

  constructor(private readonly limits: SendingLimits = LIMITS) {}

  /** How many bytes wait in the whole process. */
  get bytes(): number {
    return this.all;
  }

  /** Whether a stream would exceed the limit of the process. */
  get isFull(): boolean {
    return this.all + STREAM_BYTES > this.limits.all;
  }

  /** Begins the count of one answer or connection. End it by `becomes(0)`. @param caller a subject, or an address */
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

  /** Whether the bytes fit. If nothing else waits, also a body larger than a limit fits. */
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

/** Registers the metric of what waits to be sent. */
export const registerSendingMetrics = (registry: Registry, sending: Pick<Sending, 'bytes'>): void => {
  new Gauge({
    name: 'assay_sending_waiting_bytes',
    help: 'Bytes of answers in this process that callers have not read yet.',
    registers: [registry],
    collect() {
      this.set(sending.bytes);
    },
  });
};

/** 503: the answer is not sent, because too much waits. */
export const tooMuchWaits = (): ApiError =>
  unavailable('Too much waits here to be sent. Read the answers that you have asked for, and try again.');
