import type { Position, RecordedEvent } from '../port.js';
import { Page } from './page.js';
import { toRaw } from './position.js';
import type { Server } from './server.js';

/** The log's events after a position up to its end, by pages. @param open throws where the store was closed */
export async function* readLog(
  open: () => Server,
  after: Position,
  limit: number,
): AsyncGenerator<RecordedEvent, void, undefined> {
  toRaw(after);
  const ending = new AbortController();
  let left = limit;
  let from = after;
  try {
    for (let more = left > 0; more;) {
      const server = open();
      const page = new Page(server, from, left, AbortSignal.any([ending.signal, server.closing]));
      for (let events = await page.take(); events !== null; events = await page.take()) {
        left -= events.length;
        for (const event of events) yield event;
      }
      from = page.scanned;
      more = page.more && left > 0;
    }
  } finally {
    ending.abort();
  }
}
