import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { compared, countsOf, folderOf, type Folder } from './tree.js';

const file = (path: string, sha256 = 'a') => ({ path, bytes: 1, sha256 });
const name = fc.stringMatching(/^[a-z]{1,3}$/);
/** Files whose paths are no folders of others. */
const files = fc.uniqueArray(
  fc
    .tuple(fc.array(name, { maxLength: 3 }), name, fc.constantFrom('a', 'b'))
    .map(([folders, own, hash]) => file([...folders, `${own}.txt`].join('/'), hash)),
  { selector: ({ path }) => path },
);

describe('the difference to the starter', () => {
  it('names what was added, changed, removed and left as it was', () => {
    const starter = [file('same'), file('changed', 'a'), file('removed')];
    const work = [file('same'), file('changed', 'b'), file('added')];
    expect(compared(starter, work).map(({ path, change }) => `${change}: ${path}`)).toEqual([
      'added: added',
      'changed: changed',
      'removed: removed',
      'same: same',
    ]);
  });

  it('counts each file once, and nothing differs from itself', () => {
    fc.assert(
      fc.property(files, files, (starter, work) => {
        const all = compared(starter, work);
        const paths = new Set([...starter, ...work].map(({ path }) => path));
        expect(new Set(all.map(({ path }) => path))).toEqual(paths);
        expect(all).toHaveLength(paths.size);
        const { added, changed, same, removed } = countsOf(all);
        expect([added + changed + same, changed + same + removed]).toEqual([work.length, starter.length]);
        expect(countsOf(compared(work, work)).same).toBe(work.length);
      }),
    );
  });
});

describe('files as folders', () => {
  const pathsOf = <T extends { readonly path: string }>(folder: Folder<T>, above = ''): readonly string[] => [
    ...folder.folders.flatMap((inner) => pathsOf(inner, `${above}${inner.name}/`)),
    ...folder.files.map((one) => above + one.name),
  ];

  it('have each file where its path says', () => {
    fc.assert(
      fc.property(files, (all) => {
        expect([...pathsOf(folderOf(all))].sort()).toEqual(all.map(({ path }) => path).sort());
      }),
    );
  });
});
