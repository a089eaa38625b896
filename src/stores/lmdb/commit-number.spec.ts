import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StoreUnavailable } from '../../core/errors.js';
import { Environment } from './environment.js';
import type { StoreKind } from './faults.js';
import { lockFile } from './folder.js';

const KIND: StoreKind = {
  name: 'store',
  remedy: () => 'Remove it.',
  mayBeForeign: false,
  Unavailable: StoreUnavailable,
};

describe('an environment whose newest commit another process’s start has hidden', () => {
  let folder: string;
  let lock: number;
  let environments: Environment<number, string>[];

  const open = (): Environment<number, string> => {
    const environment = Environment.open<number, string>(folder, KIND, { encoding: 'json' });
    environments.push(environment);
    return environment;
  };

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'assay-commits-'));
    environments = [];
    const environment = open();
    lock = openSync(lockFile(folder), 'r+');
    for (const [value, name] of ['first', 'second', 'third'].entries())
      await environment.write(() => environment.root.putSync(name, value));
  });

  afterEach(async () => {
    for (const environment of environments) await environment.close();
    closeSync(lock);
    rmSync(folder, { recursive: true });
  });

  /** As LMDB does that opened the environment just before so many commits. */
  const setBack = (commits: bigint): void => {
    const bytes = Buffer.alloc(8);
    readSync(lock, bytes, 0, 8, 8);
    bytes.writeBigUInt64LE(bytes.readBigUInt64LE() - commits);
    writeSync(lock, bytes, 0, 8, 8);
  };
  const stored = (environment: Environment<number, string>): Record<string, number | undefined> =>
    environment.read(() => {
      const names = [...environment.root.getKeys()].filter((name) => !name.startsWith('table'));
      return Object.fromEntries(names.map((name) => [name, environment.root.get(name)]));
    });

  it('does not show it for a moment', () => {
    setBack(1n);
    expect(stored(environments[0]!)).toEqual({ first: 0, second: 1 });
  });

  it.each([1n, 2n, 3n])('shows it again once that process has started, %i commits later', (commits) => {
    setBack(commits);
    expect(stored(open())).toEqual({ first: 0, second: 1, third: 2 });
  });

  const ways = {
    write: (environment: Environment<number, string>) =>
      environment.write(() => environment.root.putSync('fourth', 3)),
    writeNow: (environment: Environment<number, string>) =>
      environment.writeNow(() => environment.root.putSync('fourth', 3)),
    writeWhole: (environment: Environment<number, string>) =>
      environment.writeWhole(() => environment.root.putSync('fourth', 3)),
    table: (environment: Environment<number, string>) => {
      environment.table({ name: `table ${Math.random()}` });
      return environment.write(() => environment.root.putSync('fourth', 3));
    },
  };

  it.each(Object.keys(ways) as (keyof typeof ways)[])('keeps it when another follows by %s', async (way) => {
    for (const commits of [1n, 2n, 3n]) {
      setBack(commits);
      await ways[way](environments[0]!);
      expect(stored(environments[0]!)).toMatchObject({ first: 0, second: 1, third: 2, fourth: 3 });
      environments[0]!.writeNow(() => environments[0]!.root.removeSync('fourth'));
    }
  });

  it('runs an effect once', async () => {
    let runs = 0;
    setBack(1n);
    await environments[0]!.write(() => runs++);
    setBack(1n);
    await environments[0]!.writeWhole(() => runs++);
    setBack(1n);
    environments[0]!.writeNow(() => runs++);
    expect(runs).toBe(3);
  });

  it('keeps it when transactions that follow wait for one another', async () => {
    const [environment] = environments;
    setBack(1n);
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        environment!.write(() => environment!.root.putSync(`${index}`.padStart(2, '0'), index)),
      ),
    );
    expect(Object.keys(stored(environment!))).toHaveLength(23);
  });
});
