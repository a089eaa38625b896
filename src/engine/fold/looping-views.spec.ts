import { describe, expect, it } from '@jest/globals';
import { body, passRig } from '../../../test/support/pass-rig.js';
import { accounts, added, type Account } from '../../../test/support/projection-rig.js';
import type { AnyView } from '../view.js';
import { TimedFoldGuard } from './fold-guard.js';
import type { Parked } from './fold.js';

const guard = new TimedFoldGuard([100, 150]);
const REASON = 'The fold did not end within 0.15 s.';

const loop = (): never => {
  for (;;);
};
const isBad = (event: { data: object }): boolean => (event.data as { amount?: number }).amount === 99;
const hasBad = (document: object): boolean => (document as Account).entries.includes(99);

const looping: readonly (readonly [string, Partial<AnyView>])[] = [
  ['evolve', { evolve: (document, event) => (isBad(event) ? loop() : evolve(document, event)) }],
  ['removed', { removed: (document) => (hasBad(document) ? loop() : false) }],
  ['a key', { keys: { total: (document) => (hasBad(document) ? loop() : 0) } }],
];
const evolve = (document: object, event: Parameters<AnyView['evolve']>[1]) =>
  accounts.evolve(document as Account, event);

describe('An event over which a view loops', () => {
  it.each(looping)('parks its document where it is in %s; everything else goes on', async (_, functions) => {
    for (const page of [1, 100]) {
      const rig = passRig({ view: { ...accounts, ...functions }, guard, page });
      const positions = await rig.record(
        ...[added('a', 1), added('b', 1), added('a', 99), added('c', 1), added('a', 2), added('b', 2)],
      );
      const parked = { documentId: 'a', position: positions[2], reason: REASON };
      const found: Parked[] = [];
      let result = await rig.pass();
      for (; result.kind === 'advanced'; result = await rig.pass()) found.push(...result.parked);
      expect(result).toMatchObject({ kind: 'idle', position: positions[5] });
      expect(found).toEqual([parked]);
      expect(await rig.collection.get('a')).toMatchObject({ parkedAt: positions[2], position: positions[4] });
      expect(body(await rig.collection.get('a'))?.entries).toEqual([1]);
      expect([await rig.total('b'), await rig.total('c')]).toEqual([3, 1]);
    }
  });

  it('parks a document that cannot even begin', async () => {
    const rig = passRig({ view: { ...accounts, initial: (id) => (id === 'a' ? loop() : begin(id)) }, guard });
    const [first] = await rig.record(added('a', 1), added('b', 1));
    expect(await rig.pass()).toMatchObject({ parked: [{ documentId: 'a', reason: REASON }] });
    expect(await rig.collection.get('a')).toMatchObject({ parkedAt: first, body: null });
  });

  it('stops the segment right before it where no document can be told', async () => {
    const documentId: AnyView['documentId'] = (event) => (isBad(event) ? loop() : accounts.documentId(event));
    const rig = passRig({ view: { ...accounts, documentId }, guard });
    const [first] = await rig.record(added('a', 1), added('a', 99), added('a', 2));
    expect(await rig.all()).toMatchObject({
      kind: 'stopped',
      reason: 'unreadable event',
      position: first,
      message: `A added event cannot be assigned to a document: ${REASON}`,
    });
    expect(await rig.total('a')).toBe(1);
  });

  it('holds up a process for a few seconds at most, with the limits of its own', async () => {
    const rig = passRig({ view: { ...accounts, evolve: loop } });
    await rig.record(added('a', 1), added('a', 2));
    const begun = performance.now();
    await rig.pass();
    expect(performance.now() - begun).toBeLessThan(8_000);
    expect(await rig.collection.get('a')).toMatchObject({ body: null });
  });
});

const begin = (id: string) => accounts.initial(id);
