import { describe, expect, it } from '@jest/globals';
import { aborted } from '../../core/signals.js';
import { ReadModelBehind } from '../errors.js';
import { silentLog } from '../log.js';
import type { Leases } from '../ownership/leases.js';
import { type LeasedPollerOptions, pollUnderLease } from './leased-poller.js';

type GivenLeases = Pick<Leases, 'holds' | 'acquired' | 'giveUp'>;
type Given = Partial<Omit<LeasedPollerOptions, 'leases'>> &
  Pick<LeasedPollerOptions, 'poll' | 'signal'> & { readonly leases?: Partial<GivenLeases> };

/** A poller without a view. Its process has the lease, unless `leases` differ. */
const polling = ({ leases, ...options }: Given): Promise<void> => {
  const given: GivenLeases = {
    holds: () => true,
    acquired: async () => new AbortController().signal,
    giveUp: async () => undefined,
    ...leases,
  };
  return pollUnderLease({
    lease: 'polling',
    log: silentLog,
    warning: 'It failed.',
    retry: { baseMs: 1, capMs: 3_600_000 },
    ...options,
    leases: given as Leases,
  });
};

describe('A poller under a lease', () => {
  it('polls nothing if its process ends while it waits for the lease, though it gets the lease then', async () => {
    const abort = new AbortController();
    let polls = 0;
    const leases: Partial<GivenLeases> = {
      acquired: async (_, signal) => {
        await aborted(signal);
        return new AbortController().signal;
      },
    };
    const ended = polling({ signal: abort.signal, leases, poll: async () => ++polls });
    abort.abort();
    await ended;
    expect(polls).toBe(0);
  });

  it('does not poll in a term that is over: it gives up the lease, and polls in the next one', async () => {
    const abort = new AbortController();
    const calls: string[] = [];
    const terms = [AbortSignal.abort(), new AbortController().signal];
    const leases: Partial<GivenLeases> = {
      acquired: async () => terms.shift() ?? AbortSignal.abort(),
      giveUp: async () => void calls.push('gives up'),
    };
    const poll = async (lost: AbortSignal): Promise<number> => {
      calls.push(lost.aborted ? 'polls in a former term' : 'polls');
      abort.abort();
      return 0;
    };
    await polling({ signal: abort.signal, leases, poll });
    expect(calls).toEqual(['gives up', 'polls']);
  });

  it('ends in the middle of a wait when its process ends', async () => {
    const abort = new AbortController();
    const poll = async (): Promise<number> => {
      setImmediate(() => abort.abort());
      return 3_600_000;
    };
    await polling({ signal: abort.signal, poll });
  });

  it('waits longer only for polls that fail in a row', async () => {
    const abort = new AbortController();
    let polls = 0;
    const poll = async (): Promise<number> => {
      if (++polls > 50) abort.abort();
      // If the waits grew with all failures, the 25th would take hours.
      else if (polls % 2 === 0) throw new Error('not now');
      return 0;
    };
    await polling({ signal: abort.signal, poll });
    expect(polls).toBe(51);
  });

  it('logs a failed poll, but not that its view is built for the first time', async () => {
    const abort = new AbortController();
    const warnings: object[] = [];
    const errors = [new ReadModelBehind('accounts'), new Error('not now')];
    const poll = async (): Promise<number> => {
      const error = errors.shift();
      if (error !== undefined) throw error;
      abort.abort();
      return 0;
    };
    const log = { ...silentLog, warn: (fields: object) => void warnings.push(fields) };
    await polling({ signal: abort.signal, poll, log });
    expect(warnings).toEqual([{ reason: expect.stringContaining('not now') as unknown }]);
  });
});
