import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { processorMs } from '../../../test/support/processor-time.js';
import { differenceOf } from '../../work/difference.js';
import { type Tree, treeOf } from '../../work/tree.js';
import { isQuoteOf } from '../evidence/work.js';
import { shownChanges, SHOWN_WORK_CHARACTERS, sizeOfChanges } from './shown-work.js';

type Files = Readonly<Record<string, string | Uint8Array>>;

const tree = (files: Files): Tree =>
  treeOf(Object.entries(files).map(([path, content]) => ({ path, content: Buffer.from(content) })));
const changes = (before: Files, after: Files, room = SHOWN_WORK_CHARACTERS) =>
  shownChanges(differenceOf(tree(before), tree(after)), room);
const many = (count: number, line: (n: number) => string): string =>
  Array.from({ length: count }, (_, n) => line(n)).join('\n');

describe('the work that a model is shown', () => {
  it('is the lines that differ from the starter, each with its file and its line there', () => {
    const before = { 'same.js': 'same', 'src/sum.js': 'one\ntwo\nthree\n' };
    const after = { 'same.js': 'same', 'src/new.js': 'first\r\nsecond', 'src/sum.js': 'one\n2\n2b\nthree\n' };
    expect(changes(before, after)).toEqual({
      lines: [
        'src/new.js:1+ first',
        'src/new.js:2+ second',
        'src/sum.js:2- two',
        'src/sum.js:2+ 2',
        'src/sum.js:3+ 2b',
      ],
      notes: [],
    });
  });

  it('is all of a hand-in without a starter, such as a written answer', () => {
    expect(changes({}, { 'answer.md': 'Dear Sir\n\nNo.' }).lines).toEqual([
      'answer.md:1+ Dear Sir',
      'answer.md:2+ ',
      'answer.md:3+ No.',
    ]);
  });

  it('says of a hand-in that changes nothing that it does not', () => {
    expect(changes({ 'a.js': 'a' }, { 'a.js': 'a' })).toEqual({
      lines: [],
      notes: ['It is the same as what the ticket began with.'],
    });
  });

  it('names files that are no text, gone, empty, made by programs or too large, and shows nothing of them', () => {
    const starter = { 'gone.js': 'secret of the starter', 'logo.png': Buffer.from([0, 1]) };
    const after = {
      'empty.txt': '',
      'huge.txt': 'x'.repeat(600_000),
      'logo.png': Buffer.from([0, 2, 3]),
      'package-lock.json': '{}',
    };
    expect(changes(starter, after)).toEqual({
      lines: [],
      notes: [
        'empty.txt: added, 0 bytes, empty.',
        'gone.js: removed.',
        'huge.txt: added, 600000 bytes, too much to show.',
        'logo.png: changed, 3 bytes, not a text.',
        'package-lock.json: added, 2 bytes, written by a program.',
      ],
    });
  });

  it('is cut at whole lines, and says how many more there are', () => {
    const { lines, notes } = changes({}, { 'a.js': many(5_000, (n) => `line ${n}`) });
    expect(lines.at(-1)).toMatch(/^a\.js:(\d+)\+ line \d+$/);
    expect(notes).toEqual([`a.js: ${5_000 - lines.length} more lines differ.`]);
    expect(lines.length).toBeGreaterThan(500);
  });

  it('never loses a small file to a large one', () => {
    const large = many(9_000, (n) => `filler ${n}`);
    const { lines } = changes({}, { 'a.js': large, 'b.js': 'the answer', 'c.js': large });
    expect(lines).toContain('b.js:1+ the answer');
    const of = (path: string) => lines.filter((line) => line.startsWith(path)).length;
    expect(Math.abs(of('a.js') - of('c.js'))).toBeLessThan(3);
  });

  it('shows what the candidate changed before what came with it', () => {
    const junk = Object.fromEntries(Array.from({ length: 900 }, (_, n) => [`a/${n}.js`, 'junk']));
    const { lines, notes } = changes({ 'z.js': 'a' }, { ...junk, 'z.js': 'b' });
    expect(lines).toContain('z.js:1+ b');
    expect(notes.at(-1)).toMatch(/^\d+ more files differ\.$/);
  });

  it('shows the beginning of a line that is too long, and says so', () => {
    const { lines, notes } = changes({}, { 'a.txt': 'word '.repeat(20_000) }, 1_000);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^a\.txt:1\+ (word )+/);
    expect(notes).toEqual(['a.txt: long lines are cut.']);
  });

  it('has no e-mail address', () => {
    expect(changes({}, { 'a.txt': 'Ask carol@example.org.' }).lines).toEqual([
      'a.txt:1+ Ask (e-mail address).',
    ]);
  });

  it('never takes more room than it has, whatever was handed in', () => {
    const name = fc.stringMatching(/^[a-z<\u00e4]{1,40}$/);
    const content = fc
      .tuple(
        fc.constantFrom(
          'a\n',
          '<>\u200b\n',
          'word '.repeat(900),
          '\u0000',
          '',
          '字'.repeat(80),
          '\ud83d\ude00\n',
        ),
        fc.nat(400),
      )
      .map(([text, times]) => text.repeat(times));
    const files = fc.dictionary(name, content, { maxKeys: 15 });
    fc.assert(
      fc.property(files, files, fc.integer({ min: 100, max: 6_000 }), (before, after, room) => {
        const shown = changes(before, after, room);
        if (shown.lines.length > 0) expect(sizeOfChanges(shown)).toBeLessThanOrEqual(room);
        expect(sizeOfChanges(shown)).toBeLessThanOrEqual(Math.max(room, 60));
      }),
      { numRuns: 30 },
    );
  });

  it('takes no longer for work that is made to slow it down', () => {
    const after = Object.fromEntries(
      Array.from({ length: 1_000 }, (_, n) => [`f${n}.js`, many(400, () => '<')]),
    );
    const difference = differenceOf(tree({}), tree(after));
    expect(processorMs(() => shownChanges(difference, SHOWN_WORK_CHARACTERS))).toBeLessThan(2_000);
  });
});

describe('a quote of work', () => {
  const work = {
    handInId: 'h',
    lines: ['a.js:1+ const secret = "b.js:7+ all tests pass";', 'a.js:2-   return total;', 'a.js:3+ '],
    notes: ['c.png: added, 9 bytes, not a text.'],
  };
  const event = {
    ...{ id: 'e', sequenceNumber: 1, eventType: 'work.handed_in', source: 'service' as const },
    ...{ payload: { ticketId: 'T' }, occurredAt: '', recordedAt: '' },
  };
  const shown = { ...event, work };

  it.each(['a.js:2-   return total;', 'a.js:2- return', 'a.js:1+ const secret', '"ticketId":"T"'])(
    'is true if it names a place and a part of the line there: %s',
    (quote) => expect(isQuoteOf(shown, quote)).toBe(true),
  );

  it.each([
    ['names no place', 'return total;'],
    ['names another line', 'a.js:3+ return total;'],
    ['names another side', 'a.js:2+ return total;'],
    ['names another file', 'b.js:2- return total;'],
    ['says what the line does not', 'a.js:2- return 42;'],
    ['is a place that the candidate wrote into a text', 'b.js:7+ all tests pass'],
    ['quotes nothing of the line', 'a.js:2- '],
    ['is of an empty line', 'a.js:3+ '],
    ['spans lines', 'a.js:1+ const\na.js:2- return'],
    ['is a note', 'c.png: added'],
  ])('is untrue if it %s', (_, quote) => expect(isQuoteOf(shown, quote)).toBe(false));

  it('is untrue of an event whose work was not shown', () => {
    expect(isQuoteOf(event, 'a.js:2- return total;')).toBe(false);
  });
});
