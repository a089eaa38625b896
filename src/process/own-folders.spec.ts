import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { leftFolders, makeOwnFolder } from './own-folders.js';

describe('the folders of a process', () => {
  let parent: string;

  beforeEach(async () => void (parent = await mkdtemp(join(tmpdir(), 'own-folders-'))));
  afterEach(() => rm(parent, { recursive: true }));

  it('are left once it has ended, not before, and not if they cannot be told to be its own', async () => {
    const own = await makeOwnFolder(parent, 'a-b-');
    const ended = spawnSync('true').pid;
    const left = [`a-b-${ended}-0123abcd-AbCdEf`, `a-b-${process.pid}-0123abcd-AbCdEf`];
    const others = [
      `a-b-${process.ppid}-0123abcd-AbCdEf`,
      `a-${ended}-0123abcd-AbCdEf`,
      `a-b-${ended}-0123abcd-AbCdE`,
      `a-b-${ended}-0123abcX-AbCdEf`,
      'a-b-0-0123abcd-AbCdEf',
      'a-b--1-0123abcd-AbCdEf',
      'a-b-AbCdEf',
    ];
    for (const name of [...left, ...others]) await mkdir(join(parent, name));
    const found = await leftFolders(parent, (prefix) => prefix === 'a-b-');
    expect([...found].sort()).toEqual([...left].sort());
    expect(basename(own)).toMatch(/^a-b-\d+-[0-9a-f]{8}-\w{6}$/);
  });

  it('are none in a parent that cannot be read', async () => {
    expect(await leftFolders(join(parent, 'missing'), () => true)).toEqual([]);
  });
});
