import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { dimension, roleDefinition, SessionBuilder } from '../../test/support/evidence-builder.js';
import { workedSession, workOf, type WorkStep } from '../../test/support/work-evidence.js';
import type { RoleDefinition } from '../domain/role/events.js';
import type { TicketWork } from '../domain/session/events.js';
import type { CheckIsolation } from '../domain/ticket/events.js';
import { evaluationTexts as germanEvaluation } from '../languages/de/console-evaluation.js';
import { CONSOLE_TEXTS } from '../languages/languages.js';
import type { EvidenceEvent } from './evidence/evidence.js';
import { setupOf } from './evidence/work.js';
import { LEFT_OUT_REASONS, measuresOf, type ServiceSetup, vouching } from './measures.js';
import { MODEL_SIGNAL } from './model/answer.js';
import { SIGNALS } from './rubric/measure.js';
import { RubricScorer } from './rubric/scorer.js';
import { currentRuleSet, ruleSets, type RuleSet } from './rule-sets.js';

/** Everything happens that a signal counts, but that nothing is handed in. */
const everything = (session: SessionBuilder): SessionBuilder =>
  session
    .activity('ticket.started', { ticketId: 'T-1' })
    .change('src/a.ts', 10)
    .testRun(1, 1)
    .change('src/a.ts', 3)
    .testRun(2, 0)
    .message('I have found the fault in the parser.')
    .activity('ticket.finished', { ticketId: 'T-1' })
    .asked('How did you find it?')
    .answered('By halving the input until it was small.');

const scored = async (role: RoleDefinition, evidence: readonly EvidenceEvent[], { rubric }: RuleSet) => {
  const scoring = await new RubricScorer(rubric).score({ role, evidence });
  if (scoring.kind === 'failed') throw new Error(scoring.reason);
  return scoring.dimensions;
};

const RUBRIC: ServiceSetup = {
  scorer: { kind: 'rubric' },
  checker: { kind: 'command', isolations: ['shared'] },
};

const works = fc.constantFrom(null, workOf(''), workOf('visible'), workOf('hidden'), workOf('both'));
const setups = fc.dictionary(fc.constantFrom('T-1', 'T-2', 'T-3'), works, { noNullPrototype: true });
const categories = fc.array(fc.constantFrom('correctness', 'process', 'style'), {
  minLength: 1,
  maxLength: 4,
});

describe('what a role can measure', () => {
  it('is what the scorer of new evaluations weighs, each dimension out of 100', async () => {
    await fc.assert(
      fc.asyncProperty(setups, categories, async (tickets, all) => {
        const { role: of, evidence } = workedSession(tickets, []);
        const role = { ...of, dimensions: all.map((category, index) => dimension(index, { category })) };
        const versions = Object.entries(tickets).map(([ticketId, work]) => ({
          ticketId,
          ...(work && { work }),
        }));
        const measures = measuresOf(role, setupOf(role.ticketIds, versions), RUBRIC);
        const dimensions = await scored(role, evidence, currentRuleSet);
        expect(measures.map(({ dimensionId }) => dimensionId)).toEqual(role.dimensions.map(({ id }) => id));
        for (const [place, { signals }] of measures.entries()) {
          // Nothing was reported, so that the base alone has the points.
          const base = signals.filter(({ onlyRaises }) => !onlyRaises);
          expect(base.map(({ signal, points }) => [signal, points])).toEqual(
            dimensions[place]!.terms.map(({ signal, weight }) => [signal, weight]),
          );
          const sum = base.reduce((points, one) => points + one.points, 0);
          expect(sum).toBeCloseTo(base.length === 0 ? 0 : 100, 4);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('is what the scorer weighs if the service has no checker, once everything is handed in', async () => {
    await fc.assert(
      fc.asyncProperty(setups, categories, async (tickets, all) => {
        const steps = Object.entries(tickets).flatMap(([ticketId, work]): readonly WorkStep[] => {
          const handIn = { ticketId, handIn: 1 };
          const isChecked = work?.visibleChecks === true || work?.hiddenChecks === true;
          return work === null
            ? []
            : [handIn, ...(isChecked ? [{ ...handIn, result: 'no_checker' } as const] : [])];
        });
        const { role: of, evidence } = workedSession(tickets, steps);
        const role = { ...of, dimensions: all.map((category, index) => dimension(index, { category })) };
        const setup = setupOf(
          role.ticketIds,
          Object.entries(tickets).map(([ticketId, work]) => ({ ticketId, ...(work && { work }) })),
        );
        const measures = measuresOf(role, setup, { ...RUBRIC, checker: { kind: 'none' } });
        const dimensions = await scored(role, evidence, currentRuleSet);
        for (const [place, { signals }] of measures.entries())
          expect(
            signals.filter(({ onlyRaises }) => !onlyRaises).map(({ signal, points }) => [signal, points]),
          ).toEqual(dimensions[place]!.terms.map(({ signal, weight }) => [signal, weight]));
      }),
      { numRuns: 60 },
    );
  });

  it('has a warning where nothing but the candidate’s own claims measures a dimension, or nothing at all', () => {
    const dimensions = [
      dimension(1, { name: 'Tests' }),
      dimension(2, { name: 'Way of working', category: 'process' }),
      dimension(3, { name: 'Style', category: 'style' }),
    ];
    const role = roleDefinition({ dimensions, ticketIds: ['T-1'] });
    let uses: ServiceSetup = RUBRIC;
    const measured = (...of: Parameters<typeof setupOf<TicketWork & { isolation?: CheckIsolation }>>) =>
      measuresOf(role, setupOf(...of), uses);
    const warnings = (...of: Parameters<typeof measured>) => measured(...of).map(({ warning }) => warning);
    const codes = (...of: Parameters<typeof measured>) =>
      measured(...of).map(({ warningCode }) => warningCode);
    const unmeasured = 'Nothing measures "Style": no rule reads evidence for its category.';
    expect(warnings(['T-1'], [])).toEqual([
      '"Tests" has no checks: its points rest on what the candidate’s own program reports.',
      null,
      unmeasured,
    ]);
    expect(warnings(['T-1'], [{ ticketId: 'T-1', work: workOf('') }])).toEqual([
      '"Tests" has no checks: its points rest on what is handed in, not on whether it works.',
      null,
      unmeasured,
    ]);
    expect(warnings([], [])).toEqual([
      '"Tests" has no tickets: its points rest on which questions are answered, not on whether the answers are right.',
      null,
      unmeasured,
    ]);
    for (const checks of ['visible', 'hidden', 'both'] as const)
      expect(warnings(['T-1', 'T-2'], [{ ticketId: 'T-1', work: workOf(checks) }])).toEqual([
        null,
        null,
        unmeasured,
      ]);
    expect(codes(['T-1'], [])).toEqual(['self_reported', null, 'unmeasured']);
    expect(codes(['T-1'], [{ ticketId: 'T-1', work: workOf('') }])).toEqual([
      'no_checks',
      null,
      'unmeasured',
    ]);
    expect(codes([], [])).toEqual(['no_tickets', null, 'unmeasured']);
    uses = { ...RUBRIC, checker: { kind: 'none' } };
    expect(codes(['T-1'], [{ ticketId: 'T-1', work: workOf('both') }])[0]).toBe('checks_not_run');
    expect(warnings(['T-1'], [{ ticketId: 'T-1', work: workOf('both') }])).toEqual([
      '"Tests" has checks that nothing runs: the service has no checker. Its points rest on what is handed in, not on whether it works.',
      null,
      unmeasured,
    ]);
    uses = RUBRIC;
    const checks = (isolation: CheckIsolation, of: 'visible' | 'hidden' = 'visible') =>
      warnings(['T-1'], [{ ticketId: 'T-1', work: { ...workOf(of), isolation } }]);
    const refused = (name: string, asked = 'separate', offered = 'shared') =>
      `"${name}" has checks that cannot run: those of 1 ticket ask for the isolation ${asked}, and the service’s checker offers ${offered}. They end in an error, which earns nothing.`;
    expect(checks('separate')).toEqual([refused('Tests'), refused('Way of working'), unmeasured]);
    const separate = [{ ticketId: 'T-1', work: { ...workOf('visible'), isolation: 'separate' as const } }];
    expect(measured(['T-1'], separate)[0]).toMatchObject({
      warningCode: 'checks_refused',
      refusedChecks: { tickets: 1, asked: ['separate'], offered: ['shared'] },
    });
    // The way of working is not measured by hidden tests.
    expect(checks('separate', 'hidden')).toEqual([refused('Tests'), null, unmeasured]);
    expect(checks('shared')).toEqual([null, null, unmeasured]);
    uses = { ...RUBRIC, checker: { kind: 'command', isolations: ['separate'] } };
    expect(checks('separate')).toEqual([null, null, unmeasured]);
    expect(checks('shared', 'hidden')[0]).toBe(refused('Tests', 'shared', 'separate'));
    expect(measuresOf(role, new Map(), { ...RUBRIC, scorer: { kind: 'openai' } })).toMatchObject(
      dimensions.map(() => ({ signals: [{ signal: 'model', points: 100 }], warning: null })),
    );
  });
});

describe('who vouches for a term', () => {
  it.each(ruleSets)(
    'is whoever vouches for the events that it rests on, by rule set $name',
    async (ruleSet) => {
      const handedIn = { ticketId: 'T-1', handIn: 1 };
      const result = { visible: [1, 1], hidden: [2, 1] } as const;
      const sessions = [
        workedSession({}, [], everything),
        workedSession({ 'T-1': null }, [], everything),
        workedSession({ 'T-1': workOf('both') }, [handedIn, { ...handedIn, result }], everything),
        workedSession({ 'T-1': workOf('') }, [handedIn], everything),
      ];
      for (const { role, evidence } of sessions) {
        const sourceOf = new Map(evidence.map(({ id, source }) => [id, source]));
        const dimensions = await scored(role, evidence, ruleSet);
        for (const term of dimensions.flatMap(({ terms }) => terms)) {
          const sources = new Set(term.evidence.map(({ eventId }) => sourceOf.get(eventId)));
          expect({ ...term, sources }).toEqual({ ...term, sources: new Set(vouching(term).sources) });
        }
      }
    },
  );

  it('is said in words', () => {
    expect(
      ['questions_answered', 'last_run_passed', 'visible_failures_resolved', 'model', 'unheard_of'].map(
        (signal) => vouching({ signal }).vouchedBy,
      ),
    ).toEqual([
      'Recorded by the service itself.',
      'Reported by the candidate’s own page or program, not checked.',
      'Run by the checker.',
      'Recorded by the service itself, or run by the checker, or reported by the candidate’s own page or program, not checked.',
      'It rests on no evidence.',
    ]);
    const tests = { passed: 27, of: 30, unchecked: 0, shared: false };
    const words = (signal: string, over: Partial<typeof tests> = {}) =>
      vouching({ signal, tests: { ...tests, ...over } }).vouchedBy;
    expect(words('hidden_tests_passed')).toBe('27 of 30 hidden tests, run by the checker.');
    expect(words('visible_tests_passed', { passed: 1, of: 1 })).toBe(
      '1 of 1 visible test, run by the checker.',
    );
    expect(words('hidden_tests_passed', { passed: 0, of: 0 })).toBe(
      'No hidden tests were run: nothing was handed in.',
    );
    expect(words('hidden_tests_passed', { passed: 0, of: 0, unchecked: 1 })).toBe(
      'No hidden tests were run. The checks of 1 ticket gave no result and earn nothing.',
    );
    expect(words('hidden_tests_passed', { unchecked: 2, shared: true })).toBe(
      '27 of 30 hidden tests, run by the checker. The checks of 2 tickets gave no result and earn nothing. The work ran in one process with its tests and could have changed their results.',
    );
  });
});

describe('what a score is made of', () => {
  it('is told to staff in their language: each signal, and why one has no part in it', () => {
    const signals = [...Object.keys(SIGNALS), MODEL_SIGNAL].sort();
    expect(Object.keys(CONSOLE_TEXTS.de.role.signals).sort()).toEqual(signals);
    const { scores } = germanEvaluation;
    expect(Object.keys(scores.signals).sort()).toEqual(signals);
    expect(Object.keys(scores.leftOutBecause).sort()).toEqual([...LEFT_OUT_REASONS].sort());
  });
});
