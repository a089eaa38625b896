import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { dimension, roleDefinition, SessionBuilder, testId } from '../../test/support/evidence-builder.js';
import { fixedSession } from '../../test/support/fixed-sessions.js';
import { generateEvaluation, MAX_RESULT_BYTES } from './generate.js';
import { RubricScorer } from './rubric/scorer.js';
import { currentRuleSet } from './rule-sets.js';
import type { ModelAnswer, Scorer } from './scores/scorer.js';

const rubric = new RubricScorer(currentRuleSet.rubric);
const answering = (scorer: Partial<Scorer>): Scorer => ({
  describe: () => ({ scorer: 'test', version: 1, description: 'A test.' }),
  score: async () => ({ kind: 'scored', dimensions: [] }),
  ...scorer,
});

describe('a generation', () => {
  it('is a function of the session', async () => {
    const input = { session: fixedSession(), generation: 1, scorer: rubric };
    const again = { session: fixedSession(), generation: 1, scorer: new RubricScorer(currentRuleSet.rubric) };
    expect(JSON.stringify(await generateEvaluation(again))).toBe(
      JSON.stringify(await generateEvaluation(input)),
    );
  });

  it.each<[string, Partial<Scorer>, RegExp]>([
    [
      'gives the reason why it could not score',
      { score: async () => ({ kind: 'failed', reason: 'No model.' }) },
      /^No model\.$/,
    ],
    ['answers nonsense', {}, /0 of 2 dimensions/],
    ['throws', { score: () => Promise.reject(new TypeError('at 10.0.0.7')) }, /^[^0-9]*TypeError[^0-9]*$/],
  ])('fails with the reason where the scorer %s', async (_, scorer, reason) => {
    const { result: failed } = await generateEvaluation({
      session: fixedSession(),
      generation: 3,
      scorer: answering(scorer),
    });
    expect(failed).toMatchObject({
      type: 'evaluation.failed',
      data: { evaluationId: testId(8, 1), generation: 3 },
      person: testId(9, 1),
      personal: { failure: expect.stringMatching(reason) },
    });
  });

  describe('with a model’s answers', () => {
    const said = (dimensionId: string, answer: string): ModelAnswer => ({
      dimensionId,
      attempt: 1,
      model: 'small-1',
      promptVersion: 1,
      parameters: { temperature: 0 },
      answer,
    });
    const failing = (answers: readonly ModelAnswer[]): Scorer =>
      answering({ score: async () => ({ kind: 'failed', reason: 'It said nothing.', answers }) });

    it('hands them on as they came, usable or not', async () => {
      const { result, answers } = await generateEvaluation({
        session: fixedSession(),
        generation: 4,
        scorer: failing([said(testId(1, 1), 'Sure!')]),
      });
      expect(result).toMatchObject({ type: 'evaluation.failed', personal: { failure: 'It said nothing.' } });
      expect(answers).toMatchObject([
        {
          type: 'evaluation.model_answered',
          data: { evaluationId: testId(8, 1), generation: 4, dimensionId: testId(1, 1), attempt: 1 },
          person: testId(9, 1),
          personal: { answer: 'Sure!' },
        },
      ]);
    });

    it('fails without them where they are larger than one append may be', async () => {
      const many = Array.from({ length: 4 }, (_, n) => said(testId(1, n), '"'.repeat(128 * 1024)));
      const { result, answers } = await generateEvaluation({
        session: fixedSession(),
        generation: 1,
        scorer: failing(many),
      });
      expect([result.type, answers]).toEqual(['evaluation.failed', []]);
    });

    it('ends with its caller, and is no failure then', async () => {
      const stop = new AbortController();
      const scorer = answering({
        score: (_, signal) =>
          new Promise((_resolve, reject) =>
            signal?.addEventListener('abort', () => reject(new Error('aborted'))),
          ),
      });
      const made = generateEvaluation({
        session: fixedSession(),
        generation: 1,
        scorer,
        signal: stop.signal,
      });
      stop.abort(new Error('The service stops.'));
      await expect(made).rejects.toThrow('The service stops.');
    });
  });

  it('fails where some of the evidence can no longer be read', async () => {
    const session = fixedSession().map((event) =>
      event.revision === 3 ? { ...event, personal: null } : event,
    );
    expect((await generateEvaluation({ session, generation: 1, scorer: rubric })).result).toMatchObject({
      type: 'evaluation.failed',
      personal: { failure: 'Some of the evidence can no longer be read.' },
    });
  });

  it.each([2, 3])(
    'fails where a question or an answer can no longer be read: event %i',
    async (sequenceNumber) => {
      const session = new SessionBuilder().started().asked('How?').answered('So.').completed();
      const unreadable = session.map((event) =>
        event.data.sequenceNumber === sequenceNumber ? { ...event, personal: null } : event,
      );
      expect(
        (await generateEvaluation({ session: unreadable, generation: 1, scorer: rubric })).result,
      ).toMatchObject({
        type: 'evaluation.failed',
        personal: { failure: 'Some of the evidence can no longer be read.' },
      });
      expect((await generateEvaluation({ session, generation: 1, scorer: rubric })).result).toMatchObject({
        type: 'evaluation.generated',
      });
    },
  );

  it('comes to the same however activities were sent together', async () => {
    const sent = fc.constantFrom(
      ['test.run', { passed: 3, failed: 1, durationMs: 10 }] as const,
      ['test.run', { passed: 4, failed: 0, durationMs: 10 }] as const,
      ['message.sent', { text: 'Why does it fail?', to: 'assistant' }] as const,
      ['clipboard.pasted', { characters: 900, nonBlankCharacters: 800, source: 'prompt' }] as const,
      ['page.hidden', {}] as const,
    );
    const batches = fc.array(
      fc.array(fc.tuple(sent, fc.nat({ max: 900 })), { minLength: 1, maxLength: 20 }),
      {
        minLength: 1,
        maxLength: 5,
      },
    );
    const resultOf = async (cut: readonly (readonly (readonly [readonly [string, object], number])[])[]) => {
      const builder = new SessionBuilder().started();
      for (const batch of cut)
        builder.batch(
          batch.map(([[type, payload], at]) => [type, { ...payload }, at]),
          900,
        );
      const { result } = await generateEvaluation({
        session: builder.completed(),
        generation: 1,
        scorer: rubric,
      });
      expect(result.type).toBe('evaluation.generated');
      return result;
    };
    await fc.assert(
      fc.asyncProperty(batches, async (given) => {
        expect(await resultOf(given)).toEqual(await resultOf(given.flat().map((one) => [one])));
      }),
      { numRuns: 50 },
    );
  });

  it('refuses a session that is not completed', async () => {
    const session = fixedSession().slice(0, -1);
    await expect(generateEvaluation({ session, generation: 1, scorer: rubric })).rejects.toThrow('completed');
  });

  it('fits one event, however long the session and however many the dimensions', async () => {
    const dimensions = Array.from({ length: 150 }, (_, n) =>
      dimension(n, {
        name: `Dimension ${n} ${'ü'.repeat(40)}`,
        category: n % 2 === 0 ? 'process' : 'correctness',
      }),
    );
    let session = new SessionBuilder(roleDefinition({ dimensions, ticketIds: ['T-1'] })).started();
    for (let n = 0; n < 3_000; n += 1)
      session = session
        .message('€'.repeat(300), n * 1000)
        .testRun(1, 1)
        .activity('page.hidden', {}, n * 1000 + 10)
        .activity('page.shown', {}, n * 1000 + 60 + (n % 100))
        .activity('clipboard.pasted', { characters: 10_000, nonBlankCharacters: 10_000 });
    const { result: generated } = await generateEvaluation({
      session: session.completed(),
      generation: 1,
      scorer: rubric,
    });
    expect(generated.type).toBe('evaluation.generated');
    expect(Buffer.byteLength(JSON.stringify(generated))).toBeLessThan(MAX_RESULT_BYTES);
  });

  it('fails where the role has more dimensions than one event can hold', async () => {
    const dimensions = Array.from({ length: 5000 }, (_, n) => dimension(n));
    const session = new SessionBuilder(roleDefinition({ dimensions })).started().testRun(1, 0).completed();
    expect((await generateEvaluation({ session, generation: 1, scorer: rubric })).result).toMatchObject({
      type: 'evaluation.failed',
      personal: { failure: expect.stringContaining('5000 dimensions') },
    });
  });
});
