import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { zipSync } from 'fflate';
import { unpackHere } from '../../src/work/archives.js';
import { chosenBy, collected } from './collecting.js';
import { manifestOf, packed, sha256Of, unpacked, type WorkFile } from './packing.js';

const LIMITS = { files: 3, bytes: 1_000 };
const text = (written: string) => new TextEncoder().encode(written);
const work = (files: Readonly<Record<string, string>>) =>
  Object.entries(files).map(([path, content]) => ({ path, content: text(content) }));

describe('a zip of the page', () => {
  it('is the same for the same files in any order, and has what was packed', () => {
    const paths = fc.dictionary(fc.stringMatching(/^[a-z]{1,5}\.txt$/), fc.string(), { maxKeys: 3 });
    fc.assert(
      fc.property(paths, (files) => {
        const zip = packed(work(files));
        expect(packed([...work(files)].reverse())).toEqual(zip);
        const back = unpacked(zip, { files: 3, bytes: 100_000 }) ?? [];
        expect(new Map(back.map(({ path, content }) => [path, content]))).toEqual(
          new Map(work(files).map(({ path, content }) => [path, content])),
        );
      }),
    );
  });

  it('has files and folders of any name, also those that an object takes for its own, here and at the service', async () => {
    const paths = ['__proto__', 'a/__proto__', 'constructor', 'toString/hasOwnProperty', 'é'];
    const files = paths.map((path) => ({ path, content: text(`of ${path}`) }));
    const byPath = (some: readonly WorkFile[]) =>
      new Map(some.map(({ path, content }) => [path, new TextDecoder().decode(content)]));
    const zip = packed(files);
    expect(byPath(unpacked(zip, { files: 5, bytes: 1_000 }) ?? [])).toEqual(byPath(files));
    const received = await unpackHere('work.zip', zip, { files: 5, bytes: 1_000 });
    expect(byPath('files' in received ? received.files : [])).toEqual(byPath(files));
  });

  it.each([
    ['no zip', text('nothing')],
    ['cut', packed(work({ 'a.txt': 'a' })).subarray(0, 20)],
    ['of a path that leads out', zipSync({ '../a.txt': text('a') })],
    ['of an absolute path', zipSync({ '/a.txt': text('a') })],
    ['with a link', zipSync({ link: [text('/etc/passwd'), { os: 3, attrs: 0o120_777 * 0x1_0000 }] })],
    ['larger than a hand-in', zipSync({ 'a.txt': new Uint8Array(1_001) })],
    [
      'of too many files',
      zipSync(Object.fromEntries(Array.from({ length: 7 }, (_, at) => [`${at}`, text('')]))),
    ],
  ])('is not shown if it is %s', (_, zip) => {
    expect(unpacked(zip, LIMITS)).toBeNull();
  });

  it('is listed as the service lists it', async () => {
    expect(await manifestOf(work({ a: 'abc' }))).toEqual([
      { path: 'a', bytes: 3, sha256: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad' },
    ]);
  });
});

describe('what was chosen', () => {
  const chosen = (files: Readonly<Record<string, Uint8Array | string>>, isFolder = false) => ({
    files: Object.entries(files).map(([path, content]) => ({ path, file: new Blob([content as BlobPart]) })),
    isFolder,
    leftOut: [],
  });
  const pathsOf = async (...given: Parameters<typeof collected>) => {
    const came = await collected(...given);
    if ('problem' in came) return came.problem;
    const { name, wrapper, manifest } = came;
    return { name, wrapper, paths: manifest && manifest.map(({ path }) => path) };
  };
  const starter = [{ path: 'src/a.js', bytes: 1, sha256: 'x' }];

  it('is a folder: its files without it, packed', async () => {
    expect(await pathsOf(chosen({ 'mine/src/a.js': 'a', 'mine/b': 'b' }, true), starter)).toEqual({
      name: 'mine.zip',
      wrapper: 'mine/',
      paths: ['src/a.js', 'b'],
    });
  });

  it('is a folder that the starter has: its files in it, packed', async () => {
    expect(await pathsOf(chosen({ 'src/a.js': 'a', 'src/b': 'b' }, true), starter)).toEqual({
      name: 'work.zip',
      wrapper: '',
      paths: ['src/a.js', 'src/b'],
    });
  });

  it('is several files: packed', async () => {
    expect(await pathsOf(chosen({ a: 'a', b: 'b' }), [])).toMatchObject({
      name: 'work.zip',
      paths: ['a', 'b'],
    });
  });

  it('is one file: sent as it is', async () => {
    const came = await collected(chosen({ 'a.js': 'a' }), []);
    expect(came).toMatchObject({ name: 'a.js', content: text('a'), sha256: await sha256Of(text('a')) });
  });

  it('is an archive: sent as it is, and shown without a folder around what the starter has at its top', async () => {
    const plain = zipSync({ 'src/a.js': text('b') });
    expect(await collected(chosen({ 'w.zip': plain }), starter)).toMatchObject({
      content: plain,
      wrapper: '',
    });
    const wrapped = zipSync({ 'w/src/a.js': text('b'), 'w/node_modules/x.js': text('x') });
    const came = await collected(chosen({ 'w.zip': wrapped }), starter);
    expect(came).toMatchObject({
      content: wrapped,
      wrapper: 'w/',
      leftOut: ['w/node_modules'],
      manifest: [{ path: 'src/a.js' }],
    });
  });

  it('is an archive that the page cannot look into: the service judges it', async () => {
    for (const name of ['w.zip', 'w.tar', 'w.tar.gz', 'w.bundle'])
      expect(await collected(chosen({ [name]: 'x' }), starter)).toMatchObject({ name, manifest: null });
  });

  it('is nothing, too many files or too much: that is said at once', async () => {
    expect(await pathsOf(chosen({}), [])).toBe('empty');
    const many = Object.fromEntries(Array.from({ length: 1_001 }, (_, at) => [`${at}`, '']));
    expect(await pathsOf(chosen(many), [])).toBe('tooMany');
    expect(await pathsOf(chosen({ a: new Uint8Array(10 * 1_024 * 1_024 + 1) }), [])).toBe('tooLarge');
  });

  it('is a folder by a field: installed packages and what tools keep are left out', () => {
    const file = (path: string) => ({ name: path, webkitRelativePath: path }) as unknown as File;
    const list = ['w/a.js', 'w/.git/config', 'w/node_modules/x/i.js', 'w/.DS_Store'].map(file);
    const { files, leftOut, isFolder } = chosenBy(list);
    expect([files.map(({ path }) => path), leftOut, isFolder]).toEqual([
      ['w/a.js'],
      ['w/node_modules'],
      true,
    ]);
  });
});
