import { expect, it } from '@jest/globals';
import { chown, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyPart } from './manifest.js';

/** Any user but root, who may write to a read-only file. */
const OTHER = 65_534;

it('copies a part that its user may only read, as of a backup on a read-only medium', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'assay-part-'));
  const isRoot = process.geteuid?.() === 0;
  try {
    const [from, to] = [join(folder, 'from'), join(folder, 'to')];
    for (const made of [join(from, 'log'), to]) await mkdir(made, { recursive: true });
    await writeFile(join(from, 'log', 'data.mdb'), 'content', { mode: 0o444 });
    if (isRoot) {
      for (const path of [folder, to]) await chown(path, OTHER, OTHER);
      process.seteuid?.(OTHER);
    }
    await copyPart(from, to, 'log/data.mdb');
    expect((await stat(join(to, 'log', 'data.mdb'))).mode & 0o777).toBe(0o600);
  } finally {
    if (isRoot) process.seteuid?.(0);
    await rm(folder, { recursive: true });
  }
});
