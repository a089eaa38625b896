import { describe, expect, it } from '@jest/globals';
import { eventuallyHolds } from '../../../test/support/eventually.js';
import {
  MemoryDatabase,
  openMemoryReadStore,
  type MemoryReadStoreHooks,
} from '../../../test/support/memory-read-store.js';
import { RESUME_MS } from '../../domain/session/interview-state.js';
import { HostLease, InterviewHost, leaseOfHost } from './host.js';

const never = new AbortController().signal;
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

function rig(hooks: MemoryReadStoreHooks = {}) {
  const database = new MemoryDatabase();
  const { leases } = openMemoryReadStore(database);
  const trouble = { away: false };
  const own = openMemoryReadStore(database, {
    before: (call) => {
      if (trouble.away) throw new Error('The store is away.');
      return hooks.before?.(call);
    },
    after: (call) => hooks.after?.(call),
  }).leases;
  const host = new InterviewHost({ leases: own, owner: 'machine/7', renewMs: 5, deadlineMs: 40 });
  const standing = (id: string) => leases.get(leaseOfHost(id));
  /** As one does that believes the host to be dead. */
  const bury = async (id: string): Promise<void> => {
    while (!(await leases.swap(leaseOfHost(id), await standing(id), null)));
  };
  const written = (): number =>
    [...database.leases.values()].filter((lease) => lease.at(database.now) !== null).length;
  return { host, own, trouble, standing, bury, written };
}

const deaf = (): void => undefined;

describe('A host of interviews', () => {
  it('shows that it lives from its first connection to its last', async () => {
    const { host, standing, written } = rig();
    expect(written()).toBe(0);
    const [one, other] = [await host.begin(deaf), await host.begin(deaf)];
    expect(other.host).toBe(one.host);
    expect(await standing(one.host)).toMatchObject({ owner: `machine/7/${one.host}` });
    const { counter } = (await standing(one.host))!;
    await eventuallyHolds(async () => (await standing(one.host))!.counter > counter + 2);
    one.end();
    one.end();
    await pause(20);
    expect(written()).toBe(1);
    other.end();
    await eventuallyHolds(() => written() === 0);
    const later = await host.begin(deaf);
    expect(later.host).not.toBe(one.host);
    expect(await standing(later.host)).not.toBeNull();
    await host.stop();
    expect(written()).toBe(0);
  });

  it('lets a connection begin while the read store is away, and catches up on its lease', async () => {
    const { host, standing, trouble } = rig();
    trouble.away = true;
    const one = await host.begin(deaf);
    expect(await standing(one.host)).toBeNull();
    trouble.away = false;
    await eventuallyHolds(async () => (await standing(one.host)) !== null);
    await host.stop();
  });

  it('takes a store that is away for no loss', async () => {
    const { host, standing, trouble } = rig();
    let lost = 0;
    const one = await host.begin(() => lost++);
    trouble.away = true;
    await pause(30);
    trouble.away = false;
    const { counter } = (await standing(one.host))!;
    await eventuallyHolds(async () => (await standing(one.host))!.counter > counter);
    expect((await host.begin(deaf)).host).toBe(one.host);
    expect(lost).toBe(0);
    await host.stop();
  });

  it('takes a lost answer for no loss', async () => {
    let calls = 0;
    const { host, standing, written } = rig({
      after: ({ operation }) => {
        if (operation === 'leases.swap' && calls++ % 2 === 0) throw new Error('The answer is lost.');
      },
    });
    let lost = 0;
    const one = await host.begin(() => lost++);
    await eventuallyHolds(async () => (await standing(one.host))!.counter > 6);
    expect(lost).toBe(0);
    await host.stop();
    expect(written()).toBe(0);
  });

  it('that was taken for dead notifies each connection once, and works on under another id', async () => {
    const { host, bury, standing, written } = rig();
    const lost: string[] = [];
    const one = await host.begin(() => lost.push('one'));
    await host.begin(() => lost.push('other'));
    await bury(one.host);
    await eventuallyHolds(() => lost.length > 0);
    const next = await host.begin(() => lost.push('next'));
    one.end();
    await pause(30);
    expect(lost).toEqual(['one', 'other']);
    expect(next.host).not.toBe(one.host);
    expect(await standing(one.host)).toBeNull();
    expect(await standing(next.host)).not.toBeNull();
    await host.stop();
    expect(written()).toBe(0);
  });

  it('vouches for nothing once it has stopped', async () => {
    const { host, written } = rig();
    const one = await host.begin(deaf);
    await host.stop();
    const late = await host.begin(deaf);
    late.end();
    await pause(20);
    expect(late.host).not.toBe(one.host);
    expect(written()).toBe(0);
  });
});

describe('The lease of a host', () => {
  it('that could not be taken for as long as a client may be away counts as lost', async () => {
    const { own, trouble, written } = rig();
    const clock = { now: 7e8 };
    let lost = 0;
    const lease = new HostLease({
      leases: own,
      owner: 'machine/7',
      now: () => clock.now,
    });
    lease.use(() => lost++);
    trouble.away = true;
    await lease.renew();
    clock.now += RESUME_MS - 1;
    await lease.renew();
    expect(lost).toBe(0);
    clock.now += 1;
    trouble.away = false;
    await lease.renew();
    await lease.renew();
    await lease.taken(never);
    expect(lost).toBe(1);
    expect(written()).toBe(0);
  });
});
