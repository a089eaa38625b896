// The contract suites of the adapters of both servers, those of one server one after the other: against
// TEST_EVENTSTORE_URL and TEST_MONGODB_URL, or servers started for it. Ends in one line `N passed, N failed`; what was
// skipped has failed.
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startServers } from '../dist/test/servers/both.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const work = mkdtempSync(join(tmpdir(), 'assay-servers-'));
process.on('exit', () => rmSync(work, { recursive: true, force: true }));

/** Each in a process of its own: the two clients of EventStoreDB cannot share one. */
const suitesIn = (...folders) =>
  folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true })
      .filter((name) => /contract\.spec\.ts$/.test(name))
      .sort()
      .map((name) => `${folder}/${name}`),
  );
const byServer = [suitesIn('src/stores/eventstoredb'), suitesIn('src/stores/mongodb', 'src/vault/mongodb')];

const running = new Set();
let servers = null;
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    for (const child of running) child.kill(signal);
    // The servers end with this process.
    process.exit(1);
  });
}

/** @returns passed and failed of one suite; one that could not run has failed */
const run = (suite, env) =>
  new Promise((resolve) => {
    const child = spawn(
      process.execPath,
      ['scripts/test.mjs', '--selectProjects', 'servers', '--runInBand', '--runTestsByPath', suite],
      {
        cwd: root,
        env: { ...process.env, ...env },
        stdio: ['ignore', 'pipe', 2],
      },
    );
    running.add(child);
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text) => (output += text));
    child.on('close', (code) => {
      running.delete(child);
      // Whole, or the reports of two suites would be mixed line by line.
      process.stdout.write(output);
      const counts = /(\d+) passed, (\d+) failed(?:, (\d+) skipped)?\s*$/.exec(output);
      const [passed = 0, failed = 0, skipped = 0] = (counts ?? []).slice(1).map((n) => Number(n ?? 0));
      const bad = failed + skipped;
      resolve([passed, bad === 0 && (code !== 0 || passed === 0) ? 1 : bad]);
    });
  });

const totals = [0, 0];
const report = [];
const add = (name, [passed, failed]) => {
  totals[0] += passed;
  totals[1] += failed;
  report.push(`${failed > 0 ? 'FAILED' : 'passed'}  ${name}: ${passed} passed, ${failed} failed`);
};

try {
  const { TEST_EVENTSTORE_URL, TEST_MONGODB_URL } = process.env;
  servers = await startServers({
    dataDir: work,
    ...(!TEST_EVENTSTORE_URL && { eventStore: {} }),
    ...(!TEST_MONGODB_URL && { mongo: {} }),
  });
  const env = {
    TEST_EVENTSTORE_URL: TEST_EVENTSTORE_URL || servers.eventStore.url,
    TEST_MONGODB_URL: TEST_MONGODB_URL || servers.mongo.url,
  };
  const oneByOne = async (suites) => {
    for (const suite of suites) add(suite, await run(suite, env));
  };
  await Promise.all(byServer.map(oneByOne));
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  add('starting the servers', [0, 1]);
} finally {
  await servers?.stop();
}

process.stdout.write(`\n${report.join('\n')}\n\n${totals[0]} passed, ${totals[1]} failed\n`);
process.exitCode = totals[1] > 0 ? 1 : 0;
