import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { LogId, Position } from '../../src/core/event-store.js';
import { folds } from '../../src/engine/generations/generations.js';
import { nextStep, type Step } from '../../src/engine/generations/next-step.js';
import type { Ending, Operation } from '../../src/engine/generations/operations.js';
import {
  barred,
  building,
  frozen,
  withoutNext,
  nextIs,
  swapped,
  thawed,
  withoutFormer,
} from '../../src/engine/generations/pointer.js';
import type { AnyView } from '../../src/engine/view.js';
import type { FoldFailure, Generation, GenerationName, Pointer } from '../../src/stores/read-store.js';
import { accounts } from '../support/projection-rig.js';

/** The running code, and the views that may have folded a stored generation: older, of the same version, newer. */
const code: AnyView = { ...accounts, version: 2, fingerprint: 'code' };
const former: AnyView = accounts;
const folded = [
  former,
  code,
  { ...code, fingerprint: 'other' },
  { ...accounts, version: 3, fingerprint: 'later' },
] as const;

const generation = (number: number, view: AnyView): Generation => ({
  name: `accounts.v${view.version}.g${number}` as GenerationName,
  number,
  version: view.version,
  log: 'log' as LogId,
  fingerprint: view.fingerprint,
  segments: 1,
});

const failure: FoldFailure = {
  eventId: 'e1',
  eventType: 'added',
  position: '5' as Position,
  documentId: 'a',
  message: 'Thirteen cannot be added.',
};
const AT = '2026-01-01T00:00:00.000Z';

const ids = ['one', 'two', 'three'] as const;
const anyView = fc.constantFrom(...folded);
/** The operation of a generation: an open one, one that has ended, or none. */
const anyAsker = fc.constantFrom(...ids, 'ended', null);

const pointers: fc.Arbitrary<Pointer> = fc
  .record({
    live: anyView.map((view) => generation(2, view)),
    operation: anyAsker,
    next: fc.option(
      fc.record({
        generation: anyView.map((view) => generation(3, view)),
        operation: anyAsker,
        hold: fc.boolean(),
        ready: fc.boolean(),
        failure: fc.option(fc.constant(failure)),
      }),
    ),
    former: fc.option(
      fc.record({ generation: anyView.map((view) => generation(1, view)), since: fc.constant(AT) }),
    ),
    freeze: fc.option(fc.record({ to: fc.boolean(), barrier: fc.option(fc.constant('9' as Position)) }), {
      freq: 4,
    }),
    declined: fc.option(anyView.map(({ fingerprint }) => fingerprint)),
  })
  .map(({ freeze, ...rest }) => {
    const to = freeze?.to ? rest.next?.generation.name : rest.former?.generation.name;
    return { ...rest, revision: 7, turn: 3, freeze: freeze && to ? { to, barrier: freeze.barrier } : null };
  });

const asked = (id: string): fc.Arbitrary<Operation> => {
  const common = { id: fc.constant(id), view: fc.constant('accounts') };
  const yes = fc.boolean();
  return fc.oneof(
    fc.record({ ...common, kind: fc.constant('rebuild'), segments: fc.constant(null), hold: yes }),
    fc.record({ ...common, kind: fc.constant('promote'), acceptDifferences: yes }),
    fc.record({ ...common, kind: fc.constant('rollback') }),
    fc.record({ ...common, kind: fc.constant('cancel') }),
    fc.record({ ...common, kind: fc.constant('refold'), documents: fc.constant('parked'), parkedOnly: yes }),
  );
};
const operations = fc
  .tuple(...ids.map((id) => fc.option(asked(id))))
  .map((several) => several.filter((one) => one !== null));

/** Conditions that do not change while steps are taken. */
const worlds = fc.record({
  /** The code can still fold the former version. */
  keepsFormer: fc.boolean(),
  automatic: fc.boolean(),
  paused: fc.boolean(),
  /** Every rebuild reaches an event that it cannot fold. */
  poisoned: fc.boolean(),
  /** An operator has skipped that event. */
  skipped: fc.boolean(),
  /** The built generation differs from the live one. */
  differs: fc.boolean(),
  /** The next generation does not reach the log's end. */
  behind: fc.boolean(),
  graceOver: fc.boolean(),
});
type World = typeof worlds extends fc.Arbitrary<infer W> ? W : never;

const versionsOf = ({ keepsFormer }: World): readonly [AnyView, ...AnyView[]] =>
  keepsFormer ? [code, former] : [code];

interface State {
  readonly pointer: Pointer;
  readonly open: readonly Operation[];
  readonly endings: ReadonlyMap<string, Ending>;
  /** How many generation numbers were given. */
  readonly given: number;
}

const stepOf = ({ pointer, open }: State, world: World): Step =>
  nextStep({
    ...world,
    versions: versionsOf(world),
    pointer,
    open,
    failureSkipped: world.skipped && pointer.next?.failure != null,
    // There is no other process.
    stuck: pointer.freeze !== null,
    stalled:
      pointer.next !== null && !versionsOf(world).some((view) => folds(view, pointer.next!.generation)),
  });

const ended = (state: State, which: readonly (string | null)[], ending: Ending): State => ({
  ...state,
  open: state.open.filter(({ id }) => !which.includes(id)),
  endings: new Map([
    ...state.endings,
    ...which.flatMap((id) => (id === null ? [] : [[id, ending] as const])),
  ]),
});

/** The state after a step, if no store fails and no other process interferes. */
function after(state: State, step: Exclude<Step, { kind: 'nothing' }>, world: World): State {
  const { pointer, given } = state;
  const to = (next: Pointer | null): State => ({ ...state, pointer: next ?? pointer });
  const next = pointer.next?.generation;
  switch (step.kind) {
    case 'end':
      return ended(state, step.operations, step.ending);
    case 'build':
      return { ...to(building(pointer, generation(given + 1, code), step)), given: given + 1 };
    case 'await':
      return to(
        nextIs(pointer, next!.name, world.poisoned && !world.skipped ? { failure } : { ready: true }),
      );
    case 'resume':
      return to(nextIs(pointer, next!.name, { failure: null }));
    case 'drop next':
      return to(withoutNext(pointer));
    case 'drop former':
      return to(withoutFormer(pointer));
    case 'thaw':
      return to(thawed(pointer));
    case 'refold':
      return ended(state, [step.operation.id], { result: 'done', message: 'Folded.', details: {} });
    case 'promote': {
      const target = step.to === 'next' ? next! : pointer.former!.generation;
      const same = !step.acceptDifferences && target.fingerprint === pointer.live.fingerprint;
      const own = step.to === 'next' && pointer.next?.operation === step.operation;
      if ((same && world.differs) || (world.behind && !own)) {
        const refused = ended(state, [step.operation], {
          result: 'failed',
          message: 'Differs.',
          details: {},
        });
        const held = step.to === 'next' ? nextIs(pointer, target.name, { hold: true }) : null;
        return { ...refused, pointer: held ?? pointer };
      }
      return to(swapped(barred(frozen(pointer, target.name), '9' as Position), step.operation, AT));
    }
  }
}

/** Whether an operation may stay open: a rebuild of a paused view, or one that newer code must continue. */
const mayWait = ({ id, kind }: Operation, { next }: Pointer, { paused }: World): boolean =>
  kind === 'rebuild' && next?.operation === id && (paused || next.generation.version > code.version);

describe('From any pointer and any open operations', () => {
  it('a conductor comes to rest step by step, with every operation ended', () => {
    fc.assert(
      fc.property(pointers, operations, worlds, (pointer, open, world) => {
        let state: State = { pointer, open, endings: new Map(), given: 3 };
        const taken: string[] = [];
        for (;;) {
          const step = stepOf(state, world);
          if (step.kind === 'nothing') break;
          taken.push(step.kind);
          // A generation that is not fed makes no progress.
          if (world.paused) expect(['await', 'promote']).not.toContain(step.kind);
          if (taken.length > 20) throw new Error(`It never comes to rest: ${taken.join(', ')}`);
          state = after(state, step, world);
        }
        expect(state.pointer.freeze).toBeNull();
        expect(state.open.filter((one) => !mayWait(one, state.pointer, world))).toEqual([]);
        // The operation of the live generation never ends as cancelled.
        const served = state.endings.get(pointer.operation ?? '');
        expect(served?.result).not.toBe('cancelled');
      }),
      { numRuns: 5_000 },
    );
  });
});
