import { afterEach, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { dropAll, InterviewRig, transcriber, until } from '../../../test/support/interview-rig.js';
import { spoken } from '../../../test/support/pcm.js';
import type { Synthesiser } from '../../clients/speech.js';

/** Words for each second of voice, so that what is heard tells how much was said. */
const heardSeconds = (pcm: Uint8Array): string => {
  const samples = new Int16Array(pcm.buffer, pcm.byteOffset, Math.floor(pcm.byteLength / 2));
  const loud = samples.filter((sample) => Math.abs(sample) > 1_000).length;
  return `${(loud / 14_700).toFixed(1)} s`;
};

/** Three seconds for each question. */
const VOICE: Synthesiser = {
  name: 'test',
  async *speak() {
    for (const pcm of spoken(3_000)) yield pcm;
  },
};

/** A candidate whose first answer silence has just ended: question 2 is open. */
const answered = async (synthesiser: Synthesiser | 'client' = 'client', resumeMs = 120_000) => {
  const rig = new InterviewRig({ speech: { transcriber: transcriber(heardSeconds), synthesiser }, resumeMs });
  const visitor = await rig.session({ answerPauseMs: 500 });
  const client = rig.connect(visitor);
  await client.hearsQuestion(1);
  let seq = 0;
  const say = (turn: number, ...frames: readonly Uint8Array[]): void =>
    frames.forEach((pcm) => client.speak({ turn, seq: ++seq, pcm }));
  say(1, ...spoken(1_000), ...spoken(600, false));
  await client.hears('transcript.final');
  await client.hearsQuestion(2);
  const answers = async () =>
    (await rig.events(visitor)).flatMap((event) =>
      event.type === 'interview.answer_recorded'
        ? [[event.data.turn, event.data.late, event.personal?.text]]
        : [],
    );
  return { rig, visitor, client, say, answers };
};

afterEach(dropAll);

describe('what is said after an answer, while the next question has not been heard', () => {
  it.each([1, 2])(
    'is a late answer to the turn before, and answers no other, whichever turn its audio names (%s)',
    async (turn) => {
      const { rig, visitor, client, say, answers } = await answered();
      say(turn, ...spoken(2_000), ...spoken(600, false));
      expect(await client.hears('transcript.final', 2)).toMatchObject({
        turn: 1,
        text: '2.0 s',
        source: 'transcribed',
      });
      // Turn 2 has nothing of it.
      await sleep(1_700);
      say(2, ...spoken(1_000), ...spoken(600, false));
      expect(await client.hears('transcript.final', 3)).toMatchObject({ turn: 2, text: '1.0 s' });
      expect(await answers()).toEqual([
        [1, false, '1.0 s'],
        [1, true, '2.0 s'],
        [2, false, '1.0 s'],
      ]);
      const late = (await rig.events(visitor)).find(
        (event) => event.type === 'interview.answer_recorded' && event.data.late,
      );
      expect(late?.data).toMatchObject({ gapMs: null, voice: null, transcriber: 'test' });
    },
  );

  it('is late to its end, though the question is heard meanwhile', async () => {
    const { client, say, answers } = await answered();
    say(2, ...spoken(500));
    await sleep(1_700);
    say(2, ...spoken(1_500), ...spoken(600, false));
    await client.hears('transcript.final', 2);
    expect(await answers()).toEqual([
      [1, false, '1.0 s'],
      [1, true, '2.0 s'],
    ]);
    say(2, ...spoken(1_000), ...spoken(600, false));
    expect(await client.hears('transcript.final', 3)).toMatchObject({ turn: 2, text: '1.0 s' });
  });

  it('is late for as long as a question that the service speaks has not begun to sound', async () => {
    let begin = (): void => undefined;
    const begun = new Promise<void>((resolve) => (begin = resolve));
    let questions = 0;
    const slow: Synthesiser = {
      name: 'test',
      async *speak(text, signal, language) {
        questions += 1;
        if (questions > 1) await begun;
        yield* VOICE.speak(text, signal, language);
      },
    };
    const { client, say } = await answered(slow);
    await sleep(2_000);
    say(2, ...spoken(1_000), ...spoken(600, false));
    expect(await client.hears('transcript.final', 2)).toMatchObject({ turn: 1, text: '1.0 s' });
    begin();
    await client.hears('interviewer.started', 2);
    await until(() => (client.frames.length > 100 ? true : undefined), 'the question’s speech');
    client.say({ type: 'playback.progress', turn: 2, playedMs: 1_200 });
    say(2, ...spoken(2_000), ...spoken(600, false));
    expect(await client.hears('transcript.final', 3)).toMatchObject({ turn: 2, text: '2.0 s' });
  });

  it('is nothing if it is silence or noise, and a typed answer to the question is its answer', async () => {
    const { client, say, answers } = await answered();
    say(2, ...spoken(3_000, false), ...spoken(100), ...spoken(1_000, false));
    client.say({ type: 'message.text', id: 'a', turn: 2, text: 'Typed.' });
    await client.hearsAck('a');
    await sleep(100);
    expect(await answers()).toEqual([
      [1, false, '1.0 s'],
      [2, false, 'Typed.'],
    ]);
  });

  it.each(['the connection drops', 'the candidate ends the interview', 'the next turn is ended'])(
    'is recorded where %s in the middle of it',
    async (how) => {
      const { rig, visitor, client, say, answers } = await answered();
      say(2, ...spoken(2_000));
      if (how.includes('drops')) client.drop();
      else if (how.includes('interview')) client.say({ type: 'session.end', id: 'bye' });
      else client.say({ type: 'turn.commit', id: 'c', turn: 2 });
      await until(
        () =>
          rig.eventStore.log.filter(({ type }) => type === 'interview.answer_recorded').length > 1
            ? true
            : undefined,
        'the late answer',
      );
      await sleep(100);
      expect(await answers()).toContainEqual([1, true, '2.0 s']);
      if (how.includes('interview')) {
        expect(await client.ends()).toMatchObject({ code: 1000 });
        const types = await rig.typesOf(visitor);
        expect(types.at(-1)).toBe('trial.completed');
      }
      if (how.includes('next')) expect(await answers()).toContainEqual([2, false, '']);
    },
  );

  it('is no longer late once the candidate has ended the answer by a commit', async () => {
    const rig = new InterviewRig({
      speech: { transcriber: transcriber(heardSeconds), synthesiser: 'client' },
    });
    const visitor = await rig.session({ answerPauseMs: 500 });
    const client = rig.connect(visitor);
    await client.hearsQuestion(1);
    spoken(1_000).forEach((pcm, at) => client.speak({ turn: 1, seq: at + 1, pcm }));
    client.say({ type: 'turn.commit', id: 'c', turn: 1 });
    await client.hearsQuestion(2);
    spoken(2_000).forEach((pcm, at) => client.speak({ turn: 2, seq: 51 + at, pcm }));
    client.say({ type: 'turn.commit', id: 'd', turn: 2 });
    expect(await client.hears('transcript.final', 2)).toMatchObject({ turn: 2, text: '2.0 s' });
  });
});
