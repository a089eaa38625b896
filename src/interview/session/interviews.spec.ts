import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { BYTES_PER_MS } from '../../../packages/interview-client/src/protocol/audio-frame.js';
import type { ServerMessage } from '../../../packages/interview-client/src/protocol/messages.js';
import { eventually } from '../../../test/support/eventually.js';
import { dropAll, InterviewRig, transcriber } from '../../../test/support/interview-rig.js';
import { spoken, tone } from '../../../test/support/pcm.js';
import { ProviderFailed, type Transcriber } from '../../clients/speech.js';
import { StoreUnavailable } from '../../core/errors.js';
import { audioOf } from './stored-speech.js';

const GOOD =
  'I wrote a failing test for the parser first, then I changed 3 functions in tokens.ts because the error came from there.';

const facts = (told: readonly ServerMessage[]) =>
  told.flatMap((message) => ('seq' in message ? [message.seq] : []));

afterEach(dropAll);

describe('an interview', () => {
  it('is asked, answered and completed, and every message is told from the stream', async () => {
    const rig = new InterviewRig();
    const admitted = await rig.session();
    const client = rig.connect(admitted);
    const ready = await client.hears('session.ready');
    expect(ready).toMatchObject({
      lastSeq: 0,
      lastAudioSeq: 0,
      audio: { transcription: 'client', speech: 'client', recorded: false },
      limits: { maxFrameBytes: 32_768, maxTextBytes: 16_384, idleMs: 45_000, resumeMs: 120_000 },
    });
    for (const turn of [1, 2, 3]) await client.answers(turn, GOOD);
    expect(await client.ends()).toEqual({ code: 1000, error: null });
    expect(client.of('question').map(({ kind }) => kind)).toEqual(['planned', 'planned', 'closing']);
    expect(client.of('session.completed')).toMatchObject([{ reason: 'finished' }]);
    const events = await rig.events(admitted);
    expect(events.slice(-2).map(({ type }) => type)).toEqual(['interview.ended', 'trial.completed']);
    expect(facts(client.told)).toEqual(
      events.flatMap(({ type, data }) =>
        ['interview.question_asked', 'interview.answer_recorded', 'trial.completed'].includes(type)
          ? [data.sequenceNumber]
          : [],
      ),
    );
  });

  it('records a message once, however often and on whichever connection it comes', async () => {
    const rig = new InterviewRig();
    const admitted = await rig.session();
    const first = rig.connect(admitted);
    await first.hearsQuestion(1);
    const message = { type: 'message.text', id: 'a', turn: 1, text: GOOD } as const;
    first.say(message);
    first.say(message);
    await eventually(() => first.of('ack').length === 2);
    first.drop();
    const second = rig.connect(admitted);
    second.say(message);
    await second.hearsAck('a');
    expect((await rig.typesOf(admitted)).filter((type) => type === 'interview.answer_recorded')).toHaveLength(
      1,
    );
    expect(second.of('transcript.final')).toHaveLength(1);
  });

  it('tells a client that comes back what it has missed, unchanged and before anything new', async () => {
    const rig = new InterviewRig();
    const admitted = await rig.session();
    const first = rig.connect(admitted);
    await first.answers(1, GOOD);
    await first.hearsQuestion(2);
    first.drop();
    const all = first.told.filter((message) => 'seq' in message);
    const again = rig.connect(admitted);
    await again.hearsQuestion(2);
    expect(again.told.filter((message) => 'seq' in message)).toEqual(all);
    expect(again.of('session.ready')).toMatchObject([{ lastSeq: facts(all).at(-1) }]);
    expect(again.told[0]?.type).toBe('session.ready');
    again.drop();
    const later = rig.connect(admitted, { resumeFromSeq: facts(all)[1] });
    await later.hearsQuestion(2);
    expect(facts(later.told)).toEqual(facts(all).slice(2));
  });

  it('tells a client everything that is new to it, though it claims to have seen more than there is', async () => {
    const rig = new InterviewRig();
    const client = rig.connect(await rig.session(), { resumeFromSeq: 1_000 });
    await client.answers(1, GOOD);
    await client.hearsQuestion(2);
    expect(client.of('transcript.final')).toMatchObject([{ turn: 1, text: GOOD }]);
  });

  it('belongs to the newest connection, also where that is another process’s', async () => {
    const rig = new InterviewRig();
    const other = new InterviewRig({ beside: rig });
    const admitted = await rig.session();
    const old = rig.connect(admitted, { deviceId: 'laptop' });
    await old.hearsQuestion(1);
    const newer = other.connect(admitted, { deviceId: 'phone' });
    expect(await old.ends()).toEqual({ code: 4409, error: 'superseded' });
    await newer.answers(1, GOOD);
    const connected = (await rig.events(admitted)).filter(({ type }) => type === 'interview.connected');
    expect(connected.map(({ data }) => data)).toMatchObject([
      { superseded: null, sameDevice: null, ordinal: 1 },
      { superseded: expect.any(String), sameDevice: false, ordinal: 2 },
    ]);
  });

  it.each([true, false])(
    'adds up how long a question stood on each connection, however late that is told (seen: %s)',
    async (isSeen) => {
      const rig = new InterviewRig();
      const other = new InterviewRig({ beside: rig });
      const admitted = await rig.session();
      const old = rig.connect(admitted);
      const asked = performance.now();
      const { seq } = await old.hearsQuestion(1);
      await sleep(150);
      // The newer connection is recorded before the end of the former one is.
      const newer = other.connect(admitted, isSeen ? { resumeFromSeq: seq } : {});
      await newer.hears('session.ready');
      await old.ends();
      await eventually(() => rig.eventStore.log.some(({ type }) => type === 'interview.disconnected'));
      await sleep(150);
      newer.say({ type: 'message.text', id: 'a', turn: 1, text: GOOD });
      await newer.hearsAck('a');
      const answer = (await rig.events(admitted)).find(({ type }) => type === 'interview.answer_recorded');
      const { gapMs } = answer?.data as { gapMs: number };
      expect(gapMs).toBeGreaterThan(280);
      expect(gapMs).toBeLessThanOrEqual(performance.now() - asked);
    },
  );

  it('keeps what comes late with the turn that it answers', async () => {
    const rig = new InterviewRig();
    const admitted = await rig.session();
    const client = rig.connect(admitted);
    await client.answers(1, GOOD);
    await client.hearsQuestion(2);
    client.say({ type: 'message.text', id: 'late', turn: 1, text: 'And one thing more.' });
    await client.hearsAck('late');
    expect(client.of('transcript.final').map(({ turn, text }) => [turn, text])).toEqual([
      [1, GOOD],
      [1, 'And one thing more.'],
    ]);
    expect(client.of('question')).toHaveLength(2);
    client.say({ type: 'message.text', id: 'never', turn: 9, text: 'To what?' });
    expect(await client.hears('error')).toMatchObject({ code: 'bad_message', id: 'never', fatal: false });
  });

  it('ends at the candidate’s request, which is acknowledged', async () => {
    const rig = new InterviewRig();
    const admitted = await rig.session();
    const client = rig.connect(admitted);
    await client.hearsQuestion(1);
    client.say({ type: 'session.end', id: 'bye' });
    expect(await client.ends()).toEqual({ code: 1000, error: null });
    expect(client.told.slice(-2)).toMatchObject([
      { type: 'session.completed', reason: 'ended' },
      { type: 'ack', id: 'bye' },
    ]);
    expect(await rig.interviews.refusal(admitted)).toMatchObject({ code: 'session_ended' });
  });

  it('acknowledges what came before its end once, and nothing of it again', async () => {
    const rig = new InterviewRig();
    const client = rig.connect(await rig.session());
    await client.answers(1, GOOD);
    await client.hearsQuestion(2);
    client.say({ type: 'session.end', id: 'bye' });
    await client.ends();
    expect(client.of('ack').map(({ id }) => id)).toEqual(['answer-1', 'bye']);
  });

  it('ends for a client that answers once it has ended elsewhere, before this process is notified', async () => {
    const rig = new InterviewRig();
    const admitted = await rig.session();
    // eslint-disable-next-line require-yield -- it hangs
    rig.eventStore.subscribeToAll = async function* () {
      await new Promise(() => undefined);
    };
    const client = rig.connect(admitted);
    await client.hearsQuestion(1);
    await rig.interviews.closer.finish(admitted.session, 'ended');
    client.say({ type: 'message.text', id: 'a', turn: 1, text: GOOD });
    expect(await client.ends()).toMatchObject({ code: 1000 });
    expect(client.of('session.completed')).toMatchObject([{ reason: 'ended' }]);
    expect([client.of('error'), client.of('ack')]).toEqual([[], []]);
  });

  it('that has ended takes no further connection, and tells it nothing of itself', async () => {
    const rig = new InterviewRig();
    const admitted = await rig.session();
    const client = rig.connect(admitted);
    await client.hearsQuestion(1);
    client.say({ type: 'session.end', id: 'bye' });
    await client.ends();
    const late = rig.connect(admitted);
    expect(await late.ends()).toEqual({ code: 4410, error: 'session_over' });
    expect(late.told).toEqual([]);
  });

  it('acknowledges at its end a message that was recorded though the answer to that was lost', async () => {
    const rig = new InterviewRig();
    const admitted = await rig.session();
    const client = rig.connect(admitted);
    await client.hearsQuestion(1);
    const other = new InterviewRig({ beside: rig });
    const append = rig.eventStore.append.bind(rig.eventStore);
    rig.eventStore.append = async (...given) => {
      const answer = await append(...given);
      if (given[2][0]?.type !== 'interview.answer_recorded' || answer.kind === 'conflict') return answer;
      await other.interviews.closer.finish(admitted.session, 'ended');
      throw new StoreUnavailable('Unreachable, by a test.');
    };
    client.say({ type: 'message.text', id: 'a', turn: 1, text: GOOD });
    expect(await client.ends()).toMatchObject({ code: 1000 });
    expect(client.told.slice(-2)).toMatchObject([{ type: 'session.completed' }, { type: 'ack', id: 'a' }]);
  });

  it('becomes interrupted once its connection has been away, and goes on when the client is back', async () => {
    const rig = new InterviewRig({ resumeMs: 30 });
    const admitted = await rig.session();
    const first = rig.connect(admitted);
    await first.hearsQuestion(1);
    first.drop();
    await eventually(() => rig.eventStore.log.at(-1)?.type === 'trial.interrupted');
    const back = rig.connect(admitted);
    await back.answers(1, GOOD);
    await back.hearsQuestion(2);
    expect(await rig.typesOf(admitted)).toEqual([
      'trial.started',
      'interview.connected',
      'interview.question_asked',
      'interview.disconnected',
      'trial.interrupted',
      'trial.resumed',
      'interview.connected',
      'interview.answer_recorded',
      'interview.question_asked',
    ]);
  });

  it('has lasted for as long as it was interrupted too', async () => {
    const rig = new InterviewRig({ resumeMs: 10 });
    const admitted = await rig.session();
    const first = rig.connect(admitted);
    await first.hearsQuestion(1);
    first.drop();
    await eventually(() => rig.eventStore.log.at(-1)?.type === 'trial.interrupted');
    const now = Date.now.bind(Date);
    const later = jest.spyOn(Date, 'now').mockImplementation(() => now() + 600_000);
    try {
      await rig.connect(admitted).answers(1, GOOD);
    } finally {
      later.mockRestore();
    }
    const answer = (await rig.events(admitted)).find(({ type }) => type === 'interview.answer_recorded');
    const { elapsedMs } = answer?.data as { readonly elapsedMs: number };
    expect(elapsedMs).toBeGreaterThanOrEqual(599_000);
  });

  it('that is full takes no further connection, and says so', async () => {
    const rig = new InterviewRig();
    const admitted = await rig.session();
    rig.streams.handle = async () => ({
      kind: 'refused',
      refusal: { code: 'session_full', message: 'Full.' },
    });
    expect(await rig.connect(admitted).ends()).toEqual({ code: 4410, error: 'session_full' });
  });

  it('is not interrupted where the client comes back in time', async () => {
    const rig = new InterviewRig({ resumeMs: 60 });
    const admitted = await rig.session();
    const first = rig.connect(admitted);
    await first.hearsQuestion(1);
    first.drop();
    await sleep(20);
    await rig.connect(admitted).hears('session.ready');
    await sleep(120);
    expect(await rig.typesOf(admitted)).not.toContain('trial.interrupted');
  });
});

describe('a spoken answer', () => {
  const speech = (one: Transcriber) => ({ transcriber: one, synthesiser: 'client' as const });

  it('that is typed after all has the speech before it as its own', async () => {
    const rig = new InterviewRig({ speech: speech(transcriber(() => GOOD)) });
    const admitted = await rig.session();
    const client = rig.connect(admitted);
    await client.hearsQuestion(1);
    spoken(600).forEach((pcm, at) => client.speak({ turn: 1, seq: at + 1, pcm }));
    client.say({ type: 'message.text', id: 'typed', turn: 1, text: GOOD });
    await client.hearsAck('typed');
    const answer = (await rig.events(admitted)).find(({ type }) => type === 'interview.answer_recorded');
    expect(answer?.data).toMatchObject({ lastAudioSeq: 30, voice: { durationMs: 600, kept: false } });
  });

  it('whose commit waits for its transcript is acknowledged where the interview ends elsewhere', async () => {
    let calls = 0;
    const hears: Transcriber = {
      name: 'test',
      transcribe: () => (++calls === 1 ? new Promise(() => undefined) : Promise.resolve(GOOD)),
    };
    const rig = new InterviewRig({ speech: speech(hears) });
    const admitted = await rig.session();
    const client = rig.connect(admitted);
    await client.hearsQuestion(1);
    spoken(600).forEach((pcm, at) => client.speak({ turn: 1, seq: at + 1, pcm }));
    client.say({ type: 'turn.commit', id: 'done', turn: 1 });
    await eventually(() => calls === 1);
    await rig.interviews.closer.finish(admitted.session, 'ended');
    expect(await client.ends()).toMatchObject({ code: 1000 });
    expect(client.told.slice(-2)).toMatchObject([{ type: 'session.completed' }, { type: 'ack', id: 'done' }]);
    expect(client.of('transcript.final')).toMatchObject([{ turn: 1, text: GOOD }]);
  });

  it('is durable before it is acknowledged, ends by silence and is transcribed whole', async () => {
    const hears = transcriber(() => GOOD);
    const rig = new InterviewRig({ speech: speech(hears) });
    const admitted = await rig.session({ answerPauseMs: 1_000 });
    const client = rig.connect(admitted);
    await client.hearsQuestion(1);
    let seq = 0;
    const frames = [...spoken(200, false), ...spoken(1_000), ...spoken(1_400, false)];
    for (const pcm of frames) client.speak({ turn: 1, seq: ++seq, pcm });
    expect(await client.hears('transcript.final')).toMatchObject({
      turn: 1,
      text: GOOD,
      source: 'transcribed',
    });
    expect(client.of('speech.started')).toHaveLength(1);
    expect(client.of('speech.stopped')).toHaveLength(1);
    expect(hears.heard).toEqual([frames.length * 20 * BYTES_PER_MS]);
    expect(client.of('audio.ack').at(-1)).toEqual({ type: 'audio.ack', lastAudioSeq: seq });
    const answer = (await rig.events(admitted)).find(({ type }) => type === 'interview.answer_recorded');
    expect(answer?.data).toMatchObject({
      lastAudioSeq: seq,
      transcriber: 'test',
      voice: { durationMs: frames.length * 20, kept: false },
      gapMs: expect.any(Number),
    });
    // Once transcribed it is gone.
    await sleep(50);
    expect(await rig.vault.audio.turns(audioOf(admitted.session))).toEqual(new Map());
  });

  it('goes on where the candidate only pauses for breath, without a lost word', async () => {
    const hears = transcriber((pcm) => `${pcm.byteLength}`, 150);
    const rig = new InterviewRig({ speech: speech(hears) });
    const admitted = await rig.session({ answerPauseMs: 1_000 });
    const client = rig.connect(admitted);
    await client.hearsQuestion(1);
    let seq = 0;
    const say = (frames: Uint8Array[]) => {
      for (const pcm of frames) client.speak({ turn: 1, seq: ++seq, pcm });
    };
    say([...spoken(1_000), ...spoken(1_400, false)]);
    await sleep(50);
    say([...spoken(800), ...spoken(1_400, false)]);
    const final = await client.hears('transcript.final');
    expect(Number(final.text)).toBe(seq * 20 * BYTES_PER_MS);
    expect(client.of('transcript.final')).toHaveLength(1);
  });

  it('costs no more where its end, and that of others, is said again and again', async () => {
    const rig = new InterviewRig({ speech: speech(transcriber(() => GOOD, 100)) });
    const admitted = await rig.session();
    let appends = 0;
    rig.failsAppends(() => {
      appends += 1;
      return null;
    });
    const client = rig.connect(admitted);
    await client.answers(1, GOOD);
    await client.hearsQuestion(2);
    const before = appends;
    let seq = 0;
    for (const pcm of spoken(600)) client.speak({ turn: 2, seq: ++seq, pcm });
    for (let count = 0; count < 1_000; count += 1)
      for (const turn of [2, 1]) client.speak({ turn, seq: ++seq, pcm: new Uint8Array(0), endOfTurn: true });
    await eventually(() => client.of('audio.ack').find(({ lastAudioSeq }) => lastAudioSeq === seq));
    expect(await client.hears('transcript.final', 2)).toMatchObject({ turn: 2, text: GOOD });
    expect(appends - before).toBeLessThan(20);
  });

  it('ends by a commit, which is acknowledged once the transcript is recorded', async () => {
    const rig = new InterviewRig({ speech: speech(transcriber(() => GOOD, 50)) });
    const admitted = await rig.session();
    const client = rig.connect(admitted);
    await client.hearsQuestion(1);
    spoken(600).forEach((pcm, at) => client.speak({ turn: 1, seq: at + 1, pcm }));
    client.say({ type: 'turn.commit', id: 'done', turn: 1 });
    await client.hearsAck('done');
    const order = client.told.map(({ type }) => type);
    expect(order.indexOf('transcript.final')).toBeLessThan(order.indexOf('ack'));
    client.say({ type: 'turn.commit', id: 'done', turn: 1 });
    await eventually(() => client.of('ack').length === 2);
    expect(client.of('transcript.final')).toHaveLength(1);
  });

  it('is acknowledged once by its commit, and not again at the end', async () => {
    const rig = new InterviewRig({ speech: speech(transcriber(() => GOOD)) });
    const client = rig.connect(await rig.session());
    await client.hearsQuestion(1);
    spoken(600).forEach((pcm, at) => client.speak({ turn: 1, seq: at + 1, pcm }));
    client.say({ type: 'turn.commit', id: 'done', turn: 1 });
    await client.hearsAck('done');
    await client.hearsQuestion(2);
    client.say({ type: 'session.end', id: 'bye' });
    await client.ends();
    expect(client.of('ack').map(({ id }) => id)).toEqual(['done', 'bye']);
  });

  it('is acknowledged where it was stored though the answer to that was lost', async () => {
    const rig = new InterviewRig({ speech: speech(transcriber(() => GOOD)) });
    const client = rig.connect(await rig.session());
    await client.hearsQuestion(1);
    let isLost = false;
    rig.failsAppends(() => (isLost ? null : ((isLost = true), 'after')));
    spoken(200).forEach((pcm, at) => client.speak({ turn: 1, seq: at + 1, pcm, endOfTurn: at === 9 }));
    expect(await client.hears('audio.ack')).toEqual({ type: 'audio.ack', lastAudioSeq: 10 });
    expect(await client.hears('transcript.final')).toMatchObject({ turn: 1, text: GOOD });
    expect(client.closing).toBeNull();
  });

  it('of a turn that is closed costs no write by its end alone', async () => {
    const rig = new InterviewRig({ speech: speech(transcriber(() => GOOD)) });
    const client = rig.connect(await rig.session());
    await client.answers(1, GOOD);
    await client.hearsQuestion(2);
    let appends = 0;
    rig.failsAppends(() => {
      appends += 1;
      return null;
    });
    for (let seq = 1; seq <= 40; seq++) {
      client.speak({ turn: 1, seq, pcm: new Uint8Array(0), endOfTurn: true });
      await sleep(2);
    }
    await eventually(() => client.of('audio.ack').at(-1)?.lastAudioSeq === 40);
    expect(appends).toBeLessThan(20);
  });

  it('is resumed at its last durable frame, on another process too', async () => {
    const hears = transcriber((pcm) => `${pcm.byteLength}`);
    const rig = new InterviewRig({ speech: speech(hears) });
    const other = new InterviewRig({ beside: rig, speech: speech(hears) });
    const admitted = await rig.session();
    const first = rig.connect(admitted);
    await first.hearsQuestion(1);
    const frames = spoken(2_000);
    frames.slice(0, 60).forEach((pcm, at) => first.speak({ turn: 1, seq: at + 1, pcm }));
    await first.hears('audio.ack');
    first.drop();
    const second = other.connect(admitted);
    const { lastAudioSeq } = await second.hears('session.ready');
    expect(lastAudioSeq).toBeGreaterThan(0);
    frames
      .slice(lastAudioSeq)
      .forEach((pcm, at) => second.speak({ turn: 1, seq: lastAudioSeq + at + 1, pcm }));
    second.say({ type: 'turn.commit', id: 'c', turn: 1 });
    expect((await second.hears('transcript.final')).text).toBe(`${100 * 20 * BYTES_PER_MS}`);
  });

  it('refuses a skipped frame once, reports where to continue, and ignores known frames', async () => {
    const rig = new InterviewRig({ speech: speech(transcriber((pcm) => `${pcm.byteLength}`)) });
    const admitted = await rig.session();
    const client = rig.connect(admitted);
    await client.hearsQuestion(1);
    const [pcm] = spoken(20);
    for (const seq of [1, 1, 3, 4, 2, 3, 2]) client.speak({ turn: 1, seq, pcm: pcm! });
    expect(client.of('error')).toMatchObject([{ code: 'audio_gap', fatal: false }]);
    client.say({ type: 'turn.commit', id: 'c', turn: 1 });
    expect((await client.hears('transcript.final')).text).toBe(`${3 * 20 * BYTES_PER_MS}`);
  });

  it('is closed with its speech so far if the client stays away, and the next is asked when it returns', async () => {
    const rig = new InterviewRig({ speech: speech(transcriber(() => GOOD)), resumeMs: 40 });
    const admitted = await rig.session();
    const client = rig.connect(admitted);
    await client.hearsQuestion(1);
    spoken(600).forEach((pcm, at) => client.speak({ turn: 1, seq: at + 1, pcm }));
    client.drop();
    await eventually(() => rig.eventStore.log.at(-1)?.type === 'trial.interrupted');
    expect((await rig.typesOf(admitted)).slice(-3)).toEqual([
      'interview.disconnected',
      'interview.answer_recorded',
      'trial.interrupted',
    ]);
    const back = rig.connect(admitted, { resumeFromSeq: facts(client.told).at(-1) });
    expect(await back.hears('transcript.final')).toMatchObject({ turn: 1, text: GOOD });
    await back.hearsQuestion(2);
  });

  it('stays open where it could not be transcribed, and nothing of it is lost', async () => {
    let fails = true;
    const hears: Transcriber = {
      name: 'test',
      async transcribe({ bytes }) {
        if (fails) throw new ProviderFailed('away');
        return `${bytes}`;
      },
    };
    const rig = new InterviewRig({ speech: speech(hears) });
    const admitted = await rig.session();
    const client = rig.connect(admitted);
    await client.hearsQuestion(1);
    spoken(400).forEach((pcm, at) => client.speak({ turn: 1, seq: at + 1, pcm }));
    client.say({ type: 'turn.commit', id: 'one', turn: 1 });
    expect(await client.hears('error')).toMatchObject({
      code: 'transcription_failed',
      id: 'one',
      fatal: false,
    });
    fails = false;
    spoken(200).forEach((pcm, at) => client.speak({ turn: 1, seq: 21 + at, pcm }));
    client.say({ type: 'turn.commit', id: 'one', turn: 1 });
    expect((await client.hears('transcript.final')).text).toBe(`${30 * 20 * BYTES_PER_MS}`);
  });

  it('may not be longer than can have been spoken', async () => {
    const rig = new InterviewRig({ speech: speech(transcriber(() => GOOD)) });
    const admitted = await rig.session();
    const client = rig.connect(admitted);
    await client.hearsQuestion(1);
    const pcm = tone(100, 440, 8_000);
    for (let seq = 1; seq <= 99; seq++) client.speak({ turn: 1, seq, pcm });
    expect(client.closing).toBeNull();
    for (let seq = 100; seq <= 110; seq++) client.speak({ turn: 1, seq, pcm });
    expect(await client.ends()).toEqual({ code: 4413, error: 'too_much_audio' });
  });
});
