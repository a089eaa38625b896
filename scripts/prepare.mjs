// Installs and builds what is stale, and nothing else: a second start takes no time. Safe to run several at once.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, relative, sep } from 'node:path';
import { clearInterval, setInterval } from 'node:timers';
import { fileURLToPath } from 'node:url';
import { withLock } from './lock.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const at = (...parts) => join(root, ...parts);
const SOURCES = ['src', 'projections', 'packages', 'tools', 'test', 'bench'];
/** Bundled from their sources: no program imports them. */
const PAGES = ['web'];
const STAMP = at('dist', '.stamp');
/** What others install, with the file that it begins with: `npm pack` runs no script here (.npmrc) that could build it. */
const PACKED = [
  { name: 'assay-work', folder: at('packages', 'work'), main: 'main.js' },
  { name: '@assay/client', folder: at('packages', 'client'), main: 'index.js' },
];

/**
 * Ends with a sentence on an older Node, before anything is installed: else it would fail somewhere later, with a
 * stack.
 */
const assertNode = () => {
  const { engines } = JSON.parse(readFileSync(at('package.json'), 'utf8'));
  const parts = (version) => version.split('.').map(Number);
  const [wanted, found] = [parts(engines.node.replace('>=', '')), parts(process.versions.node)];
  const isOld = found[0] < wanted[0] || (found[0] === wanted[0] && found[1] < wanted[1]);
  if (!isOld) return;
  process.stderr.write(
    `Assay needs Node ${wanted.join('.')} or newer, and this is Node ${process.versions.node}: install a newer one (https://nodejs.org), then run the same command again. Nothing was installed.\n`,
  );
  process.exit(1);
};

/** Whether node_modules holds what package-lock.json says, by npm's own account of what it installed. */
const isInstalled = () => {
  try {
    const wanted = JSON.parse(readFileSync(at('package-lock.json'), 'utf8')).packages;
    const present = JSON.parse(readFileSync(at('node_modules', '.package-lock.json'), 'utf8')).packages;
    return Object.entries(wanted).every(
      ([path, one]) =>
        path === '' ||
        // An optional package that is missing is one of another platform.
        (one.optional && !present[path]) ||
        (present[path]?.version === one.version && present[path]?.integrity === one.integrity),
    );
  } catch {
    return false;
  }
};

const filesBelow = (folder) =>
  existsSync(folder)
    ? readdirSync(folder, { withFileTypes: true, recursive: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    : [];

/** What the build depends on: names, sizes and times, which is quick to find out. */
const fingerprint = () => {
  const hash = createHash('sha256');
  const files = [
    ...SOURCES.flatMap((folder) => filesBelow(at(folder))).filter(
      // The peers of a benchmark have packages of their own, and are built by it.
      (file) =>
        file.endsWith('.ts') &&
        !file.startsWith(at('bench', 'peers', sep)) &&
        !PACKED.some(({ folder }) => file.startsWith(join(folder, 'dist', sep))),
    ),
    ...PAGES.flatMap((folder) => filesBelow(at(folder))),
  ];
  for (const file of [
    ...files,
    at('scripts', 'bundle.mjs'),
    at('scripts', 'bundle-image.mjs'),
    at('scripts', 'bundle-spreads.mjs'),
    at('scripts', 'bundle-web.mjs'),
    at('scripts', 'view-fingerprints.mjs'),
    at('tsconfig.json'),
    ...PACKED.map(({ folder }) => join(folder, 'tsconfig.json')),
    at('package-lock.json'),
  ].sort()) {
    const { size, mtimeMs } = statSync(file);
    hash.update(`${relative(root, file)}\0${size}\0${mtimeMs}\n`);
  }
  return hash.digest('hex');
};

const isBuilt = (print) =>
  existsSync(STAMP) &&
  readFileSync(STAMP, 'utf8') === print &&
  PACKED.every(({ folder, main }) => existsSync(join(folder, 'dist', main)));

/** Removes what was built of sources that are gone, so that nothing runs it. */
const removeOrphans = () => {
  for (const folder of SOURCES) {
    for (const file of filesBelow(at('dist', folder))) {
      const source = relative(at('dist'), file).replace(/\.(js|js\.map|d\.ts)$/, '.ts');
      if (!existsSync(at(...source.split(sep)))) unlinkSync(file);
    }
  }
};

/** Shows how long work has taken: on a terminal each second, elsewhere a line now and then. @returns ends it */
const showProgress = (what) => {
  const isTerminal = process.stderr.isTTY === true;
  const began = performance.now();
  const timer = setInterval(
    () => {
      const seconds = Math.round((performance.now() - began) / 1_000);
      process.stderr.write(isTerminal ? `\r${what} … ${seconds} s` : `${what} … ${seconds} s\n`);
    },
    isTerminal ? 1_000 : 5_000,
  );
  return () => {
    clearInterval(timer);
    if (isTerminal) process.stderr.write('\n');
  };
};

/**
 * Runs a command.
 * @returns its exit status, what kept it from starting (`null`: nothing), and its errors if they are piped
 */
const called = async (command, args, stdio) => {
  const npm = process.env.npm_execpath;
  // npm may be a script of its own or a file for this same node.
  const [file, rest] =
    command === 'npm' && npm?.endsWith('.js') ? [process.execPath, [npm, ...args]] : [command, args];
  const child = spawn(file, rest, { cwd: root, stdio });
  let text = '';
  child.stderr?.on('data', (chunk) => (text += chunk));
  const [status, error] = await once(child, 'close').then(
    ([code]) => [code, null],
    (failure) => [1, failure],
  );
  return { status, error, text };
};

/** Runs a step of the preparation; ends this program if it fails. */
const run = async (what, command, args) => {
  process.stderr.write(`${what} …${process.stderr.isTTY ? '' : '\n'}`);
  const stop = showProgress(what);
  // Standard output belongs to the command that is prepared for.
  const { status, error } = await called(command, args, ['ignore', 2, 2]);
  stop();
  if (status === 0) return;
  process.stderr.write(`${what} failed${error ? `: ${error.message}` : ''}.\n`);
  process.exit(status || 1);
};

/** What npm says of a registry that it does not reach. */
const UNREACHABLE =
  /E(?:NOTFOUND|AI_AGAIN|CONNREFUSED|CONNRESET|TIMEDOUT|NETUNREACH|HOSTUNREACH)|ERR_SOCKET_TIMEOUT/;

/**
 * Whether npm cannot reach its registry, by its own settings of registry and proxy. An install would try for more than a
 * minute, and then print its log.
 */
const isOffline = async () => {
  const once = ['--fetch-retries=0', '--fetch-timeout=5000'];
  const { status, text } = await called('npm', ['ping', ...once], ['ignore', 'ignore', 'pipe']);
  return status !== 0 && UNREACHABLE.test(text);
};

/**
 * Installs what the lock file says. Not by `npm ci`: that removes files that running processes use, and needs every
 * platform's packages.
 */
const install = async () => {
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  const args = ['install', '--no-save', '--include=dev', ...quiet];
  if (await isOffline()) {
    // npm's cache may hold all of them.
    const { status } = await called('npm', [...args, '--offline'], ['ignore', 'ignore', 'pipe']);
    if (status === 0 && isInstalled()) return;
    process.stderr.write(
      'The packages cannot be fetched: npm does not reach its registry. Check that this machine is online, and npm’s settings of registry and proxy (npm config list). Then run the same command again.\n',
    );
    process.exit(1);
  }
  await run('Installing packages', 'npm', args);
  if (isInstalled()) return;
  process.stderr.write(
    'package-lock.json does not fit package.json: run npm install and keep what it writes.\n',
  );
  process.exit(1);
};

const build = async () => {
  rmSync(STAMP, { force: true });
  if (!existsSync(at('dist', 'bin')))
    process.stderr.write('The first build takes about half a minute, on a slow machine two.\n');
  await run('Reading the views', process.execPath, [at('scripts', 'view-fingerprints.mjs')]);
  const print = fingerprint();
  // A build record without its output would make the compiler skip what is missing.
  if (!existsSync(at('dist', 'src', 'main.js'))) rmSync(at('dist', '.tsbuildinfo'), { force: true });
  const compiler = at('node_modules', 'typescript-7', 'bin', 'tsc');
  await run('Building', process.execPath, [compiler, '-p', root]);
  removeOrphans();
  for (const { name, folder } of PACKED) {
    rmSync(join(folder, 'dist'), { recursive: true, force: true });
    await run(`Building ${name}`, process.execPath, [compiler, '-p', folder]);
  }
  await run('Bundling', process.execPath, [at('scripts', 'bundle.mjs')]);
  await run('Bundling the candidate’s page', process.execPath, [at('scripts', 'bundle-web.mjs')]);
  mkdirSync(at('dist'), { recursive: true });
  writeFileSync(STAMP, print);
};

assertNode();
if (!isInstalled() || !isBuilt(fingerprint())) {
  await withLock(at('.prepare.lock'), async () => {
    if (!isInstalled()) await install();
    if (!isBuilt(fingerprint())) await build();
  });
}
