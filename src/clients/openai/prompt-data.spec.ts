import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { steeringText, STEERS } from '../../../test/support/openai/steering-text.js';
import { fenced, inert, withoutAddresses } from './prompt-data.js';

describe('data for a model', () => {
  it('decodes to the same, on one line without steering characters', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ text: steeringText, list: fc.array(steeringText) })), (data) => {
        expect(JSON.parse(inert(data))).toEqual(data);
        const shown = data.map(({ text, list }) => [text, ...list].map(withoutAddresses));
        expect(inert(shown)).not.toMatch(STEERS);
      }),
    );
  });

  it('is between two equal lines, which are new every time', () => {
    fc.assert(
      fc.property(steeringText, (text) => {
        const former = fenced({ text }).split('\n')[0];
        const [fence, line, end, ...rest] = fenced({ text, former }).split('\n');
        expect([end, rest]).toEqual([fence, []]);
        expect(fence).not.toBe(former);
        expect(line).not.toContain(fence);
        expect(JSON.parse(line!)).toEqual({ text, former });
      }),
    );
  });

  it.each([
    ['Mail ada.lovelace@example.co.uk, please.', 'Mail (e-mail address), please.'],
    ['<ada@example.com>', '<(e-mail address)>'],
    ['ada＠example.com', '(e-mail address)'],
    ['@Test public void adds() on a@b', '@Test public void adds() on a@b'],
  ])('names no e-mail address of %j', (text, shown) => {
    expect(withoutAddresses(text)).toBe(shown);
  });
});
