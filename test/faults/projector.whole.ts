import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { EventStore } from '../../src/core/event-store.js';
import { checkpointNames } from '../../src/engine/generations/generations.js';
import { openEmbeddedLog } from '../../src/stores/lmdb/log/log.js';
import { openEmbeddedReadStore } from '../../src/stores/lmdb/views/open.js';
import type { ReadStore, StoredDocument } from '../../src/stores/read-store.js';
import { Random } from '../model/random.js';
import { eventuallyHolds } from '../support/eventually.js';
import { foldView } from '../support/given-view.js';
import { accounts, added, record } from '../support/projection-rig.js';
import { storedEvents, type Given } from '../support/stored-events.js';
import type { ProjectorPlan } from './projector-process.js';

const program = fileURLToPath(new URL('../../dist/test/faults/projector-process.js', import.meta.url));

describe('Projectors that are killed', () => {
  let folder: string;
  let log: EventStore;
  let views: ReadStore;
  let children: ChildProcess[];
  let given: Given[];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'assay-projector-'));
    log = await openEmbeddedLog(join(folder, 'log'));
    views = await openEmbeddedReadStore(join(folder, 'views'));
    children = [];
    given = [];
  });

  afterEach(async () => {
    for (const child of children) {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGKILL');
        await once(child, 'close');
      }
    }
    await log.close();
    await views.close();
    await rm(folder, { recursive: true });
  });

  function start(plan: Omit<ProjectorPlan, 'log' | 'views'> = {}): ChildProcess {
    const full: ProjectorPlan = { log: join(folder, 'log'), views: join(folder, 'views'), ...plan };
    const child = spawn(process.execPath, ['--no-warnings', program, JSON.stringify(full)], {
      env: { PATH: process.env['PATH'] },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    children.push(child);
    return child;
  }

  async function append(random: Random, count: number): Promise<void> {
    const events = Array.from({ length: count }, () =>
      added(`account-${random.below(6)}`, 1 + random.below(20)),
    );
    given.push(...events);
    await record(log, ...events);
  }

  async function caughtUp(): Promise<void> {
    const head = await log.head();
    await eventuallyHolds(async () => {
      const pointer = await views.pointers.get(accounts.name);
      if (pointer === null) return false;
      for (const name of checkpointNames(pointer.live)) {
        if ((await views.checkpoints.get(name)) !== head) return false;
      }
      return true;
    }, 60_000);
  }

  /** Each segment's owner by its lease: the process's id. */
  async function owners(): Promise<readonly (string | undefined)[]> {
    const pointer = await views.pointers.get(accounts.name);
    if (pointer === null) return [];
    const leases = await Promise.all(checkpointNames(pointer.live).map((name) => views.leases.get(name)));
    return leases.map((lease) => lease?.owner.split('/')[0]);
  }

  const areSharedBy = (...processes: readonly ChildProcess[]): Promise<void> =>
    eventuallyHolds(async () => {
      const [segments, pids] = [await owners(), processes.map(({ pid }) => `${pid}`)];
      expect(new Set(segments)).toEqual(new Set(pids));
    }, 30_000);

  /** The content of each document, and the position at which it was parked, by id. */
  async function documents(): Promise<Map<string, unknown>> {
    const pointer = await views.pointers.get(accounts.name);
    const all = new Map<string, unknown>();
    if (pointer === null) return all;
    for await (const document of views.collection(pointer.live.name, {}).all()) {
      all.set(document.id, [document.parkedAt, contentOf(document)]);
    }
    return all;
  }

  /** The expected documents, folded without a store. A 13 parks its document, which then no longer changes. */
  async function expected(): Promise<Map<string, unknown>> {
    const positions: string[] = [];
    for await (const event of log.readAll()) positions.push(event.position);
    const stored = storedEvents(given);
    const parkedAt = new Map<string, string>();
    const foldable = stored.filter((event, index) => {
      const { account, amount } = event.data as { account: string; amount: number };
      if (amount === 13 && !parkedAt.has(account)) parkedAt.set(account, positions[index] ?? '');
      return !parkedAt.has(account);
    });
    const folded = foldView(accounts, foldable);
    const ids = new Set(stored.map(({ data }) => (data as { account: string }).account));
    return new Map(
      [...ids].sort().map((id) => [id, [parkedAt.get(id) ?? null, folded.get(id)?.document ?? null]]),
    );
  }

  it('between the view’s write and its checkpoint, and during a write, count nothing twice and lose nothing', async () => {
    const random = new Random(11);
    for (let round = 0; round < 8; round++) {
      await append(random, 12 + random.below(20));
      const n = 1 + random.below(3);
      const child = start(round % 2 === 0 ? { beforeCheckpoint: n } : { duringWrite: n });
      const appending = append(random, 10);
      const [, signal] = (await once(child, 'close')) as [number | null, string | null];
      expect(signal).toBe('SIGKILL');
      await appending;
    }
    start();
    await caughtUp();
    expect(await documents()).toEqual(await expected());
  });

  it('with another process on standby: it takes over within ten seconds with the same result', async () => {
    const random = new Random(12);
    await append(random, 20);
    const first = start();
    await caughtUp();
    const second = start();
    await once(second.stdout!, 'data');
    first.kill('SIGKILL');
    await append(random, 30);
    const before = performance.now();
    await caughtUp();
    expect(performance.now() - before).toBeLessThan(20_000);
    expect(await documents()).toEqual(await expected());
  });

  it('that share the segments: one killed is replaced within ten seconds, one that leaves within two', async () => {
    const random = new Random(13);
    await append(random, 20);
    const [first, second] = [start({ inEarnest: true }), start({ inEarnest: true })];
    await areSharedBy(first, second);
    await append(random, 20);
    await caughtUp();

    first.kill('SIGKILL');
    await once(first, 'close');
    const killedAt = performance.now();
    await append(random, 20);
    await caughtUp();
    // A busy machine takes longer.
    expect(performance.now() - killedAt).toBeLessThan(12_000);
    await areSharedBy(second);

    const third = start({ inEarnest: true });
    await areSharedBy(second, third);
    second.stdin?.end();
    await once(second, 'close');
    const leftAt = performance.now();
    await areSharedBy(third);
    await append(random, 10);
    await caughtUp();
    // Without its notice, the others would need at least 5 s to find that it is gone.
    expect(performance.now() - leftAt).toBeLessThan(4_900);
    expect(await documents()).toEqual(await expected());
  });
});

const contentOf = ({ body }: StoredDocument): unknown => (body as { sealed: object } | null)?.sealed ?? null;
