import { inFolder } from './support/folder.js';
import { makeOrganisation } from './support/hiring.js';
import { load } from './support/load.js';
import { compare } from './support/measure.js';
import { startPlain, startService, stopAfter } from './support/servers.js';

const ROLES = 20;
const CONNECTIONS = 16;
const SECONDS = 3;

/** Signal read over HTTP, authenticated: against plain Fastify reading the same document for anybody. */
export const run = (): Promise<void> =>
  inFolder((folder) =>
    stopAfter(async (started) => {
      const service = started(await startService(`${folder}/service`));
      const { id, token, signal } = await makeOrganisation(service.url, `${folder}/service`, ROLES);
      const plain = started(await startPlain(`${folder}/plain`, signal));
      const common = { connections: CONNECTIONS, seconds: SECONDS };
      const headers = { authorization: `Bearer ${token}` };
      const result = await compare({
        name: `signal read over HTTP, ${ROLES} roles, ${CONNECTIONS} connections`,
        unit: 'reads/s',
        baseline: 'plain Fastify reading the same document',
        bar: 0.72,
        sides: {
          baseline: () => load({ ...common, url: `${plain.url}/signal` }),
          ours: () => load({ ...common, url: `${service.url}/organisations/${id}/signal`, headers }),
        },
        // Ours is more code than the baseline: it takes longer until all of it is compiled.
        warmUps: 3,
        packages: ['fastify', 'lmdb', '@nestjs/core'],
      });
      if (result.passed === false) process.exitCode = 1;
    }),
  );
