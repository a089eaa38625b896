import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StreamName } from '../../src/core/event-store.js';
import { trial } from '../../src/domain/session/state.js';
import { openEmbeddedLog } from '../../src/stores/lmdb/log/log.js';
import type { FileOf } from '../../src/vault/port.js';
import { collect } from '../contracts/event-store-kit.js';
import {
  beginHandIn,
  evaluationOf,
  fakeChecker,
  handIn,
  resultsIn,
  roleWith,
  ticketWith,
} from '../support/checked-tickets.js';
import { eventually } from '../support/eventually.js';
import { makePlace, type Place } from '../support/place.js';
import { openBeside } from '../support/recorded-interview.js';
import { type Service, startService } from '../support/service.js';
import { type Candidate, type Stage, stageOn } from '../support/stage.js';
import { decoded, holding, mentions } from './erased-story.js';

const HIDDEN = { a: '1', b: '2', c: '3', d: '4' };
/** One of the two visible tests passes, and three of the four hidden ones. */
const HALF = { a: '1', c: '3', d: '4' };
/** For correctness: 80 points for three of four hidden tests, 20 for one of two visible ones. */
const HALF_RIGHT = 80 * (3 / 4) + 20 * (1 / 2);
/** For correctness without a result: 0, since only results prove anything. */
const UNCHECKED = 0;
/**
 * For process: 30 points for the hand-in, none of the 20 for a hand-in that passes every visible test, and none of the
 * 50 for an interview, which was not held.
 */
const HANDED_IN = 30;

const none = { passed: 0, failed: 0, errors: 0 };
const checked = { outcome: 'checked', reason: null, visible: { passed: 1, failed: 1, errors: 0 } };
const failed = (reason: string) => ({ outcome: 'error', reason, visible: none, hidden: none });
const [OF_THE_SESSION, OF_THE_EVALUATION] = [
  { type: 'work.checked', scope: 'visible' },
  { type: 'evaluation.work_checked', scope: 'all' },
];
const VISIBLE = { ...OF_THE_SESSION, ...checked, hidden: none };
const ALL = { ...OF_THE_EVALUATION, ...checked, hidden: { passed: 3, failed: 1, errors: 0 } };

/** The runs of the checker for one hand-in: one in the open session, and two after the completion. */
type RunNumber = 1 | 2 | 3;

describe('kill -9 while work is checked', () => {
  let folder: string;
  let place: Place;
  let service: Service;
  let stage: Stage;
  let ticketId: string;
  let roleId: string;

  const runsLog = () => join(folder, 'runs');
  /** The service's temporary folder: each check run has a folder in it. */
  const temporary = () => join(folder, 'temporary');

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'assay-check-kills-'));
    await mkdir(temporary());
    place = await makePlace({ ...fakeChecker(runsLog()), CHECKER_AT_ONCE: '4', TMPDIR: temporary() });
    service = await place.start();
    stage = await stageOn(service);
    ticketId = await ticketWith(stage, { visible: { a: '1', b: '2' }, hidden: HIDDEN });
    roleId = await roleWith(stage, [ticketId]);
  });
  afterAll(async () => {
    await service.stop();
    await place.remove();
    await rm(folder, { recursive: true, force: true });
  });
  // Each test ends once all of its checks are done: no program and no folder of them may be left.
  afterEach(async () => {
    expect(await programs()).toEqual([]);
    expect((await readdir(temporary())).filter((name) => name.startsWith('assay-check-'))).toEqual([]);
  });

  const restart = async (): Promise<void> => {
    expect((await service.kill()).signal).toBe('SIGKILL');
    service = await place.start();
  };
  /** The processes of check runs, by their command lines. */
  const programs = async (): Promise<readonly string[]> => {
    const lines = (await readdir('/proc')).map((id) =>
      readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => ''),
    );
    return (await Promise.all(lines)).filter((line) => line.includes(runsLog()));
  };
  /** The process ids of the checker's programs that ran over a candidate's work, in order. */
  const runs = async ({ sessionId }: Candidate): Promise<readonly number[]> => {
    const lines = (await readFile(runsLog(), 'utf8').catch(() => '')).trim().split('\n');
    return lines
      .filter((line) => line.includes(sessionId))
      .map((line) => (JSON.parse(line) as { readonly pid: number }).pid);
  };
  /** Waits for so many runs. @returns the process id of the last one */
  const began = (who: Candidate, count: number): Promise<number> =>
    eventually(async () => (await runs(who))[count - 1]);

  /** The results of checks in the log, with their status. */
  const results = async ({ sessionId }: Candidate): Promise<readonly object[]> => {
    const log = await openEmbeddedLog(join(place.dataDir, 'log'), { readOnly: true });
    try {
      const events = async (stream: string) =>
        (await collect(log.readStream(stream as StreamName))).map(({ type, data }) => ({
          type,
          ...(JSON.parse(Buffer.from(data).toString()) as { readonly evaluationId?: string }),
        }));
      const session = await events(`trial-${sessionId}`);
      const { evaluationId } = session.find(({ type }) => type === 'trial.completed') ?? {};
      const evaluation = evaluationId ? await events(`evaluation-${evaluationId}`) : [];
      return [...session, ...evaluation].filter(
        ({ type }) => type.endsWith('work_checked') || type === 'work.checked',
      );
    } finally {
      await log.close();
    }
  };
  /** The vault's entries of a candidate. */
  const filesOf = async ({ sessionId }: Candidate): Promise<readonly FileOf[]> => {
    const { vault, streams, close } = await openBeside(place.dataDir);
    const { state } = await streams.read(trial, sessionId);
    const files = await collect(vault.files.files());
    await close();
    return files.filter(({ person }) => person === state?.candidateId);
  };
  const recorded = (who: Candidate, count: number): Promise<boolean> =>
    eventually(async () => (await results(who)).length >= count);

  const workOf = ({ sessionId }: Candidate, mode = 'none') => ({ ...HALF, id: sessionId, mode });
  /** A candidate who has handed in. @param more further files of the hand-in */
  const handedIn = async (mode?: string, more: Readonly<Record<string, string>> = {}): Promise<Candidate> => {
    const who = await stage.started(roleId);
    await handIn(who, ticketId, { ...workOf(who, mode), ...more });
    return who;
  };
  const complete = async ({ person, session }: Candidate): Promise<void> => {
    expect((await person.post(`${session}/complete`)).status).toBe(200);
  };
  /** A candidate who has handed in, with a checker that hangs in this run. */
  const atRun = async (run: RunNumber): Promise<Candidate> => {
    const who = await handedIn(`hang ${run}`);
    if (run > 1) {
      await recorded(who, 1);
      await complete(who);
    }
    await began(who, run);
    return who;
  };
  const completeOnceChecked = async (who: Candidate): Promise<void> => {
    await recorded(who, 1);
    await complete(who);
  };

  /** Expects the evaluation to be ready with these figures, and one result for each cause. */
  const expectReady = async (
    who: Candidate,
    correctness: number,
    expected: readonly object[],
    process = HANDED_IN,
  ) => {
    const evaluation = await eventually(async () => {
      const found = await evaluationOf(stage, who).catch(() => null);
      return found?.status === 'ready' && found;
    });
    expect(evaluation.scores.map(({ score }) => score)).toEqual([correctness, Math.round(process)]);
    expect(evaluation.overallScore).toBe(0.6 * correctness + 0.4 * process);
    expect(await results(who)).toMatchObject(expected);
    expect(resultsIn(evaluation)).toHaveLength(expected.length);
  };

  it('of the service in the middle of a run: it runs again, whichever run it was', async () => {
    const first = await atRun(1);
    const second = await atRun(2);
    const third = await atRun(3);
    expect(await programs()).not.toEqual([]);
    await restart();
    await completeOnceChecked(first);
    for (const who of [first, second, third]) await expectReady(who, HALF_RIGHT, [VISIBLE, ALL]);
    // After the completion, both runs are part of one check.
    expect([await runs(first), await runs(second), await runs(third)].map(({ length }) => length)).toEqual([
      4, 4, 5,
    ]);
  });

  it.each([1, 2, 3] as const)('of the checker in run %d: that is the result', async (run) => {
    const [program, shell] = await Promise.all([atRun(run), atRun(run)]);
    process.kill(await began(program, run), 'SIGKILL');
    process.kill(await groupOf(await began(shell, run)), 'SIGKILL');
    for (const who of [program, shell]) {
      if (run === 1) await completeOnceChecked(who);
      await (run === 1
        ? expectReady(who, HALF_RIGHT, [{ ...OF_THE_SESSION, ...failed('killed') }, ALL])
        : expectReady(who, UNCHECKED, [VISIBLE, { ...OF_THE_EVALUATION, ...failed('killed') }]));
    }
  });

  it('of both: it runs again', async () => {
    const who = await atRun(2);
    const pid = await began(who, 2);
    // A stopped service cannot record how the checker ended.
    process.kill(service.pid, 'SIGSTOP');
    process.kill(pid, 'SIGKILL');
    await restart();
    await expectReady(who, HALF_RIGHT, [VISIBLE, ALL]);
  });

  it.each([0, 200])(
    'of the service %d ms after it acknowledged a hand-in, and after it acknowledged the completion',
    async (ms) => {
      const who = await handedIn();
      await sleep(ms);
      await restart();
      await completeOnceChecked(who);
      await sleep(ms);
      await restart();
      await expectReady(who, HALF_RIGHT, [VISIBLE, ALL]);
    },
  );

  it('of the service as soon as a result is recorded: it never runs again', async () => {
    const who = await handedIn();
    await recorded(who, 1);
    await restart();
    await complete(who);
    await recorded(who, 2);
    await restart();
    await expectReady(who, HALF_RIGHT, [VISIBLE, ALL]);
    expect(await runs(who)).toHaveLength(3);
  });

  it('of the service before and after a hand-in that arrives after the completion', async () => {
    const who = await stage.started(roleId);
    const late = await beginHandIn(who, ticketId, workOf(who));
    await complete(who);
    await restart();
    await late.send();
    await restart();
    await expectReady(who, HALF_RIGHT, [ALL]);
  });

  it('of the service in the middle of an erasure: it leaves no program, and no byte of the work', async () => {
    const telling = ['xylographic parser', 'zanzibar marmalade'];
    await service.stop();
    const env = { ...place.env, KILLED_BEFORE: 'key', NODE_OPTIONS: PRELOADED };
    service = await startService({ dataDir: place.dataDir, env, entry: 'src/main.js' });
    // The checker prints the file: that becomes part of the result.
    const who = await handedIn('hang 2', { b: telling[0]! });
    await recorded(who, 1);
    const { id } = await beginHandIn(who, ticketId, workOf(who));
    const upload = `${who.session}/tickets/${ticketId}/hand-ins/${id}`;
    const data = Buffer.from(telling[1]!).toString('base64');
    expect((await who.person.post(`${upload}/pieces`, { offset: 0, data })).status).toBe(200);
    await complete(who);
    await began(who, 2);
    stage.owner.follow(who.person);
    await expect(stage.owner.post(`${who.application}/erasure`)).rejects.toThrow();
    expect((await service.ended()).signal).toBe('SIGKILL');
    // Before the kill, all of it is there.
    const files = await filesOf(who);
    expect(files).toHaveLength(2);
    expect(mentions(JSON.stringify(await decoded(place.dataDir)), telling)).toEqual([telling[0]]);
    expect(await holding(temporary(), telling)).not.toEqual([]);
    service = await place.start();
    await eventually(async () => (await filesOf(who)).length === 0 && (await programs()).length === 0);
    expect(mentions(JSON.stringify(await decoded(place.dataDir)), telling)).toEqual([]);
    for (const where of [place.dataDir, folder]) expect(await holding(where, telling)).toEqual([]);
  });

  it('of the service three times by the same work: what never runs again leaves no program, no folder, no figure', async () => {
    const hidden = await ticketWith(stage, { hidden: HIDDEN });
    const who = await stage.started(await roleWith(stage, [hidden]));
    await handIn(who, hidden, workOf(who, 'hang'));
    await complete(who);
    for (const count of [1, 2, 3]) {
      await began(who, count);
      await restart();
    }
    // Without visible tests, the score for process is out of 80 points.
    const process = (HANDED_IN * 100) / 80;
    await expectReady(who, UNCHECKED, [{ ...OF_THE_EVALUATION, ...failed('ended_processes') }], process);
    expect(await runs(who)).toHaveLength(3);
  });
});

/** @see killed-in-erasure */
const PRELOADED = `--import ${resolve('dist/test/faults/killed-in-erasure.js')}`;

/** The first process of a process's group. */
const groupOf = async (pid: number): Promise<number> =>
  Number((await readFile(`/proc/${pid}/stat`, 'utf8')).replace(/^.*\) /s, '').split(' ')[2]);
