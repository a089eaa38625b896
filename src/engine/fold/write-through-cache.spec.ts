import { describe, expect, it } from '@jest/globals';
import { MemoryDatabase, openMemoryReadStore } from '../../../test/support/memory-read-store.js';
import type { Position } from '../../core/event-store.js';
import type { GenerationName, GuardedWrite, Json } from '../../stores/read-store.js';
import { WriteThroughCache } from './pass.js';

const NAME = 'accounts.v1.g1' as GenerationName;

const write = (
  id: string,
  expected: number | null,
  position: number,
  body: Json = position,
): GuardedWrite => ({
  expected: expected === null ? null : (String(expected) as Position),
  document: { id, position: String(position) as Position, parkedAt: null, deleted: false, body },
  keys: {},
});

function rig() {
  const asked: string[] = [];
  const database = new MemoryDatabase();
  const hooks = { before: ({ operation }: { readonly operation: string }) => void asked.push(operation) };
  const documents = new WriteThroughCache(openMemoryReadStore(database, hooks).collection(NAME, {}));
  return { asked, documents, other: openMemoryReadStore(database).collection(NAME, {}) };
}

describe('Documents that a segment has written', () => {
  it('are not read again, until they are forgotten', async () => {
    const { asked, documents } = rig();
    await documents.apply([write('a', null, 1), write('b', null, 1)]);
    asked.length = 0;
    expect((await documents.get('a'))?.body).toBe(1);
    expect([...(await documents.getMany(['b', 'a'])).keys()].sort()).toEqual(['a', 'b']);
    expect(asked).toEqual([]);
    expect([...(await documents.getMany(['a', 'c'])).keys()]).toEqual(['a']);
    expect(asked).toEqual(['getMany']);
    documents.clear();
    expect((await documents.get('a'))?.body).toBe(1);
    expect(asked).toEqual(['getMany', 'get']);
  });

  it('are read again after another process has changed them: the guard refuses what was remembered', async () => {
    const { documents, other } = rig();
    await documents.apply([write('a', null, 1)]);
    await other.apply([write('a', 1, 2)]);
    expect((await documents.get('a'))?.body).toBe(1);
    expect(await documents.apply([write('a', 1, 3)])).toEqual(['behind']);
    expect((await documents.get('a'))?.body).toBe(2);
  });

  it.each([
    { what: 'a few hundred', count: 300, body: 1 },
    { what: 'some megabytes', count: 20, body: 'x'.repeat(100_000) },
  ])('are not kept beyond $what', async ({ count, body }) => {
    const { asked, documents } = rig();
    for (let n = 0; n < count; n++) await documents.apply([write(`${n}`, null, 1, body)]);
    asked.length = 0;
    await documents.get(`${count - 1}`);
    expect(asked).toEqual([]);
    await documents.get('0');
    expect(asked).toEqual(['get']);
  });
});
