import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { HAND_IN_LIMITS } from '../src/work/limits.js';
import { activityOf } from './support/activity.js';
import type { Sending } from './support/archive-sender.js';
import { inFolder } from './support/folder.js';
import { definition, makeOrganisation, send } from './support/hiring.js';
import { makeCandidates } from './support/interview/candidates.js';
import { load } from './support/load.js';
import { compare, median, rounded } from './support/measure.js';
import { openLoop, quantile, WARM_UP_SECONDS } from './support/open-loop.js';
import { startService, stopAfter } from './support/servers.js';

const ROLES = 20;
const SECONDS = Number(process.env.BENCH_SECONDS ?? 6);
/** The rate at which latency is measured, as a share of the maximum. */
const SHARE = Number(process.env.BENCH_SHARE ?? 0.3);
/** Candidates who send at once, and how many bytes a second each of them sends at most: 50 Mbit/s. */
const SENDERS = Number(process.env.BENCH_SENDERS ?? 2);
const BYTES_PER_SECOND = Number(process.env.BENCH_LINE ?? 6_250_000);
/** The p99 may be this many times as long while archives come in. */
const MAX_RATIO = 1.5;
/** A thread of its own, so that the requests whose latency is measured do not wait for what it sends. */
const SENDER = new URL('./support/archive-sender.js', import.meta.url);

/** p99 of a role's change in an open loop while candidates hand in archives of 10 MB, against the same without. */
export const run = (): Promise<void> =>
  inFolder((folder) =>
    stopAfter(async (started) => {
      const data = `${folder}/service`;
      const { url, pid } = started(await startService(data));
      const { id, token, roleIds } = await makeOrganisation(url, data, ROLES);
      const headers = { authorization: `Bearer ${token}` };
      const organisation = `${url}/organisations/${id}`;
      const ticket = await send(`${organisation}/tickets`, { title: 'Parser', kind: 'files' }, token);
      const ticketIds = [ticket.id ?? ''];
      const role = await send(`${organisation}/roles`, { ...definition('Handed in', 60), ticketIds }, token);
      const employer = { url, id, token, roleId: role.id ?? '' };

      const change = (turn: number) => ({
        path: `/organisations/${id}/roles/${roleIds[turn % ROLES] ?? ''}`,
        body: JSON.stringify(definition(`Role ${turn}`, turn % 101)),
      });
      let turns = 0;
      const maxRate = await load({
        ...{ url, headers, connections: 16, seconds: 3, method: 'PATCH' as const },
        next: () => change(turns++),
      });
      const rate = SHARE * maxRate;
      const p99 = async (): Promise<number> => {
        const next = () => {
          const { path, body } = change(turns++);
          return { url: `${url}${path}`, method: 'PATCH' as const, headers, body, mayConflict: true };
        };
        return quantile(await openLoop({ next, rate, seconds: SECONDS }), 0.99);
      };

      let round = 0;
      const handedIn: number[] = [];
      /** How many processors the service used in each round, by side. */
      const processor: Record<'ours' | 'baseline', number[]> = { ours: [], baseline: [] };
      /** Runs a round. @returns its figure in the comparison's unit */
      const measured = async (side: 'ours' | 'baseline'): Promise<number> => {
        const [before, begun] = [activityOf(pid).processorMs, performance.now()];
        const result = 1000 / (await p99());
        processor[side].push((activityOf(pid).processorMs - before) / (performance.now() - begun));
        return result;
      };
      const result = await compare({
        name: `changes of roles by the p99, ${Math.round(rate)}/s, while ${SENDERS} hand in archives of 10 MB`,
        unit: 'changes/s (1000 / p99 in ms)',
        baseline: 'the same while none comes in',
        bar: 1 / MAX_RATIO,
        sides: {
          baseline: () => measured('baseline'),
          ours: async () => {
            const candidates = await makeCandidates(employer, `round-${round++}`, SENDERS);
            const seconds = SECONDS + WARM_UP_SECONDS + 1;
            // One more than can be sent in that time.
            const count = Math.ceil((seconds * BYTES_PER_SECOND) / HAND_IN_LIMITS.bytes) + 1;
            const handIns = candidates.map(({ sessionId, token: own }) => ({
              url: `${url}/trial-sessions/${sessionId}/tickets/${ticketIds[0]}/hand-ins`,
              token: own,
            }));
            const sending: Sending = { handIns, count, bytesPerSecond: BYTES_PER_SECOND };
            const sender = new Worker(SENDER, { workerData: sending });
            await once(sender, 'message');
            sender.postMessage('begin');
            try {
              return await measured('ours');
            } finally {
              sender.postMessage('end');
              const [done] = (await once(sender, 'message')) as [number];
              handedIn.push(done);
            }
          },
        },
        packages: ['lmdb', '@nestjs/core'],
      });
      const each = median(handedIn) / (SECONDS + WARM_UP_SECONDS);
      console.log(`  archives handed in a second: ${rounded(each)}`);
      const [without, beside] = [median(processor.baseline), median(processor.ours)];
      console.log(`  of a processor: ${without.toFixed(2)} without, ${beside.toFixed(2)} beside archives`);
      if (result.passed === false) process.exitCode = 1;
    }),
  );
