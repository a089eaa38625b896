import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EmbeddedEventStore } from '../../../../src/stores/lmdb/log/log.js';
import { joinBatch, RECORD_OVERHEAD, splitBatch } from './batch-bytes.js';
import { check } from './check.js';
import {
  type Entry,
  type Expectation,
  type Outcome,
  type Proposed,
  type Stream,
  TOMBSTONE,
} from './entry.js';
import { Journal, type Order } from './journal.js';
import { LogIndex } from './log-index.js';

/** Ticks of 100 ns since 1970: the server's unit for the time of an event. */
const now = (): string => `${BigInt(Date.now()) * 10_000n}`;

/** The answer that delivers an event to a reader, encoded once. */
function encodeFrame(stream: string, revision: bigint, position: number, event: Proposed): Buffer {
  const at = position.toString();
  const record = new streams.ReadResp.ReadEvent.RecordedEvent()
    .setId(new shared.UUID().setString(event.id))
    .setStreamIdentifier(new shared.StreamIdentifier().setStreamName(Buffer.from(stream)))
    .setStreamRevision(revision.toString())
    .setPreparePosition(at)
    .setCommitPosition(at)
    .setData(event.data)
    .setCustomMetadata(event.metadata);
  record
    .getMetadataMap()
    .set('type', event.type)
    .set('created', now())
    .set('content-type', event.contentType);
  const read = new streams.ReadResp.ReadEvent().setEvent(record).setCommitPosition(at);
  return Buffer.from(new streams.ReadResp().setEvent(read).serializeBinary());
}

/** The data of the event in a frame. */
const dataOf = (frame: Uint8Array): Uint8Array =>
  streams.ReadResp.deserializeBinary(frame).getEvent()?.getEvent()?.getData_asU8() ?? new Uint8Array();

/**
 * The server's log, with the answers of a real server, stored in the embedded log. An append is checked and gets its
 * position when it arrives. Readers see it, and it is acknowledged, once it is on disk.
 */
export class EventLog {
  readonly index = new LogIndex();
  readonly #journal: Journal;
  readonly #grown = new EventEmitter().setMaxListeners(0);
  #visible = 0;
  #written: Promise<void> = Promise.resolve();

  /**
   * @param failed called if a write to disk fails: every answer so far is right, but the server must end
   * @param commitMs how long a write stays uncommitted after it is on disk
   */
  constructor(
    embedded: EmbeddedEventStore,
    private readonly failed: (error: unknown) => void,
    private readonly commitMs: () => number = () => 0,
  ) {
    this.#journal = new Journal(embedded);
  }

  /** Reads the stored log. Call it before anything else. */
  async load(): Promise<void> {
    for await (const { batch, bytes } of this.#journal.load()) {
      const { header, offset } = splitBatch(bytes);
      const last = this.index.add(header, batch, offset);
      if (header.stream.startsWith('$$')) this.index.describe(header.stream, dataOf(slice(bytes, last)));
    }
    this.#visible = this.index.entries.length;
  }

  /** The number of entries, from the first, that readers see. */
  get visible(): number {
    return this.#visible;
  }

  async append(name: string, expected: Expectation, events: readonly Proposed[]): Promise<Outcome> {
    const stream = this.index.open(name);
    const ids = events.map(({ id }) => id);
    const found = check(stream, expected, ids, (id) => this.index.recent(id));
    if (found.kind === 'known') {
      return found.last.ordinal < this.#visible ? written(found.last) : { kind: 'not-ready' };
    }
    // Refused at once, as by the real server: readers may not yet see the event that caused it.
    if (found.kind !== 'ok') return found;
    const revision = stream.entries.length;
    if (events.length === 0) return this.#judged({ kind: 'written', revision: revision - 1, position: -1 });
    const outcome = this.#write(stream, BigInt(revision), events);
    if (found.undelete) void this.setMetadata(name, { $tb: revision });
    return outcome;
  }

  /** Deletes a stream. It can be written to again, with continued revisions. */
  async delete(name: string, expected: Expectation): Promise<Outcome> {
    const found = this.#deletable(name, expected);
    if (found) return this.#judged(found);
    return this.setMetadata(name, { $tb: 9223372036854775807n });
  }

  /** Deletes a stream permanently. */
  async tombstone(name: string, expected: Expectation): Promise<Outcome> {
    const found = this.#deletable(name, expected);
    if (found) return this.#judged(found);
    return this.#write(this.index.open(name), TOMBSTONE, [systemEvent('$streamDeleted', '')]);
  }

  setMetadata(name: string, metadata: { readonly $tb: number | bigint }): Promise<Outcome> {
    const meta = this.index.open(`$$${name}`);
    const event = systemEvent('$metadata', `{"$tb":${metadata.$tb}}`);
    return this.#write(meta, BigInt(meta.entries.length), [event]);
  }

  /** Appends an event of the server's own, such as its statistics. */
  async appendSystemEvent(stream: string, type: string, data: unknown): Promise<void> {
    await this.append(stream, 'any', [systemEvent(type, JSON.stringify(data))]);
  }

  /** The encoded event of an entry; synchronously if it was used lately. */
  cachedFrame(entry: Entry): Buffer | undefined {
    const bytes = this.#journal.cached(entry.batch);
    return bytes && slice(bytes, entry);
  }

  async frame(entry: Entry, order: Order): Promise<Buffer> {
    return slice(await this.#journal.read(entry.batch, order), entry);
  }

  /** Resolves once more than so many entries are visible, or the signal aborts. */
  grown(than: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (this.#visible > than || signal.aborted) {
        resolve();
        return;
      }
      const wake = (): void => {
        this.#grown.off('grown', wake);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      this.#grown.on('grown', wake);
      signal.addEventListener('abort', wake, { once: true });
    });
  }

  #deletable(name: string, expected: Expectation): Outcome | null {
    const stream = this.index.open(name);
    const current = stream.entries.length - 1;
    if (stream.tombstoned) return { kind: 'stream-deleted' };
    const holds =
      expected === 'any' ||
      (expected === 'stream_exists'
        ? current >= 0
        : Number(expected === 'no_stream' ? -1 : expected) === current);
    return holds ? null : { kind: 'wrong-expected-version', current };
  }

  #write(stream: Stream, first: bigint, events: readonly Proposed[]): Promise<Outcome> {
    const frames: Buffer[] = [];
    let position = this.index.end;
    for (const [ordinal, event] of events.entries()) {
      const frame = encodeFrame(stream.name, first + BigInt(ordinal), position, event);
      frames.push(frame);
      position += frame.length + RECORD_OVERHEAD;
    }
    const header = {
      stream: stream.name,
      revision: `${first}`,
      position: this.index.end,
      events: events.map(({ id, type }, ordinal) => ({ id, type, length: frames[ordinal]!.length })),
    };
    const { bytes, offset } = joinBatch(header, frames);
    const { batch, durable } = this.#journal.write(bytes);
    const last = this.index.add(header, batch, offset);
    if (stream.name.startsWith('$$')) this.index.describe(stream.name, events.at(-1)!.data);
    const before = this.#written;
    const waiting = this.commitMs();
    const committed = waiting > 0 ? durable.then(() => sleep(waiting)) : durable;
    this.#written = committed.then(() => before).then(() => this.#reached(last.ordinal + 1));
    this.#written.catch(this.failed);
    return this.#written.then(() => written(last));
  }

  /** Resolves once everything that was accepted before is on disk: only then may it be answered. */
  async #judged(outcome: Outcome): Promise<Outcome> {
    await this.#written;
    return outcome;
  }

  #reached(visible: number): void {
    this.#visible = visible;
    this.#grown.emit('grown');
  }
}

const written = ({ revision, position }: Entry): Outcome => ({
  kind: 'written',
  revision: Number(revision),
  position,
});

const slice = (bytes: Buffer, { offset, length }: Entry): Buffer => bytes.subarray(offset, offset + length);

const systemEvent = (type: string, data: string): Proposed => ({
  id: crypto.randomUUID(),
  type,
  contentType: 'application/json',
  data: Buffer.from(data),
  metadata: new Uint8Array(),
});
