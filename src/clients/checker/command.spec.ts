import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { eventually } from '../../../test/support/eventually.js';
import { pause } from '../../core/backoff.js';
import { HOST_MARK } from '../../process/own-folders.js';
import type { CheckFiles, CheckRequest, CheckResult } from './checker.js';
import { CommandChecker } from './command.js';
import { RUN_VARIABLE, sweepRuns } from './run-folder.js';

const never = new AbortController().signal;
const bytes = (text: string): Uint8Array => Buffer.from(text);
const FILES: CheckFiles = {
  work: [
    { path: 'src/two-fer.js', content: bytes('the work') },
    { path: 'test.js', content: bytes('the candidate’s own test') },
  ],
  checks: [{ path: 'test.js', content: bytes('the check') }],
};
const REQUEST: CheckRequest = { slug: 'two-fer', isolation: 'shared', files: async () => FILES };
const PASSED = '{"version":2,"status":"pass","tests":[{"name":"one","status":"pass"}]}';

let parent: string;
let warnings: unknown[][];
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'checker-spec-'));
  warnings = [];
});
afterEach(async () => {
  expect(await readdir(parent)).toEqual([]);
  expect(warnings).toEqual([]);
  await rm(parent, { recursive: true });
});

const checker = (command: string, timeoutMs = 20_000, atOnce = 1): CommandChecker =>
  new CommandChecker(
    { kind: 'command', command, isolations: ['shared'], timeoutMs, atOnce },
    { debug: () => undefined, warn: (...line: unknown[]) => void warnings.push(line) },
    parent,
  );
const run = (
  command: string,
  { work = FILES.work, checks = FILES.checks, ...request }: Partial<CheckRequest & CheckFiles> = {},
  timeoutMs?: number,
): Promise<CheckResult> =>
  checker(command, timeoutMs).run({ ...REQUEST, files: async () => ({ work, checks }), ...request }, never);
it('gives no verdict if this machine cannot start a process: the check is tried again', async () => {
  const path = process.env['PATH'];
  process.env['PATH'] = join(parent, 'none');
  try {
    await expect(run('true')).rejects.toThrow("The checker's command could not be started: ENOENT.");
  } finally {
    process.env['PATH'] = path;
  }
});

/** Writes that as `results.json`. */
const leaving = (json: string): string => `printf '%s' '${json.replaceAll('%', '%%')}' > "$3/results.json"`;
const running = async (mark: string): Promise<readonly string[]> => {
  const all = await readdir('/proc');
  const found = await Promise.all(
    all.map(async (id) =>
      (await readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')).includes(mark) ? id : '',
    ),
  );
  return found.filter((id) => id !== '' && id !== String(process.pid));
};

describe('a checker’s command', () => {
  it('gets the slug, the work with the checks laid over it, and a folder for its results', async () => {
    const result = await run(
      [
        `printf '%s|' "$0" "$1" "$(cat "$2/src/two-fer.js")" "$(cat "$2/test.js")" "$(ls -A "$3")"`,
        `printf '%s|' "$ASSAY_ISOLATION" "$(cat "$ASSAY_WORK/test.js")" "$(cd "$ASSAY_CHECKS"; echo *)"`,
        leaving(PASSED),
      ].join('\n'),
    );
    expect(result).toMatchObject({
      outcome: 'checked',
      tests: [{ name: 'one', status: 'pass', message: null }],
      output: 'checker|two-fer|the work|the check||shared|the candidate’s own test|test.js|',
      runner: { name: 'command', digest: expect.stringMatching(/^[0-9a-f]{64}$/) },
    });
    expect(result.ms).toBeGreaterThanOrEqual(0);
  });

  it('finds nothing writable in its input, unless it is root', async () => {
    const { output } = await run(`ls -l "$2" | cut -c1-10; ls -ld "$2" | cut -c1-10; ${leaving(PASSED)}`);
    expect(output.match(/w/g)).toBeNull();
  });

  it('is one whose digest changes with the files that it names', async () => {
    const script = join(parent, 'run.sh');
    const digest = async (content: string): Promise<string> => {
      await writeFile(script, content);
      return (await run(`sh ${script} "$@"`)).runner.digest;
    };
    const first = await digest(leaving(PASSED));
    expect(await digest(`${leaving(PASSED)} # changed`)).not.toBe(first);
    expect(await digest(leaving(PASSED))).toBe(first);
    await rm(script);
  });

  it('lets a check take the place of a folder of the work, and of a file on its path', async () => {
    const { output } = await run(`(cd "$2"; find . -type f | sort); ${leaving(PASSED)}`, {
      work: ['a/b.js', 'c', 'd/e'].map((path) => ({ path, content: bytes('w') })),
      checks: ['a', 'c/d.js'].map((path) => ({ path, content: bytes('c') })),
    });
    expect(output.trim().split('\n')).toEqual(['./a', './c/d.js', './d/e']);
  });

  it.each<[string, string, string, RegExp]>([
    ['ends badly', 'failed', 'echo broken >&2; exit 3', /ended with status 3\. broken$/],
    ['says that it cannot run here', 'unavailable', 'echo no sandbox >&2; exit 69', /no sandbox$/],
    ['cannot be found', 'failed', 'no-such-checker "$@"', /status 127, a program was not found/],
    ['is killed', 'killed', 'kill -9 $$', /SIGKILL/],
    ['floods its output', 'too_much_output', 'yes', /wrote more than/],
    ['leaves nothing', 'no_results', 'true', /neither results/],
    ['leaves nonsense', 'unreadable_results', 'echo nonsense > "$3/results.json"', /not valid JSON/],
    [
      'leaves half of it',
      'unreadable_results',
      `printf '{"version":2,"status":"pa' > "$3/results.json"`,
      /not valid JSON/,
    ],
    [
      'leaves a link',
      'unreadable_results',
      `echo '${PASSED}' > "$3/r"; ln -s r "$3/results.json"`,
      /is a link/,
    ],
    [
      'links another file',
      'unreadable_results',
      `echo '${PASSED}' > "$3/r"; ln "$3/r" "$3/results.json"`,
      /link to another/,
    ],
    ['leaves a pipe', 'unreadable_results', 'mkfifo "$3/results.json"', /not a file/],
    ['leaves a folder', 'unreadable_results', 'mkdir "$3/results.json"', /not a file/],
    [
      'leaves very much',
      'results_too_large',
      'head -c 5000000 /dev/zero > "$3/results.json"',
      /more than 4194304 bytes/,
    ],
    ['leaves no text', 'unreadable_results', String.raw`printf '"\377"' > "$3/results.json"`, /not UTF-8/],
  ])('that %s ends in the error %s', async (_, reason, command, detail) => {
    const result = await run(command);
    expect(result).toMatchObject({ outcome: 'error', reason, detail: expect.stringMatching(detail) });
  });

  it('keeps the end of what it wrote for staff, also with bad results', async () => {
    const { output } = await run(
      'i=0; while [ $i -lt 4000 ]; do i=$((i+1)); echo line $i; done; : > "$3/results.json"',
    );
    expect(output).toMatch(/line 3999\nline 4000\n$/);
    expect(output).toHaveLength(8_000);
  });

  it('that hangs is ended, with all that it started', async () => {
    const mark = 'sleep 3611';
    const result = await run(`setsid ${mark} & (${mark} &) ; ${mark}`, {}, 700);
    expect(result).toMatchObject({ outcome: 'error', reason: 'timed_out' });
    expect(await running(mark.replace(' ', '\0'))).toEqual([]);
  });

  it('that ends well leaves nothing running either, also of what forks without end', async () => {
    const mark = 'sleep 3612';
    const forks = 'f() { sleep 0.01; f & } ; f &';
    const result = await run(`setsid sh -c '${mark}' >/dev/null 2>&1 & ${forks} ${leaving(PASSED)}`);
    expect(result.outcome).toBe('checked');
    expect(await running(mark.replace(' ', '\0'))).toEqual([]);
  });

  it.each([
    ['in many pieces', 'i=0; while :; do i=$((i+1)); head -c 4000000 /dev/zero > "$3/$i"; done'],
    ['in many files', 'i=0; while :; do i=$((i+1)); : > "$3/$i"; done'],
    [
      'beside its output',
      'mkdir "$3/../more"; i=0; while :; do i=$((i+1)); head -c 4000000 /dev/zero > "$3/../more/$i"; done',
    ],
  ])('that fills the disk is ended: %s', async (_, command) => {
    expect(await run(command)).toMatchObject({ outcome: 'error', reason: 'too_much_stored' });
  });

  it('cannot write one file without end', async () => {
    const result = await run('cat /dev/zero > "$3/large"; sleep 1');
    expect(result).toMatchObject({ outcome: 'error' });
  });

  it('that cannot keep the work apart is not asked to', async () => {
    const result = await run(leaving(PASSED), { isolation: 'separate' });
    expect(result).toMatchObject({ outcome: 'error', reason: 'isolation' });
  });

  it('keeps nothing in memory of what it runs over', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const read: WeakRef<Uint8Array>[] = [];
    const files = async (): Promise<CheckFiles> => {
      const content = Buffer.alloc(1_000_000);
      read.push(new WeakRef(content));
      return { work: [{ path: 'data.bin', content }], checks: FILES.checks };
    };
    const go = join(parent, 'go');
    const ended = checker(`until test -e ${go}; do sleep 0.1; done; ${leaving(PASSED)}`).run(
      { ...REQUEST, files },
      never,
    );
    await eventually(async () => {
      collect();
      return read.length === 1 && read[0]?.deref() === undefined;
    });
    await writeFile(go, '');
    expect(await ended).toMatchObject({ outcome: 'checked' });
    await rm(go);
  });

  it('leaves nothing behind if what it is to run over cannot be read', async () => {
    const files = () => Promise.reject(new Error('Gone.'));
    await expect(checker(leaving(PASSED)).run({ ...REQUEST, files }, never)).rejects.toThrow('Gone.');
  });

  it('is cancelled by its caller, while it runs or waits', async () => {
    const one = checker('sleep 60');
    const stop = new AbortController();
    const both = [one.run(REQUEST, stop.signal), one.run(REQUEST, stop.signal)];
    const ended = Promise.allSettled(both);
    await pause(200);
    stop.abort(new Error('The service stops.'));
    for (const { status } of await ended) expect(status).toBe('rejected');
    await expect(both[0]).rejects.toThrow('The service stops.');
  });

  it('gets no secret of the service', async () => {
    process.env['SIGNING_KEY'] = 'hunter2';
    try {
      expect((await run(`env; ${leaving(PASSED)}`)).output).not.toContain('hunter2');
    } finally {
      delete process.env['SIGNING_KEY'];
    }
  });
});

describe('the checker in Python of the documentation', () => {
  const check = (result: number): string =>
    `import unittest\nfrom work import add\nclass Sum(unittest.TestCase):\n  def test_adds(self):\n    self.assertEqual(add(1, 2), ${result})\n  def test_is_a_number(self):\n    self.assertEqual(add(0, 0), 0)\n`;
  const runs = (work: string, checks = 'two_fer_test.py'): Promise<CheckResult> =>
    run('python3 docs/examples/checker.py "$@"', {
      work: [
        { path: 'work.py', content: bytes(work) },
        { path: 'own_test.py', content: bytes(check(3)) },
        { path: 'two_fer_test.py', content: bytes(check(3)) },
      ],
      checks: [{ path: checks, content: bytes(check(3)) }],
    });

  it.each<[string, string, readonly string[]]>([
    ['right', 'def add(a, b):\n  return a + b', ['pass', 'pass']],
    ['half right', 'def add(a, b):\n  return a * b', ['fail', 'pass']],
    ['broken', 'def add(a, b):\n  raise SystemExit(0)', ['fail', 'fail']],
    ['no Python', 'def add(a, b:', ['fail']],
  ])('gives the figures of work that is %s, by no test of its own', async (_, work, statuses) => {
    const result = await runs(work);
    if (result.outcome !== 'checked') throw new Error(result.detail);
    expect(result.tests.map(({ status }) => status)).toEqual(statuses);
  });

  it('gives none of work that ends it, or without a file of checks by the slug', async () => {
    expect(await runs('import os\nos._exit(0)')).toMatchObject({ outcome: 'error', reason: 'no_results' });
    expect(await runs('def add(a, b):\n  return a + b', 'sum_test.py')).toMatchObject({
      outcome: 'error',
      reason: 'failed',
      detail: expect.stringContaining('The checks have no two_fer_test.py.'),
    });
  });
});

describe('what a killed process leaves of its check runs', () => {
  it('is swept with its processes; what a living one runs is left alone', async () => {
    // No process has this id: Linux has at most 4,194,304.
    const dead = `assay-check-${HOST_MARK}-4999999-0123abcd-AbCdEf`;
    const former = `assay-check-${HOST_MARK}-${process.pid}-0123abcd-AbCdEf`;
    const others = [`assay-check-${HOST_MARK}-1-0123abcd-AbCdEf`, 'assay-check-x', 'other'];
    for (const name of [dead, former, ...others]) {
      await mkdir(join(parent, name, 'locked'), { recursive: true, mode: 0o500 });
      if (process.getuid?.() !== 0) continue;
      await writeFile(join(parent, name, 'locked', 'file'), '');
    }
    const mark = 'sleep 3613';
    const env = { ...process.env, [RUN_VARIABLE]: dead };
    const leave = () => spawn('sh', ['-c', mark], { detached: true, stdio: 'ignore', env }).unref();
    const expectSwept = async () => {
      expect((await readdir(parent)).sort()).toEqual([...others].sort());
      expect(await running(mark.replace(' ', '\0'))).toEqual([]);
    };
    leave();
    const swept = checker(leaving(PASSED));
    await swept.run(REQUEST, never);
    await expectSwept();
    // Later only if that is asked for: another process can have ended meanwhile.
    await mkdir(join(parent, dead));
    leave();
    await swept.run(REQUEST, never);
    expect(await readdir(parent)).toContain(dead);
    await swept.sweep();
    await expectSwept();
    for (const name of others) await rm(join(parent, name), { recursive: true });
    expect(await sweepRuns(join(parent, 'missing'))).toBe(0);
  });

  it('is not told by a process id alone, which two hosts can share: the runs of another host stay for a day', async () => {
    const ofHost = `assay-check-0123abcd-4999999-0123abcd-AbCdEf`;
    const ofFormerRelease = 'assay-check-4999999-0123abcd-AbCdEf';
    const names = [ofHost, ofFormerRelease];
    const age = async (hours: number): Promise<void> => {
      const at = new Date(Date.now() - hours * 3_600_000);
      for (const name of names) await utimes(join(parent, name), at, at);
    };
    for (const name of names) await mkdir(join(parent, name));
    await age(23);
    expect(await sweepRuns(parent)).toBe(0);
    expect(await readdir(parent)).toEqual(expect.arrayContaining(names));
    await age(25);
    expect(await sweepRuns(parent)).toBe(2);
  });
});
