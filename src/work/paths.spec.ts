import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { wrapperOf } from './paths.js';

const starterOf = (paths: readonly string[]) => paths.map((path) => ({ path }));

describe('the folder around the work', () => {
  it.each([
    [['work/a', 'work/src/b'], ['a', 'src/b'], 'work/'],
    [['work/work/a', 'work/work/b'], ['a'], 'work/work/'],
    [['work/a', 'other/b'], ['a'], ''],
    [['work/a', 'b'], ['a'], ''],
    [['src/a', 'src/b'], ['src/a', 'src/b', 'readme'], ''],
    [['work/new'], ['a'], ''],
    [['work/a'], [], ''],
    [['a'], ['a'], ''],
    [[], ['a'], ''],
    [['src/a', 'src/src/a'], ['src/a'], ''],
  ])('of %j, where the starter has %j, is "%s"', (paths, starter, wrapper) => {
    expect(wrapperOf(paths, starterOf(starter))).toBe(wrapper);
  });

  it.each([
    [['work/a', 'work/b'], [], 'work/'],
    [['work/new'], ['a'], 'work/'],
    [['src/a', 'src/new'], ['src/a'], ''],
    [['a'], [], ''],
  ])('of the chosen folder %j, where the starter has %j, is "%s"', (paths, starter, wrapper) => {
    expect(wrapperOf(paths, starterOf(starter), true)).toBe(wrapper);
  });

  it('is found at once: what is inside has none', () => {
    const path = fc.array(fc.constantFrom('a', 'b', 'src'), { minLength: 1, maxLength: 4 });
    const paths = fc.uniqueArray(path.map((names) => names.join('/')));
    fc.assert(
      fc.property(paths, paths, fc.boolean(), (work, known, isAssumed) => {
        const starter = starterOf(known);
        const wrapper = wrapperOf(work, starter, isAssumed);
        expect(work.every((one) => one.startsWith(wrapper))).toBe(true);
        const inside = work.map((one) => one.slice(wrapper.length));
        expect(wrapperOf(inside, starter)).toBe('');
      }),
    );
  });
});
