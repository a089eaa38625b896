import { describe, expect, it } from '@jest/globals';
import {
  confirmation,
  exportOf,
  forEachRow,
  hasPassed,
  MAX_SELECTED,
  pageState,
  pageToggled,
  type Result,
  type Row,
  selectAll,
  type Selection,
  toggled,
  undone,
  withRows,
} from './selection.js';

const row = (id: string): Row => ({ id, candidateName: null, candidateEmail: id, status: 'invited' });
const rows = ['a', 'b', 'c'].map(row);
const none: Selection = new Map();
const ids = (selection: Selection): readonly string[] => [...selection.keys()];

describe('a selection', () => {
  it('takes a row and gives it back, and leaves what it was made of', () => {
    const one = toggled(none, row('a'));
    expect([ids(one), ids(toggled(one, row('a'))), ids(none)]).toEqual([['a'], [], []]);
  });

  it('takes a whole page, and keeps the rows of others', () => {
    const other = toggled(none, row('z'));
    const some = toggled(other, row('b'));
    expect([pageState(other, rows), pageState(some, rows)]).toEqual(['none', 'some']);
    const whole = pageToggled(some, rows);
    expect([pageState(whole, rows), ids(whole)]).toEqual(['all', ['z', 'b', 'a', 'c']]);
    expect(ids(pageToggled(whole, rows))).toEqual(['z']);
  });
});

describe('the selection of all that match', () => {
  const going = new AbortController().signal;
  /** Pages of this many rows. */
  const pagesOf = (...sizes: readonly number[]) => {
    const asked: (string | undefined)[] = [];
    const read = (cursor: string | undefined) => {
      asked.push(cursor);
      const page = Number(cursor ?? 0);
      const items = Array.from({ length: sizes[page] ?? 0 }, (_, n) => row(`${page}.${n}`));
      return Promise.resolve({ items, nextCursor: page + 1 < sizes.length ? `${page + 1}` : null });
    };
    return { asked, read };
  };
  /** What is selected of a page after another. */
  const collecting = () => {
    const counts: number[] = [];
    let selected = withRows(none, [row('before')]);
    const add = (added: readonly Row[]): void => {
      selected = withRows(selected, added);
      counts.push(selected.size);
    };
    return { counts, add, ids: () => ids(selected) };
  };

  it('grows page by page beside what was selected before', async () => {
    const { asked, read } = pagesOf(2, 0, 1);
    const found = collecting();
    expect(await selectAll(read, found.add, going)).toBe('all');
    expect([asked, found.counts]).toEqual([
      [undefined, '1', '2'],
      [3, 3, 4],
    ]);
    expect(found.ids()).toEqual(['before', '0.0', '0.1', '2.0']);
  });

  it('has a limit, and tells whether more match', async () => {
    for (const [sizes, ending, count] of [
      [[MAX_SELECTED - 1, 1], 'all', MAX_SELECTED],
      [[MAX_SELECTED, 0], 'all', MAX_SELECTED],
      [[MAX_SELECTED - 1, 2, 5], 'limit', MAX_SELECTED],
      [[MAX_SELECTED, 1], 'limit', MAX_SELECTED],
    ] as const) {
      const found = collecting();
      expect(await selectAll(pagesOf(...sizes).read, found.add, going)).toBe(ending);
      expect(found.counts.at(-1)).toBe(count + 1);
    }
  });

  it('keeps what was found before a page failed', async () => {
    const { read } = pagesOf(2, 2, 2);
    const found = collecting();
    const failing = (cursor: string | undefined) =>
      cursor === '1' ? Promise.reject(new Error('gone')) : read(cursor);
    await expect(selectAll(failing, found.add, going)).rejects.toThrow('gone');
    expect(found.ids()).toEqual(['before', '0.0', '0.1']);
  });

  it.each(['answered', 'failed'])(
    'adds nothing once it is stopped, though a page is %s then',
    async (how) => {
      const { asked, read } = pagesOf(2, 2, 2);
      const found = collecting();
      const stopping = new AbortController();
      const stopped = (cursor: string | undefined) => {
        if (cursor !== '1') return read(cursor);
        stopping.abort();
        return how === 'answered' ? read(cursor) : Promise.reject(new Error('aborted'));
      };
      expect(await selectAll(stopped, found.add, stopping.signal)).toBe('stopped');
      expect(found.ids()).toEqual(['before', '0.0', '0.1']);
      expect(asked).not.toContain('2');
      expect(await selectAll(read, found.add, stopping.signal)).toBe('stopped');
      expect(found.counts).toEqual([3]);
    },
  );
});

describe('what is asked before people’s assessments are ended', () => {
  it('names the first few and asks for their number, or for the name of one alone', () => {
    const names = ['Ada', 'Bob', 'Cy', 'Dee', 'Eve', 'Fay', 'Gus'];
    expect(confirmation(names)).toEqual({ named: names.slice(0, 5), more: 2, asked: '7' });
    expect(confirmation(names.slice(0, 5))).toEqual({ named: names.slice(0, 5), more: 0, asked: '5' });
    expect(confirmation(['Ada'])).toEqual({ named: ['Ada'], more: 0, asked: 'Ada' });
  });
});

describe('the export of a selection', () => {
  it('is one file with one line of names, a hundred rows at a time', async () => {
    const asked: number[] = [];
    const read = (some: readonly string[]) => {
      asked.push(some.length);
      const lines = some.map((id) => `${id},"Zoë\r\n😀"\r\n`);
      return Promise.resolve(new TextEncoder().encode(`\uFEFFid,name\r\n${lines.join('')}`));
    };
    const many = Array.from({ length: 201 }, (_, n) => `${n}`);
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(await exportOf(many, read));
    expect(asked).toEqual([100, 100, 1]);
    expect(text).toBe(`\uFEFFid,name\r\n${many.map((id) => `${id},"Zoë\r\n😀"\r\n`).join('')}`);
    expect(await exportOf([], read)).toHaveLength(0);
  });

  it('fails as a whole if a part fails', async () => {
    await expect(exportOf(['a'], () => Promise.reject(new Error('gone')))).rejects.toThrow('gone');
  });
});

describe('a bulk action', () => {
  const many = Array.from({ length: 20 }, (_, n) => row(`${n}`));
  const done: Result = { kind: 'done' };

  it('does every row once, a few at once, and tells why one was refused', async () => {
    const results = new Map<string, Result>();
    const begun: string[] = [];
    let [running, most] = [0, 0];
    const work = async ({ id }: Row): Promise<Result> => {
      begun.push(id);
      most = Math.max(most, ++running);
      await Promise.resolve();
      running--;
      return id === '7' ? { kind: 'refused', why: 'It is over.' } : done;
    };
    await forEachRow(many, work, (id, result) => results.set(id, result), new AbortController().signal);
    expect(begun).toEqual(many.map(({ id }) => id));
    expect(most).toBe(4);
    expect(undone(many, results).map(({ id }) => id)).toEqual(['7']);
  });

  it('begins no further row once it is stopped, and tries again what was not done', async () => {
    const results = new Map<string, Result>();
    const stopping = new AbortController();
    const work = async ({ id }: Row): Promise<Result> => {
      await Promise.resolve();
      if (id === '5') stopping.abort();
      return done;
    };
    await forEachRow(many, work, (id, result) => results.set(id, result), stopping.signal);
    expect(results.size).toBeLessThan(10);
    expect(undone(many, results)).toHaveLength(many.length - results.size);
  });
});

describe('a new end for many', () => {
  it('is refused before any row is sent if it has passed', () => {
    const now = Date.parse('2027-03-01T12:00');
    expect(hasPassed('2027-03-01T12:00', now)).toBe(true);
    expect(hasPassed('0202-03-01T12:01', now)).toBe(true);
    expect(hasPassed('2027-03-01T12:01', now)).toBe(false);
  });
});
