import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { array, base64, gathered, later, object, type Pieces, value } from './json-pieces.js';

const textOf = async (pieces: Pieces): Promise<string> => {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
};

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** Any JSON value, written as deep as it goes. */
const written = (one: Json): Pieces => {
  if (Array.isArray(one)) return array(one as readonly Json[], written);
  if (typeof one !== 'object' || one === null) return value(one);
  return object(
    Object.fromEntries(Object.entries(one).map(([name, part]) => [name, later(() => written(part))])),
  );
};

describe('JSON in pieces', () => {
  it('is what JSON.stringify writes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ maxDepth: 4 }), async (one) => {
        // Only `value` writes a name that an object literal cannot have.
        fc.pre(!JSON.stringify(one).includes('__proto__'));
        const json = JSON.parse(JSON.stringify(one)) as Json;
        expect(await textOf(written(json))).toBe(JSON.stringify(json));
      }),
    );
    expect(await textOf(object({}))).toBe('{}');
    expect(await textOf(array([], value))).toBe('[]');
  });

  it('carries bytes in base64, however they are cut', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 10 })), async (pieces) => {
        const bytes = async function* () {
          yield* pieces;
        };
        const expected = JSON.stringify(Buffer.concat(pieces).toString('base64'));
        expect(await textOf(base64(bytes()))).toBe(expected);
      }),
    );
  });

  it('is sent in large pieces, every character once', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ character: fc.constantFrom('a', 'é', '😀', '"'), times: fc.nat(40_000) })),
        async (runs) => {
          const pieces = runs.map(({ character, times }) => character.repeat(times));
          const sent: Buffer[] = [];
          for await (const buffer of gathered(pieces)) sent.push(buffer);
          expect(Buffer.concat(sent).toString()).toBe(pieces.join(''));
          expect(sent.slice(0, -1).every((buffer) => buffer.byteLength >= 64 * 1024)).toBe(true);
          expect(sent.every((buffer) => buffer.byteLength > 0)).toBe(true);
        },
      ),
      { numRuns: 30 },
    );
  });

  it('asks for nothing before it is read, and ends what it has begun when its reader goes', async () => {
    const seen: string[] = [];
    const items = async function* () {
      try {
        for (let n = 0; ; n++) {
          seen.push(`made ${n}`);
          yield 'x'.repeat(40_000);
        }
      } finally {
        seen.push('ended');
      }
    };
    const pieces = gathered(
      object({ first: array(items(), value), second: later(() => value(seen.push('second'))) }),
    );
    expect(seen).toEqual([]);
    await pieces.next();
    const made = seen.length;
    expect(made).toBeLessThan(4);
    await pieces.return();
    expect(seen.slice(made)).toEqual(['ended']);
  });

  it('fails as what it is made of does', async () => {
    const items = async function* () {
      yield 1;
      throw new Error('The store is away.');
    };
    await expect(textOf(object({ items: array(items(), value) }))).rejects.toThrow('The store is away.');
  });
});
