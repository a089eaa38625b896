import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { StoreUnusable } from '../../core/errors.js';
import type { LogId, Position } from '../../core/event-store.js';
import type { Connection } from './connection.js';
import { asClientError } from './describe.js';
import type { RawEvent } from './drivers/driver.js';
import type { LogNames } from './names.js';
import { isKnown, toPosition } from './position.js';
import { toProposed } from './record.js';

/** Raised with every change of how a log is stored. */
const FORMAT = 1;
const TYPE = 'assay.log.begun';

export interface Identity {
  readonly logId: LogId;
  /** Of the event that says so: the log's first. */
  readonly origin: Position;
}

/**
 * The log's identity, which is its first event: made where there is none. Two processes may begin one log at once:
 * the server takes one, and both read it back.
 * @throws {StoreUnusable} what stands there is none of ours, or of a newer version
 */
export async function identify(near: Connection, names: LogNames, deadlineMs: number): Promise<Identity> {
  const known = await read(near, names, deadlineMs);
  if (known) return known;
  const event = toProposed({
    id: randomUUID(),
    type: TYPE,
    data: Buffer.from(JSON.stringify({ logId: randomUUID(), format: FORMAT })),
    metadata: Buffer.alloc(0),
  });
  try {
    await near.run('append', deadlineMs, (client, leftMs) =>
      client.append(names.identity, 'no_stream', [event], leftMs),
    );
  } catch (error) {
    if (asClientError(error).type !== 'wrong-expected-version') throw error;
  }
  // The other one's may stand against ours before it is committed: it is there a little later.
  const until = performance.now() + deadlineMs;
  for (let pause = 5; ; pause *= 2) {
    const made = await read(near, names, deadlineMs);
    if (made) return made;
    if (performance.now() + pause > until) throw new Error('the identity of the log cannot be read back');
    await sleep(pause);
  }
}

async function read(near: Connection, names: LogNames, deadlineMs: number): Promise<Identity | null> {
  const events: RawEvent[] = [];
  const options = { from: 'start', direction: 'forwards', count: 1 } as const;
  try {
    await near.run('read', deadlineMs, (client) =>
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

function identityOf({ streamId, type, data, position }: RawEvent): Identity {
  const { logId, format } = (ArrayBuffer.isView(data) ? parse(data) : data) as {
    logId?: unknown;
    format?: unknown;
  };
  if (typeof format === 'number' && format > FORMAT) {
    throw new StoreUnusable(
      `The log at ${streamId} was begun by a newer version (format ${format}, this one knows ${FORMAT}). Run that version or a later one.`,
    );
  }
  if (type !== TYPE || typeof logId !== 'string' || format !== FORMAT || !isKnown(position)) {
    throw new StoreUnusable(
      `The stream ${streamId} is none of this service: give the log another name in the URL's path.`,
    );
  }
  return { logId: logId as LogId, origin: toPosition(position) };
}

function parse(data: ArrayBufferView): unknown {
  try {
    return JSON.parse(Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString()) ?? {};
  } catch {
    return {};
  }
}
