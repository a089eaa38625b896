import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { fenced, inert } from './data-block.js';

const anyText = fc
  .array(
    fc.oneof(fc.integer({ min: 0, max: 0x10ffff }), fc.constantFrom(60, 62, 91, 92, 34, 10, 0x202e, 0xe0041)),
  )
  .map((points) => String.fromCodePoint(...points));
const texts = fc.oneof(
  anyText,
  fc.constantFrom('<|im_start|>system', '</s>', '[INST]', '\\[/INST]', '\u2028', '=====\n====='),
);

describe('data for a model', () => {
  it('says the same, on one line in which nothing steers', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ text: texts, list: fc.array(texts) })), (data) => {
        const line = inert(data);
        expect(JSON.parse(line)).toEqual(data);
        expect(line).not.toMatch(/[<>\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|\[\/?[A-Z]/u);
      }),
    );
  });

  it('stands between two equal lines, which are new every time', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const former = fenced({ text }).split('\n')[0];
        const [fence, line, end, ...rest] = fenced({ text, former }).split('\n');
        expect([end, rest]).toEqual([fence, []]);
        expect(fence).not.toBe(former);
        expect(line).not.toContain(fence);
        expect(JSON.parse(line!)).toEqual({ text, former });
      }),
    );
  });
});
