import { describe, expect, it, jest } from '@jest/globals';
import { eventuallyHolds } from '../../../test/support/eventually.js';
import { StoreUnavailable } from '../../core/errors.js';
import { type Position, START, type StreamName } from '../../core/event-store.js';
import { silentLog } from '../../engine/log.js';
import { SessionFeed } from './session-feed.js';

describe('the feed of the sessions that are interviewed', () => {
  it('says in the log why it is taken up again, once for all tries in a row that fail alike', async () => {
    let failing = 3;
    const eventStore = {
      head: async (): Promise<Position> => {
        if (failing-- > 0) throw new StoreUnavailable('The event log does not answer.');
        return START;
      },
      async *subscribeToAll() {
        yield { kind: 'live' } as const;
        await new Promise(() => undefined);
      },
    };
    const warn = jest.fn();
    const notify = jest.fn();
    const end = new SessionFeed(eventStore, { ...silentLog, warn }).watch('trial-1' as StreamName, notify);
    await eventuallyHolds(() => expect(notify).toHaveBeenCalledTimes(1));
    end();
    expect(warn.mock.calls).toEqual([
      [
        { reason: 'StoreUnavailable: The event log does not answer.' },
        expect.stringContaining('taken up again'),
      ],
    ]);
  });
});
