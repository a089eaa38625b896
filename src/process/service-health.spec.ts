import { afterEach, describe, expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import { views } from '../../projections/index.js';
import { startProjector } from '../../test/support/alone.js';
import { eventuallyHolds } from '../../test/support/eventually.js';
import { MemoryEventStore } from '../../test/support/memory-event-store.js';
import { MemoryDatabase, openMemoryReadStore } from '../../test/support/memory-read-store.js';
import {
  added,
  markingSealer,
  plainCodec,
  record,
  wrapEventStore,
} from '../../test/support/projection-rig.js';
import { START, type EventStore } from '../core/event-store.js';
import type { Projector } from '../engine/feeding/runner.js';
import type { Operations } from '../engine/generations/operations.js';
import { foldCountsOf } from '../engine/live/progress.js';
import { leaseCountsOf } from '../engine/ownership/presence.js';
import { segmentName } from '../engine/segments.js';
import type { Generation, GenerationName, Pointer } from '../stores/read-store.js';
import {
  logHealth,
  mailHealth,
  projectorHealth,
  registerViewMetrics,
  viewsHealth,
} from './service-health.js';

const never = <T>(): Promise<T> => new Promise<T>(() => undefined);

describe('Health', () => {
  it('of the mail server tells why it takes no mails, and keeps no requests away', async () => {
    const mailer = { problem: null as string | null };
    expect(await mailHealth(null).check()).toEqual([]);
    const at = async () => (await mailHealth(mailer).check())[0];
    expect(await at()).toEqual({ name: 'mail-server', ready: true, figures: { notice: null } });
    mailer.problem = 'The mail server answers 550 5.7.1 to MAIL FROM.';
    expect(await at()).toMatchObject({ ready: true, figures: { notice: mailer.problem } });
  });

  const stops: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const stop of stops.splice(0)) await stop();
  });

  /** Every view with as many segments, caught up, by a process of its own. */
  async function fed(segments: number) {
    const eventStore = new MemoryEventStore();
    const database = new MemoryDatabase();
    const projector: Projector = startProjector({
      eventStore,
      readStore: openMemoryReadStore(database),
      codec: plainCodec(),
      sealer: markingSealer,
      views,
      owner: 'host/7',
      segments,
    });
    stops.push(() => projector.stop());
    const [position] = await record(eventStore, added('a', 1));
    await eventuallyHolds(() =>
      projector.status().every((segment) => segment.caughtUp && segment.position === position),
    );
    const readStore = openMemoryReadStore(database);
    const stores = { eventStore: eventStore as EventStore, readStore };
    await eventuallyHolds(async () => {
      const components = await viewsHealth(stores, null).check();
      return components.slice(1).every(({ figures }) => figures?.['caughtUp'] === true);
    });
    return { ...stores, database, projector, position };
  }

  it('says of each view where it stands and who feeds it, and of each segment where there are several', async () => {
    const { position, ...stores } = await fed(2);
    const [store, ...rest] = await viewsHealth(stores, null).check();
    expect(store).toEqual({ name: 'read-store', ready: true });
    expect(rest.map(({ name }) => name)).toEqual(views.map(({ name }) => `view ${name}`));
    for (const { ready, figures } of rest) {
      expect(ready).toBe(true);
      expect(figures).toMatchObject({
        position,
        caughtUp: true,
        lagSeconds: 0,
        owner: 'host/7',
        reason: null,
      });
      expect(figures?.['segment 1']).toBe(`host/7, caught up, at ${position ?? ''}`);
      expect(figures?.['segment 2']).toBe(`host/7, caught up, at ${position ?? ''}`);
    }
    const one = await fed(1);
    const [, first] = await viewsHealth(one, null).check();
    expect(Object.keys(first?.figures ?? {}).filter((key) => key.startsWith('segment'))).toEqual([]);
  });

  it.each(['fails', 'hangs'])('with an event store that %s still says where the views stand', async (how) => {
    const { position, ...stores } = await fed(2);
    const failing = (): Promise<never> => (how === 'hangs' ? never() : Promise.reject(new Error('away')));
    const eventStore = wrapEventStore(stores.eventStore, { head: failing });
    const before = performance.now();
    const [store, ...rest] = await viewsHealth({ ...stores, eventStore }, null).check();
    expect(performance.now() - before).toBeLessThan(2000);
    expect(store?.ready).toBe(true);
    for (const { ready, figures } of rest) {
      expect(ready).toBe(true);
      expect(figures).toMatchObject({ position, caughtUp: null, lagSeconds: null, owner: 'host/7' });
      expect(figures?.['reason']).toContain('the event store does not answer');
    }
    expect(await logHealth({ eventStore }).check()).toEqual([
      { name: 'event-store', ready: false, problem: 'The event store does not answer.' },
    ]);
  });

  it.each(['fails', 'hangs'])('with a read store that %s says so once', async (how) => {
    const { database, ...stores } = await fed(1);
    const before = (): Promise<void> => (how === 'hangs' ? never() : Promise.reject(new Error('away')));
    const readStore = openMemoryReadStore(database, { before });
    const started = performance.now();
    expect(await viewsHealth({ ...stores, readStore }, null).check()).toEqual([
      { name: 'read-store', ready: false, problem: 'The read store does not answer.' },
    ]);
    expect(performance.now() - started).toBeLessThan(2000);
  });

  it('names views that were never built and views that are far behind', async () => {
    const eventStore = new MemoryEventStore();
    const readStore = openMemoryReadStore(new MemoryDatabase());
    const [, unbuilt] = await viewsHealth({ eventStore, readStore }, null).check();
    expect(unbuilt?.ready).toBe(false);
    expect(unbuilt?.problem).toContain('was never built');
    const { projector, ...stores } = await fed(1);
    await projector.stop();
    const at = new Date(Date.now() - 40_000).toISOString();
    await record(stores.eventStore, { ...added('a', 1), at });
    const [, behind] = await viewsHealth(stores, null).check();
    expect(behind?.ready).toBe(false);
    expect(behind?.problem).toMatch(/is 4\d s behind/);
  });

  it('of a process’s own projector asks no store', async () => {
    const { projector } = await fed(2);
    expect(await projectorHealth(projector).check()).toEqual([
      {
        name: 'projector',
        ready: true,
        figures: { working: 2 * views.length, standby: 0, stopped: 0, failing: 0 },
      },
    ]);
  });
});

describe('The views’ metrics', () => {
  it('have a series for each view and segment, in the first answer too, and leave out what is not known', async () => {
    const eventStore = new MemoryEventStore();
    const database = new MemoryDatabase();
    const readStore = openMemoryReadStore(database);
    await record(eventStore, added('a', 1));
    const projector = startProjector({
      eventStore,
      readStore,
      codec: plainCodec(),
      sealer: markingSealer,
      views,
      owner: 'host/7',
      segments: 2,
    });
    await eventuallyHolds(
      () => projector.status().filter(({ caughtUp }) => caughtUp).length === 2 * views.length,
    );
    const [view] = views.map(({ name }) => name);
    const registry = new Registry();
    registerViewMetrics({ registry }, { eventStore, readStore, codec: plainCodec() }, projector);
    const text = await registry.metrics();
    for (const segment of [1, 2]) {
      const labels = `view="${view ?? ''}",segment="${segment}"`;
      expect(text).toContain(`assay_view_caught_up{${labels}} 1\n`);
      expect(text).toContain(`assay_view_lag_seconds{${labels}} 0\n`);
      expect(text).toContain(`assay_view_position{${labels}} 1\n`);
      expect(text).toContain(`assay_segment_owned{${labels},owner="host/7"} 1\n`);
    }
    expect(text).toContain(`assay_view_parked_documents{view="${view ?? ''}"} 0\n`);
    expect(text).toContain('assay_store_answers{store="read-store"} 1\n');
    await projector.stop();

    const away = wrapEventStore(eventStore, { head: () => Promise.reject(new Error('away')) });
    const other = new Registry();
    registerViewMetrics({ registry: other }, { eventStore: away, readStore, codec: plainCodec() }, null);
    const unknown = await other.metrics();
    expect(unknown).toContain('assay_store_answers{store="event-store"} 0\n');
    expect(unknown).not.toContain('assay_view_lag_seconds{');
    expect(unknown).toContain('assay_view_position{');
    expect(unknown).toContain(`assay_segment_owned{view="${view ?? ''}",segment="1",owner=""} 0\n`);
  });

  /** The first view as its pointer says, everything else never built. */
  async function pointed(change: (pointer: Pointer) => Partial<Pointer>) {
    const eventStore = new MemoryEventStore();
    const readStore = openMemoryReadStore(new MemoryDatabase());
    const positions = await record(eventStore, added('a', 1), added('a', 2), added('a', 3), added('a', 4));
    const [view] = views;
    if (view === undefined) throw new Error('unreachable');
    const generation = (number: number): Generation => ({
      name: `${view.name}.v${view.version}.g${number}` as GenerationName,
      number,
      version: view.version,
      log: eventStore.logId,
      fingerprint: view.fingerprint,
      segments: 1,
    });
    const live = generation(1);
    const none = { operation: null, next: null, former: null, freeze: null, declined: null };
    const pointer: Pointer = { ...none, revision: 1, live, turn: 3 };
    await readStore.pointers.swap(view.name, null, {
      ...pointer,
      ...change({ ...pointer, live: generation(2) }),
    });
    await readStore.checkpoints.advance(segmentName(generation(2).name, 0, 1), null, positions[2] ?? START);
    return {
      name: view.name,
      version: view.version,
      next: generation(2).name,
      stores: { eventStore, readStore, codec: plainCodec() },
    };
  }

  async function textOf(
    stores: Parameters<typeof registerViewMetrics>[1],
    operations: Pick<Operations, 'readIntent'> | null = null,
  ): Promise<readonly string[]> {
    const registry = new Registry();
    registerViewMetrics({ registry }, stores, null, operations);
    return (await registry.metrics()).split('\n').filter((line) => !line.startsWith('#'));
  }

  it('show a rebuild, how far it is, and what its pointer says', async () => {
    const { name, version, next, stores } = await pointed(({ live }) => ({
      next: { generation: live, operation: null, hold: true, ready: false, failure: null },
      freeze: { to: live.name, barrier: null },
    }));
    const of = `{view="${name}"}`;
    expect(await textOf(stores)).toEqual(
      expect.arrayContaining([
        `assay_rebuild_progress_ratio${of} 0.75`,
        `assay_rebuild_events_left${of} 1`,
        `assay_rebuild_failed${of} 0`,
        `assay_rebuild_held${of} 1`,
        `assay_view_frozen${of} 1`,
        `assay_view_feedable${of} 1`,
        `assay_view_behind_code${of} 0`,
        `assay_view_promotions_total${of} 3`,
        `assay_view_lag_events{view="${name}",segment="1"} 4`,
        `assay_view_generation_info{view="${name}",role="next",generation="${next}",version="${version}"} 1`,
      ]),
    );
  });

  it('show what operators want and what came of it, each ending once', async () => {
    const { name, stores } = await pointed(() => ({}));
    const open = [{ id: 'o-9', view: name, kind: 'rollback' as const }];
    const operations = {
      readIntent: () => Promise.resolve({ open, paused: new Set([name]), skipped: () => new Set<string>() }),
    };
    const ended = (result: string) => ({
      type: 'operation.ended',
      stream: 'operator-log',
      data: { operation: 'o', view: name, result, message: '', details: {} },
    });
    await record(
      stores.eventStore,
      ended('done'),
      { ...added('a', 1), stream: 'operator-log' },
      ended('failed'),
    );
    const registry = new Registry();
    registerViewMetrics({ registry }, stores, null, operations);
    await registry.metrics();
    await record(stores.eventStore, ended('done'));
    const text = (await registry.metrics()).split('\n');
    expect(text).toEqual(
      expect.arrayContaining([
        `assay_operations_open{view="${name}"} 1`,
        `assay_view_paused{view="${name}"} 1`,
        `assay_operations_ended_total{view="${name}",result="done"} 2`,
        `assay_operations_ended_total{view="${name}",result="failed"} 1`,
        `assay_operations_ended_total{view="${name}",result="cancelled"} 0`,
      ]),
    );
    expect((await textOf(stores)).filter((line) => /paused|operations_open/.test(line))).toEqual([]);
    const [, component] = await viewsHealth(stores, null, operations).check();
    expect(component?.figures).toMatchObject({ paused: true });
    expect(component?.ready).toBe(true);
  });

  it('show what this process has folded and how its leases changed hands', async () => {
    const { name, stores } = await pointed(() => ({}));
    const segment = { view: { name }, index: 0, rules: { strict: false } };
    foldCountsOf(stores.readStore).folded(segment, 7, 2);
    foldCountsOf(stores.readStore).failed(segment);
    leaseCountsOf(stores.readStore.leases).taken++;
    const of = `{view="${name}",segment="1",stage="serving"}`;
    expect(await textOf(stores)).toEqual(
      expect.arrayContaining([
        `assay_view_events_folded_total${of} 7`,
        `assay_view_documents_written_total${of} 2`,
        `assay_view_passes_failed_total${of} 1`,
        'assay_lease_changes_total{change="taken"} 1',
        'assay_lease_changes_total{change="lost"} 0',
      ]),
    );
  });
});
