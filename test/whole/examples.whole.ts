import { describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';

const EXAMPLES = 'docs/examples';
const CHECKERS = {
  javascript: {
    slug: 'till',
    isolation: 'separate',
    command: `${process.execPath} dist/bin/checker.js "$@"`,
  },
  python: { slug: 'rota', isolation: 'shared', command: 'python3 docs/examples/checker.py "$@"' },
};
type Example = keyof typeof CHECKERS;

/** Passed and all tests of one run, by the operator's command. */
const tried = (example: Example, work: string, checks: string): readonly [passed: number, all: number] => {
  const { slug, isolation, command } = CHECKERS[example];
  const folders = [`${EXAMPLES}/${example}/${work}`, `${EXAMPLES}/${example}/${checks}`];
  const settings = { CHECKER: 'command', CHECKER_COMMAND: command, CHECKER_ISOLATION: isolation };
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['dist/bin/operator.js', 'checks', 'try', ...folders, '--slug', slug, '--json'],
    { encoding: 'utf8', env: { ...process.env, ...settings } },
  );
  if (stdout === '') throw new Error(stderr);
  const result = JSON.parse(stdout) as { outcome: string; tests: readonly { status: string }[] };
  if (result.outcome !== 'checked') throw new Error(stdout);
  return [result.tests.filter(({ status }) => status === 'pass').length, result.tests.length];
};

describe.each<Example>(['javascript', 'python'])('the worked example in %s', (example) => {
  it.each<[string, readonly [number, number], readonly [number, number]]>([
    ['solution', [2, 2], [4, 4]],
    ['half', [2, 2], [2, 4]],
    ['starter', [0, 2], [0, 4]],
  ])('gives %s the figures that it is to have', (work, visible, hidden) => {
    expect(tried(example, work, 'visible')).toEqual(visible);
    expect(tried(example, work, 'hidden')).toEqual(hidden);
  });
});
