// Provides Python with the packages of test/contract/requirements.txt, in a virtual environment of its own. Does it once for
// each state of that file; prints the environment's folder. Safe to run several at once.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withLock } from './lock.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const requirements = join(root, 'test', 'contract', 'requirements.txt');
const cache = join(root, 'node_modules', '.cache', 'assay-python');
const print = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 16);
// An environment cannot be moved after it is made, so it is made in place. The file `whole` marks a complete one.
const folder = join(cache, print);
const whole = join(folder, 'whole');

const run = (command, args, failed) => {
  const { status, error, stdout, stderr } = spawnSync(command, args, { cwd: root, encoding: 'utf8' });
  if (status === 0) return;
  const missing = error?.code === 'ENOENT' ? `"${command}" is not installed.` : `${stdout}${stderr}`;
  process.stderr.write(`${failed} ${missing}`.trimEnd() + '\n');
  process.exit(1);
};

if (!existsSync(whole)) {
  mkdirSync(cache, { recursive: true });
  await withLock(join(cache, 'lock'), () => {
    if (existsSync(whole)) return;
    rmSync(folder, { recursive: true, force: true });
    run('python3', ['-m', 'venv', folder], 'The tests need Python 3 with venv (Debian: python3-venv):');
    const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-input'];
    run(
      join(folder, 'bin', 'python'),
      [...pip, '-r', requirements],
      'The Python packages could not be installed:',
    );
    writeFileSync(whole, '');
  });
}
process.stdout.write(`${folder}\n`);
