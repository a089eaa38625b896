import streams from '@eventstore/db-client/generated/streams_pb.js';
import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Entry } from '../log/entry.js';
import type { EventLog } from '../log/event-log.js';
import { type Filter, filterOf } from './filter.js';
import type { Outlet } from './outlet.js';
import { placeOf } from './positions.js';
import { visibleEnd } from './read.js';
import { streamName } from './requests.js';
import { consumerTooSlow, streamDeleted } from './rpc-errors.js';

type Options = streams.ReadReq.Options;

/** A live consumer is removed if so many events wait for it, and it has taken none for so long. */
export interface Patience {
  readonly behind: number;
  readonly milliseconds: number;
}

/** The source of a subscription: the whole log or one stream. */
interface Source {
  readonly entries: readonly Entry[];
  /** The number of entries that readers see now. @throws {RpcError} there will be no more */
  end(): number;
  /** The position of the next entry, if it exists; otherwise the end of the log. */
  positionAfter(at: number): number;
}

/**
 * Delivers everything after a position, exclusive, and then what is appended, until the reader is gone.
 * @param repeated the number of records before that place that are delivered, too
 */
export async function subscribeToAll(
  log: EventLog,
  options: Options,
  outlet: Outlet,
  patience: () => Patience,
  muted: () => boolean,
  repeated: number,
): Promise<void> {
  const filter = options.getFilter();
  const place = placeOf(log, options.getAll() ?? new streams.ReadReq.Options.AllOptions());
  const source: Source = {
    entries: log.index.entries,
    end: () => log.visible,
    positionAfter: (at) => log.index.entries[at]?.position ?? log.index.end,
  };
  // As version 23.10: it reads one record from there, and delivers what follows it. So a place between two records
  // skips the record after it, unless that is appended later.
  const atStart = place?.ordinal === 0 && !place.exact;
  const from = place && !atStart ? Math.min(place.ordinal + 1, log.visible) : place ? 0 : log.visible;
  await new Subscription(log, source, outlet, filter ? filterOf(filter) : null, patience, muted).run(
    Math.max(0, from - repeated),
  );
}

/** The same for one stream, after a revision. The stream need not exist yet. */
export async function subscribeToStream(
  log: EventLog,
  options: Options,
  outlet: Outlet,
  patience: () => Patience,
): Promise<void> {
  const asked = options.getStream();
  const name = streamName(asked?.getStreamIdentifier());
  const stream = log.index.open(name);
  const end = (): number => {
    if (stream.tombstoned) throw streamDeleted(name);
    return visibleEnd(log, stream.entries);
  };
  const source: Source = { entries: stream.entries, end, positionAfter: () => 0 };
  const after = asked?.hasEnd() ? end() - 1 : asked?.hasRevision() ? Number(asked.getRevision()) : -1;
  const from = Math.max(after + 1, Math.min(stream.truncateBefore, end()));
  await new Subscription(log, source, outlet, null, patience).run(from);
}

class Subscription {
  #live = false;
  #considered = 0;
  #checkpoint = { commit: -1, prepare: -1 };

  constructor(
    private readonly log: EventLog,
    private readonly source: Source,
    private readonly outlet: Outlet,
    private readonly filter: Filter | null,
    private readonly patience: () => Patience,
    private readonly muted: () => boolean = () => false,
  ) {}

  async run(from: number): Promise<void> {
    const { outlet, source } = this;
    const confirmation = new streams.ReadResp.SubscriptionConfirmation().setSubscriptionId(randomUUID());
    outlet.send(new streams.ReadResp().setConfirmation(confirmation));
    if (from >= source.end()) this.#caughtUp();
    let next = from;
    while (!outlet.signal.aborted) {
      if (this.muted()) {
        await sleep(5);
        continue;
      }
      const seen = this.log.visible;
      const end = source.end();
      if (next < end) next = this.#live ? await this.#handLive(next) : await this.#page(next);
      else await this.log.grown(seen, outlet.signal);
    }
  }

  /**
   * Delivers one page of stored records, and then a checkpoint if enough records were read or the past ends here. The
   * checkpoint names the last delivered event of the page, or else the start of the page.
   */
  async #page(from: number): Promise<number> {
    const { outlet, source, filter } = this;
    const end = Math.min(from + (filter?.window ?? 32), source.end());
    let reached = { commit: source.positionAfter(from), prepare: 0 };
    for (let at = from; at < end && !outlet.signal.aborted; at++) {
      const entry = source.entries[at]!;
      if (await this.#handOver(entry, 'forward')) {
        reached = { commit: entry.position, prepare: entry.position };
      }
      if (outlet.blocked) await outlet.blocked;
    }
    this.#considered += end - from;
    const reachedEnd = end === source.end();
    if (filter && (reachedEnd || this.#considered >= filter.checkpointEvery)) {
      this.#considered %= filter.checkpointEvery;
      this.#sendCheckpoint(reached.commit, reached.prepare);
    }
    if (reachedEnd) this.#caughtUp();
    // If nothing matches, no write blocks: let other work run.
    await nextTurn();
    return end;
  }

  async #handLive(at: number): Promise<number> {
    const entry = this.source.entries[at]!;
    await this.#handOver(entry, 'any');
    if (this.filter && ++this.#considered >= this.filter.checkpointEvery) {
      this.#considered = 0;
      this.#sendCheckpoint(entry.position, entry.position);
    }
    while (this.outlet.blocked) await this.#waitForConsumer(this.outlet.blocked, at + 1);
    return at + 1;
  }

  /** @returns whether the entry was requested */
  async #handOver(entry: Entry, order: 'forward' | 'any'): Promise<boolean> {
    if (this.filter && !this.filter.matches(entry)) return false;
    await this.outlet.sendEvent(entry, order);
    return true;
  }

  async #waitForConsumer(blocked: Promise<void>, next: number): Promise<void> {
    const { behind, milliseconds } = this.patience();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<'late'>((resolve) => {
      timer = setTimeout(() => resolve('late'), milliseconds);
    });
    const outcome = await Promise.race([blocked, late]);
    clearTimeout(timer);
    if (outcome === 'late' && this.source.end() - next > behind) throw consumerTooSlow();
  }

  #sendCheckpoint(commit: number, prepare: number): void {
    const last = this.#checkpoint;
    if (commit < last.commit || (commit === last.commit && prepare <= last.prepare)) return;
    this.#checkpoint = { commit, prepare };
    const checkpoint = new streams.ReadResp.Checkpoint();
    checkpoint.setCommitPosition(`${commit}`).setPreparePosition(`${prepare}`);
    this.outlet.send(new streams.ReadResp().setCheckpoint(checkpoint));
  }

  #caughtUp(): void {
    this.#live = true;
    this.#considered = 0;
    this.outlet.send(new streams.ReadResp().setCaughtUp(new streams.ReadResp.CaughtUp()));
  }
}
