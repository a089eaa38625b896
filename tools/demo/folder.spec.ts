import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StartProblem } from '../../src/process/start.js';
import { remakeFolder } from './folder.js';

describe('the folder of the demo', () => {
  let parent: string;
  let folder: string;
  beforeEach(() => {
    parent = mkdtempSync(join(tmpdir(), 'demo-folder-'));
    folder = join(parent, 'data');
  });
  afterEach(() => rmSync(parent, { recursive: true }));

  it('is emptied if a demo has made it, and only then', () => {
    remakeFolder(folder);
    writeFileSync(join(folder, 'data.key'), '');
    remakeFolder(folder);
    expect([readdirSync(folder), statSync(folder).mode & 0o777]).toEqual([['made-by-the-demo'], 0o700]);
    const other = join(parent, 'other');
    mkdirSync(other);
    writeFileSync(join(other, 'data.key'), '');
    expect(() => remakeFolder(other)).toThrow(StartProblem);
    expect(existsSync(join(other, 'data.key'))).toBe(true);
  });

  it('can be emptied again by the next demo if one is killed in the middle: its mark is never removed', () => {
    remakeFolder(folder);
    const mark = join(folder, 'made-by-the-demo');
    linkSync(mark, join(parent, 'same file'));
    writeFileSync(join(folder, 'data.key'), '');
    remakeFolder(folder);
    expect([readdirSync(folder), statSync(mark).nlink]).toEqual([['made-by-the-demo'], 2]);
  });
});
