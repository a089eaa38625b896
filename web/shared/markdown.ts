/**
 * The Markdown that tickets, instructions and notices are written in: headings, paragraphs, lists, quotes, code, rules,
 * tables, emphasis, links. Anything else, HTML above all, is text.
 */
export type Block =
  | { readonly type: 'heading'; readonly level: number; readonly inner: readonly Inline[] }
  | { readonly type: 'paragraph'; readonly inner: readonly Inline[] }
  | { readonly type: 'list'; readonly start: number | null; readonly items: readonly (readonly Block[])[] }
  | { readonly type: 'quote'; readonly inner: readonly Block[] }
  | { readonly type: 'code'; readonly text: string }
  | { readonly type: 'table'; readonly head: Row; readonly rows: readonly Row[] }
  | { readonly type: 'rule' };

/** The cells of a table's row. */
export type Row = readonly (readonly Inline[])[];

export type Inline =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'code'; readonly text: string }
  | { readonly type: 'break' }
  | { readonly type: 'strong' | 'emphasis'; readonly inner: readonly Inline[] }
  | { readonly type: 'link'; readonly url: string; readonly inner: readonly Inline[] };

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const HEADING = /^ {0,3}(#{1,6})(?: |$)/;
/** Number signs at the end of a heading, which are not shown. */
const CLOSED = /(?:^|\s)#+$/;
const RULE = /^ {0,3}([-*_])(?:\s*\1){2,}\s*$/;
const QUOTE = /^ {0,3}> ?/;
const ITEM = /^ {0,3}(?:[-*+]|(\d{1,9})[.)]) +/;
/** Below a table's head: hyphens for each column, with colons where it is aligned. */
const DIVIDER = /^:?-+:?$/;
/** Deeper lists are text, so that a hostile one does not overflow the stack. */
const MAX_DEPTH = 8;
/**
 * In a table with fewer cells, rows have as many as the head. In others they have what is written: a short text with many
 * columns and many rows would else have millions of cells.
 */
const MAX_FILLED = 10_000;

/** The blocks of a text. Anything that is not Markdown is text, so parsing never fails. */
export const parseMarkdown = (text: string): readonly Block[] =>
  blocks(text.replaceAll(/\r\n?/g, '\n').replaceAll('\t', '    ').split('\n'), 0);

const blocks = (lines: readonly string[], depth: number): readonly Block[] => {
  const found: Block[] = [];
  let at = 0;
  const line = () => lines[at] ?? '';
  const takeWhile = (holds: (line: string, at: number) => boolean): string[] => {
    const from = at;
    while (at < lines.length && holds(line(), at)) at += 1;
    return lines.slice(from, at);
  };
  const nests = depth < MAX_DEPTH;
  while (at < lines.length) {
    const fence = FENCE.exec(line())?.[1];
    const heading = HEADING.exec(line());
    const table = tableAt(lines, at);
    const item = nests ? ITEM.exec(line()) : null;
    if (line().trim() === '') at += 1;
    else if (fence !== undefined) {
      at += 1;
      const code = takeWhile((one) => !one.trimStart().startsWith(fence));
      at += 1;
      found.push({ type: 'code', text: code.join('\n') });
    } else if (heading) {
      at += 1;
      const title = heading.input.slice(heading[0].length).trim().replace(CLOSED, '').trimEnd();
      found.push({ type: 'heading', level: heading[1]?.length ?? 1, inner: inlines(title) });
    } else if (RULE.test(line())) {
      at += 1;
      found.push({ type: 'rule' });
    } else if (nests && QUOTE.test(line())) {
      const quoted = takeWhile((one) => QUOTE.test(one)).map((one) => one.replace(QUOTE, ''));
      found.push({ type: 'quote', inner: blocks(quoted, depth + 1) });
    } else if (item) {
      const ordered = item[1] !== undefined;
      const items: (readonly Block[])[] = [];
      for (let next = item; ;) {
        const width = next[0].length;
        at += 1;
        const rest = takeWhile((one) => one.trim() === '' || one.startsWith(' '.repeat(Math.min(width, 2))));
        const own = [
          next.input.slice(width),
          ...rest.map((one) => one.slice(Math.min(width, indentOf(one)))),
        ];
        items.push(blocks(own, depth + 1));
        const another = at < lines.length ? ITEM.exec(line()) : null;
        if (!another || (another[1] !== undefined) !== ordered || RULE.test(line())) break;
        next = another;
      }
      found.push({ type: 'list', start: ordered ? Number(item[1]) : null, items });
    } else if (table) {
      at += 2;
      const below = takeWhile((one) => one.includes('|'));
      const isFilled = below.length * table.length < MAX_FILLED;
      const rows = below.map((one) => rowOf(one, isFilled ? table.length : 0).slice(0, table.length));
      found.push({ type: 'table', head: table.map((cell) => inlines(cell)), rows });
    } else {
      const [first = ''] = lines.slice(at, at + 1);
      at += 1;
      const rest = takeWhile(
        (one, place) => one.trim() !== '' && !begins(one, nests) && tableAt(lines, place) === null,
      );
      found.push({
        type: 'paragraph',
        inner: inlines([first, ...rest].map((one) => one.trimStart()).join('\n')),
      });
    }
  }
  return found;
};

/** The cells of a table's head that begins there; `null`: none does. Its divider has as many columns. */
const tableAt = (lines: readonly string[], at: number): readonly string[] | null => {
  const [head = '', divider = ''] = lines.slice(at, at + 2);
  if (!head.includes('|') || !divider.includes('-')) return null;
  const cells = cellsOf(head);
  const columns = cellsOf(divider);
  return columns.length === cells.length && columns.every((one) => DIVIDER.test(one)) ? cells : null;
};

/** The cells between the pipes of a line; the outer pipes may be left out, and `\|` is text. */
const cellsOf = (line: string): readonly string[] => {
  const cells = line
    .trim()
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'));
  if (cells[0] === '') cells.shift();
  if (cells.at(-1) === '') cells.pop();
  return cells;
};

/** A row of at least that many cells: missing ones are empty. */
const rowOf = (line: string, columns: number): Row => {
  const cells = cellsOf(line);
  return Array.from({ length: Math.max(columns, cells.length) }, (_, at) => inlines(cells[at] ?? ''));
};

const indentOf = (line: string): number => line.length - line.trimStart().length;

/** Whether a line ends the paragraph before it. */
const begins = (line: string, nests: boolean): boolean =>
  FENCE.test(line) ||
  HEADING.test(line) ||
  RULE.test(line) ||
  (nests && (QUOTE.test(line) || ITEM.test(line)));

/** The first alternative that matches is used. Each is bounded, so that no text takes long. */
const INLINE = new RegExp(
  [
    String.raw`\\([!-/:-@[-\x60{-~])`,
    String.raw`(?<!\x60)(\x60+)([^]{1,2000}?)\2(?!\x60)`,
    String.raw`!?\[([^\]\n]{1,500})\]\(\s*<?([^\s<>()]{1,2000}(?:\([^\s()]{0,200}\)[^\s<>()]{0,200})?)>?(?:\s+"[^"\n]{0,500}")?\s*\)`,
    String.raw`<?(https?://[^\s<>]{1,2000}[^\s<>.,;:!?)'"])>?`,
    String.raw`(\*\*|__)(?=\S)([^]{0,2000}?\S)\7`,
    String.raw`\*(?=[^\s*])([^*]{0,2000}[^\s*])\*`,
    String.raw`(?<!\w)_(?=[^\s_])([^_]{0,2000}[^\s_])_(?!\w)`,
    String.raw`(?:(?<! ) {2,}|\\)\n`,
  ].join('|'),
  'g',
);

const inlines = (text: string, depth = 0): readonly Inline[] => {
  const found: Inline[] = [];
  let plain = '';
  const close = () => {
    if (plain !== '') found.push({ type: 'text', text: plain });
    plain = '';
  };
  let from = 0;
  for (const match of depth < MAX_DEPTH ? text.matchAll(INLINE) : []) {
    const [whole, escaped, , code, label, target, url, , strong, star, underscore] = match;
    plain += text.slice(from, match.index);
    from = match.index + whole.length;
    if (escaped !== undefined) {
      plain += escaped;
      continue;
    }
    close();
    const emphasised = star ?? underscore;
    if (code !== undefined) found.push({ type: 'code', text: code.trim() || code });
    else if (label !== undefined && target !== undefined)
      found.push({ type: 'link', url: target, inner: inlines(label, depth + 1) });
    else if (url !== undefined) found.push({ type: 'link', url, inner: [{ type: 'text', text: url }] });
    else if (strong !== undefined) found.push({ type: 'strong', inner: inlines(strong, depth + 1) });
    else if (emphasised !== undefined)
      found.push({ type: 'emphasis', inner: inlines(emphasised, depth + 1) });
    else found.push({ type: 'break' });
  }
  plain += text.slice(from);
  close();
  return found;
};
