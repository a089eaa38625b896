import type { EdgeServer } from '../http/edge-server.js';
import type { HealthSource } from '../../process/health.js';

/** Not ready once the service is on its way out, so that whoever balances sends requests elsewhere. */
export const drainingHealth = (server: EdgeServer): HealthSource => ({
  name: 'http',
  check: async () => [
    {
      name: 'http',
      ready: !server.isDraining,
      ...(server.isDraining && { problem: 'The service is stopping.' }),
    },
  ],
});
