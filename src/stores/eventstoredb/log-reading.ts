import { START, type RecordedEvent } from '../../core/event-store.js';
import { assertOneStart, type ReadAllOptions } from '../../core/read-all.js';
import { joined } from '../../core/signals.js';
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
  const reading = joined(open().closing);
  let left = limit;
  try {
    for (let more = left > 0; more;) {
      const page = new Page(open(), scanned, left, reading.signal, inclusive);
      for (let events = await page.take(); events !== null; events = await page.take()) {
        left -= events.length;
        for (const event of events) yield event;
      }
      scanned = page.scanned;
      inclusive = false;
      more = page.more && left > 0;
    }
  } finally {
    reading.end();
  }
}
