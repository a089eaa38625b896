import { describe, expect, it } from '@jest/globals';
import {
  MemoryDatabase,
  openMemoryReadStore,
  type MemoryReadStoreHooks,
} from '../../../test/support/memory-read-store.js';
import { body, CHECKPOINT, GENERATION, passRig as rig } from '../../../test/support/pass-rig.js';
import { accounts, added } from '../../../test/support/projection-rig.js';
import { VaultUnavailable } from '../../core/errors.js';
import type { Position } from '../../core/event-store.js';
import { DocumentTooLarge } from '../../stores/errors.js';
import type { GuardedWrite } from '../../stores/read-store.js';
import type { AnyView } from '../view.js';
import { PARKED_INDEX } from './fold.js';
import { isCheckpointBehind, type PassGuards, type SegmentPosition } from './pass.js';

describe('A pass', () => {
  it('folds the page, writes sealed documents with their keys, then moves the checkpoint', async () => {
    const { record, pass, collection, checkpoint } = rig();
    const [, second, third] = await record(added('a', 1), added('b', 2), added('a', 3));
    expect(await pass()).toMatchObject({ kind: 'advanced', position: third, folded: 3, parked: [] });
    expect(await collection.get('a')).toEqual({
      id: 'a',
      position: third,
      parkedAt: null,
      deleted: false,
      body: { sealed: { total: 4, entries: [1, 3], closed: false } },
    });
    expect((await collection.get('b'))?.position).toBe(second);
    expect(await checkpoint()).toBe(third);
    const page = await collection.page({ index: 'byTotal', prefix: [], limit: 9 });
    expect(page.items.map(({ id }) => id)).toEqual(['b', 'a']);
    expect(await pass()).toMatchObject({ kind: 'idle', position: third });
  });

  it('moves the checkpoint past events that it ignores, and writes nothing for them', async () => {
    const { record, pass, checkpoint, collection } = rig();
    const [position] = (await record(added(null, 1), { type: 'other', data: {} })).slice(-1);
    expect(await pass()).toMatchObject({ kind: 'advanced', position, folded: 0 });
    expect(await checkpoint()).toBe(position);
    for await (const document of collection.all()) expect(document).toBeUndefined();
  });

  it('upcasts before it filters by type', async () => {
    const { record, pass, total } = rig();
    await record({ type: 'former', data: { account: 'a', amount: 5 } });
    await pass();
    expect(await total('a')).toBe(5);
  });

  it('does nothing twice after a crash between view write and checkpoint', async () => {
    let crash = true;
    const hooks: MemoryReadStoreHooks = {
      before: ({ operation }) => {
        if (operation === 'checkpoints.advance' && crash) throw new Error('crash');
      },
    };
    const { record, pass, all, total, checkpoint } = rig({ hooks });
    const [, last] = await record(added('a', 1), added('a', 2));
    await expect(pass()).rejects.toThrow('crash');
    expect(await total('a')).toBe(3);
    expect(await checkpoint()).toBeNull();
    crash = false;
    await all();
    expect(await total('a')).toBe(3);
    expect(await checkpoint()).toBe(last);
  });

  it('does not advance where a write is refused and the document stands behind', async () => {
    let refused = 0;
    const { record, pass, all, total, checkpoint } = rig({ hooks: { refuses: () => refused-- > 0 } });
    await record(added('a', 1), added('b', 1));
    refused = 1;
    expect(await pass()).toEqual({ kind: 'again', reason: 'document behind' });
    expect(await checkpoint()).toBeNull();
    await all();
    expect([await total('a'), await total('b')]).toEqual([1, 1]);
  });

  it('takes a document at or beyond its position as somebody else’s work and advances', async () => {
    const hooks: MemoryReadStoreHooks = { staleBy: ({ operation }) => (operation === 'get' ? 1 : 0) };
    const { record, pass, collection, checkpoint, readStore } = rig({ hooks });
    const [position] = await record(added('a', 1));
    const document = {
      id: 'a',
      position: position as Position,
      parkedAt: null,
      deleted: false,
      body: 'theirs',
    };
    await collection.apply([{ expected: null, document, keys: {} }]);
    // Read from a replica that does not have the document yet: only the guard detects the conflict.
    expect(await pass()).toMatchObject({ kind: 'advanced', position });
    expect((await readStore.collection(GENERATION, {}).getMany(['a'])).get('a')?.body).toBe('theirs');
    expect(await checkpoint()).toBe(position);
  });

  it('starts over where the checkpoint was moved meanwhile', async () => {
    let meanwhile: (() => Promise<unknown>) | null = null;
    const database = new MemoryDatabase();
    const other = openMemoryReadStore(database);
    const hooks: MemoryReadStoreHooks = {
      before: async ({ operation }) => {
        if (operation === 'checkpoints.advance') await meanwhile?.();
      },
    };
    const { record, pass, all, total } = rig({ hooks, page: 1, database });
    const [first] = await record(added('a', 1), added('a', 2));
    meanwhile = () => other.checkpoints.advance(CHECKPOINT, null, first as Position);
    expect(await pass()).toEqual({ kind: 'again', reason: 'checkpoint moved' });
    meanwhile = null;
    await all();
    expect(await total('a')).toBe(3);
  });

  it('writes nothing once it is interrupted', async () => {
    const { record, pass, collection } = rig();
    await record(added('a', 1));
    expect(await pass({ begun: false, interrupted: () => true })).toEqual({
      kind: 'again',
      reason: 'interrupted',
    });
    expect(await collection.get('a')).toBeNull();
  });

  it.each([1, 2, 3])('does nothing more once its lease is lost, after page %i', async (lostAfter) => {
    const calls: string[] = [];
    const hooks: MemoryReadStoreHooks = {
      before: ({ operation }) => {
        if (operation === 'apply' || operation === 'checkpoints.advance') calls.push(operation);
      },
    };
    const { record, fold, checkpoint, total } = rig({ hooks, page: 1 });
    await record(added('a', 1), added('a', 1), added('a', 1));
    const interrupted = (): boolean => calls.length >= lostAfter;
    let result = await fold({ begun: false, interrupted });
    while (result.kind === 'advanced') result = await fold({ begun: false, interrupted, carried: result });
    const end = lostAfter < 3 ? { kind: 'again', reason: 'interrupted' } : { kind: 'idle' };
    expect(result).toMatchObject(end);
    expect(calls).toEqual(Array.from({ length: lostAfter }, () => 'apply'));
    expect(await checkpoint()).toBeNull();
    expect(await total('a')).toBe(lostAfter);
  });

  it('never begins a dropped generation anew', async () => {
    const { record, pass, collection } = rig();
    await record(added('a', 1));
    expect(await pass({ begun: true, interrupted: () => false })).toEqual({ kind: 'dropped' });
    expect(await collection.get('a')).toBeNull();
  });

  it('folds only the documents of its segment', async () => {
    const { record, pass, collection } = rig();
    const ids = Array.from({ length: 20 }, (_, n) => `account-${n}`);
    await record(...ids.map((id) => added(id, 1)));
    for (const index of [0, 1, 2]) {
      expect(await pass(undefined, { index, count: 3, name: `${GENERATION}.${index + 1}of3` })).toMatchObject(
        {
          kind: 'advanced',
        },
      );
      const written = await collection.getMany(ids);
      expect(written.size < 20).toBe(index < 2);
    }
    for (const document of (await collection.getMany(ids)).values()) expect(body(document)?.total).toBe(1);
  });

  it('hands folds frozen documents and events', async () => {
    const seen: boolean[] = [];
    const view: AnyView = {
      ...accounts,
      evolve: (document, event) => {
        seen.push(Object.isFrozen(document), Object.isFrozen((document as { entries: object }).entries));
        seen.push(Object.isFrozen(event), Object.isFrozen(event.data));
        return accounts.evolve(document as never, event);
      },
    };
    const { record, pass } = rig({ view });
    await record(added('a', 1));
    await pass();
    await record(added('a', 2));
    await pass();
    expect(seen).toEqual(new Array(8).fill(true));
  });

  it('leaves a tombstone where a document was removed, and brings it back', async () => {
    const { record, pass, collection } = rig();
    await record(added('a', 100));
    await pass();
    const [closed] = await record({ type: 'closed', data: { account: 'a' } });
    await pass();
    expect(await collection.get('a')).toMatchObject({ deleted: true, position: closed });
    expect((await collection.page({ index: 'large', prefix: [], limit: 9 })).items).toEqual([]);
    await record(added('a', 1));
    await pass();
    expect(await collection.get('a')).toMatchObject({ deleted: false, body: { sealed: { total: 101 } } });
  });
});

describe('A pass that goes on from the last one', () => {
  const calm: PassGuards = { interrupted: () => false, begun: false };
  const standingOf = (result: object): SegmentPosition => {
    expect(result).toMatchObject({ kind: expect.stringMatching(/advanced|idle/) as unknown });
    return result as SegmentPosition;
  };
  const ignored = { type: 'other', data: {} };

  it('leaves the checkpoint where it is as long as it folds nothing, and asks the store nothing', async () => {
    const asked: string[] = [];
    const hooks: MemoryReadStoreHooks = { before: ({ operation }) => void asked.push(operation) };
    const { record, pass, fold, advanceCheckpoint, checkpoint } = rig({ hooks });
    const [first] = await record(added('a', 1));
    const begun = standingOf(await pass());
    asked.length = 0;
    const [second] = await record(ignored);
    const lazy = standingOf(await fold({ ...calm, carried: begun }));
    expect(lazy.position).toBe(second);
    expect(isCheckpointBehind(lazy)).toBe(true);
    expect(standingOf(await fold({ ...calm, carried: lazy })).position).toBe(second);
    expect(asked).toEqual([]);
    expect(await checkpoint()).toBe(first);
    const now = await advanceCheckpoint(lazy);
    expect(now && isCheckpointBehind(now)).toBe(false);
    expect(await checkpoint()).toBe(second);
  });

  it('leaves the checkpoint to the worker, which moves it past all that was folded', async () => {
    const { record, pass, fold, advanceCheckpoint, checkpoint, total } = rig({ page: 2 });
    const [first] = await record(added('a', 1));
    let current = standingOf(await pass());
    const many = await record(...Array.from({ length: 5 }, () => added('a', 1)));
    for (const more of [true, true, false]) {
      const folded = await fold({ ...calm, carried: current });
      expect(folded).toMatchObject({ kind: 'advanced', more });
      current = standingOf(folded);
    }
    expect([await total('a'), await checkpoint()]).toEqual([6, first]);
    expect(await advanceCheckpoint(current)).toMatchObject({ checkpoint: many.at(-1) });
    expect(await checkpoint()).toBe(many.at(-1));
  });

  it('folds nothing twice where its checkpoint was left behind, and somebody starts over from there', async () => {
    const { record, pass, fold, total, checkpoint } = rig();
    const [first] = await record(added('a', 1));
    const carried = standingOf(await pass());
    const [last] = await record(added('a', 2));
    standingOf(await fold({ ...calm, carried }));
    expect(await checkpoint()).toBe(first);
    expect(await pass()).toMatchObject({ kind: 'advanced', position: last });
    expect(await total('a')).toBe(3);
    expect(await checkpoint()).toBe(last);
  });

  it('reads no document that is named by its first event; where it starts over it reads', async () => {
    const read: string[] = [];
    const hooks: MemoryReadStoreHooks = { before: ({ operation }) => void read.push(operation) };
    const byEvent: AnyView = { ...accounts, documentId: ({ id }) => id };
    const { record, pass, documents } = rig({ hooks, view: byEvent });
    await record(added('a', 1));
    const carried = standingOf(await pass());
    await record(added('a', 2));
    read.length = 0;
    standingOf(await pass({ ...calm, carried }));
    expect(read).toEqual(['checkpoints.get', 'apply', 'checkpoints.advance']);
    // As another process does, which was as far.
    expect(await pass({ ...calm, carried: { ...carried } })).toMatchObject({ kind: 'again' });
    await record(added('a', 3));
    read.length = 0;
    expect(await pass()).toMatchObject({ kind: 'advanced', folded: 1 });
    expect(read).toContain('get');
    expect((await documents()).map((document) => body(document)?.total).sort()).toEqual([1, 2, 3]);
  });

  it.each([
    ['at once', []],
    ['after pages without an event of its own', [ignored, added(null, 1), ignored, ignored]],
  ])('writes nothing where the checkpoint is not what it was, and starts over: %s', async (_, before) => {
    const { record, pass, fold, all, total, readStore, collection, advanceCheckpoint } = rig({ page: 2 });
    const [first] = await record(added('a', 1));
    const carried = standingOf(await pass());
    const [second] = await record(ignored);
    const lazy = standingOf(await fold({ ...calm, carried }));
    await readStore.checkpoints.advance(CHECKPOINT, first as Position, second as Position);
    await record(...before, added('b', 1));
    let result = await fold({ ...calm, carried: lazy });
    while (result.kind === 'advanced') result = await fold({ ...calm, carried: result });
    expect(result).toEqual({ kind: 'again', reason: 'checkpoint moved' });
    expect(await collection.get('b')).toBeNull();
    expect(await advanceCheckpoint(lazy)).toBeNull();
    expect(await all()).toMatchObject({ kind: 'idle' });
    expect(await total('b')).toBe(1);
  });

  it.each([
    ['at once', []],
    ['after pages without an event of its own', [ignored, added(null, 1), ignored]],
  ])('writes nothing to a generation that was dropped meanwhile, %s', async (_, before) => {
    const { record, pass, fold, readStore, collection } = rig({ page: 1 });
    await record(added('a', 1));
    const carried = standingOf(await pass());
    await readStore.drop(GENERATION);
    await record(...before, added('b', 1));
    let result = await fold({ ...calm, carried });
    while (result.kind === 'advanced') result = await fold({ ...calm, carried: result });
    expect(result).toMatchObject({ kind: 'again' });
    expect(await collection.get('b')).toBeNull();
    expect(await pass({ ...calm, begun: true })).toEqual({ kind: 'dropped' });
    expect(await collection.get('b')).toBeNull();
  });
});

describe('An event that cannot be folded', () => {
  it('parks its document with the content as before; later events move only the position', async () => {
    for (const page of [1, 2, 100]) {
      const { record, all, collection, checkpoint } = rig({ page });
      const positions = await record(
        added('a', 1),
        added('a', 13),
        added('b', 2),
        added('a', 4),
        added('b', 3),
      );
      await all();
      expect(await collection.get('a')).toEqual({
        id: 'a',
        position: positions[3],
        parkedAt: positions[1],
        deleted: false,
        body: { sealed: { total: 1, entries: [1], closed: false } },
      });
      expect(body(await collection.get('b'))?.total).toBe(5);
      expect(await checkpoint()).toBe(positions[4]);
      const parked = await collection.page({ index: PARKED_INDEX, prefix: [], limit: 9 });
      expect(parked.items.map(({ id }) => id)).toEqual(['a']);
      const listed = await collection.page({ index: 'byTotal', prefix: [], limit: 9 });
      expect(listed.items.map(({ id }) => id)).toEqual(['a', 'b']);
    }
  });

  it('is named in the result', async () => {
    const { record, pass } = rig();
    const [position] = await record(added('a', 13));
    expect(await pass()).toMatchObject({
      kind: 'advanced',
      parked: [{ documentId: 'a', position, reason: 'Error: Thirteen cannot be added.' }],
    });
  });

  it('parks a document that has no content yet, too', async () => {
    const { record, pass, collection } = rig();
    const [position] = await record(added('a', 13));
    await pass();
    await record(added('a', 1));
    await pass();
    expect(await collection.get('a')).toMatchObject({ parkedAt: position, body: null, deleted: false });
  });

  it.each([0, 1, 2, 3, 4, 5, 6, 7, 8])('is one whose fold gives no JSON (case %i)', async (amount) => {
    const { record, pass, collection } = rig();
    const [, odd] = await record(added('a', 1), { type: 'odd', data: { account: 'a', amount } });
    await pass();
    expect(await collection.get('a')).toMatchObject({ parkedAt: odd, body: { sealed: { total: 1 } } });
  });

  it('is one that changes the document it was handed', async () => {
    const view: AnyView = {
      ...accounts,
      evolve: (document) => Object.assign(document, { total: 99 }),
    };
    const { record, pass, collection } = rig({ view });
    const [position] = await record(added('a', 1));
    await pass();
    expect(await collection.get('a')).toMatchObject({ parkedAt: position });
  });

  it('is one after which the document is too large to store, at the same event whatever the pages', async () => {
    for (const page of [1, 2, 100]) {
      const rigged = rig({ page });
      const tooLarge = (writes: readonly GuardedWrite[]): void => {
        for (const { document } of writes) {
          if ((body(document)?.entries.length ?? 0) > 2) throw new DocumentTooLarge(document.id);
        }
      };
      const { apply } = rigged.collection;
      rigged.collection.apply = async (batch) => {
        tooLarge(batch);
        return await apply(batch);
      };
      const positions = await rigged.record(
        ...[added('a', 1), added('b', 1), added('a', 2), added('a', 3), added('a', 4), added('b', 2)],
      );
      await rigged.all();
      expect(await rigged.collection.get('a')).toMatchObject({
        parkedAt: positions[3],
        position: positions[4],
        body: { sealed: { entries: [1, 2] } },
      });
      expect(await rigged.total('b')).toBe(3);
      expect(await rigged.checkpoint()).toBe(positions[5]);
    }
  });

  it('is one after which the index keys cannot be made', async () => {
    for (const page of [1, 100]) {
      const view: AnyView = {
        ...accounts,
        keys: { total: (document) => (document as { total: number }).total / 2 },
      };
      const { record, all, collection } = rig({ view, page });
      const positions = await record(added('a', 2), added('a', 3), added('a', 3));
      await all();
      expect(await collection.get('a')).toMatchObject({
        parkedAt: positions[1],
        position: positions[2],
        body: { sealed: { total: 2 } },
      });
    }
  });
});

describe('An event that this process cannot deal with', () => {
  it('stops the segment before it where it is newer than the code, and is never parked', async () => {
    const { record, pass, all, total, checkpoint, collection } = rig();
    const [first] = await record(added('a', 1), { ...added('a', 2), schemaVersion: 2 }, added('b', 3));
    expect(await pass()).toMatchObject({ kind: 'advanced', position: first });
    expect(await all()).toMatchObject({ kind: 'stopped', reason: 'newer event', position: first });
    expect(await checkpoint()).toBe(first);
    expect(await total('a')).toBe(1);
    expect((await collection.get('a'))?.parkedAt).toBeNull();
  });

  it('does not stop a view that does not handle its type', async () => {
    const { record, all } = rig();
    const [position] = await record({ type: 'other', data: {}, schemaVersion: 7 });
    expect(await all()).toMatchObject({ kind: 'idle', position });
  });

  it('stops the segment where it cannot be read, and only until it can', async () => {
    const { record, all, pass, total, codec } = rig();
    await record(added('a', 1), { ...added('a', 2), sealed: true });
    expect(await all()).toMatchObject({ kind: 'stopped', reason: 'unreadable event' });
    const { decode } = codec;
    codec.decode = async (event) => {
      const data = JSON.parse(Buffer.from(event.data).toString()) as object;
      return await decode({ ...event, data: Buffer.from(JSON.stringify({ ...data, sealed: false })) });
    };
    expect(await pass()).toMatchObject({ kind: 'advanced' });
    expect(await total('a')).toBe(3);
  });

  it('is no event in the way where its key cannot be had just now: the pass is repeated', async () => {
    const { record, all, codec } = rig();
    await record(added('a', 1));
    codec.decode = () => Promise.reject(new VaultUnavailable('The vault is away.'));
    await expect(all()).rejects.toThrow(VaultUnavailable);
  });

  it('stops the segment where it belongs to no usable document', async () => {
    const { record, all } = rig();
    await record(added('', 1));
    expect(await all()).toMatchObject({ kind: 'stopped', reason: 'unreadable event' });
  });

  it('does not matter to a view whose types it can never have', async () => {
    const { record, all, codec } = rig();
    Object.assign(codec, { latestTypes: (type: string) => [type === 'former' ? 'added' : type] });
    const [position] = await record({ type: 'other', data: {}, sealed: true });
    expect(await all()).toMatchObject({ kind: 'idle', position });
    expect(codec.decodes).toBe(0);
  });
});
