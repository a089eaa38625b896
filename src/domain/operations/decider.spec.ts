import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { fold, NOW, specification, stored } from '../../../test/support/given-when-then.js';
import { accept } from '../../core/decider.js';
import type { Operation } from '../../engine/generations/operations.js';
import {
  endOperation,
  installReactors,
  MAIL_ACTIONS,
  MAX_DOCUMENTS,
  operator,
  type OperatorState,
  pauseProjection,
  recordAction,
  recordPromotion,
  request,
  resumeProjection,
  skipEvent,
  preRestoreDetails,
  preRestoreStatus,
  type PreRestoreMails,
} from './decider.js';
import { type Details, operatorEvent, type OperatorEvent, type OperationResult } from './events.js';

const { given } = specification(operator);
const view = 'signal';

const installed = (reactor: string) => operatorEvent('reactor.installed', { reactor });
const rebuild = (operation = 'r1', of = view): OperatorEvent =>
  operatorEvent('rebuild.requested', { operation, view: of, segments: null, hold: false });
const promotion = (operation = 'p1'): OperatorEvent =>
  operatorEvent('promotion.requested', { operation, view, acceptDifferences: false });
const rollback = (operation = 'b1'): OperatorEvent =>
  operatorEvent('rollback.requested', { operation, view });
const cancellation = (operation = 'c1'): OperatorEvent =>
  operatorEvent('cancellation.requested', { operation, view });
const refold = (operation = 'f1', documents: readonly string[] | null = ['d1']): OperatorEvent =>
  operatorEvent('refold.requested', { operation, view, documents, parkedOnly: false });
const ended = (operation: string, result: OperationResult = 'done'): OperatorEvent =>
  operatorEvent('operation.ended', {
    operation,
    view,
    result,
    message: 'It is over.',
    details: { events: 3 },
  });
const promoted = (from: string, to: string): OperatorEvent =>
  operatorEvent('generation.promoted', { view, from, to, operation: 'r1' });
const paused: OperatorEvent = operatorEvent('projection.paused', { view });
const resumed: OperatorEvent = operatorEvent('projection.resumed', { view });
const skip = { view, eventId: 'e1', documentId: 'd1', reason: 'A faulty import.' };
const skipped: OperatorEvent = operatorEvent('event.skipped', skip);

const asked = {
  rebuild: { kind: 'rebuild', id: 'n1', view, segments: 4, hold: true },
  promote: { kind: 'promote', id: 'n1', view, acceptDifferences: true },
  rollback: { kind: 'rollback', id: 'n1', view },
  cancel: { kind: 'cancel', id: 'n1', view },
  refold: { kind: 'refold', id: 'n1', view, documents: ['d1', 'd2'], parkedOnly: true },
} as const satisfies Record<string, Operation>;
const kinds = Object.keys(asked) as (keyof typeof asked)[];
const requestOf = { rebuild, promote: promotion, rollback, cancel: cancellation, refold };

describe('reactors', () => {
  it('are installed once', () => {
    given()
      .when((state) => installReactors(state, ['a']))
      .then(installed('a'));
    given(installed('a'))
      .when((state) => installReactors(state, ['a']))
      .thenNothing();
    given(installed('b'))
      .when((state) => installReactors(state, ['a', 'b', 'c']))
      .then(installed('a'), installed('c'));
  });

  it('keep their first place, so that nothing asked in between is left out', () => {
    const state = fold(operator, [installed('a'), installed('b'), installed('a')]);
    expect([...state.reactors]).toEqual([
      ['a', 0],
      ['b', 1],
    ]);
  });
});

describe('what operators ask for', () => {
  it('is written down with all that was said', () => {
    given()
      .when((state) => request(state, asked.rebuild))
      .then(operatorEvent('rebuild.requested', { operation: 'n1', view, segments: 4, hold: true }));
    given()
      .when((state) => request(state, { ...asked.refold, documents: 'parked' }))
      .then(operatorEvent('refold.requested', { operation: 'n1', view, documents: null, parkedOnly: true }));
  });

  it.each(kinds)('is open from then on as it was asked: %s', (kind) => {
    const { open } = given()
      .when((state) => request(state, asked[kind]))
      .state();
    expect([...open.values()]).toEqual([{ ...asked[kind], requestedAt: NOW }]);
  });

  it.each(kinds)('is written down once, however often it is sent: %s', (kind) => {
    const again = (state: OperatorState) => request(state, { ...asked[kind], id: 'x' });
    given(requestOf[kind]('x')).when(again).thenNothing();
    given(requestOf[kind]('x'), ended('x')).when(again).thenNothing();
  });

  // Rows: what is open. Columns: what is asked then.
  it.each([
    ['rebuild', 'rebuild promote rollback'],
    ['promote', 'rebuild promote rollback refold'],
    ['rollback', 'rebuild promote rollback cancel refold'],
    ['cancel', 'rebuild promote rollback cancel refold'],
    ['refold', 'promote rollback refold'],
  ] as const)('waits for an open %s where it is one of: %s', (open, refused) => {
    for (const kind of kinds) {
      const when = given(requestOf[open]()).when((state) => request(state, asked[kind]));
      if (refused.split(' ').includes(kind)) when.thenRefused('conflict');
      else expect(when.events()).toHaveLength(1);
    }
  });

  it('waits no more once that has ended, and never for another view', () => {
    const again = (state: OperatorState) => request(state, asked.rebuild);
    expect(given(rebuild(), ended('r1')).when(again).events()).toHaveLength(1);
    expect(given(rebuild('r1', 'members')).when(again).events()).toHaveLength(1);
  });

  it('says what is in the way', () => {
    const decision = request(fold(operator, [rebuild()]), asked.promote);
    expect(decision).toMatchObject({
      refusal: {
        message: `A rebuild of "signal" is not finished yet (operation r1, asked at ${NOW}); wait for its end, or cancel it: \`assay projections cancel signal\`.`,
      },
    });
  });

  it('begins no rebuild beside a generation that is built already', () => {
    given()
      .when((state) => request(state, asked.rebuild, 'signal.v1.g2'))
      .thenRefused('conflict');
    expect(
      given()
        .when((state) => request(state, asked.promote, 'signal.v1.g2'))
        .events(),
    ).toHaveLength(1);
  });

  it.each(kinds)('waits for no view that is paused, where it would have to be fed: %s', (kind) => {
    const when = given(paused).when((state) => request(state, asked[kind]));
    if (['rebuild', 'promote', 'rollback'].includes(kind)) when.thenRefused('conflict');
    else expect(when.events()).toHaveLength(1);
  });

  it.each([0, MAX_DOCUMENTS + 1])('folds not %i documents afresh', (count) => {
    const documents = Array.from({ length: count }, (_, index) => `d${index}`);
    given()
      .when((state) => request(state, { ...asked.refold, documents }))
      .thenRefused('validation_failed');
  });
});

describe('what came of an operation', () => {
  const end = (operation: string) => (state: OperatorState) =>
    endOperation(state, { operation, result: 'done', message: 'It is over.', details: { events: 3 } });

  it('is written down once, and only of one that is open', () => {
    given(rebuild()).when(end('r1')).then(ended('r1'));
    given(rebuild(), ended('r1')).when(end('r1')).thenNothing();
    given().when(end('r1')).thenNothing();
  });

  it('is kept of each view’s last one, everything else is forgotten', () => {
    const state = fold(operator, [rebuild('r1'), ended('r1', 'failed'), rebuild('r2'), ended('r2')]);
    expect([state.open.size, [...state.ended.values()]]).toEqual([
      0,
      [
        {
          id: 'r2',
          view,
          kind: 'rebuild',
          requestedAt: NOW,
          endedAt: NOW,
          result: 'done',
          message: 'It is over.',
          details: { events: 3 },
        },
      ],
    ]);
  });

  it('leaves those that are open as they are, in the order in which they were asked', () => {
    const { open } = fold(operator, [
      rebuild('r1'),
      cancellation('c1'),
      rebuild('r2', 'members'),
      ended('c1'),
    ]);
    expect([...open.keys()]).toEqual(['r1', 'r2']);
  });
});

describe('another generation that serves', () => {
  const promote = (from: string, to: string) => (state: OperatorState) =>
    recordPromotion(state, { view, from, to, operation: 'r1' });

  it('is written down once, and again when it serves again', () => {
    given().when(promote('g1', 'g2')).then(promoted('g1', 'g2'));
    given(promoted('g1', 'g2')).when(promote('g1', 'g2')).thenNothing();
    given(promoted('g1', 'g2')).when(promote('g2', 'g1')).then(promoted('g2', 'g1'));
    given(promoted('g1', 'g2'), promoted('g2', 'g1')).when(promote('g1', 'g2')).then(promoted('g1', 'g2'));
  });
});

describe('a pause', () => {
  const pause = (state: OperatorState) => pauseProjection(state, view);
  const resume = (state: OperatorState) => resumeProjection(state, view);

  it('lasts until it is ended; asked twice, it is one', () => {
    given().when(pause).then(paused);
    given(paused).when(pause).thenNothing();
    given(paused).when(resume).then(resumed);
    given(paused, resumed).when(resume).thenNothing();
    expect([...fold(operator, [paused]).paused]).toEqual([view]);
    expect([...fold(operator, [paused, resumed]).paused]).toEqual([]);
  });
});

describe('a skipped event', () => {
  it('is left out from then on, of its view alone', () => {
    const { skipped: sets } = given()
      .when((state) => skipEvent(state, skip))
      .state();
    expect([...sets].map(([of, ids]) => [of, ...ids])).toEqual([[view, 'e1']]);
    expect(
      given(skipped)
        .when((state) => skipEvent(state, { ...skip, view: 'roles' }))
        .events(),
    ).toHaveLength(1);
  });

  it('keeps its reason without the blanks around it', () =>
    given()
      .when((state) => skipEvent(state, { ...skip, reason: ' A faulty import. ' }))
      .then(skipped));

  it.each(['', ' \t ', 'two\nlines', 'x'.repeat(501), '\u001b[2J'])(
    'needs a reason that says something: %j',
    (reason) =>
      given()
        .when((state) => skipEvent(state, { ...skip, reason }))
        .thenRefused('validation_failed'),
  );

  it('is not skipped twice', () => {
    given(skipped)
      .when((state) => skipEvent(state, skip))
      .thenRefused('conflict');
    expect(skipEvent(fold(operator, [skipped]), skip)).toMatchObject({
      refusal: { message: 'The event e1 is already skipped in "signal".' },
    });
  });

  it('leaves the sets of other views the very same', () => {
    const before = fold(operator, [skipped]);
    const other: OperatorEvent = operatorEvent('event.skipped', { ...skip, view: 'roles' });
    const state = [other, rebuild(), paused].reduce(
      (folded, event) => operator.evolve(folded, stored(event)),
      before,
    );
    expect(state.skipped.get(view)).toBe(before.skipped.get(view));
  });
});

describe('an action that changes no view', () => {
  it('is written down, and changes nothing', () => {
    const when = given().when(() => recordAction('backup', { events: 3 }));
    when.then(operatorEvent('operator.acted', { action: 'backup', details: { events: 3 } }));
    expect(when.state()).toEqual(operator.initial);
  });
});

describe('mails that may have been sent before a restore', () => {
  const [at, later] = ['2026-03-01T09:00:00.000Z', '2026-03-01T09:00:00.001Z'];
  const held: PreRestoreMails = { until: at, are: 'held' };
  const after = (...actions: readonly (readonly [string, Details])[]) => {
    const events = actions.map(([action, details]) => operatorEvent('operator.acted', { action, details }));
    const state = given(...events)
      .when(() => accept())
      .state();
    return [at, later, null].map((dueAt) => preRestoreStatus(state, dueAt));
  };

  it('are held until an operator decides: those that were due by then, and no later ones', () => {
    expect(after()).toEqual([null, null, null]);
    const restored = ['restore', preRestoreDetails(held)] as const;
    expect(after(restored)).toEqual(['held', null, null]);
    expect(after(restored, ['backup', {}])).toEqual(['held', null, null]);
    expect(after(restored, [MAIL_ACTIONS.giveUp, {}])).toEqual(['failed', null, null]);
    expect(after(restored, [MAIL_ACTIONS.release, {}])).toEqual([null, null, null]);
  });

  it('count as sent until the time that the operator knows', () => {
    const details = preRestoreDetails({ until: at, are: 'sent' });
    for (const action of ['restore', MAIL_ACTIONS.hold])
      expect(after([action, details])).toEqual(['sent', null, null]);
    expect(after(['restore', preRestoreDetails(held)], [MAIL_ACTIONS.hold, details])).toEqual([
      'sent',
      null,
      null,
    ]);
  });

  it('are none that a release or a word to give up could mean, before any is held', () => {
    for (const action of [MAIL_ACTIONS.release, MAIL_ACTIONS.giveUp])
      expect(after([action, {}])).toEqual([null, null, null]);
  });
});

describe('whatever is asked in whatever order', () => {
  const steps = fc.array(
    fc.record({
      kind: fc.constantFrom(...kinds),
      end: fc.boolean(),
      id: fc.constantFrom('1', '2'),
      view: fc.constantFrom('signal', 'roles'),
    }),
    { maxLength: 30 },
  );

  it('each view has at most one open operation of a kind, and what ended is open no more', () => {
    fc.assert(
      fc.property(steps, (asks) => {
        let state = operator.initial;
        for (const { kind, end, id: number, view: of } of asks) {
          const id = `${kind}-${of}-${number}`;
          const decision = end
            ? endOperation(state, { operation: id, result: 'done', message: '', details: {} })
            : request(state, { ...asked[kind], id, view: of });
          if (decision.kind === 'refused') continue;
          for (const event of decision.events) state = operator.evolve(state, stored(event));
          const open = [...state.open.values()].map((one) => `${one.kind} ${one.view}`);
          expect(new Set(open).size).toBe(open.length);
          if (end) expect(state.open.has(id)).toBe(false);
        }
      }),
    );
  });
});
