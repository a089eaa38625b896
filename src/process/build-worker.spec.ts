import { describe, expect, it } from '@jest/globals';
import { views } from '../../projections/index.js';
import type { LogId } from '../core/event-store.js';
import type { OperatorIntent } from '../engine/generations/operations.js';
import { building, first, frozen } from '../engine/generations/pointer.js';
import type { AnyView } from '../engine/view.js';
import type { Generation, GenerationName, Pointer } from '../stores/read-store.js';
import { hasBuildWork } from './build-worker.js';

const [view] = views as readonly [AnyView];

const generation = (number: number, change: Partial<Generation> = {}): Generation => ({
  name: `${view.name}.v${view.version}.g${number}` as GenerationName,
  number,
  version: view.version,
  log: 'log' as LogId,
  fingerprint: view.fingerprint,
  segments: 1,
  ...change,
});

const NOTHING: OperatorIntent = { open: [], paused: new Set(), skipped: () => new Set() };

const hasWorkFor = (pointer: Pointer, intent = NOTHING): boolean =>
  hasBuildWork({ intent, pointers: new Map([[view.name, pointer]]) }, { automatic: true, graceMs: 0 });

describe('A build worker is needed', () => {
  const quiet = first(generation(1));
  const held = building(quiet, generation(2), { operation: 'r', hold: true });

  it('not when each view serves', () => {
    expect(hasWorkFor(quiet)).toBe(false);
  });

  it('for what is being built', () => {
    expect(hasWorkFor(building(quiet, generation(2), { operation: null, hold: false }))).toBe(true);
  });

  it('for frozen readers, since the process that froze them may be gone', () => {
    expect(hasWorkFor(frozen(held, generation(2).name))).toBe(true);
  });

  it('for a rebuild that other code of the same version began, since that may be gone', () => {
    const other = generation(2, { fingerprint: 'other' });
    expect(hasWorkFor(building(quiet, other, { operation: 'r', hold: false }))).toBe(true);
  });

  it('for what is asked of a view that the code does not know, to say so', () => {
    const unknown = { ...NOTHING, open: [{ id: 'b', view: 'unknown', kind: 'rollback' } as const] };
    expect(hasWorkFor(quiet, unknown)).toBe(true);
  });
});
