import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { packTarHere } from '../src/work/archives.js';
import { HAND_IN_LIMITS, MAX_PIECE_BYTES } from '../src/work/limits.js';
import { treeOf } from '../src/work/tree.js';
import { activityOf } from './support/activity.js';
import { inFolder } from './support/folder.js';
import { definition, makeOrganisation, send } from './support/hiring.js';
import { makeCandidates } from './support/interview/candidates.js';
import { load } from './support/load.js';
import { compare, median, rounded } from './support/measure.js';
import { answered, keepingAgent, openLoop, quantile, WARM_UP_SECONDS } from './support/open-loop.js';
import { startService, stopAfter } from './support/servers.js';

const ROLES = 20;
const SECONDS = Number(process.env.BENCH_SECONDS ?? 6);
/** The rate at which latency is measured, as a share of the maximum. */
const SHARE = Number(process.env.BENCH_SHARE ?? 0.3);
/** Candidates who send at once, and how many bytes a second the line of each takes: 50 Mbit/s. */
const SENDERS = Number(process.env.BENCH_SENDERS ?? 2);
const LINE = Number(process.env.BENCH_LINE ?? 6_250_000);
/** A request may take this many times as long while archives come in. */
const MAX = 1.5;
/** Files in an archive. Their content is random, so that packing does not make it smaller. */
const FILES = 100;

interface Archive {
  readonly announced: { readonly name: string; readonly bytes: number; readonly sha256: string };
  /** Bodies of requests, made beforehand: it is the service that is measured. */
  readonly pieces: readonly string[];
}

/** One of some 10 MB that nobody has handed in. */
const anArchive = async (): Promise<Archive> => {
  const bytes = Math.floor((HAND_IN_LIMITS.bytes * 0.97) / FILES);
  const files = Array.from({ length: FILES }, (_, n) => ({
    path: `src/${n}.bin`,
    content: randomBytes(bytes),
  }));
  const content = gzipSync(await packTarHere(treeOf(files)), { level: 1 });
  const pieces: string[] = [];
  for (let offset = 0; offset < content.length; offset += MAX_PIECE_BYTES) {
    const data = content.subarray(offset, offset + MAX_PIECE_BYTES).toString('base64');
    pieces.push(JSON.stringify({ offset, data }));
  }
  const sha256 = createHash('sha256').update(content).digest('hex');
  return { announced: { name: 'work.tar.gz', bytes: content.length, sha256 }, pieces };
};

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
      const most = await load({
        ...{ url, headers, connections: 16, seconds: 3, method: 'PATCH' as const },
        next: () => change(turns++),
      });
      const rate = SHARE * most;
      const p99 = async (): Promise<number> => {
        const next = () => {
          const { path, body } = change(turns++);
          return { url: `${url}${path}`, method: 'PATCH' as const, headers, body, mayConflict: true };
        };
        return quantile(await openLoop({ next, rate, seconds: SECONDS }), 0.99);
      };

      /** Hands in one archive after the other until the end. @returns how many */
      const handInUntil = async (
        signal: AbortSignal,
        session: string,
        own: string,
        archives: readonly Archive[],
      ): Promise<number> => {
        const agent = keepingAgent();
        const at = `${url}/trial-sessions/${session}/tickets/${ticketIds[0]}/hand-ins`;
        const post = (to: string, body: string): Promise<void> =>
          answered(agent, { url: to, method: 'POST', headers: { authorization: `Bearer ${own}` }, body });
        try {
          for (const [done, { announced, pieces }] of archives.entries()) {
            const handIn = `${at}/${(await send(at, announced, own)).id}`;
            const begun = performance.now();
            for (const [n, piece] of pieces.entries()) {
              if (signal.aborted) return done;
              await post(`${handIn}/pieces`, piece);
              const due = begun + ((n + 1) * MAX_PIECE_BYTES * 1_000) / LINE;
              await sleep(Math.max(0, due - performance.now()));
            }
            await post(`${handIn}/complete`, '{}');
          }
          if (!signal.aborted) throw new Error('There were too few archives.');
          return archives.length;
        } finally {
          await agent.destroy();
        }
      };

      let round = 0;
      const handedIn: number[] = [];
      const processor: Record<'ours' | 'baseline', number[]> = { ours: [], baseline: [] };
      /** What both sides return; the share of a processor that the service took is kept beside it. */
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
        bar: 1 / MAX,
        sides: {
          baseline: () => measured('baseline'),
          ours: async () => {
            const candidates = await makeCandidates(employer, `round-${round++}`, SENDERS);
            const seconds = SECONDS + WARM_UP_SECONDS + 1;
            const count = Math.ceil((seconds * LINE) / HAND_IN_LIMITS.bytes) + 1;
            const archives: Archive[][] = [];
            for (let sender = 0; sender < SENDERS; sender++) {
              archives.push([]);
              for (let n = 0; n < count; n++) archives[sender]?.push(await anArchive());
            }
            const over = new AbortController();
            const sending = Promise.all(
              candidates.map(({ sessionId, token: own }, sender) =>
                handInUntil(over.signal, sessionId, own, archives[sender] ?? []),
              ),
            );
            try {
              return await measured('ours');
            } finally {
              over.abort();
              handedIn.push((await sending).reduce((sum, one) => sum + one, 0));
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
