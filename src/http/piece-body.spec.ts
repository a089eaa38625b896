import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseJsonBody } from './json-body.js';
import { pieceParser } from './piece-body.js';

const MAX = 60_000;
const parse = pieceParser(MAX);

/** Base64 as an encoder writes it: the last digit may have bits beyond the last byte, which mean nothing. */
const canonical = (data: unknown): unknown =>
  typeof data === 'string' && data.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(data)
    ? Buffer.from(data, 'base64').toString('base64')
    : data;

/** What a parser makes of a body, with data that it has decoded as the text that it was. */
const outcome = (parser: typeof parse, body: string | Buffer): unknown => {
  try {
    const value = parser(Buffer.from(body as string));
    if (typeof value !== 'object' || value === null || !('data' in value)) return value;
    return {
      ...value,
      data: Buffer.isBuffer(value.data) ? value.data.toString('base64') : canonical(value.data),
    };
  } catch (error) {
    return error;
  }
};

/** The value's data if it was decoded while it was parsed, else `null`. */
const decoded = (body: string): Buffer | null => {
  const { data } = parse(Buffer.from(body)) as { readonly data?: unknown };
  return Buffer.isBuffer(data) ? data : null;
};

describe('the body of a piece', () => {
  it('comes with its data decoded, however long it is, and with blanks as clients write them', () => {
    for (const length of [0, 1, 2, 3, 18_431, 18_432, 18_433, MAX - 1, MAX]) {
      const bytes = Buffer.alloc(length, 'aé');
      const piece = { offset: 7, data: bytes.toString('base64') };
      expect(decoded(JSON.stringify(piece))?.equals(bytes)).toBe(true);
      expect(decoded(JSON.stringify(piece, null, 2))?.equals(bytes)).toBe(true);
      expect(decoded(`{"offset": 7, "data": "${piece.data}"}\n`)?.equals(bytes)).toBe(true);
    }
    expect(parse(Buffer.from('{"offset":131072,"data":""}'))).toMatchObject({ offset: 131_072 });
  });

  it('is left as it is if its data is too long, or no base64 by the letter', () => {
    const tooLong = Buffer.alloc(MAX + 1).toString('base64');
    for (const data of [
      tooLong,
      'QUF',
      'Q===',
      '====',
      'QQ==QUFB',
      'QU B',
      'Q-_B',
      'QUF\\u0042',
      'QUé=',
      '"',
    ])
      expect(decoded(`{"offset":0,"data":"${data === '"' ? '\\"' : data}"}`)).toBeNull();
  });

  it.each([
    '',
    '[]',
    'null',
    '{',
    '{"offset":0,"data":"QUFB"',
    '{"offset":0,"data":"QUFB"}}',
    '{"offset":0,"data":"QUFB"} x',
    '{"offset":0,"data":"QUFB","data":"QQ=="}',
    '{"offset":0,"data":"QUFB","more":"QQ=="}',
    '{"offset":0,"offset":1,"data":"QUFB"}',
    '{"data":"QUFB","offset":0}',
    '{"offset":00,"data":"QUFB"}',
    '{"offset":-1,"data":"QUFB"}',
    '{"offset":1e3,"data":"QUFB"}',
    '{"offset":9007199254740993,"data":"QUFB"}',
    '{"offset":"0","data":"QUFB"}',
    '{"offset":0,"data":"QU"FB"}',
    '{"offset":0,"data":"QU\\"B"}',
    '{"offset":0,"data":"}',
    '{"offset":0,"data":"',
    '{"offset":0,"data":["QUFB"]}',
    '{"offset":0,"data":"QUFB\u0000"}',
    '\u00a0{"offset":0,"data":"QUFB"}',
    `{"offset":0,"data":"QUFB"${' '.repeat(100)}}`,
    `${' '.repeat(100)}{"offset":0,"data":"QUFB"}`,
  ])('that reads %j means what it means as any other body', (body) => {
    expect(outcome(parse, body)).toEqual(outcome(parseJsonBody, body));
  });

  it('means the same whatever signs its data has, and wherever they lie', () => {
    const sign = fc.constantFrom('A', '/', '+', '-', '_', '=', ' ', '"', '\\', '\n', 'é', 'ÿ', '\u0000');
    const part = fc.oneof(sign, fc.constantFrom('AAAA', 'A'.repeat(24_576), 'A'.repeat(24_575)));
    const data = fc.array(part, { maxLength: 8 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(data, fc.boolean(), (text, isEscaped) => {
        const body = isEscaped ? JSON.stringify({ offset: 1, data: text }) : `{"offset":1,"data":"${text}"}`;
        expect(outcome(parse, body)).toEqual(outcome(parseJsonBody, body));
        const bytes = Buffer.from(body, 'latin1');
        expect(outcome(parse, bytes)).toEqual(outcome(parseJsonBody, bytes));
      }),
    );
  });
});
