import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { StoreUnavailable, StoreUnusable, Unavailable } from '../../core/errors.js';
import type { EventStore, LogId, Position } from '../../core/event-store.js';
import { longLived } from '../../core/signals.js';
import { Connection } from './connection.js';
import { loadDriver } from './drivers/clients.js';
import type { RawEvent } from './drivers/driver.js';
import { asClientError, describeFault, describeNodes, describeVersion, type Fault } from './faults.js';
import { readBack } from './reading.js';
import { isKnown, LogNames, missingPosition, toPosition, toProposed } from './record.js';
import { Head, LIMITS, type EventStoreDbOptions, type Limits } from './server.js';
import { EventStoreDbStore } from './store.js';
import { parseUrl } from './url.js';

/**
 * Slots of the connection for calls that requests wait for. An HTTP/2 connection has 100 streams: a call beyond them
 * hangs without an error. A few streams are left for cancelled calls that have not ended yet.
 */
const INTERACTIVE = { append: 64, read: 20, subscription: 12 };
/** Slots of the connection for pages of the whole log, which are large: a few at a time. */
const BULK = { append: 0, read: 4, subscription: 0 };

/**
 * Opens the log at an EventStoreDB (`esdb://`, `esdb+discover://`) or KurrentDB (`kurrentdb://`,
 * `kurrentdb+discover://`, `kdb://`). A path names one of several logs of a server. The log is made if there is none.
 * @throws {StoreUnavailable} the server is unreachable: try again
 * @throws {StoreUnusable} the server or the URL must be changed first: the message says how
 */
export async function openEventStoreDb(url: string, options: EventStoreDbOptions = {}): Promise<EventStore> {
  const parsed = parseUrl(url);
  const { address } = parsed;
  const { onTrouble = () => undefined, onBegin, ...limits } = { ...LIMITS, ...options };
  if (parsed.notice !== null) onTrouble(parsed.notice);
  const names = new LogNames(parsed.log);
  const driver = await loadDriver(parsed.driver);
  const closing = longLived();
  const connections: Connection[] = [];
  try {
    const connect = (slots: typeof INTERACTIVE): Connection => {
      const connection = new Connection(driver, parsed, limits, slots);
      connections.push(connection);
      return connection;
    };
    const interactive = connect(INTERACTIVE);
    const bulk = connect(BULK);
    await Promise.all([
      assertNewEnough(interactive, limits, address),
      // KurrentDB's client opens a further connection for reads, which takes time: open it here.
      assertReadable(interactive, limits),
      assertReadable(bulk, limits),
    ]);
    const { logId, origin } = await identify(interactive, names, limits.deadlineMs, onBegin);
    const head = new Head(readBack({ interactive, limits, names, closing: closing.signal }), origin);
    const server = {
      logId,
      address,
      names,
      limits,
      origin,
      interactive,
      bulk,
      head,
      closing: closing.signal,
      onTrouble,
      counts: { silentFeeds: 0 },
    };
    return new EventStoreDbStore(server, closing);
  } catch (error) {
    await Promise.all(connections.map((connection) => connection.close()));
    if (error instanceof StoreUnusable || error instanceof Unavailable) throw error;
    const fault = describeFault(error, address);
    const nodes = fault.final ? null : await describeNodes(address);
    throw openFault(nodes === null ? fault : { ...fault, sentence: nodes }, error);
  }
}

async function assertNewEnough(
  interactive: Connection,
  { deadlineMs }: Limits,
  address: string,
): Promise<void> {
  const version = await interactive.run('read', deadlineMs, (client) => ({
    result: client.version(),
    cancel: () => undefined,
  }));
  const fault = describeVersion(version, address);
  if (fault) throw openFault(fault);
}

/** Opens a connection, and checks that this user may read everything. */
async function assertReadable(connection: Connection, { deadlineMs }: Limits): Promise<void> {
  const last = { from: 'end', direction: 'backwards', count: 1 } as const;
  await connection.run('read', deadlineMs, (client) => client.readAll(last, () => true));
}

const openFault = ({ sentence, final }: Fault, cause?: unknown): Error =>
  final ? new StoreUnusable(sentence, { cause }) : new StoreUnavailable(sentence, { cause });

/** Raised with every change of how a log is stored. */
const FORMAT = 2;
const TYPE = 'assay.log.begun';

interface Identity {
  readonly logId: LogId;
  /** The identity's position; see `Server`. */
  readonly origin: Position;
}

/**
 * The log's identity, which is its first event: made if there is none. Two processes may begin one log at once: the
 * server stores one identity, and both read it back.
 * @throws {StoreUnusable} this service did not write the first event, or another version did
 * @throws what `onBegin` throws
 */
async function identify(
  interactive: Connection,
  names: LogNames,
  deadlineMs: number,
  onBegin: EventStoreDbOptions['onBegin'],
): Promise<Identity> {
  const known = await readIdentity(interactive, names, deadlineMs);
  if (known) return known;
  try {
    await onBegin?.();
  } catch (error) {
    // If another process has begun the log meanwhile, this one need not.
    const begun = await readIdentity(interactive, names, deadlineMs);
    if (begun) return begun;
    throw error;
  }
  const event = toProposed({
    id: randomUUID(),
    type: TYPE,
    data: Buffer.from(JSON.stringify({ logId: randomUUID(), format: FORMAT })),
    metadata: Buffer.alloc(0),
  });
  try {
    await interactive.run('append', deadlineMs, (client, leftMs) =>
      client.append(names.identity, 'no_stream', [event], leftMs),
    );
  } catch (error) {
    if (asClientError(error).type !== 'wrong-expected-version') throw error;
  }
  // If our event was refused because another process has written one, that one may not be readable at once.
  const until = performance.now() + deadlineMs;
  for (let pause = 5; ; pause *= 2) {
    const made = await readIdentity(interactive, names, deadlineMs);
    if (made) return made;
    if (performance.now() + pause > until) throw new Error('the identity of the log cannot be read back');
    await sleep(pause);
  }
}

async function readIdentity(
  interactive: Connection,
  names: LogNames,
  deadlineMs: number,
): Promise<Identity | null> {
  const events: RawEvent[] = [];
  const options = { from: 'start', direction: 'forwards', count: 1 } as const;
  try {
    await interactive.run('read', deadlineMs, (client) =>
      client.readStream(names.identity, options, (event) => {
        events.push(event);
        return true;
      }),
    );
  } catch (error) {
    if (asClientError(error).type !== 'stream-not-found') throw error;
  }
  return events[0] ? identityOf(events[0]) : null;
}

/**
 * The identity in a log's first event.
 * @throws {StoreUnusable} this service did not write it, or another version did
 * @throws Error it came without its position: a further read may have it
 */
export function identityOf(first: RawEvent): Identity {
  const { streamId, type, data, position } = first;
  const { logId, format } = (ArrayBuffer.isView(data) ? parse(data) : data) as {
    logId?: unknown;
    format?: unknown;
  };
  const another = "give the log another name in the URL's path.";
  if (type !== TYPE || typeof logId !== 'string' || typeof format !== 'number')
    throw new StoreUnusable(`The stream ${streamId} was not written by this service: ${another}`);
  const formats = `(format ${format}, this one knows ${FORMAT})`;
  if (format > FORMAT)
    throw new StoreUnusable(
      `The log at ${streamId} was begun by a newer version ${formats}. Run that version or a later one.`,
    );
  if (format !== FORMAT)
    throw new StoreUnusable(
      `The log at ${streamId} was begun by an older version ${formats} and cannot be read any more: ${another}`,
    );
  if (!isKnown(position)) throw missingPosition(first);
  return { logId: logId as LogId, origin: toPosition(position) };
}

function parse(data: ArrayBufferView): unknown {
  try {
    return JSON.parse(Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString()) ?? {};
  } catch {
    return {};
  }
}
