import { describe, expect, it } from '@jest/globals';
import { cellName } from './cells.js';

describe('a cell in a narrow window', () => {
  it('has the name of its column, also if it is a figure of zero', () => {
    for (const content of [0, 7, '–', { type: 'a' }, ['a']])
      expect(cellName(content, { head: 'Views' })).toBe('Views');
  });

  it('has none if it is empty, has only buttons, or its column has none', () => {
    for (const content of [null, undefined, false, ''])
      expect(cellName(content, { head: 'Views' })).toBeUndefined();
    expect(cellName('Revoke', { head: 'Revoke', acts: true })).toBeUndefined();
    expect(cellName('a', { head: { type: 'input' } })).toBeUndefined();
  });
});
