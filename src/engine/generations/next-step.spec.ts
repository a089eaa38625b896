import { describe, expect, it } from '@jest/globals';
import { accounts } from '../../../test/support/projection-rig.js';
import type { LogId, Position } from '../../core/event-store.js';
import type { Building, Generation, GenerationName, Pointer } from '../../stores/read-store.js';
import type { AnyView } from '../view.js';
import { nextStep, type Situation, type Step } from './next-step.js';
import type { Operation } from './operations.js';
import { building, first, frozen, withoutNext, nextIs } from './pointer.js';

const newer: AnyView = { ...accounts, version: 2, fingerprint: 'newer' };

const generation = (number: number, view: AnyView = accounts, segments = 1): Generation => ({
  name: `accounts.v${view.version}.g${number}` as GenerationName,
  number,
  version: view.version,
  log: 'log' as LogId,
  fingerprint: view.fingerprint,
  segments,
});

const live = first(generation(1));
const failure = {
  eventId: 'e1',
  eventType: 'added',
  position: '5' as Position,
  documentId: 'a',
  message: 'Thirteen cannot be added.',
};

const building2 = (change: Partial<Building> = {}, view: AnyView = accounts, pointer = live): Pointer => {
  const { operation = 'r', hold = false, ...rest } = change;
  const begun = building(pointer, generation(2, view, 3), { operation, hold });
  return nextIs(begun, generation(2, view).name, rest) ?? begun;
};

const step = (change: Partial<Situation> = {}): Step =>
  nextStep({
    versions: [accounts],
    pointer: live,
    open: [],
    automatic: true,
    paused: false,
    stalled: false,
    stuck: false,
    failureSkipped: false,
    graceOver: false,
    ...change,
  });

const asked = (
  id: string,
  what: Partial<Record<string, unknown>> & { readonly kind: Operation['kind'] },
): Operation => {
  const operation: unknown = {
    id,
    view: 'accounts',
    segments: null,
    hold: false,
    acceptDifferences: false,
    ...what,
  };
  return operation as Operation;
};
const rebuild = asked('r', { kind: 'rebuild' });
const promote = asked('p', { kind: 'promote' });
const rollback = asked('b', { kind: 'rollback' });
const cancel = asked('c', { kind: 'cancel' });

describe('With nothing asked, a view', () => {
  it('that its code folds is left alone', () => expect(step()).toEqual({ kind: 'nothing' }));

  it('whose code is newer is rebuilt by itself, if that is wanted', () => {
    const versions = [newer, accounts] as const;
    expect(step({ versions })).toMatchObject({ kind: 'build', operation: null, hold: false });
    expect(step({ versions, automatic: false })).toEqual({ kind: 'nothing' });
    expect(step({ versions, paused: true })).toEqual({ kind: 'nothing' });
    const declined = { ...live, declined: newer.fingerprint };
    expect(step({ versions, pointer: declined })).toEqual({ kind: 'nothing' });
  });

  it('that newer code serves is left to it', () => {
    expect(step({ pointer: first(generation(1, newer)) })).toEqual({ kind: 'nothing' });
  });

  it('is waited for while it is rebuilt, then serves', () => {
    const versions = [newer] as const;
    const pointer = building2({ operation: null }, newer);
    expect(step({ versions, pointer })).toEqual({ kind: 'await' });
    expect(step({ versions, pointer, paused: true })).toEqual({ kind: 'nothing' });
    const ready = building2({ operation: null, ready: true }, newer);
    expect(step({ versions, pointer: ready })).toMatchObject({
      kind: 'promote',
      to: 'next',
      operation: null,
    });
  });

  it('stays as it is where its rebuild has failed, until what it failed at is out of the way', () => {
    const pointer = building2({ operation: null, failure }, newer);
    expect(step({ versions: [newer], pointer })).toEqual({ kind: 'nothing' });
    expect(step({ versions: [newer], pointer, failureSkipped: true })).toEqual({ kind: 'resume' });
  });

  it('whose rebuild failed is begun anew by newer code, also where that still has the former fold', () => {
    const pointer = building2({ operation: null, failure });
    expect(step({ versions: [newer, accounts], pointer })).toMatchObject({ kind: 'build', operation: null });
  });

  it('whose own rebuild was given up does not begin it again', () => {
    const begun = building2({ operation: null }, newer);
    expect(step({ versions: [newer], pointer: begun, open: [cancel] })).toEqual({ kind: 'drop next' });
    expect(step({ versions: [newer], pointer: withoutNext(begun) })).toEqual({ kind: 'nothing' });
    expect(step({ versions: [newer], pointer: withoutNext(building2({}, newer)) })).toMatchObject({
      kind: 'build',
    });
  });

  it('whose rebuild newer code finds is begun anew by it, and left alone by older code', () => {
    const pointer = building2({ operation: null, failure });
    expect(step({ versions: [newer], pointer })).toMatchObject({
      kind: 'build',
      operation: null,
      segments: 3,
    });
    const pointerOfNewer = building2({ operation: null }, newer);
    expect(step({ pointer: pointerOfNewer, stalled: true })).toEqual({ kind: 'nothing' });
  });

  it('whose rebuild other code of the same version began is begun anew once that stands still', () => {
    const other: AnyView = { ...accounts, fingerprint: 'other' };
    const pointer = building2({ operation: null }, other);
    expect(step({ pointer })).toEqual({ kind: 'nothing' });
    expect(step({ pointer, stalled: true })).toMatchObject({ kind: 'build', operation: null });
  });

  it('lets its former generation go after the grace time', () => {
    const pointer = { ...live, former: { generation: generation(0), since: '2026-01-01T00:00:00.000Z' } };
    expect(step({ pointer })).toEqual({ kind: 'nothing' });
    expect(step({ pointer, graceOver: true })).toEqual({ kind: 'drop former' });
  });

  it('that is frozen is left alone, unless whoever froze it is gone', () => {
    const pointer = frozen(building2({ ready: true }), generation(2).name);
    expect(step({ pointer, open: [rebuild] })).toEqual({ kind: 'nothing' });
    expect(step({ pointer, open: [rebuild], stuck: true })).toEqual({ kind: 'thaw' });
  });
});

describe('A rebuild', () => {
  it('begins, is waited for, and serves', () => {
    const split = asked('r', { kind: 'rebuild', segments: 8, hold: true });
    expect(step({ open: [split] })).toEqual({ kind: 'build', operation: 'r', hold: true, segments: 8 });
    expect(step({ open: [rebuild], pointer: building2() })).toEqual({ kind: 'await' });
    expect(step({ open: [rebuild], pointer: building2({ ready: true }) })).toMatchObject({
      kind: 'promote',
      to: 'next',
      operation: 'r',
      acceptDifferences: false,
    });
    const served = { ...live, operation: 'r' };
    expect(step({ open: [rebuild], pointer: served })).toMatchObject({
      kind: 'end',
      operations: ['r'],
      ending: { result: 'done' },
    });
  });

  it('that is held ends once it could serve, and stays', () => {
    const open = [asked('r', { kind: 'rebuild', hold: true })];
    const pointer = building2({ ready: true, hold: true });
    expect(step({ open, pointer })).toMatchObject({ kind: 'end', ending: { result: 'done' } });
    expect(step({ pointer })).toEqual({ kind: 'nothing' });
  });

  it('that cannot fold an event fails with its name, then nothing of it is left', () => {
    const pointer = building2({ failure });
    const told = step({ open: [rebuild], pointer });
    expect(told).toMatchObject({ kind: 'end', ending: { result: 'failed', details: { eventId: 'e1' } } });
    expect(JSON.stringify(told)).toContain('Thirteen cannot be added.');
    expect(step({ pointer })).toEqual({ kind: 'drop next' });
  });

  it('that cannot be stored until an operator acts fails with the sentence for him, and is not tried again', () => {
    const unusable = { eventId: null, message: 'The index "mine" is in the way. Drop it.' };
    const told = step({ open: [rebuild], pointer: building2({ failure: unusable }) });
    expect(told).toMatchObject({ kind: 'end', ending: { result: 'failed' } });
    expect(JSON.stringify(told)).toContain(
      'stopped. The index \\"mine\\" is in the way. Drop it. accounts.v1.g1 stays',
    );
    expect(step({ pointer: building2({ failure: unusable }) })).toEqual({ kind: 'drop next' });
    expect(step({ pointer: building2({ operation: null, failure: unusable }) })).toEqual({ kind: 'nothing' });
  });

  it('that fails after it was held stays, for whoever holds it to see', () => {
    const pointer = building2({ hold: true, ready: true, failure });
    expect(step({ pointer })).toEqual({ kind: 'nothing' });
    expect(step({ pointer, failureSkipped: true })).toEqual({ kind: 'resume' });
    expect(step({ pointer, open: [cancel] })).toEqual({ kind: 'drop next' });
  });

  it('that is under way is in the way of no repair', () => {
    const refold = asked('f', { kind: 'refold', documents: ['a'], parkedOnly: false });
    expect(step({ open: [rebuild, refold], pointer: building2() })).toMatchObject({ kind: 'refold' });
  });

  it('that serves already is done, whoever cancels it afterwards', () => {
    const pointer = { ...live, operation: 'r' };
    expect(step({ open: [rebuild, cancel], pointer })).toMatchObject({
      operations: ['r'],
      ending: { result: 'done' },
    });
  });

  it('is refused beside another one, of a paused view, and by older code', () => {
    const other = building2({ operation: 'other' });
    for (const refused of [
      step({ open: [asked('other', { kind: 'rebuild' }), rebuild], pointer: other }),
      step({ open: [rebuild], paused: true }),
      step({ open: [rebuild], pointer: first(generation(1, newer)) }),
    ])
      expect(refused).toMatchObject({ kind: 'end', ending: { result: 'failed' } });
  });

  it('takes the place of one that has failed by itself', () => {
    const pointer = building2({ operation: null, failure });
    expect(step({ open: [rebuild], pointer })).toMatchObject({ kind: 'build', operation: 'r' });
  });

  it('that is cancelled is given up first, then ended, then its cancelling', () => {
    const open = [rebuild, cancel];
    expect(step({ open, pointer: building2() })).toEqual({ kind: 'drop next' });
    expect(step({ open })).toMatchObject({ kind: 'end', operations: ['r'], ending: { result: 'cancelled' } });
    expect(step({ open: [cancel] })).toMatchObject({
      kind: 'end',
      operations: ['c'],
      ending: { result: 'done' },
    });
  });
});

describe('A rebuild that was begun when it had ended already', () => {
  it('is given up, built or not, but not what is built and held', () => {
    expect(step({ pointer: building2() })).toEqual({ kind: 'drop next' });
    expect(step({ pointer: building2({ hold: true }) })).toEqual({ kind: 'drop next' });
    expect(step({ pointer: building2({ ready: true }) })).toEqual({ kind: 'drop next' });
    expect(step({ pointer: building2({ ready: true, hold: true }) })).toEqual({ kind: 'nothing' });
  });

  it('and is there when the next one is asked for, makes way for it', () => {
    const pointer = building2({ operation: 'ended', ready: true });
    expect(step({ open: [rebuild], pointer })).toEqual({ kind: 'drop next' });
    expect(step({ open: [rebuild], pointer: withoutNext(pointer) })).toMatchObject({
      kind: 'build',
      operation: 'r',
    });
  });
});

describe('A promotion', () => {
  it('is of what was built and held', () => {
    const pointer = building2({ ready: true, hold: true });
    expect(step({ open: [promote], pointer })).toMatchObject({ kind: 'promote', operation: 'p' });
    const accepting = asked('p', { kind: 'promote', acceptDifferences: true });
    expect(step({ open: [accepting], pointer })).toMatchObject({ acceptDifferences: true });
  });

  it('is refused where nothing was built, it lags, or has failed', () => {
    const refused = { kind: 'end', ending: { result: 'failed' } };
    expect(step({ open: [promote] })).toMatchObject(refused);
    const held = asked('r', { kind: 'rebuild', hold: true });
    for (const pointer of [building2({ hold: true }), building2({ hold: true, ready: true, failure })])
      expect(step({ open: [promote, held], pointer })).toMatchObject(refused);
  });
});

describe('Going back', () => {
  const former = { generation: generation(0), since: '2026-01-01T00:00:00.000Z' };

  it('is a promotion of the former generation, differences or not', () => {
    expect(step({ open: [rollback], pointer: { ...live, former } })).toMatchObject({
      kind: 'promote',
      to: 'former',
      operation: 'b',
      acceptDifferences: true,
    });
  });

  it('is refused without one, and where no running code folds it', () => {
    const foreign = { ...former, generation: { ...generation(0), fingerprint: 'other' } };
    for (const pointer of [live, { ...live, former: foreign }])
      expect(step({ open: [rollback], pointer })).toMatchObject({
        kind: 'end',
        ending: { result: 'failed' },
      });
  });
});
