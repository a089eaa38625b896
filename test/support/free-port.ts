import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports that systems assign themselves, above those that browsers and `fetch` refuse. */
const [FIRST, END] = [12_000, 32_000];
/** Each worker of a run has a range of its own, so that two workers never choose the same port. */
const PARTS = 8;
const PART = (END - FIRST) / PARTS;
const PART_FIRST = FIRST + PART * (Number(process.env.JEST_WORKER_ID ?? process.pid) % PARTS);

const given = new Set<number>();

const isFree = async (port: number): Promise<boolean> => {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
};

/**
 * A port that is free at the moment. The system never assigns it by itself, so that a killed process can be started on
 * it again.
 */
export const freePort = async (): Promise<number> => {
  for (;;) {
    const port = PART_FIRST + randomInt(PART);
    if (given.has(port)) continue;
    given.add(port);
    if (await isFree(port)) return port;
  }
};
