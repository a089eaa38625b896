// Style and layers, every suite on this Node, those that depend on Node's version on Node 24 too, the servers' contracts.
// Then what takes longer or needs more than npm: crashes and outages of every part, rounds of 200 candidates, the pages
// in a browser, the tour's commands, an interview that is spoken. Ends in one line `N passed, N failed`; what was skipped
// has failed.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const work = mkdtempSync(join(tmpdir(), 'assay-check-'));
const running = new Set();
process.on('exit', () => rmSync(work, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    for (const child of running) child.kill(signal);
    process.exit(1);
  });
}

const found = (command) => spawnSync('sh', ['-c', `command -v ${command}`]).status === 0;

/** What the whole suites run beside Node, and the packages of Debian that it comes in. */
const PROGRAMS = {
  javac: ['default-jdk-headless'],
  mvn: ['maven'],
  chromium: ['chromium'],
  curl: ['curl'],
  strace: ['strace'],
  bwrap: ['bubblewrap'],
  flite: ['flite'],
  pocketsphinx_continuous: ['pocketsphinx', 'pocketsphinx-en-us'],
  'espeak-ng': ['espeak-ng'],
  soffice: ['libreoffice-calc'],
  pdftotext: ['poppler-utils'],
};

/** Installs the missing ones if it runs as root and has `apt-get`. Otherwise the suites name what they need. */
const providePrograms = async () => {
  const missing = Object.keys(PROGRAMS).filter((command) => !found(command));
  const packages = missing.flatMap((command) => PROGRAMS[command]);
  if (spawnSync('python3', ['-c', 'import ensurepip, venv']).status !== 0)
    packages.push('python3', 'python3-venv');
  if (packages.length === 0 || process.getuid?.() !== 0 || !found('apt-get')) return;
  const options = { env: { DEBIAN_FRONTEND: 'noninteractive' }, beside: true };
  const install = ['install', '-y', '-qq', '--no-install-recommends', ...packages];
  for (const args of [['update', '-qq'], install]) {
    const { code } = await run('apt-get', args, options);
    if (code !== 0) throw new Error(`${packages.join(', ')} could not be installed.`);
  }
};

/** Runs a script that downloads or compiles what suites run, before any of them waits for it. */
const provideBy = async (script) => {
  const { code } = await run(process.execPath, [script], { beside: true });
  if (code !== 0) throw new Error(`What ${script} provides is not there.`);
};

/** The folder of a Node 24: its npm package, outside this one. A version to test on is no dependency. */
const node24 = () => {
  const platform = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  writeFileSync(join(work, 'package.json'), '{ "private": true }\n');
  // What the package `node` picks for a machine, without running its install script.
  const install = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const npm = ['--prefix', work, ...install, `${platform}@24`];
  if (spawnSync('npm', npm, { stdio: ['ignore', 2, 2] }).status !== 0)
    throw new Error('Node 24 could not be installed.');
  return join(work, 'node_modules', platform, 'bin');
};

/**
 * Runs a command and shows all that it prints.
 * @param beside others run at the same time: what it prints is shown when it ends
 * @returns its exit code and the last `N passed, N failed` in it
 */
const run = (command, args, { env = {}, beside = false } = {}) =>
  new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    running.add(child);
    let counts = null;
    let rest = '';
    const held = [];
    const show = (stream, text) => (beside ? held.push([stream, text]) : stream.write(text));
    const read = (text) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop();
      for (const line of lines)
        counts = /^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$/.exec(line.trimEnd()) ?? counts;
    };
    child.stdout.setEncoding('utf8').on('data', (text) => {
      show(process.stdout, text);
      read(text);
    });
    child.stderr.on('data', (text) => show(process.stderr, text));
    child.on('error', (error) => show(process.stderr, `${command}: ${error.message}\n`));
    child.on('close', (code) => {
      running.delete(child);
      for (const [stream, text] of held) stream.write(text);
      resolve({ code, counts: counts?.slice(1).map((n) => Number(n ?? 0)) });
    });
  });

/**
 * Paths of the suites that run on Node 24 too, because they depend on Node's version: HTTP, sockets, processes, native
 * stores. Pure code runs alike on every Node. The servers' adapters have their contracts, which run on both.
 */
const NEWER_RUNS = [
  'src/(http|process|interview/socket|clients|issuers|reactors/webhooks)/',
  '/lmdb/',
  'test/e2e/(candidate-sign-in|edge|export|interview|recording|story)',
];
let newer = null;
const onNode24 = () => ({ PATH: [(newer ??= node24()), process.env.PATH].join(delimiter) });

/** What has to be downloaded, while the first part builds. */
const provide = async () => {
  await providePrograms();
  await provideBy('scripts/python-environment.mjs');
};

const build = async () => {
  const [built] = await Promise.all([run('npm', ['run', 'build']), provide()]);
  if (built.code === 0) await provideBy('scripts/mongodb-server.mjs');
  return built;
};

// More workers than cores: a suite computes for half of its time, and waits for killed, frozen or unreachable processes
// for the rest.
const whole = () =>
  run(process.execPath, ['scripts/test.mjs', '--selectProjects', 'whole', '--maxWorkers=3']);

/**
 * One group after the other, the lanes of a group at the same time: the linter computes on one processor for longer than
 * all that shares the other takes.
 */
const groups = [
  [[['Install and build', build]]],
  [
    [['Types, rules, layers, format', () => run('npm', ['run', 'lint'])]],
    [
      [
        'Contracts of the servers on Node 24',
        () => run('npm', ['run', 'test:servers'], { env: onNode24(), beside: true }),
      ],
      [
        `Contracts of the servers on Node ${process.versions.node}`,
        () => run('npm', ['run', 'test:servers'], { beside: true }),
      ],
      [
        'How far requests travel',
        () => run(process.execPath, ['scripts/house.mjs', '--ways', '--check'], { beside: true }),
      ],
      [
        'Suites on Node 24',
        () => run('npm', ['test', '--', ...NEWER_RUNS, '--maxWorkers=2'], { env: onNode24(), beside: true }),
      ],
    ],
  ],
  [[[`Suites on Node ${process.versions.node}`, () => run('npm', ['test'])]]],
  [[['Crashes, outages and moves with servers, 200 candidates, browser, tour, interviews', whole]]],
  [
    [
      [
        'Rebuilds under 200 requests a second',
        () => run(process.execPath, ['scripts/test.mjs', '--selectProjects', 'alone', '--maxWorkers=1']),
      ],
    ],
  ],
];

const totals = [0, 0];
const report = [];
/** Runs a part, and adds it to the totals and to the report. @returns whether it passed */
const runPart = async ([name, work]) => {
  process.stdout.write(`\n== ${name}\n`);
  const began = performance.now();
  const { code, counts } = await Promise.resolve()
    .then(work)
    .catch((error) => {
      process.stdout.write(`${error.message}\n`);
      return { code: 1 };
    });
  const [passed, failed, skipped] = counts ?? (code === 0 ? [1, 0, 0] : [0, 1, 0]);
  if (skipped > 0) process.stdout.write(`${skipped} skipped, which is a failure here.\n`);
  // A part that failed without naming a test has failed all the same.
  const own = [passed, code !== 0 && failed + skipped === 0 ? 1 : failed + skipped];
  own.forEach((count, index) => (totals[index] += count));
  const seconds = Math.round((performance.now() - began) / 1000);
  report.push(`${`${seconds} s`.padStart(6)}  ${own[1] > 0 ? 'FAILED' : 'passed'}  ${name}`);
  return own[1] === 0;
};
for (const [index, group] of groups.entries()) {
  const passed = await Promise.all(
    group.map(async (lane) => {
      let all = true;
      for (const part of lane) all = (await runPart(part)) && all;
      return all;
    }),
  );
  // Without a build nothing else can run.
  if (index === 0 && !passed.every(Boolean)) break;
}

process.stdout.write(`\n${report.join('\n')}\n\n`);
const [passed, failed] = totals;
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode = failed > 0 ? 1 : 0;
