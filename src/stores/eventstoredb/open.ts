import { StoreUnavailable, StoreUnusable } from '../../core/errors.js';
import type { EventStore } from '../../core/event-store.js';
import { longLived } from '../../core/signals.js';
import { Connection } from './connection.js';
import { describeFault, describeVersion, type Fault } from './describe.js';
import { loadDriver } from './drivers/load.js';
import { Head } from './head.js';
import { identify } from './identity.js';
import { LogNames } from './names.js';
import { limitsOf, type EventStoreDbOptions, type Limits } from './server.js';
import { isKnown } from './position.js';
import { ownStream } from './reading.js';
import { EventStoreDbStore } from './store.js';
import { parseUrl } from './url.js';

export type { EventStoreDbOptions } from './server.js';

/**
 * Of the 100 streams of an HTTP/2 connection: what is begun beyond them hangs without an error, subscriptions and
 * appends alike. A few are left for what is cancelled and not yet gone.
 */
const NEAR = { append: 64, read: 20, subscription: 12 };
/** Pages of the whole log are large: a few at a time. */
const FAR = { append: 0, read: 4, subscription: 0 };

/**
 * Opens the log at an EventStoreDB (`esdb://`, `esdb+discover://`) or KurrentDB (`kurrentdb://`,
 * `kurrentdb+discover://`, `kdb://`). A path names one of several logs of a server. The log is made if there is none.
 * @throws {StoreUnavailable} the server is away: try again
 * @throws {StoreUnusable} it, or the URL, has to be changed first: the sentence says what
 */
export async function openEventStoreDb(url: string, options: EventStoreDbOptions = {}): Promise<EventStore> {
  const parsed = parseUrl(url);
  const { address } = parsed;
  const limits = limitsOf(options);
  const names = new LogNames(parsed.log);
  const driver = await loadDriver(parsed.driver);
  const closing = longLived();
  const connections: Connection[] = [];
  try {
    const connect = (slots: typeof NEAR): Connection => {
      const connection = new Connection(driver, parsed, limits.keepAliveMs, slots);
      connections.push(connection);
      return connection;
    };
    const near = connect(NEAR);
    const far = connect(FAR);
    await Promise.all([
      assertNewEnough(near, limits, address),
      // One client reads over a connection of its own, which takes it a while to stand up.
      assertReadable(near, limits),
      assertReadable(far, limits),
    ]);
    const { logId, origin } = await identify(near, names, limits.deadlineMs);
    const head = new Head(async (from, count) => {
      const page: { position: { commit: bigint; prepare: bigint }; ours: boolean }[] = [];
      await near.run(
        'read',
        count > SMALL_PAGE ? limits.pageDeadlineMs : limits.deadlineMs,
        (client) =>
          client.readAll({ from, direction: 'backwards', count }, (raw) => {
            if (isKnown(raw.position)) {
              page.push({ position: raw.position, ours: ownStream(names, raw) !== null });
            }
            return true;
          }),
        closing.signal,
      );
      return page;
    }, origin);
    const onTrouble = options.onTrouble ?? (() => undefined);
    const server = {
      logId,
      address,
      names,
      limits,
      origin,
      near,
      far,
      head,
      closing: closing.signal,
      onTrouble,
    };
    return new EventStoreDbStore(server, closing);
  } catch (error) {
    await Promise.all(connections.map((connection) => connection.close()));
    if (error instanceof StoreUnusable || error instanceof StoreUnavailable) throw error;
    throw openFault(describeFault(error, address), error);
  }
}

const SMALL_PAGE = 64;

async function assertNewEnough(near: Connection, { deadlineMs }: Limits, address: string): Promise<void> {
  const version = await near.run('read', deadlineMs, (client) => ({
    result: client.version(),
    cancel: () => undefined,
  }));
  const fault = describeVersion(version, address);
  if (fault) throw openFault(fault);
}

/** Stands a connection up, and finds out whether this user may read everything. */
async function assertReadable(connection: Connection, { deadlineMs }: Limits): Promise<void> {
  const last = { from: 'end', direction: 'backwards', count: 1 } as const;
  await connection.run('read', deadlineMs, (client) => client.readAll(last, () => true));
}

const openFault = ({ sentence, final }: Fault, cause?: unknown): Error =>
  final ? new StoreUnusable(sentence, { cause }) : new StoreUnavailable(sentence, { cause });
