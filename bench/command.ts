import { inFolder } from './support/folder.js';
import { definition, makeOrganisation } from './support/hiring.js';
import { load } from './support/load.js';
import { compare } from './support/measure.js';
import { startPlain, startService, stopAfter } from './support/servers.js';

const CONNECTIONS = 64;
const SECONDS = 3;

/** Command over HTTP, embedded, 64 concurrent: against plain Fastify and one LMDB transaction with a version check. */
export const run = (): Promise<void> =>
  inFolder((folder) =>
    stopAfter(async (started) => {
      const service = started(await startService(`${folder}/service`));
      const { id, token, roleIds } = await makeOrganisation(service.url, `${folder}/service`, CONNECTIONS);
      const plain = started(await startPlain(`${folder}/plain`, {}));
      let round = 0;
      // Every request changes something: neither side may answer without a write.
      const body = (connection: number, turn: number) =>
        JSON.stringify(definition(`Role ${connection} ${round}`, turn % 101));
      const common = { connections: CONNECTIONS, seconds: SECONDS, method: 'PATCH' } as const;
      const patch = (url: string, path: (connection: number) => string, headers = {}) => {
        round++;
        const next = (connection: number, turn: number) => ({
          path: path(connection),
          body: body(connection, turn),
        });
        return load({ ...common, url, headers, next });
      };
      const result = await compare({
        name: `command over HTTP, embedded, ${CONNECTIONS} concurrent`,
        unit: 'commands/s',
        baseline: 'plain Fastify and one LMDB transaction with a version check',
        bar: 0.7,
        sides: {
          baseline: () => patch(plain.url, (connection) => `/things/${connection}`),
          ours: () =>
            patch(service.url, (connection) => `/organisations/${id}/roles/${roleIds[connection] ?? ''}`, {
              authorization: `Bearer ${token}`,
            }),
        },
        // Ours is more code than the baseline: it takes longer until all of it is compiled.
        warmUps: 3,
        packages: ['fastify', 'lmdb', '@nestjs/core'],
      });
      if (result.passed === false) process.exitCode = 1;
    }),
  );
