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
  const { closing } = open();
  const ending = new AbortController();
  const end = (): void => ending.abort();
  // By hand: a signal of AbortSignal.any leaves a trace in the longer-lived one for good (Node 20).
  closing.addEventListener('abort', end);
  let left = limit;
  let from = after;
  try {
    for (let more = left > 0; more;) {
      const page = new Page(open(), from, left, ending.signal);
      for (let events = await page.take(); events !== null; events = await page.take()) {
        left -= events.length;
        for (const event of events) yield event;
      }
      from = page.scanned;
      more = page.more && left > 0;
    }
  } finally {
    closing.removeEventListener('abort', end);
    end();
  }
}
