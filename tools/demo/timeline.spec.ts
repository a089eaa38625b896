import { describe, expect, it } from '@jest/globals';
import { Timeline } from './timeline.js';

const timeline = (togetherMs = 0) => {
  let now = 0;
  const seen: string[] = [];
  const line = new Timeline({ advanceTo: (at) => (now = Math.max(now, at)) }, togetherMs);
  const person = (name: string, times: readonly number[]) => async (): Promise<void> => {
    for (const at of times) {
      await line.until(at);
      seen.push(`${name}@${now}`);
    }
  };
  return { line, seen, person };
};

describe('a timeline', () => {
  it('lets people act in the order of their times', async () => {
    const { line, seen, person } = timeline();
    await line.play([person('a', [10, 40]), person('b', [20, 30]), person('c', [])]);
    expect(seen).toEqual(['a@10', 'b@20', 'b@30', 'a@40']);
  });

  it('moves on only when nobody acts any more', async () => {
    const { line, seen, person } = timeline();
    const slow = async (): Promise<void> => {
      await line.until(10);
      await new Promise((resolve) => setTimeout(resolve, 20));
      seen.push('slow');
    };
    await line.play([slow, person('b', [20])]);
    expect(seen).toEqual(['slow', 'b@20']);
  });

  it('takes times that lie close together for one', async () => {
    const { line, seen, person } = timeline(5);
    await line.play([person('a', [10]), person('b', [15]), person('c', [16])]);
    expect(seen).toEqual(['a@15', 'b@15', 'c@16']);
  });

  it('goes on with the others, and tells, if one fails', async () => {
    const { line, seen, person } = timeline();
    const failing = async (): Promise<void> => {
      await line.until(10);
      throw new Error('no answer');
    };
    await expect(line.play([failing, person('b', [20])])).rejects.toThrow('no answer');
    expect(seen).toEqual(['b@20']);
  });
});
