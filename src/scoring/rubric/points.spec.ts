import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { dimension, roleDefinition, type SessionBuilder } from '../../../test/support/evidence-builder.js';
import {
  workedSession,
  type WorkedSession,
  workEvent,
  workOf,
  type WorkStep,
  withWork,
} from '../../../test/support/work-evidence.js';
import { CHECK_FAILURES, type CheckFailure } from '../../domain/session/check-events.js';
import type { TicketWork } from '../../domain/session/events.js';
import { currentRuleSet, ruleSetNamed } from '../rule-sets.js';
import type { DimensionScoring } from '../scores/scorer.js';
import { checkScoring, overallOf } from '../scores/scores.js';
import { RubricScorer } from './scorer.js';

const scorer = new RubricScorer(ruleSetNamed('r4')!.rubric);

const scored = async (session: WorkedSession) => (await scoredWhole(session)).dimensions;
const scoredWhole = async ({ role, evidence }: WorkedSession) => {
  const scoring = await scorer.score({ role, evidence });
  if (scoring.kind === 'failed') throw new Error(scoring.reason);
  const checked = checkScoring(role, evidence, scoring.dimensions);
  if (checked.kind !== 'scores') throw new Error(checked.reason);
  return { dimensions: scoring.dimensions, overall: overallOf(checked.scores, null).exact! };
};
const correctness = async (session: WorkedSession) => (await scored(session))[0]!;
const process = async (session: WorkedSession) => (await scored(session))[1]!;
const figures = ({ terms }: DimensionScoring) =>
  terms.map(({ signal, value, weight, contribution }) => [signal, value, weight, contribution]);
/** In millionths. */
const total = ({ terms }: DimensionScoring): number =>
  terms.reduce((sum, { contribution }) => sum + Math.round(contribution * 1e6), 0);
const FULL = 100_000_000;

const handedIn = (ticketId = 'A', handIn = 1): WorkStep => ({ ticketId, handIn });
const checked = (result: WorkStep['result'], over: Partial<WorkStep> = {}): WorkStep => ({
  ...handedIn(),
  ...(result && { result }),
  ...over,
});
const interview = (session: SessionBuilder) =>
  session.asked('How did you find it?').answered('By halving the input until it was small.');
/** What a forger sends of a perfect run. */
const forged = (session: SessionBuilder) =>
  session
    .testRun(9_999, 1)
    .testRun(9_999, 0)
    .activity('ticket.started', { ticketId: 'A' })
    .activity('ticket.finished', { ticketId: 'A' });

describe('the correctness of checked work', () => {
  it('is exactly what the hidden tests give if there are no others', async () => {
    const of = (result: WorkStep['result']) =>
      correctness(workedSession({ A: workOf('hidden') }, [handedIn(), checked(result)], forged));
    expect(figures(await of({ hidden: [30, 0] }))).toEqual([['hidden_tests_passed', 1, 100, 100]]);
    expect(figures(await of({ hidden: [27, 3] }))).toEqual([['hidden_tests_passed', 0.9, 100, 90]]);
    const none = await of({ hidden: [0, 3] });
    expect(figures(none)).toEqual([['hidden_tests_passed', 0, 100, 0]]);
    expect(none.rationale).toBe(
      '0 of 3 hidden tests passed, run by the checker over 1 ticket. (Signal hidden_tests_passed, up to 100 points.)',
    );
    expect(none.leftOut).toEqual([
      { signal: 'visible_tests_passed', reason: 'no_checks' },
      { signal: 'unchecked_handed_in', reason: 'checked' },
      { signal: 'tickets_finished', reason: 'checked' },
      { signal: 'questions_answered', reason: 'tickets_count' },
      { signal: 'answers_with_substance', reason: 'tickets_count' },
      { signal: 'last_run_passed', reason: 'checked' },
      { signal: 'failures_fixed', reason: 'checked' },
      { signal: 'tickets_finished_green', reason: 'checked' },
    ]);
  });

  it('weighs hidden tests four times as much as visible ones, and each ticket the same', async () => {
    const tickets = { A: workOf('both'), B: workOf('both'), C: workOf('both') };
    const session = workedSession(tickets, [
      handedIn('A'),
      checked({ visible: [1, 1], hidden: [27, 3] }, { ticketId: 'A' }),
      handedIn('B'),
      checked({ visible: [3, 0], hidden: [1, 1] }, { ticketId: 'B' }),
    ]);
    const scoring = await correctness(session);
    // Hidden: (0.9 + 0.5 + 0) / 3; visible: (0.5 + 1 + 0) / 3. Nothing was handed in for C.
    expect(figures(scoring)).toEqual([
      ['hidden_tests_passed', 0.466667, 80, 37.333333],
      ['visible_tests_passed', 0.5, 20, 10],
    ]);
    expect(scoring.terms.map(({ tests }) => tests)).toEqual([
      { passed: 28, of: 32, unchecked: 0, shared: false },
      { passed: 4, of: 5, unchecked: 0, shared: false },
    ]);
    expect(scoring.terms.map(({ evidence }) => evidence.map(({ quote }) => quote))).toEqual([
      ['"hidden":{"passed":27,"failed":3,"errors":0}', '"hidden":{"passed":1,"failed":1,"errors":0}'],
      ['"visible":{"passed":1,"failed":1,"errors":0}', '"visible":{"passed":3,"failed":0,"errors":0}'],
    ]);
    expect(scoring.rationale).toContain('Each ticket weighs the same. Nothing was handed in for 1 ticket.');
  });

  it('is of the last hand-in’s last result of all checks', async () => {
    const session = workedSession({ A: workOf('hidden') }, [
      handedIn('A', 1),
      checked({ hidden: [9, 1] }, { handIn: 1 }),
      handedIn('A', 2),
      checked({ hidden: [1, 9] }, { handIn: 2 }),
      checked({ hidden: [7, 3] }, { handIn: 2 }),
      checked({ hidden: [10, 0] }, { handIn: 2, scope: 'visible' }),
      checked({ hidden: [10, 0] }, { handIn: 1 }),
      checked({ hidden: [10, 0] }, { handIn: 3 }),
    ]);
    expect(figures(await correctness(session))).toEqual([['hidden_tests_passed', 0.7, 100, 70]]);
  });

  it('has a part for what is handed in without checks, and none for what is not handed in', async () => {
    const session = workedSession({ A: workOf('hidden'), B: { ...workOf(''), kind: 'text' }, C: null }, [
      handedIn('A'),
      checked({ hidden: [1, 1] }),
      handedIn('B'),
    ]);
    // 80 and 10 of 90.
    expect(figures(await correctness(session))).toEqual([
      ['hidden_tests_passed', 0.5, 88.888889, 44.444444],
      ['unchecked_handed_in', 1, 11.111111, 11.111112],
    ]);
  });

  it('earns nothing for a ticket whose check gave no result, and says up to how many points are missing', async () => {
    const tickets = { A: workOf('both'), B: workOf('both'), C: workOf('hidden') };
    const scoring = await correctness(
      workedSession(tickets, [
        handedIn('A'),
        checked({ visible: [1, 1], hidden: [9, 1] }),
        handedIn('B'),
        checked('too_much_output', { ticketId: 'B' }),
      ]),
    );
    // Hidden: (0.9 + 0 + 0) / 3, and a third of the 80 points is missing. Visible: (0.5 + 0) / 2, half of 20 is missing.
    expect(figures(scoring)).toEqual([
      ['hidden_tests_passed', 0.3, 80, 24],
      ['visible_tests_passed', 0.25, 20, 5],
    ]);
    expect(scoring.unchecked).toEqual({
      points: 36.666667,
      checks: [{ reason: 'too_much_output', tickets: [2] }],
    });
    expect(scoring.terms[0]).toMatchObject({
      tests: { unchecked: 1 },
      evidence: [{ quote: '"hidden":{"passed":9,"failed":1,"errors":0}' }, { quote: 'too_much_output' }],
    });
    expect(scoring.rationale).toMatch(
      /^The checks of ticket 2 gave no result: the checker wrote too much on its standard output\. Up to 36\.666667 of 100 points are missing for this\. 9 of 10 hidden tests passed/,
    );
    expect(scoring.rationale).toContain('The checks of 1 ticket gave no result and earn nothing.');
  });

  it('names each reason once, with its tickets, and no more than their number of very many', async () => {
    const ids = Array.from({ length: 12 }, (_, place) => `T-${place + 1}`);
    const failing = (reasonOf: (place: number) => WorkStep['result']) =>
      correctness(
        workedSession(
          Object.fromEntries(ids.map((id) => [id, workOf('hidden')])),
          ids.flatMap((ticketId, place) => [handedIn(ticketId), checked(reasonOf(place), { ticketId })]),
        ),
      );
    const mixed = await failing((place) =>
      place === 2 ? 'killed' : place < 4 ? 'timed_out' : { hidden: [1, 0] },
    );
    expect(mixed.unchecked).toEqual({
      points: 33.333333,
      checks: [
        { reason: 'timed_out', tickets: [1, 2, 4] },
        { reason: 'killed', tickets: [3] },
      ],
    });
    expect(mixed.rationale).toMatch(
      /^The checks of tickets 1, 2 and 4 gave no result: the checker did not end in time\. The checks of ticket 3 gave no result: the checker was killed\. Up to 33\.333333 of/,
    );
    expect((await failing(() => 'killed')).rationale).toMatch(/^The checks of 12 tickets gave no result: /);
  });

  it('earns nothing for a hand-in without any result, or by a result without tests', async () => {
    for (const steps of [[handedIn()], [handedIn(), checked({ visible: [3, 0] })]]) {
      const scoring = await correctness(workedSession({ A: workOf('hidden') }, steps, forged));
      expect(figures(scoring)).toEqual([['hidden_tests_passed', 0, 100, 0]]);
      expect(scoring.unchecked).toEqual({ points: 100, checks: [{ reason: null, tickets: [1] }] });
      expect(scoring.rationale).toMatch(
        /^The checks of ticket 1 gave no result\. Up to 100 of 100 points are/,
      );
    }
  });

  it('takes nothing from results of the open session or from former ones if the last run ended in an error', async () => {
    const session = workedSession({ A: workOf('both') }, [
      handedIn(),
      checked({ visible: [3, 0] }, { scope: 'visible' }),
      checked({ visible: [3, 0], hidden: [5, 0] }),
      checked('killed'),
    ]);
    expect(total(await correctness(session))).toBe(0);
    expect((await correctness(session)).unchecked).toMatchObject({ points: 100 });
    expect(figures(await process(session)).slice(0, 2)).toEqual([
      ['tickets_handed_in', 1, 30, 30],
      ['visible_failures_resolved', 0, 20, 0],
    ]);
    expect((await process(session)).unchecked).toMatchObject({ points: 20 });
    expect((await process(session)).rationale).toMatch(
      /^The checks of ticket 1 gave no result: the checker was/,
    );
  });

  it('rests on what was handed in, and never on reports, if the service had no checker', async () => {
    const tickets = { A: workOf('both'), B: workOf('hidden') };
    const scoring = await correctness(workedSession(tickets, [handedIn(), checked('no_checker')], forged));
    expect(figures(scoring)).toEqual([['unchecked_handed_in', 0.5, 100, 50]]);
    expect(scoring.unchecked).toBeUndefined();
    expect(scoring.rationale).toMatch(
      /^The service had no checker, so no check ran over the work: the score rests on what was handed in, not on whether it works\. /,
    );
    expect(scoring.leftOut).toEqual(
      expect.arrayContaining([
        { signal: 'hidden_tests_passed', reason: 'not_checked' },
        { signal: 'visible_tests_passed', reason: 'not_checked' },
      ]),
    );
    expect(scoring.leftOut?.map(({ signal }) => signal)).not.toContain('unchecked_handed_in');
    const visible = workedSession({ A: workOf('visible') }, [handedIn(), checked('no_checker')]);
    expect(figures(await correctness(visible))).toEqual([['unchecked_handed_in', 1, 100, 100]]);
    // A ticket without checks is measured by its arrival anyway: those with checks do not count then.
    const mixed = workedSession({ A: workOf('both'), B: workOf('') }, [handedIn(), checked('no_checker')]);
    expect(figures(await correctness(mixed))).toEqual([['unchecked_handed_in', 0, 100, 0]]);
    // Only where nothing of the work is known to be wrong.
    const half = workedSession(tickets, [
      ...[handedIn(), checked('timed_out')],
      ...[handedIn('B'), checked('no_checker', { ticketId: 'B' })],
    ]);
    expect(figures(await correctness(half)).map(([, value]) => value)).toEqual([0, 0]);
    expect((await correctness(half)).rationale).toContain(
      'The service had no checker for 1 ticket: it does not',
    );
    const nothing = await correctness(workedSession(tickets, [], forged));
    expect(figures(nothing)).toEqual([
      ['hidden_tests_passed', 0, 80, 0],
      ['visible_tests_passed', 0, 20, 0],
    ]);
    expect(nothing.rationale).toContain('No hidden tests were run. Each ticket weighs the same. Nothing was');
  });

  it('says so if the work could have changed its own results', async () => {
    const session = workedSession({ A: workOf('hidden') }, [
      handedIn(),
      checked({ hidden: [1, 0] }, { isolation: 'shared' }),
    ]);
    const scoring = await correctness(session);
    expect(scoring.terms[0]!.tests).toMatchObject({ shared: true });
    expect(scoring.rationale).toMatch(/^The work ran in one process with its tests and could have changed/);
    const both = workedSession({ A: workOf('hidden'), B: workOf('hidden') }, [
      ...[handedIn(), checked({ hidden: [1, 0] }, { isolation: 'shared' })],
      ...[handedIn('B'), checked({ hidden: [1, 0] }, { ticketId: 'B' })],
    ]);
    expect((await correctness(both)).terms[0]!.tests).toMatchObject({ of: 2, shared: true });
  });
});

describe('the correctness of work without checks', () => {
  it('rests on hand-ins, reports that raise it, and says what it rests on', async () => {
    const tickets = { A: workOf(''), B: workOf('') };
    const quiet = await correctness(workedSession(tickets, [handedIn()]));
    expect(figures(quiet)).toEqual([['unchecked_handed_in', 0.5, 100, 50]]);
    expect(quiet.rationale).toMatch(
      /^No check ran over the work: the score rests on what was handed in, not/,
    );
    const reporting = await correctness(
      workedSession(tickets, [handedIn()], (session) => session.testRun(1, 3).testRun(3, 1)),
    );
    // 0.75 of the tests is more than half of the tickets; that no failure was fixed costs nothing.
    expect(figures(reporting)).toEqual([
      ['unchecked_handed_in', 0.5, 70, 35],
      ['last_run_passed', 0.75, 30, 22.5],
    ]);
    expect(reporting.rationale).toMatch(
      /^No check ran over the work: the score rests on what was handed in and on what the candidate’s own/,
    );
    expect(reporting.leftOut).toEqual(
      expect.arrayContaining([
        { signal: 'failures_fixed', reason: 'not_higher' },
        { signal: 'tickets_finished_green', reason: 'no_tickets' },
      ]),
    );
  });

  it('rests on marks where nothing is handed in, and on the interview without tickets', async () => {
    const marked = await correctness(
      workedSession({ A: null, B: null }, [], (session) =>
        session.activity('ticket.finished', { ticketId: 'A' }),
      ),
    );
    expect(figures(marked)).toEqual([['tickets_finished', 0.5, 100, 50]]);
    expect(marked.rationale).toMatch(
      /^No check ran over the work: the score rests on what the candidate’s own page/,
    );
    const talked = await correctness(workedSession({}, [], interview));
    expect(figures(talked)).toEqual([
      ['questions_answered', 1, 60, 60],
      ['answers_with_substance', 1, 40, 40],
    ]);
    expect(talked.rationale).toMatch(/questions were answered, not on whether the answers are right\. /);
  });
});

describe('the process', () => {
  it('is what the service saw and the page reports, scaled to 100', async () => {
    const session = workedSession(
      { A: workOf('both'), B: null },
      [
        handedIn('A', 1),
        checked({ visible: [1, 1] }, { scope: 'visible' }),
        handedIn('A', 2),
        checked({ visible: [2, 0] }, { handIn: 2, scope: 'visible' }),
        checked({ visible: [2, 0], hidden: [1, 0] }, { handIn: 2 }),
      ],
      (one) => interview(one.activity('ticket.finished', { ticketId: 'B' })),
    );
    // 30, 20, 10, 30 and 20 of 110.
    expect(figures(await process(session))).toEqual([
      ['tickets_handed_in', 1, 27.272727, 27.272727],
      ['visible_failures_resolved', 1, 18.181818, 18.181818],
      ['tickets_started_first', 0, 9.090909, 0],
      ['questions_answered', 1, 27.272727, 27.272727],
      ['answers_with_substance', 1, 18.181818, 18.181819],
    ]);
  });

  it('takes reports for 30 points at most, and only what raises it', async () => {
    const work = (session: SessionBuilder) =>
      session.change('a.ts', 100).testRun(1, 0).message('Why does the parser skip the header?');
    // Nothing was answered: what was reported is all that there is.
    expect(figures(await process(workedSession({}, [], work)))).toEqual([
      ['questions_answered', 0, 45, 0],
      ['answers_with_substance', 0, 30, 0],
      ['changes_tested', 1, 15, 15],
      ['sent_messages_with_substance', 1, 10, 10],
    ]);
    const full = await process(workedSession({}, [], (session) => interview(work(session))));
    expect(total(full)).toBe(FULL);
    expect(full.leftOut?.filter(({ reason }) => reason === 'not_higher').map(({ signal }) => signal)).toEqual(
      ['changes_tested', 'small_steps', 'sent_messages_with_substance'],
    );
  });
});

describe('laws of the rubric by setup', () => {
  const REASONS = Object.keys(CHECK_FAILURES) as CheckFailure[];
  const works = fc.constantFrom<TicketWork | null>(
    null,
    ...(['', 'visible', 'hidden', 'both'] as const).map(workOf),
  );
  const setups = fc.dictionary(fc.constantFrom('A', 'B', 'C'), works, { noNullPrototype: true });
  const count = fc.tuple(fc.nat(9), fc.nat(9));
  const steps = fc.array(
    fc.record({
      ticketId: fc.constantFrom('A', 'B', 'C'),
      handIn: fc.integer({ min: 1, max: 3 }),
      result: fc.option(fc.oneof(fc.constantFrom(...REASONS), fc.record({ visible: count, hidden: count })), {
        nil: undefined,
      }),
      scope: fc.constantFrom('visible' as const, 'all' as const),
    }),
    { maxLength: 12 },
  );
  const asSteps = (all: readonly (Omit<WorkStep, 'result'> & { result: WorkStep['result'] | undefined })[]) =>
    all.map(({ result, ...step }): WorkStep => (result === undefined ? step : { ...step, result }));
  const reports = fc.array(
    fc.oneof(
      fc.tuple(fc.constant('test.run'), fc.record({ passed: fc.nat(9_999), failed: fc.nat(9) })),
      fc.tuple(fc.constant('file.changed'), fc.record({ linesAdded: fc.nat(90), linesRemoved: fc.nat(9) })),
      fc.tuple(
        fc.constantFrom('ticket.started', 'ticket.finished'),
        fc.record({ ticketId: fc.constantFrom('A', 'B', 'C') }),
      ),
      fc.tuple(fc.constant('message.sent'), fc.record({ text: fc.string({ maxLength: 40 }) })),
    ),
    { maxLength: 8 },
  );
  type Reports = readonly (readonly [string, object])[];
  const reporting =
    (all: Reports) =>
    (session: SessionBuilder): SessionBuilder =>
      all.reduce((s, [type, payload]) => s.activity(type, payload as Record<string, unknown>), session);

  it('every score is from 0 to 100, and its terms sum to it', async () => {
    await fc.assert(
      fc.asyncProperty(setups, steps, reports, fc.boolean(), async (tickets, work, said, talks) => {
        const before = (session: SessionBuilder) =>
          talks ? interview(reporting(said)(session)) : reporting(said)(session);
        for (const scoring of await scored(workedSession(tickets, asSteps(work), before))) {
          expect(total(scoring)).toBeGreaterThanOrEqual(0);
          expect(total(scoring)).toBeLessThanOrEqual(FULL);
          const weights = scoring.terms.reduce((sum, { weight }) => sum + weight, 0);
          expect(weights).toBeCloseTo(100, 4);
          for (const { value, weight, contribution } of scoring.terms)
            expect(Math.abs(value * weight - contribution)).toBeLessThan(1e-3);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('the most that can be reached is 100 for every setup, through the shipped page alone', async () => {
    await fc.assert(
      fc.asyncProperty(setups, async (tickets) => {
        const ids = Object.entries(tickets);
        // The page marks tickets, hands in and holds the interview. It reports no runs, changes or messages.
        const page = (session: SessionBuilder) =>
          interview(
            ids.reduce(
              (s, [ticketId]) =>
                s.activity('ticket.started', { ticketId }).activity('ticket.finished', { ticketId }),
              session,
            ),
          );
        const work = ids.flatMap(([ticketId, of]) =>
          of === null
            ? []
            : [
                handedIn(ticketId),
                ...(of.visibleChecks || of.hiddenChecks
                  ? [checked({ visible: [3, 0], hidden: [5, 0] }, { ticketId })]
                  : []),
              ],
        );
        for (const scoring of await scored(workedSession(tickets, work, page)))
          expect([tickets, total(scoring)]).toEqual([tickets, FULL]);
      }),
    );
  });

  it('nothing that a candidate sends, of whatever type, raises correctness where checks exist', async () => {
    await fc.assert(
      fc.asyncProperty(setups, steps, reports, steps, async (others, work, said, forgeries) => {
        const tickets = { ...others, A: workOf('hidden') };
        const honest = workedSession(tickets, asSteps(work));
        const lying = workedSession(tickets, asSteps(work), reporting(said));
        const forgedWork = withWork(
          lying.evidence,
          asSteps(forgeries).map((step) => workEvent(step, 'candidate')),
        );
        const before = await correctness(honest);
        const after = await correctness({ role: lying.role, evidence: forgedWork });
        expect(figures(after)).toEqual(figures(before));
      }),
      { numRuns: 200 },
    );
  });

  it('more passing tests never lower a score', async () => {
    await fc.assert(
      fc.asyncProperty(setups, steps, fc.nat(), fc.boolean(), async (tickets, work, which, talks) => {
        const all = asSteps(work);
        const results = all.flatMap(({ result }, at) => (typeof result === 'object' ? [at] : []));
        if (results.length === 0) return;
        const place = results[which % results.length]!;
        const better = all.map((step, at): WorkStep => {
          if (at !== place || typeof step.result !== 'object') return step;
          const [passed, failed] = step.result.hidden!;
          const [seen, unseen] = step.result.visible!;
          // As many tests, of which one more passes.
          const hidden = failed > 0 ? ([passed + 1, failed - 1] as const) : ([passed, failed] as const);
          const visible = unseen > 0 ? ([seen + 1, unseen - 1] as const) : ([seen, unseen] as const);
          return { ...step, result: { hidden, visible } };
        });
        const before = (session: SessionBuilder) => (talks ? interview(session) : session);
        const [was, is] = [
          await scored(workedSession(tickets, all, before)),
          await scored(workedSession(tickets, better, before)),
        ];
        for (const [at, scoring] of is.entries())
          expect(total(scoring)).toBeGreaterThanOrEqual(total(was[at]!));
      }),
      { numRuns: 200 },
    );
  });

  type Session = readonly [
    Record<string, TicketWork | null>,
    Parameters<typeof asSteps>[0],
    Reports,
    which: number,
  ];
  /** Every figure, in millionths, with one of the results as it is and then with others in its place. */
  const withOneReplaced = async (
    [tickets, work, said, which]: Session,
    ...others: readonly NonNullable<WorkStep['result']>[]
  ): Promise<readonly (readonly number[])[]> => {
    const all = asSteps(work);
    const results = all.flatMap(({ result }, at) => (result === undefined ? [] : [at]));
    const place = results[which % results.length];
    if (place === undefined) return [];
    const figuresOf = async (steps: readonly WorkStep[]) => {
      const { dimensions, overall } = await scoredWhole(workedSession(tickets, steps, reporting(said)));
      return [...dimensions.map(total), overall * 1e6];
    };
    const replaced = others.map((result) =>
      all.map((step, at) => (at === place ? { ...step, result } : step)),
    );
    return Promise.all([all, ...replaced].map(figuresOf));
  };
  /** Everything is handed in once and checked, more than once at times. */
  const results = fc
    .array(
      fc.record({
        ticketId: fc.constantFrom('A', 'B', 'C'),
        handIn: fc.constant(1),
        result: fc.oneof(fc.constantFrom(...REASONS), fc.record({ visible: count, hidden: count })),
        scope: fc.constantFrom('all' as const, 'all' as const, 'visible' as const),
      }),
      { minLength: 1, maxLength: 6 },
    )
    .map((all) => [
      ...['A', 'B', 'C'].map((id) => ({ ...handedIn(id), result: undefined, scope: 'all' as const })),
      ...all,
    ]);
  const session = fc.tuple(setups, fc.oneof(steps, results), reports, fc.nat());
  const failure = fc.constantFrom(...REASONS.filter((reason) => reason !== 'no_checker'));

  it('an error in place of any result never raises a score, nor the overall one', async () => {
    await fc.assert(
      fc.asyncProperty(session, failure, async (of, reason) => {
        const [was = [], is = []] = await withOneReplaced(of, reason);
        for (const [at, figure] of is.entries()) expect(figure).toBeLessThanOrEqual(was[at]!);
      }),
      { numRuns: 200 },
    );
  });

  it('an error gives exactly what a result gives of which every test failed', async () => {
    await fc.assert(
      fc.asyncProperty(session, failure, async (of, reason) => {
        const red = { visible: [0, 3], hidden: [0, 5] } as const;
        const [, failed, none] = await withOneReplaced(of, reason, red);
        expect(failed).toEqual(none);
      }),
      { numRuns: 200 },
    );
  });

  it('what is missing is what the score would have more if every test of those checks had passed', async () => {
    await fc.assert(
      fc.asyncProperty(setups, steps, reports, async (tickets, work, said) => {
        const all = asSteps(work);
        const last = (ticketId: string) => all.findLast((step) => step.ticketId === ticketId && !step.result);
        // The last hand-in's last result of all checks, where it gave none.
        const isMissing = (step: WorkStep, at: number) =>
          typeof step.result === 'string' &&
          step.result !== 'no_checker' &&
          step.scope !== 'visible' &&
          step.handIn === last(step.ticketId)?.handIn &&
          !all
            .slice(at + 1)
            .some(
              (one) =>
                one.result &&
                one.scope !== 'visible' &&
                one.handIn === step.handIn &&
                one.ticketId === step.ticketId,
            );
        const passing = all.map((step, at): WorkStep =>
          isMissing(step, at) ? { ...step, result: { visible: [2, 0], hidden: [3, 0] } } : step,
        );
        const [was, is] = [
          await scored(workedSession(tickets, all, reporting(said))),
          await scored(workedSession(tickets, passing, reporting(said))),
        ];
        for (const [at, { unchecked }] of was.entries()) {
          // A hand-in without any result stays one.
          const points = (unchecked?.points ?? 0) - (is[at]!.unchecked?.points ?? 0);
          expect(total(is[at]!) - total(was[at]!)).toBeCloseTo(points * 1e6, -1);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('reports never lower a score', async () => {
    await fc.assert(
      fc.asyncProperty(setups, steps, reports, async (tickets, work, said) => {
        const others = said.filter(([type]) => !type.startsWith('ticket.'));
        const [was, is] = [
          await scored(workedSession(tickets, asSteps(work))),
          await scored(workedSession(tickets, asSteps(work), reporting(others))),
        ];
        for (const [at, scoring] of is.entries())
          expect(total(scoring)).toBeGreaterThanOrEqual(total(was[at]!));
      }),
      { numRuns: 200 },
    );
  });

  it('is the current rule set’s, and scores an unknown category 0', async () => {
    expect(currentRuleSet.rubric).toBe(ruleSetNamed('r4')!.rubric);
    const role = roleDefinition({ dimensions: [dimension(1, { category: '__proto__' })] });
    const [scoring] = await scored({ ...workedSession({}, [], interview), role });
    expect(scoring).toMatchObject({ terms: [], leftOut: [] });
  });
});
