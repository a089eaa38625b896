import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Started for the first suite that uses it. */
let started = null;
let service = null;

const start = async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'assay-shared-'));
  process.once('exit', () => {
    if (service) process.kill(service.pid, 'SIGKILL');
    rmSync(dataDir, { recursive: true, force: true });
  });
  // On a signal, Node would end without the exit handler above.
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
  const { startService } = await import('../../dist/test/support/service.js');
  service = await startService({ dataDir, env: { RATE_LIMITS: 'off', LOG_LEVEL: 'warn' } });
};

/**
 * Offers one service to all suites of a run: a start takes as much processor time as many a suite, and a warm service
 * needs half of the time for an answer.
 */
export default async () => {
  let users = 0;
  const server = createServer((_, response) => {
    (started ??= start()).then(
      () => {
        const { url, port, pid, dataDir } = service;
        response.end(JSON.stringify({ url, port, pid, dataDir, user: ++users }));
      },
      (error) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  process.env.SHARED_SERVICE = `http://127.0.0.1:${server.address().port}`;
};

/** @throws {Error} the service ended with a failure */
export const end = async () => {
  if (!service) return;
  const { code, said } = await service.stop();
  service = null;
  if (code !== 0)
    throw new Error(`The service that suites share ended with code ${code}. It said:\n${said()}`);
};
