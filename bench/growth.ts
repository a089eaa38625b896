import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { type Line, type Panel, chartOf } from './support/chart.js';
import { closedLoop } from './support/closed-loop.js';
import { type Contender, startOurs } from './support/contenders.js';
import { fillWithActivity } from './support/fill.js';
import { inFolder } from './support/folder.js';
import { definition, send } from './support/hiring.js';
import { median, rounded, ROUNDS, versions } from './support/measure.js';
import { answered, keepAliveAgent } from './support/open-loop.js';
import { stopAfter } from './support/servers.js';

/** The largest size of each measure. A hundredth of it, a tenth of it and so on are measured first. */
const MAX_SIZES = {
  events: Number(process.env.BENCH_EVENTS ?? 1_000_000),
  organisations: Number(process.env.BENCH_ORGANISATIONS ?? 10_000),
  roles: Number(process.env.BENCH_ROLES ?? 5_000),
} as const;
const SIZES = 4;
/** Requests of a round, one at a time. */
const REQUESTS = 200;
/** A cost that grows by at most this factor over all sizes counts as flat or logarithmic. */
const MAX_GROWTH = 2;
const WRITERS = 8;
const MAKER = new URL('support/organisations-child.js', import.meta.url).pathname;

/** Sizes up to `max`, each ten times the one before. */
const sizesOf = (max: number): readonly number[] =>
  Array.from({ length: SIZES }, (_, index) => Math.ceil(max / 10 ** (SIZES - 1 - index))).filter(
    (size, index, all) => size > 0 && size !== all[index - 1],
  );

/** Processor milliseconds of a command and of a read, the median of rounds. */
const costsOf = async (service: Contender) => {
  const { server, organisationId, token, roleIds } = service;
  const agent = keepAliveAgent();
  const headers = { authorization: `Bearer ${token}` };
  const organisation = `${server.url}/organisations/${organisationId}`;
  const costOf = async (request: (turn: number) => Promise<void>): Promise<number> => {
    const costs: number[] = [];
    for (let round = 0; round <= ROUNDS; round++) {
      const before = service.processorMs();
      for (let turn = 0; turn < REQUESTS; turn++) await request(round * REQUESTS + turn);
      // The first round is the warm-up.
      if (round > 0) costs.push((service.processorMs() - before) / REQUESTS);
    }
    return median(costs);
  };
  const url = `${organisation}/roles/${roleIds[0] ?? ''}`;
  const command = await costOf((turn) =>
    answered(agent, { url, method: 'PATCH', headers, body: JSON.stringify(definition(`Role ${turn}`, 60)) }),
  );
  const role = await costOf(() => answered(agent, { url, headers }));
  const signal = await costOf(() => answered(agent, { url: `${organisation}/signal`, headers }));
  await agent.destroy();
  return { 'PATCH role': command, 'GET role': role, 'GET signal': signal } as const;
};

/** @param grow takes the service from one size to the next */
const grown = (
  folder: string,
  title: string,
  across: keyof typeof MAX_SIZES,
  grow: (service: Contender, from: number, to: number) => Promise<void>,
): Promise<Panel> => {
  const lines: Record<string, Line['points'][number][]> = {};
  return stopAfter(async (started) => {
    const service = await startOurs(`${folder}/${across}`, 1, started);
    // A warm-up, so that the code is compiled before the first size is measured.
    await costsOf(service);
    let from = 0;
    for (const size of sizesOf(MAX_SIZES[across])) {
      await grow(service, from, size);
      from = size;
      const costs = await costsOf(service);
      for (const [name, value] of Object.entries(costs)) (lines[name] ??= []).push({ at: size, value });
      const told = Object.entries(costs).map(([name, value]) => `${name} ${rounded(value)} ms`);
      console.log(`  ${size} ${across}: ${told.join(', ')}`);
    }
  }).then(() => ({
    title,
    across,
    unit: 'processor ms a request',
    lines: Object.entries(lines).map(([name, points]) => ({ name, points })),
  }));
};

/**
 * The cost of a command and of reads while the log, the organisations and one organisation's roles grow: against
 * itself when small. `BENCH_CHART` names a file for a chart of it.
 */
export const run = (): Promise<void> =>
  inFolder(async (folder) => {
    const panels = [
      await grown(folder, 'Events of the log', 'events', (service, from, to) =>
        fillWithActivity(service, to - from),
      ),
      await grown(folder, 'Organisations', 'organisations', async (_, from, to) => {
        const env = { PATH: process.env.PATH, DATA_DIR: `${folder}/organisations` };
        await promisify(execFile)(process.execPath, [MAKER, String(to - from)], { env });
      }),
      await grown(folder, 'Roles of the organisation', 'roles', async (service, from, to) => {
        const { server, organisationId, token } = service;
        await closedLoop(WRITERS, to - from, async (writer, turn) => {
          const body = definition(`Further ${writer} ${from + turn}`, 60);
          await send(`${server.url}/organisations/${organisationId}/roles`, body, token);
        });
      }),
    ];
    const file = process.env.BENCH_CHART;
    if (file !== undefined) await writeFile(file, chartOf(panels));
    const growths = panels.flatMap(({ across, lines }) =>
      lines.map(({ name, points }) => {
        const growth = (points.at(-1)?.value ?? Number.NaN) / (points[0]?.value ?? Number.NaN);
        // The summary lists all roles, so that its cost grows with them: the bar applies to the cost of a row.
        const bar = across === 'roles' && name === 'GET signal' ? null : MAX_GROWTH;
        return { across, name, growth, bar, passed: bar === null ? null : growth <= bar, points };
      }),
    );
    console.log('\ngrowth of the cost of a request, from the smallest size to the largest');
    for (const { across, name, growth, bar, passed } of growths) {
      const verdict = bar === null ? '' : `, bar ${bar} ${passed ? 'reached' : 'MISSED'}`;
      console.log(`  ${name} by ${across}: ${growth.toFixed(2)} x${verdict}`);
    }
    console.log(JSON.stringify({ name: 'growth', growths, versions: versions(['lmdb', '@nestjs/core']) }));
    if (growths.some(({ passed }) => passed === false)) process.exitCode = 1;
  });
