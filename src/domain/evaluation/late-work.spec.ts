import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import {
  completedWith,
  completedAfter,
  manifest,
  sha,
  work,
} from '../../../test/support/completed-session.js';
import { failedResult } from '../../../test/support/evaluation-results.js';
import { after, fold, NOW, specification } from '../../../test/support/given-when-then.js';
import { ids, person } from '../../../test/support/invited-session.js';
import { HOUR_MS } from '../../core/timestamp.js';
import { refuseWork } from '../../work/tree.js';
import { storedBytes } from '../session/budget.js';
import type { AwaitedHandIn } from '../session/events.js';
import { LATE_HAND_IN_MS, MAX_HAND_INS, MAX_MANIFESTS_BYTES } from '../session/hand-ins.js';
import { eraseEvaluation, evaluationDecider, type EvaluationState, recordResult } from './decider.js';
import type { EvaluationEvent } from './events.js';
import {
  endWait,
  handInLate,
  isCheckAwaited,
  lateHandIn,
  mayStillArrive,
  refuseLate,
} from './late-work-decider.js';
import { awaitedBy } from './late-work.js';

const spec = specification(evaluationDecider);
const evaluation = { ...ids, evaluationId: 'e' };

const UNTIL = after(LATE_HAND_IN_MS);
const awaited = (n: number): AwaitedHandIn => ({ kind: 'hand_in', id: `h${n}`, until: UNTIL });
const arrives = (n: number, session = completedWith(2), now = NOW) => ({
  ...{ handInId: `h${n}`, name: 'work.zip', manifest, treeSha256: sha(7) },
  ...{ session, now },
});
const arrived = (n: number, sequenceNumber: number): EvaluationEvent => ({
  type: 'evaluation.work_handed_in',
  data: {
    ...evaluation,
    ...{ generation: 1, sequenceNumber, ...work(n), ticketVersion: 3, files: 1, treeSha256: sha(7) },
  },
  person,
  personal: { name: 'work.zip', manifest },
});
const turnsDown = (n: number, session = completedWith(2), now = NOW) => ({
  ...{ handInId: `h${n}`, refused: refuseWork('It has a link: a.'), session, now },
});
const refused = (n: number, sequenceNumber: number): EvaluationEvent => ({
  type: 'evaluation.work_refused',
  data: {
    ...evaluation,
    ...{ generation: 1, sequenceNumber, handInId: `h${n}`, ticketId: 'T', reason: 'work_refused' },
  },
  person,
  personal: { message: 'It has a link: a.' },
});
const givenUp = (...numbers: readonly number[]): EvaluationEvent => ({
  type: 'evaluation.wait_ended',
  data: { ...evaluation, generation: 1, missing: numbers.map(awaited) },
  person,
  personal: null,
});
const erased: EvaluationEvent = {
  type: 'evaluation.erased',
  data: { ...evaluation, generation: 1 },
  person,
  personal: null,
};
const failed = failedResult({ ...evaluation, generation: 1 });

describe('a completed session', () => {
  it('names the hand-ins that its evaluation waits for, and until when', () => {
    expect(completedWith(3, 1).awaits).toEqual([awaited(2), awaited(3)]);
    expect(completedWith(2, 2).awaits).toEqual([]);
  });
});

describe('a hand-in after the completion', () => {
  it('that was begun before arrives in the evaluation, numbered on from the session', () => {
    const session = completedWith(2);
    expect(session.lastSequenceNumber).toBe(4);
    spec
      .given()
      .when((state) => handInLate(state, arrives(2, session)))
      .then(arrived(2, 5));
    spec
      .given(arrived(2, 5))
      .when((state) => handInLate(state, arrives(1, session)))
      .then(arrived(1, 6));
  });

  it('arrives until the last moment, and not afterwards', () => {
    const last = new Date(Date.parse(UNTIL) - 1).toISOString();
    spec
      .given()
      .when((state) => handInLate(state, arrives(1, completedWith(2), last)))
      .then(arrived(1, 5));
    spec
      .given()
      .when((state) => handInLate(state, arrives(1, completedWith(2), UNTIL)))
      .thenRefused('session_ended');
  });

  it('changes nothing when it is completed again, also after its time and once the result is there', () => {
    const later = arrives(1, completedWith(2), after(HOUR_MS));
    spec
      .given(arrived(1, 5))
      .when((state) => handInLate(state, later))
      .thenNothing();
    spec
      .given(arrived(1, 5), givenUp(2), failed)
      .when((state) => handInLate(state, later))
      .thenNothing();
    spec
      .given()
      .when((state) => handInLate(state, arrives(1, completedWith(2, 1), after(HOUR_MS))))
      .thenNothing();
  });

  it('is refused once it was given up, once there is a result, and where nothing was begun', () => {
    for (const past of [[givenUp(1, 2)], [failed]])
      spec
        .given(...past)
        .when((state) => handInLate(state, arrives(1)))
        .thenRefused('session_ended');
    spec
      .given()
      .when((state) => handInLate(state, arrives(9)))
      .thenRefused('not_found');
  });

  it('is refused for an erased candidate', () => {
    spec
      .given(erased)
      .when((state) => handInLate(state, arrives(1)))
      .thenRefused('erased');
  });

  it('is refused if its session says that the candidate is erased, before the evaluation does', () => {
    const session = { ...completedWith(2), erased: true };
    spec
      .given()
      .when((state) => handInLate(state, arrives(1, session)))
      .thenRefused('erased');
  });

  it('is no check, so none is awaited over it until it has arrived', () => {
    const session = completedWith(2);
    const state = fold(evaluationDecider, []);
    expect(mayStillArrive(state, session, 'h1', NOW)).toBe(true);
    expect(isCheckAwaited(state, session, 'h1')).toBe(false);
  });

  it('is refused if the manifests of those that came late leave no room for its own', () => {
    const bytes = storedBytes(JSON.stringify(manifest));
    const arriving = (manifestBytes: number) =>
      spec
        .given()
        .when((state) => handInLate({ ...state, late: { ...state.late, manifestBytes } }, arrives(1)))
        .events();
    const room = MAX_MANIFESTS_BYTES - completedWith(2).handIns.manifestBytes - bytes;
    expect(arriving(room)).toMatchObject([{ type: 'evaluation.work_handed_in' }]);
    expect(arriving(room + 1)).toMatchObject([
      { type: 'evaluation.work_refused', data: { reason: 'hand_ins_full' } },
    ]);
  });

  it('counts towards the most that a ticket and a session may have', () => {
    const session = completedWith(MAX_HAND_INS + 1, MAX_HAND_INS - 1);
    const [first, second] = [MAX_HAND_INS, MAX_HAND_INS + 1];
    const numbers = session.lastSequenceNumber + 1;
    spec
      .given()
      .when((state) => handInLate(state, arrives(first, session)))
      .then(arrived(first, numbers));
    const over = spec
      .given(arrived(first, numbers))
      .when((state) => handInLate(state, arrives(second, session)));
    expect(over.events()).toMatchObject([
      { type: 'evaluation.work_refused', data: { sequenceNumber: numbers + 1, reason: 'hand_ins_full' } },
    ]);
    const long = [{ path: 'x'.repeat(300_000), bytes: 1, sha256: sha(1) }];
    const tooLong = spec.given().when((state) => handInLate(state, { ...arrives(1), manifest: long }));
    expect(tooLong.events()).toMatchObject([
      { type: 'evaluation.work_refused', data: { reason: 'work_refused' } },
    ]);
  });

  it('that is refused is recorded once and ends the wait for it, whichever comes first', () => {
    const session = completedWith(2);
    const first = spec.given().when((state) => refuseLate(state, turnsDown(1, session)));
    first.then(refused(1, 5));
    expect(awaitedBy(session.awaits, first.state().late)).toEqual([awaited(2)]);
    const agains = [
      (state: EvaluationState) => refuseLate(state, turnsDown(1, session)),
      (state: EvaluationState) => handInLate(state, arrives(1, session)),
    ];
    for (const again of agains) spec.given(refused(1, 5)).when(again).thenNothing();
    spec
      .given(arrived(1, 5))
      .when((state) => refuseLate(state, turnsDown(1, session)))
      .thenNothing();
    expect(lateHandIn(first.state(), session, 'h1')?.refused).toEqual(refuseWork('It has a link: a.'));
  });

  it('is not refused once it was given up, or its candidate is erased, of whom no sentence is left', () => {
    const refuses = (state: EvaluationState) => refuseLate(state, turnsDown(1));
    spec.given(givenUp(1, 2)).when(refuses).thenRefused('session_ended');
    spec.given(erased).when(refuses).thenRefused('erased');
    expect(fold(evaluationDecider, [refused(1, 5), erased]).late.refused).toEqual(new Map());
  });

  it('was not awaited if it had been refused before the completion', () => {
    expect(completedAfter([{ begins: 1 }, { refuses: 1 }, { begins: 2 }]).awaits).toEqual([awaited(2)]);
  });
});

describe('the wait of an evaluation', () => {
  const end = (now: string, session = completedWith(2)) => ({ ids: evaluation, awaits: session.awaits, now });

  it('ends at its time for what has not arrived, once', () => {
    spec
      .given()
      .when((state) => endWait(state, end(UNTIL)))
      .then(givenUp(1, 2));
    spec
      .given(arrived(1, 5))
      .when((state) => endWait(state, end(UNTIL)))
      .then(givenUp(2));
    for (const past of [[givenUp(1, 2)], [arrived(1, 5), arrived(2, 6)], [failed], [erased]])
      spec
        .given(...past)
        .when((state) => endWait(state, end(UNTIL)))
        .thenNothing();
  });

  it('does not end before', () => {
    spec
      .given()
      .when((state) => endWait(state, end(new Date(Date.parse(UNTIL) - 1).toISOString())))
      .thenNothing();
  });

  it('leaves an erasure and the record’s version as they are', () => {
    const state = fold(evaluationDecider, [arrived(1, 5), givenUp(2)]);
    expect(state).toMatchObject({ status: 'none', version: 1 });
    expect(eraseEvaluation(state, evaluation)).toEqual({ kind: 'accepted', events: [erased] });
  });
});

describe('a result', () => {
  const { awaits } = completedWith(2);

  it('is taken only once nothing is awaited, and if it rests on all that has arrived', () => {
    const take = (late: number) => (state: Parameters<typeof recordResult>[0]) =>
      recordResult(state, failed, [], { awaits, late });
    spec.given().when(take(0)).thenRefused('evaluation_generating');
    spec.given(arrived(1, 5)).when(take(1)).thenRefused('evaluation_generating');
    const over = [arrived(1, 5), givenUp(2)];
    spec
      .given(...over)
      .when(take(0))
      .thenRefused('evaluation_generating');
    spec
      .given(...over)
      .when(take(1))
      .then(failed);
    spec.given(arrived(1, 5), arrived(2, 6)).when(take(2)).then(failed);
    spec.given(arrived(1, 5), refused(2, 6)).when(take(1)).thenRefused('evaluation_generating');
    spec.given(arrived(1, 5), refused(2, 6)).when(take(2)).then(failed);
  });

  it('comes after everything that could still arrive, whatever the order of commands and their clocks', () => {
    const step = fc.record({
      name: fc.constantFrom('arrive', 'refuse', 'end', 'result'),
      n: fc.integer({ min: 1, max: 4 }),
      minutes: fc.integer({ min: -5, max: 20 }),
    });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4 }), fc.array(step, { maxLength: 12 }), (begun, steps) => {
        const session = completedWith(begun);
        let events: readonly EvaluationEvent[] = [];
        for (const { name, n, minutes } of steps) {
          const state = fold(evaluationDecider, events);
          const now = after(minutes * 60_000);
          const decision =
            name === 'arrive'
              ? handInLate(state, arrives(n, session, now))
              : name === 'refuse'
                ? refuseLate(state, turnsDown(n, session, now))
                : name === 'end'
                  ? endWait(state, { ids: evaluation, awaits: session.awaits, now })
                  : recordResult(state, failed, [], { awaits: session.awaits, late: state.late.count });
          if (decision.kind === 'accepted') events = [...events, ...decision.events];
        }
        const at = events.findIndex(({ type }) => type === 'evaluation.failed');
        const { late } = fold(evaluationDecider, events);
        if (at !== -1) {
          expect(at).toBe(events.length - 1);
          expect(awaitedBy(session.awaits, late)).toEqual([]);
        }
        const numbers = events.flatMap(({ data }) => ('sequenceNumber' in data ? [data.sequenceNumber] : []));
        expect(numbers).toEqual(numbers.map((_, place) => session.lastSequenceNumber + 1 + place));
        expect(new Set(late.ended.map(({ id }) => id)).size).toBe(late.ended.length);
      }),
    );
  });
});

describe('whether a hand-in may still arrive', () => {
  it('is known from the session and the evaluation', () => {
    const session = completedWith(3, 1);
    const state = fold(evaluationDecider, [arrived(2, 6)]);
    expect(['h1', 'h2', 'h3', 'h4'].map((id) => lateHandIn(state, session, id)?.handedIn)).toEqual([
      ...[true, true, false, undefined],
    ]);
    expect(['h1', 'h2', 'h3', 'h4'].map((id) => mayStillArrive(state, session, id, NOW))).toEqual([
      ...[false, false, true, false],
    ]);
    expect(mayStillArrive(state, session, 'h3', UNTIL)).toBe(false);
  });
});
