import type streams from '@eventstore/db-client/generated/streams_pb.js';
import type { ServerWritableStream } from '@grpc/grpc-js';
import type { Entry } from '../log/entry.js';
import type { EventLog } from '../log/event-log.js';
import type { Order } from '../log/journal.js';

/** An answer of many messages, written no faster than its reader reads. */
export class Outlet {
  /** Aborts once the reader is gone. */
  readonly signal: AbortSignal;
  readonly #ended = new AbortController();
  #blocked: Promise<void> | null = null;

  constructor(
    private readonly call: ServerWritableStream<streams.ReadReq, Buffer>,
    private readonly log: EventLog,
  ) {
    this.signal = this.#ended.signal;
    for (const event of ['cancelled', 'close', 'error']) call.on(event, () => this.#ended.abort());
  }

  send(response: streams.ReadResp): void {
    this.#write(Buffer.from(response.serializeBinary()));
  }

  async sendEvent(entry: Entry, order: Order): Promise<void> {
    this.#write(this.log.cachedFrame(entry) ?? (await this.log.frame(entry, order)));
  }

  /** Resolves once the reader accepts more, or is gone; `null` if it accepts more now. */
  get blocked(): Promise<void> | null {
    return this.#blocked;
  }

  #write(bytes: Buffer): void {
    if (this.signal.aborted || this.call.write(bytes)) return;
    this.#blocked ??= new Promise((resolve) => {
      const free = (): void => {
        this.#blocked = null;
        this.signal.removeEventListener('abort', free);
        this.call.off('drain', free);
        resolve();
      };
      this.call.on('drain', free);
      this.signal.addEventListener('abort', free, { once: true });
    });
  }
}
