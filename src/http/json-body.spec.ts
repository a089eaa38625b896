import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ApiError } from './api-error.js';
import { nestsDeeper, parseJsonBody } from './json-body.js';

const bytes = (text: string): Buffer => Buffer.from(text, 'utf8');
const refused = (body: Buffer): ApiError => {
  try {
    parseJsonBody(body);
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error('It was accepted.');
};

const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;

describe('a JSON body', () => {
  it('is parsed as JSON.parse does, whatever it holds', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        const text = JSON.stringify(value);
        expect(parseJsonBody(bytes(text))).toEqual(JSON.parse(text));
      }),
    );
  });

  it('has the depth that its brackets outside strings say', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8 }), fc.integer({ min: 0, max: 9 }), (value, limit) => {
        expect(nestsDeeper(bytes(JSON.stringify(value)), limit)).toBe(depthOf(value) > limit);
      }),
    );
  });

  it('has brackets in strings of any length, with any escapes', () => {
    const part = fc.constantFrom('[', '{', ']', '"', '\\', '\\"', 'é', 'a'.repeat(40), '\n');
    const text = fc.array(part, { maxLength: 30 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.array(text), (texts) => {
        const body = bytes(JSON.stringify([texts, [[]]]));
        expect(nestsDeeper(body, 3)).toBe(false);
        expect(nestsDeeper(body, 2)).toBe(true);
      }),
    );
  });

  it('whose string does not end has the depth that it has before it', () => {
    for (const open of ['"', '"\\', `"${'a'.repeat(100)}`, `"${'\\"'.repeat(100)}`]) {
      expect(nestsDeeper(bytes(`[${open}`), 1)).toBe(false);
      expect(nestsDeeper(bytes(`[[${open}`), 1)).toBe(true);
    }
  });

  it('may nest 32 levels and no more', () => {
    expect(parseJsonBody(bytes('['.repeat(32) + ']'.repeat(32)))).toBeDefined();
    expect(refused(bytes('['.repeat(33) + ']'.repeat(33)))).toMatchObject({
      status: 400,
      code: 'malformed_json',
    });
    expect(refused(bytes('{"a":'.repeat(33) + '1' + '}'.repeat(33))).message).toMatch(/32 levels/);
  });

  it('nested 100,000 deep is refused without being walked to its end', () => {
    const started = performance.now();
    expect(refused(bytes('['.repeat(100_000))).message).toMatch(/32 levels/);
    expect(performance.now() - started).toBeLessThan(1_000);
  });

  it('keeps keys that mean something elsewhere', () => {
    const text = '{"__proto__":{"admin":true},"constructor":{"prototype":1},"$where":1,"a.b":2}';
    const value = parseJsonBody(bytes(text)) as Record<string, unknown>;
    expect(JSON.stringify(value)).toBe(text);
    expect(Object.getPrototypeOf(value)).not.toEqual({ admin: true });
    expect((value as { admin?: boolean }).admin).toBeUndefined();
  });

  it.each(['{', '{"a":1,}', "{'a':1}", 'undefined', '{"a":1} x', '\u0000', 'NaN', '[1', '"\\"'])(
    'that reads %j is malformed',
    (text) => {
      const error = refused(bytes(text));
      expect(error.code).toBe('malformed_json');
      expect(error.message).toBe('The body is not valid JSON.');
    },
  );

  it('must be UTF-8; a byte order mark does no harm', () => {
    expect(refused(Buffer.from([0x22, 0xff, 0x22])).message).toMatch(/UTF-8/);
    expect(parseJsonBody(bytes('\ufeff{"a":1}'))).toEqual({ a: 1 });
  });

  it('may be empty, which is no body', () => expect(parseJsonBody(bytes(''))).toBeUndefined());
});
