import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Contender, startOurs } from './support/contenders.js';
import { inFolder } from './support/folder.js';
import { load } from './support/load.js';
import { byTurns, compare, rounded, spreadOf, versions } from './support/measure.js';
import { type Server, startBuffer, stopAfter } from './support/servers.js';

const CONNECTIONS = 8;
const SECONDS = Number(process.env.BENCH_SECONDS ?? 3);
/** A body holds 256 KiB at most, an event 16 KiB. */
const EVENT_BYTES = 14_000;
const [BATCHES, EVENTS_OF_BATCH] = [5, 16];
const SLOW_READERS = 50;
/** Most memory of a slow reader, in payloads. */
const MAX_PAYLOADS = 2;
const SETTLE_MS = 2_000;

const request = async <Body>(method: string, url: string, token: string, body?: object): Promise<Body> => {
  const response = await fetch(url, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${url}: ${text}`);
  return JSON.parse(text) as Body;
};

/** @returns the path of an evaluation whose evidence is some 1 MB of messages */
const makeEvaluation = async (service: Contender): Promise<string> => {
  const { server, organisationId, token, startSessions } = service;
  const [session] = await startSessions(1);
  const { id = '', token: candidate = '' } = session ?? {};
  const own = `${server.url}/trial-sessions/${id}`;
  for (let batch = 0; batch < BATCHES; batch++) {
    const events = Array.from({ length: EVENTS_OF_BATCH }, (_, index) => ({
      clientEventId: `${batch}-${index}`,
      eventType: 'message.sent',
      occurredAt: new Date(Date.UTC(2026, 0, 5, batch, index)).toISOString(),
      payload: { text: 'What if the line is empty? '.repeat(EVENT_BYTES / 27), to: 'assistant' },
    }));
    await request('POST', `${own}/activity`, candidate, { events });
  }
  await request('POST', `${own}/complete`, candidate, {});
  const path = `/organisations/${organisationId}/evaluations`;
  for (;;) {
    const list = await request<{
      readonly items: readonly { readonly id: string; readonly status: string }[];
    }>('GET', `${server.url}${path}`, token);
    const ready = list.items.find(({ status }) => status === 'ready');
    if (ready) return `${path}/${ready.id}`;
    await sleep(100);
  }
};

const ownBytes = (pid: number): number =>
  Number(/^RssAnon:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1_024;

/** Bytes of memory that a server takes for each of those who ask and then read nothing. */
const perSlowReader = async ({ url, pid }: Server, path: string, token: string): Promise<number> => {
  const before = ownBytes(pid);
  const { hostname, port } = new URL(url);
  const sockets = Array.from({ length: SLOW_READERS }, () => {
    const socket = connect({ host: hostname, port: Number(port) });
    socket.pause();
    socket.on('error', () => undefined);
    socket.write(`GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${token}\r\n\r\n`);
    return socket;
  });
  await sleep(SETTLE_MS);
  const each = (ownBytes(pid) - before) / SLOW_READERS;
  for (const socket of sockets) socket.destroy();
  await sleep(SETTLE_MS);
  return each;
};

/** Evaluation read with 1 MB of evidence: against `node:http` that sends the same bytes; and the memory of slow readers. */
export const run = (): Promise<void> =>
  inFolder((folder) =>
    stopAfter(async (started) => {
      const service = await startOurs(`${folder}/service`, 1, started);
      const { server, token } = service;
      const path = await makeEvaluation(service);
      const headers = { authorization: `Bearer ${token}` };
      const answer = await fetch(`${server.url}${path}`, { headers });
      const body = Buffer.from(await answer.arrayBuffer());
      await writeFile(`${folder}/body`, body);
      const plain = started(await startBuffer(`${folder}/plain`, `${folder}/body`));
      const common = { connections: CONNECTIONS, seconds: SECONDS };
      const speed = await compare({
        name: `evaluation read, ${body.length} bytes, ${CONNECTIONS} connections`,
        unit: 'reads/s',
        baseline: 'node:http sending the same buffer',
        bar: 0.5,
        sides: {
          baseline: () => load({ ...common, url: plain.url }),
          ours: () => load({ ...common, url: `${server.url}${path}`, headers }),
        },
        warmUps: 2,
        packages: ['fastify', '@nestjs/core', 'lmdb'],
      });
      const rounds = await byTurns({
        sides: {
          baseline: async () => (await perSlowReader(plain, path, token)) / body.length,
          ours: async () => (await perSlowReader(server, path, token)) / body.length,
        },
      });
      const payloads = spreadOf(rounds.map(({ ours }) => ours));
      const passed = payloads.median <= MAX_PAYLOADS;
      const name = `memory of a slow reader of ${body.length} bytes`;
      console.log(
        `\n${name}: ${rounded(payloads.median)} payloads ` +
          `(${rounded(payloads.min)} to ${rounded(payloads.max)}, at most ${MAX_PAYLOADS}: ${passed ? 'reached' : 'MISSED'})`,
      );
      const result = { name, unit: 'payloads', payloads, bar: MAX_PAYLOADS, passed, rounds };
      console.log(JSON.stringify({ ...result, versions: versions(['fastify', '@nestjs/core']) }));
      if (!passed || speed.passed === false) process.exitCode = 1;
    }),
  );
