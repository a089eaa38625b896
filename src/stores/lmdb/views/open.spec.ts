import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { open } from 'lmdb';
import { spawn } from 'node:child_process';
import { closeSync, openSync, readSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pointer } from '../../../../test/contracts/pointers.js';
import {
  at,
  document,
  INDEXES,
  readStoreContract,
  repaired,
  write,
  writeOver,
} from '../../../../test/contracts/read-store.js';
import { untilStopped } from '../../../../test/support/server-process.js';
import type { GenerationName } from '../../read-store.js';
import { openEmbeddedReadStore } from './open.js';

readStoreContract('the embedded store', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'read-store-'));
  return {
    connect: () => openEmbeddedReadStore(folder),
    remove: () => rm(folder, { recursive: true }),
  };
});

const VIEW = 'things.v1.g1' as GenerationName;

describe('the embedded read store', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'read-store.with-a-dot-'));
  });

  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('is what it was after it has been closed', async () => {
    const store = await openEmbeddedReadStore(folder);
    await store.collection(VIEW, INDEXES).apply([write(document('a', 1, 'x'), null, { byOwner: ['o'] })]);
    await store.checkpoints.advance('c', null, at(1));
    await store.pointers.swap('things', null, pointer(1));
    await store.close();
    const again = await openEmbeddedReadStore(folder);
    const page = await again.collection(VIEW, INDEXES).page({ index: 'byOwner', prefix: ['o'], limit: 1 });
    expect(page.items).toEqual([document('a', 1, 'x')]);
    expect(await again.checkpoints.get('c')).toBe(at(1));
    expect(await again.pointers.get('things')).toEqual(pointer(1));
    await again.close();
  });

  it('begins anew where its folder was deleted', async () => {
    const store = await openEmbeddedReadStore(folder);
    await store.collection(VIEW, {}).apply([write(document('a', 1))]);
    await store.close();
    await rm(folder, { recursive: true });
    const fresh = await openEmbeddedReadStore(folder);
    expect(await fresh.generations()).toEqual([]);
    expect(await fresh.collection(VIEW, {}).apply([write(document('a', 1))])).toEqual(['written']);
    await fresh.close();
  });

  it('answers for pointers and numbers after the flush', async () => {
    const store = await openEmbeddedReadStore(folder);
    const view = store.collection(VIEW, {});
    const file = openSync(join(folder, 'data.mdb'), 'r');
    const number = (position: number): bigint => {
      const bytes = Buffer.alloc(8);
      readSync(file, bytes, 0, 8, position);
      return bytes.readBigUInt64LE();
    };
    // LMDB writes a transaction's number once all of it is flushed; where flushes overlap, later, and to a third place.
    let last = 0n;
    const flushed = (): boolean => {
      const [first, middle, second] = [0, 2_048, 4_096].map((head) => number(head + 152));
      const newest = first! > second! ? first! : second!;
      const isNewer = newest > last;
      last = newest;
      return isNewer && middle === 0n;
    };
    const load = 'x'.repeat(2_000_000);
    const writes: Promise<unknown>[] = [];
    for (let n = 1; n <= 3; n++) {
      // Much to flush in the same commit, so that it takes a while.
      writes.push(view.apply([write(document(`a${n}`, 1, load))]));
      await store.pointers.nextNumber('things');
      expect(flushed()).toBe(true);
      writes.push(view.apply([write(document(`b${n}`, 1, load))]));
      await store.pointers.swap(`v${n}`, null, pointer(1));
      expect(flushed()).toBe(true);
    }
    await Promise.all(writes);
    closeSync(file);
    await store.close();
  });

  it('shares what it parsed as long as the store holds it, and nothing longer', async () => {
    const store = await openEmbeddedReadStore(folder);
    const view = store.collection(VIEW, {});
    await view.apply([write(document('a', 1, { n: [1] }))]);
    const first = await view.get('a');
    expect(await view.get('a')).toBe(first);
    expect(() => ((first?.body as { n: number[] }).n[0] = 2)).toThrow(TypeError);
    // At the same position and of the same size.
    await view.apply([writeOver(repaired(document('a', 1, { n: [2] }), 1), [1, 0])]);
    await view.apply([writeOver(repaired(document('a', 1, { n: [3] }), 2), [1, 1])]);
    expect((await view.get('a'))?.body).toEqual({ n: [3] });
    await store.drop(VIEW);
    expect(await view.get('a')).toBeNull();
    await store.close();
  });

  it('hands out a page again until a document of its generation is changed, whatever else is', async () => {
    const store = await openEmbeddedReadStore(folder);
    const other = await openEmbeddedReadStore(folder);
    const put = (view: GenerationName, id: string) =>
      other.collection(view, INDEXES).apply([write(document(id, 1), null, { byOwner: ['o'] })]);
    const listed = () => store.collection(VIEW, INDEXES).page({ index: 'byOwner', prefix: ['o'], limit: 9 });
    await put(VIEW, 'a');
    const first = await listed();
    await other.checkpoints.advance('c', null, at(1));
    await put('things.v1.g2' as GenerationName, 'a');
    expect(await listed()).toBe(first);
    expect(await put(VIEW, 'a')).not.toEqual(['written']);
    expect(await listed()).toBe(first);
    await put(VIEW, 'b');
    const second = await listed();
    expect(second.items.map(({ id }) => id)).toEqual(['a', 'b']);
    await other.drop(VIEW);
    expect((await listed()).items).toEqual([]);
    await put(VIEW, 'c');
    expect((await listed()).items.map(({ id }) => id)).toEqual(['c']);
    await Promise.all([store.close(), other.close()]);
  });

  it('is read without a write lock by operators', async () => {
    await expect(openEmbeddedReadStore(folder, { readOnly: true })).rejects.toMatchObject({
      code: 'store_unusable',
      message: expect.stringContaining('There is no read store in'),
    });
    const store = await openEmbeddedReadStore(folder);
    await store.collection(VIEW, {}).apply([write(document('a', 1, 'x'))]);
    await store.close();
    const reader = await openEmbeddedReadStore(folder, { readOnly: true });
    expect((await reader.collection(VIEW, {}).get('a'))?.body).toBe('x');
    await expect(reader.checkpoints.advance('c', null, at(1))).rejects.toThrow('reading only');
    await reader.close();
  });

  it('refuses everything once it is closed, also twice', async () => {
    const store = await openEmbeddedReadStore(folder);
    const view = store.collection(VIEW, {});
    await store.close();
    await store.close();
    const late = [view.get('a'), view.apply([write(document('a', 1))]), store.pointers.nextNumber('things')];
    for (const call of late) await expect(call).rejects.toMatchObject({ code: 'read_store_unavailable' });
  });

  it('stays open for others of this process when a handle on it is closed, also twice', async () => {
    const [store, other] = [await openEmbeddedReadStore(folder), await openEmbeddedReadStore(folder)];
    await store.close();
    await store.close();
    const late = [
      store.collection(VIEW, {}).apply([write(document('a', 1))]),
      store.checkpoints.get('c'),
      store.checkpoints.advance('c', null, at(1)),
    ];
    for (const call of late) await expect(call).rejects.toMatchObject({ code: 'read_store_unavailable' });
    expect(await other.checkpoints.advance('c', null, at(1))).toBe(true);
    expect(await other.checkpoints.get('c')).toBe(at(1));
    await other.close();
  });

  it('refuses a register that was changed in its file', async () => {
    const store = await openEmbeddedReadStore(folder);
    await store.checkpoints.advance('c', null, at(1));
    await store.close();
    const raw = open<Buffer, Buffer>({
      ...{ path: folder, noSubdir: false, overlappingSync: false },
      ...{ encoding: 'binary', keyEncoding: 'binary' },
    });
    const registers = raw.openDB<Buffer, Buffer>({
      ...{ name: 'registers', encoding: 'binary', keyEncoding: 'binary' },
    });
    for (const { key, value } of [...registers.getRange({ start: Buffer.from('c'), end: Buffer.from('d') })])
      await registers.put(
        Buffer.from(key),
        Buffer.from(value.toString('latin1').replace('1"', '2"'), 'latin1'),
      );
    await raw.close();
    const again = await openEmbeddedReadStore(folder);
    for (const call of [again.checkpoints.get('c'), again.checkpoints.advance('c', at(1), at(3))])
      await expect(call).rejects.toMatchObject({
        code: 'store_unusable',
        message: expect.stringContaining('is damaged (a checkpoint, lease or pointer)'),
      });
    await again.close();
  });

  it('rejects in its time what waits for another process’s write lock, and never stores that', async () => {
    const patient = await openEmbeddedReadStore(folder);
    const hasty = await openEmbeddedReadStore(folder, { deadlineMs: 100 });
    const script = `
      const root = require('lmdb').open({ path: process.argv[1], noSubdir: false, overlappingSync: false });
      root.transactionSync(() => process.kill(process.pid, 'SIGSTOP'));`;
    const holder = spawn(process.execPath, ['-e', script, folder], { stdio: 'inherit' });
    try {
      await untilStopped(holder.pid!);
      const began = performance.now();
      const late = hasty.pointers.nextNumber('things');
      await expect(late).rejects.toMatchObject({ code: 'read_store_unavailable' });
      expect(performance.now() - began).toBeLessThan(4_000);
      const waiting = patient.pointers.nextNumber('things');
      holder.kill('SIGCONT');
      expect(await waiting).toBe(1);
      expect(await hasty.pointers.nextNumber('things')).toBe(2);
    } finally {
      holder.kill('SIGKILL');
      await Promise.all([patient.close(), hasty.close()]);
    }
  });

  it('settles what was pending when it is closed', async () => {
    const store = await openEmbeddedReadStore(folder);
    const pending = store.collection(VIEW, {}).apply([write(document('a', 1))]);
    await store.close();
    expect(await pending).toEqual(['written']);
  });

  it.each([
    ['a newer', 3, 'newer version (format 3, this one knows 2). Run that version, or'],
    ['an older', 1, 'older version (format 1, this one knows 2) and cannot be read any more.'],
  ])('refuses the folder of %s version, and leaves it as it is', async (_, format, said) => {
    await (await openEmbeddedReadStore(folder)).close();
    const other = open<Buffer, Buffer>({
      path: folder,
      noSubdir: false,
      encoding: 'binary',
      keyEncoding: 'binary',
    });
    const registers = other.openDB<Buffer, Buffer>({
      name: 'registers',
      encoding: 'binary',
      keyEncoding: 'binary',
    });
    await registers.put(Buffer.from('format'), Buffer.from(String(format)));
    await other.close();
    for (const readOnly of [false, true, false]) {
      const refusal = await openEmbeddedReadStore(folder, { readOnly }).catch((error: unknown) => error);
      expect(refusal).toMatchObject({ code: 'store_unusable' });
      const { message } = refusal as Error;
      expect(message).toContain(said);
      expect(message).toMatch(/delete that folder and start again: views are rebuilt from the log\.$/);
    }
  });

  it('refuses a folder that holds something else', async () => {
    const foreign = open({ path: folder, noSubdir: false });
    await foreign.openDB({ name: 'events' }).put('a', 1);
    await foreign.close();
    await expect(openEmbeddedReadStore(folder)).rejects.toMatchObject({
      code: 'store_unusable',
      message: expect.stringContaining('other than the read store of this service'),
    });
    await rm(folder, { recursive: true });
    await writeFile(folder, 'a file');
    await expect(openEmbeddedReadStore(folder)).rejects.toMatchObject({ code: 'store_unusable' });
  });
});
