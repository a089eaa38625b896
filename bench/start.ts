import { startOurs } from './support/contenders.js';
import { fillWithActivity } from './support/fill.js';
import { inFolder } from './support/folder.js';
import { byTurns, compare, rounded, spreadOf, versions } from './support/measure.js';
import { type Server, startHello, startService, stopAfter } from './support/servers.js';

/** Stored before the second comparison; as many as the bar has unless said. */
const EVENTS = Number(process.env.BENCH_EVENTS ?? 1_000_000);
const LONGER_MS = 500;

/** The time from a process's start until it listens, in milliseconds. */
const startMs = async (start: () => Promise<Server>): Promise<number> => {
  const began = performance.now();
  const server = await start();
  const took = performance.now() - began;
  await server.stop();
  return took;
};

/** Start to ready: against Nest that only greets; and with many events stored, against the same with none. */
export const run = (): Promise<void> =>
  inFolder(async (folder) => {
    let turn = 0;
    const empty = await compare({
      name: 'start to ready, nothing stored',
      unit: 'starts/s',
      baseline: 'Nest hello world',
      bar: 0.5,
      sides: {
        baseline: async () => 1_000 / (await startMs(() => startHello(`${folder}/hello`))),
        ours: async () => 1_000 / (await startMs(() => startService(`${folder}/empty-${++turn}`))),
      },
      packages: ['@nestjs/core', 'fastify', 'lmdb'],
    });
    await stopAfter(async (started) => {
      await fillWithActivity(await startOurs(`${folder}/full`, 1, started), EVENTS);
    });
    const rounds = await byTurns({
      sides: {
        empty: () => startMs(() => startService(`${folder}/empty-${++turn}`)),
        full: () => startMs(() => startService(`${folder}/full`)),
      },
    });
    const longer = spreadOf(rounds.map(({ empty: none, full }) => full - none));
    const passed = longer.median <= LONGER_MS;
    const name = `start to ready, ${EVENTS} events stored`;
    console.log(
      `\n${name}: ${rounded(longer.median)} ms longer than with none ` +
        `(${rounded(longer.min)} to ${rounded(longer.max)}, bar ${LONGER_MS} ms ${passed ? 'reached' : 'MISSED'})`,
    );
    const result = { name, unit: 'ms', longer, bar: LONGER_MS, passed, rounds };
    console.log(JSON.stringify({ ...result, versions: versions(['@nestjs/core', 'lmdb']) }));
    if (!passed || empty.passed === false) process.exitCode = 1;
  });
