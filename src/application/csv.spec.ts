import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { BrokenCsv, type Column, csvPieces, defused, readCsv, withoutMark } from './csv.js';

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
  fc.string({ unit: fc.constantFrom(...Array.from('\'=+-@＝－\t\r\n",; a李😀é\u05d0\ufeff')) }),
);

describe('a mark before formulas', () => {
  it.each([
    ['=SUM(A1)', "'=SUM(A1)"],
    ['+49 30 1', "'+49 30 1"],
    ['-1', "'-1"],
    ['@all', "'@all"],
    ['＝1+1', "'＝1+1"],
    ['＠all', "'＠all"],
    ['\tx', "'\tx"],
    ['\rx', "'\rx"],
    ['\nx', "'\nx"],
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
        expect(defused(one)).not.toMatch(/^[=+\-@\t\r\n＝＋－＠]/);
        expect(withoutMark(defused(one))).toBe(one);
      }),
    );
  });

  it('is known again where line breaks were written anew, as LibreOffice does', () => {
    const anew = (one: string): string => one.replaceAll(/\r\n?/g, '\n');
    fc.assert(fc.property(text, (one) => expect(withoutMark(anew(defused(one)))).toBe(anew(one))));
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

  it('is read again as it was, byte for byte', async () => {
    const row = fc.tuple(text, text).filter((cells) => cells.some((cell) => /\S/u.test(cell)));
    await fc.assert(
      fc.asyncProperty(fc.array(row), async (rows) => {
        const read = readCsv(await written(columns('a', 'b'), rows));
        expect(read.header).toEqual(['a', 'b']);
        expect(read.rows.map(({ cells }) => cells)).toEqual(rows);
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

describe('a CSV that others have written', () => {
  const NAMES = ['عمر', '李雷', 'Ada "the first"; Lovelace, née Byron', 'two\nlines', '😀'];
  const quoted = NAMES.map((name) => `"${name.replaceAll('"', '""')}"`);

  it.each([
    ['commas and CRLF', ',', '\r\n', ''],
    ['semicolons and CRLF', ';', '\r\n', ''],
    ['semicolons, LF and a byte order mark', ';', '\n', '\uFEFF'],
    ['commas and CR', ',', '\r', '\uFEFF'],
    ['tabs and CRLF', '\t', '\r\n', ''],
  ])('is read with %s', (_, separator, end, bom) => {
    const lines = quoted.map((name, at) => `a${at}@example.org${separator}${name}`);
    const { header, rows } = readCsv(`${bom}email${separator}name${end}${lines.join(end)}${end}`);
    expect(header).toEqual(['email', 'name']);
    expect(rows).toEqual(NAMES.map((name, at) => ({ row: at + 2, cells: [`a${at}@example.org`, name] })));
  });

  it.each([
    ['sep=;\r\nemail;name\r\na;b,c\r\n', ['a', 'b,c']],
    ['\uFEFFSEP=,\nemail,name\na,b;c', ['a', 'b;c']],
    ['sep=|\remail|name\ra|b', ['a', 'b']],
  ])('may tell its separator in a line before its header: %j', (csv, cells) => {
    expect(readCsv(csv)).toEqual({ header: ['email', 'name'], rows: [{ row: 2, cells }] });
  });

  it('has its rows numbered as a spreadsheet shows them, those without text left out', () => {
    expect(readCsv('a,b\n\n1,2\n,\n" ",\n3\n4,5,6\n').rows).toEqual([
      { row: 3, cells: ['1', '2'] },
      { row: 6, cells: ['3'] },
      { row: 7, cells: ['4', '5', '6'] },
    ]);
    expect(readCsv('')).toEqual({ header: [], rows: [] });
    expect(readCsv('\uFEFF')).toEqual({ header: [], rows: [] });
  });

  it.each([
    ['a,b\n"x,y\n', 'in line 2: a field that begins with a quote does not end with one.'],
    ['a,b\n1,2\n"x"z,y\n', 'in line 3: a quote within a quoted field must be written twice.'],
    ['sep=;\na;b\nx"z;y\n', 'in line 3: a field with a quote in it must be in quotes as a whole.'],
    ['a,b\nx"z,y\n', 'in line 2: a field with a quote in it must be in quotes as a whole.'],
  ])('%j is refused with the place', (csv, message) => {
    expect(() => readCsv(csv)).toThrow(BrokenCsv);
    expect(() => readCsv(csv)).toThrow(message);
  });

  it('is read or refused, whatever it is', () => {
    fc.assert(
      fc.property(text, (csv) => {
        try {
          readCsv(csv);
        } catch (error) {
          expect(error).toBeInstanceOf(BrokenCsv);
        }
      }),
    );
  });
});
