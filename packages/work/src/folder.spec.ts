import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { filesIn, readInside } from './folder.js';
import { isSafePath } from './starter.js';

let base: string;
let folder: string;
const put = async (path: string, content = 'x\n'): Promise<void> => {
  const full = join(folder, path);
  await mkdir(dirname(full), { recursive: true });
  await writeFile(full, content);
};
const found = async (): Promise<string[]> => (await filesIn(folder)).files.map(({ path }) => path);

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'assay-work-'));
  folder = join(base, 'work');
  await mkdir(folder);
});
afterEach(() => rm(base, { recursive: true, force: true }));

describe('the files of a work', () => {
  it('are without links, .git, node_modules, and without what is not a file', async () => {
    await writeFile(join(base, 'secret'), 'secret\n');
    await mkdir(join(base, 'outside'));
    await writeFile(join(base, 'outside', 'secret'), 'secret\n');
    for (const path of [
      'a.ts',
      'src/b.ts',
      '.git/config',
      'src/node_modules/x/index.js',
      'node_modules/y.js',
    ])
      await put(path);
    await symlink(join(base, 'secret'), join(folder, 'link'));
    await symlink(join(base, 'outside'), join(folder, 'folder-link'));
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    expect(await found()).toEqual(['a.ts', 'src/b.ts']);
    for (const path of ['link', 'folder-link/secret', '../secret', 'pipe', 'src', 'none'])
      expect([path, await readInside(folder, path, 100)]).toEqual([path, null]);
    expect((await readInside(folder, 'a.ts', 100))?.toString()).toBe('x\n');
    expect(await readInside(folder, 'a.ts', 1)).toBeNull();
  });

  it('are those that git would take, whatever .gitignore files say', async () => {
    const paths = [
      'a.log',
      'keep.log',
      'src/a.log',
      'src/deep/a.log',
      'build/x.js',
      'src/build/x.js',
      'src/build.ts',
      'docs/a.md',
      'docs/in/a.md',
      'docs/in/b.txt',
      'a b.txt',
      '#hash',
      '!bang',
      'x1.tmp',
      'xa.tmp',
      'x].tmp',
      'tail ',
      'top.txt',
      'src/top.txt',
      'foo/mid/bar/f',
      'foo/bar/f',
      'star*star',
      'temp/a/keep',
      'temp/b/drop',
    ];
    for (const path of paths) await put(path);
    const rules = [
      ['*.log', '!keep.log', 'build/'],
      ['/top.txt', 'docs/**/*.md', 'a b.txt  ', '\\#hash', '\\!bang', '# a comment', ''],
      ['x[0-9].tmp', 'x[!0-9a].tmp'],
      ['foo/**/bar', 'star\\*star', 'tail\\ '],
      ['**/deep', 'docs/in'],
      ['temp/*', '!temp/a', '/src/', '!src/top.txt'],
      ['*', '!*.txt', '!src'],
      ['[', 'x[', '\\', '**', '!docs/'],
      ['docs/**', '**/', '!**/'],
    ];
    execFileSync('git', ['init', '-q', folder]);
    for (const lines of rules) {
      await put('.gitignore', `${lines.join('\n')}\n`);
      await put('src/.gitignore', lines.length > 3 ? '!a.log\n' : '');
      const listed = execFileSync('git', ['ls-files', '-z', '--others', '--exclude-standard'], {
        cwd: folder,
        encoding: 'utf8',
        env: { PATH: process.env.PATH, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' },
      });
      const expected = listed.split('\0').filter((path) => path !== '');
      expect([lines, (await found()).sort()]).toEqual([lines, expected.sort()]);
    }
  });

  it('are looked at up to a number', async () => {
    for (let n = 0; n < 12; n++) await put(`f${n}`);
    expect(await filesIn(folder, 10)).toMatchObject({ isCut: true });
    expect((await filesIn(folder, 10)).files).toHaveLength(10);
  });
});

describe('a path of a starter', () => {
  it('stays in the folder on every system', () => {
    for (const path of ['a', 'src/a.ts', '.env', '.github/x', 'ä/ö.txt', 'a b'])
      expect([path, isSafePath(path)]).toEqual([path, true]);
    const unsafe = ['', '/a', '../a', 'a/../b', 'a//b', 'a/', 'C:/a', 'a\\b', './a', 'con', 'a/NUL.txt'];
    for (const path of [
      ...unsafe,
      'a.',
      'a ',
      '.git/config',
      'a/.GIT/x',
      'a\u0000b',
      'a\nb',
      'x'.repeat(2_000),
    ])
      expect([path, isSafePath(path)]).toEqual([path, false]);
  });
});
