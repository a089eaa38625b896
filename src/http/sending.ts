import { Readable } from 'node:stream';
import { Gauge, type Registry } from 'prom-client';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type ApiError, unavailable } from './api-error.js';
import { countedAddress } from './counted-address.js';

/** Most bytes that may wait to be sent. */
export interface SendingLimits {
  /** In all of the process. */
  readonly all: number;
  /** To one caller, on all of their connections. */
  readonly caller: number;
}

const LIMITS: SendingLimits = { all: 64 * 1024 * 1024, caller: 16 * 1024 * 1024 };

/** What is not larger is sent however much waits: an error, for one. */
const SMALL_BYTES = 16 * 1024;
const PIECE_BYTES = 64 * 1024;
/** About what a body that is made as it is read has in memory: its next piece, and what its socket holds. */
const STREAM_BYTES = 512 * 1024;

/** What waits on one connection to be read by its other side. */
export interface Waiting {
  /** @returns false: too much waits already, and what waits here is counted as before */
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

  /** Whether nothing more should begin that has much to send. */
  get isFull(): boolean {
    return this.all + STREAM_BYTES > this.limits.all;
  }

  /** @param caller a subject, or an address; end with `becomes(0)` */
  to(caller: string): Waiting {
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

  /** What is larger than a limit is sent alone. */
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

/** What is refused while too much waits to be sent. */
export const tooMuchWaits = (): ApiError =>
  unavailable('Too much waits here to be sent. Read the answers that you have asked for, and try again.');

/** As far as the guard of access has found out who calls. */
type Calling = FastifyRequest & { readonly caller?: { readonly subject: string } };

/**
 * Sends large answers in pieces, each once its reader has taken the one before, and a read's only if not too much waits.
 * A command's is sent all the same: it has been carried out.
 */
export const sendInPieces = (instance: FastifyInstance, sending: Sending): void => {
  instance.addHook('onSend', (request: Calling, reply, payload, done) => {
    const bytes = bytesOf(payload);
    if (bytes <= SMALL_BYTES || request.method === 'HEAD') {
      done(null, payload);
      return;
    }
    const waiting = sending.to(request.caller?.subject ?? countedAddress(request.ip));
    if (!waiting.becomes(bytes) && request.method === 'GET') {
      if (payload instanceof Readable) payload.destroy();
      // They are of the answer that is not given.
      for (const name of Object.keys(reply.getHeaders()))
        if (!name.startsWith('ratelimit-')) reply.removeHeader(name);
      done(tooMuchWaits());
      return;
    }
    reply.raw.once('close', () => waiting.becomes(0));
    if (payload instanceof Readable || bytes <= PIECE_BYTES) {
      done(null, payload);
      return;
    }
    const body = Buffer.isBuffer(payload) ? payload : Buffer.from(payload as string);
    reply.header('content-length', bytes);
    done(null, Readable.from(piecesOf(body), { objectMode: false }));
  });
};

const bytesOf = (payload: unknown): number => {
  if (payload instanceof Readable) return STREAM_BYTES;
  return typeof payload === 'string' || Buffer.isBuffer(payload) ? Buffer.byteLength(payload) : 0;
};

function* piecesOf(body: Buffer): Generator<Buffer> {
  for (let at = 0; at < body.byteLength; at += PIECE_BYTES) yield body.subarray(at, at + PIECE_BYTES);
}
