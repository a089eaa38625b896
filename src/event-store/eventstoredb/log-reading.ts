import { START, type RecordedEvent } from '../port.js';
import { assertOneStart, type ReadAllOptions } from '../read-all.js';
import { Page } from './page.js';
import { toRaw } from './position.js';
import type { Server } from './server.js';

/** The log's events up to its end, by pages. @param open throws where the store was closed */
export async function* readLog(
  open: () => Server,
  options: ReadAllOptions,
): AsyncGenerator<RecordedEvent, void, undefined> {
  assertOneStart(options);
  const { from, after = START, limit = Infinity } = options;
  let scanned = from ?? after;
  let inclusive = from !== undefined;
  toRaw(scanned);
  const { closing } = open();
  const ending = new AbortController();
  const end = (): void => ending.abort();
  // By hand: a signal of AbortSignal.any leaves a trace in the longer-lived one for good (Node 20).
  closing.addEventListener('abort', end);
  let left = limit;
  try {
    for (let more = left > 0; more;) {
      const page = new Page(open(), scanned, left, ending.signal, inclusive);
      for (let events = await page.take(); events !== null; events = await page.take()) {
        left -= events.length;
        for (const event of events) yield event;
      }
      scanned = page.scanned;
      inclusive = false;
      more = page.more && left > 0;
    }
  } finally {
    closing.removeEventListener('abort', end);
    end();
  }
}
