import { beforeEach, describe, expect, it } from '@jest/globals';
import { MemoryEventStore } from '../../../test/support/memory-event-store.js';
import { MemoryDatabase, openMemoryReadStore } from '../../../test/support/memory-read-store.js';
import { accounts, added, record, wrapEventStore } from '../../../test/support/projection-rig.js';
import type { LogId, Position } from '../../core/event-store.js';
import type { Generation, GenerationName, Pointer, ReadStore } from '../../stores/read-store.js';
import { PARKED, PARKED_INDEX } from '../fold/fold.js';
import { checkpointNames } from '../generations/generations.js';
import type { AnyView } from '../view.js';
import { viewHealth, type ViewHealth, type ViewHealthOptions } from './health.js';

const newer: AnyView = { ...accounts, version: 2, fingerprint: 'newer' };

describe('The health of views', () => {
  let eventStore: MemoryEventStore;
  let readStore: ReadStore;
  let positions: readonly Position[];

  beforeEach(async () => {
    eventStore = new MemoryEventStore();
    readStore = openMemoryReadStore(new MemoryDatabase());
    positions = await record(eventStore, ...Array.from({ length: 10 }, () => added('a', 1)));
  });

  const generation = (view: AnyView, number: number, segments = 1): Generation => ({
    name: `${view.name}.v${view.version}.g${number}` as GenerationName,
    number,
    version: view.version,
    log: eventStore.life,
    fingerprint: view.fingerprint,
    segments,
  });

  /** @param events to which each segment has folded them */
  async function standing(of: Generation, ...events: number[]): Promise<void> {
    for (const [index, name] of checkpointNames(of).entries()) {
      const position = positions[(events[index] ?? 0) - 1];
      if (position !== undefined) await readStore.checkpoints.advance(name, null, position);
    }
  }

  async function point(live: Generation, change: Partial<Pointer> = {}): Promise<void> {
    const plain = { turn: 3, operation: null, next: null, former: null, freeze: null, declined: null };
    await readStore.pointers.swap(live.name.replace(/\.v.*/, ''), null, {
      ...plain,
      revision: 1,
      live,
      ...change,
    });
  }

  async function health(view: AnyView = accounts, options: ViewHealthOptions = {}): Promise<ViewHealth> {
    const [one] = await viewHealth({ eventStore, readStore }, [view], options);
    if (one === undefined) throw new Error('unreachable');
    return one;
  }

  it('tells of every generation that the pointer names, and of the live one as of the view', async () => {
    const [live, next, former] = [generation(newer, 2, 2), generation(newer, 3, 2), generation(accounts, 1)];
    await standing(live, 10, 8);
    await standing(next, 5, 1);
    await standing(former, 9);
    const failure = {
      eventId: 'e-1',
      eventType: 'added',
      position: '1' as Position,
      documentId: 'a',
      message: 'no',
    };
    await point(live, {
      next: { generation: next, operation: 'o-1', hold: true, ready: false, failure },
      former: { generation: former, since: '2026-05-01T00:00:00.000Z' },
      operation: 'o-0',
    });
    const found = await health(newer);
    expect(found).toMatchObject({ generation: live.name, version: 2, codeVersion: 2, turn: 3, paused: null });
    const of = (role: string) => found.generations.find((one) => one.role === role);
    expect(found.generations.map(({ role }) => role)).toEqual(['live', 'next', 'former']);
    expect(of('live')).toMatchObject({
      generation: live.name,
      feedable: true,
      position: positions[7],
      caughtUp: false,
      lagEvents: { count: 2, exact: true },
      progress: 0.9,
      operation: 'o-0',
      hold: false,
      failure: null,
      since: null,
    });
    expect(of('next')).toMatchObject({
      generation: next.name,
      lagEvents: { count: 9, exact: true },
      progress: 0.3,
      operation: 'o-1',
      hold: true,
      failure,
    });
    expect(of('former')).toMatchObject({
      version: 1,
      feedable: false,
      lagEvents: { count: 1, exact: true },
      since: '2026-05-01T00:00:00.000Z',
    });
    expect(found.segments.map(({ caughtUp, lagEvents }) => [caughtUp, lagEvents?.count])).toEqual([
      [true, 0],
      [false, 2],
    ]);
    // The former version's code is there too, so that this process can feed what it folded.
    const both = await health(newer, { formerViews: [accounts] });
    expect(both.generations.map(({ feedable }) => feedable)).toEqual([true, true, true]);
  });

  it('leaves out generations of another log, and every one where the live one is of another', async () => {
    const live = generation(accounts, 2);
    const other = { ...generation(accounts, 1), log: 'other' as LogId };
    await point(live, { former: { generation: other, since: '' } });
    expect((await health()).generations.map(({ role }) => role)).toEqual(['live']);
    readStore = openMemoryReadStore(new MemoryDatabase());
    await point(other, { former: { generation: live, since: '' } });
    const found = await health();
    expect(found).toMatchObject({ generation: null, generations: [], caughtUp: false, behindCode: false });
    expect(found.lagEvents).toEqual({ count: 10, exact: true });
    expect(found.lagSeconds).toBeGreaterThan(0);
  });

  it.each([
    ['older than the code', accounts, newer, true],
    ['of the code', newer, newer, false],
    ['newer than the code', newer, accounts, false],
    ['of the same version by changed code', { ...accounts, fingerprint: 'other' }, accounts, true],
  ])('says whether a live one that is %s is behind it', async (_, built, code, behindCode) => {
    const live = generation(built, 1);
    await point(live, { declined: code.fingerprint });
    expect(await health(code)).toMatchObject({ behindCode, declined: true });
    readStore = openMemoryReadStore(new MemoryDatabase());
    const next = {
      generation: generation(code, 2),
      operation: null,
      hold: false,
      ready: false,
      failure: null,
    };
    await point(live, { next });
    expect(await health(code)).toMatchObject({ behindCode: false, declined: false });
  });

  it('counts parked documents of each generation', async () => {
    const [live, next] = [generation(accounts, 1), generation(accounts, 2)];
    const [at] = positions;
    if (at === undefined) throw new Error('unreachable');
    await readStore.collection(live.name, PARKED).apply(
      ['a', 'b'].map((id) => ({
        expected: null,
        document: { id, position: at, parkedAt: at, deleted: false, body: null },
        keys: { [PARKED_INDEX]: at },
      })),
    );
    await point(live, {
      next: { generation: next, operation: null, hold: false, ready: false, failure: null },
    });
    expect((await health()).generations.map(({ parked }) => parked)).toEqual([2, 0]);
    expect((await health()).parked).toBe(2);
  });

  it('knows an owner for alive by its slot alone', async () => {
    const live = generation(accounts, 1, 3);
    const [first = '', second = ''] = checkpointNames(live);
    await readStore.leases.swap(first, null, { owner: 'host/1/a', counter: 1 });
    await readStore.leases.swap(second, null, { owner: 'host/2/b', counter: 1 });
    for (let slot = 1; slot <= 5; slot++) {
      const owner = slot === 5 ? 'host/1/a digest' : '';
      await readStore.leases.swap(`projectors.${slot}`, null, { owner, counter: 1 });
    }
    await point(live);
    const { segments, owners } = await health();
    expect(segments.map(({ owner, alive }) => [owner, alive])).toEqual([
      ['host/1/a', true],
      ['host/2/b', false],
      [null, false],
    ]);
    expect(owners).toEqual(['host/1/a', 'host/2/b']);
  });

  it('says what operators have paused, and that it does not know', async () => {
    await point(generation(accounts, 1));
    const paused = new Set(['accounts']);
    expect((await health(accounts, { intent: { paused } })).paused).toBe(true);
    expect((await health(accounts, { intent: Promise.resolve({ paused: new Set<string>() }) })).paused).toBe(
      false,
    );
    expect((await health(accounts, { intent: Promise.reject(new Error('away')) })).paused).toBeNull();
  });

  it('asks the event store for nothing where everything is at its end', async () => {
    const live = generation(accounts, 1);
    await standing(live, 10);
    await point(live);
    const quiet = wrapEventStore(eventStore, {
      readAll: () => {
        throw new Error('It was asked.');
      },
    });
    const [found] = await viewHealth({ eventStore: quiet, readStore }, [accounts]);
    expect(found).toMatchObject({ caughtUp: true, lagSeconds: 0, lagEvents: { count: 0, exact: true } });
  });

  it('knows everything else where nothing of the event store and of the operators answers', async () => {
    const live = generation(accounts, 1);
    await standing(live, 4);
    await point(live);
    const never = new Promise<never>(() => undefined);
    const away = wrapEventStore(eventStore, { head: () => never });
    const before = performance.now();
    const [found] = await viewHealth({ eventStore: away, readStore }, [accounts], { intent: never });
    expect(performance.now() - before).toBeLessThan(1500);
    expect(found).toMatchObject({
      generation: live.name,
      position: positions[3],
      caughtUp: null,
      paused: null,
    });
    expect(found).toMatchObject({ lagSeconds: null, lagEvents: null });
    expect(found?.generations).toMatchObject([{ progress: null, caughtUp: null }]);
  });
});
