import { afterEach, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../../../test/support/eventually.js';
import {
  BROWSER,
  dropAll,
  type FakeClient,
  InterviewRig,
  transcriber,
} from '../../../test/support/interview-rig.js';
import { spoken } from '../../../test/support/pcm.js';
import type { Speech } from '../../clients/speech.js';
import { audioOf } from './stored-speech.js';

const GOOD =
  'I wrote a failing test for the parser first, then I changed 3 functions in tokens.ts because the error came from there.';

const server = (ms = 0): Speech => ({ transcriber: transcriber(() => GOOD, ms), synthesiser: 'client' });

const skips = (client: FakeClient, turn: number, id = `skip-${turn}`): void =>
  client.say({ type: 'turn.skip', id, turn });

afterEach(dropAll);

describe('a skip, in every configuration and whatever was said', () => {
  it.each<[string, Speech]>([
    ['the client', BROWSER],
    ['the server', server()],
  ])('closes each turn without a word, up to the end, where %s transcribes', async (_, speech) => {
    const rig = new InterviewRig({ speech });
    const admitted = await rig.session();
    const client = rig.connect(admitted);
    for (const turn of [1, 2, 3]) {
      await client.hearsQuestion(turn);
      skips(client, turn);
      await client.hearsAck(`skip-${turn}`);
    }
    expect(await client.ends()).toEqual({ code: 1000, error: null });
    expect(client.of('question').map(({ kind }) => kind)).toEqual(['planned', 'planned', 'closing']);
    expect(client.of('turn.skipped').map(({ turn }) => turn)).toEqual([1, 2, 3]);
    expect(client.of('transcript.final')).toEqual([]);
    expect(client.of('session.completed')).toMatchObject([{ reason: 'finished' }]);
    expect(await rig.typesOf(admitted)).not.toContain('interview.answer_recorded');
  });

  it('of a turn in which the candidate spoke drops what was said, and asks no transcriber', async () => {
    const speech = server();
    const rig = new InterviewRig({ speech });
    const admitted = await rig.session();
    const client = rig.connect(admitted);
    await client.hearsQuestion(1);
    spoken(1_000).forEach((pcm, at) => client.speak({ turn: 1, seq: at + 1, pcm }));
    skips(client, 1);
    await client.hearsQuestion(2);
    const skipped = (await rig.events(admitted)).find(({ type }) => type === 'interview.turn_skipped');
    expect(skipped?.data).toMatchObject({ lastAudioSeq: 50, voice: { durationMs: 1_000, kept: false } });
    expect(speech.transcriber).toMatchObject({ heard: [] });
    await eventually(() => client.of('audio.ack').some(({ lastAudioSeq }) => lastAudioSeq === 50));
    await sleep(50);
    expect(await rig.vault.audio.turns(audioOf(admitted.session))).toEqual(new Map());
  });

  it('while its turn is being transcribed gives that up: a commit before it is acknowledged', async () => {
    const rig = new InterviewRig({ speech: server(400) });
    const admitted = await rig.session();
    const client = rig.connect(admitted);
    await client.hearsQuestion(1);
    spoken(1_000).forEach((pcm, at) => client.speak({ turn: 1, seq: at + 1, pcm }));
    client.say({ type: 'turn.commit', id: 'commit', turn: 1 });
    await client.hears('transcript.pending');
    skips(client, 1);
    await client.hearsAck('skip-1');
    await client.hearsAck('commit');
    // Speech that was under way answers nothing either.
    spoken(200).forEach((pcm, at) => client.speak({ turn: 1, seq: 51 + at, pcm }));
    await client.hearsQuestion(2);
    await sleep(600);
    expect(client.of('transcript.final')).toEqual([]);
    expect(await rig.typesOf(admitted)).not.toContain('interview.answer_recorded');
  });

  it('is recorded once, on whichever connection it comes again, and changes no turn that is closed', async () => {
    const rig = new InterviewRig();
    const admitted = await rig.session();
    const first = rig.connect(admitted);
    await first.answers(1, GOOD);
    await first.hearsQuestion(2);
    skips(first, 1);
    await first.hearsAck('skip-1');
    skips(first, 2);
    skips(first, 2);
    await eventually(() => first.of('ack').length === 4);
    await first.hearsQuestion(3);
    first.drop();
    const second = rig.connect(admitted);
    skips(second, 2);
    skips(second, 2, 'another');
    await second.hearsAck('skip-2');
    await second.hearsAck('another');
    expect(second.of('turn.skipped').map(({ turn }) => turn)).toEqual([2]);
    expect((await rig.typesOf(admitted)).filter((type) => type === 'interview.turn_skipped')).toHaveLength(1);
  });

  it('of a turn that was never asked is a bad message, and one under the id of another message is refused', async () => {
    const rig = new InterviewRig();
    const client = rig.connect(await rig.session());
    await client.hearsQuestion(1);
    skips(client, 9);
    expect(await client.hears('error')).toMatchObject({ code: 'bad_message', id: 'skip-9' });
    await client.answers(1, GOOD);
    await client.hearsQuestion(2);
    skips(client, 2, 'answer-1');
    expect(await client.hears('error', 2)).toMatchObject({ code: 'id_reused', id: 'answer-1' });
    expect(client.of('turn.skipped')).toEqual([]);
  });

  it('leaves a late text to that turn, which answers no other', async () => {
    const rig = new InterviewRig();
    const client = rig.connect(await rig.session());
    await client.hearsQuestion(1);
    skips(client, 1);
    await client.hearsQuestion(2);
    client.say({ type: 'message.text', id: 'late', turn: 1, text: GOOD });
    await client.hearsAck('late');
    expect(client.of('transcript.final')).toMatchObject([{ turn: 1, text: GOOD }]);
    expect(client.of('question')).toHaveLength(2);
  });
});

describe('a question that is spoken again', () => {
  /** Three seconds for every question, more than is sent ahead. */
  const speaking: Speech = {
    transcriber: 'client',
    synthesiser: {
      name: 'test',
      async *speak() {
        for (const pcm of spoken(3_000)) yield pcm;
      },
    },
  };
  const seqOf = (frame: Uint8Array): number => Buffer.from(frame).readUInt32BE(4);

  it('is spoken whole, after it ended or was stopped, and its frames are numbered on', async () => {
    const rig = new InterviewRig({ speech: speaking });
    const client = rig.connect(await rig.session());
    await client.hears('interviewer.done');
    const { length } = client.frames;
    client.say({ type: 'question.repeat', id: 'again', turn: 1 });
    await client.hearsAck('again');
    await client.hears('interviewer.done', 2);
    expect(client.frames).toHaveLength(2 * length);
    client.say({ type: 'question.repeat', turn: 1 });
    await client.hears('interviewer.started', 3);
    client.say({ type: 'interrupt', id: 'stop', turn: 1, playedMs: 1 });
    client.say({ type: 'question.repeat', turn: 1 });
    await client.hears('interviewer.done', 4);
    const seqs = client.frames.map(seqOf);
    expect(seqs).toEqual(seqs.map((_, at) => at + 1));
  });

  it('is not spoken twice at once, nor once its turn is closed or where the client speaks', async () => {
    const rig = new InterviewRig({ speech: speaking });
    const client = rig.connect(await rig.session());
    await client.hears('interviewer.started');
    client.say({ type: 'question.repeat', turn: 1 });
    await client.hears('interviewer.done');
    expect(client.of('interviewer.started')).toHaveLength(1);
    await client.answers(1, GOOD);
    await client.hearsQuestion(2);
    client.say({ type: 'question.repeat', id: 'closed', turn: 1 });
    await client.hearsAck('closed');
    expect(client.of('interviewer.started').filter(({ turn }) => turn === 1)).toHaveLength(1);
    client.say({ type: 'question.repeat', id: 'never', turn: 9 });
    expect(await client.hears('error')).toMatchObject({ code: 'bad_message', id: 'never' });

    const silent = new InterviewRig();
    const other = silent.connect(await silent.session());
    await other.hearsQuestion(1);
    other.say({ type: 'question.repeat', id: 'again', turn: 1 });
    await other.hearsAck('again');
    expect(other.of('interviewer.started')).toEqual([]);
  });

  it('does not hide a wait, nor lengthen it by its own time', async () => {
    const rig = new InterviewRig({ speech: speaking });
    const admitted = await rig.session();
    const client = rig.connect(admitted);
    await client.hears('interviewer.done');
    const from = performance.now();
    // Each of them sends two seconds ahead, and is stopped at once.
    for (let nth = 2; nth < 5; nth += 1) {
      await sleep(150);
      client.say({ type: 'question.repeat', turn: 1 });
      await client.hears('interviewer.started', nth);
      client.say({ type: 'interrupt', id: `stop-${nth}`, turn: 1, playedMs: 1 });
      await client.hears('interviewer.done', nth);
    }
    await sleep(150);
    const waitedMs = performance.now() - from;
    client.say({ type: 'question.repeat', turn: 1 });
    await client.hears('interviewer.done', 5);
    client.say({ type: 'message.text', id: 'a', turn: 1, text: GOOD });
    await client.hearsAck('a');
    const answer = (await rig.events(admitted)).find(({ type }) => type === 'interview.answer_recorded');
    const { gapMs } = answer?.data as { gapMs: number };
    expect(gapMs).toBeGreaterThanOrEqual(150);
    expect(gapMs).toBeLessThanOrEqual(waitedMs + 100);
  });
});
