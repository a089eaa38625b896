import type { Position, RecordedEvent } from '../port.js';
import { logPage, type Page } from './reading.js';
import type { Server } from './server.js';

/** The log's events after a position up to its end, by pages, each read while the one before is consumed. */
export async function* readLog(
  server: Server,
  after: Position,
  limit: number,
): AsyncGenerator<RecordedEvent, void, undefined> {
  if (limit <= 0) return;
  const ahead = new AbortController();
  const signal = AbortSignal.any([ahead.signal, server.closing]);
  try {
    let left = limit;
    for (let next: Promise<Page> | null = logPage(server, after, left, signal); next !== null;) {
      const page: Page = await next;
      left -= page.events.length;
      next = page.more && left > 0 ? logPage(server, page.scanned, left, signal) : null;
      // Its failure is seen when it is waited for.
      next?.catch(() => undefined);
      for (const event of page.events) yield event;
    }
  } finally {
    ahead.abort();
  }
}
