// Runs the suites, prints one closing line `N passed, N failed`, and exits as they ended.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));

const child = spawn(
  process.execPath,
  [
    '--experimental-vm-modules',
    '--no-warnings',
    path('../node_modules/jest/bin/jest.js'),
    '--reporters=default',
    `--reporters=${path('totals-reporter.mjs')}`,
    ...process.argv.slice(2),
  ],
  { cwd: path('..'), stdio: 'inherit' },
);
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)));
