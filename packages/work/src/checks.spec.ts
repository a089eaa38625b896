import { beforeEach, describe, expect, it } from '@jest/globals';
import { type Checks, printChecks } from './checks.js';
import { Offline, Refused } from './service.js';
import type { Terminal } from './terminal.js';

const NOTHING = { passed: 0, failed: 0, errors: 0 };
const WAITING: Checks = { state: 'waiting', message: null, tally: NOTHING, tests: [] };
const CHECKED: Checks = {
  ...{ state: 'checked', message: null, tally: { passed: 1, failed: 1, errors: 1 } },
  tests: [
    { name: 'rounds nothing', status: 'pass', message: null },
    { name: 'adds\u001b[31m up', status: 'fail', message: 'Expected: 3\u001b[2J\n\n  but was: 2\n' },
    { name: 'ends', status: 'error', message: null },
  ],
};

describe('what the visible checks said of a hand-in', () => {
  let said: string[];
  let asked: number;
  const terminal: Terminal = { say: (line) => void said.push(line), agrees: async () => true, canAsk: true };
  /** Prints the checks of a hand-in. @param then what the service answers, one after the other */
  const print = (
    first: Checks | null | undefined,
    then: readonly (Checks | null | Error)[],
    waitMs = 3_000,
  ) => {
    const get = async <T>(path: string): Promise<T> => {
      expect(path).toBe('/hand-ins/h');
      const next = then[Math.min(asked++, then.length - 1)];
      if (next instanceof Error) throw next;
      return { checks: next } as T;
    };
    const handIn = first === undefined ? {} : { checks: first };
    return printChecks('/hand-ins/h', handIn, { get }, terminal, waitMs);
  };

  beforeEach(() => {
    said = [];
    asked = 0;
  });

  it('is waited for, also while the service is away, then printed without what moves the cursor', async () => {
    await print(WAITING, [WAITING, new Offline('Away.'), CHECKED]);
    expect(said).toEqual([
      'The checks run. Waiting for them, at most 3 s (Ctrl-C: do not wait) …',
      'Checks: 1 of 3 passed',
      expect.stringMatching(/^ {2}failed {2}adds\P{Cc}* up$/u),
      expect.stringMatching(/^ {4}Expected: 3\P{Cc}*$/u),
      expect.stringMatching(/^ {4}\s*but was: 2$/),
      '  error   ends',
    ]);
  });

  it('is waited for no longer than said', async () => {
    const began = performance.now();
    await print(WAITING, [WAITING], 700);
    expect(performance.now() - began).toBeLessThan(3_000);
    expect(said.at(-1)).toContain('no result yet');
    said = [];
    await print(WAITING, [], 0);
    expect(said).toEqual([expect.stringContaining('no result yet')]);
  });

  it('is asked for no further once the service refuses, and said so', async () => {
    await print(WAITING, [WAITING, new Refused(404, 'not_found', 'There is no such hand-in.')]);
    expect(said.slice(1)).toEqual(['The result of the checks cannot be read. There is no such hand-in.']);
    expect(asked).toBe(2);
  });

  it('is told with the reason if they could not be run', async () => {
    await print({ ...WAITING, state: 'error', message: 'The checker did not end in time.' }, []);
    expect(said).toEqual(['The checks could not be run. The checker did not end in time.']);
    expect(asked).toBe(0);
  });

  it('is nothing if there are none, the session ended before, or the service knows no checks', async () => {
    await print(null, []);
    await print(undefined, []);
    expect(said).toEqual([]);
    await print(WAITING, [null]);
    expect(said).toHaveLength(1);
  });

  it('is shortened', async () => {
    const message = 'line\n'.repeat(50);
    const tests = Array.from(
      { length: 40 },
      (_, n) => ({ name: `test ${n}`, status: 'fail', message }) as const,
    );
    await print({ ...CHECKED, tally: { passed: 0, failed: 45, errors: 0 }, tests }, []);
    expect(said).toHaveLength(1 + 30 * (1 + 11) + 1);
    expect(said.at(-1)).toBe('  … and 15 more that did not pass');
  });
});
