import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { roles } from '../../../projections/roles.js';
import { signalRowId } from '../../../projections/signal.js';
import { startAssay } from '../../../test/support/assay.js';
import { spawnService } from '../../../test/support/service.js';
import { streamName } from '../../core/event-store.js';
import { readConfiguration } from '../../process/config.js';
import { openStores, type Stores } from '../../process/stores.js';
import type { DeadLetters } from './list.js';

const ORGANISATION = 'organisation-1';
const [ROW_A, ROW_B] = ['a', 'b'].map((roleId) => signalRowId(ORGANISATION, roleId)) as [string, string];
const definition = { name: 'Name', overallThreshold: 0, dimensions: [], ticketIds: [], questions: [] };

let dataDir: string;
let poison: string;

const withStores = async <T>(work: (stores: Stores) => Promise<T>): Promise<T> => {
  const stores = await openStores(readConfiguration({ DATA_DIR: dataDir }));
  try {
    return await work(stores);
  } finally {
    await stores.close();
  }
};

const append = async ({ codec, eventStore }: Stores, roleId: string, revision: number, data: object) => {
  const { encoded } = await codec.encode(
    [{ type: revision === 0 ? 'role.created' : 'role.updated', data, person: null, personal: null }],
    {
      recordedAt: '2026-01-02T03:04:05.006Z',
      actor: { type: 'system', id: 'test' },
      ...{ commandId: `${roleId}-${revision}`, requestHash: null, correlationId: 'test', causationId: null },
    },
  );
  await eventStore.append(streamName('role', roleId), revision === 0 ? 'no-stream' : revision - 1, encoded);
  return encoded[0]!.id;
};

/** An event without a definition, as no code of ours writes it, among others. */
const fill = async (stores: Stores): Promise<string> => {
  const common = { organisationId: ORGANISATION, status: 'ready' };
  await append(stores, 'a', 0, { ...common, roleId: 'a', definition });
  const id = await append(stores, 'a', 1, { ...common, roleId: 'a' });
  await append(stores, 'a', 2, { ...common, roleId: 'a', definition: { ...definition, name: 'Later' } });
  await append(stores, 'b', 0, { ...common, roleId: 'b', definition });
  return id;
};

/** Runs a built projector: a view's code is identified by its text, and the tests' compiler writes another text. */
const project = async ({ readStore, eventStore }: Stores): Promise<void> => {
  const { child, ended } = spawnService(dataDir, { entry: 'src/projector.js' });
  const head = await eventStore.head();
  const standsAtHead = async (view: string, id: string): Promise<boolean> => {
    const live = (await readStore.pointers.get(view))?.live;
    return live !== undefined && (await readStore.collection(live.name, {}).get(id))?.position === head;
  };
  try {
    for (const [view, id] of [
      ['roles', 'b'],
      ['signal', ROW_B],
    ] as const)
      while (!(await standsAtHead(view, id))) await sleep(20);
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
};

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'assay-dead-letters-'));
  poison = await withStores(async (stores) => {
    const id = await fill(stores);
    await project(stores);
    return id;
  });
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

const assay = (...args: readonly string[]) => startAssay(dataDir, ['dead-letters', ...args]).ended();

/** Each test continues from the state after the one before it. */
describe('assay dead-letters', () => {
  it('lists what is parked in every view', async () => {
    const { code, out } = await assay('list', '--json');
    const { deadLetters, more } = JSON.parse(out) as DeadLetters;
    expect([code, more]).toEqual([0, false]);
    expect(deadLetters).toMatchObject([
      {
        ...{
          view: 'roles',
          generation: `roles.v${roles.version}.g1`,
          role: 'live',
          document: 'a',
          waiting: 1,
        },
        event: { id: poison, type: 'role.updated', stream: 'role-a', revision: 1 },
        why: { kind: 'failed', reason: expect.stringContaining('NotJson') },
      },
      { view: 'signal', document: ROW_A, why: { reason: expect.stringContaining('TypeError') } },
    ]);
  });

  it('shows one in full, with the place in the view’s code', async () => {
    const { code, out } = await assay('show', 'signal', ROW_A);
    expect(code).toBe(0);
    for (const part of [poison, 'TypeError', 'projections/signal.ts', '"roleName": "Name"'])
      expect(out).toContain(part);
  });

  it('retries, and tells what stays parked all the same', async () => {
    const { code, out, err } = await assay('retry', 'roles', '--all');
    expect(err).toContain('1 document stays parked.');
    expect(out).toContain(`roles a (live) stays parked at the role.updated event ${poison}: NotJson`);
    expect(code).toBe(1);
  });

  it.each([
    ['without a word of which documents', ['retry', 'roles']],
    ['without anybody to ask', ['skip', 'roles', 'a', '--reason', 'A fault.']],
  ])('does nothing where it is called %s', async (_, args) => {
    const { code, err } = await assay(...args);
    expect([code, err]).toEqual([2, expect.stringMatching(/./)]);
  });

  it('skips the event in the way, after which the document is as if that had never been', async () => {
    const { code, out } = await assay('skip', 'roles', 'a', '--reason', 'A fault.', '--yes', '--json');
    expect(JSON.parse(out)).toMatchObject({
      skipped: { eventId: poison, eventType: 'role.updated', document: 'a', reason: 'A fault.' },
      retried: { stillParked: [] },
    });
    expect(code).toBe(0);
    await withStores(async ({ readStore }) => {
      const { live } = (await readStore.pointers.get('roles'))!;
      expect(await readStore.collection(live.name, {}).get('a')).toMatchObject({
        parkedAt: null,
        body: { version: 2, definition: { name: 'Later' } },
      });
    });
  });
});
