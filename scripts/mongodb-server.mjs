// Provides the MongoDB test server: its pinned packages from Maven and our own classes, compiled, in one folder.
// Does it once for each state of their sources; prints the folder. Safe to run several at once.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withLock } from './lock.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const source = join(root, 'test', 'servers', 'mongodb');
const pom = join(source, 'pom.xml');
const java = readdirSync(join(source, 'java')).map((name) => join(source, 'java', name));
const cache = join(root, 'node_modules', '.cache', 'assay-mongodb');

const fingerprint = createHash('sha256');
for (const file of [pom, ...java.sort()]) fingerprint.update(readFileSync(file));
const folder = join(cache, fingerprint.digest('hex').slice(0, 16));

const fail = (sentence) => {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
};

const run = (command, args, failed) => {
  const { status, error, stdout, stderr } = spawnSync(command, args, { cwd: root, encoding: 'utf8' });
  if (error?.code === 'ENOENT') fail(`The MongoDB test server needs "${command}", which is not installed.`);
  if (status !== 0) fail(`${failed}\n${stdout}${stderr}`.trimEnd());
};

const provide = () => {
  const draft = mkdtempSync(join(cache, 'draft-'));
  process.once('exit', () => rmSync(draft, { recursive: true, force: true }));
  const copy = ['dependency:copy-dependencies', `-DoutputDirectory=${join(draft, 'lib')}`];
  run('mvn', ['-B', '-q', '-f', pom, ...copy], 'Maven could not download the MongoDB test server:');
  const classes = ['-d', join(draft, 'classes'), '-cp', join(draft, 'lib', '*')];
  run('javac', [...classes, ...java], 'The MongoDB test server could not be compiled:');
  renameSync(draft, folder);
};

if (!existsSync(folder)) {
  mkdirSync(cache, { recursive: true });
  await withLock(join(cache, 'lock'), () => {
    if (!existsSync(folder)) provide();
  });
}
process.stdout.write(`${folder}\n`);
