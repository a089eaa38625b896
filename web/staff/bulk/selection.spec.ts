import { describe, expect, it } from '@jest/globals';
import {
  forEachRow,
  pageState,
  pageToggled,
  type Result,
  type Row,
  type Selection,
  toggled,
  undone,
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
