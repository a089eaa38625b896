import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import { START, type EventStore, type FeedItem, type Position } from '../../../src/core/event-store.js';
import { openEventStoreDb } from '../../../src/stores/eventstoredb/open.js';
import type { EventStoreDbOptions } from '../../../src/stores/eventstoredb/server.js';
import { startEventStoreServer, type EventStoreServer } from './server.js';

/** One server for all tests of a file, and a log of its own for each test. */
export class TestLogs {
  server!: EventStoreServer;
  /** The URL of this test's log. */
  name = '';
  private count = 0;
  private ending = new AbortController();
  private readonly stores: EventStore[] = [];

  constructor() {
    beforeAll(async () => {
      this.server = await startEventStoreServer();
    });
    afterAll(() => this.server.stop());
    beforeEach(() => {
      this.name = `log${++this.count}`;
      this.ending = new AbortController();
    });
    afterEach(async () => {
      this.endFeeds();
      await this.close();
      await this.server.admin.clear();
    });
  }

  async open(
    options: EventStoreDbOptions = {},
    name = this.name,
    { url }: Pick<EventStoreServer, 'url'> = this.server,
  ): Promise<EventStore> {
    const store = await openEventStoreDb(url.replace('?', `/${name}?`), options);
    this.stores.push(store);
    return store;
  }

  feed(store: EventStore, after: Position = START): AsyncIterable<FeedItem> {
    return store.subscribeToAll({ after, signal: this.ending.signal });
  }

  endFeeds(): void {
    this.ending.abort();
  }

  /** Closes every store that was opened by this. */
  async close(): Promise<void> {
    await Promise.all(this.stores.splice(0).map((store) => store.close()));
  }
}
