import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { assertFolders } from '../copy/place.js';
import { assertOutside } from './folders.js';

describe('what a command makes is refused in what it reads', () => {
  let root: string;
  let data: string;

  beforeEach(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'assay-folders-')));
    data = join(root, 'data');
    for (const folder of ['data/log', 'data/vault/look-ups', 'other'])
      mkdirSync(join(root, folder), { recursive: true });
    for (const file of ['log/data.mdb', 'vault/look-ups/data.mdb']) writeFileSync(join(data, file), '');
    symlinkSync(data, join(root, 'link'));
    symlinkSync(join(data, 'log'), join(root, 'other', 'log'));
  });
  afterEach(() => rmSync(root, { recursive: true }));

  const copyTo = (target: string) => (): void =>
    assertFolders({ kind: 'folder', folder: data }, { kind: 'folder', folder: target });

  it.each(['data', 'link', 'other/../data', 'data/'])('as the same place: %s', (target) => {
    expect(copyTo(join(root, target))).toThrow(/are the same place/);
    expect(copyTo(relative(process.cwd(), join(root, target)))).toThrow(/are the same place/);
  });

  it.each(['data/copy', 'data/made/copy', 'link/copy', 'link/made/copy', 'other/log/copy'])(
    'as a place inside it: %s',
    (target) => {
      expect(copyTo(join(root, target))).toThrow(/is inside the source/);
      expect(() => assertOutside(join(root, target), data, 'the backup')).toThrow(/is inside the backup/);
    },
  );

  it('as a link to a folder inside it', () => {
    expect(() => assertOutside(join(root, 'other', 'log'), data, 'the backup')).toThrow(/is inside/);
  });

  it.each(['copy', 'data-2', 'other', 'other/copy', '.'])('and nowhere else: %s', (target) => {
    expect(() => assertOutside(join(root, target), data, 'the source')).not.toThrow();
  });
});
