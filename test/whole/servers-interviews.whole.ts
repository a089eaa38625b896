import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../model/random.js';
import { arrangedStage, type InterviewEvidence, readyEvaluation } from '../servers/arranged-stage.js';
import { arrange, type Arrangement } from '../servers/arrangement.js';
import { roundsOnServers } from '../servers/rounds-on-servers.js';
import { TcpBalancer } from '../servers/tcp-balancer.js';
import { eventually } from '../support/eventually.js';
import { endedWell, spawnService, wrongClock } from '../support/service.js';
import type { Candidate, Stage } from '../support/stage.js';
import { expectViewsToEqualAFoldFromZero } from '../support/whole-views.js';
import { FRAME_BYTES, HASHING, hashOf, MovingCandidate } from './moving-candidate.js';

const ROUNDS = 12;
const SPEAKERS = 20;
/** Indices of API processes: one is stopped by SIGTERM, one is killed and not started again. */
const [STOPPED, STAYING, DOOMED] = [0, 1, 2];
const RESUME_MS = 120_000;
/** Time in which a dead process is noticed and its open interviews are recorded, on a busy machine. */
const NOTICED_MS = 60_000;
const HOUR_MS = 3_600_000;

const socketUrl = (url: string, { sessionId, person }: Candidate): string =>
  `${url.replace('http', 'ws')}/interrogation/${sessionId}/socket?token=${person.token}`;

/** Every question with its whole answer. */
const expectAllSaid = (
  { questions, said }: MovingCandidate,
  { status, evidence }: InterviewEvidence,
): void => {
  expect(status).toBe('ready');
  expect(evidence.questions.map(({ text, answer }) => [text, answer])).toEqual(
    questions.map(({ text, turn }) => [text, said.has(turn) ? hashOf(said.get(turn)!) : null]),
  );
};

const statusOf = async ({ person, session }: Candidate): Promise<string> =>
  (await person.get<{ status: string }>(session)).body.status;

describe('interviews on EventStoreDB and MongoDB', () => {
  let arrangement: Arrangement;
  let stage: Stage;
  let role: string;
  let forsaken: ReturnType<typeof forsake>;
  const people: MovingCandidate[] = [];
  const attend = (url: string, stubborn = false): MovingCandidate => {
    const one = new MovingCandidate(url, stubborn);
    people.push(one);
    return one;
  };

  beforeAll(async () => {
    arrangement = await arrange({ apis: 3, env: HASHING });
    ({ stage, role } = await arrangedStage(arrangement, arrangement.urls[STAYING]!));
    forsaken = forsake();
    // The last test awaits it; until then a failure must not end the process as unhandled.
    forsaken.catch(() => undefined);
  });
  afterAll(async () => {
    for (const { client } of people) client.close();
    await (arrangement as Arrangement | undefined)?.remove();
  });

  /**
   * Two candidates who have answered a question and are answering the next when their process is killed and not started
   * again. They never come back. Other tests run meanwhile.
   */
  const forsake = async () => {
    const url = arrangement.urls[DOOMED]!;
    const left = await Promise.all(
      [1, 2].map(async (seed) => {
        const candidate = await stage.started(role);
        const speaker = attend(socketUrl(url, candidate));
        await speaker.asked(1);
        await speaker.speak(1, 1_600, seed);
        await speaker.commit(1);
        await speaker.asked(2);
        await speaker.speak(2, 2_000, seed + 10);
        // The client keeps the newest frame until it knows whether it is the last one.
        speaker.said.set(2, speaker.said.get(2)!.subarray(0, -FRAME_BYTES));
        return { candidate, speaker };
      }),
    );
    // The vault receives the last frames a moment later.
    await sleep(1_500);
    await arrangement.apis[DOOMED]!.kill();
    const killedAt = performance.now();
    for (const { speaker } of left) speaker.client.close();
    const awayMs = await Promise.all(
      left.map(async ({ candidate }) => {
        const away = (): number => performance.now() - killedAt;
        // While a server is overloaded there may be no answer for a moment.
        while (away() < RESUME_MS + NOTICED_MS && (await statusOf(candidate)) !== 'interrupted')
          await sleep(250);
        return away();
      }),
    );
    return { left, awayMs };
  };

  it('20 speak behind a balancer while a process is stopped: all continue at the other, and no byte is lost', async () => {
    const { urls } = arrangement;
    const balancer = await TcpBalancer.open(
      [STOPPED, STAYING].map((index) => Number(new URL(urls[index]!).port)),
    );
    const candidates: Candidate[] = [];
    for (let n = 0; n < SPEAKERS; n++) candidates.push(await stage.started(role));
    // Every other candidate ignores the notice, and stays until the service closes the connection.
    const speakers = candidates.map((one, n) => attend(socketUrl(balancer.url, one), n % 4 < 2));
    try {
      const spoken = Promise.all(speakers.map((speaker, n) => speaker.speakToTheEnd(n)));
      await Promise.all(speakers.map((speaker) => speaker.asked(2)));
      await sleep(800);
      expect(speakers.filter(({ isOver }) => isOver)).toEqual([]);
      expect(balancer.connectionsOf(STOPPED)).toBe(SPEAKERS / 2);
      const stopped = await arrangement.stopApi(STOPPED);
      endedWell(stopped);
      expect(stopped.tookMs).toBeLessThan(10_000);
      await spoken;
    } finally {
      await balancer.close();
    }
    const moved = speakers.filter(({ toldToGo }) => toldToGo > 0);
    expect(moved).toHaveLength(SPEAKERS / 2);
    expect(moved.map(({ toldToGo, sessions }) => [toldToGo, sessions])).toEqual(moved.map(() => [1, 2]));
    expect(moved.filter(({ closings }) => closings[0] === 1001)).toHaveLength(SPEAKERS / 4);
    for (const [n, speaker] of speakers.entries()) {
      expect(speaker).toMatchObject({ completed: 'finished', problems: [] });
      expect([...speaker.understood]).toEqual([...speaker.said].map(([turn, pcm]) => [turn, hashOf(pcm)]));
      expectAllSaid(speaker, await readyEvaluation(stage, candidates[n]!));
    }
    await arrangement.apis[STOPPED]!.start();
  });

  it('kill -9 of an API process and of a projector, twice: every figure agrees, questions included', async () => {
    await roundsOnServers(
      { candidates: ROUNDS, seed: 31, interviews: true },
      async ({ apis, projectors }, playing) => {
        const random = new Random(31);
        let share = 0.1;
        for (const victim of [apis[0]!, projectors[0]!, apis[1]!, projectors[1]!]) {
          await playing.played(ROUNDS * share);
          await sleep(random.below(700));
          await victim.crash();
          share += 0.2;
        }
      },
    );
  });

  it('one whose process is killed and whose client never returns counts with what was recorded', async () => {
    const { left, awayMs } = await forsaken;
    for (const ms of awayMs) {
      expect(ms).toBeGreaterThan(RESUME_MS - 1_000);
      expect(ms).toBeLessThan(RESUME_MS + NOTICED_MS);
    }
    for (const { candidate } of left) expect(await statusOf(candidate)).toBe('interrupted');
    const [finished, forgotten] = left;
    const { person, session } = finished!.candidate;
    expect((await person.post(`${session}/complete`)).status).toBe(200);
    expectAllSaid(finished!.speaker, await readyEvaluation(stage, finished!.candidate));

    expect(await statusOf(forgotten!.candidate)).toBe('interrupted');
    // For a process whose clock is an hour ahead, the session's hour is over.
    for (const projector of arrangement.projectors) await projector.kill();
    const ahead = spawnService('', {
      entry: 'bin/projector.js',
      env: { ...arrangement.direct, ...wrongClock(HOUR_MS) },
    });
    try {
      await eventually(async () => (await statusOf(forgotten!.candidate)) === 'completed');
      const told = await readyEvaluation(stage, forgotten!.candidate);
      expectAllSaid(forgotten!.speaker, told);
      expect(told.evidence.events.filter(({ eventType }) => eventType === 'interview.ended')).toMatchObject([
        { payload: { reason: 'time_limit' } },
      ]);
    } finally {
      ahead.child.kill('SIGTERM');
      expect((await ahead.ended).code).toBe(0);
    }
    for (const projector of arrangement.projectors) await projector.start();
    await expectViewsToEqualAFoldFromZero(arrangement.direct);
  });
});
