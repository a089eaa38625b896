import { describe, expect, it } from '@jest/globals';
import { reportLines } from './compare.js';

const sides = { left: 'stored', right: 'from the log' };
const field = (path: string, left: string | null, right: string | null) => ({ path, left, right });

describe('what a comparison came to', () => {
  it('is a line where nothing differs', () =>
    expect(
      reportLines(
        'signal.v1.g1',
        { compared: 1, different: 0, kinds: { different: 0 }, moving: 0, first: [] },
        sides,
      ),
    ).toEqual(['signal.v1.g1: 1 document compared, all alike.']));

  it('names the first documents and fields that differ, and counts the rest', () => {
    const report = {
      compared: 20,
      different: 9,
      kinds: { different: 7, missing: 2 },
      moving: 3,
      first: [
        {
          ...{ id: 'a', kind: 'different' as const, more: true, note: null },
          fields: [field('/body/name', '"x"', null), field('', '1', '2')],
        },
        { id: 'b', kind: 'missing' as const, fields: [], more: false, note: 'Two events.' },
      ],
    };
    expect(reportLines('roles.v1.g1', report, sides)).toEqual([
      'roles.v1.g1: 20 documents compared, 7 different, 2 missing.',
      '  a  different',
      '    /body/name  stored: "x"  from the log: nothing',
      '    (all of it)  stored: 1  from the log: 2',
      '    … and elsewhere',
      '  b  missing: Two events.',
      '  … and 7 more.',
      '  3 documents changed faster than they could be compared.',
    ]);
  });
});
