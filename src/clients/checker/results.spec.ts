import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CheckedTest } from '../../domain/session/check-events.js';
import { BadResults, readResults } from './results.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'results-spec-'));
});
afterEach(() => rm(folder, { recursive: true }));

const json = async (results: unknown): Promise<readonly CheckedTest[]> => {
  await writeFile(join(folder, 'results.json'), JSON.stringify(results));
  return readResults(folder);
};
const xml = async (report: string): Promise<readonly CheckedTest[]> => {
  await writeFile(join(folder, 'results.xml'), report);
  return readResults(folder);
};
const refusal = async (reading: Promise<unknown>): Promise<readonly [string, string]> => {
  const error = await reading.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof BadResults)) throw new Error(`It was not refused as it should: ${String(error)}`);
  return [error.reason, error.detail];
};
const test = (name: string, status: string, message?: string) => ({ name, status, message });

it('are no verdict on the work if this process cannot read them: the check is tried again', async () => {
  await json({ version: 2, status: 'pass', tests: [test('adds', 'pass')] });
  const program = `
    const { openSync } = await import('node:fs');
    const { readResults } = await import(${JSON.stringify(new URL('../../../dist/src/clients/checker/results.js', import.meta.url).href)});
    try {
      for (;;) openSync('/dev/null');
    } catch {
      await readResults(${JSON.stringify(folder)}).catch(({ name, code }) => console.log(name, code));
    }`;
  const { stdout } = spawnSync(
    'sh',
    ['-c', 'ulimit -n 100; exec "$0" --input-type=module --eval "$1"', process.execPath, program],
    { encoding: 'utf8' },
  );
  expect(stdout).toBe('Error EMFILE\n');
});

describe('results.json', () => {
  it.each([2, 3])('of version %i has a status and a message for each test', async (version) => {
    const tests = [
      { ...test('adds', 'pass'), test_code: 'add(1, 2)', output: 'hi', task_id: 1 },
      test('divides', 'fail', 'expected 2, got 3'),
      test('roots', 'error', 'no such function'),
    ];
    expect(await json({ version, status: 'fail', message: null, tests })).toEqual([
      { name: 'adds', status: 'pass', message: null },
      { name: 'divides', status: 'fail', message: 'expected 2, got 3' },
      { name: 'roots', status: 'error', message: 'no such function' },
    ]);
  });

  it('of version 1 has one status for all, or one for each', async () => {
    expect(await json({ version: 1, status: 'fail', message: 'no' })).toEqual([
      { name: 'all tests', status: 'fail', message: 'no' },
    ]);
    expect(await json({ status: 'pass' })).toMatchObject([{ status: 'pass' }]);
    expect(await json({ version: 1, status: 'pass', tests: [test('a', 'pass')] })).toHaveLength(1);
  });

  it.each<[string, unknown, string]>([
    ['another version', { version: 4, status: 'pass', tests: [] }, 'must be 1, 2 or 3'],
    ['a version as text', { version: '2', status: 'pass', tests: [] }, 'must be 1, 2 or 3'],
    ['no status', { version: 2, tests: [test('a', 'pass')] }, 'pass, fail or error'],
    ['an unknown status', { version: 2, status: 'passed', tests: [] }, 'pass, fail or error'],
    ['a list', [], 'must be an object'],
    ['a number', 7, 'must be an object'],
    ['no tests', { version: 2, status: 'pass' }, 'must be a list'],
    ['a test without a name', { version: 2, status: 'pass', tests: [{ status: 'pass' }] }, 'have a name'],
    ['a test that is null', { version: 2, status: 'pass', tests: [null] }, 'have a name'],
    ['a test without a status', { version: 2, status: 'pass', tests: [{ name: 'a' }] }, 'of test 1'],
    [
      'a status that its tests contradict',
      { version: 2, status: 'pass', tests: [test('a', 'fail')] },
      'contradict',
    ],
    ['a failure of none', { version: 2, status: 'fail', tests: [test('a', 'pass')] }, 'contradict'],
  ])('is refused with %s', async (_, results, sentence) => {
    expect(await refusal(json(results))).toEqual(['unreadable_results', expect.stringContaining(sentence)]);
  });

  it('that says the work could not be tested gives no figures, and its own reason', async () => {
    const results = {
      version: 3,
      status: 'error',
      message: 'It does not compile.',
      tests: [test('a', 'pass')],
    };
    expect(await refusal(json(results))).toEqual(['work_did_not_run', 'It does not compile.']);
  });

  it('without a test is an error, and with very many too', async () => {
    expect((await refusal(json({ version: 2, status: 'pass', tests: [] })))[0]).toBe('no_tests');
    const tests = Array.from({ length: 1_001 }, (_, n) => test(`t${n}`, 'pass'));
    expect((await refusal(json({ version: 2, status: 'pass', tests })))[0]).toBe('results_too_large');
  });

  it('has its texts cut to what is kept, without controls and halves of characters', async () => {
    const tests = Array.from({ length: 900 }, (_, n) =>
      test(`${n}${'n'.repeat(999)}`, 'fail', 'm'.repeat(3_000)),
    );
    const read = await json({ version: 2, status: 'fail', tests });
    expect(read).toHaveLength(900);
    expect(JSON.stringify(read).length).toBeLessThan(350_000);
    const odd = test('a\u0000\u001b[31mb', 'fail', 'x\ud800');
    expect(await json({ version: 2, status: 'fail', tests: [odd] })).toEqual([
      { name: 'a[31mb', status: 'fail', message: 'x\ufffd' },
    ]);
  });

  it('of any content is read, or refused with a reason', async () => {
    const some = fc.oneof(
      fc.jsonValue(),
      fc.record({ version: fc.constant(2), status: fc.constantFrom('pass', 'fail'), tests: fc.jsonValue() }),
    );
    await fc.assert(
      fc.asyncProperty(some, async (value) => {
        await json(value).catch((error: unknown) => {
          if (!(error instanceof BadResults)) throw error;
        });
      }),
      { numRuns: 200 },
    );
  });
});

describe('results.xml', () => {
  it('is a JUnit report, of suites at any depth; skipped tests do not count', async () => {
    const report = `<?xml version="1.0"?>
      <testsuites>
        <testsuite name="a" tests="3" failures="1" errors="0">
          <testcase classname="Sum" name="adds &lt;two&gt;" time="0.1"><system-out>FAILED?</system-out></testcase>
          <testsuite name="inner" failures="1">
            <testcase name="divides"><failure message="expected 2" type="E">at <![CDATA[line <3>]]></failure></testcase>
          </testsuite>
          <testcase name="later"><skipped/></testcase>
        </testsuite>
        <testsuite name="b" errors="1"><testcase name="roots"><error>no such function</error><failure/></testcase></testsuite>
      </testsuites>`;
    expect(await xml(report)).toEqual([
      { name: 'Sum adds <two>', status: 'pass', message: null },
      { name: 'divides', status: 'fail', message: expect.stringMatching(/^expected 2\nat\s+line <3>$/) },
      { name: 'roots', status: 'error', message: 'no such function' },
    ]);
  });

  it('counts only if there is no results.json', async () => {
    await writeFile(join(folder, 'results.xml'), '<testsuite><testcase name="a"/></testsuite>');
    expect(await readResults(folder)).toHaveLength(1);
    expect(await json({ version: 2, status: 'fail', tests: [test('b', 'fail')] })).toMatchObject([
      { name: 'b', status: 'fail' },
    ]);
  });

  it.each<[string, string, string]>([
    ['that is cut off', '<testsuite><testcase name="a"/>', 'well-formed'],
    ['that is no XML', 'ok 1 - adds', 'well-formed'],
    [
      'with an entity of its own',
      '<!DOCTYPE t [<!ENTITY e SYSTEM "file:///etc/passwd">]><testsuite/>',
      'document type',
    ],
    ['with an unknown entity', '<testsuite><testcase name="&e;"/></testsuite>', 'well-formed'],
    ['of another kind', '<html><testcase name="a"/></html>', 'root'],
    ['of tests without names', '<testsuite><testcase/></testsuite>', 'have a name'],
    [
      'of tests in tests',
      '<testsuite><testcase name="a"><testcase name="b"/></testcase></testsuite>',
      'in a test',
    ],
    ['that is very deep', `${'<testsuite>'.repeat(70)}${'</testsuite>'.repeat(70)}`, 'too deeply'],
    ['of a suite that broke', '<testsuite errors="1"><testcase name="a"/></testsuite>', 'claims failures'],
  ])('%s is refused', async (_, report, sentence) => {
    expect(await refusal(xml(report))).toEqual(['unreadable_results', expect.stringContaining(sentence)]);
  });

  it('without a test that ran is an error', async () => {
    const report = '<testsuite><testcase name="a"><skipped/></testcase></testsuite>';
    expect((await refusal(xml(report)))[0]).toBe('no_tests');
  });
});
