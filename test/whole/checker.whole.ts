import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CheckResult } from '../../src/clients/checker/checker.js';
import { CommandChecker } from '../../src/clients/checker/command.js';
import { isProcessRunning } from '../../src/process/owner.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const COMMAND = `${process.execPath} ${join(root, 'dist/bin/checker.js')} "$@"`;
const GROUPS = '/sys/fs/cgroup';
const never = new AbortController().signal;
/** A text in the command lines of the work's processes, and of no others. */
const MARK = 'hostile-3617';

const CHECK = `
  import { test } from 'node:test';
  import assert from 'node:assert/strict';
  import { run } from 'assay-check';
  // secret-of-the-hidden-checks
  test('adds', async () => {
    const { stdout, stderr, code, ended } = await run(['node', 'main.mjs', '${MARK}'], { stdin: '1 2', timeoutMs: 3_000 });
    assert.deepEqual([stdout.trim().slice(0, 500), ended], ['3', null], stderr.slice(-300));
    assert.equal(code, 0);
  });
`;
const RIGHT = `let t = ''; for await (const c of process.stdin) t += c;
  console.log(t.split(' ').reduce((sum, n) => sum + Number(n), 0));`;

let parent: string;
beforeAll(() => {
  parent = mkdtempSync(join(tmpdir(), 'checker-whole-'));
  // With the mode of the system's temporary folder: the sandbox's user must be able to enter it.
  chmodSync(parent, 0o711);
});
afterAll(() => rmSync(parent, { recursive: true }));

const check = (
  main: string,
  checks: Readonly<Record<string, string>> = { 'sum.check.mjs': CHECK },
  command = COMMAND,
  timeoutMs = 60_000,
): Promise<CheckResult> => {
  const treeOf = (all: Readonly<Record<string, string>>) =>
    Object.entries(all).map(([path, content]) => ({ path, content: Buffer.from(content) }));
  const settings = { kind: 'command', command, isolations: ['separate'], timeoutMs, atOnce: 1 } as const;
  const quiet = { debug: () => undefined, warn: () => undefined };
  return new CommandChecker(settings, quiet, parent).run(
    {
      ...{ slug: 'sum', isolation: 'separate' },
      files: async () => ({ work: treeOf({ 'main.mjs': main }), checks: treeOf(checks) }),
    },
    never,
  );
};

/** The processes of the work that still run. */
const left = (): readonly string[] =>
  readdirSync('/proc').filter((id) => {
    if (!/^\d+$/.test(id)) return false;
    try {
      return readFileSync(`/proc/${id}/cmdline`, 'utf8').includes(MARK);
    } catch {
      return false;
    }
  });
const expectUnharmed = (): void => {
  expect(left()).toEqual([]);
  expect(readdirSync(parent)).toEqual([]);
};
const failed = async (main: string): Promise<string> => {
  const result = await check(main);
  if (result.outcome === 'error') throw new Error(`${result.reason}: ${result.detail}`);
  expect(result.tests).toMatchObject([{ name: 'adds', status: 'fail' }]);
  expectUnharmed();
  return result.tests[0]?.message ?? '';
};
/** The output of work that runs this as a shell script. */
const seen = (script: string): Promise<string> =>
  failed(`import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
    const { stdout, stderr } = spawnSync('sh', ['-c', ${JSON.stringify(script)}], { encoding: 'utf8' });
    console.log(stdout + stderr);`);

describe('the shipped checker', () => {
  it('says how it keeps work apart, and gives right work its figures', async () => {
    const result = await check(RIGHT);
    expect(result).toMatchObject({
      outcome: 'checked',
      tests: [{ name: 'adds', status: 'pass', message: null }],
    });
    expect(result.output).toMatch(
      /^Sandbox: bwrap, user \d+, memory and processes bounded by (cgroup v[12]|resource limits)\.$/m,
    );
    expectUnharmed();
  });

  it('runs each file of checks, their suites, and what a check gives the work', async () => {
    const head = `import { describe, it } from 'node:test'; import assert from 'node:assert/strict'; import { run } from 'assay-check';`;
    const result = await check(
      'import { readFileSync } from "node:fs"; console.log(readFileSync("/input/a.txt", "utf8"))',
      {
        'deep/a.check.mjs': `${head} import { expected } from './help.mjs';
        describe('files', () => { it('are there', async () => {
          const { stdout } = await run(['node', 'main.mjs'], { files: { 'a.txt': 'hi' } });
          assert.equal(stdout, expected);
        }); it.skip('later', () => {}); it('fail', () => assert.fail('no')); });`,
        'deep/help.mjs': `export const expected = 'hi\\n';`,
        'b.check.mjs': `${head} it('has other programs too', async () => assert.equal((await run(['sh', '-c', 'pwd'])).stdout, '/work\\n'));`,
      },
    );
    if (result.outcome === 'error') throw new Error(result.detail);
    expect(result.tests).toEqual([
      { name: 'b: has other programs too', status: 'pass', message: null },
      { name: 'deep/a: files > are there', status: 'pass', message: null },
      { name: 'deep/a: files > fail', status: 'fail', message: 'no' },
    ]);
  });

  it.each<[string, Readonly<Record<string, string>>, RegExp]>([
    ['cannot be loaded', { 'a.check.mjs': 'nonsense(' }, /a\.check\.mjs did not run to their end/],
    ['end their own process', { 'a.check.mjs': 'process.exit(0)' }, /did not run to their end/],
    [
      'name a bad file',
      {
        'a.check.mjs': `import { test } from 'node:test'; import { run } from 'assay-check'; test('a', () => run(['true'], { files: { '../a': '' } }));`,
      },
      /letters, digits/,
    ],
  ])('ends in an error if the checks %s', async (_, checks, detail) => {
    expect(await check(RIGHT, checks)).toMatchObject({
      outcome: 'error',
      reason: 'failed',
      detail: expect.stringMatching(detail),
    });
    expectUnharmed();
  });

  it('does not count a program that the sandbox lacks against the work', async () => {
    const checks = {
      'a.check.mjs': `import { test } from 'node:test'; import { run } from 'assay-check'; test('a', () => run(['cobol-90']));`,
    };
    expect(await check(RIGHT, checks)).toMatchObject({
      outcome: 'error',
      reason: 'unavailable',
      detail: expect.stringContaining('There is no cobol-90 in the sandbox.'),
    });
  });

  it('ends in an error without a check', async () => {
    expect(await check(RIGHT, { 'a.txt': '' })).toMatchObject({ outcome: 'error', reason: 'no_tests' });
  });

  it('ends in an error if no sandbox can be made, unless it may run without one', async () => {
    const refused = `bwrap() { :; }; mkdir -p "$3/../bin"; printf '#!/bin/sh\\necho No permissions to create a new namespace >&2; exit 1\\n' > "$3/../bin/bwrap"; chmod 755 "$3/../bin/bwrap"; PATH="$3/../bin:$PATH"; export PATH; ${COMMAND}`;
    expect(await check(RIGHT, undefined, refused)).toMatchObject({
      outcome: 'error',
      reason: 'unavailable',
      detail: expect.stringContaining('No permissions to create a new namespace'),
    });
    const unsafe = await check(RIGHT, undefined, `export CHECKER_UNSAFE=on; ${COMMAND}`);
    expect(unsafe).toMatchObject({ outcome: 'checked', tests: [{ status: 'pass' }] });
    expect(unsafe.output).toContain('No sandbox');
    expectUnharmed();
  });
});

describe('hostile work under the shipped checker', () => {
  let server: Server;
  let asked = 0;
  beforeAll(async () => {
    server = createServer((_, response) => {
      asked += 1;
      response.end('3');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  it('that forks without end fails its test', async () => {
    await failed(`import { spawn } from 'node:child_process';
      for (;;) { try { spawn(process.execPath, ['main.mjs', '${MARK}'], { detached: true, stdio: 'ignore' }).on('error', () => {}); } catch {} await 0; }`);
    await failed(
      `import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events'; spawnSync('sh', ['-c', 'f() { f | f & }; f; sleep 60 ${MARK}']);`,
    );
  });

  it('that takes all memory fails its test', async () => {
    await failed(`const all = []; for (;;) all.push(Buffer.alloc(50_000_000, 1));`);
  });

  it('that writes 10 GB, or fills the disk, fails its test', async () => {
    expect(
      await failed(`const a = 'x'.repeat(1e6); for (let n = 0; n < 10_000; n++) process.stdout.write(a);`),
    ).toBeTruthy();
    await failed(`import { appendFileSync } from 'node:fs'; const a = Buffer.alloc(1e6);
      for (const at of ['/tmp/a', '/dev/shm/a', '/work/a', '/a']) try { for (let n = 0; n < 10_000; n++) appendFileSync(at, a); } catch {}`);
  });

  it('that sleeps, or leaves others that do, fails its test', async () => {
    expect(await failed(`setTimeout(() => {}, 1e9);`)).toBeTruthy();
    await failed(`import { spawn } from 'node:child_process';
      spawn('sh', ['-c', 'sleep 600 # ${MARK}'], { detached: true, stdio: 'ignore' }).unref();`);
  });

  it('that takes all its time in each test fails them, and keeps no result from them', async () => {
    const times = Array.from(
      { length: 12 },
      (_, n) => `test('waits ${n}', async () => {
      assert.equal((await run(['node', 'main.mjs', '${MARK}'], { timeoutMs: 1_000 })).ended, null);
    });`,
    );
    const checks = `import { test } from 'node:test'; import assert from 'node:assert/strict';
      import { run } from 'assay-check'; ${times.join('')}`;
    const result = await check(`setTimeout(() => {}, 1e9);`, { 'all.check.mjs': checks }, COMMAND, 10_000);
    if (result.outcome === 'error') throw new Error(`${result.reason}: ${result.detail}`);
    expect(result.tests.map(({ status }) => status)).toEqual(Array(12).fill('fail'));
    expectUnharmed();
  });

  it('reaches no network', async () => {
    const { port } = server.address() as AddressInfo;
    const message = await failed(
      `console.log(await fetch('http://127.0.0.1:${port}').then((r) => r.text(), (e) => e.cause.code))`,
    );
    expect(message).toContain('ECONNREFUSED');
    expect(asked).toBe(0);
    expect(await seen('cat /proc/net/dev | tail -n +3')).not.toMatch(/eth|ens|wl/);
  });

  it('sees no process, user, variable or file of the machine', async () => {
    process.env['SIGNING_KEY'] = 'hunter2';
    try {
      const message = await seen(
        'id -u; cat /proc/[0-9]*/environ | tr "\\0" "\\n"; ls /root /home /etc/shadow /var; kill -9 -1',
      );
      expect(message).not.toMatch(/hunter2|SIGNING_KEY/);
      expect(message).not.toMatch(/^0$/m);
      expect(await seen('ls -d /proc/[0-9]* | wc -l')).toMatch(/'[1-9]\n?'|\+ '\d'|[0-9]/);
    } finally {
      delete process.env['SIGNING_KEY'];
    }
  });

  it('reads no hidden check, changes nothing of the runner, and writes no results', async () => {
    const message = await seen(
      [
        'find / -path /usr -prune -o -path /proc -prune -o -path /dev -prune -o -type f -exec grep -l secret-of-the-hidden {} + 2>/dev/null',
        'find / -path /usr -prune -o -path /proc -prune -o -path /dev -prune -o -name "*.check.mjs" -print -o -name "results.json" -print',
        'for at in /usr/bin/node /usr/local/bin/node /opt/node/bin/node /work/main.mjs /node_modules/assay-check/index.js; do echo x >> $at; done',
        'mkdir -p /output && echo "{}" > /output/results.json; echo "{}" > results.json; echo "{}" > /work/../results.json',
        'ls -l /proc/self/fd | wc -l',
      ].join('; '),
    );
    expect(message).not.toMatch(/check\.mjs|^\/.*results\.json/m);
    expect(message).toMatch(/cannot create/);
    expect(spawnSync('node', ['--version']).status).toBe(0);
  });

  it('gets no privileges back', async () => {
    const message = await seen(
      'unshare -Ur id -u; mount -t tmpfs none /tmp && echo mounted; grep CapEff /proc/self/status; cat /proc/sysrq-trigger',
    );
    expect(message).not.toContain('mounted');
    expect(message).toMatch(/CapEff:\\t0{16}\\n/);
  });

  it('ends with the checker, however that ends', async () => {
    const hanging = `import { test } from 'node:test'; test('hangs', () => new Promise((done) => setTimeout(done, 60_000)));`;
    const result = await check(RIGHT, { 'hangs.check.mjs': hanging }, COMMAND, 1_500);
    expect(result).toMatchObject({ outcome: 'error', reason: 'timed_out' });
    expectUnharmed();
    const killed = `(sleep 1.2; kill -9 $$) & exec ${COMMAND}`;
    expect(await check(`setTimeout(() => {}, 1e9);`, undefined, killed)).toMatchObject({
      outcome: 'error',
      reason: 'killed',
    });
    expectUnharmed();
    // The next checker ends the control groups that a killed one has left, and their processes.
    const orphan = spawn('sleep', ['600']);
    const ended = once(orphan, 'exit');
    const left = groupsOfTheDead();
    for (const group of left) writeFileSync(join(group, 'cgroup.procs'), String(orphan.pid));
    await failed('');
    expect(groupsOfTheDead()).toEqual([]);
    if (left.length === 0) orphan.kill('SIGKILL');
    expect(await ended).toEqual([null, 'SIGKILL']);
  });
});

/** The control groups of checkers that no longer run, if this process may make control groups. */
const groupsOfTheDead = (): readonly string[] => {
  const own = readFileSync('/proc/self/cgroup', 'utf8').trim().split('\n');
  const folders = own
    .map((line) => /^\d+:([^:]*):(.*)$/.exec(line) ?? [])
    .flatMap(([, controller = '', path = '']) =>
      [path, dirname(path)].map((end) => join(GROUPS, controller, end)),
    );
  return [...new Set(folders)]
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
    .filter((path) => !isProcessRunning(Number(/assay-check-(\d+)-/.exec(path)?.[1] ?? process.pid)));
};
