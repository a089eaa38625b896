import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pMap from 'p-map';
import { activityOf } from '../../bench/support/activity.js';
import { ownMemory } from '../../bench/support/memory.js';
import type { ListedCheck } from '../../src/operator/checks/list.js';
import { packZipHere } from '../../src/work/archives.js';
import { treeOf } from '../../src/work/tree.js';
import { Api } from '../support/api.js';
import { type Evaluated, resultsIn, roleWith } from '../support/checked-tickets.js';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/free-port.js';
import { definition } from '../support/organisation.js';
import { sendFile } from '../support/send-file.js';
import { type Candidate, openStage, type Stage } from '../support/stage.js';
import { program } from '../support/written-work.js';

const FEW = 20;
/** More candidates than the health counts. */
const MANY = 120;
const AT_ONCE = 12;
/** Longest wait for all results, on a busy machine. */
const WAIT_LIMIT_MS = 400_000;
/** Bytes of each hand-in: the longer queue has 120 MB more, packed or unpacked. */
const WORK_BYTES = 1_200_000;
/** Limit of the service's additional memory with many hand-ins in the queue, in MB. */
const MAX_MORE_MB = 115;
/** Limit of other requests' time meanwhile, on a busy machine, in milliseconds. */
const MAX_MEDIAN_MS = 250;
const LOOK_EVERY_MS = 5_000;
/** Interval of other requests: there are hundreds until all is checked. */
const OTHERS_EVERY_MS = 100;
/** The service unpacks three archives at once, and no other waits long. */
const SETTING_UP = 3;
/** The least share of candidates that wait at the first poll: some are checked by then. */
const SHARE_SEEN = 0.25;
const TESTS = ['a', 'b', 'c', 'd'];

interface Part {
  readonly name: string;
  readonly figures: Readonly<Record<string, unknown>>;
}

/** The figures of one poll. */
interface Look {
  /** Results recorded so far, before and after the other figures were read. */
  readonly recorded: readonly [number, number];
  readonly listed: number;
  /** Waiting sessions by the health, which counts up to 100. */
  readonly healthy: readonly number[];
}

/** A number of candidates who completed at once, and the results. */
interface Round {
  readonly sessions: readonly (Candidate & { readonly passes: number })[];
  readonly evaluations: readonly Evaluated[];
  /** Results recorded before. */
  readonly before: number;
  readonly looks: readonly Look[];
  /** The service's highest memory, in MB. */
  readonly memory: number;
  readonly medianMs: number;
}

describe('many candidates who complete at once, with a checker that takes 2 s', () => {
  let stage: Stage;
  let operators: Api;
  let folder: string;
  let roleId: string;
  let ticketId: string;
  let rounds: readonly [few: Round, many: Round];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'assay-many-checks-'));
    await mkdir(join(folder, 'running'));
    const HEALTH_PORT = `${await freePort()}`;
    operators = new Api(`http://127.0.0.1:${HEALTH_PORT}`);
    stage = await openStage({
      HEALTH_PORT,
      CHECKER: 'command',
      CHECKER_COMMAND: `sh test/whole/slow-checker.sh ${folder} "$@"`,
      CHECKER_ISOLATION: 'separate',
      CHECKER_AT_ONCE: `${AT_ONCE}`,
    });
    const { owner } = stage;
    const ticket = { title: 'Parser', kind: 'files' };
    ticketId = (await owner.post<{ id: string }>(stage.at('/tickets'), ticket)).body.id;
    const at = stage.at(`/tickets/${ticketId}`);
    const solved = treeOf(TESTS.map((path) => ({ path, content: Buffer.from('right') })));
    const hidden = await sendFile(owner, `${at}/file-sets`, 'hidden.zip', await packZipHere(solved));
    const checks = { visible: null, hidden, slug: 'parser', isolation: 'separate' };
    expect((await owner.patch(at, { checks })).status).toBe(200);
    roleId = await roleWith(stage, [ticketId]);
    const idle = new AbortController();
    const quiet = othersUntil(idle.signal);
    await sleep(3_000);
    idle.abort();
    process.stdout.write(`Before: ${JSON.stringify(await quiet)}\n`);
    rounds = [await completed(FEW), await completed(MANY)];
  }, 2 * WAIT_LIMIT_MS);
  afterAll(async () => {
    await stage.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** A candidate whose hand-in passes this many tests, and who has only to complete the session. */
  const handedIn = async (passes: number): Promise<Candidate> => {
    const who = await stage.candidate(roleId);
    const { person, session, sessionId } = who;
    const { body } = await person.get<{ notice: { version: string } }>(`${session}/briefing`);
    await person.post(`${session}/start`, { consent: true, noticeVersion: body.notice.version });
    const files = [
      { path: 'id', content: Buffer.from(`${sessionId}\n`) },
      { path: 'data.bin', content: randomBytes(WORK_BYTES) },
      // Different for each candidate, since it is compared with all others.
      { path: 'parser.js', content: Buffer.from(program(Number.parseInt(sessionId.slice(-6), 16))) },
      ...TESTS.map((path, n) => ({ path, content: Buffer.from(n < passes ? 'right' : 'wrong') })),
    ];
    const zip = await packZipHere(treeOf(files));
    await sendFile(person, `${session}/tickets/${ticketId}/hand-ins`, 'work.zip', zip);
    return who;
  };
  const linesOf = async (name: string): Promise<readonly string[]> =>
    (await readFile(join(folder, name), 'utf8')).trimEnd().split('\n');

  const recorded = async (): Promise<number> => {
    const { text } = await operators.send('GET', '/metrics');
    return Number(/^assay_checks_ended_total\{result="checked"\} (\d+)$/m.exec(text)?.[1] ?? 0);
  };
  const healthy = async (): Promise<number> => {
    const { body } = await operators.send<{ components: readonly Part[] }>('GET', '/health/ready');
    return Number(body.components.find(({ name }) => name === 'checks')?.figures['waiting']);
  };
  const look = async (): Promise<Look> => {
    const before = await recorded();
    // The view shows a result a moment later.
    await sleep(1_000);
    const healthBefore = await healthy();
    const args = ['dist/bin/operator.js', 'checks', 'list', '--json', '--limit', '1000'];
    const { stdout } = await promisify(execFile)(process.execPath, args, {
      env: { PATH: process.env.PATH, DATA_DIR: stage.service.dataDir },
    });
    const { checks } = JSON.parse(stdout) as { checks: readonly ListedCheck[] };
    expect(checks.filter(({ state }) => state === 'failed')).toEqual([]);
    const healthAfter = await healthy();
    return {
      recorded: [before, await recorded()],
      listed: checks.length,
      healthy: [healthBefore, healthAfter],
    };
  };

  /** Sends other people's requests in sequence until the signal. @returns how long they took */
  const othersUntil = async (signal: AbortSignal) => {
    const role = stage.at(`/roles/${await stage.role('Another')}`);
    const took: number[] = [];
    for (let turn = 0; !signal.aborted; turn += 1) {
      const began = performance.now();
      const { status } =
        turn % 2 === 0
          ? await stage.owner.patch(role, definition(`Another ${turn}`))
          : await stage.owner.get(role);
      expect(status).toBe(200);
      took.push(performance.now() - began);
      await sleep(OTHERS_EVERY_MS);
    }
    took.sort((a, b) => a - b);
    const at = (part: number): number => Math.round(took[Math.floor(part * (took.length - 1))] ?? 0);
    return { medianMs: at(0.5), p99Ms: at(0.99) };
  };
  const memoryUntil = async (signal: AbortSignal): Promise<number> => {
    let most = 0;
    while (!signal.aborted) {
      most = Math.max(most, ownMemory(stage.service.pid));
      await sleep(100);
    }
    return most;
  };

  /** Plays a round in which all candidates complete at once. Resolves once all are evaluated. */
  const completed = async (candidates: number): Promise<Round> => {
    const before = await recorded();
    const sessions = await pMap(
      Array.from({ length: candidates }, (_, n) => n % (TESTS.length + 1)),
      async (passes) => ({ passes, ...(await handedIn(passes)) }),
      { concurrency: SETTING_UP },
    );
    const over = new AbortController();
    const others = othersUntil(over.signal);
    const memory = memoryUntil(over.signal);
    const looks: Look[] = [];
    const processor = activityOf(stage.service.pid).processorMs;
    const began = performance.now();
    try {
      const replies = await Promise.all(
        sessions.map(({ person, session }) => person.post(`${session}/complete`)),
      );
      expect(replies.filter(({ status }) => status !== 200)).toEqual([]);
      for (const { person } of sessions) stage.owner.follow(person);
      // The views may lag: wait until the list shows enough of them.
      looks.push(
        await eventually(async () => {
          const one = await look();
          return one.listed > candidates * SHARE_SEEN && one;
        }),
      );
      while ((await recorded()) - before < candidates) {
        expect(performance.now() - began).toBeLessThan(WAIT_LIMIT_MS);
        looks.push(await look());
        await sleep(LOOK_EVERY_MS);
      }
      const checkedMs = performance.now() - began;
      const evaluations = await eventually(() => evaluationsOf(sessions), WAIT_LIMIT_MS);
      const evaluatedMs = performance.now() - began;
      const processorMs = activityOf(stage.service.pid).processorMs - processor;
      over.abort();
      const figures = { checkedMs, evaluatedMs, processorMs, memory: await memory, ...(await others) };
      process.stdout.write(`${candidates} complete at once: ${JSON.stringify(figures)}\n`);
      return { sessions, evaluations, before, looks, ...figures };
    } finally {
      over.abort();
      await Promise.allSettled([others, memory]);
    }
  };

  /** The evaluations; `false` until all are ready. */
  const evaluationsOf = async (sessions: readonly Candidate[]): Promise<readonly Evaluated[] | false> => {
    const found = await pMap(
      sessions,
      async ({ application }) => {
        const { body } = await stage.owner.get<{ trialSessions: { evaluationId: string }[] }>(application);
        const id = body.trialSessions[0]?.evaluationId;
        return (await stage.owner.get<Evaluated>(stage.at(`/evaluations/${id}`))).body;
      },
      { concurrency: SETTING_UP },
    );
    return found.every(({ status }) => status === 'ready') && found;
  };

  it('never runs more checks than it may, and each cause once', async () => {
    expect(Math.max(...(await linesOf('at-once')).map(Number))).toBeLessThanOrEqual(AT_ONCE);
    const all = rounds.flatMap(({ sessions }) => sessions.map(({ sessionId }) => sessionId));
    expect([...(await linesOf('runs'))].sort()).toEqual([...all].sort());
    expect(stage.service.output()).not.toContain('MaxListeners');
  });

  it('gives each candidate the figures that were computed by hand', () => {
    for (const { sessions, evaluations } of rounds)
      for (const [n, evaluation] of evaluations.entries()) {
        const passed = sessions[n]!.passes;
        expect(resultsIn(evaluation)).toMatchObject([
          { payload: { outcome: 'checked', hidden: { passed, failed: TESTS.length - passed, errors: 0 } } },
        ]);
        expect(evaluation.scores[0]!.score).toBe((100 * passed) / TESTS.length);
      }
  });

  it('shows operators at any moment how many wait, and the number only falls', () => {
    for (const { sessions, before, looks } of rounds) {
      const waiting = (results: number): number => before + sessions.length - results;
      for (const { recorded: results, listed, healthy: counted } of looks) {
        const [most, least] = [waiting(results[0]), waiting(results[1])];
        expect(listed).toBeLessThanOrEqual(most);
        expect(listed).toBeGreaterThanOrEqual(least);
        for (const count of counted) {
          expect(count).toBeLessThanOrEqual(Math.min(100, most));
          expect(count).toBeGreaterThanOrEqual(Math.min(100, least));
        }
      }
      const listed = looks.map((one) => one.listed);
      expect(listed).toEqual([...listed].sort((a, b) => b - a));
      expect(listed[0]).toBeGreaterThan(sessions.length * SHARE_SEEN);
    }
  });

  it('takes no more memory for a longer queue, and answers others meanwhile', () => {
    const [few, many] = rounds;
    expect(many.memory - few.memory).toBeLessThan(MAX_MORE_MB);
    expect(many.medianMs).toBeLessThan(MAX_MEDIAN_MS);
  });
});
