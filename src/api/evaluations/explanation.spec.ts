import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { evaluationResultId, evaluationResults } from '../../../projections/evaluation-results.js';
import { evaluations } from '../../../projections/evaluations.js';
import { dimension, roleDefinition, SessionBuilder, testId } from '../../../test/support/evidence-builder.js';
import { foldView } from '../../../test/support/given-view.js';
import type { Position, StreamName } from '../../core/event-store.js';
import type { AnyEvent, Stored } from '../../core/event.js';
import type { DimensionScore, EvaluationEvent } from '../../domain/evaluation/events.js';
import type { RoleDefinition } from '../../domain/role/events.js';
import type { TrialEvent } from '../../domain/session/events.js';
import { evidenceOf, isTrueQuote } from '../../scoring/evidence/evidence.js';
import type { Citation, DimensionScoring } from '../../scoring/scores/scorer.js';
import { checkScoring, overallOf } from '../../scoring/scores/scores.js';
import { explanationOf } from './explanation.js';
import { evaluationRecord } from './record.js';

const EVALUATION = testId(8, 1);

/** A JSON number in millionths, read from its decimal digits: no floating point comes between. */
const micros = (value: number): bigint => {
  const match = /^(-?)(\d+)(?:\.(\d{1,6}))?$/.exec(JSON.stringify(value));
  if (!match) throw new Error(`${value} has more than 6 decimal places`);
  const [, sign, whole = '', places = ''] = match;
  const amount = BigInt(whole) * 1_000_000n + BigInt(places.padEnd(6, '0'));
  return sign === '-' ? -amount : amount;
};

const sumOf = (terms: readonly { readonly contribution: number }[]): bigint =>
  terms.reduce((sum, { contribution }) => sum + micros(contribution), 0n);

/** Of an amount from 0 on: to the nearest whole number, a half up. */
const roundHalfUp = (amount: bigint): number => Number((amount + 500_000n) / 1_000_000n);

/** The session, its evaluation's events behind it, as the log has them. */
const logOf = (session: readonly Stored<TrialEvent>[], results: readonly EvaluationEvent[]): Stored[] => [
  ...session,
  ...results.map((event: AnyEvent, revision) => ({
    ...event,
    id: testId(15, revision),
    stream: `evaluation-${EVALUATION}` as StreamName,
    revision,
    position: (session.length + revision).toString(16).padStart(16, '0') as Position,
    metadata: session.at(-1)!.metadata,
    chain: null,
  })),
];

/** What an answer of HTTP carries: through JSON. */
const sent = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/** A result of the scorer's answer, both as its evaluation and as its explanation are read. */
const readBoth = (
  role: RoleDefinition,
  session: readonly Stored<TrialEvent>[],
  scoring: readonly DimensionScoring[],
) => {
  const checked = checkScoring(role, evidenceOf(session)!, scoring);
  if (checked.kind === 'unusable') throw new Error(checked.reason);
  const { scores, rationales, quotes } = checked;
  const overall = overallOf(scores, role.overallThreshold);
  const completed = session.at(-1)!.data as Extract<TrialEvent, { type: 'trial.completed' }>['data'];
  const log = logOf(session, [
    {
      type: 'evaluation.generated',
      data: {
        ...completed,
        generation: 1,
        head: { sequenceNumber: session.length, hash: null },
        ruleSet: 'r1',
        scoredBy: { scorer: 'test', version: 1, description: 'A test.' },
        scores,
        overallScore: overall.score,
        overallExact: overall.exact,
        overallThreshold: role.overallThreshold,
        passed: overall.passed,
        integrity: [],
        detections: [],
      },
      person: null,
      personal: { rationales, quotes },
    },
  ]);
  const result = foldView(evaluationResults, log).get(evaluationResultId(EVALUATION, 1))!.document;
  const evaluation = foldView(evaluations, log).get(EVALUATION)!.document;
  return {
    explanation: sent(explanationOf(result, result.result!)),
    record: sent(evaluationRecord(evaluation, null, { events: [], questions: [] })),
  };
};

const session = new SessionBuilder(roleDefinition())
  .started()
  .message('One of the tests fails, since the parser drops the last line.')
  .testRun(7, 2)
  .testRun(9, 0)
  .completed();
const [, said, failing, passing] = evidenceOf(session)!;

const citation = fc.constantFrom<Citation>(
  { eventId: said!.id, quote: 'the parser drops' },
  { eventId: said!.id, quote: 'One of the tests' },
  { eventId: said!.id, quote: null },
  { eventId: failing!.id, quote: '"failed":2' },
  { eventId: failing!.id, quote: '"passed":7' },
  { eventId: passing!.id, quote: '"passed":9' },
);

/** A score in millionths, as any number of contributions, below 0 as well. */
const scoring = fc
  .record({
    total: fc.integer({ min: 0, max: 100_000_000 }),
    parts: fc.array(fc.integer({ min: -100_000_000, max: 100_000_000 }), { maxLength: 5 }),
    cited: fc.array(fc.array(citation, { maxLength: 4 }), { minLength: 6, maxLength: 6 }),
    weight: fc.integer({ min: 0, max: 100 }),
    threshold: fc.option(fc.integer({ min: 0, max: 100 })),
  })
  .map(({ total, parts, cited, weight, threshold }) => ({
    weight,
    threshold,
    exact: BigInt(total),
    terms: [...parts, parts.reduce((rest, part) => rest - part, total)].map((part, index) => ({
      signal: `signal_${index}`,
      value: part / 1_000_000,
      weight: 1,
      contribution: part / 1_000_000,
      evidence: cited[index] ?? [],
    })),
  }));

describe('an explanation', () => {
  it('adds up to the figures of its evaluation', () => {
    const some = fc.tuple(
      fc.array(scoring, { minLength: 1, maxLength: 6 }),
      fc.integer({ min: 0, max: 100 }),
    );
    fc.assert(
      fc.property(some, ([answers, overallThreshold]) => {
        const dimensions = answers.map(({ weight, threshold }, n) => dimension(n, { weight, threshold }));
        const role = roleDefinition({ dimensions, overallThreshold });
        const { explanation, record } = readBoth(
          role,
          session,
          answers.map(({ terms }, n) => ({ dimensionId: dimensions[n]!.id, rationale: 'Because.', terms })),
        );
        expect(explanation.dimensions.map(({ dimensionId }) => dimensionId)).toEqual(
          record.scores.map(({ dimensionId }) => dimensionId),
        );
        explanation.dimensions.forEach(({ terms, exact, score }, n) => {
          const sum = sumOf(terms);
          const figures: Partial<Omit<DimensionScore, 'unchecked'>> = record.scores[n]!;
          expect(sum).toBe(answers[n]!.exact);
          expect(sum).toBe(micros(exact));
          expect(roundHalfUp(sum)).toBe(score);
          expect(score).toBe(figures.score);
          const { threshold } = role.dimensions[n]!;
          expect(figures.passed).toBe(threshold === null ? null : sum >= BigInt(threshold) * 1_000_000n);
          const cited = new Set(terms.flatMap(({ evidence }) => evidence.map(({ eventId }) => eventId)));
          expect(new Set(figures.evidenceEventIds)).toEqual(cited);
        });
        const { terms, exact, score } = explanation.overall;
        expect(score).toBe(record.overallScore);
        expect(terms.map((term) => [term.dimensionId, term.weight, term.score])).toEqual(
          record.scores.map((one) => [one.dimensionId, one.weight, one.score]),
        );
        if (exact === null) {
          expect(record.scores.every(({ weight }) => weight === 0)).toBe(true);
          expect([score, record.passed, sumOf(terms)]).toEqual([null, null, 0n]);
          return;
        }
        expect(sumOf(terms)).toBe(micros(exact));
        expect(roundHalfUp(sumOf(terms))).toBe(score);
        expect(record.passed).toBe(sumOf(terms) >= BigInt(overallThreshold) * 1_000_000n);
      }),
    );
  });

  it('quotes for each term what that term cites, truly', () => {
    fc.assert(
      fc.property(fc.array(scoring, { minLength: 2, maxLength: 3 }), (answers) => {
        const dimensions = answers.map((_, n) => dimension(n));
        const { explanation } = readBoth(
          roleDefinition({ dimensions }),
          session,
          answers.map(({ terms }, n) => ({ dimensionId: dimensions[n]!.id, rationale: 'Because.', terms })),
        );
        const payloads = new Map(evidenceOf(session)!.map(({ id, payload }) => [id, payload]));
        expect(explanation.dimensions.map(({ terms }) => terms.map(({ evidence }) => evidence))).toEqual(
          answers.map(({ terms }) => terms.map(({ evidence }) => evidence)),
        );
        for (const { eventId, quote } of explanation.dimensions.flatMap(({ terms }) =>
          terms.flatMap(({ evidence }) => evidence),
        ))
          if (quote !== null) expect(isTrueQuote(payloads.get(eventId), quote)).toBe(true);
      }),
    );
  });

  it('lists the findings in their order, with what the rules compared', () => {
    const result = {
      ruleSet: 'r1',
      scoredBy: { scorer: 'test', version: 1, description: 'A test.' },
      ...{ scores: [], overallScore: null, overallExact: null, overallThreshold: 50, passed: null },
      integrity: [
        {
          kind: 'paste_burst',
          severity: 'low',
          timestamp: '2026-03-02T09:00:00.000Z',
          evidenceEventIds: [said!.id],
          ruleVersion: 2,
          inputs: { nonBlankCharacters: 300, minimumNonBlankCharacters: 200 },
        },
        {
          kind: 'identity_verified',
          severity: 'info',
          timestamp: '2026-03-02T09:00:00.000Z',
          evidenceEventIds: [],
          ruleVersion: 1,
        },
      ],
    } as const;
    const of = { evaluationId: EVALUATION, generation: 3, personal: null };
    expect(explanationOf(of, result)).toEqual({
      evaluationId: EVALUATION,
      generation: 3,
      ruleSet: 'r1',
      scoredBy: result.scoredBy,
      overall: { score: null, exact: null, terms: [] },
      dimensions: [],
      integrity: [
        {
          kind: 'paste_burst',
          ruleVersion: 2,
          inputs: { nonBlankCharacters: 300, minimumNonBlankCharacters: 200 },
          evidenceEventIds: [said!.id],
        },
        { kind: 'identity_verified', ruleVersion: 1, inputs: {}, evidenceEventIds: [] },
      ],
    });
  });
});
