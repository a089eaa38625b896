import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { differenceOf, type FileDifference } from './difference.js';
import { type Tree, treeOf } from './tree.js';

const tree = (files: Readonly<Record<string, string | Buffer>>): Tree =>
  treeOf(Object.entries(files).map(([path, content]) => ({ path, content: Buffer.from(content) })));

const lines = (count: number, prefix = 'line'): string =>
  Array.from({ length: count }, (_, index) => `${prefix} ${index}\n`).join('');

/** The text after, by the text before and the hunks. */
const applied = (before: string, { hunks }: FileDifference): string => {
  const from = before.split(/(?<=\n)/).filter((line) => line !== '');
  const result: string[] = [];
  let at = 0;
  for (const hunk of hunks ?? []) {
    const start = hunk.beforeLines === 0 ? at : hunk.beforeStart - 1;
    if (hunk.beforeLines > 0) while (at < start) result.push(from[at++] ?? '');
    for (const line of hunk.lines) {
      if (line.startsWith('\\')) {
        const last = result.pop() ?? '';
        // It is about a line that is no longer there, if that was a removed one.
        result.push(hunk.lines[hunk.lines.indexOf(line) - 1]?.startsWith('-') ? last : last.replace(/\n$/, ''));
      } else if (line.startsWith('+')) result.push(`${line.slice(1)}\n`);
      else if (line.startsWith('-')) at++;
      else {
        result.push(from[at] ?? '');
        at++;
      }
    }
  }
  return [...result, ...from.slice(at)].join('');
}; // prettier-ignore

describe('the difference of two trees', () => {
  it('tells what was added, removed and changed, and nothing of what stayed', () => {
    const before = tree({ same: 'x\n', gone: 'a\nb\n', 'src/a.js': lines(20) });
    const after = tree({ same: 'x\n', come: 'c\n', 'src/a.js': lines(20).replace('line 9\n', 'line nine\n') });
    expect(differenceOf(before, after)).toMatchObject([
      {
        path: 'come',
        before: null,
        after: { bytes: 2 },
        hunks: [{ beforeStart: 0, beforeLines: 0, afterStart: 1, afterLines: 1, lines: ['+c'] }],
      },
      { path: 'gone', after: null, hunks: [{ beforeStart: 1, beforeLines: 2, afterStart: 0, afterLines: 0, lines: ['-a', '-b'] }] },
      {
        path: 'src/a.js',
        hunks: [
          {
            beforeStart: 7,
            beforeLines: 7,
            afterStart: 7,
            lines: [' line 6', ' line 7', ' line 8', '-line 9', '+line nine', ' line 10', ' line 11', ' line 12'],
          },
        ],
        omitted: null,
      },
    ]);
  }); // prettier-ignore

  it('tells a binary file by its hashes alone', () => {
    const [file] = differenceOf(tree({ a: Buffer.from([0, 1]) }), tree({ a: Buffer.from([0xff, 2]) }));
    expect(file).toMatchObject({ before: { bytes: 2 }, after: { bytes: 2 }, hunks: null, omitted: 'binary' });
  });

  it('has hunks by which the one text becomes the other', () => {
    const text = fc
      .array(fc.constantFrom('a', 'b', 'c', '', '-x', '+y'), { maxLength: 30 })
      .map((all) => all.map((line) => `${line}\n`).join(''));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const [file] = differenceOf(tree({ f: before }), tree({ f: after }));
        expect(file === undefined ? before : applied(before, file)).toBe(after);
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    ['many lines that all differ', lines(40_000, 'a'), lines(40_000, 'b')],
    ['two lines in turn', 'a\nb\n'.repeat(60_000), 'b\na\na\n'.repeat(40_000)],
    ['one long line', 'a'.repeat(500_000), `${'a'.repeat(499_999)}b`],
    ['lines that are equal but for their end', `${'x'.repeat(250)}a\n`.repeat(2_000), `${'x'.repeat(250)}b\n`.repeat(2_000)],
    ['a text that is too long', lines(100_000), lines(100_001)],
  ])('is told in bounded time and size of %s, in each of ten files', (_, before, after) => {
    const all = (text: string): Tree => tree(Object.fromEntries(Array.from({ length: 10 }, (__, n) => [`f${n}`, text])));
    const began = performance.now();
    const difference = differenceOf(all(before), all(after));
    // Half a second where nothing else runs.
    expect(performance.now() - began).toBeLessThan(15_000);
    expect(difference).toHaveLength(10);
    for (const { hunks, omitted } of difference) expect(hunks === null).toBe(omitted !== null);
    expect(JSON.stringify(difference).length).toBeLessThan(3_000_000);
  }); // prettier-ignore
});
