// Runs the suites, prints one closing line `N passed, N failed`, and exits as they ended.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));

const child = spawn(
  process.execPath,
  [
    '--experimental-vm-modules',
    '--no-warnings',
    // Most of what a suite allocates is in use until its end: a larger young generation is collected less often before.
    '--max-semi-space-size=64',
    path('../node_modules/jest/bin/jest.js'),
    // First, since an option that takes several values would take these too.
    ...process.argv.slice(2),
    '--reporters=default',
    `--reporters=${path('totals-reporter.mjs')}`,
  ],
  { cwd: path('..'), stdio: ['inherit', 'inherit', 'inherit', 'ipc'] },
);
let line = '0 passed, 1 failed';
child.on('message', (message) => (line = message.line));
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.on('close', (code, signal) => {
  process.stdout.write(`\n${line}\n`);
  process.exitCode = signal ? 1 : (code ?? 1);
});
