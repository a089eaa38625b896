import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Block, type Inline, parseMarkdown } from './markdown.js';

const text = (value: string): Inline => ({ type: 'text', text: value });
const paragraph = (...inner: readonly Inline[]): Block => ({ type: 'paragraph', inner });
const inline = (markdown: string): readonly Inline[] => {
  const [only] = parseMarkdown(markdown);
  return only?.type === 'paragraph' ? only.inner : [];
};

/** All text in it, in order. */
const textOf = (all: readonly (Block | Inline)[]): string =>
  all
    .map((one) => {
      if ('text' in one) return one.text;
      if ('items' in one) return one.items.map(textOf).join('');
      if ('rows' in one) return [one.head, ...one.rows].flat().map(textOf).join('');
      return 'inner' in one ? textOf(one.inner) : '';
    })
    .join('');

describe('Markdown', () => {
  it('has headings, paragraphs, rules, quotes and code', () => {
    expect(parseMarkdown('# A\n\nOne\ntwo\n\n---\n> quoted\n> more\n\n```ts\n# no heading\n```')).toEqual([
      { type: 'heading', level: 1, inner: [text('A')] },
      paragraph(text('One\ntwo')),
      { type: 'rule' },
      { type: 'quote', inner: [paragraph(text('quoted\nmore'))] },
      { type: 'code', text: '# no heading' },
    ]);
  });

  it('has lists in lists', () => {
    expect(parseMarkdown('- a\n  - b\n- c\n\n2. d\n3. e')).toEqual([
      {
        type: 'list',
        start: null,
        items: [
          [paragraph(text('a')), { type: 'list', start: null, items: [[paragraph(text('b'))]] }],
          [paragraph(text('c'))],
        ],
      },
      { type: 'list', start: 2, items: [[paragraph(text('d'))], [paragraph(text('e'))]] },
    ]);
  });

  it('has emphasis, code and links', () => {
    expect(inline('**a** *b* _c_ `d*e*` [f](https://x.example/a_(b))')).toEqual([
      { type: 'strong', inner: [text('a')] },
      text(' '),
      { type: 'emphasis', inner: [text('b')] },
      text(' '),
      { type: 'emphasis', inner: [text('c')] },
      text(' '),
      { type: 'code', text: 'd*e*' },
      text(' '),
      { type: 'link', url: 'https://x.example/a_(b)', inner: [text('f')] },
    ]);
    expect(inline('see https://x.example/y.')).toEqual([
      text('see '),
      { type: 'link', url: 'https://x.example/y', inner: [text('https://x.example/y')] },
      text('.'),
    ]);
  });

  it('leaves names with underscores, arithmetic and escapes as they are meant', () => {
    for (const plain of ['a_b_c', '2 * 3 * 4', 'snake_case_name', '**', '[x]', '<b>hi</b>', '&amp;'])
      expect(inline(plain)).toEqual([text(plain)]);
    expect(inline(String.raw`\*a\*`)).toEqual([text('*a*')]);
  });

  it('shows every letter and digit of any text, and ends soon', () => {
    const pieces = fc.constantFrom(
      '*',
      '_',
      '`',
      '[a](b)',
      '>',
      '- ',
      '1. ',
      '#',
      ' ',
      '\n',
      'x',
      '7',
      '**',
      '```\n',
    );
    const markdown = fc.array(pieces, { maxLength: 300 }).map((all) => all.join(''));
    fc.assert(
      fc.property(markdown, (source) => {
        const shown = textOf(parseMarkdown(source)).replaceAll(/[^x7]/g, '');
        // The number of an ordered list and the language of a block of code are drawn, not written.
        const written = source
          .replaceAll(/```[^\n]*/g, '')
          .replaceAll(/7/g, '')
          .replaceAll(/[^x]/g, '');
        expect(shown.replaceAll('7', '').length).toBeGreaterThanOrEqual(written.length);
      }),
    );
  });

  it('has tables: cells with what a line has, rows as wide as the head, pipes that are escaped', () => {
    expect(
      parseMarkdown('Before\n| Case | *Expected* |\n|:---|---:|\n| a \\| b | `1` | more |\nc |\n\nAfter'),
    ).toEqual([
      paragraph(text('Before')),
      {
        type: 'table',
        head: [[text('Case')], [{ type: 'emphasis', inner: [text('Expected')] }]],
        rows: [
          [[text('a | b')], [{ type: 'code', text: '1' }]],
          [[text('c')], []],
        ],
      },
      paragraph(text('After')),
    ]);
    expect(parseMarkdown('Name | Age\n--- | ---\nAnna | 7')[0]?.type).toBe('table');
    for (const none of ['a | b', 'a | b\n---', 'a | b\n--- | --- | ---', '| a |\n| b |', 'a\n-'])
      expect(parseMarkdown(none).map(({ type }) => type)).not.toContain('table');
  });

  it('gives a short text no more cells than it writes, however many columns and rows it has', () => {
    const wide = '|a'.repeat(2_000);
    const hostile = `${wide}\n${'|-'.repeat(2_000)}\n${'|\n'.repeat(4_000)}|b|c`;
    const [table] = parseMarkdown(hostile);
    if (table?.type !== 'table') throw new Error('It is no table.');
    expect(table.rows.reduce((sum, row) => sum + row.length, 0)).toBeLessThan(hostile.length);
    expect(table.rows.at(-1)).toEqual([[text('b')], [text('c')]]);
  });

  it('ends a heading before number signs that close it', () => {
    for (const written of ['## A', '##   A  ', '## A ##', '## A #######  '])
      expect(parseMarkdown(written)).toEqual([{ type: 'heading', level: 2, inner: [text('A')] }]);
    expect(parseMarkdown('# C#')).toEqual([{ type: 'heading', level: 1, inner: [text('C#')] }]);
    expect(parseMarkdown('#')).toEqual([{ type: 'heading', level: 1, inner: [] }]);
    expect(parseMarkdown('#hash')).toEqual([paragraph(text('#hash'))]);
  });

  const REPEATED = [
    ' ',
    '\u00a0',
    '\u2028',
    '#',
    '# ',
    '*',
    '*a',
    '**a ',
    '_a ',
    '__a ',
    '`',
    '` ``',
    '[',
    '[a](',
    '![a](b "',
    '](',
    '<https://',
    'https://a.',
    '> ',
    '- ',
    '1. ',
    '|',
    '|-',
    '\\',
    'a\n',
    '| a |\n',
    '|-|\n',
    '```\n',
  ];

  it.each(REPEATED)('takes no longer for a text of %j again and again, after any beginning', (piece) => {
    const hostile = piece.repeat(8_000 / piece.length);
    for (const beginning of ['', '# ', '- ', '> ', 'a', '*', '`', '| a |\n|', '[']) {
      for (const end of ['', 'x', '\n', '\u2028x']) {
        const began = performance.now();
        textOf(parseMarkdown(`${beginning}${hostile}${end}`));
        // The field's own limit. A heading of 3,000 spaces took seven seconds.
        expect(performance.now() - began).toBeLessThan(2_000);
      }
    }
  });
});
