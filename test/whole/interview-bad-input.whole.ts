import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { Person } from '../support/api.js';
import { AUDIENCE } from '../support/fake-issuer.js';
import { FaultProxy } from '../support/fault-proxy.js';
import { ack, connectTo, enter, factsOf, frameOf, question, transcript } from '../support/foreign-client.js';
import { openSocket, pathOf, TestSocket } from '../support/interview-socket.js';
import { endedWell, type Service, startService, wrongClock } from '../support/service.js';
import { type Candidate, openProvider, openStage, type Provider, type Stage } from '../support/stage.js';

const ANSWER = 'I read the failing test first, and then I changed two functions because it named both.';
const HOUR_MS = 3_600_000;

interface EvaluationBody {
  readonly status: string;
  readonly evidence: {
    readonly questions: readonly { readonly answer: string | null; readonly gapMs: number | null }[];
    readonly events: readonly { readonly eventType: string; readonly payload: Record<string, unknown> }[];
  };
}

let provider: Provider;
let stage: Stage;
let roleId: string;
/** Another process on the same folder. */
let other: Service;
/** A third process, whose wall clock jumps on a signal. */
let jumping: Service;
const open: TestSocket[] = [];

const kept = <T extends TestSocket>(client: T): T => {
  open.push(client);
  return client;
};

const begin = async (base: string): Promise<{ candidate: Candidate; client: TestSocket }> => {
  const candidate = await withToken(await stage.started(roleId), 7_200);
  const client = kept(await enter(base, candidate));
  await question(client, 1);
  return { candidate, client };
};

/** A candidate with an old token that is valid for so many seconds more. */
const withToken = async (candidate: Candidate, seconds: number): Promise<Candidate> => {
  const { email } = candidate;
  const now = Math.round(Date.now() / 1_000);
  const claims = { sub: `sub-${email.split('@')[0]!}`, email, email_verified: true };
  const token = await provider.issuer.token(provider.keys, {
    ...claims,
    iat: now - 7_200,
    exp: now + seconds,
  });
  return { ...candidate, person: new Person(stage.api, email, token) };
};

const say = (client: TestSocket, turn: number, id: string, text = ANSWER): void =>
  client.send({ type: 'message.text', id, turn, text });

const end = async (client: TestSocket, candidate: Candidate): Promise<EvaluationBody> => {
  client.send({ type: 'session.end', id: 'the-end' });
  await client.frame('session.completed');
  return evaluationOf(client, candidate);
};

const evaluationOf = async (client: TestSocket, { sessionId }: Candidate): Promise<EvaluationBody> => {
  expect(await client.closed).toBe(1000);
  for (let tries = 0; tries < 200; tries += 1) {
    const { body } = await stage.owner.get<{
      items: { id: string; trialSessionId: string; status: string }[];
    }>(stage.at('/evaluations?limit=200'));
    const found = body.items.find((one) => one.trialSessionId === sessionId);
    if (found && found.status !== 'generating')
      return (await stage.owner.get<EvaluationBody>(stage.at(`/evaluations/${found.id}`))).body;
    await sleep(40);
  }
  throw new Error('There is no evaluation.');
};

const memoryOf = async ({ url }: Service): Promise<number> => {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return Number(/^process_resident_memory_bytes (\S+)/m.exec(metrics)?.[1]);
};

/** An interview in which the token expires. */
const expire = async () => {
  const { candidate } = await begin(stage.service.url);
  const brief = await withToken(candidate, 2);
  const client = kept(await enter(stage.service.url, brief));
  expect(await client.frame('go_away')).toEqual({ type: 'go_away', deadlineMs: 60_000 });
  const told = performance.now();
  say(client, 1, 'after');
  await ack(client, 'after');
  const code = await client.closed;
  return { candidate, client, code, afterMs: performance.now() - told };
};

/** An interview whose connection is dead, without a notice to either side. */
const fallSilent = async () => {
  const proxy = await FaultProxy.open(stage.service.port);
  const { candidate, client } = await begin(`http://127.0.0.1:${proxy.port}`);
  say(client, 1, 'one');
  await ack(client, 'one');
  proxy.stall();
  const since = performance.now();
  await sleep(44_000);
  const before = stage.service.output();
  await sleep(3_500);
  const log = stage.service.output().slice(before.length);
  client.socket.terminate();
  await proxy.close();
  return { candidate, log, afterMs: performance.now() - since };
};

/** An interview with frames but without pongs, as from a page whose machine sleeps. */
const answerNothing = async () => {
  const { candidate } = await begin(stage.service.url);
  const url = stage.service.url.replace('http', 'ws') + pathOf(candidate.sessionId, candidate.person.token);
  const client = kept(new TestSocket(new WebSocket(url, { autoPong: false })));
  await new Promise((opened) => client.socket.once('open', opened));
  client.ready();
  const since = performance.now();
  const code = await client.closed;
  return { client, code, afterMs: performance.now() - since };
};

/** A text whose frame is as large as allowed: as JSON, each quote takes two bytes. */
const LARGE = '"'.repeat(16_000);

/** Sends as many late answers as a session takes, each as large as allowed. @returns their ids */
const sayMuch = async (client: TestSocket): Promise<readonly string[]> => {
  const ids: string[] = [];
  for (let round = 0; round < 11; round += 1) {
    for (let count = 0; count < 16; count += 1) {
      const id = `l${ids.length}`;
      ids.push(id);
      say(client, 1, id, `${id} ${LARGE}`);
    }
    await sleep(250);
  }
  return ids;
};

/** A client that sends much, requests all of it again, and reads nothing. */
const readNothing = async () => {
  const speaking = async () => {
    const begun = await begin(stage.service.url);
    say(begun.client, 1, 'first');
    await question(begun.client, 2);
    return begun;
  };
  // Do the same work once before: its garbage is not counted, only what is added to it.
  await sayMuch((await speaking()).client);
  const { candidate, client } = await speaking();
  const before = await memoryOf(stage.service);
  client.socket.pause();
  const ids = await sayMuch(client);
  const grownBy = (await memoryOf(stage.service)) - before;
  client.socket.terminate();
  const back = kept(await enter(stage.service.url, candidate));
  for (const [index, id] of ids.entries()) {
    say(back, 1, id, `${id} ${LARGE}`);
    if (index % 16 !== 15) continue;
    await ack(back, id);
    // Slowly enough for the limit of text frames.
    await sleep(200);
  }
  for (const id of ids) await frameOf(back, (frame) => frame.id === id && frame.type !== 'question');
  // Requests everything again, from the first fact on.
  const last = kept(await enter(stage.service.url, candidate));
  await question(last, 2);
  await frameOf(
    last,
    ({ type, text: said }) => type === 'transcript.final' && String(said).startsWith(`${ids.at(-1)} `),
  );
  return { candidate, back, last, ids, grownBy };
};

let expired: ReturnType<typeof expire>;
let silent: ReturnType<typeof fallSilent>;
let unanswered: ReturnType<typeof answerNothing>;

beforeAll(async () => {
  provider = await openProvider();
  stage = await openStage({ LOG_LEVEL: 'info' }, provider);
  roleId = await stage.role();
  const env = {
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'info',
    OIDC_ISSUER: provider.issuer.url,
    OIDC_AUDIENCE: AUDIENCE,
  };
  const { dataDir } = stage.service;
  other = await startService({ dataDir, env });
  const clock = wrongClock(0, [HOUR_MS, -2 * HOUR_MS, HOUR_MS]);
  jumping = await startService({ dataDir, env: { ...env, ...clock } });
  expired = expire();
  silent = fallSilent();
  unanswered = answerNothing();
  // They take long: they run beside the other tests, and the last tests await them.
  for (const one of [expired, silent, unanswered]) one.catch(() => undefined);
});
afterAll(async () => {
  for (const { socket } of open) socket.terminate();
  await jumping.kill();
  await other.stop();
  await stage.close();
  await provider.issuer.close();
});

describe('an interview that is opened again in another process', () => {
  it('closes the former connection with 4409, and sends every fact again on the new one', async () => {
    const { candidate, client } = await begin(stage.service.url);
    say(client, 1, 'one');
    await ack(client, 'one');
    await question(client, 2);
    const newer = kept(await enter(other.url, candidate));
    expect(await client.closed).toBe(4409);
    expect(client.frames.at(-1)).toMatchObject({ type: 'error', code: 'superseded', fatal: true });
    await frameOf(newer, () => factsOf(newer).length === factsOf(client).length);
    expect(factsOf(newer)).toEqual(factsOf(client));
    say(newer, 1, 'one');
    await ack(newer, 'one');
    say(newer, 2, 'two');
    await transcript(newer, 2);
    const { evidence } = await end(newer, candidate);
    expect(evidence.questions.map(({ answer }) => answer).slice(0, 2)).toEqual([ANSWER, ANSWER]);
  });

  it('gets a notice from a process that stops, which admits no one, and continues at the other', async () => {
    const leaving = await startService({
      dataDir: stage.service.dataDir,
      env: { RATE_LIMITS: 'off', OIDC_ISSUER: provider.issuer.url, OIDC_AUDIENCE: AUDIENCE },
    });
    const { candidate, client } = await begin(leaving.url);
    say(client, 1, 'one');
    await ack(client, 'one');
    const stopped = leaving.stop();
    await client.frame('go_away');
    const late = await openSocket(leaving.url, pathOf(candidate.sessionId, candidate.person.token)).catch(
      () => null,
    );
    expect(late).not.toBeInstanceOf(TestSocket);
    expect(await client.closed).toBe(1001);
    endedWell(await stopped);
    const next = kept(await enter(other.url, candidate, { resumeFromSeq: factsOf(client).at(-1)?.seq }));
    say(next, 2, 'two');
    await ack(next, 'two');
    const { evidence } = await end(next, candidate);
    expect(evidence.questions.map(({ answer }) => answer).slice(0, 2)).toEqual([ANSWER, ANSWER]);
  });
});

describe('a wall clock that jumps', () => {
  it('by hours, forward and back, changes neither who may speak nor how long answers took', async () => {
    const { candidate, client } = await begin(jumping.url);
    for (const turn of [1, 2, 3]) {
      process.kill(jumping.pid, 'SIGUSR2');
      await sleep(400);
      say(client, turn, `a${turn}`);
      await frameOf(client, (frame) => frame.turn === turn + 1 || frame.type === 'session.completed');
    }
    expect(await client.frame('session.completed')).toMatchObject({ reason: 'finished' });
    expect(client.frames.filter(({ type }) => type === 'error' || type === 'go_away')).toEqual([]);
    const { evidence, status } = await evaluationOf(client, candidate);
    expect(status).toBe('ready');
    expect(evidence.questions).toHaveLength(3);
    for (const { gapMs, answer } of evidence.questions) {
      expect(answer).toBe(ANSWER);
      expect(gapMs).toBeGreaterThanOrEqual(350);
      expect(gapMs).toBeLessThan(10_000);
    }
  });
});

describe('a client that never reads', () => {
  it('costs a bounded amount of memory, and has everything once it does', async () => {
    const { candidate, back, last, ids, grownBy } = await readNothing();
    expect(grownBy).toBeLessThan(100 * 1024 * 1024);
    const errors = back.frames.filter(({ type }) => type === 'error').map(({ code }) => code);
    expect(errors).toEqual(['superseded']);
    const told = factsOf(last)
      .filter(({ type, turn }) => type === 'transcript.final' && turn === 1)
      .map(({ text }) => String(text).split(' ')[0]);
    expect(told.slice(1)).toEqual(ids);
    await end(last, candidate);
  });
});

describe('at last', () => {
  it('no pong for 45 s closes with 4408', async () => {
    const { client, code, afterMs } = await unanswered;
    expect(code).toBe(4408);
    expect(client.frames.at(-1)).toMatchObject({ type: 'error', code: 'idle', fatal: true });
    expect(afterMs).toBeGreaterThan(44_500);
    expect(afterMs).toBeLessThan(50_000);
  });

  it('a dead connection without a close is ended likewise, and the client continues on a new one', async () => {
    const { candidate, log } = await silent;
    expect(log).toContain('"code":4408');
    const back = kept(await enter(stage.service.url, candidate));
    await question(back, 2);
    const { evidence } = await end(back, candidate);
    expect(evidence.questions[0]?.answer).toBe(ANSWER);
  });

  it('an expired token has a minute’s notice, then 4401; a client with a new token continues', async () => {
    const { candidate, client, code, afterMs } = await expired;
    expect(code).toBe(4401);
    expect(client.frames.at(-1)).toMatchObject({ type: 'error', code: 'token_expired', fatal: true });
    expect(afterMs).toBeGreaterThan(59_000);
    expect(afterMs).toBeLessThan(63_000);
    const back = kept(await enter(stage.service.url, candidate));
    await question(back, 2);
    await end(back, candidate);
    (await connectTo(stage.service.url, await stage.started(roleId))).socket.terminate();
  });
});
