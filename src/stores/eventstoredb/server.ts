import { type LogId, type Position, START } from '../../core/event-store.js';
import type { Connection } from './connection.js';
import type { RawPosition } from './drivers/driver.js';
import { type LogNames, toPosition } from './record.js';

export interface EventStoreDbOptions {
  /** How long an append or a short read may take, in milliseconds. Default 3,000. */
  readonly deadlineMs?: number;
  /**
   * Whether calls wait, within their deadlines, for a server that cannot be reached. Default: false: they
   * wait only while a cluster elects a leader, and reads also right after a connection broke.
   */
  readonly patient?: boolean;
  /** How long a page of the whole log may take, in milliseconds. Default 10,000. */
  readonly pageDeadlineMs?: number;
  /** Milliseconds without traffic until the client pings the server, and for the answer. Default 3,000. */
  readonly keepAliveMs?: number;
  /**
   * How many events a live feed buffers for a consumer that is slower than the log; beyond that it reads pages. Default
   * 2,048.
   */
  readonly bufferEvents?: number;
  /** As `bufferEvents`, in bytes. Default 8 MiB. */
  readonly bufferBytes?: number;
  /**
   * How long the log may grow while the live feed delivers nothing, before the feed is reopened, in milliseconds.
   * Default 5,000.
   */
  readonly silentMs?: number;
  /** Called with a sentence for each fault that makes no call fail, such as an interrupted feed. */
  readonly onTrouble?: (sentence: string) => void;
  /** Called before a log is begun; if it throws, the log is not begun. */
  readonly onBegin?: () => Promise<void>;
}

/** The times and sizes of `EventStoreDbOptions`, with the defaults filled in. */
export type Limits = Required<Omit<EventStoreDbOptions, 'onTrouble' | 'onBegin'>>;

/** The limits unless options change them. */
export const LIMITS: Limits = {
  deadlineMs: 3_000,
  patient: false,
  pageDeadlineMs: 10_000,
  keepAliveMs: 3_000,
  bufferEvents: 2_048,
  bufferBytes: 8 << 20,
  silentMs: 5_000,
};

/** The state that all parts of one open store share. */
export interface Server {
  readonly logId: LogId;
  /** The server's address, for the sentences of errors. */
  readonly address: string;
  /** Which streams of the server are this log's. */
  readonly names: LogNames;
  readonly limits: Limits;
  /** The position of the log's identity: it precedes all events of the log's streams, and no read returns it. */
  readonly origin: Position;
  /** For calls that requests wait for: appends, reads of a stream; and for the live subscription. */
  readonly interactive: Connection;
  /** For pages of the whole log, a few at a time. */
  readonly bulk: Connection;
  readonly head: Head;
  /** Aborts when the store is closed. */
  readonly closing: AbortSignal;
  readonly onTrouble: (sentence: string) => void;
  /** For metrics: live feeds that were reopened because they delivered nothing. */
  readonly counts: { silentFeeds: number };
}

/**
 * Reads a page of `$all` backward from a position, without the record there: the positions of the records before it, and
 * which of them are this log's events.
 */
export type ReadBack = (
  from: RawPosition | 'end',
  count: number,
) => Promise<readonly { readonly position: RawPosition; readonly ours: boolean }[]>;

/** Events in the pages of a search: the first is small, each further one four times as large. */
const FIRST_PAGE = 16;
const MAX_PAGE = 2_048;

/**
 * The position of this log's last event. Other logs and the server itself write to `$all` too, so it is searched from
 * the end backward, down to where an earlier search began: no part is scanned twice.
 */
export class Head {
  /** The position of the last known event of this log. */
  #known: Position = START;
  /** `$all` was read up to here: this log has no event between `#known` and it. */
  #seen: Position = START;

  constructor(
    private readonly readBack: ReadBack,
    /** As in `Server`. */
    private readonly origin: Position,
  ) {}

  /** The last known head, without a read: the true one is at or after it. */
  get known(): Position {
    return this.#known;
  }

  /** Call it when an event of this log was appended or read. */
  reached(position: Position): void {
    if (position > this.#known) this.#known = position;
    if (position > this.#seen) this.#seen = position;
  }

  /** The position of the log’s last event, read backward from the server’s end. @throws what `readBack` throws */
  async find(): Promise<Position> {
    const seen = this.#seen > this.origin ? this.#seen : this.origin;
    let top: Position | null = null;
    let from: RawPosition | 'end' = 'end';
    for (let count = FIRST_PAGE; ; count = Math.min(count * 4, MAX_PAGE)) {
      const page = await this.readBack(from, count);
      for (const { position: raw, ours } of page) {
        const position = toPosition(raw);
        top ??= position;
        if (position > seen && !ours) continue;
        if (position > seen) this.reached(position);
        if (top > this.#seen) this.#seen = top;
        return this.#known;
      }
      const last = page.at(-1);
      // The page reaches the beginning of `$all`.
      if (last === undefined || page.length < count) return this.#known;
      from = last.position;
    }
  }
}
