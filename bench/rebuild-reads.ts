import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { inFolder } from './support/folder.js';
import { definition, makeOrganisation } from './support/hiring.js';
import { load } from './support/load.js';
import { compare } from './support/measure.js';
import { openLoop, quantile } from './support/open-loop.js';
import { startService, stopAfter } from './support/servers.js';

const ROLES = 20;
const EVENTS = Number(process.env['BENCH_EVENTS'] ?? 60_000);
const SECONDS = 6;
/** The rate at which latency is measured, as a share of the maximum. */
const SHARE = 0.6;
/** A read may take this many times as long while a view is rebuilt. */
const MAX_RATIO = 1.5;
const OPERATOR = new URL('../bin/operator.js', import.meta.url).pathname;

const execute = promisify(execFile);

const rebuildUntil = async (folder: string, signal: AbortSignal): Promise<void> => {
  const args = [OPERATOR, 'projections', 'rebuild', '--all'];
  const env = { PATH: process.env.PATH, DATA_DIR: folder };
  while (!signal.aborted) await execute(process.execPath, args, { env });
};

/** p99 of a signal read in an open loop while views are rebuilt, against the same without. */
export const run = (): Promise<void> =>
  inFolder((folder) =>
    stopAfter(async (started) => {
      const data = `${folder}/service`;
      const service = started(await startService(data));
      const { id, token, roleIds } = await makeOrganisation(service.url, data, ROLES);
      const headers = { authorization: `Bearer ${token}` };
      const organisation = `${service.url}/organisations/${id}`;
      const next = (connection: number, turn: number) => ({
        path: `/organisations/${id}/roles/${roleIds[connection % ROLES] ?? ''}`,
        body: JSON.stringify(definition(`Role ${connection} ${turn}`, 60)),
      });
      for (let written = 0; written < EVENTS;) {
        const common = { connections: ROLES, seconds: 3, method: 'PATCH' as const };
        written += 3 * (await load({ ...common, url: service.url, headers, next }));
      }
      const url = `${organisation}/signal`;
      const maxRate = await load({ url, headers, connections: 16, seconds: 3 });
      const rate = SHARE * maxRate;
      const p99 = async (): Promise<number> =>
        quantile(await openLoop({ next: () => ({ url, headers }), rate, seconds: SECONDS }), 0.99);
      const result = await compare({
        name: `signal reads a second by the p99, ${Math.round(rate)} reads/s, while all views are rebuilt`,
        unit: 'reads/s (1000 / p99 in ms)',
        baseline: 'the same while none is rebuilt',
        bar: 1 / MAX_RATIO,
        sides: {
          baseline: async () => 1000 / (await p99()),
          ours: async () => {
            const read = new AbortController();
            const rebuilding = rebuildUntil(data, read.signal);
            try {
              return 1000 / (await p99());
            } finally {
              read.abort();
              await rebuilding;
            }
          },
        },
        packages: ['lmdb', '@nestjs/core'],
      });
      if (result.passed === false) process.exitCode = 1;
    }),
  );
