import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { BEHIND, encodeKey, EXACT_BYTES } from '../../index-key.js';
import { keyOf, textOf } from './text-key.js';

const name = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.string({ unit: fc.constantFrom('\0', ' ', '!', '}', '~', 'ÿ', '\uffff', '💡'), maxLength: 4 }),
);
const sign = (a: string | Buffer, b: string | Buffer): number =>
  Buffer.compare(Buffer.from(a), Buffer.from(b));
const bytes = fc.uint8Array({ maxLength: 6 }).map((made) => Buffer.from(made));

describe('bytes as text', () => {
  it('are printable ASCII in the order of the bytes, by bytes and by UTF-16 alike', () => {
    fc.assert(
      fc.property(bytes, bytes, (a, b) => {
        const [x, y] = [textOf(a), textOf(b)];
        expect(x).toMatch(/^[ -~]*$/);
        expect(sign(x, y)).toBe(sign(a, b));
        expect(x < y).toBe(sign(a, b) < 0);
      }),
      { numRuns: 500 },
    );
  });

  it('begin with the text of what the bytes begin with, and end before what is behind it', () => {
    fc.assert(
      fc.property(fc.array(name, { maxLength: 3 }), name, (key, more) => {
        const prefix = textOf(encodeKey(key));
        const whole = textOf(encodeKey([...key, more]));
        expect(whole.startsWith(prefix)).toBe(true);
        expect(whole < prefix + textOf(BEHIND)).toBe(true);
      }),
    );
  });
});

describe("a name as a document's key", () => {
  it('is itself where it is plain', () => {
    for (const plain of ['a', '$where', 'a.b', '__proto__', 'signal.v2.g7.3of8', '{"$gt":""}']) {
      expect(keyOf(plain)).toBe(plain);
    }
  });

  it('has the order of the name in UTF-8', () => {
    fc.assert(
      fc.property(name, name, (a, b) => {
        expect(Math.sign(sign(keyOf(a), keyOf(b)))).toBe(sign(a, b));
      }),
      { numRuns: 500 },
    );
  });

  it('stays short, and is told from every other', () => {
    const longest = 'x'.repeat(EXACT_BYTES);
    const names = [longest, `${longest}!`, `${longest} `, `${longest}y`, '💡'.repeat(64), '💡'.repeat(65)];
    names.push('\0'.repeat(1_000), '\0'.repeat(1_001), textOf(Buffer.from('\0')), '\0');
    const keys = names.map(keyOf);
    expect(new Set(keys).size).toBe(names.length);
    for (const key of keys) expect(key.length).toBeLessThanOrEqual(3 * EXACT_BYTES + 2 + 64);
    expect(keyOf(`a${'x'.repeat(1_000)}`) < keyOf(`b${'x'.repeat(1_000)}`)).toBe(true);
  });
});
