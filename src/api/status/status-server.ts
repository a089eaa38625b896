import type { Configuration } from '../../process/config.js';
import { EdgeServer } from '../http/edge-server.js';
import type { Lifecycle } from '../../process/lifecycle.js';
import { listenProblem } from '../../process/start.js';

/**
 * Listens on HEALTH_PORT, where one is set; `open` it to the status pages. It is closed after all that is opened later.
 * @throws {StartProblem} the port cannot be listened on
 */
export const listenForOperators = async (
  { host, healthPort }: Pick<Configuration, 'host' | 'healthPort'>,
  lifecycle: Lifecycle,
): Promise<EdgeServer> => {
  const server = new EdgeServer({ allowedOrigins: [], secure: false });
  if (healthPort === null) return server;
  await server.listen(host, healthPort).catch((error: unknown) => {
    throw listenProblem(error, host, healthPort, 'HEALTH_PORT');
  });
  lifecycle.onStop('status pages', () => server.drain(0));
  return server;
};
