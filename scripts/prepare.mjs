// Installs and builds what is stale, and nothing else: a second start takes no time. Safe to run several at once.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
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
import { fileURLToPath } from 'node:url';
import { withLock } from './lock.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const at = (...parts) => join(root, ...parts);
const SOURCES = ['src', 'projections', 'packages', 'tools', 'test', 'bench'];
/** Bundled from their sources: no program imports them. */
const PAGES = ['web'];
const STAMP = at('dist', '.stamp');

/** Whether node_modules holds what package-lock.json says, by npm's own account of what it installed. */
const installed = () => {
  try {
    const wanted = JSON.parse(readFileSync(at('package-lock.json'), 'utf8')).packages;
    const present = JSON.parse(readFileSync(at('node_modules', '.package-lock.json'), 'utf8')).packages;
    return Object.entries(wanted).every(
      ([path, one]) =>
        path === '' ||
        // Optional ones are of other platforms; those of this one come with their neighbours.
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
      (file) => file.endsWith('.ts') && !file.startsWith(at('bench', 'peers', sep)),
    ),
    ...PAGES.flatMap((folder) => filesBelow(at(folder))),
  ];
  for (const file of [
    ...files,
    at('scripts', 'bundle.mjs'),
    at('scripts', 'bundle-web.mjs'),
    at('tsconfig.json'),
    at('package-lock.json'),
  ].sort()) {
    const { size, mtimeMs } = statSync(file);
    hash.update(`${relative(root, file)}\0${size}\0${mtimeMs}\n`);
  }
  return hash.digest('hex');
};

const built = (print) => existsSync(STAMP) && readFileSync(STAMP, 'utf8') === print;

/** Nothing may run whose source is gone. */
const removeOrphans = () => {
  for (const folder of SOURCES) {
    for (const file of filesBelow(at('dist', folder))) {
      const source = relative(at('dist'), file).replace(/\.(js|js\.map|d\.ts)$/, '.ts');
      if (!existsSync(at(...source.split(sep)))) unlinkSync(file);
    }
  }
};

const run = (what, command, args) => {
  process.stderr.write(`${what} …\n`);
  const npm = process.env.npm_execpath;
  // npm may be a script of its own or a file for this same node.
  const [file, rest] =
    command === 'npm' && npm?.endsWith('.js') ? [process.execPath, [npm, ...args]] : [command, args];
  // Standard output belongs to the command that is prepared for.
  const { status, error } = spawnSync(file, rest, { cwd: root, stdio: ['ignore', 2, 2] });
  if (status === 0) return;
  process.stderr.write(`${what} failed${error ? `: ${error.message}` : ''}.\n`);
  process.exit(status || 1);
};

/** As the lock file says. Not `npm ci`: it removes what running processes use, and wants every platform's packages. */
const install = () => {
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  run('Installing packages', 'npm', ['install', '--no-save', '--include=dev', ...quiet]);
  if (installed()) return;
  process.stderr.write(
    'package-lock.json does not fit package.json: run npm install and keep what it writes.\n',
  );
  process.exit(1);
};

const build = () => {
  const print = fingerprint();
  rmSync(STAMP, { force: true });
  // A build record without its output would make the compiler skip what is missing.
  if (!existsSync(at('dist', 'src', 'main.js'))) rmSync(at('dist', '.tsbuildinfo'), { force: true });
  run('Building', process.execPath, [at('node_modules', 'typescript', 'bin', 'tsc'), '-p', root]);
  removeOrphans();
  run('Bundling', process.execPath, [at('scripts', 'bundle.mjs')]);
  run('Bundling the candidate’s page', process.execPath, [at('scripts', 'bundle-web.mjs')]);
  mkdirSync(at('dist'), { recursive: true });
  writeFileSync(STAMP, print);
};

if (!installed() || !built(fingerprint())) {
  await withLock(at('.prepare.lock'), () => {
    if (!installed()) install();
    if (!built(fingerprint())) build();
  });
}
