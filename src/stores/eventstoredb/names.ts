import type { StreamName } from '../../core/event-store.js';
import { isStreamName } from '../../core/stream-name.js';
import type { StreamFilter } from './drivers/driver.js';

const LOG_NAME = /^[A-Za-z0-9_-]{1,100}$/;

/** Whether a text can name a log. It never holds a dot, which ends it in a stored name. */
export const isLogName = (name: string): boolean => LOG_NAME.test(name);

/**
 * How one log's streams are named at the server, which may hold several logs: `name.<stream>`, or plainly where the
 * log has no name. No stream name holds a dot, so neither can be taken for the other.
 */
export class LogNames {
  /** The stream whose first event is the log's identity; no stream name itself. */
  readonly identity: string;
  /** What a subscription asks the server for; other logs and the server's own events stay there. */
  readonly filter: StreamFilter;
  readonly #prefix: string;

  constructor(log: string | null) {
    this.#prefix = log === null ? '' : `${log}.`;
    this.identity = `${this.#prefix}assay_log`;
    this.filter = log === null ? { regex: '^[A-Za-z0-9_-]+$' } : { prefixes: [this.#prefix] };
  }

  stored(stream: StreamName): string {
    return this.#prefix + stream;
  }

  /** The stream of this log that is stored under a name; `null`: another log's, or none of ours at all. */
  own(stored: string): StreamName | null {
    if (!stored.startsWith(this.#prefix)) return null;
    const name = this.#prefix === '' ? stored : stored.slice(this.#prefix.length);
    return isStreamName(name) ? name : null;
  }
}
