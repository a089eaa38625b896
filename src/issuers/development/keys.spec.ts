import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { publicPart } from '../keys.js';
import { KeyFile } from './keys.js';

const SECRET_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];

let folder: string;
beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'assay-issuer-')), 'data');
});
afterEach(async () => {
  await rm(join(folder, '..'), { recursive: true });
});

const path = (): string => join(folder, 'development-issuer.json');

describe('the development issuer’s keys', () => {
  it('are one RS256 and one ES256 key, in a file of their owner alone', async () => {
    const file = new KeyFile(folder);
    const { signing } = await file.current();
    expect(signing.map(({ alg }) => alg)).toEqual(['RS256', 'ES256']);
    for (const key of signing) {
      expect(Object.keys(publicPart(key)).filter((name) => SECRET_MEMBERS.includes(name))).toEqual([]);
      expect(publicPart(key)).toMatchObject({ kid: key.kid, alg: key.alg, use: 'sig' });
    }
    expect((await file.current()).signing).toBe(signing);
    expect((await stat(path())).mode & 0o777).toBe(0o600);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
  });

  it('are the same for all that start at once, and leave no drafts', async () => {
    const all = await Promise.all([1, 2, 3].map(() => new KeyFile(folder).current()));
    for (const keys of all) expect(keys).toEqual(all[0]);
    expect(await new KeyFile(folder).current()).toEqual(all[0]);
    expect(await readdir(folder)).toEqual(['development-issuer.json']);
  });

  it('leave no draft that could not be written, as on a full disk', async () => {
    const program = `
      const { KeyFile } = await import(${JSON.stringify(new URL('../../../dist/src/issuers/development/keys.js', import.meta.url).href)});
      await new KeyFile(${JSON.stringify(folder)}).current();`;
    const { status, stderr } = spawnSync(
      'sh',
      ['-c', 'ulimit -f 0; exec "$0" --input-type=module --eval "$1"', process.execPath, program],
      { encoding: 'utf8', env: { PATH: process.env['PATH'] } },
    );
    expect([status, stderr]).toEqual([1, expect.stringContaining('EFBIG')]);
    expect(await readdir(folder)).toEqual([]);
  });

  it('rotate for every process; the former ones stay behind the new ones, subjects stay the same', async () => {
    const [one, other] = [new KeyFile(folder), new KeyFile(folder)];
    const before = await one.current();
    await other.rotate();
    const after = await one.current();
    expect(after.signing.map(({ alg }) => alg)).toEqual(['RS256', 'ES256', 'RS256', 'ES256']);
    expect(after.signing.slice(2)).toEqual(before.signing);
    expect(after.subjectSecret).toBe(before.subjectSecret);
    expect(new Set(after.signing.map(({ kid }) => kid)).size).toBe(4);
    expect((await stat(path())).mode & 0o777).toBe(0o600);
  });

  it('rotate and drop the former ones where that is asked', async () => {
    const file = new KeyFile(folder);
    const before = await file.current();
    await file.rotate({ dropFormer: true });
    const after = await file.current();
    expect(after.signing).toHaveLength(2);
    expect(before.signing.map(({ kid }) => kid)).not.toContain(after.signing[0]?.kid);
  });

  it.each(['', '{', '{}', '{"version":2}', 'null'])(
    'are refused by name where the file holds %j',
    async (text) => {
      await mkdir(folder);
      await writeFile(path(), text);
      await expect(new KeyFile(folder).current()).rejects.toThrow(
        `${path()} is damaged or of a newer version.`,
      );
      expect(await readFile(path(), 'utf8')).toBe(text);
    },
  );
});
