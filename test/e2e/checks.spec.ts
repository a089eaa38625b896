import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { StreamName } from '../../src/core/event-store.js';
import { collect } from '../contracts/event-store-kit.js';
import {
  beginHandIn,
  type Checks,
  type Evaluated,
  evaluationOf,
  fakeChecker,
  handIn,
  resultsIn,
  roleWith,
  ticketWith,
} from '../support/checked-tickets.js';
import { eventually } from '../support/eventually.js';
import { type Candidate, openStage, type Stage } from '../support/stage.js';

const VISIBLE = { a: '1', b: '2' };
const HIDDEN = { a: '1', b: '2', c: '3', d: '4' };
const SOLVED = { a: '1', b: '2', c: '3', d: '4' };
/** One of the two visible tests passes, and three of the four hidden ones. */
const HALF = { a: '1', c: '3', d: '4' };

describe('checks of what is handed in', () => {
  let stage: Stage;
  let folder: string;
  let roleId: string;
  let ticketId: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'assay-checks-'));
    const checker = fakeChecker(join(folder, 'runs'));
    stage = await openStage({
      ...checker,
      CHECKER_COMMAND: `test ! -e ${join(folder, 'broken')} && ${checker['CHECKER_COMMAND']}`,
      CHECKER_SECONDS: '3',
      CHECKER_AT_ONCE: '4',
    });
    ({ roleId, ticketId } = await aRole({ visible: VISIBLE, hidden: HIDDEN }));
  });
  afterAll(async () => {
    await stage.close();
    await rm(folder, { recursive: true, force: true });
  });

  const aRole = async (...tickets: readonly Checks[]) => {
    const ids: string[] = [];
    for (const checks of tickets) ids.push(await ticketWith(stage, checks));
    return { roleId: await roleWith(stage, ids), ticketId: ids[0]!, ticketIds: ids };
  };
  const runs = async (): Promise<readonly { readonly id: string | null; readonly mode: string | null }[]> =>
    (await readFile(join(folder, 'runs'), 'utf8').catch(() => ''))
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as { id: string | null; mode: string | null });
  const complete = async ({ person, session }: Candidate) =>
    expect((await person.post(`${session}/complete`)).status).toBe(200);
  const ready = (who: Candidate, generation = 1): Promise<Evaluated> =>
    eventually(async () => {
      const found = await evaluationOf(stage, who);
      return found.generation === generation && found.status === 'ready' && found;
    });
  const generationOf = (id: string, generation: number): Promise<Evaluated> =>
    eventually(async () => {
      const { body } = await stage.owner.get<Evaluated>(stage.at(`/evaluations/${id}`));
      return body.generation === generation && body.status === 'ready' && body;
    });
  const operator = (...args: readonly string[]) =>
    promisify(execFile)(process.execPath, ['dist/bin/operator.js', ...args], {
      env: { PATH: process.env.PATH, DATA_DIR: stage.service.dataDir },
    });
  const scoreOf = ({ scores }: Evaluated, name: string) => scores.find((one) => one.dimensionName === name)!;
  /** The evaluation of a candidate who hands in these files and completes the session. */
  const outcomeOf = async (files: Readonly<Record<string, string>>, role = { roleId, ticketId }) => {
    const who = await stage.started(role.roleId);
    await handIn(who, role.ticketId, files);
    await complete(who);
    return ready(who);
  };

  it('give the figures that were computed by hand, after the completion', async () => {
    const half = await outcomeOf(HALF);
    // 80 points for three of four hidden tests, 20 for one of two visible ones.
    expect(scoreOf(half, 'Does it work?')).toMatchObject({ score: 80 * (3 / 4) + 20 * (1 / 2) });
    const last = resultsIn(half).at(-1)!;
    expect(last).toMatchObject({
      source: 'checker',
      payload: {
        ...{ ticketId, scope: 'all', isolation: 'separate', outcome: 'checked', reason: null },
        ...{ visible: { passed: 1, failed: 1, errors: 0 }, hidden: { passed: 3, failed: 1, errors: 0 } },
      },
    });
    expect(scoreOf(half, 'Does it work?').rationale).toContain(
      '3 of 4 hidden tests passed, run by the checker',
    );
    const explanation = await stage.owner.get<object>(stage.at(`/evaluations/${half.id}/explanation`));
    expect(JSON.stringify(explanation.body)).toContain(last.id);
    // The names of the tests are no part of the evidence.
    expect(JSON.stringify(half)).not.toContain('expected 2, got');
    expect(scoreOf(await outcomeOf(SOLVED), 'Does it work?').score).toBe(100);
    expect(scoreOf(await outcomeOf({ other: 'file' }), 'Does it work?').score).toBe(0);
  });

  it('run over each hand-in while the session is open, the visible ones alone', async () => {
    const who = await stage.started(roleId);
    for (const [id, files] of [
      ['first', HALF],
      ['second', SOLVED],
    ] as const)
      await handIn(who, ticketId, { ...files, id: `${id} of ${who.sessionId}` });
    const log = await stage.log();
    const checked = await eventually(async () => {
      const events = await collect(log.readStream(`trial-${who.sessionId}` as StreamName));
      const found = events.filter(({ type }) => type === 'work.checked');
      return found.length === 2 && found;
    });
    const none = { passed: 0, failed: 0, errors: 0 };
    expect(checked.map(({ data }) => JSON.parse(Buffer.from(data).toString()) as object)).toMatchObject([
      { scope: 'visible', visible: { passed: 1, failed: 1, errors: 0 }, hidden: none },
      { scope: 'visible', visible: { passed: 2, failed: 0, errors: 0 }, hidden: none },
    ]);
    const mine = async () =>
      (await runs()).filter(({ id }) => id?.endsWith(who.sessionId)).map(({ id }) => id);
    expect(await mine()).toEqual([`first of ${who.sessionId}`, `second of ${who.sessionId}`]);
    await complete(who);
    const evaluation = await ready(who);
    // Then both sets are run once, on the last hand-in.
    expect(await mine()).toHaveLength(4);
    expect((await mine()).at(-1)).toBe(`second of ${who.sessionId}`);
    const shown = resultsIn(evaluation).map(({ payload, sequenceNumber }) => [
      payload?.['scope'],
      sequenceNumber,
    ]);
    const completion = evaluation.evidence.events.find(({ eventType }) => eventType === 'trial.completed')!;
    expect(shown.at(-1)).toEqual(['all', completion.sequenceNumber + 1]);
    expect(shown.map(([scope]) => scope)).toEqual(['visible', 'visible', 'all']);
  });

  it('end in an error where the checker does what it should not', async () => {
    const role = await aRole({ hidden: HIDDEN });
    const reasons = {
      ...{ crash: 'failed', nonsense: 'unreadable_results', contradiction: 'unreadable_results' },
      ...{ silent: 'no_results', killed: 'killed', hang: 'timed_out' },
    };
    await Promise.all(
      Object.entries(reasons).map(async ([mode, reason]) => {
        const found = await outcomeOf({ ...SOLVED, mode }, role);
        const none = { passed: 0, failed: 0, errors: 0 };
        expect(resultsIn(found)).toMatchObject([
          { payload: { outcome: 'error', reason, visible: none, hidden: none } },
        ]);
        const { score, rationale, unchecked } = scoreOf(found, 'Does it work?');
        expect(rationale).toMatch(
          /^The checks of ticket 1 gave no result: .+\. Up to 100 of 100 points are missing for this\./,
        );
        // The score is 0: otherwise work would gain by ending its checks.
        expect([score, unchecked]).toEqual([
          0,
          {
            points: 100,
            checks: [{ reason, tickets: [1] }],
            text: expect.stringMatching(new RegExp(`\`assay checks again ${found.id}\`[.]$`)),
          },
        ]);
      }),
    );
  });

  it('are counted by ticket where one could not be checked', async () => {
    const role = await aRole({ hidden: HIDDEN }, { hidden: HIDDEN });
    const who = await stage.started(role.roleId);
    await handIn(who, role.ticketIds[0]!, HALF);
    await handIn(who, role.ticketIds[1]!, { ...SOLVED, mode: 'crash' });
    await complete(who);
    const found = await ready(who);
    // Three of the four tests of the one ticket pass, and none of the other.
    expect(scoreOf(found, 'Does it work?')).toMatchObject({
      score: Math.round((75 + 0) / 2),
      unchecked: { points: 50, checks: [{ reason: 'failed', tickets: [2] }] },
    });
    expect(
      resultsIn(found)
        .map(({ payload }) => payload?.['outcome'])
        .sort(),
    ).toEqual(['checked', 'error']);
  });

  it('hold an evaluation back until they are done', async () => {
    const who = await stage.started(roleId);
    await handIn(who, ticketId, { ...SOLVED, mode: 'slow' });
    await complete(who);
    expect((await evaluationOf(stage, who)).status).toBe('generating');
    const found = await ready(who);
    expect(resultsIn(found).at(-1)).toMatchObject({ payload: { scope: 'all', hidden: { passed: 4 } } });
  });

  it('run over a hand-in that arrives after the completion, and it is what counts then', async () => {
    const who = await stage.started(roleId);
    await handIn(who, ticketId, { other: 'file' });
    const late = await beginHandIn(who, ticketId, { ...HALF, id: who.sessionId });
    await complete(who);
    const { id } = await evaluationOf(stage, who);
    const log = await stage.log();
    await eventually(async () => {
      const events = await collect(log.readStream(`evaluation-${id}` as StreamName));
      return events.some(({ type }) => type === 'evaluation.work_checked');
    });
    // Every hand-in that has arrived is checked; for the other one the service still waits.
    expect((await evaluationOf(stage, who)).status).toBe('generating');
    await late.send();
    const found = await ready(who);
    const payload = { handInId: late.id, scope: 'all', hidden: { passed: 3, failed: 1, errors: 0 } };
    expect(resultsIn(found).at(-1)).toMatchObject({ source: 'checker', payload });
    expect(scoreOf(found, 'Does it work?')).toMatchObject({ score: 80 * (3 / 4) + 20 * (1 / 2) });
    expect((await runs()).filter(({ id }) => id === who.sessionId)).toHaveLength(2);
  });

  it('do not run again for a new generation, and are the same in a recomputation', async () => {
    const found = await outcomeOf(HALF);
    const before = (await runs()).length;
    const again = await stage.owner.post(stage.at(`/evaluations/${found.id}/regenerations`));
    expect(again.status).toBe(202);
    const next = await generationOf(found.id, 2);
    expect(next.scores.map(({ score }) => score)).toEqual(found.scores.map(({ score }) => score));
    const recomputed = await operator('evaluations', 'recompute', '--dry-run', '--json');
    expect(JSON.parse(recomputed.stdout)).toMatchObject({ changed: 0, unusable: 0 });
    await operator('evidence', 'verify', '--session', found.trialSessionId);
    expect((await runs()).length).toBe(before);
  });

  it('that failed are listed for operators, and run again once the cause is removed', async () => {
    const role = await aRole({ hidden: HIDDEN });
    const who = await stage.started(role.roleId);
    const handInId = await handIn(who, role.ticketId, HALF);
    await writeFile(join(folder, 'broken'), '');
    await complete(who);
    const found = await ready(who);
    expect(scoreOf(found, 'Does it work?').rationale).toContain('The checks of ticket 1 gave no result');
    const { id: evaluationId, trialSessionId } = found;
    const listed = async () => {
      const { stdout } = await operator('checks', 'list', '--json');
      const { checks } = JSON.parse(stdout) as { checks: readonly { trialSessionId: string }[] };
      return checks.filter((one) => one.trialSessionId === trialSessionId);
    };
    expect(await eventually(async () => (await listed()).length > 0 && listed())).toEqual([
      {
        ...{
          state: 'failed',
          organisationId: stage.org,
          trialSessionId,
          evaluationId,
          ticketId: role.ticketId,
        },
        ...{ handInId, scope: 'all', since: expect.any(String), attempts: 1, reason: 'failed' },
      },
    ]);
    const { stdout } = await operator('checks', 'list', '--limit', '1000');
    expect(stdout).toContain(`hand-in ${handInId}  (failed)\n    reason        failed: The checker ended`);

    await rm(join(folder, 'broken'));
    const asked = await operator('checks', 'again', evaluationId, '--json');
    expect(JSON.parse(asked.stdout)).toEqual({ trialSessionId, evaluationId, generation: 2, checks: 1 });
    const next = await generationOf(evaluationId, 2);
    // Three of the four hidden tests pass; there are no visible ones.
    expect(scoreOf(next, 'Does it work?')).toMatchObject({
      score: 100 * (3 / 4),
      rationale: expect.stringContaining('3 of 4 hidden tests passed, run by the checker'),
    });
    expect(resultsIn(next).map(({ payload }) => payload?.['outcome'])).toEqual(['error', 'checked']);
    await eventually(async () => (await listed()).length === 0);

    // By the session's id the checks run again even if nothing failed.
    const before = (await runs()).length;
    await operator('checks', 'again', trialSessionId);
    expect(scoreOf(await generationOf(evaluationId, 3), 'Does it work?').score).toBe(75);
    expect((await runs()).length).toBe(before + 1);
    await operator('evidence', 'verify', '--session', trialSessionId);
    const recomputed = await operator('evaluations', 'recompute', '--dry-run', '--json');
    expect(JSON.parse(recomputed.stdout)).toMatchObject({ changed: 0, unusable: 0 });
  });

  it.each([
    ['what is unknown', async () => 'nothing', 1, 'There is no evaluation or session "nothing"'],
    [
      'a session that is open',
      async () => (await stage.started(roleId)).sessionId,
      1,
      'has no evaluation: checks run again only after',
    ],
    ['a limit that is none', async () => '--limit=0', 2, '--limit'],
  ])('are not run again for %s', async (_, given, code, message) => {
    const refused = operator('checks', 'again', await given());
    await expect(refused).rejects.toMatchObject({ code, stderr: expect.stringContaining(message) });
  });
});

describe('checks in a service without a checker', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage.close());

  it('end at once with that reason, and the evaluation says what could not be checked', async () => {
    const ticketId = await ticketWith(stage, { visible: VISIBLE, hidden: HIDDEN });
    const who = await stage.started(await roleWith(stage, [ticketId]));
    await handIn(who, ticketId, SOLVED);
    expect((await who.person.post(`${who.session}/complete`)).status).toBe(200);
    const found = await eventually(async () => {
      const one = await evaluationOf(stage, who);
      return one.status === 'ready' && one;
    });
    const results = resultsIn(found);
    for (const { payload } of results)
      expect(payload).toMatchObject({ outcome: 'error', reason: 'no_checker' });
    expect(results.at(-1)?.payload).toMatchObject({ scope: 'all' });
    expect(found.scores[0]!.rationale).toMatch(
      /^The service had no checker, so no check ran over the work: /,
    );
    expect(stage.service.output()).not.toContain('tries again');
  });
});
