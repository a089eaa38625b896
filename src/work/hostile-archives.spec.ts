import { describe, expect, it } from '@jest/globals';
import { deflateRawSync, gzipSync } from 'node:zlib';
import {
  blob, bundleOf, commit, oidOf, paxRecord, rawBundle, type RawObject, rawPack, rawTar, type RawTarEntry, rawZip, type RawZipEntry, treeObject,
} from '../../test/support/raw-archives.js'; // prettier-ignore
import { isRefused } from '../core/decider.js';
import { refusedWork } from '../languages/de/refused-work.js';
import { unpackHere } from './archives.js';
import type { TreeLimits } from './limits.js';

const LIMITS: TreeLimits = { files: 20, bytes: 100_000 };

const messageOf = async (name: string, content: Buffer, limits = LIMITS): Promise<string> => {
  const result = await unpackHere(name, content, limits);
  if (!isRefused(result)) return `taken: ${result.files.map(({ path }) => path).join(', ')}`;
  expect(result.refusal.code).toBe('work_refused');
  expect(refusedWork(result.refusal.message)).not.toMatch(ENGLISH);
  return result.refusal.message;
};
/** Words of the sentences in English, of which the page in German shows none. The paths of the tests have none of them. */
const ENGLISH = /\b(?:The|There|Pack|is|has|of|with|that|it|its|by)\b/;

const filesOf = async (name: string, content: Buffer): Promise<unknown> => {
  const result = await unpackHere(name, content, LIMITS);
  if (isRefused(result)) return result.refusal.message;
  return Object.fromEntries(result.files.map(({ path, content }) => [path, Buffer.from(content).toString()]));
};

const zipOf = (...entries: readonly (RawZipEntry | string)[]): Buffer =>
  rawZip(entries.map((entry) => (typeof entry === 'string' ? { name: entry, content: 'x' } : entry)));
const tarOf = (...entries: readonly RawTarEntry[]): Buffer => rawTar(entries);

const GOOD = { name: 'src/a.js', content: 'hello '.repeat(100) };

describe('unpack takes', () => {
  const FILES = { 'README.md': '# Hi', 'src/a.js': 'let a;' };

  it.each([
    ['work.zip', rawZip([{ name: 'src/', mode: 0o040755, content: '', stored: true }, { name: 'src/a.js', content: 'let a;' }, { name: 'README.md', content: '# Hi', stored: true }])],
    ['zip64.ZIP', rawZip([{ name: 'src/a.js', content: 'let a;' }, { name: 'README.md', content: '# Hi' }], { zip64: {}, comment: 'by Java' })],
    ['work.tar', tarOf({ name: './', flag: '5' }, { name: './src/a.js', content: 'let a;' }, { name: './README.md', content: '# Hi' })],
    ['work.tgz', gzipSync(tarOf({ name: 'README.md', content: '# Hi' }, { name: 'src/a.js', content: 'let a;' }))],
  ])('%s with the same files', async (name, content) => {
    expect(await filesOf(name, content)).toEqual(FILES);
  }); // prettier-ignore

  it('the commit that a git bundle’s HEAD is at, with its folders', async () => {
    const [a, readme] = [blob('let a;'), blob('# Hi')];
    const src = treeObject([['100755', 'a.js', oidOf(a)]]);
    const root = treeObject([['100644', 'README.md', oidOf(readme)], ['40000', 'src', oidOf(src)]]); // prettier-ignore
    const head = commit(root);
    const lines = [`${oidOf(head).toString('hex')} refs/heads/main`];
    expect(await filesOf('work.bundle', rawBundle(lines, rawPack([head, root, src, a, readme])))).toEqual(
      FILES,
    );
  });

  it('a git bundle with differences against objects before and after', async () => {
    const base = blob('0123456789'.repeat(3));
    // 30 bytes become 12: 10 copied from 5, 2 inserted.
    const delta = Buffer.from([30, 12, 0x91, 5, 10, 2, 0x41, 0x42]);
    const result = blob('5678901234AB');
    const root = treeObject([['100644', 'b', oidOf(base)], ['100644', 'r', oidOf(result)]]); // prettier-ignore
    const head = commit(root);
    const pack = rawPack([{ type: 7, content: delta, base: oidOf(base) }, base, root, head]);
    expect(await filesOf('w.bundle', rawBundle([`${oidOf(head).toString('hex')} HEAD`], pack))).toEqual({
      b: '0123456789'.repeat(3),
      r: '5678901234AB',
    });
  });

  it('a single file of any other name, an empty one too', async () => {
    expect(await filesOf('answer.md', Buffer.from('yes'))).toEqual({ 'answer.md': 'yes' });
    expect(await filesOf('empty.txt', Buffer.alloc(0))).toEqual({ 'empty.txt': '' });
  });

  it('names of Windows’ own zip (CP437), of a zip that does not flag UTF-8, and of macOS (decomposed) as NFC', async () => {
    expect(await filesOf('w.zip', zipOf({ name: Buffer.from([0x9a, 0x62]), content: 'x', flags: 0 }))).toEqual({ Üb: 'x' });
    expect(await filesOf('w.zip', zipOf({ name: 'Üb', content: 'x', flags: 0 }))).toEqual({ Üb: 'x' });
    expect(await filesOf('w.tar', tarOf({ name: 'U\u0308b', content: 'x' }))).toEqual({ Üb: 'x' });
  }); // prettier-ignore

  it('what is beside version control, packages and what systems add, and names the packages', async () => {
    const names = ['a', '.git/config', 'x/.GIT/y', '__MACOSX/a', 'x/.DS_Store', '._a', 'node_modules/p/i.js', 'x/node_modules/q'];
    const link = { name: 'node_modules/.bin/p', content: '../p', mode: 0o120777 };
    const result = await unpackHere('w.zip', zipOf(...names, link), LIMITS);
    expect(result).toMatchObject({ files: [{ path: 'a' }], leftOut: ['node_modules', 'x/node_modules'] });
  }); // prettier-ignore

  it('as much as the limits say, and no more', async () => {
    const many = Array.from({ length: 20 }, (_, index) => `f${index}`);
    expect(await messageOf('w.zip', zipOf(...many))).toMatch(/^taken: f0,/);
    expect(await messageOf('w.zip', zipOf(...many, 'g'))).toBe(
      'There are more than 20 files, the first too many is “g”.',
    );
    const file = (bytes: number): Buffer => zipOf({ name: 'f', content: Buffer.alloc(bytes) });
    expect(await messageOf('w.zip', file(100_000))).toBe('taken: f');
    expect(await messageOf('w.zip', file(100_001))).toContain('larger than 100000 bytes together');
  });
});

const LONG = 'é'.repeat(128);

/** Names that no archive may have, in each that can have them. */
const NAMES: readonly (readonly [string, string, RegExp])[] = [
  ['a way out', '../evil', /“..\/evil” leads out of its folder/],
  ['a way out within', 'a/../../evil', /leads out/],
  ['an absolute path', '/etc/passwd', /is absolute/],
  ['a drive', 'C:/evil', /begins with a drive/],
  ['a drive’s folder', 'c:evil', /begins with a drive/],
  ['backslashes', '..\\evil', /backslash/],
  ['a stream of Windows', 'a.txt:hidden', /Windows does not allow/],
  ['a wildcard', 'a*', /Windows does not allow/],
  ['a control character', 'a\u0001b', /“a\\u\{1\}b” has an invisible character/],
  ['a line end', 'a\nb', /invisible/],
  ['a direction of writing', 'a\u202Egnp.js', /“a\\u\{202e\}gnp.js” has an invisible/],
  ['a character without width', 'a\u200Bb', /invisible/],
  ['a dot at the end', 'a.', /ends with a dot or a space/],
  ['a space at the end', 'a /b', /ends with a dot or a space/],
  ['a device of Windows', 'x/nul.txt', /device/],
  ['a port of Windows', 'COM¹', /device/],
  ['an empty name', 'a//b', /empty name/],
  ['a dot as name', 'a/./b', /empty name/],
  ['a name of 256 bytes', LONG, /more than 255 bytes/],
  ['a path of 1,025 bytes', `${'abcd/'.repeat(204)}12345`, /more than 1024 bytes/],
];

const CASES: readonly (readonly [string, string, Buffer, RegExp])[] = [
  ['no archive', 'w.zip', Buffer.from('hello'), /not a valid zip/],
  ['an empty zip', 'w.zip', rawZip([]), /holds no files/],
  ['a zip of folders', 'w.zip', rawZip([{ name: 'a/', mode: 0o040755 }]), /holds no files/],
  ['a zip of packages alone', 'w.zip', zipOf('node_modules/a'), /no files besides installed packages \(“node_modules”\)/],
  ['a cut zip', 'w.zip', zipOf(GOOD).subarray(0, -30), /not a valid zip/],
  ['a link', 'w.zip', zipOf({ name: 'l', content: '/etc/passwd', mode: 0o120777 }), /“l” is a symbolic link/],
  ['a device', 'w.zip', zipOf({ name: 'd', mode: 0o020666 }), /“d” is a device/],
  ['a pipe', 'w.zip', zipOf({ name: 'p', mode: 0o010666 }), /“p” is a device, a pipe/],
  ['an encrypted zip', 'w.zip', zipOf({ ...GOOD, flags: 1 }), /encrypted at “src\/a.js”/],
  ['a strongly encrypted zip', 'w.zip', zipOf({ ...GOOD, flags: 0x41 }), /encrypted/],
  ['a part of a split zip', 'w.zip', rawZip([GOOD], { disk: 1 }), /split/],
  ['an unknown compression', 'w.zip', zipOf({ ...GOOD, method: 14 }), /“src\/a.js” in a compression that is not known/],
  ['a bomb that tells', 'w.zip', zipOf({ name: 'b', content: Buffer.alloc(5_000_000) }), /larger than 100000 bytes together, the first too much is “b”/],
  ['a bomb that lies', 'w.zip', zipOf({ name: 'b', data: deflateRawSync(Buffer.alloc(5_000_000)), size: 100 }), /“b”: it has another size than it says/],
  ['a bomb of many', 'w.zip', rawZip(Array.from({ length: 12 }, (_, n) => ({ name: `b${n}`, content: Buffer.alloc(10_000) }))), /first too much is “b10”/],
  ['a stored file that lies', 'w.zip', zipOf({ ...GOOD, stored: true, size: 3 }), /not a valid zip/],
  ['a smaller size', 'w.zip', zipOf({ ...GOOD, size: 10 }), /another size/],
  ['a larger size', 'w.zip', zipOf({ ...GOOD, size: 10_000 }), /another size/],
  ['a wrong checksum', 'w.zip', zipOf({ ...GOOD, crc: 1 }), /checksum/],
  ['damaged content', 'w.zip', zipOf({ ...GOOD, data: Buffer.from('ffffff', 'hex') }), /damaged/],
  ['bytes after the content', 'w.zip', zipOf({ ...GOOD, data: Buffer.concat([deflateRawSync(Buffer.from(GOOD.content)), Buffer.from('evil')]) }), /bytes after its content/],
  ['data before', 'w.zip', rawZip([GOOD], { before: Buffer.from('#!/bin/sh\n') }), /bytes before it that are in no entry/],
  ['data after', 'w.zip', rawZip([GOOD], { after: Buffer.from('evil') }), /not a valid zip/],
  ['data between', 'w.zip', zipOf({ ...GOOD, after: Buffer.from('evil') }, 'b'), /bytes before it/],
  ['data before the directory', 'w.zip', zipOf({ ...GOOD, after: Buffer.from('evil') }), /bytes before it/],
  ['a second directory in the comment', 'w.zip', rawZip([GOOD], { comment: zipOf('evil').toString('latin1') }), /not a valid zip|contradicts/],
  ['overlapping entries', 'w.zip', zipOf(GOOD, { ...GOOD, name: 'b', local: { name: 'src/a.js' }, offset: 0 }), /another name at its content/],
  ['one content for two', 'w.zip', zipOf('a', { name: 'a', content: 'x', offset: 0 }), /is there twice/],
  ['an entry within another', 'w.zip', zipOf({ name: 'a', content: Buffer.concat([Buffer.from('--'), zipOf('b').subarray(0, 34)]), stored: true }, { name: 'b', content: 'x', offset: 33 }), /shares bytes with another entry/],
  ['two names', 'w.zip', zipOf({ ...GOOD, local: { name: 'b' } }), /another name/],
  ['two sizes', 'w.zip', zipOf({ ...GOOD, local: { size: 3 } }), /two sizes/],
  ['two methods', 'w.zip', zipOf({ ...GOOD, local: { method: 0 } }), /two methods/],
  ['a header elsewhere', 'w.zip', zipOf({ ...GOOD, offset: 5 }), /not where the directory says/],
  ['content beyond the end', 'w.zip', zipOf({ ...GOOD, packedSize: 1e9 }), /not where the directory says/],
  ['fewer entries than there are', 'w.zip', rawZip([GOOD, { name: 'b' }], { entryCount: 1 }), /another number of entries/],
  ['more entries than there are', 'w.zip', rawZip([GOOD], { entryCount: 9 }), /not a valid zip/],
  ['a zip64 end that lies of entries', 'w.zip', rawZip([GOOD], { zip64: { entries: 2 ** 40 } }), /not a valid zip/],
  ['a zip64 end that lies of the place', 'w.zip', rawZip([GOOD], { zip64: { offset: 2 ** 50 } }), /not a valid zip/],
  ['a folder with content', 'w.zip', zipOf({ name: 'a/', content: 'x', mode: 0o040755 }), /folder with content/],
  ['a file that is a folder', 'w.zip', zipOf({ name: 'a/', content: '', mode: 0o100644 }), /a file and a folder/],
  ['a second name in a field', 'w.zip', zipOf({ name: 'a', content: 'x', extra: Buffer.from('757006000143beb7e862', 'hex') }), /also called “b”/],
  ['invalid UTF-8 that is flagged', 'w.zip', zipOf({ name: Buffer.from([0x61, 0xff]), content: 'x' }), /not valid UTF-8/],
  ['the same twice', 'w.zip', zipOf('a/b', 'a/b'), /“a\/b” is there twice/],
  ['the same but for case', 'w.zip', zipOf('a/b', 'a/B'), /differs from “a\/b” only in upper/],
  ['folders the same but for case', 'w.zip', zipOf('a/b', 'A/c'), /differs from “a” only/],
  ['the same but for Unicode', 'w.zip', zipOf('é', 'e\u0301'), /“é” is there twice/],
  ['the same but for width', 'w.zip', zipOf('ﬁ', 'fi'), /differs from/],
  ['a file and a folder', 'w.zip', zipOf('a', 'a/b'), /needs “a” as a folder and as a file/],
  ['a folder and a file', 'w.zip', zipOf('a/b', 'a'), /needs “a” as a folder and as a file/],
  ['a zip in a zip', 'w.zip', zipOf({ name: 'a.txt', content: zipOf('b') }), /“a.txt” is a zip archive by its content/],
  ['a gzip in a tar', 'w.tar', tarOf({ name: 'a', content: gzipSync('x') }), /“a” is a gzip archive/],
  ['a tar in a zip', 'w.zip', zipOf({ name: 'a', content: tarOf({ name: 'b' }) }), /“a” is a tar archive/],
  ['a bundle in a tar', 'w.tar', tarOf({ name: 'a', content: bundleOf([]) }), /“a” is a git bundle/],
  ['an archive under another name', 'a.txt', zipOf('b'), /“a.txt” is a zip archive by its content. Archives are taken as/],
  ['a single file with a folder', 'a/b.txt', Buffer.from('x'), /has a slash/],
  ['a single file with a trick', 'nul.txt', Buffer.from('x'), /device/],
  ['an empty tar', 'w.tar', rawTar([]), /holds no files/],
  ['no tar', 'w.tar', Buffer.from('hello'), /not a valid tar/],
  ['a cut tar', 'w.tar', tarOf({ name: 'a', content: 'x' }).subarray(0, 1_000), /not a valid tar/],
  ['a tar without its end', 'w.tar', rawTar([{ name: 'a', content: 'x' }], Buffer.alloc(512)), /not a valid tar/],
  ['a tar with more after its end', 'w.tar', Buffer.concat([tarOf({ name: 'a' }), tarOf({ name: 'b' })]), /not a valid tar/],
  ['a wrong checksum in tar', 'w.tar', tarOf({ name: 'a', checksum: 1 }), /not a valid tar/],
  ['a hard link', 'w.tar', tarOf({ name: 'a', flag: '1', link: '/etc/passwd' }), /“a” is a hard link/],
  ['a symbolic link in tar', 'w.tar', tarOf({ name: 'a', flag: '2', link: '/' }), /“a” is a symbolic link/],
  ['a device in tar', 'w.tar', tarOf({ name: 'a', flag: '3' }), /“a” is a device/],
  ['a pipe in tar', 'w.tar', tarOf({ name: 'a', flag: '6' }), /“a” is a named pipe/],
  ['a file with holes', 'w.tar', tarOf({ name: 'a', flag: 'S' }), /type that is not known here \(“S”\)/],
  ['holes by attributes', 'w.tar', tarOf({ name: 'p', flag: 'x', content: paxRecord('GNU.sparse.name', 'b') }, { name: 'a' }), /“GNU.sparse.name”/],
  ['a size by attributes', 'w.tar', tarOf({ name: 'p', flag: 'x', content: paxRecord('size', '0') }, { name: 'a', content: 'x' }), /not a valid tar/],
  ['a way out by attributes', 'w.tar', tarOf({ name: 'p', flag: 'x', content: paxRecord('path', '../evil') }, { name: 'a' }), /“..\/evil” leads out/],
  ['a way out by a long name', 'w.tar', tarOf({ name: '././@LongLink', flag: 'L', content: '../evil\0' }, { name: 'a' }), /“..\/evil” leads out/],
  ['a way out for all', 'w.tar', tarOf({ name: 'p', flag: 'g', content: paxRecord('path', '/evil') }, { name: 'a' }), /“\/evil” is absolute/],
  ['a size that is no number', 'w.tar', tarOf({ name: 'a', size: '9999999999z' }), /not a valid tar/],
  ['a size in binary', 'w.tar', tarOf({ name: 'a', size: '\x80\0\0\0\x7f\xff\xff\xff\xff\xff\xff\xff' }), /not a valid tar/],
  ['a folder with content in tar', 'w.tar', tarOf({ name: 'a/', flag: '5', content: 'x' }), /folder with content/],
  ['invalid UTF-8 in tar', 'w.tar', tarOf({ name: Buffer.from([0x61, 0xff]) }), /not valid UTF-8/],
  ['no gzip', 'w.tgz', Buffer.from('hello'), /not valid gzip/],
  ['a gzip of no tar', 'w.tar.gz', gzipSync('hello'), /not a valid tar/],
  ['a cut gzip', 'w.tgz', gzipSync(tarOf({ name: 'a' })).subarray(0, -5), /not valid gzip/],
  ['a gzip bomb', 'w.tgz', gzipSync(Buffer.alloc(50_000_000)), /unpacks to more than 800000 bytes/],
  ['bytes after a gzip', 'w.tgz', Buffer.concat([gzipSync(tarOf({ name: 'a' })), Buffer.from('evil')]), /not valid gzip/],
  ['no bundle', 'w.bundle', Buffer.from('hello'), /not a valid git bundle/],
  ['an empty bundle', 'w.bundle', bundleOf([]), /holds no files/],
  ['a bundle with a link', 'w.bundle', bundleOf([['120000', 'l', '/etc/passwd']]), /“l” is a symbolic link/],
  ['a bundle with a submodule', 'w.bundle', bundleOf([['160000', 's', 'x']]), /“s” is a submodule/],
  ['a bundle with a way out', 'w.bundle', bundleOf([['100644', '../evil', 'x']]), /leads out/],
  ['a bundle of a part', 'w.bundle', rawBundle([`-${'0'.repeat(40)} before`, `${'0'.repeat(40)} HEAD`], rawPack([])), /needs commits that it does not hold/],
  ['a bundle of two branches', 'w.bundle', rawBundle([`${'0'.repeat(40)} refs/heads/a`, `${'1'.repeat(40)} refs/heads/b`], rawPack([])), /no HEAD, and not one branch/],
  ['a bundle without its objects', 'w.bundle', rawBundle([`${'0'.repeat(40)} HEAD`], rawPack([blob('x')])), /lacks objects/],
  ['a changed bundle', 'w.bundle', Buffer.concat([bundleOf([['100644', 'a', 'x']]), Buffer.from('!')]), /not a valid git bundle/],
  ['a bundle whose object lies of its size', 'w.bundle', rawBundle([`${'0'.repeat(40)} HEAD`], rawPack([{ ...blob('hello'), size: 2 }])), /not a valid git bundle/],
  ['a bundle bomb', 'w.bundle', bundleOf([['100644', 'a', 'x'.repeat(5_000_000)]]), /unpacks to more than 800000 bytes/],
]; // prettier-ignore

describe('unpack refuses, with a sentence,', () => {
  it.each(NAMES)('%s as a name in zip, tar and git', async (_, name, sentence) => {
    expect(await messageOf('w.zip', zipOf(name))).toMatch(sentence);
    const long = Buffer.byteLength(name) > 99;
    const pax = [{ name: 'p', flag: 'x', content: paxRecord('path', name) }, { name: 'short' }];
    expect(await messageOf('w.tar', tarOf(...(long ? pax : [{ name }])))).toMatch(sentence);
    expect(await messageOf('w.bundle', bundleOf([['100644', name, 'x']]))).toMatch(sentence);
  });

  it.each(CASES)('%s', async (_, name, content, sentence) => {
    expect(await messageOf(name, content)).toMatch(sentence);
  });

  it('a tree of trees that would have 10^9 files, before it walks it', async () => {
    const leaf = blob('x');
    let below = treeObject(Array.from({ length: 10 }, (_, index) => ['100644', `f${index}`, oidOf(leaf)]));
    const all = [leaf, below];
    for (let depth = 0; depth < 8; depth++) {
      const name = oidOf(below);
      below = treeObject(Array.from({ length: 10 }, (_, index) => ['40000', `d${index}`, name]));
      all.push(below);
    }
    const head = commit(below);
    const bundle = rawBundle([`${oidOf(head).toString('hex')} HEAD`], rawPack([...all, head]));
    expect(await messageOf('w.bundle', bundle)).toMatch(/There are more than 20 files/);
  });

  it('differences that grow on and on', async () => {
    const base = blob('x'.repeat(60_000));
    // Copies all of the base twice, again and again: each is twice as long.
    const objects: RawObject[] = [base];
    let size = 60_000;
    let before = base;
    for (let round = 0; round < 10; round++) {
      const number = (value: number): number[] =>
        value < 128 ? [value] : [(value % 128) | 0x80, ...number(Math.floor(value / 128))];
      const copy = [0xf0, size & 0xff, (size >> 8) & 0xff, (size >> 16) & 0xff];
      const delta = Buffer.from([...number(size), ...number(size * 2), ...copy, ...copy]);
      objects.push({ type: 7, content: delta, base: oidOf(before) });
      before = blob('x'.repeat((size *= 2)));
    }
    const bundle = rawBundle([`${'0'.repeat(40)} HEAD`], rawPack(objects));
    expect(await messageOf('w.bundle', bundle)).toMatch(/unpacks to more than 800000 bytes/);
  });

  it('an endless archive of what is left out', async () => {
    const entries = Array.from({ length: 1_001 }, (_, index) => ({ name: `node_modules/${index}` }));
    expect(await messageOf('w.zip', rawZip(entries))).toMatch(/more than 1000 entries/);
  });

  it('a path in a message that is cut and shows what would not be seen', async () => {
    const message = await messageOf('w.zip', zipOf(`${'a'.repeat(200)}\u202E`));
    expect(message).toMatch(/^The path “a{120}…” has an invisible character\.$/);
  });
});
