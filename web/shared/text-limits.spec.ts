import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { clientMessages } from '../../packages/interview-client/src/protocol/messages.js';
import { ANSWER_LIMIT } from '../candidate/interview/drafts.js';
import { excessOf, hasVisible, partsOf, wellFormed } from './text-limits.js';

const { text: field } = clientMessages['message.text'].fields;
const pieces = fc.constantFrom('a', 'ш', '"', '\u0001', '\n', '😀', '\ud800', ' ', '\\', '漢');
const texts = fc
  .tuple(fc.array(pieces, { minLength: 1, maxLength: 12 }), fc.integer({ min: 1, max: 9_000 }))
  .map(([some, times]) => some.join('').repeat(times));

describe('the limit of a field is the service’s own, whatever it counts', () => {
  it('takes an answer if and only if the protocol takes it', () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(excessOf(text, ANSWER_LIMIT) === 0 && hasVisible(text)).toBe(field.holds(text));
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    ['9,000 Cyrillic letters', 'ш'.repeat(9_000), 9_000 - 8_192],
    ['16,385 letters', 'x'.repeat(16_385), 1],
    ['quotes, which JSON doubles', '"'.repeat(16_200), 16_200 - 16_127],
    ['control characters, six bytes each', '\u0001'.repeat(6_000), 6_000 - 5_375],
  ])('says how many characters are too many: %s', (_, text, excess) => {
    expect(excessOf(text, ANSWER_LIMIT)).toBe(excess);
    expect(field.holds(text.slice(0, text.length - excess))).toBe(/[^\p{Cc}]/u.test(text));
  });

  it('counts code points where the service does', () => {
    expect(excessOf('😀'.repeat(4_000), { maxLength: 4_000 })).toBe(0);
    expect(excessOf('😀'.repeat(4_001), { maxLength: 4_000 })).toBe(1);
  });

  it('parts a long text so that each part fits and nothing is missing', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const parts = partsOf(text, ANSWER_LIMIT);
        for (const part of parts) expect(field.holds(part)).toBe(true);
        expect(parts.join('').replace(/[\s\p{Cc}]/gu, '')).toBe(
          hasVisible(text) ? text.replace(/[\s\p{Cc}]/gu, '') : '',
        );
      }),
      { numRuns: 100 },
    );
  });

  it('sends no half characters, and leaves all others as they are', () => {
    expect(wellFormed('a\ud800b')).toBe('a\ufffdb');
    expect(wellFormed('\ufeffà 😀')).toBe('\ufeffà 😀');
  });
});
