// A checker for tests: `node test/support/fake-checker.mjs <log> "$@"`. The checks' `expected.json` names what files of the
// work are to contain; each is one test. A file `mode` of the work makes it misbehave: `hang`, or `hang 2` for the second
// run over work with that `id` alone. Each run is a line of the log.
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const [log, slug, input, output] = process.argv.slice(2);
const read = (path) => (existsSync(path) ? readFileSync(path, 'utf8').trim() : null);
const mode = read(join(process.env.ASSAY_WORK, 'mode'));
const id = read(join(input, 'id'));
appendFileSync(log, `${JSON.stringify({ slug, mode, id, pid: process.pid })}\n`);
const runs = read(log)
  .split('\n')
  .filter((line) => JSON.parse(line).id === id);
const [does, only = runs.length] = mode?.split(' ') ?? [];
const leave = (text) => writeFileSync(join(output, 'results.json'), text);
const expected = JSON.parse(readFileSync(join(process.env.ASSAY_CHECKS, 'expected.json'), 'utf8'));
const tests = Object.entries(expected).map(([path, text]) => {
  const found = read(join(input, path));
  return found === text
    ? { name: path, status: 'pass' }
    : { name: path, status: 'fail', message: `expected ${text}, got ${String(found)}` };
});
const status = tests.every((test) => test.status === 'pass') ? 'pass' : 'fail';

switch (Number(only) === runs.length ? does : null) {
  case 'crash':
    process.exit(3);
    break;
  case 'nonsense':
    leave('All is well.');
    break;
  case 'contradiction':
    leave(JSON.stringify({ version: 2, status: 'pass', tests: [{ name: 'one', status: 'perfect' }] }));
    break;
  case 'silent':
    break;
  case 'killed':
    process.kill(process.pid, 'SIGKILL');
    break;
  case 'hang':
    await pause(1_000_000);
    break;
  case 'slow':
    await pause(1_500);
  // falls through
  default:
    leave(JSON.stringify({ version: 2, status, tests }));
}
