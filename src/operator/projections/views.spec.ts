import { describe, expect, it } from '@jest/globals';
import { noSuchView } from './views.js';

const known = ['signal', 'roles', 'evaluations', 'evaluation-results'];

describe('a view that there is not', () => {
  it.each([
    ['signals', 'signal'],
    ['rols', 'roles'],
    ['Signal', 'signal'],
    ['evaluation', 'evaluations'],
    ['rol', 'roles'],
    ['signal.v2.g1', 'signal'],
    ['zebra', null],
    ['', null],
    ['__proto__', null],
  ])('is answered with the nearest name, if any is near, and with all: %j', (name, nearest) => {
    const guess = nearest === null ? '' : ` Did you mean ${nearest}?`;
    expect(noSuchView(name, known)).toBe(
      `there is no view ${JSON.stringify(name)}.${guess} The views are: ${known.join(', ')}.`,
    );
  });
});
