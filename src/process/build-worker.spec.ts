import { describe, expect, it } from '@jest/globals';
import { openMemoryReadStore } from '../../test/support/memory-read-store.js';
import { views } from '../../projections/index.js';
import { hasBuildWork } from './build-worker.js';
import type { LogId } from '../core/event-store.js';
import { fingerprintOf, type AnyView } from '../engine/view.js';
import { noOperations, type Operation, type Operations } from '../engine/generations/operations.js';
import { building, first, frozen } from '../engine/generations/pointer.js';
import type { Generation, GenerationName, Pointer } from '../stores/read-store.js';

const [view] = views as readonly [AnyView];

const generation = (number: number, change: Partial<Generation> = {}): Generation => ({
  name: `${view.name}.v${view.version}.g${number}` as GenerationName,
  number,
  version: view.version,
  log: 'log' as LogId,
  fingerprint: fingerprintOf(view),
  segments: 1,
  ...change,
});

const asked = (operation: Operation): Operations => ({
  ...noOperations,
  look: async () => ({ ...(await noOperations.look()), open: [operation] }),
});

async function hasWorkFor(pointer: Pointer, operations = noOperations): Promise<boolean> {
  const readStore = openMemoryReadStore();
  for (let revision = 1; revision <= pointer.revision; revision++)
    await readStore.pointers.swap(view.name, revision === 1 ? null : revision - 1, { ...pointer, revision });
  return await hasBuildWork({ readStore }, await operations.look(), { automatic: true, graceMs: 0 });
}

describe('A build worker is needed', () => {
  const quiet = first(generation(1));
  const held = building(quiet, generation(2), { operation: 'r', hold: true });

  it('not when each view serves', async () => {
    expect(await hasWorkFor(quiet)).toBe(false);
  });

  it('for what is being built', async () => {
    expect(await hasWorkFor(building(quiet, generation(2), { operation: null, hold: false }))).toBe(true);
  });

  it('for frozen readers, since the process that froze them may be gone', async () => {
    expect(await hasWorkFor(frozen(held, generation(2).name))).toBe(true);
  });

  it('for a rebuild that other code of the same version began, since that may be gone', async () => {
    const other = generation(2, { fingerprint: 'other' });
    expect(await hasWorkFor(building(quiet, other, { operation: 'r', hold: false }))).toBe(true);
  });

  it('for what is asked of a view that the code does not know, to say so', async () => {
    const unknown = asked({ id: 'b', view: 'unknown', kind: 'rollback' });
    expect(await hasWorkFor(quiet, unknown)).toBe(true);
  });
});
