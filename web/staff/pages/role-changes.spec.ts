import { describe, expect, it } from '@jest/globals';
import { CONSOLE_TEXTS } from '../../../src/languages/languages.js';
import { changedFields, changedText, versionsOf } from './role-changes.js';

const categories: Readonly<Partial<Record<string, string>>> = CONSOLE_TEXTS.de.role.categories;
const testing = {
  id: 'd1',
  name: 'Testing',
  weight: 60,
  category: 'process',
  threshold: 50,
  rubric: 'Calm.',
};

describe('what changed in a role', () => {
  it.each([
    [null, ''],
    [0, '0'],
    ['Engineer', 'Engineer'],
    [[3, 1], '3\n1'],
    [{ version: '2', text: 'It is recorded.' }, '2: It is recorded.'],
    [
      [
        { text: 'How?', dimensionName: null },
        { text: 'Why?', dimensionName: 'Testing' },
      ],
      'How?\nWhy?, Testing',
    ],
    [testing, 'Testing: 60, Vorgehen, ≥ 50, Calm.'],
    [{ ...testing, weight: 0, threshold: null, rubric: null }, 'Testing: 0, Vorgehen'],
  ])('%j reads as %j', (value, text) => {
    expect(changedText(value, (category) => categories[category] ?? category)).toBe(text);
  });

  it('is named once for each part', () => {
    expect(
      changedFields([{ path: 'name' }, { path: 'dimensions.weight' }, { path: 'dimensions.weight' }]),
    ).toEqual(['name', 'dimensions.weight']);
  });

  it('is compared between two versions alone', () => {
    expect(versionsOf('1', '12')).toEqual({ from: 1, to: 12 });
    for (const [from, to] of [
      ['0', '1'],
      ['1', undefined],
      ['1', 'two'],
      ['-1', '2'],
      ['', '2'],
    ] as const)
      expect(versionsOf(from, to)).toBeNull();
  });
});
