import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports that systems give out by themselves, above those that browsers and `fetch` refuse. */
const [FIRST, END] = [12_000, 32_000];

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
 * A port that was free a moment ago, and that nobody is given who asks for any port: whoever is killed and started
 * again on it finds it free again.
 */
export const freePort = async (): Promise<number> => {
  for (;;) {
    const port = randomInt(FIRST, END);
    if (await isFree(port)) return port;
  }
};
