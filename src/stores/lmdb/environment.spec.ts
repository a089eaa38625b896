import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { open } from 'lmdb';
import { mkdtempSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { StoreUnavailable } from '../../core/errors.js';
import { Environment, realFolder } from './environment.js';
import type { StoreKind } from './faults.js';
import { dataFile } from './folder.js';

const KIND: StoreKind = {
  name: 'store',
  remedy: () => 'Remove it.',
  mayBeForeign: false,
  Unavailable: StoreUnavailable,
};

describe('an LMDB environment', () => {
  let folder: string;
  beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'assay-environment-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  const opened = (): Environment<number, string> => Environment.open(folder, KIND, { encoding: 'json' });
  const claims = (): readonly string[] => readdirSync(folder).filter((name) => name.startsWith('open.'));

  it('leaves no claim where it cannot be opened', async () => {
    await opened().close();
    truncateSync(dataFile(folder), 100);
    expect(opened).toThrow(/is damaged/);
    expect(claims()).toEqual([]);
  });

  it('is none to a reader if its file is empty, which would end the process by a signal', () => {
    writeFileSync(dataFile(folder), '');
    expect(() => realFolder(folder, KIND, true)).toThrow(/There is no store in/);
  });

  it('is closed, and its claim ended, where what it holds is not as it should be', async () => {
    const foreign = open({ path: folder, noSubdir: false, overlappingSync: false });
    await foreign.openDB({ name: 'customers' }).put('a', 1);
    await foreign.close();
    const environment = opened();
    expect(claims()).toHaveLength(1);
    expect(() => environment.prepared(() => environment.assertOwn('events'))).toThrow(/something other/);
    for (let turns = 0; claims().length > 0 && turns < 1_000; turns++) await nextTurn();
    expect(claims()).toEqual([]);
  });

  it('is marked once with its format, though another process marks it meanwhile', async () => {
    const environment = opened();
    const reads = [undefined, '1', '1'];
    let marks = 0;
    const mark = (): void => {
      marks++;
    };
    environment.assertFormat(1, () => reads.shift(), mark);
    expect(marks).toBe(0);
    expect(reads).toEqual([]);
    await environment.close();
  });

  it('is left open, and its claim stays, if a write under way outlasts the deadline of its closing', async () => {
    const environment = opened();
    let end = (): void => undefined;
    await environment.close(20, new Promise<void>((done) => (end = done)));
    expect(claims()).toHaveLength(1);
    await environment.write(() => void environment.root.put('late', 1));
    end();
    for (let turns = 0; claims().length > 0 && turns < 1_000; turns++) await nextTurn();
    expect(claims()).toEqual([]);
    const again = opened();
    expect(again.read(() => again.root.get('late'))).toBe(1);
    await again.close();
  });

  it('is refused where a reader finds no format, or one that is none', async () => {
    await opened().close();
    const reader = Environment.open(folder, KIND, { readOnly: true });
    for (const format of [undefined, 'none'])
      expect(() =>
        reader.assertFormat(
          1,
          () => format,
          () => undefined,
        ),
      ).toThrow(/it has no format/);
    await reader.close();
  });

  it.each(['write', 'writeNow'] as const)('extends its file before %s puts anything', async (way) => {
    const environment = opened();
    const cost = { changes: 1, bytes: 4 << 20 };
    let size = 0;
    const effect = (): void => {
      size = statSync(dataFile(folder)).size;
    };
    if (way === 'write') await environment.write(effect, { cost });
    else environment.writeNow(effect, cost);
    expect(size).toBeGreaterThan(8 << 20);
    await environment.close();
  });
});
