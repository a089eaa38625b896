import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type EvidenceEvent, isTrueQuote, MAX_QUOTE_LENGTH, quoteCount, quoteText } from './evidence.js';

const LONE_SURROGATE = /\p{Surrogate}/u;

const saying = (payload: unknown): EvidenceEvent => ({
  id: 'e',
  sequenceNumber: 1,
  eventType: 'x',
  payload: payload as EvidenceEvent['payload'],
  source: 'candidate',
  occurredAt: '',
  recordedAt: '',
});

describe('quotes', () => {
  it('are true of the payload they are taken from, bounded and never cut inside a character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), fc.nat(), (text, count) => {
        const event = saying({ text, count });
        const quote = quoteText(event, 'text');
        expect(quote === null).toBe(text === '');
        if (quote !== null) {
          expect(quote.length).toBeLessThanOrEqual(MAX_QUOTE_LENGTH);
          expect(isTrueQuote(event.payload, quote)).toBe(true);
          if (!LONE_SURROGATE.test(text)) expect(quote).not.toMatch(LONE_SURROGATE);
        }
        expect(isTrueQuote(event.payload, quoteCount(event, 'count') ?? '')).toBe(true);
      }),
    );
  });

  it('are refused if the payload differs', () => {
    const payload = { passed: 9, text: 'it works', deep: { list: ['inner', { k: [1, 2] }] } };
    for (const quote of ['works', '"passed":9', 'inner', '"k":[1,2]', '"text":"it works"'])
      expect([quote, isTrueQuote(payload, quote)]).toEqual([quote, true]);
    for (const quote of [
      '',
      '"passed":10',
      '"passed":',
      'it  works',
      '9',
      'passed',
      '"k":[1, 2]',
      '"0":"inner"',
    ])
      expect([quote, isTrueQuote(payload, quote)]).toEqual([quote, false]);
  });

  it('come from a payload of any shape without harm', () => {
    for (const payload of [
      null,
      undefined,
      7,
      'text',
      [],
      JSON.parse('{"__proto__":{"text":"x","passed":1}}'),
    ]) {
      expect(quoteText(saying(payload), 'text')).toBeNull();
      expect(quoteCount(saying(payload), 'passed')).toBeNull();
      expect(isTrueQuote(payload, 'absent')).toBe(false);
    }
  });
});
