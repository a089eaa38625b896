import { describe, expect, it } from '@jest/globals';
import { setImmediate as turn } from 'node:timers/promises';
import { ClientRecycler } from './connection.js';
import { MongoDeadlineExceeded } from './failure.js';

const rig = (answers: boolean) => {
  let now = 0;
  const anew: number[] = [];
  const recycler = new ClientRecycler({
    answers: async () => answers,
    reconnect: async () => {
      anew.push(now);
    },
    doubtMs: 100,
    now: () => now,
  });
  const fail = async (at: number, error: Error = new MongoDeadlineExceeded(1)) => {
    now = at;
    await recycler.watch(Promise.reject(error)).catch(() => undefined);
    await turn();
  };
  const succeed = async (at: number) => {
    now = at;
    expect(await recycler.watch(Promise.resolve('yes'))).toBe('yes');
  };
  return { anew, fail, succeed };
};

describe('a client whose calls fail', () => {
  it('connects anew once it has had no answer for long that a fresh one gets', async () => {
    const { anew, fail } = rig(true);
    for (const at of [0, 50, 99]) await fail(at);
    expect(anew).toEqual([]);
    await fail(100);
    expect(anew).toEqual([100]);
    // From then on it has as long again.
    for (const at of [150, 240]) await fail(at);
    expect(anew).toEqual([100]);
    await fail(260);
    expect(anew).toEqual([100, 260]);
  });

  it('stays as it is where the server answers nobody', async () => {
    const { anew, fail } = rig(false);
    for (const at of [0, 100, 200]) await fail(at);
    expect(anew).toEqual([]);
  });

  it('stays as it is where some calls succeed, or fail by their own fault', async () => {
    const { anew, fail, succeed } = rig(true);
    await fail(0);
    await succeed(90);
    await fail(100);
    for (const at of [300, 500]) await fail(at, new RangeError('mine'));
    expect(anew).toEqual([]);
  });
});
