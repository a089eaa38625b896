import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdir, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Changes } from './changes.js';
import { stateFolder, type Work } from './places.js';

let base: string;
let work: Work;
const put = (path: string, content: string | Uint8Array) => writeFile(join(work.folder, path), content);

/** What a look finds, kept as reported. */
const look = async (changes: Changes) => {
  const found = await changes.find();
  await found.keep();
  return found.changes.map(({ path, linesAdded, linesRemoved }) => [path, linesAdded, linesRemoved]);
};

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'assay-work-'));
  process.env.ASSAY_WORK_HOME = join(base, 'home');
  const folder = join(base, 'work');
  work = { service: 'https://assay.example', applicationId: 'a', sessionId: 's', folder, tickets: [] };
  await mkdir(join(folder, '1-fix'), { recursive: true });
});
afterEach(async () => {
  delete process.env.ASSAY_WORK_HOME;
  await rm(base, { recursive: true, force: true });
});

describe('what changed in a folder', () => {
  it('is found by content, also by another run, and each change once', async () => {
    await put('a.ts', 'one\ntwo\n');
    await new Changes(work).takeAsReported();
    const changes = new Changes(work);
    expect(await look(changes)).toEqual([]);
    await utimes(join(work.folder, 'a.ts'), 1, 1);
    expect(await look(changes)).toEqual([]);
    await put('a.ts', 'one\n2\nthree\n');
    await put('b.ts', '');
    expect(await look(new Changes(work))).toEqual([
      ['a.ts', 2, 1],
      ['b.ts', 0, 0],
    ]);
    expect(await look(new Changes(work))).toEqual([]);
    await rm(join(work.folder, 'a.ts'));
    expect(await look(new Changes(work))).toEqual([['a.ts', 0, 3]]);
  });

  it('is found again unless it was kept', async () => {
    const changes = new Changes(work);
    await put('a.ts', 'one\n');
    expect((await changes.find()).changes).toHaveLength(1);
    expect((await changes.find()).changes).toHaveLength(1);
  });

  it.each(['__proto__', 'constructor'])(
    'is found once in a file named %s, which an object takes for its own',
    async (name) => {
      await put('a.ts', 'one\n');
      await look(new Changes(work));
      await put(name, '');
      expect(await look(new Changes(work))).toEqual([[name, 0, 0]]);
      expect(await look(new Changes(work))).toEqual([]);
      await rm(join(work.folder, name));
      expect(await look(new Changes(work))).toEqual([[name, 0, 0]]);
    },
  );

  it('has no lines where a file is no text', async () => {
    await put('image.bin', Uint8Array.from([0, 10, 10]));
    await put('large.txt', 'x\n'.repeat(600_000));
    const changes = new Changes(work);
    expect(await look(changes)).toEqual([
      ['image.bin', 0, 0],
      ['large.txt', 0, 0],
    ]);
    await put('large.txt', 'x\n');
    expect(await look(changes)).toEqual([['large.txt', 0, 0]]);
  });

  it('leaves out a starter that was fetched, and nothing else', async () => {
    const changes = new Changes(work);
    await changes.takeAsReported();
    await put('1-fix/a.ts', 'the starter\n');
    await put('mine.ts', 'mine\n');
    await changes.takeAsReported('1-fix');
    expect(await look(changes)).toEqual([['mine.ts', 1, 0]]);
  });

  it('is kept without what the lines were', async () => {
    await put('a.ts', 'the secret line\n');
    await look(new Changes(work));
    const kept = await readFile(join(stateFolder(work), 'snapshot.json'), 'utf8');
    expect(kept).toContain('a.ts');
    expect(kept).not.toContain('secret');
  });
});
