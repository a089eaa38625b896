import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { gzipSync } from 'node:zlib';
import { bundleOf } from '../../test/support/raw-archives.js';
import { isRefused } from '../core/decider.js';
import { packTarHere, packZipHere, unpackHere } from './archives.js';
import { archiveOf } from './collect.js';
import { leftOutBy, PathCollisions, pathProblem } from './paths.js';
import { type Tree, treeHash, treeOf } from './tree.js';

const LIMITS = { files: 100, bytes: 200_000 };

const name = fc.oneof(
  fc.stringMatching(/^[a-zA-Z0-9_-][a-zA-Z0-9_.-]{0,12}$/),
  fc.constantFrom('__proto__', 'constructor', 'toString', '0', '1', 'größe', '日本語', '🙂', 'a b', 'x'.repeat(255)),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }),
); // prettier-ignore

const content = fc.oneof(
  fc.uint8Array({ maxLength: 2_000 }),
  fc.string({ maxLength: 2_000 }).map((text) => new Uint8Array(Buffer.from(text))),
  fc.integer({ min: 0, max: 2_000 }).map((bytes) => new Uint8Array(bytes)),
);

/** Trees that may be packed: what `unpack` would refuse or leave out is not in them. */
const tree: fc.Arbitrary<Tree> = fc
  .array(fc.record({ names: fc.array(name, { minLength: 1, maxLength: 4 }), content }), { minLength: 1, maxLength: 12 })
  .map((files) => {
    const collisions = new PathCollisions();
    return treeOf(
      files
        .map(({ names, content }) => ({ path: names.join('/').normalize('NFC'), content }))
        .filter(
          ({ path, content }) =>
            pathProblem(path) === null &&
            leftOutBy(path) === null &&
            archiveOf(content) === null &&
            collisions.add(path) === null,
        ),
    );
  })
  .filter(({ files }) => files.length > 0); // prettier-ignore

const plain = ({ files }: Tree): unknown =>
  files.map(({ content, ...file }) => ({ ...file, content: Buffer.from(content).toString('hex') }));

const unpacked = async (file: string, packed: Uint8Array): Promise<Tree> => {
  const result = await unpackHere(file, packed, LIMITS);
  if (isRefused(result)) throw new Error(result.refusal.message);
  return result;
};

describe('packing and unpacking', () => {
  it('gives the same tree again, by zip, tar and tar.gz', async () => {
    await fc.assert(
      fc.asyncProperty(tree, async (before) => {
        const tar = await packTarHere(before);
        for (const [file, packed] of [
          ['w.zip', await packZipHere(before)],
          ['w.tar', tar],
          ['w.tgz', gzipSync(tar)],
        ] as const)
          expect(plain(await unpacked(file, packed))).toEqual(plain(before));
      }),
      { numRuns: 150 },
    );
  });

  it('gives the same bytes and the same hash whatever the order', async () => {
    await fc.assert(
      fc.asyncProperty(tree, async (one) => {
        const other = treeOf([...one.files].reverse());
        expect(treeHash([...one.files].reverse())).toBe(treeHash(one.files));
        expect(Buffer.compare(await packZipHere(one), await packZipHere(other))).toBe(0);
        expect(Buffer.compare(await packTarHere(one), await packTarHere(other))).toBe(0);
      }),
      { numRuns: 50 },
    );
  });

  it('hashes as sha256sum prints it', () => {
    expect(treeHash(treeOf([{ path: 'b', content: Buffer.from('2') }, { path: 'a/c', content: Buffer.from('1') }]).files)).toBe(
      '1611be2fb85a7252d10365b756eb80672d6e3c595d0dde461acb9342fc3fbd0c',
    );
  }); // prettier-ignore
});

/** A change to an archive’s bytes: set, cut out, put in, or repeated. */
const change = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  kind: fc.constantFrom('set', 'cut', 'insert', 'repeat'),
  bytes: fc.oneof(fc.uint8Array({ minLength: 1, maxLength: 8 }), fc.constantFrom(
    new Uint8Array([0xff, 0xff, 0xff, 0xff]), new Uint8Array([0, 0, 0, 0]), new Uint8Array([0x50, 0x4b, 1, 2]), new Uint8Array([0x50, 0x4b, 5, 6]),
  )),
}); // prettier-ignore

const changed = (
  archive: Buffer,
  changes: readonly { at: number; kind: string; bytes: Uint8Array }[],
): Buffer =>
  changes.reduce((before, { at, kind, bytes }) => {
    const from = Math.floor(at * before.byteLength);
    const [head, tail] = [before.subarray(0, from), before.subarray(from)];
    if (kind === 'set') return Buffer.concat([head, bytes, tail.subarray(bytes.byteLength)]);
    if (kind === 'cut') return Buffer.concat([head, tail.subarray(bytes.byteLength)]);
    if (kind === 'insert') return Buffer.concat([head, bytes, tail]);
    return Buffer.concat([head, tail.subarray(0, 64), tail]);
  }, archive);

describe('unpacking anything', () => {
  const base = treeOf(
    ['src/a.js', 'b.txt', 'src/deep/c'].map((path) => ({ path, content: Buffer.from(path.repeat(40)) })),
  );
  const bundle = bundleOf([
    ['100644', 'a', 'hello '.repeat(50)],
    ['100755', 'b', 'x'],
  ]);

  it.each([
    ['w.zip', () => packZipHere(base)],
    ['w.tar', () => packTarHere(base)],
    ['w.tgz', async () => gzipSync(await packTarHere(base))],
    ['w.bundle', async () => bundle],
  ])('of a changed %s answers with a tree within the limits, or a sentence', async (file, pack) => {
    const archive = Buffer.from(await pack());
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async (changes) => {
        const result = await unpackHere(file, changed(archive, changes), LIMITS);
        if (isRefused(result)) expect(result.refusal.message).toMatch(/^[A-Z].*[.A-Z]$/s);
        else for (const { path } of result.files) expect(pathProblem(path)).toBeNull();
      }),
      { numRuns: 400 },
    );
  });

  it.each(['w.zip', 'w.tar', 'w.tgz', 'w.bundle', 'w.txt'])('of any bytes as %s answers', async (file) => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 3_000 }), async (bytes) => {
        await unpackHere(file, bytes, LIMITS);
      }),
      { numRuns: 100 },
    );
  });
});
