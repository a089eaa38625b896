import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { dimension, roleDefinition, SessionBuilder, testId } from '../../../test/support/evidence-builder.js';
import { evidenceOf } from '../evidence/evidence.js';
import { checkScoring } from '../scores/scores.js';
import { truncateAnswer, MAX_ANSWER_BYTES, readAnswer } from './answer.js';

const role = roleDefinition({ dimensions: [dimension(1)] });
const evidence = evidenceOf(
  new SessionBuilder(role).started().message('The parser skips the header.').testRun(3, 1).completed(),
)!;
const byId = new Map(evidence.map((event) => [event.id, event]));
const read = (content: string) => readAnswer(content, testId(1, 1), byId);

const [, message, run] = evidence.map(({ id }) => id);
const trueCitation = fc.constantFrom(
  { eventId: message, quote: 'parser' },
  { eventId: message, quote: '"to":"assistant"' },
  { eventId: run, quote: '"passed":3' },
);
const anyCitation = fc.record({
  eventId: fc.constantFrom(...byId.keys(), 'e-1', '__proto__', 'constructor'),
  quote: fc.constantFrom('parser', '"passed":3', '"failed":1', 'skips the', 'made up', ''),
});

/** Answers of which some can be used, and some nearly. */
const answers = fc.oneof(
  fc.string(),
  fc.json(),
  fc
    .record({
      score: fc.oneof(
        { weight: 9, arbitrary: fc.integer({ min: -5, max: 105 }) },
        { weight: 1, arbitrary: fc.oneof(fc.double(), fc.constantFrom('50', null)) },
      ),
      rationale: fc.oneof(
        { weight: 9, arbitrary: fc.constant('So it is.') },
        { weight: 1, arbitrary: fc.constantFrom('', ' ', '\u0000', '\ud800', 'x'.repeat(1_300)) },
      ),
      citations: fc.array(
        fc.oneof({ weight: 5, arbitrary: trueCitation }, { weight: 1, arbitrary: anyCitation }),
        {
          maxLength: 4,
        },
      ),
    })
    .map((answer) => JSON.stringify(answer)),
);

describe('a model’s answer', () => {
  it('is a score that holds before every scorer’s rules, or a sentence that quotes nothing of it', () => {
    let used = 0;
    fc.assert(
      fc.property(answers, (content) => {
        const scoring = read(content);
        if (typeof scoring === 'string') {
          expect(scoring).toMatch(/^[A-Za-z].*\.$/);
          expect(scoring).not.toMatch(/made up|So it is|e-1/);
          return;
        }
        used += 1;
        expect(checkScoring(role, evidence, [scoring])).toMatchObject({ kind: 'scores' });
        // The stored answer gives the same.
        expect(JSON.parse(JSON.stringify(scoring))).toEqual(scoring);
        expect(read(truncateAnswer(content))).toEqual(scoring);
      }),
      { numRuns: 1_000 },
    );
    expect(used).toBeGreaterThan(20);
  });

  it('cites an event by each quote once', () => {
    const citation = { eventId: evidence[2]!.id, quote: '"passed":3' };
    const scoring = read(JSON.stringify({ score: 1, rationale: 'So.', citations: [citation, citation] }));
    expect(scoring).toMatchObject({ terms: [{ evidence: [citation] }] });
  });

  it('is kept as it came, or so far that it is still too long', () => {
    const long = fc
      .array(fc.constantFrom('a', '"', '\n', 'ü', '€', '\u{1f600}', '\ud800', '\u0001'), {
        minLength: 1,
        maxLength: 12,
      })
      .chain((parts) => fc.integer({ min: 1, max: 4_000 }).map((times) => parts.join('').repeat(times)));
    const bytes = (text: string): number => Buffer.byteLength(JSON.stringify(text));
    fc.assert(
      fc.property(long, (content) => {
        const kept = truncateAnswer(content);
        expect(content.startsWith(kept)).toBe(true);
        if (bytes(content) <= MAX_ANSWER_BYTES) expect(kept).toBe(content);
        else expect(bytes(kept) > MAX_ANSWER_BYTES && bytes(kept) <= MAX_ANSWER_BYTES + 12).toBe(true);
      }),
    );
  });
});
