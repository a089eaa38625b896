import { describe, expect, it } from '@jest/globals';
import { body, passRig } from '../../../test/support/pass-rig.js';
import { added } from '../../../test/support/projection-rig.js';

const PAGES = [1, 2, 7, 100];

describe('An event that an operator had left out', () => {
  it('changes nothing of its document but the position', async () => {
    for (const page of PAGES) {
      const rig = passRig({ page });
      const positions = await rig.record(added('a', 1), added('a', 13), added('a', 2), added('a', 13));
      await rig.skip(positions[1]);
      await rig.skip(positions[3]);
      await rig.all();
      expect(await rig.collection.get('a')).toMatchObject({ position: positions[3], parkedAt: null });
      expect(body(await rig.collection.get('a'))?.entries).toEqual([1, 2]);
      expect(await rig.checkpoint()).toBe(positions[3]);
    }
  });

  it('leaves a tombstone without a body where there is nothing else', async () => {
    for (const page of PAGES) {
      const rig = passRig({ page });
      const [first, second] = await rig.record(added('a', 13), added('a', 13), added('b', 1));
      await rig.skip(first);
      await rig.skip(second);
      await rig.all();
      const nothing = { id: 'a', position: second, parkedAt: null, deleted: true, body: null };
      expect(await rig.collection.get('a')).toEqual(nothing);
      await rig.record(added('a', 1));
      await rig.all();
      expect(await rig.total('a')).toBe(1);
    }
  });

  it('is passed even where nobody can read it, or say whose it is', async () => {
    const rig = passRig();
    const positions = await rig.record(
      { ...added('a', 1), sealed: true },
      { ...added('a', 1), schemaVersion: 2 },
      added('', 1),
      added('a', 2),
    );
    for (const position of positions.slice(0, 3)) await rig.skip(position);
    expect(await rig.all()).toMatchObject({ kind: 'idle', position: positions[3] });
    expect(await rig.total('a')).toBe(2);
  });

  it('does not bring back the document that it has parked', async () => {
    const rig = passRig();
    const [poison] = await rig.record(added('a', 13));
    await rig.all();
    await rig.skip(poison);
    await rig.record(added('a', 1));
    await rig.all();
    expect(await rig.collection.get('a')).toMatchObject({ parkedAt: poison, body: null });
  });

  it('is asked for once a page', async () => {
    const rig = passRig({ page: 2 });
    await rig.record(added('a', 1), added('b', 1), added('c', 1));
    let asked = 0;
    const rules = {
      strict: false,
      get skipped(): ReadonlySet<string> {
        asked++;
        return new Set();
      },
    };
    for (const pages of [1, 2]) {
      await rig.pass(undefined, { rules });
      expect(asked).toBe(pages);
    }
  });
});
