import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Person } from '../support/api.js';
import { eventually } from '../support/eventually.js';
import { AUDIENCE } from '../support/fake-issuer.js';
import { FaultProxy } from '../support/fault-proxy.js';
import { babble, Interviewee } from '../support/interviewee.js';
import { makePlace } from '../support/place.js';
import { endedWell, type Service, startService, wrongClock } from '../support/service.js';
import { type Candidate, openProvider, openStage, type Stage, stageOn } from '../support/stage.js';

/** A transcriber whose text is the hash of the audio: it shows whether a byte is missing, doubled or misplaced. */
const HASHING = { TRANSCRIBER: 'command', TRANSCRIBER_COMMAND: 'sha256sum | cut -c 1-64' };
const hashOf = (pcm: Uint8Array): string => createHash('sha256').update(pcm).digest('hex');

const FEW = ['Correct', 'Tested', 'Clear', 'Careful'];
const MANY = [...FEW, 'Simple', 'Fast', 'Safe', 'Readable'];

interface EvaluationBody {
  readonly status: string;
  readonly evidence: {
    readonly questions: readonly {
      readonly kind: string;
      readonly text: string;
      readonly answer: string | null;
      readonly gapMs: number | null;
      readonly evidenceEventIds: readonly string[];
    }[];
    readonly events: readonly { readonly id: string; readonly eventType: string }[];
  };
}

const socketUrl = (base: string, { sessionId, person }: Candidate): string =>
  `${base.replace('http', 'ws')}/interrogation/${sessionId}/socket?token=${person.token}`;

const roleOf = async (stage: Stage, names = FEW): Promise<string> => {
  const dimensions = names.map((name) => ({ name, weight: 10, category: 'correctness' }));
  const body = { name: 'Interviewed', overallThreshold: 50, dimensions };
  return (await stage.owner.post<{ id: string }>(stage.at('/roles'), body)).body.id;
};

/** The session's evaluation, which must be ready within a second. */
const evaluationOf = async (
  stage: Stage,
  sessionId: string,
  owner = stage.owner,
): Promise<EvaluationBody> => {
  const began = performance.now();
  for (;;) {
    const list = await owner.get<{ items: { id: string; trialSessionId: string; status: string }[] }>(
      stage.at('/evaluations?limit=200'),
    );
    const found = list.body.items.find((one) => one.trialSessionId === sessionId);
    if (found && found.status !== 'generating')
      return (await owner.get<EvaluationBody>(stage.at(`/evaluations/${found.id}`))).body;
    if (performance.now() - began > 10_000) throw new Error('There is no evaluation.');
    await sleep(20);
  }
};

/** Speaks an answer to each question until the interview is over, 40 ms of speech every `everyMs`. */
const speakAll = async (
  interviewee: Interviewee,
  seed: number,
  everyMs: number,
  during: (turn: number, frame: number) => Promise<void> = async () => undefined,
): Promise<Map<number, Buffer>> => {
  const said = new Map<number, Buffer>();
  for (let turn = 1; await interviewee.question(turn); turn++) {
    const pcm = babble(1_600 + ((turn * 7) % 5) * 400, seed + turn);
    said.set(turn, pcm);
    for (let at = 0, frame = 0; at < pcm.length; at += 1_280, frame++) {
      interviewee.client.audio(pcm.subarray(at, at + 1_280), { turn });
      await during(turn, frame);
      await sleep(everyMs);
    }
    expect(await interviewee.client.commit(turn)).toEqual({ acknowledged: true });
    if (interviewee.isOver) break;
  }
  await interviewee.over();
  return said;
};

const expectAllOf = (interviewee: Interviewee, said: ReadonlyMap<number, Buffer>): void => {
  expect(interviewee.transcripts.map(({ turn, text }) => [turn, text])).toEqual(
    [...said].map(([turn, pcm]) => [turn, hashOf(pcm)]),
  );
  const seqs = [...interviewee.questions, ...interviewee.transcripts].map(({ seq }) => seq);
  expect(new Set(seqs).size).toBe(seqs.length);
};

const expectInEvaluation = (interviewee: Interviewee, { evidence, status }: EvaluationBody): void => {
  expect(status).toBe('ready');
  expect(evidence.questions.map(({ kind, text, answer }) => [kind, text, answer])).toEqual(
    interviewee.questions.map(({ kind, text, turn }) => [
      kind,
      text,
      interviewee.transcripts.find((one) => one.turn === turn)?.text ?? null,
    ]),
  );
  const ids = new Set(evidence.events.map(({ id }) => id));
  for (const { evidenceEventIds } of evidence.questions)
    for (const id of evidenceEventIds) expect(ids.has(id)).toBe(true);
};

const people: Interviewee[] = [];
/** As `new Interviewee`; closed after the tests. */
const attend = (url: () => string): Interviewee => {
  const one = new Interviewee(url);
  people.push(one);
  return one;
};
afterAll(() => {
  for (const { client } of people) client.close();
});

/** The stage of the candidate who leaves and of the connection that is cut. */
let stage: Stage;
let roleId: string;
let absent: ReturnType<typeof leave>;

beforeAll(async () => {
  stage = await openStage(HASHING);
  roleId = await roleOf(stage, MANY);
  const settings = { recordAudio: true };
  expect((await stage.owner.patch(stage.at(), settings)).status).toBe(200);
  absent = leave();
  // The last test awaits it; until then a failure must not end the process as unhandled.
  absent.catch(() => undefined);
});
afterAll(() => stage.close());

/** A candidate who leaves during an answer, until shortly before the absence counts. Other tests run meanwhile. */
const leave = async () => {
  const candidate = await stage.started(roleId);
  const first = attend(() => socketUrl(stage.service.url, candidate));
  await first.question(1);
  const pcm = babble(2_000, 77);
  first.client.audio(pcm, { turn: 1 });
  await sleep(1_500);
  first.client.close();
  const statusOf = async () =>
    (await candidate.person.get<{ status: string }>(candidate.session)).body.status;
  await sleep(110_000);
  expect(await statusOf()).toBe('started');
  return { candidate, pcm, statusOf };
};

describe('an interview over a connection that is cut', () => {
  it('has every word and every byte exactly once, in order, after 100 cuts at random points', async () => {
    const candidate = await stage.started(roleId);
    const proxy = await FaultProxy.open(stage.service.port);
    const interviewee = attend(() => socketUrl(`http://127.0.0.1:${proxy.port}`, candidate));
    let cuts = 0;
    const cutting = setInterval(() => {
      if (cuts >= 100 || proxy.connections === 0 || Math.random() < 0.4) return;
      if (Math.random() < 0.5) proxy.reset();
      // Often in the middle of a frame.
      else
        void proxy.resetAfter(Math.floor(Math.random() * 2_000), {
          direction: Math.random() < 0.5 ? 'up' : 'down',
        });
      cuts++;
    }, 90);
    const said = await speakAll(interviewee, 1, 12);
    clearInterval(cutting);
    await proxy.close();
    expect(cuts).toBe(100);
    expectAllOf(interviewee, said);
    const evaluation = await evaluationOf(stage, candidate.sessionId);
    expectInEvaluation(interviewee, evaluation);
    for (const [turn, pcm] of said) {
      const response = await fetch(
        `${stage.service.url}${stage.at(`/trial-sessions/${candidate.sessionId}/audio/${turn}`)}`,
        { headers: { authorization: `Bearer ${stage.owner.token}` } },
      );
      expect(response.status).toBe(200);
      const wav = Buffer.from(await response.arrayBuffer());
      expect(hashOf(wav.subarray(44))).toBe(hashOf(pcm));
    }
    process.stderr.write(`cuts: ${cuts}, connections: ${interviewee.sessions.length}, turns: ${said.size}\n`);
  });
});

describe('an interview whose process is killed', () => {
  it('resumes where it was, and its evaluation is complete', async () => {
    const place = await makePlace(HASHING);
    let service = await place.start();
    const stage = await stageOn(service);
    try {
      const candidate = await stage.started(await roleOf(stage));
      const interviewee = attend(() => socketUrl(place.url, candidate));
      let kills = 0;
      const said = await speakAll(interviewee, 2, 10, async (turn, frame) => {
        if (frame !== (turn * 11) % 40 || turn > 4) return;
        await service.kill();
        kills++;
        service = await place.start();
      });
      expect(kills).toBe(4);
      expectAllOf(interviewee, said);
      expectInEvaluation(interviewee, await evaluationOf(stage, candidate.sessionId));
    } finally {
      await service.stop();
      await place.remove();
    }
  });

  it('has speech that was acknowledged after a pause had closed its turn, as a late answer to it', async () => {
    const place = await makePlace(HASHING);
    let service = await place.start();
    const stage = await stageOn(service);
    try {
      const candidate = await stage.started(await roleOf(stage));
      const interviewee = attend(() => socketUrl(place.url, candidate));
      const { client, questions, transcripts } = interviewee;
      await interviewee.question(1);
      const frameBytes = 1_280;
      const said = Buffer.concat([babble(1_000, 5), Buffer.alloc(3_000 * 32), babble(1_200, 6)]);
      const late = said.subarray(-1_200 * 32);
      client.audio(said.subarray(0, -late.length), { turn: 1 });
      await eventually(async () => questions.length === 2);
      client.audio(late, { turn: 2 });
      // The client keeps the last frame back until it knows whether the turn ends with it.
      const durable = said.length / frameBytes - 1;
      await eventually(async () => {
        const receipts = await candidate.person.get<{ lastAudioSeq: number }>(
          `${candidate.session}/receipts`,
        );
        return receipts.body.lastAudioSeq === durable;
      });
      await service.kill();
      expect(transcripts).toHaveLength(1);
      service = await place.start();
      await eventually(async () => transcripts.length > 1);
      await client.end();
      const closes = [...Array(durable).keys()].find(
        (frame) => hashOf(said.subarray(0, frame * frameBytes)) === transcripts[0]!.text,
      );
      expect(transcripts.map(({ turn, text }) => [turn, text])).toEqual([
        [1, transcripts[0]!.text],
        [1, hashOf(said.subarray(closes! * frameBytes, durable * frameBytes))],
      ]);
    } finally {
      await service.stop();
      await place.remove();
    }
  });

  it('reports after its session has ended which of the last words were recorded', async () => {
    const place = await makePlace(HASHING);
    let service = await place.start();
    const proxy = await FaultProxy.open(service.port);
    const stage = await stageOn(service);
    try {
      const roleId = await roleOf(stage);
      const inFrontOf = `http://127.0.0.1:${proxy.port}`;
      const pcm = babble(1_200, 7);
      for (const reaches of [true, false]) {
        const candidate = await stage.started(roleId);
        const interviewee = attend(() => socketUrl(inFrontOf, candidate));
        const { client } = interviewee;
        await interviewee.question(1);
        // Either the answers of the service are lost, or the frames of the client.
        proxy.stall(reaches ? 'down' : 'up');
        client.audio(pcm, { turn: 1 });
        const receipts = [
          client.answer('Once more: the parser came first.', { turn: 1 }),
          client.activity([
            {
              clientEventId: `e-${reaches}`,
              eventType: 'page.hidden',
              occurredAt: new Date().toISOString(),
              payload: {},
            },
          ]),
          client.commit(1),
        ];
        const receiptsOf = async () =>
          (
            await candidate.person.get<{ recorded: string[]; ended: boolean }>(
              `${candidate.session}/receipts?id=e-${reaches}`,
            )
          ).body;
        if (reaches)
          await eventually(async () => ((await receiptsOf()).recorded.length > 0 ? true : undefined));
        await candidate.person.post(`${candidate.session}/complete`);
        expect(await receiptsOf()).toMatchObject({ ended: true });
        await service.kill();
        proxy.reset();
        await proxy.heal();
        service = await place.start();
        const known = reaches
          ? { acknowledged: true }
          : { acknowledged: false, ended: false, code: 'session_ended' };
        expect(await Promise.all(receipts)).toMatchObject([known, known, known]);
        expect(client.state.name).toBe('ended');
      }
    } finally {
      await proxy.close();
      await service.stop();
      await place.remove();
    }
  });

  it('gets a notice from a process that stops, and continues at another whose clock is an hour off', async () => {
    const provider = await openProvider();
    const stage = await openStage(HASHING, provider);
    const common = { RATE_LIMITS: 'off', LOG_LEVEL: 'warn', ...HASHING };
    const issuer = { OIDC_ISSUER: provider.issuer.url, OIDC_AUDIENCE: AUDIENCE };
    // The token is valid for clocks that are an hour off, in both directions.
    const withLongToken = async (candidate: Candidate): Promise<Candidate> => {
      const now = Math.round(Date.now() / 1_000);
      const { email } = candidate;
      const claims = { sub: `sub-${email.split('@')[0]!}`, email, email_verified: true };
      const times = { iat: now - 7_200, exp: now + 7_200 };
      const token = await provider.issuer.token(provider.keys, { ...claims, ...times });
      return { ...candidate, person: new Person(stage.api, email, token) };
    };
    const shifted = (ms: number) =>
      startService({
        dataDir: stage.service.dataDir,
        env: { ...common, ...issuer, ...wrongClock(ms) },
      });
    let other: Service | null = null;
    try {
      const roleId = await roleOf(stage);
      const candidate = await withLongToken(await stage.started(roleId));
      other = await shifted(-3_600_000);
      let at = stage.service.url;
      const interviewee = attend(() => socketUrl(at, candidate));
      await interviewee.question(1);
      await sleep(700);
      // The question was open for 0.7 s at this process; the other one measures the rest.
      at = other.url;
      interviewee.client.close();
      const moved = attend(() => socketUrl(at, candidate));
      await moved.question(1);
      await sleep(800);
      await moved.client.answer('I measured the gap before I answered this one, because clocks are wrong.', {
        turn: 1,
      });
      await moved.question(2);
      const ended = await other.stop();
      endedWell(ended);
      expect(ended.tookMs).toBeLessThan(10_000);
      at = stage.service.url;
      await eventually(async () => moved.client.state.name === 'ready');
      await moved.client.end();
      await moved.over();
      const { evidence } = await evaluationOf(stage, candidate.sessionId);
      expect(evidence.questions[0]?.gapMs).toBeGreaterThan(1_400);
      expect(evidence.questions[0]?.gapMs).toBeLessThan(5_000);
      expect(evidence.questions).toHaveLength(2);
      other = await shifted(3_600_000);
      const next = await withLongToken(await stage.started(roleId));
      const one = attend(() => socketUrl(stage.service.url, next));
      await one.question(1);
      one.client.close();
      const ahead = other.url;
      const two = attend(() => socketUrl(ahead, next));
      await two.question(1);
      await two.client.answer(
        'It has been a minute, and not an hour, since I was asked this for the first time.',
        {
          turn: 1,
        },
      );
      expect(await two.question(2)).not.toBeNull();
      expect(two.isOver).toBe(false);
    } finally {
      await other?.stop();
      await stage.close();
      await provider.issuer.close();
    }
  });
});

describe('an interview that is left', () => {
  it('is interrupted after two minutes of absence, and its open turn is closed with what it has', async () => {
    const { candidate, pcm, statusOf } = await absent;
    await eventually(async () => (await statusOf()) === 'interrupted');
    const back = attend(() => socketUrl(stage.service.url, candidate));
    // The client keeps the last frame back until it knows whether the turn ends with it.
    const frames = [0, 1].map((left) => hashOf(pcm.subarray(0, pcm.length - left * 1_280)));
    expect(frames).toContain(await back.transcript(1));
    await back.question(2);
    // The view may lag behind the socket for a moment.
    await eventually(async () => (await statusOf()) === 'started');
    await back.client.end();
    expect(back.completed).toMatchObject({ reason: 'ended' });
  });
});
