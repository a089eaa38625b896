import { expect, it } from '@jest/globals';
import { shownOf } from './typed.js';

it('a field shows what is typed until its saved value changes, also if that is an object', () => {
  expect(shownOf({ over: 3, value: 5 }, 3)).toBe(5);
  expect(shownOf({ over: 3, value: 5 }, 4)).toBe(4);
  expect(shownOf({ over: { from: '' }, value: { from: '7' } }, { from: '' })).toEqual({ from: '7' });
  expect(shownOf({ over: { from: '' }, value: { from: '7' } }, { from: '8' })).toEqual({ from: '8' });
});
