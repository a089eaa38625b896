import { expect, it } from '@jest/globals';
import { event } from '../../../test/contracts/event-store-kit.js';
import { MemoryEventStore } from '../../../test/support/memory-event-store.js';
import { type Position, START, type StreamName } from '../../core/event-store.js';
import { copyEvents } from './copy-log.js';
import { Retries } from './retries.js';

it.each([
  ['two events', 0, 2],
  ['no event', 2, 2],
])(
  'no event after the last one wanted is copied, since its keys may be missing: %s',
  async (_, after, upTo) => {
    const [from, to] = [new MemoryEventStore(), new MemoryEventStore()];
    const stream = 'role-1' as StreamName;
    const events = [event(), event(), event()];
    await from.append(stream, 'no-stream', events);
    if (after > 0) await to.append(stream, 'no-stream', events.slice(0, after));
    const at = (count: number): Position => from.log[count - 1]?.position ?? START;
    const sides = {
      source: { name: 'The source', log: from },
      target: { name: 'The target', log: to },
    } as const;
    const retries = new Retries({ signal: new AbortController().signal });
    await copyEvents(sides, { after: at(after), upTo: at(upTo) }, retries, () => undefined);
    expect(to.log.map(({ id }) => id)).toEqual(events.slice(0, upTo).map(({ id }) => id));
  },
);
