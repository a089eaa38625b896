import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const operator = fileURLToPath(new URL('../../../dist/bin/operator.js', import.meta.url));
const CHECK = `import unittest
from work import add
class Sum(unittest.TestCase):
  def test_adds(self):
    self.assertEqual(add(1, 2), 3)
  def test_doubles(self):
    self.assertEqual(add(2, 2), 4, "2 and 2")
`;

describe('checks try', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'checks-try-'));
    for (const name of ['work', 'checks', 'work/inner']) mkdirSync(join(folder, name));
    writeFileSync(join(folder, 'work', 'work.py'), 'def add(a, b):\n  return a + 2 if a == 1 else 5\n');
    writeFileSync(join(folder, 'checks', 'sum_test.py'), CHECK);
    symlinkSync('/etc/passwd', join(folder, 'work', 'inner', 'passwd'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const tried = (environment: Readonly<Record<string, string>>, ...words: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [operator, 'checks', 'try', ...words.map((word) => (word.startsWith('-') ? word : join(folder, word)))],
      { encoding: 'utf8', env: { ...process.env, DATA_DIR: folder, ...environment } },
    );
    return { status, stdout, stderr };
  };
  const PYTHON = { CHECKER: 'command', CHECKER_COMMAND: 'python3 docs/examples/checker.py "$@"' };

  it('shows each test, and what failed', () => {
    const { status, stdout } = tried(PYTHON, 'work', 'checks', '--slug=sum');
    expect(stdout).toMatch(
      /^pass {2}sum_test\.Sum\.test_adds\nfail {2}sum_test\.Sum\.test_doubles\n( {8}.*\n)+1 of 2 tests passed in \d+ ms\.\n$/,
    );
    expect(stdout).toContain('        AssertionError: 5 != 4 : 2 and 2\n');
    expect(status).toBe(0);
  });

  it('takes single files and prints JSON', () => {
    const list = { ...PYTHON, CHECKER_COMMAND: 'cat "$2/one.py"; exit 3' };
    writeFileSync(join(folder, 'one.py'), 'x = 1\n');
    const { status, stdout } = tried(list, 'one.py', 'checks', '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      isolation: 'shared',
      outcome: 'error',
      reason: 'failed',
      output: 'x = 1\n',
    });
    expect(status).toBe(1);
  });

  it('fails with the reason where the checker gives no result, and hands no link on', () => {
    const { status, stdout } = tried(
      { ...PYTHON, CHECKER_COMMAND: 'find "$2" -name passwd; echo "$1" "$ASSAY_ISOLATION"; : "$3"' },
      'work',
      'checks',
    );
    expect(stdout).toBe(
      'error (no_results): The checker left no results.\nThe output folder has neither results.json nor results.xml.\n\nOutput of the checker:\n  try shared\n',
    );
    expect(status).toBe(1);
  });

  it('follows a link that the operator names, as to any folder', () => {
    symlinkSync(join(folder, 'work'), join(folder, 'linked-work'));
    symlinkSync(join(folder, 'checks'), join(folder, 'linked-checks'));
    const { status, stdout } = tried(PYTHON, 'linked-work', 'linked-checks', '--slug=sum');
    expect([status, stdout]).toEqual([0, expect.stringContaining('1 of 2 tests passed')]);
  });

  it('says what is missing', () => {
    expect(tried({}, 'work', 'checks')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('CHECKER=command'),
    });
    expect(tried(PYTHON, 'missing', 'checks')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('There is no'),
    });
    writeFileSync(join(folder, 'broken.zip'), 'PK nonsense');
    expect(tried(PYTHON, 'broken.zip', 'checks')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('broken.zip'),
    });
  });
});
