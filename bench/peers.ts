import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { activityBatch, BATCH, sendingBatch } from './support/activities.js';
import { closedLoop } from './support/closed-loop.js';
import {
  type Contender,
  startFloor,
  startOnPostgreSql,
  startOnSqlite,
  startOurs,
  type StartedSession,
} from './support/contenders.js';
import { inFolder } from './support/folder.js';
import { definition } from './support/hiring.js';
import { load } from './support/load.js';
import {
  byTurns,
  median,
  ROUNDS,
  rounded,
  SETTLE_MS,
  type Side,
  spreadOf,
  versions,
} from './support/measure.js';
import {
  answered,
  keepAliveAgent,
  type LoopRequest,
  openLoop,
  quantile,
  WARM_UP_SECONDS,
} from './support/open-loop.js';
import { type LogRates, PEER_PACKAGES, type PeerKind, peerLogRates, preparePeers } from './support/peers.js';
import { missingForPostgreSql, type PostgreSql, startPostgreSql } from './support/postgresql.js';
import { stopAfter } from './support/servers.js';
import { makeProvider } from './support/tokens.js';

const ROLES = 64;
const SECONDS = Number(process.env.BENCH_SECONDS ?? 3);
/** Events of an append and a rebuild. */
const EVENTS = Number(process.env.BENCH_EVENTS ?? 10_000);
const LOG_WRITERS = 64;
/** A rebuild of the peers takes long: fewer rounds. */
const LOG_ROUNDS = Math.min(ROUNDS, 2);
/** Sessions that send activity at once, batches of each, and how many a second are expected of a side at first. */
const ACTIVITY = { writers: 16, batches: 4, firstRate: 100 } as const;
/** The rate at which each side's latency is measured, as a share of its own maximum. */
const SHARE = 0.6;
const LOG_CHILD = fileURLToPath(new URL('support/log-child.js', import.meta.url));

const NAMES = {
  ours: 'ours',
  postgresql: 'emmett-postgresql',
  sqlite: 'emmett-sqlite',
  floor: 'bare Fastify + LMDB',
} as const;
type Name = keyof typeof NAMES;

interface Row {
  readonly name: string;
  readonly unit: string;
  /** Smallest ratio ours / emmett that passes; `null` where nothing is promised. */
  readonly bar: number | null;
  /** What each side measured, without the sides that do not have what this row measures. */
  readonly rounds: readonly Readonly<Partial<Record<Name, number>>>[];
}

const EMMETTS: readonly Name[] = ['postgresql', 'sqlite'];
const OTHERS: readonly Name[] = [...EMMETTS, 'floor'];

const medianOf = ({ rounds }: Row, name: Name): number =>
  median(rounds.flatMap((round) => round[name] ?? []));

/** The spread of the ratios, each of two figures of the same round. */
const ratioTo = ({ rounds }: Row, other: Name): ReturnType<typeof spreadOf> | null => {
  const ratios = rounds.flatMap((round) =>
    round.ours !== undefined && round[other] !== undefined ? [round.ours / round[other]] : [],
  );
  return ratios.length === 0 ? null : spreadOf(ratios);
};

const summaryOf = (row: Row) => {
  const ratios = Object.fromEntries(OTHERS.map((other) => [other, ratioTo(row, other)] as const));
  const reached =
    row.bar === null
      ? null
      : EMMETTS.every((other) => (ratios[other]?.median ?? Infinity) >= (row.bar ?? Infinity));
  return { ...row, ratios, passed: reached };
};

const print = (row: Row): void => {
  const { ratios, passed } = summaryOf(row);
  const told = OTHERS.flatMap((other) => {
    const ratio = ratios[other];
    return ratio
      ? [`${ratio.median.toFixed(2)} x ${NAMES[other]} (${ratio.min.toFixed(2)} to ${ratio.max.toFixed(2)})`]
      : [];
  });
  const verdict = passed === null ? '' : `; bar ${row.bar} ${passed ? 'reached' : 'MISSED'}`;
  console.log(`\n${row.name}: ${told.join(', ')}${verdict}`);
  for (const [index, round] of row.rounds.entries()) {
    const figures = Object.entries(round).map(([name, figure]) => `${name} ${rounded(figure)}`);
    console.log(`  round ${index + 1}, ${row.unit}: ${figures.join(', ')}`);
  }
};

/** The table of the page about performance, in Markdown. */
const table = (rows: readonly Row[]): string => {
  const cells = rows.map((row) => [
    `${row.name}, ${row.unit}`,
    rounded(medianOf(row, 'ours')),
    ...OTHERS.map((other) => {
      const ratio = ratioTo(row, other);
      return ratio ? `${rounded(medianOf(row, other))} (${ratio.median.toFixed(2)} x)` : '';
    }),
    row.bar === null ? '' : `${row.bar} x ${summaryOf(row).passed === true ? 'reached' : 'missed'}`,
  ]);
  const head = ['', ...(['ours', ...OTHERS] as const).map((name) => NAMES[name]), 'bar'];
  const line = (row: readonly string[]) => `| ${row.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...cells.map(line)].join('\n');
};

type Contenders = Readonly<Partial<Record<Name, Contender>>>;

const each = <Result>(
  contenders: Contenders,
  work: (contender: Contender, name: Name) => Result,
): Readonly<Record<Name, Result>> =>
  Object.fromEntries(
    (Object.entries(contenders) as [Name, Contender][]).map(([name, one]) => [name, work(one, name)]),
  ) as Record<Name, Result>;

const authorization = (token: string) => ({ authorization: `Bearer ${token}` });

let unique = 0;
/** A role's change; every one differs from the one before it. */
const patch = ({ organisationId, roleIds }: Contender, role: number) => ({
  path: `/organisations/${organisationId}/roles/${roleIds[role % ROLES] ?? ''}`,
  body: JSON.stringify(definition(`Role ${role} ${++unique}`, unique % 101)),
});

/** Milliseconds of processor time a request, of each side in turn. */
class ProcessorTimes {
  private readonly rounds: Partial<Record<Name, number>>[] = [];
  private readonly turns: Partial<Record<Name, number>> = {};

  /** @param work answers how many requests it made */
  async of(name: Name, { processorMs }: Contender, work: () => Promise<number>): Promise<void> {
    const before = processorMs();
    const requests = await work();
    const turn = (this.turns[name] ??= 0);
    this.turns[name] = turn + 1;
    (this.rounds[turn] ??= {})[name] = (processorMs() - before) / requests;
  }

  /** Warm-up left out. */
  row(name: string): Row {
    return { name, unit: 'processor ms', bar: null, rounds: this.rounds.slice(1) };
  }
}

/** Sends requests for so long. Gives the rate, and how many there were. */
type Work = (seconds: number) => Promise<{ readonly rate: number; readonly requests: number }>;

/**
 * Both the rate and the processor time of a kind of request, after a second of the same that is not measured.
 * @param prepared what is to be measured, once all that comes before is done
 * @param settleMs how long what follows the answers takes: part of the processor time
 */
const measured = async (
  contenders: Contenders,
  name: string,
  bar: number,
  unit: string,
  prepared: (contender: Contender, side: Name) => Work | Promise<Work>,
  settleMs = 0,
): Promise<readonly Row[]> => {
  const times = new ProcessorTimes();
  const sides = each(contenders, (contender, side) => async () => {
    const work = await prepared(contender, side);
    await work(WARM_UP_SECONDS);
    let rate = Number.NaN;
    await times.of(side, contender, async () => {
      const done = await work(SECONDS);
      ({ rate } = done);
      await sleep(settleMs);
      return done.requests;
    });
    return rate;
  });
  const rows = [{ name, unit, bar, rounds: await byTurns({ sides }) }, times.row(name)];
  rows.forEach(print);
  return rows;
};

const patches = (contenders: Contenders, connections: number): Promise<readonly Row[]> =>
  measured(
    contenders,
    `PATCH role, ${connections} at once`,
    connections === 1 ? 3 : 8,
    'requests/s',
    (contender) => async (seconds) => {
      const { server, token } = contender;
      const headers = authorization(token);
      const next = (connection: number, turn: number) => patch(contender, connection + turn * connections);
      const common = { connections, seconds, method: 'PATCH' } as const;
      const rate = await load({ ...common, url: server.url, headers, next });
      return { rate, requests: rate * seconds };
    },
  );

const signals = (contenders: Contenders): Promise<readonly Row[]> =>
  measured(
    contenders,
    `GET signal of ${ROLES} roles, 64 at once`,
    8,
    'requests/s',
    ({ server, organisationId, token }) =>
      async (seconds) => {
        const url = `${server.url}/organisations/${organisationId}/signal`;
        const rate = await load({ url, headers: authorization(token), connections: 64, seconds });
        return { rate, requests: rate * seconds };
      },
  );

/** The batches of one session after another's, of those that no other writer has taken. */
function* batchesOf(
  { server }: Contender,
  sessions: Iterable<StartedSession>,
  bodies: readonly string[],
): Generator<LoopRequest, void> {
  for (const session of sessions) for (const body of bodies) yield sendingBatch(server, session, body);
}

const activities = (contenders: Contenders): Promise<readonly Row[]> => {
  const { writers, batches, firstRate } = ACTIVITY;
  const bodies = Array.from({ length: batches }, (_, index) => activityBatch(index));
  const rates: Partial<Record<Name, number>> = {};
  return measured(
    contenders,
    `POST ${BATCH} activities, ${writers} sessions at once`,
    5,
    'batches/s',
    async (contender, side) => {
      // As many as in the turn before, so that all sides send for about as long.
      const expected = rates[side] ?? firstRate;
      const sessionCount = Math.ceil((expected * (WARM_UP_SECONDS + SECONDS)) / batches) + writers;
      const sessions = (await contender.startSessions(sessionCount)).values();
      const requests = Array.from({ length: writers }, () => batchesOf(contender, sessions, bodies));
      await sleep(SETTLE_MS);
      return async (seconds) => {
        const agent = keepAliveAgent();
        const total = Math.round(expected * seconds);
        const rate = await closedLoop(writers, total, async (writer) => {
          const request = requests[writer]?.next().value;
          if (!request) throw new Error('There are too few sessions.');
          await answered(agent, request);
        });
        await agent.destroy();
        rates[side] = rate;
        return { rate, requests: total };
      };
    },
    SETTLE_MS,
  );
};

/** p50 and p99 at a share of the side's own maximum. */
const latencies = async (
  contenders: Contenders,
  name: string,
  rates: Row,
  next: (contender: Contender) => (turn: number) => LoopRequest,
): Promise<readonly Row[]> => {
  const p50: Partial<Record<Name, number>>[] = [];
  const turns = each(contenders, () => ({ count: 0 }));
  const rounds = await byTurns({
    sides: each(contenders, (contender, side) => async () => {
      const rate = SHARE * medianOf(rates, side);
      const took = await openLoop({ next: next(contender), rate, seconds: SECONDS });
      (p50[turns[side].count++] ??= {})[side] = quantile(took, 0.5);
      return quantile(took, 0.99);
    }),
  });
  const at = `${name}, open loop at ${SHARE * 100} % of its own maximum`;
  const rows: readonly Row[] = [
    { name: `p50 of ${at}`, unit: 'ms', bar: null, rounds: p50.slice(1) },
    { name: `p99 of ${at}`, unit: 'ms', bar: null, rounds },
  ];
  rows.forEach(print);
  return rows;
};

/** What a process has in memory of its own, in MiB. */
const ownMiB = (pid: number): number =>
  Number(/^RssAnon:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024;

const memory = (contenders: Contenders): Row => ({
  name: 'own memory of the service after load',
  unit: 'MiB',
  bar: null,
  rounds: [each(contenders, ({ server }) => ownMiB(server.pid))],
});

const starts = (contenders: Contenders): Row => ({
  name: 'start to ready, with an empty store',
  unit: 'ms',
  bar: null,
  rounds: [each(contenders, ({ startMs }) => startMs)],
});

/** Event append and rebuild without a service: emmett's own API against the embedded log's. */
const logs = async (folder: string, postgres: PostgreSql | null): Promise<readonly Row[]> => {
  let run = 0;
  const rebuilds: Partial<Record<Name, number>>[] = [];
  const counts: Partial<Record<Name, number>> = {};
  const taken = (name: Name, { append, rebuild }: LogRates): number => {
    const turn = (counts[name] ??= 0);
    counts[name] = turn + 1;
    (rebuilds[turn] ??= {})[name] = rebuild;
    return append;
  };
  const own = (): string => join(folder, `log-${++run}`);
  const args = () => [LOG_CHILD, own(), String(EVENTS), String(LOG_WRITERS)];
  const peer = (kind: PeerKind, location: string) => peerLogRates(kind, location, EVENTS, LOG_WRITERS);
  const sides: Partial<Record<Name, Side>> = {
    ours: async () =>
      taken('ours', JSON.parse(execFileSync(process.execPath, args(), { encoding: 'utf8' })) as LogRates),
    sqlite: async () => taken('sqlite', peer('sqlite', own())),
    ...(postgres && {
      postgresql: async () => taken('postgresql', peer('postgresql', await postgres.database())),
    }),
  };
  const rounds = await byTurns({
    rounds: LOG_ROUNDS,
    warmUps: 0,
    sides: sides as Record<Name, Side>,
  });
  const rows: readonly Row[] = [
    { name: `append, ${LOG_WRITERS} writers`, unit: 'events/s', bar: 5, rounds },
    { name: `rebuild of ${EVENTS} events`, unit: 'events/s', bar: 5, rounds: rebuilds },
  ];
  rows.forEach(print);
  return rows;
};

const measure = async (folder: string, postgres: PostgreSql | null): Promise<readonly Row[]> => {
  const rows: Row[] = [];
  await stopAfter(async (started) => {
    const provider = await makeProvider();
    const contenders: Contenders = {
      ours: await startOurs(`${folder}/ours`, ROLES, started),
      ...(postgres && {
        postgresql: await startOnPostgreSql(folder, ROLES, provider, started, postgres),
      }),
      sqlite: await startOnSqlite(`${folder}/sqlite`, ROLES, provider, started),
      floor: await startFloor(`${folder}/floor`, ROLES, provider, started),
    };
    rows.push(starts(contenders));
    const [at64, ...rest] = await patches(contenders, 64);
    if (!at64) throw new Error('Nothing was measured.');
    rows.push(at64, ...rest, ...(await patches(contenders, 16)), ...(await patches(contenders, 1)));
    rows.push(
      ...(await latencies(contenders, 'PATCH role', at64, (contender) => (turn) => {
        const { path, body } = patch(contender, turn);
        const headers = authorization(contender.token);
        return { url: `${contender.server.url}${path}`, method: 'PATCH', headers, body, mayConflict: true };
      })),
    );
    const [reads, ...times] = await signals(contenders);
    if (!reads) throw new Error('Nothing was measured.');
    rows.push(reads, ...times);
    rows.push(
      ...(await latencies(contenders, 'GET signal', reads, (contender) => {
        const { server, organisationId, token } = contender;
        const url = `${server.url}/organisations/${organisationId}/signal`;
        return () => ({ url, headers: authorization(token) });
      })),
    );
    rows.push(...(await activities(contenders)), memory(contenders));
  });
  return [...rows, ...(await logs(folder, postgres))];
};

/** The service beside what a TypeScript team would pick instead, and beside bare Fastify. */
export const run = (): Promise<void> =>
  inFolder(async (folder) => {
    preparePeers();
    const lack = missingForPostgreSql();
    if (lack !== null) console.log(`emmett-postgresql: not measured. ${lack}`);
    const postgres = lack === null ? await startPostgreSql(join(folder, 'postgresql')) : null;
    try {
      const rows = await measure(folder, postgres);
      console.log(`\n${table(rows)}\n`);
      const known = {
        ...versions(['fastify', 'lmdb', '@nestjs/core', '@nestjs/cqrs', 'class-validator', 'passport-jwt']),
        ...versions(PEER_PACKAGES.names, PEER_PACKAGES.below),
        ...(postgres && { postgresql: postgres.version }),
      };
      const all = rows.map(summaryOf);
      console.log(JSON.stringify({ name: 'peers', rows: all, versions: known }));
      if (all.some(({ passed }) => passed === false)) process.exitCode = 1;
    } finally {
      await postgres?.stop();
    }
  });
