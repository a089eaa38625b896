import { describe, expect, it, jest } from '@jest/globals';
import { gzipSync } from 'node:zlib';
import { isRefused } from '../core/decider.js';
import { differenceOf } from './difference.js';
import { fingerprintsOf } from './fingerprints.js';
import { difference, fingerprints, manifest, packTar, packZip, unpack } from './in-worker.js';
import { HAND_IN_LIMITS } from './limits.js';
import { sha256Of, treeHash, treeOf } from './tree.js';

const tree = treeOf([
  { path: 'a/b.js', content: Buffer.from('let b;') },
  { path: 'c', content: Buffer.alloc(3_000_000, 'x') },
]);

describe('a thread for archives', () => {
  // The first test: no thread is idle yet.
  it('does no job once it is being ended for want of one', async () => {
    jest.useFakeTimers({
      doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'setInterval', 'performance', 'Date'],
    });
    try {
      for (let times = 0; times < 5; times++) {
        await unpack('w.js', [Buffer.from('let b;')], HAND_IN_LIMITS);
        jest.advanceTimersByTime(10_000);
        expect(isRefused(await unpack('w.js', [Buffer.from('let b;')], HAND_IN_LIMITS))).toBe(false);
      }
      jest.advanceTimersByTime(10_000);
    } finally {
      jest.useRealTimers();
    }
  });

  it('packs and unpacks as the functions that it calls', async () => {
    for (const [name, packed] of [
      ['w.zip', await packZip(tree)],
      ['w.tar', await packTar(tree)],
    ] as const) {
      const result = await unpack(name, [packed], HAND_IN_LIMITS);
      if (isRefused(result)) throw new Error(result.refusal.message);
      expect(treeHash(result.files)).toBe(treeHash(tree.files));
      expect(Buffer.from(result.files[0]?.content ?? []).toString()).toBe('let b;');
    }
  });

  it('lists files without what they hold, of the announced content alone', async () => {
    const packed = await packZip(tree);
    const sha256 = sha256Of(packed);
    expect(
      await manifest(sha256Of(Buffer.from('other')), 'w.zip', [Buffer.from(packed)], HAND_IN_LIMITS),
    ).toBeNull();
    const files = await manifest(sha256, 'w.zip', [packed], HAND_IN_LIMITS);
    expect(files).toEqual(tree.files.map(({ path, bytes, sha256: own }) => ({ path, bytes, sha256: own })));
    const none = Buffer.from('no');
    expect(await manifest(sha256Of(none), 'w.zip', [none], HAND_IN_LIMITS)).toMatchObject({
      refusal: { code: 'work_refused' },
    });
  });

  it('compares as the functions that it calls', async () => {
    const other = treeOf([{ path: 'a/b.js', content: Buffer.from('let c;') }]);
    const key = Buffer.alloc(32);
    expect(await difference(tree, other)).toEqual(differenceOf(tree, other));
    expect(await fingerprints(tree, null, key)).toEqual(fingerprintsOf(tree, null, key));
  });

  it('takes a large archive over, and leaves trees and small ones, whose memory others may share', async () => {
    const [small, large] = [Buffer.from('let b;'), Buffer.alloc(3_000_000, 'x')];
    await unpack('small.js', [small], HAND_IN_LIMITS);
    await unpack('large.js', [large], HAND_IN_LIMITS);
    expect([small.toString(), large.byteLength]).toEqual(['let b;', 0]);
  });

  it('ends with what its content throws, and leaves its thread to others', async () => {
    async function* cutOff(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('let ');
      throw new Error('The store is away.');
    }
    await expect(unpack('w.js', cutOff(), HAND_IN_LIMITS)).rejects.toThrow('The store is away.');
    const pieces = [Buffer.from('let '), Buffer.from('b;')];
    expect(await unpack('w.js', pieces, HAND_IN_LIMITS)).toMatchObject({ files: [{ bytes: 6 }] });
  });

  it('hands a refusal on', async () => {
    expect(await unpack('w.zip', [Buffer.from('no')], HAND_IN_LIMITS)).toMatchObject({
      kind: 'refused',
      refusal: { code: 'work_refused' },
    });
  });

  it('leaves the caller’s event loop free while it unpacks as much as it may', async () => {
    const bomb = gzipSync(Buffer.alloc(100 * 1024 * 1024));
    const before = performance.eventLoopUtilization();
    const bombs = [1, 2, 3].map(() => Buffer.from(bomb));
    const results = await Promise.all(bombs.map((one) => unpack('w.tgz', [one], HAND_IN_LIMITS)));
    expect(results.every(isRefused)).toBe(true);
    expect(performance.eventLoopUtilization(before).utilization).toBeLessThan(0.5);
  });
});
