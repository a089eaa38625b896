import { describe, expect, it } from '@jest/globals';
import { MemoryDatabase, openMemoryReadStore } from '../../../test/support/memory-read-store.js';
import { START, type Position } from '../../core/event-store.js';
import { Leases } from '../ownership/leases.js';
import { leaseCountsOf } from '../ownership/presence.js';
import { foldCountsOf, Progress } from './progress.js';

describe('The progress of a segment that rests', () => {
  it('is where it rests, and readers learn of each movement', async () => {
    const at = (n: number): Position => `00${n}` as Position;
    const progress = new Progress();
    const rest = { position: at(1) };
    progress.publish('one', START);
    progress.follow('one', rest);
    progress.publish('two', at(2));
    const reached = progress.reached(['one', 'two'], at(2), 60_000);
    rest.position = at(2);
    progress.moved();
    await reached;
    expect([progress.positionOf('one'), progress.has('one', at(3))]).toEqual([at(2), false]);
    const folded: string[] = [];
    progress.onFolded((segment) => folded.push(segment));
    progress.publish('one', at(3), false);
    progress.publish('one', at(4));
    expect(folded).toEqual(['one']);
  });
});

describe('A wait for a position that segments have reached before it begins', () => {
  it('ends at once, and starts no round', async () => {
    const progress = new Progress();
    let awaited = 0;
    progress.onAwaited(() => awaited++);
    for (const segment of ['one', 'two']) progress.publish(segment, '002' as Position);
    await progress.reached(['one', 'two'], '002' as Position, 50);
    expect([awaited, progress.isAwaited]).toEqual([0, false]);
  });
});

describe('The progress of a segment', () => {
  it('never goes back, and a pass that folds again what was folded wakes nobody', () => {
    const progress = new Progress();
    const folded: string[] = [];
    progress.onFolded((segment) => folded.push(segment));
    for (const position of ['002', '002', '001'] as Position[]) progress.publish('one', position);
    expect([progress.positionOf('one'), folded]).toEqual(['002', ['one']]);
  });
});

describe('What a process counts of its work', () => {
  it('adds up by view, segment and stage, for each read store on its own', () => {
    const readStore = openMemoryReadStore(new MemoryDatabase());
    const segment = (index: number, strict: boolean) => ({ view: { name: 'a' }, index, rules: { strict } });
    const counts = foldCountsOf(readStore);
    counts.folded(segment(0, false), 5, 2);
    counts.folded(segment(0, false), 3, 3);
    counts.folded(segment(0, true), 100, 10);
    counts.failed(segment(1, false));
    counts.failed(segment(1, false));
    expect(foldCountsOf(readStore).all()).toEqual([
      { view: 'a', segment: 1, stage: 'serving', events: 8, documents: 5, failedPasses: 0 },
      { view: 'a', segment: 1, stage: 'building', events: 100, documents: 10, failedPasses: 0 },
      { view: 'a', segment: 2, stage: 'serving', events: 0, documents: 0, failedPasses: 2 },
    ]);
    expect(foldCountsOf(openMemoryReadStore(new MemoryDatabase())).all()).toEqual([]);
  });

  it('tells leases that were taken, lost and given up apart', async () => {
    const { leases } = openMemoryReadStore(new MemoryDatabase());
    let now = 0;
    const keeper = new Leases({ leases, owner: 'a', now: () => now });
    const { signal } = new AbortController();
    await keeper.acquired('one', signal);
    await keeper.acquired('two', signal);
    expect(leaseCountsOf(leases)).toEqual({ taken: 2, lost: 0, 'given up': 0 });
    await keeper.giveUp('one', Infinity);
    expect(leaseCountsOf(leases)).toEqual({ taken: 2, lost: 0, 'given up': 1 });
    const standing = await leases.get('two');
    await leases.swap('two', standing, { owner: 'b', counter: 9 });
    now += 4_000;
    await keeper.tick();
    now += 4_000;
    await keeper.tick();
    await keeper.stop();
    expect(leaseCountsOf(leases)).toEqual({ taken: 2, lost: 1, 'given up': 1 });
  });
});
