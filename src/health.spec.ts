import { afterEach, describe, expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import { MemoryEventStore } from '../test/support/memory-event-store.js';
import { MemoryDatabase, openMemoryReadStore } from '../test/support/memory-read-store.js';
import {
  added,
  eventually,
  markingSealer,
  plainCodec,
  record,
  wrapEventStore,
} from '../test/support/projection-rig.js';
import { views } from '../projections/index.js';
import type { EventStore } from './event-store/port.js';
import { logHealth, projectorHealth, registerViewMetrics, viewsHealth } from './health.js';
import { startProjector, type Projector } from './projection-engine/runner.js';

const never = <T>(): Promise<T> => new Promise<T>(() => undefined);

describe('Health', () => {
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
    await eventually(() =>
      projector.status().every((segment) => segment.caughtUp && segment.position === position),
    );
    const readStore = openMemoryReadStore(database);
    const stores = { eventStore: eventStore as EventStore, readStore };
    await eventually(async () => {
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
    await eventually(() => projector.status().filter(({ caughtUp }) => caughtUp).length === 2 * views.length);
    const [view] = views.map(({ name }) => name);
    const registry = new Registry();
    registerViewMetrics({ registry }, { eventStore, readStore }, projector);
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
    registerViewMetrics({ registry: other }, { eventStore: away, readStore }, null);
    const unknown = await other.metrics();
    expect(unknown).toContain('assay_store_answers{store="event-store"} 0\n');
    expect(unknown).not.toContain('assay_view_lag_seconds{');
    expect(unknown).toContain('assay_view_position{');
    expect(unknown).toContain(`assay_segment_owned{view="${view ?? ''}",segment="1",owner=""} 0\n`);
  });
});
