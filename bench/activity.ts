import { stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { MAX_ACTIVITIES } from '../packages/interview-client/src/protocol/messages.js';
import { activityOf } from './support/activity.js';
import { inFolder } from './support/folder.js';
import {
  type Candidate,
  type Employer,
  makeCandidates,
  makeEmployer,
} from './support/interview/candidates.js';
import { load } from './support/load.js';
import { compare, median, SETTLE_MS } from './support/measure.js';
import { type Server, startPlain, startService, stopAfter } from './support/servers.js';
import { tokensLike } from './support/tokens.js';

const SESSIONS = 16;
const BATCHES_EACH = 20;
const BATCHES = SESSIONS * BATCHES_EACH;

const payload = { path: 'src/parser.ts', linesAdded: 3, linesRemoved: 1 };

/** A batch as a browser sends it, with new ids. */
const batch = (connection: number, turn: number): string =>
  JSON.stringify({
    events: Array.from({ length: MAX_ACTIVITIES }, (_, place) => ({
      clientEventId: `${connection}-${turn}-${place}`,
      eventType: 'file.changed',
      occurredAt: new Date().toISOString(),
      payload,
    })),
  });

/** Size of an activity's payload, in bytes. */
const PAYLOAD_BYTES = JSON.stringify(payload).length;

/** A candidate's session on the server that has nothing but activities. @returns its id */
const sessionOn = async ({ url }: Server, { id }: Employer, token: string): Promise<string> => {
  const headers = { authorization: `Bearer ${token}` };
  const made = await fetch(`${url}/trial-sessions/of/${id}`, { method: 'POST', headers });
  return ((await made.json()) as { id: string }).id;
};

/** Bytes that a data folder's log and views take on the disk. */
const sizesOf = (folder: string): Promise<readonly number[]> =>
  Promise.all(['log', 'views'].map(async (name) => (await stat(`${folder}/${name}/data.mdb`)).blocks * 512));

/** Batches of 100 activities by 16 candidates, embedded: against bare Fastify, a JWT check, ajv and one LMDB transaction. */
export const run = (): Promise<void> =>
  inFolder((folder) =>
    stopAfter(async (started) => {
      const service = started(await startService(`${folder}/service`));
      const employer = await makeEmployer(service.url, `${folder}/service`);
      const tokens = await tokensLike(employer.token, `${service.url}/issuer/jwks`);
      const plain = started(await startPlain(`${folder}/plain`, {}, tokens));
      let round = 0;
      const processor: Record<'ours' | 'baseline', number[]> = { ours: [], baseline: [] };
      const sizes: (readonly number[])[] = [];
      const send = async (side: 'ours' | 'baseline', { url, pid }: Server): Promise<number> => {
        // A session takes 10,000 events: each round has its own.
        const candidates = await makeCandidates(employer, `round-${round++}`, SESSIONS);
        const sessions =
          side === 'ours'
            ? candidates.map(({ sessionId }) => sessionId)
            : await Promise.all(candidates.map(({ token }) => sessionOn(plain, employer, token)));
        await sleep(SETTLE_MS);
        const [before, stored] = [activityOf(pid), await sizesOf(`${folder}/service`)];
        const rate = await load({
          ...{ url, connections: SESSIONS, seconds: 0, amount: BATCHES, method: 'POST' },
          next: (connection, turn) => {
            const { token } = candidates[connection % SESSIONS] as Candidate;
            const path = `/trial-sessions/${sessions[connection % SESSIONS]}/activity`;
            return { path, body: batch(connection, turn), headers: { authorization: `Bearer ${token}` } };
          },
        });
        await sleep(SETTLE_MS);
        processor[side].push((activityOf(pid).processorMs - before.processorMs) / BATCHES);
        const grown = (await sizesOf(`${folder}/service`)).map((size, part) => size - (stored[part] ?? 0));
        if (side === 'ours') sizes.push(grown.map((bytes) => bytes / (BATCHES * MAX_ACTIVITIES)));
        return rate;
      };
      const result = await compare({
        name: `activity, batches of ${MAX_ACTIVITIES}, embedded, ${SESSIONS} sessions`,
        unit: 'batches/s',
        baseline: 'bare Fastify, JWT check, ajv and one LMDB transaction',
        bar: 0.5,
        sides: { baseline: () => send('baseline', plain), ours: () => send('ours', service) },
        warmUps: 2,
        packages: ['fastify', 'lmdb', 'jose', '@nestjs/core'],
      });
      const ms = (side: 'ours' | 'baseline'): string => median(processor[side]).toFixed(2);
      console.log(`  processor: ours ${ms('ours')} ms a batch, baseline ${ms('baseline')}`);
      const bytes = ['log', 'views'].map((name, part) => {
        const own = median(sizes.map((grown) => grown[part] ?? 0)) - PAYLOAD_BYTES;
        return `${own.toFixed(0)} in the ${name}`;
      });
      console.log(`  bytes of an activity beyond its payload of ${PAYLOAD_BYTES}: ${bytes.join(', ')}`);
      if (result.passed === false) process.exitCode = 1;
    }),
  );
