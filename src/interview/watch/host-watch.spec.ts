import { describe, expect, it } from '@jest/globals';
import { MemoryDatabase, openMemoryReadStore } from '../../../test/support/memory-read-store.js';
import { HostWatch } from './host-watch.js';
import { HostLease, leaseOfHost } from './host.js';

/** A host and two that watch it, each with a clock of its own. */
function rig() {
  const database = new MemoryDatabase();
  const trouble = { away: false };
  const { leases } = openMemoryReadStore(database, {
    before: () => {
      if (trouble.away) throw new Error('The store is away.');
    },
  });
  const gone = new Set<string>();
  let losses = 0;
  const lease = new HostLease({ leases, owner: 'm/1' });
  lease.use(() => losses++);
  const open = () => {
    const clock = { now: Math.random() * 1e9 };
    const watch = new HostWatch({ leases, isGone: (owner) => gone.has(owner), now: () => clock.now });
    return {
      watch,
      clock,
      /** Looks once a second of its own time. */
      seconds: async (n: number, listed = [lease.host], each?: () => Promise<unknown>): Promise<void> => {
        for (; n > 0; n--) {
          await each?.();
          clock.now += 1000;
          await watch.poll(new Set(listed));
        }
      },
      dead: () => watch.isDead(lease.host),
    };
  };
  const standing = () => openMemoryReadStore(database).leases.get(leaseOfHost(lease.host));
  return { lease, a: open(), b: open(), gone, trouble, standing, losses: () => losses };
}

describe('A watch over hosts', () => {
  it('counts one as living that renews its lease, however its clock goes', async () => {
    const { lease, a } = rig();
    await lease.renew();
    for (let n = 0; n < 10; n++) await a.seconds(4).then(() => lease.renew());
    expect(a.dead()).toBe(false);
  });

  it('counts a host as dead whose lease is unchanged for 5 s, and removes it', async () => {
    const { lease, a, standing } = rig();
    await lease.renew();
    await a.seconds(5);
    expect(a.dead()).toBe(false);
    await a.seconds(1);
    expect(a.dead()).toBe(true);
    expect(await standing()).toBeNull();
    await a.seconds(60);
    expect(a.dead()).toBe(true);
  });

  it('counts one as dead at once whose process is known to be gone', async () => {
    const { lease, a, gone, standing } = rig();
    await lease.renew();
    await a.seconds(1);
    gone.add(`m/1/${lease.host}`);
    await a.seconds(1);
    expect(a.dead()).toBe(true);
    expect(await standing()).toBeNull();
  });

  it('counts one as dead at once whose lease is gone, and for good, whatever outage follows', async () => {
    const { lease, a } = rig();
    await lease.renew();
    await a.seconds(1);
    await lease.release();
    await a.seconds(1);
    expect(a.dead()).toBe(true);
    a.clock.now += 60_000;
    await a.seconds(1);
    expect(a.dead()).toBe(true);
  });

  it('gives one that has no lease yet as long, and takes it back when the lease comes after all', async () => {
    const { lease, a, losses } = rig();
    await a.seconds(5);
    expect(a.dead()).toBe(false);
    await a.seconds(1);
    expect(a.dead()).toBe(true);
    await lease.renew();
    await a.seconds(3, undefined, () => lease.renew());
    expect(a.dead()).toBe(false);
    expect(losses()).toBe(0);
  });

  it('makes one that slept learn of it', async () => {
    const { lease, a, losses, standing } = rig();
    await lease.renew();
    await a.seconds(7);
    await lease.renew();
    await lease.renew();
    expect(losses()).toBe(1);
    expect(await standing()).toBeNull();
  });

  it('declares no host dead after an outage of the store', async () => {
    const { lease, a, trouble } = rig();
    await lease.renew();
    await a.seconds(2);
    trouble.away = true;
    for (let n = 0; n < 20; n++) await a.seconds(1).catch(() => undefined);
    trouble.away = false;
    await a.seconds(1);
    expect(a.dead()).toBe(false);
    await lease.renew();
    await a.seconds(4);
    expect(a.dead()).toBe(false);
  });

  it('comes to the same as another that watches', async () => {
    const { lease, a, b, losses } = rig();
    await lease.renew();
    for (let n = 0; n < 14; n++) await Promise.all([a.seconds(1), b.seconds(1)]);
    expect([a.dead(), b.dead()]).toEqual([true, true]);
    await lease.renew();
    expect(losses()).toBe(1);
  });

  it('keeps an eye on one whose interviews have moved on until its lease has gone, and forgets it then', async () => {
    const { lease, a, standing } = rig();
    await lease.renew();
    await a.seconds(1);
    await a.seconds(30, [], () => lease.renew());
    expect(a.watch.size).toBe(1);
    await a.seconds(6, []);
    expect(await standing()).toBeNull();
    expect(a.watch.size).toBe(0);
  });

  it('forgets one that has given its lease up once nothing is listed of it', async () => {
    const { lease, a } = rig();
    await lease.renew();
    await a.seconds(1);
    await lease.release();
    await a.seconds(1);
    expect(a.watch.size).toBe(1);
    await a.seconds(1, []);
    expect(a.watch.size).toBe(0);
  });
});
