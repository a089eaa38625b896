import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = 'web/staff';

/** The columns that a narrow window leaves out, by file, each with what has their content there. */
const ELSEWHERE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'evaluation/contributions.tsx': {
    threshold: 'the card of the dimension',
    weight: 'the column of contributions',
  },
  'pages/candidates.tsx': { invited: 'the page of the application' },
  'pages/evaluations.tsx': {
    role: 'the page of the evaluation',
    outcome: 'the page of the evaluation',
    generated: 'the page of the evaluation',
  },
  'pages/person.tsx': { outcome: 'the page of the application' },
  'pages/roles.tsx': { dimensions: 'the page of the role', created: 'the versions of the role' },
  'pages/settings-webhooks.tsx': {
    events: 'the page of the webhook',
    created: 'the page of the webhook',
  },
};

/** The keys of the columns with `wideOnly: true`. */
const leftOutBy = (source: string): readonly string[] =>
  [...source.matchAll(/key: '(\w+)',(?:(?!key: )[^])*?wideOnly: true/g)].map(([, key]) => key ?? '');

describe('a column that a narrow window leaves out', () => {
  it('has its content elsewhere: on the page of its row, or in another part of this page', () => {
    const found = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.tsx'))
      .map((name) => [name, leftOutBy(readFileSync(join(FOLDER, name), 'utf8'))] as const)
      .filter(([, keys]) => keys.length > 0);
    expect(Object.fromEntries(found)).toEqual(
      Object.fromEntries(Object.entries(ELSEWHERE).map(([name, columns]) => [name, Object.keys(columns)])),
    );
  });
});
