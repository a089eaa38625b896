import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { dimension, roleDefinition, SessionBuilder } from '../../../test/support/evidence-builder.js';
import { evidenceOf } from '../evidence/evidence.js';
import type { DimensionScoring, ScoringTerm } from './scorer.js';
import { checkScoring, overallOf } from './scores.js';

const role = roleDefinition({ dimensions: [dimension(1, { threshold: 50 })] });
const evidence = evidenceOf(new SessionBuilder(role).started().testRun(3, 1).completed())!;
const run = evidence[1]!.id;

const answer = (...terms: Partial<ScoringTerm>[]): DimensionScoring => ({
  dimensionId: role.dimensions[0]!.id,
  rationale: 'Because.',
  terms: terms.map((term) => ({ signal: 's', value: 1, weight: 1, contribution: 0, evidence: [], ...term })),
});

describe('a scoring that is checked', () => {
  it.each([
    ['49.5', 49.5, 50, false],
    ['49.499999', 49.499999, 49, false],
    ['50', 50, 50, true],
    ['100', 100, 100, true],
  ])('rounds %s half up and passes by the unrounded score', (_, contribution, score, passed) => {
    expect(checkScoring(role, evidence, [answer({ contribution })])).toMatchObject({
      scores: [{ score, exact: contribution, passed, threshold: 50 }],
    });
  });

  it('lists the evidence of all terms once, in its order', () => {
    const cite = (eventId: string): Partial<ScoringTerm> => ({ evidence: [{ eventId, quote: null }] });
    expect(checkScoring(role, evidence, [answer(cite(run), cite(evidence[0]!.id), cite(run))])).toMatchObject(
      { scores: [{ evidenceEventIds: [evidence[0]!.id, run] }], quotes: {} },
    );
  });

  it('keeps each quote of an event once, and of each term which one it cites', () => {
    const [first, second] = ['"passed":3', '"failed":1'];
    const citing = (...quotes: (string | null)[]): Partial<ScoringTerm> => ({
      evidence: quotes.map((quote) => ({ eventId: run, quote })),
    });
    const checked = checkScoring(role, evidence, [
      answer(citing(first), citing(second, null), citing(second, first)),
    ]);
    expect(checked).toMatchObject({ quotes: { [run]: [first, second] } });
    expect(checked.kind === 'scores' && checked.scores[0]!.terms.map((term) => term.evidence)).toEqual(
      [[0], [1, null], [1, 0]].map((places) => places.map((quote) => ({ eventId: run, quote }))),
    );
  });

  it.each<[string, DimensionScoring[]]>([
    ['a score beyond 100', [answer({ contribution: 100 }, { contribution: 0.000001 })]],
    ['a score below 0', [answer({ contribution: -1 })]],
    ['a contribution that is no number', [answer({ contribution: Number.NaN })]],
    ['a contribution of more than 6 places', [answer({ contribution: 1.2345678 })]],
    ['evidence that is not there', [answer({ evidence: [{ eventId: 'nowhere', quote: null }] })]],
    ['an untrue quote', [answer({ evidence: [{ eventId: run, quote: '"passed":4' }] })]],
    ['a dimension left out', []],
    ['another dimension', [{ ...answer({}), dimensionId: 'other' }]],
    ['a dimension twice', [answer({}), answer({})]],
  ])('is refused with a reason for %s', (_, scoring) => {
    expect(checkScoring(role, evidence, scoring)).toEqual({
      kind: 'unusable',
      reason: expect.stringMatching(/^.{20,}\.$/),
    });
  });
});

describe('the overall score', () => {
  const parts = (...scores: [weight: number, score: number][]) =>
    scores.map(([weight, score], n) => ({ dimensionId: `d${n}`, weight, score }));

  it('is the weighted mean of the integer scores, rounded once', () => {
    expect(overallOf(parts([1, 50], [2, 51]), 51)).toEqual({
      exact: 50.666667,
      score: 51,
      passed: false,
      terms: [
        { dimensionId: 'd0', weight: 1, score: 50, contribution: 16.666667 },
        { dimensionId: 'd1', weight: 2, score: 51, contribution: 34 },
      ],
    });
  });

  it('is null where the weights sum to 0 or nothing is scored', () => {
    expect(overallOf(parts([0, 80]), 0)).toMatchObject({ exact: null, score: null, passed: null });
    expect(overallOf([], 0)).toEqual({ exact: null, score: null, passed: null, terms: [] });
  });

  it('is exactly the sum of its terms', () => {
    const some = fc.array(fc.tuple(fc.nat(100), fc.nat(100)), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(some, fc.nat(100), (scores, threshold) => {
        const overall = overallOf(parts(...scores), threshold);
        const weights = scores.reduce((sum, [weight]) => sum + weight, 0);
        if (weights === 0) {
          expect(overall.exact).toBeNull();
          return;
        }
        const micros = overall.terms.reduce((sum, term) => sum + Math.round(term.contribution * 1e6), 0);
        expect(micros).toBe(Math.round(overall.exact! * 1e6));
        const weighted = scores.reduce((sum, [weight, score]) => sum + weight * score, 0);
        expect(micros).toBe(Math.floor((2e6 * weighted + weights) / (2 * weights)));
        expect(overall.score).toBe(Math.floor(overall.exact! + 0.5));
        expect(overall.passed).toBe(overall.exact! >= threshold);
      }),
    );
  });
});
