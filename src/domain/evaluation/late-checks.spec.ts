import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { completedAfter, manifest, sha } from '../../../test/support/completed-session.js';
import { failedResult } from '../../../test/support/evaluation-results.js';
import { after, fold, NOW, specification } from '../../../test/support/given-when-then.js';
import { ids, person } from '../../../test/support/invited-session.js';
import { checkedWork, type CheckReport } from '../session/check-decider.js';
import type { CheckFailure } from '../session/check-events.js';
import type { AwaitedCheck } from '../session/events.js';
import {
  eraseEvaluation,
  evaluationDecider,
  type EvaluationState,
  recordResult,
  requestRegeneration,
} from './decider.js';
import type { EvaluationEvent } from './events.js';
import { checksToRepeat, endWait, handInLate, isCheckAwaited, recordLateCheck } from './late-work-decider.js';
import { awaitedBy } from './late-work.js';

const spec = specification(evaluationDecider);
const evaluation = { ...ids, evaluationId: 'e' };
const check = (n: number): AwaitedCheck => ({ kind: 'check', id: `h${n}` });

const report = (n: number, reason: CheckFailure | null = null): CheckReport => {
  const of = { handInId: `h${n}`, ticketId: 'H', scope: 'all', isolation: 'separate' } as const;
  const tests = reason ? null : [{ name: 'adds', status: 'pass', message: null } as const];
  const runner = { name: 'command', digest: 'd' };
  const run = { hidden: true, treeSha256: sha(1), runner, ms: 20, output: '', tests, reason, detail: '' };
  return checkedWork(of, [run]);
};
const checked = (n: number, sequenceNumber: number, generation = 1): EvaluationEvent => ({
  type: 'evaluation.work_checked',
  data: { ...evaluation, generation, sequenceNumber, ...report(n).work },
  person,
  personal: report(n).findings,
});
const failed = (generation = 1) => failedResult({ ...evaluation, generation });
const again = (generation: number, ...awaits: readonly AwaitedCheck[]): EvaluationEvent => ({
  type: 'evaluation.regeneration_requested',
  data: { ...evaluation, generation, ...(awaits.length > 0 && { awaits }) },
  person,
  personal: null,
});

/** Two hand-ins for the ticket with hidden checks, of which the first arrived last, and one for each other ticket. */
const session = completedAfter([
  ...[{ begins: 1, of: 'H' }, { begins: 2, of: 'H' }, { arrives: 2 }, { arrives: 1 }],
  ...[{ begins: 3, of: 'V' }, { arrives: 3 }, { begins: 4 }, { arrives: 4 }],
]);
const next = session.lastSequenceNumber + 1;

describe('what a completion asks to be checked', () => {
  it('is the last hand-in of each ticket that has checks, by its arrival', () => {
    expect(session.awaits).toEqual([check(1), check(3)]);
  });

  it('is nothing where nothing has arrived', () => {
    const { awaits } = completedAfter([{ begins: 1, of: 'H' }]);
    expect(awaits.map(({ kind }) => kind)).toEqual(['hand_in']);
  });
});

describe('the result of all checks', () => {
  it('is recorded once, with a number that goes on from the completion’s', () => {
    spec
      .given()
      .when((state) => recordLateCheck(state, session, report(1)))
      .then(checked(1, next));
    const { events } = spec
      .given(checked(1, next))
      .when((state) => recordLateCheck(state, session, report(3)));
    expect(events()).toMatchObject([{ data: { handInId: 'h3', sequenceNumber: next + 1 } }]);
    spec
      .given(checked(1, next))
      .when((state) => recordLateCheck(state, session, report(1)))
      .then();
  });

  it('is recorded as an error with its reason and without figures', () => {
    const none = { passed: 0, failed: 0, errors: 0 };
    const { events } = spec.given().when((state) => recordLateCheck(state, session, report(1, 'given_up')));
    expect(events()).toMatchObject([
      { data: { outcome: 'error', reason: 'given_up', visible: none, hidden: none } },
    ]);
  });

  it.each<[string, readonly EvaluationEvent[], number]>([
    ['a hand-in that was not the last', [], 2],
    ['a ticket without checks', [], 4],
    ['an unknown hand-in', [], 9],
    ['an evaluation that has its result', [checked(1, next), checked(3, next + 1), failed()], 1],
  ])('is not recorded of %s', (_, history, n) => {
    spec
      .given(...history)
      .when((state) => recordLateCheck(state, session, report(n)))
      .then();
  });

  it('is not recorded for an erased candidate', () => {
    const decision = eraseEvaluation(evaluationDecider.initial, evaluation);
    const erased = decision.kind === 'accepted' ? decision.events : [];
    spec
      .given(...erased)
      .when((state) => recordLateCheck(state, session, report(1)))
      .then();
    spec
      .given()
      .when((state) => recordLateCheck(state, { ...session, erased: true }, report(1)))
      .then();
  });

  it('is never given up with hand-ins that have not arrived', () => {
    const input = { ids: evaluation, awaits: session.awaits, now: after(1e12) };
    spec
      .given()
      .when((state) => endWait(state, input))
      .then();
  });
});

describe('an evaluation', () => {
  const result =
    (late: number, generation = 1) =>
    (state: EvaluationState) =>
      recordResult(state, failed(generation), [], { awaits: session.awaits, late });

  it('has no result before each check has one', () => {
    spec.given().when(result(0)).thenRefused('evaluation_generating');
    spec.given(checked(1, next)).when(result(1)).thenRefused('evaluation_generating');
    spec
      .given(checked(1, next), checked(3, next + 1))
      .when(result(2))
      .then(failed());
    // It was made before the last result came.
    spec
      .given(checked(1, next), checked(3, next + 1))
      .when(result(1))
      .thenRefused('evaluation_generating');
  });

  it('waits for the checks of a hand-in that arrives late', () => {
    const late = completedAfter([{ begins: 1, of: 'H' }]);
    const arrives = { handInId: 'h1', name: 'work.zip', manifest, treeSha256: sha(7) };
    const decision = handInLate(evaluationDecider.initial, { ...arrives, session: late, now: NOW });
    const events = decision.kind === 'accepted' ? decision.events : [];
    const number = late.lastSequenceNumber + 1;
    expect(events).toMatchObject([{ data: { sequenceNumber: number, awaits: [check(1)] } }]);
    const rest = { awaits: late.awaits, late: 1 };
    spec
      .given(...events)
      .when((state) => recordResult(state, failed(), [], rest))
      .thenRefused('evaluation_generating');
    spec
      .given(...events, checked(1, number + 1))
      .when((state) => recordResult(state, failed(), [], { ...rest, late: 2 }))
      .then(failed());
    const state = fold(evaluationDecider, [...events, checked(1, number + 1), failed()]);
    expect(checksToRepeat(state, late)).toEqual([check(1)]);
  });

  it('counts the results that are there in a new generation, or waits for new ones if it is asked to', () => {
    const before = [checked(1, next), checked(3, next + 1), failed()];
    const state = fold(evaluationDecider, before);
    const checks = checksToRepeat(state, session);
    expect(checks).toEqual([check(1), check(3)]);
    spec
      .given(...before)
      .when((current) => requestRegeneration(current, { begun: true }))
      .then(again(2));
    spec
      .given(...before, again(2))
      .when(result(2, 2))
      .then(failed(2));
    spec
      .given(...before)
      .when((current) => requestRegeneration(current, { begun: true, checks }))
      .then(again(2, ...checks));
    const waiting = [...before, again(2, ...checks)];
    spec
      .given(...waiting)
      .when(result(2, 2))
      .thenRefused('evaluation_generating');
    spec
      .given(...waiting)
      .when((current) => recordLateCheck(current, session, report(1)))
      .then(checked(1, next + 2, 2));
    const done = [...waiting, checked(1, next + 2, 2), checked(3, next + 3, 2)];
    spec
      .given(...done)
      .when(result(4, 2))
      .then(failed(2));
    // A third generation that checks nothing waits for nothing.
    spec
      .given(...done, failed(2), again(3))
      .when(result(4, 3))
      .then(failed(3));
  });

  it('waits for the right checks whatever comes in which order, and its numbers have no gap', () => {
    const step = fc.record({
      name: fc.constantFrom('check', 'check', 'result', 'again', 'once more'),
      n: fc.integer({ min: 1, max: 4 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
        let events: readonly EvaluationEvent[] = [];
        for (const { name, n } of steps) {
          const state = fold(evaluationDecider, events);
          const checks = name === 'again' ? checksToRepeat(state, session) : [];
          const decision =
            name === 'check'
              ? recordLateCheck(state, session, report(n))
              : name === 'result'
                ? result(state.late.count, state.generation)(state)
                : requestRegeneration(state, { begun: true, checks });
          if (decision.kind === 'accepted') events = [...events, ...decision.events];
          const now = fold(evaluationDecider, events);
          const open = awaitedBy(session.awaits, now.late).map(({ id }) => id);
          for (const id of ['h1', 'h2', 'h3', 'h4'])
            expect(isCheckAwaited(now, session, id)).toBe(open.includes(id));
          if (events.at(-1)?.type === 'evaluation.failed') expect(open).toEqual([]);
        }
        const numbers = events.flatMap(({ data }) => ('sequenceNumber' in data ? [data.sequenceNumber] : []));
        expect(numbers).toEqual(numbers.map((_, place) => next + place));
      }),
    );
  });
});
