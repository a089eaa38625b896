import { describe, expect, it } from '@jest/globals';
import { type TSchema, Type, Uuid } from '../core/json-schema.js';
import { entityTag, hasAlready } from './answer.js';
import { ApiError } from './api-error.js';
import { readRequestIds } from './edge-messages.js';
import { readListQuery, readQuery } from './list-query.js';
import { readConsistencyToken, readIdempotencyKey, readIfMatch, readSearchText } from './meta.js';

const refused = (check: () => unknown): ApiError => {
  try {
    check();
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error('It was accepted.');
};

describe('If-Match', () => {
  it.each([
    [undefined, null],
    ['*', null],
    [' * ', null],
    ['"1"', 1],
    [' "42" ', 42],
    ['"9007199254740991"', 9007199254740991],
  ])('%j names version %j', (header, version) => expect(readIfMatch(header)).toBe(version));

  it.each(['', '1', 'W/"1"', '"1", "2"', '""', '"x"', '"01"', '"0"', '"-1"', '"1.0"', '"9007199254740992"'])(
    '%j can match no version',
    (header) =>
      expect(refused(() => readIfMatch(header))).toMatchObject({ status: 412, code: 'version_mismatch' }),
  );
});

describe('If-None-Match', () => {
  it.each([
    [undefined, false],
    ['*', true],
    ['"3"', true],
    ['W/"3"', true],
    ['"1", W/"3"', true],
    ['"2"', false],
    ['3', false],
    ['"33"', false],
  ])('%j has version 3: %j', (header, has) => expect(hasAlready(header, entityTag(3))).toBe(has));
});

describe('Search-Text', () => {
  it.each([
    [undefined, null],
    ['ada@example.org', 'ada@example.org'],
    ['ada%2B1%40example.org', 'ada+1@example.org'],
    ['ada+1@example.org', 'ada+1@example.org'],
    ['Back end', 'Back end'],
    ['%20J%C3%BCrgen', 'Jürgen'],
    ['%F0%9F%98%80'.repeat(320), '\u{1F600}'.repeat(320)],
  ])('%j is %j', (header, text) => expect(readSearchText(header)).toBe(text));

  it.each([
    ['', 'text'],
    ['%20', 'text'],
    ['x'.repeat(321), 'text'],
    ['100%', 'percentEncoded'],
    ['%FF', 'percentEncoded'],
    ['J\u00FCrgen', 'percentEncoded'],
    [['a', 'b'], 'percentEncoded'],
  ])('%j is refused by the rule %s', (header, rule) =>
    expect(refused(() => readSearchText(header))).toMatchObject({
      status: 400,
      details: [{ path: 'Search-Text', rule }],
    }),
  );
});

describe('X-Request-Id', () => {
  it.each(['a', 'A.b_c-9', 'x'.repeat(64)])('%j is echoed', (id) =>
    expect(readRequestIds(id).requestId).toBe(id),
  );

  it.each([undefined, '', 'x'.repeat(65), 'a b', 'a\r\nb', 'ä', '<i>', ['a', 'b']])(
    '%j is replaced',
    (id) => {
      const { requestId, correlationId } = readRequestIds(id);
      expect(requestId).toMatch(/^[0-9a-f-]{36}$/);
      expect(requestId).toBe(correlationId);
    },
  );
});

describe('Idempotency-Key', () => {
  it.each([undefined])('%j is none', (key) => expect(readIdempotencyKey(key)).toBeNull());
  it.each(['a', 'a b', '~'.repeat(255)])('%j is taken', (key) => expect(readIdempotencyKey(key)).toBe(key));
  it.each(['', 'x'.repeat(256), 'ä', 'a\tb', ['a', 'b']])('%j is refused', (key) => {
    const error = refused(() => readIdempotencyKey(key));
    expect(error).toMatchObject({ status: 400, code: 'validation_failed' });
    expect(error.details?.[0]?.path).toBe('Idempotency-Key');
  });
});

describe('Consistency-Token', () => {
  it('is handed on as it came, and as none where it cannot be ours', () => {
    expect(readConsistencyToken('abc')).toBe('abc');
    for (const token of [undefined, '', 'x'.repeat(4_097), ['a']])
      expect(readConsistencyToken(token)).toBeNull();
  });
});

describe('a list query', () => {
  it.each([
    [{}, { limit: 50, cursor: null }],
    [{ limit: '1' }, { limit: 1, cursor: null }],
    [
      { limit: '200', cursor: 'abc' },
      { limit: 200, cursor: 'abc' },
    ],
  ])('%j asks for %j', (query, expected) => expect(readListQuery(query)).toEqual(expected));

  it.each([
    [{ limit: '0' }, ['limit']],
    [{ limit: '201' }, ['limit']],
    [{ limit: '1.5' }, ['limit']],
    [{ limit: '1e2' }, ['limit']],
    [{ limit: '' }, ['limit']],
    [{ limit: ' 5' }, ['limit']],
    [{ limit: ['1', '2'] }, ['limit']],
    [{ cursor: '' }, ['cursor']],
    [{ cursor: ['a', 'b'], limit: '-1' }, ['limit', 'cursor']],
    [{ cursor: 'x'.repeat(5000) }, ['cursor']],
  ])('%j is refused for %j', (query, paths) => {
    expect(refused(() => readListQuery(query)).details?.map(({ path }) => path)).toEqual(paths);
  });
});

describe('a query parameter', () => {
  const status = { name: 'status', schema: Type.Enum(['ready', 'failed']) };
  const generation = { name: 'generation', schema: Type.Integer({ minimum: 1, maximum: 9 }) };
  const passed = { name: 'passed', schema: Type.Boolean() };
  const role = { name: 'roleId', schema: Uuid };
  const text = { name: 'q', schema: Type.String({ maxLength: 3 }) };

  it('is what its schema says, and null where it is absent', () => {
    const all: readonly { name: string; schema: TSchema }[] = [status, generation, passed, role, text];
    for (const one of all) expect(readQuery({}, one)).toBeNull();
    expect(readQuery({ status: 'ready' }, status)).toBe('ready');
    expect(readQuery({ generation: '2' }, generation)).toBe(2);
    const unbounded = { name: 'generation', schema: Type.Integer({ minimum: 0 }) };
    expect(readQuery({ generation: '9'.repeat(99) }, unbounded)).toBe(Number.MAX_SAFE_INTEGER);
    expect(readQuery({ passed: 'false' }, passed)).toBe(false);
    expect(readQuery({ roleId: 'unknown' }, role)).toBe('unknown');
    expect(readQuery({ q: ' \u{1F600}a' }, text)).toBe(' \u{1F600}a');
  });

  it('is a list where it may be given several times', () => {
    const ids = { name: 'id', schema: Type.Array(Type.String({ maxLength: 3 }), { maxItems: 2 }) };
    expect(readQuery({}, ids)).toEqual([]);
    expect(readQuery({ id: 'a' }, ids)).toEqual(['a']);
    expect(readQuery({ id: ['a', 'b'] }, ids)).toEqual(['a', 'b']);
    for (const id of [['a', 'b', 'c'], ['a', 'long'], ''])
      expect(refused(() => readQuery({ id }, ids))).toMatchObject({ status: 400, details: [{ path: 'id' }] });
  });

  it.each<[{ name: string; schema: TSchema }, (string | string[])[]]>([
    [status, ['x', '', 'READY', ['ready', 'ready']]],
    [generation, ['0', '10', '-1', '1.0', '1e0', 'x', '']],
    [passed, ['yes', '', 'TRUE', '1']],
    [text, ['', '  ', 'abcd', ['a']]],
  ])('%j is nothing else', (parameter, all) => {
    for (const given of all) {
      const error = refused(() => readQuery({ [parameter.name]: given }, parameter));
      expect(error).toMatchObject({ status: 400, details: [{ path: parameter.name }] });
    }
  });
});
