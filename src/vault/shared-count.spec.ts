import { describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { MemoryVault } from '../../test/support/memory-vault.js';
import { KeyedHasher } from '../core/keyed-hash.js';
import { SealedRecords } from './sealed-records.js';
import { SharedCount } from './shared-count.js';

const limit = { max: 400, seconds: 600 };

/** Counts of several processes, each with its own clock. */
function processes(): (clock: () => number) => SharedCount {
  const vault = new MemoryVault();
  const hasher = new KeyedHasher(randomBytes(32));
  return (clock) => new SharedCount(new SealedRecords(vault, hasher, clock), 'tries', limit, clock);
}

/** Takes until the limit is reached. @returns how often, and the seconds to wait then */
async function takeAll(count: SharedCount): Promise<{ readonly taken: number; readonly wait: number }> {
  for (let taken = 0; taken <= 2 * limit.max; taken++) {
    const wait = await count.take();
    if (wait !== 0) return { taken, wait };
  }
  throw new Error('The limit was never reached.');
}

describe('a limit that all processes share', () => {
  it('counts in a new period what a process reserved in the former one and did not take', async () => {
    let now = 1_000_000;
    const open = processes();
    const [one, other] = [open(() => now), open(() => now)];
    await one.take();
    now += limit.seconds * 1_000;
    await one.take();
    expect(await takeAll(other)).toEqual({ taken: limit.max - 2, wait: limit.seconds });
    expect(await takeAll(one)).toEqual({ taken: 1, wait: limit.seconds });
  });

  it('begins anew at the very end of a period, though it was last used later than the period began', async () => {
    let now = 1_000_000;
    const count = processes()(() => now);
    await count.take();
    now += 1_000;
    expect(await takeAll(count)).toEqual({ taken: limit.max - 1, wait: limit.seconds - 1 });
    now += (limit.seconds - 1) * 1_000 - 1;
    expect(await takeAll(count)).toEqual({ taken: 0, wait: 1 });
    now += 1;
    expect(await takeAll(count)).toEqual({ taken: limit.max, wait: limit.seconds });
  });

  it('is not reached for a day by a process whose clock is a day ahead', async () => {
    const now = 1_000_000;
    const open = processes();
    await takeAll(open(() => now + 86_400_000));
    expect(await takeAll(open(() => now))).toEqual({ taken: limit.max, wait: limit.seconds });
  });
});
