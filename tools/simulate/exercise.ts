import { zipSync } from 'fflate';

/** What a candidate hands in for the exercise. */
export type HandInKind = 'right' | 'half' | 'hostile' | 'nothing';

export const HAND_IN_KINDS: readonly HandInKind[] = ['right', 'half', 'hostile', 'nothing'];

/** One file as it is sent: its name says how it is read. */
export interface SentFile {
  readonly name: string;
  readonly content: Uint8Array;
}

const bytes = (text: string): Uint8Array => Buffer.from(text);
const zip = (name: string, files: Readonly<Record<string, string>>): SentFile => ({
  name,
  content: zipSync(Object.fromEntries(Object.entries(files).map(([path, text]) => [path, bytes(text)]))),
});

const READ = `let input = '';
for await (const chunk of process.stdin) input += chunk;
const numbers = input.split(' ').filter(Boolean).map(Number);
`;
const RIGHT = `${READ}console.log(numbers.reduce((sum, number) => sum + number, 0));\n`;
/** The first two numbers alone. */
const HALF = `${READ}console.log(numbers[0] + numbers[1]);\n`;
/** Tries to write its own results, and leaves a process running. Harmless without a sandbox. */
const HOSTILE = `import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
const results = '{"version":2,"status":"pass","tests":[{"name":"sum","status":"pass"}]}';
for (const folder of ['.', '../output', '/output'])
  try { writeFileSync(folder + '/results.json', results); } catch {}
try { spawn('sleep', ['20'], { detached: true, stdio: 'ignore' }).on('error', () => {}).unref(); } catch {}
console.log(results);
`;

const check = (tests: Readonly<Record<string, string>>): string => `import { test } from 'node:test';
import assert from 'node:assert/strict';
import { run } from 'assay-check';
for (const [input, sum] of ${JSON.stringify(Object.entries(tests))})
  test('adds ' + JSON.stringify(input), async () => {
    const { stdout } = await run(['node', 'sum.mjs'], input);
    assert.equal(stdout, sum + '\\n');
  });
`;

/** A ticket whose work is checked, for the shipped checker. */
export const EXERCISE = {
  ticket: { title: 'Sum', description: 'sum.mjs reads numbers and writes their sum.', kind: 'files' },
  starter: zip('starter.zip', { 'sum.mjs': '// Your work\n', 'README.md': '# Sum\n' }),
  visible: { name: 'visible.check.mjs', content: bytes(check({ '1 2': '3' })) },
  hidden: {
    name: 'hidden.check.mjs',
    content: bytes(check({ '4 5': '9', '10 -10': '0', '1 2 3': '6', '': '0' })),
  },
  checks: { slug: 'sum', isolation: 'separate' },
} as const;

/** What is handed in one after the other: the last counts. */
export const WORKS: Readonly<Record<HandInKind, readonly SentFile[]>> = {
  right: [
    { name: 'sum.mjs', content: bytes(HALF) },
    zip('work.zip', { 'sum.mjs': RIGHT, 'README.md': '# Sum\n' }),
  ],
  half: [{ name: 'sum.mjs', content: bytes(HALF) }],
  hostile: [{ name: 'sum.mjs', content: bytes(HOSTILE) }],
  nothing: [],
};

/** What a hostile candidate also sends: an archive with a path that leads out of its folder. */
export const REFUSED_WORK = zip('work.zip', { '../../sum.mjs': RIGHT });
/** What a hostile candidate also reports: a run of tests that no checker has made. */
export const FORGED_RUN = { passed: 9_999, failed: 0, durationMs: 1 };

/** Tests that passed, and all. */
interface Tests {
  readonly passed: number;
  readonly all: number;
}

/** What a checker finds in the last hand-in. */
export const RESULTS: Readonly<Record<HandInKind, { readonly visible: Tests; readonly hidden: Tests }>> = {
  right: { visible: { passed: 1, all: 1 }, hidden: { passed: 4, all: 4 } },
  half: { visible: { passed: 1, all: 1 }, hidden: { passed: 2, all: 4 } },
  hostile: { visible: { passed: 0, all: 1 }, hidden: { passed: 0, all: 4 } },
  nothing: { visible: { passed: 0, all: 1 }, hidden: { passed: 0, all: 4 } },
};

/** Shares of the interview, from 0 to 1, as the evaluation has them: the simulation does not compute them. */
export interface InterviewShares {
  readonly questionsAnswered: number;
  readonly answersWithSubstance: number;
}

/** A score of each category, from 0 to 100. */
export interface Scores {
  readonly correctness: number;
  readonly process: number;
}

/**
 * The scores by the points that docs/evaluations.md has, unrounded.
 * @param reason why the checks of what was handed in gave no result; `null`: they gave one
 */
export const scoresOf = (kind: HandInKind, reason: string | null, interview: InterviewShares): Scores => {
  // Checks that gave no result prove nothing, as if every test had failed.
  const { visible, hidden } = reason === null ? RESULTS[kind] : RESULTS.nothing;
  const handedIn = WORKS[kind].length > 0 ? 1 : 0;
  const answers: Signals = [
    [30, interview.questionsAnswered],
    [20, interview.answersWithSubstance],
  ];
  // Without a checker, correctness rests on what was handed in, and the signals of tests are left out.
  if (handedIn === 1 && reason === 'no_checker')
    return { correctness: 100, process: weighted([[30, 1], ...answers]) };
  const tests: Signals = [
    [80, hidden.passed / hidden.all],
    [20, visible.passed / visible.all],
  ];
  const resolved = visible.passed === visible.all ? 1 : 0;
  return {
    correctness: weighted(tests),
    process: weighted([[30, handedIn], [20, resolved], ...answers]),
  };
};

type Signals = readonly (readonly [points: number, share: number])[];

/** The score of signals, from 0 to 100. */
const weighted = (signals: Signals): number => {
  const all = signals.reduce((sum, [points]) => sum + points, 0);
  return signals.reduce((sum, [points, share]) => sum + points * share, 0) * (100 / all);
};
