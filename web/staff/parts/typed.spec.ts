import { describe, expect, it } from '@jest/globals';
import { typedAfter, typedOver } from './typed.js';

describe('what is typed into a field', () => {
  const typed = { ...typedOver({ from: '' }), value: { from: '7' } };

  it('stays until the saved value changes, also if that is an object', () => {
    expect(typedAfter(typed, { from: '' }).value).toEqual({ from: '7' });
    expect(typedAfter(typed, { from: '8' }).value).toEqual({ from: '8' });
  });

  it('does not come back when the former saved value does, as when a filter is removed', () => {
    expect(typedAfter(typedAfter(typed, { from: '7' }), { from: '' }).value).toEqual({ from: '' });
  });
});
