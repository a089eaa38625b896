import { describe, expect, it } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import * as fc from 'fast-check';
import { type Column, csvPieces, defused, withoutMark } from './csv.js';

const columns = (...names: string[]): readonly Column<readonly string[]>[] =>
  names.map((name, at) => ({ name, cell: (row) => row[at] ?? null }));

async function* paged<T>(...pages: (readonly T[])[]): AsyncGenerator<readonly T[]> {
  yield* pages;
}

const written = async <T>(of: readonly Column<T>[], ...pages: (readonly T[])[]): Promise<string> => {
  const pieces: Buffer[] = [];
  for await (const piece of csvPieces(of, paged(...pages))) pieces.push(piece);
  return Buffer.concat(pieces).toString();
};

/** Texts as people write them, and made of what CSV and spreadsheet programs treat apart. */
const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: fc.constantFrom(...Array.from('\'=+-@\t\r\n",; a李😀é\u05d0\ufeff')) }),
);

describe('a mark before formulas', () => {
  it.each([
    ['=SUM(A1)', "'=SUM(A1)"],
    ['+49 30 1', "'+49 30 1"],
    ['-1', "'-1"],
    ['@all', "'@all"],
    ['\tx', "'\tx"],
    ['\rx', "'\rx"],
    ["'=1", "''=1"],
    ["O'Neill", "O'Neill"],
    ["'quoted'", "'quoted'"],
    ['a=b', 'a=b'],
    ['', ''],
  ])('makes %j %j, and is taken off again', (given, marked) => {
    expect(defused(given)).toBe(marked);
    expect(withoutMark(marked)).toBe(given);
  });

  it('leaves no text that begins as a formula does, and gives every text back', () => {
    fc.assert(
      fc.property(text, (one) => {
        expect(defused(one)).not.toMatch(/^[=+\-@\t\r]/);
        expect(withoutMark(defused(one))).toBe(one);
      }),
    );
  });
});

describe('a CSV', () => {
  it('is UTF-8 with a byte order mark, commas and CRLF, and what is not known is empty', async () => {
    const of: readonly Column<{ readonly score: number | null; readonly passed: boolean }>[] = [
      { name: 'score', cell: ({ score }) => score },
      { name: 'passed', cell: ({ passed }) => passed },
    ];
    expect(await written(of, [{ score: 7, passed: true }], [], [{ score: null, passed: false }])).toBe(
      '\uFEFFscore,passed\r\n7,true\r\n,false\r\n',
    );
  });

  it('quotes what would end a field, also where a locale separates fields by semicolons', async () => {
    expect(
      await written(columns('a', 'b'), [
        ['x;y', 'say "no"'],
        ['two\nlines', ' kept '],
      ]),
    ).toBe('\uFEFFa,b\r\n"x;y","say ""no"""\r\n"two\nlines"," kept "\r\n');
  });

  it('holds every text, byte for byte once the marks are off', async () => {
    const row = fc.tuple(text, text);
    await fc.assert(
      fc.asyncProperty(fc.array(row), async (rows) => {
        const csv = await written(columns('a', 'b'), rows);
        const read = parse(csv, { bom: true, record_delimiter: '\r\n' }).slice(1);
        expect(read.map((fields) => fields.map(withoutMark))).toEqual(rows);
      }),
    );
  });

  it('reads a page when a reader wants its lines, never ahead', async () => {
    let pagesRead = 0;
    const pages = async function* () {
      for (;;) {
        pagesRead++;
        yield [['x']];
      }
    };
    const pieces = csvPieces(columns('a'), pages());
    for (const read of [0, 1, 2]) {
      await pieces.next();
      expect(pagesRead).toBe(read);
    }
    await pieces.return();
  });
});
