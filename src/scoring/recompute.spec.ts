import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { dimension, roleDefinition, SessionBuilder, testId } from '../../test/support/evidence-builder.js';
import { withWork, workEvent, workOf } from '../../test/support/work-evidence.js';
import type { Stored } from '../core/event.js';
import type { EvaluationGenerated, ModelAnswered } from '../domain/evaluation/events.js';
import type { RoleDefinition } from '../domain/role/events.js';
import type { TrialEvent } from '../domain/session/events.js';
import { storedDetections } from './detector/detector.js';
import { evidenceOf } from './evidence/evidence.js';
import { isHandIn } from './evidence/work.js';
import { generateEvaluation, type GenerationInput } from './generate.js';
import { scoringFromAnswers } from './model/answer.js';
import { recompute as recomputeWith, type RecomputeInput } from './recompute.js';
import { RubricScorer } from './rubric/scorer.js';
import { currentRuleSet, type RuleSet, ruleSets } from './rule-sets.js';

type Session = readonly Stored<TrialEvent>[];

const role = roleDefinition({
  ticketIds: ['T-1'],
  dimensions: [dimension(1, { threshold: 50, weight: 3 }), dimension(2, { category: 'process' })],
});

/** By default of a candidate who handed in nothing late and had the usual time. */
const recompute = (
  input: Omit<RecomputeInput, 'later' | 'timeFactor'> & Partial<RecomputeInput>,
): ReturnType<typeof recomputeWith> => recomputeWith({ later: [], timeFactor: 1, ...input });

/** As it is read back from the log. */
const stored = (event: EvaluationGenerated): Stored<EvaluationGenerated> =>
  JSON.parse(JSON.stringify(event)) as Stored<EvaluationGenerated>;

const generate = async (input: GenerationInput): Promise<Stored<EvaluationGenerated>> => {
  const { result } = await generateEvaluation(input);
  if (result.type !== 'evaluation.generated') throw new Error(result.personal?.failure);
  return stored(result);
};

/** What the rubric makes of a session under a rule set. */
const made = (session: Session, ruleSet: RuleSet): Promise<Stored<EvaluationGenerated>> =>
  generate({ session, generation: 1, scorer: new RubricScorer(ruleSet.rubric), ruleSet });

const PASTED = 260;
const session = (of: RoleDefinition = role): Session =>
  new SessionBuilder(of)
    .started()
    .activity('ticket.started', { ticketId: 'T-1' })
    .change('src/parser.ts', 24, 3)
    .testRun(7, 2)
    .testRun(9, 0)
    .activity('clipboard.pasted', { characters: 300, nonBlankCharacters: PASTED })
    .message('The parser drops the last line; I will read it to the end.')
    .activity('ticket.finished', { ticketId: 'T-1' })
    .completed();

const step = fc.oneof(
  fc.record({ passed: fc.nat(20), failed: fc.nat(5) }).map((payload) => ['test.run', payload] as const),
  fc
    .record({ linesAdded: fc.nat(200), linesRemoved: fc.nat(90) })
    .map((lines) => ['file.changed', { path: 'a.ts', ...lines }] as const),
  fc.constantFrom('ticket.started', 'ticket.finished').map((type) => [type, { ticketId: 'T-1' }] as const),
  fc.string({ maxLength: 400 }).map((text) => ['message.sent', { text, to: 'assistant' }] as const),
  fc
    .nat(2_000)
    .map((n) => ['clipboard.pasted', { characters: n, nonBlankCharacters: n, source: 'prompt' }] as const),
  fc.constantFrom('page.hidden', 'page.shown', 'fullscreen.exited').map((type) => [type, {}] as const),
);
const steps = fc.array(fc.tuple(step, fc.integer({ min: 0, max: 400 })), { maxLength: 25 });
const turns = fc.array(fc.tuple(fc.string({ maxLength: 300 }), fc.integer({ min: 0, max: 60_000 })), {
  maxLength: 7,
});

/** A session of activities and an interview behind them, each answer with its gap in milliseconds. */
const played = (
  of: RoleDefinition,
  done: readonly (readonly [readonly [string, object], number])[],
  interview: readonly (readonly [string, number])[],
) => {
  let at = 0;
  let builder = new SessionBuilder(of).started();
  for (const [[type, payload], seconds] of done)
    builder = builder.activity(type, payload as Readonly<Record<string, unknown>>, (at += seconds));
  if (interview.length > 0) builder = builder.connected();
  for (const [text, gapMs] of interview) builder = builder.asked('How did it go?').answered(text, { gapMs });
  return builder.completed();
};

describe('a result that is computed again', () => {
  it('is the same under its own rule set, whatever happened in the session', async () => {
    await fc.assert(
      fc.asyncProperty(steps, turns, fc.constantFrom(...ruleSets), async (done, interview, ruleSet) => {
        const of = done.length % 2 === 0 ? role : roleDefinition();
        const all = played(of, done, interview);
        const result = await made(all, ruleSet);
        expect(await recompute({ stored: result, answers: [], session: all, ruleSet })).toEqual({
          kind: 'recomputed',
          differences: [],
        });
      }),
      { numRuns: 60 },
    );
  });

  it('is changed under another rule set exactly where that makes another result', async () => {
    const [other] = ruleSets;
    await fc.assert(
      fc.asyncProperty(steps, turns, async (done, interview) => {
        const all = played(role, done, interview);
        const [before, after] = [await made(all, currentRuleSet), await made(all, other!)];
        const outcome = await recompute({ stored: before, answers: [], session: all, ruleSet: other! });
        if (outcome.kind !== 'recomputed') throw new Error(outcome.kind);
        const figures = ({ data }: EvaluationGenerated) => [
          ...[data.scores, data.overallScore, data.overallExact, data.passed],
          data.integrity,
        ];
        const same = JSON.stringify(figures(before)) === JSON.stringify(figures(after));
        expect(outcome.differences.length === 0).toBe(same);
        for (const one of outcome.differences)
          if (one.figure === 'overall')
            expect([one.from, one.to]).toEqual([before.data.overallExact, after.data.overallExact]);
      }),
      { numRuns: 40 },
    );
  });

  it('reports which figures other thresholds and versions change', async () => {
    const result = await made(session(), currentRuleSet);
    const { paste_burst } = currentRuleSet.integrity;
    if (paste_burst === undefined) throw new Error('The current rule set finds no paste bursts.');
    const under = (rule: Partial<typeof paste_burst>): RuleSet => ({
      ...currentRuleSet,
      name: 'other',
      integrity: { ...currentRuleSet.integrity, paste_burst: { ...paste_burst, ...rule } },
    });
    const of = async (ruleSet: RuleSet) =>
      recompute({ stored: result, answers: [], session: session(), ruleSet });
    expect(await of(under({ minimumNonBlankCharacters: PASTED + 1 }))).toEqual({
      kind: 'recomputed',
      differences: [{ figure: 'findings', kind: 'paste_burst', from: 1, to: 0 }],
    });
    expect(await of(under({ version: paste_burst.version + 1 }))).toEqual({
      kind: 'recomputed',
      differences: [{ figure: 'findings', kind: 'paste_burst', from: 1, to: 1 }],
    });
  });

  it('reports the figures of other weights', async () => {
    const result = await made(session(), currentRuleSet);
    const [score] = result.data.scores;
    const term = score!.terms.find(({ contribution }) => contribution > 0)!;
    const changed = stored({
      ...result,
      data: {
        ...result.data,
        scores: result.data.scores.map((one) =>
          one === score ? { ...one, exact: 1.5, score: 2, passed: false } : one,
        ),
        overallExact: 7.25,
        overallScore: 7,
        passed: false,
      },
    });
    expect(score!.exact).toBeGreaterThan(50);
    const again = { answers: [], session: session(), ruleSet: currentRuleSet };
    expect(await recompute({ ...again, stored: changed })).toEqual({
      kind: 'recomputed',
      differences: [
        { figure: 'score', dimensionId: score!.dimensionId, from: 1.5, to: score!.exact },
        { figure: 'passed', dimensionId: score!.dimensionId, from: false, to: true },
        { figure: 'overall', from: 7.25, to: result.data.overallExact },
        { figure: 'passed', dimensionId: null, from: false, to: result.data.passed },
      ],
    });
    const shifted = JSON.parse(
      JSON.stringify(result).replace(`"weight":${term.weight},"contribution"`, '"weight":1,"contribution"'),
    ) as typeof result;
    expect(await recompute({ ...again, stored: shifted })).toEqual({
      kind: 'recomputed',
      differences: [{ figure: 'terms', dimensionId: score!.dimensionId }],
    });
  });

  it('rests on the evidence up to its head alone', async () => {
    const whole = session();
    const result = await made(whole, currentRuleSet);
    const last = whole.at(-1)!;
    const data = { ...last.data, sequenceNumber: last.data.sequenceNumber + 1 };
    const erasure = { ...last, type: 'trial.erased', data, revision: whole.length } as Stored<TrialEvent>;
    const again = { stored: result, answers: [], ruleSet: currentRuleSet };
    expect(await recompute({ ...again, session: [...whole, erasure] })).toEqual({
      kind: 'recomputed',
      differences: [],
    });
    expect(await recompute({ ...again, session: whole.slice(0, -1) })).toEqual({
      kind: 'unusable',
      reason: expect.stringMatching(/does not reach to the head/),
    });
  });

  it('counts a result of the checker that came after the completion, and only that', async () => {
    const of = roleDefinition({ ticketIds: ['A'] });
    const tickets = [{ ticketId: 'A', version: 1, work: workOf('hidden') }];
    const whole = new SessionBuilder(of)
      .started()
      .handsIn('A')
      .completed()
      .map((event) =>
        event.type === 'trial.started' ? { ...event, data: { ...event.data, tickets } } : event,
      );
    const evidence = evidenceOf(whole)!;
    const handIn = evidence.find(isHandIn)!;
    const { payload, ...check } = workEvent({ ticketId: 'A', handIn: 1, result: { hidden: [1, 3] } });
    const later = withWork(evidence, [
      { ...check, payload: { ...payload, handInId: handIn.payload['handInId'] } },
    ]).slice(-1);
    const ruleSet = currentRuleSet;
    const scorer = new RubricScorer(ruleSet.rubric);
    const result = await generate({ session: whole, generation: 1, scorer, ruleSet, later });
    expect(result.data.scores[0]).toMatchObject({
      ...{ exact: 25, evidenceEventIds: [later[0]!.id] },
      terms: [{ signal: 'hidden_tests_passed', tests: { passed: 1, of: 4 } }],
    });
    const again = { stored: result, answers: [], session: whole, ruleSet };
    expect(await recompute({ ...again, later })).toEqual({ kind: 'recomputed', differences: [] });
    // Without it nothing is proven.
    expect(await recompute(again)).toMatchObject({
      differences: [{ figure: 'score', from: 25, to: 0 }, {}],
    });
  });

  it('is given up where what was said can no longer be read', async () => {
    const whole = session();
    const result = await made(whole, currentRuleSet);
    const silent = whole.map((event) => ({ ...event, personal: null })) as Session;
    const again = { answers: [], ruleSet: currentRuleSet };
    for (const input of [
      { stored: { ...result, personal: null }, session: silent },
      { stored: result, session: silent },
    ])
      expect(await recompute({ ...again, ...input })).toEqual({ kind: 'erased' });
  });

  it('takes what a detector said from what was stored', async () => {
    const text = 'I read the parser to its end and found the line that it drops. '.repeat(8);
    const whole = new SessionBuilder(role).started().message(text).completed();
    const detections = [{ eventId: whole[1]!.id, detector: 'test', version: 1, likelihood: 0.97 }];
    const result = await generate({
      ...{ session: whole, generation: 1, ruleSet: currentRuleSet },
      scorer: new RubricScorer(currentRuleSet.rubric),
      detector: storedDetections(detections),
    });
    expect(result.data.detections).toEqual(detections);
    expect(result.data.integrity.map(({ kind }) => kind)).toContain('generated_text_suspected');
    const again = { answers: [], session: whole, ruleSet: currentRuleSet };
    expect(await recompute({ ...again, stored: result })).toEqual({ kind: 'recomputed', differences: [] });
  });

  it('takes what hand-ins have in common with others from what was stored', async () => {
    const whole = new SessionBuilder(role).started().completed();
    const last = whole.at(-1)!.data.sequenceNumber;
    const handedIn = workEvent({ ticketId: 'T-1', handIn: 1 });
    const times = { occurredAt: '2026-03-02T10:00:00.000Z', recordedAt: '2026-03-02T10:00:00.000Z' };
    const later = [{ ...handedIn, ...times, id: testId(12, 1), sequenceNumber: last + 1 }];
    const similar = [{ handInId: 'T-1/1', shared: 30, fingerprints: 31, otherFingerprints: 40 }];
    const input = { session: whole, generation: 1, later, scorer: new RubricScorer(currentRuleSet.rubric) };
    const result = await generate({ ...input, similar });
    expect(result.data.similar).toEqual(similar);
    const kinds = result.data.integrity.map(({ kind }) => kind);
    expect(kinds).toContain('copied_from_other_hand_in');
    const again = { answers: [], session: whole, later };
    const same = { kind: 'recomputed', differences: [] };
    expect(await recompute({ ...again, stored: result, ruleSet: currentRuleSet })).toEqual(same);
    // Without anything to store, a result is as it was before hand-ins were compared.
    const without = await generate(input);
    expect(without.data).not.toHaveProperty('similar');
    const former = ruleSets.find(({ name }) => name === 'r4')!;
    expect(await recompute({ ...again, stored: without, ruleSet: former })).toEqual(same);
    expect(await recompute({ ...again, stored: result, ruleSet: former })).toMatchObject({
      differences: [{ figure: 'findings', kind: 'copied_from_other_hand_in', from: 1, to: 0 }],
    });
  });
});

describe('a result that a model scored', () => {
  const whole = session();
  const evidence = evidenceOf(whole)!;
  const said = evidence.find(({ eventType }) => eventType === 'message.sent')!;
  const answerOf = (score: number): string =>
    JSON.stringify({
      ...{ score, rationale: 'It is said so.' },
      citations: [{ eventId: said.id, quote: 'drops the last line' }],
    });

  /** As it is stored: the answers before the result. */
  const modelled = async () => {
    const answers = role.dimensions.map((one, n) => ({
      ...{ dimensionId: one.id, attempt: 1, model: 'm', promptVersion: 1, parameters: {} },
      answer: answerOf(60 + n),
    }));
    const result = await made(whole, currentRuleSet);
    const events = answers.map(({ answer, ...data }) => ({
      type: 'evaluation.model_answered',
      data: { ...result.data, ...data },
      personal: { answer },
    })) as unknown as Stored<ModelAnswered>[];
    const scoredBy = { scorer: 'openai', version: 1, description: 'A model.' };
    const scorer = {
      describe: () => scoredBy,
      score: async () => scoringFromAnswers({ role, evidence, answers }),
    };
    const scored = await generate({ session: whole, generation: 1, scorer, ruleSet: currentRuleSet });
    return { stored: scored, answers: events };
  };

  it('is the same by the answers that were stored', async () => {
    const { stored: result, answers } = await modelled();
    expect(result.data.scores.map(({ score }) => score)).toEqual([60, 61]);
    for (const ruleSet of [currentRuleSet, { ...currentRuleSet, name: 'other' }])
      expect(await recompute({ stored: result, answers, session: whole, ruleSet })).toEqual({
        kind: 'recomputed',
        differences: [],
      });
  });

  it('is another one by other answers, and none without', async () => {
    const { stored: result, answers } = await modelled();
    const [first, ...rest] = answers;
    const other = [{ ...first!, personal: { answer: answerOf(70) } }, ...rest];
    const again = { stored: result, session: whole, ruleSet: currentRuleSet };
    expect(await recompute({ ...again, answers: other })).toMatchObject({
      differences: [
        { figure: 'score', from: 60, to: 70 },
        { figure: 'overall', from: 60.25, to: 67.75 },
      ],
    });
    expect(await recompute({ ...again, answers: rest })).toEqual({
      kind: 'recomputed',
      differences: [{ figure: 'failure' }],
    });
    expect(await recompute({ ...again, answers: [] })).toEqual({
      kind: 'unusable',
      reason: 'This version knows no scorer "openai" that could score it again.',
    });
    const erased = [{ ...first!, personal: null }, ...rest];
    expect(await recompute({ ...again, answers: erased })).toEqual({ kind: 'erased' });
  });
});
