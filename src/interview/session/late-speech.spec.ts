import { afterEach, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../../../test/support/eventually.js';
import { dropAll, InterviewRig, transcriber } from '../../../test/support/interview-rig.js';
import { spoken } from '../../../test/support/pcm.js';
import { ProviderFailed, type Synthesiser, type Transcriber } from '../../clients/speech.js';
import type { PersonId } from '../../core/vault/port.js';
import { lateTurn } from '../../vault/late-turns.js';
import type { AdmittedCaller } from './port.js';

/** Transcribes to the seconds of voice in the audio, so that a transcript shows how much speech it contains. */
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
const answered = async (
  synthesiser: Synthesiser | 'client' = 'client',
  resumeMs = 120_000,
  heard: Transcriber = transcriber(heardSeconds),
) => {
  const rig = new InterviewRig({ speech: { transcriber: heard, synthesiser }, resumeMs });
  const admitted = await rig.session({ answerPauseMs: 500 });
  const client = rig.connect(admitted);
  await client.hearsQuestion(1);
  let seq = 0;
  const say = (turn: number, ...frames: readonly Uint8Array[]): void =>
    frames.forEach((pcm) => client.speak({ turn, seq: ++seq, pcm }));
  /** As `say`, with frames that arrive two seconds later by this process's clock. */
  const sayLater = (turn: number, ...frames: readonly Uint8Array[]): void =>
    frames.forEach((pcm) => client.speak({ turn, seq: ++seq, pcm }, performance.now() + 2_000));
  say(1, ...spoken(1_000), ...spoken(600, false));
  await client.hears('transcript.final');
  await client.hearsQuestion(2);
  const answers = async () =>
    (await rig.events(admitted)).flatMap((event) =>
      event.type === 'interview.answer_recorded'
        ? [[event.data.turn, event.data.late, event.personal?.text]]
        : [],
    );
  return { rig, admitted, client, say, sayLater, answers };
};

afterEach(dropAll);

/** The process of a rig is gone: it writes nothing more. */
const kill = (rig: InterviewRig): void => {
  const never = (): Promise<never> => new Promise(() => undefined);
  Object.assign(rig.eventStore, { append: never });
  Object.assign(rig.audio, { append: never, discard: never });
};

describe('what is said after an answer, while the next question has not been heard', () => {
  it.each([1, 2])(
    'is a late answer to the turn before, and answers no other, whichever turn its audio names (%s)',
    async (turn) => {
      const { rig, admitted, client, say, answers } = await answered();
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
      const late = (await rig.events(admitted)).find(
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
    await eventually(() => client.frames.length > 100);
    client.say({ type: 'playback.progress', turn: 2, playedMs: 1_200 });
    say(2, ...spoken(2_000), ...spoken(600, false));
    expect(await client.hears('transcript.final', 3)).toMatchObject({ turn: 2, text: '2.0 s' });
  });

  it('is no longer late once a question that could not be spoken is to be read', async () => {
    let questions = 0;
    const failing: Synthesiser = {
      name: 'test',
      async *speak(text, signal, language) {
        questions += 1;
        if (questions > 1) throw new ProviderFailed('Unavailable, by a test.');
        yield* VOICE.speak(text, signal, language);
      },
    };
    const { client, sayLater } = await answered(failing);
    expect(await client.hears('error')).toMatchObject({ code: 'speech_failed' });
    sayLater(2, ...spoken(1_000), ...spoken(600, false));
    expect(await client.hears('transcript.final', 2)).toMatchObject({ turn: 2, text: '1.0 s' });
  });

  it('is no longer late once the candidate has interrupted a question that has not begun to sound', async () => {
    let questions = 0;
    const silent: Synthesiser = {
      name: 'test',
      async *speak(text, signal, language) {
        questions += 1;
        if (questions > 1) await new Promise(() => undefined);
        yield* VOICE.speak(text, signal, language);
      },
    };
    const { client, sayLater } = await answered(silent);
    client.say({ type: 'interrupt', id: 'i', turn: 2, playedMs: 0 });
    await client.hearsAck('i');
    sayLater(2, ...spoken(1_000), ...spoken(600, false));
    expect(await client.hears('transcript.final', 2)).toMatchObject({ turn: 2, text: '1.0 s' });
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
      const { rig, admitted, client, say, answers } = await answered();
      say(2, ...spoken(2_000));
      if (how.includes('drops')) client.drop();
      else if (how.includes('interview')) client.say({ type: 'session.end', id: 'bye' });
      else client.say({ type: 'turn.commit', id: 'c', turn: 2 });
      // An ended turn has an answer of its own, which can be recorded before the late one.
      const recorded = how.includes('turn') ? 3 : 2;
      await eventually(() =>
        rig.eventStore.log.filter(({ type }) => type === 'interview.answer_recorded').length >= recorded
          ? true
          : undefined,
      );
      await sleep(100);
      expect(await answers()).toContainEqual([1, true, '2.0 s']);
      if (how.includes('interview')) {
        expect(await client.ends()).toMatchObject({ code: 1000 });
        const types = await rig.typesOf(admitted);
        expect(types.at(-1)).toBe('trial.completed');
      }
      if (how.includes('next')) expect(await answers()).toContainEqual([2, false, '']);
    },
  );

  it('ends where the candidate ends the next turn: what comes after belongs to neither', async () => {
    const { rig, client, say, answers } = await answered();
    let open = (): void => undefined;
    const opened = new Promise<void>((resolve) => (open = resolve));
    const append = rig.audio.append.bind(rig.audio);
    rig.audio.append = async (...given) => {
      await opened;
      return append(...given);
    };
    say(2, ...spoken(2_000));
    client.say({ type: 'turn.commit', id: 'c', turn: 2 });
    say(2, ...spoken(1_000), ...spoken(600, false));
    open();
    await client.hearsAck('c');
    await client.hears('transcript.final', 3);
    const own = [2, false, ''];
    const late = [1, true, '2.0 s'];
    const recorded = await answers();
    expect(recorded).toHaveLength(3);
    expect(recorded).toEqual(expect.arrayContaining([own, late]));
  });

  it('does not contain the frame with which the candidate ends the next turn', async () => {
    const { client, say, answers } = await answered();
    say(2, ...spoken(1_000));
    client.speak({ turn: 2, seq: 131, pcm: new Uint8Array(0), endOfTurn: true });
    await client.hears('transcript.final', 3);
    const recorded = await answers();
    expect(recorded).toHaveLength(3);
    expect(recorded).toEqual(
      expect.arrayContaining([
        [1, true, '1.0 s'],
        [2, false, ''],
      ]),
    );
  });

  it('is no longer late once the candidate has ended the answer by a commit', async () => {
    const rig = new InterviewRig({
      speech: { transcriber: transcriber(heardSeconds), synthesiser: 'client' },
    });
    const admitted = await rig.session({ answerPauseMs: 500 });
    const client = rig.connect(admitted);
    await client.hearsQuestion(1);
    spoken(1_000).forEach((pcm, at) => client.speak({ turn: 1, seq: at + 1, pcm }));
    client.say({ type: 'turn.commit', id: 'c', turn: 1 });
    await client.hearsQuestion(2);
    spoken(2_000).forEach((pcm, at) => client.speak({ turn: 2, seq: 51 + at, pcm }));
    client.say({ type: 'turn.commit', id: 'd', turn: 2 });
    expect(await client.hears('transcript.final', 2)).toMatchObject({ turn: 2, text: '2.0 s' });
  });
});

describe('acknowledged speech that nothing has recorded yet', () => {
  const lateAudioOf =
    (rig: InterviewRig, { session: { candidateId, trialSessionId } }: AdmittedCaller) =>
    async () => {
      const turns = await rig.vault.audio.turns({ person: candidateId as PersonId, trialSessionId });
      return [...turns.keys()].flatMap((number) => lateTurn(number) ?? []);
    };

  /** A candidate whose late speech is durable, in the middle of it. */
  const cutOff = async (heard?: Transcriber) => {
    const begun = await answered('client', 120_000, heard);
    const { admitted, rig, client, say } = begun;
    say(2, ...spoken(2_000));
    await eventually(() => client.of('audio.ack').at(-1)!.lastAudioSeq >= 180);
    return { ...begun, lateAudio: lateAudioOf(rig, admitted) };
  };

  const ONCE = [
    [1, false, '1.0 s'],
    [1, true, '2.0 s'],
  ];

  it.each(['comes back', 'stays away', 'ends the interview elsewhere'])(
    'is a late answer, once, where the process is killed and the candidate %s',
    async (what) => {
      const { rig, admitted, answers, lateAudio } = await cutOff();
      expect(await lateAudio()).toEqual([{ turn: 1, firstSeq: 81 }]);
      kill(rig);
      const other = new InterviewRig({
        speech: { transcriber: transcriber(heardSeconds), synthesiser: 'client' },
        beside: rig,
      });
      const { session } = admitted;
      const { closer } = other.interviews;
      if (what.includes('back')) {
        const client = other.connect(admitted);
        await client.hears('transcript.final', 2);
        await client.hears('session.ready');
        // Part of the sentence was under way.
        let seq = client.of('session.ready')[0]!.lastAudioSeq;
        const say = (...frames: readonly Uint8Array[]): void =>
          frames.forEach((pcm) => client.speak({ turn: 2, seq: ++seq, pcm }));
        say(...spoken(1_000), ...spoken(1_100, false));
        await client.hears('transcript.final', 3);
        await sleep(1_600);
        say(...spoken(3_000), ...spoken(600, false));
        await client.hears('transcript.final', 4);
        expect(await answers()).toEqual([...ONCE, [1, true, '1.0 s'], [2, false, '3.0 s']]);
      } else if (what.includes('away')) {
        const gone = (await rig.events(admitted)).find(({ type }) => type === 'interview.connected');
        await closer.interrupt(session, (gone?.data as { connectionId: string }).connectionId);
        expect(await answers()).toEqual(ONCE);
        expect((await rig.typesOf(admitted)).at(-1)).toBe('trial.interrupted');
      } else {
        expect(await closer.transcribeOpenTurn(session)).toBeNull();
        expect(await answers()).toEqual(ONCE);
      }
      await closer.recordLateSpeech(session, 'last_chance');
      expect((await answers()).filter(([, , text]) => text === '2.0 s')).toHaveLength(1);
      expect(await lateAudio()).toEqual([]);
    },
  );

  it('is recorded once, where the process is killed before its audio is discarded', async () => {
    const { rig, admitted, client, say, answers, lateAudio } = await cutOff();
    rig.audio.discard = () => new Promise(() => undefined);
    say(2, ...spoken(1_100, false));
    await client.hears('transcript.final', 2);
    kill(rig);
    const heard = transcriber(() => 'Heard again.');
    const speech = { transcriber: heard, synthesiser: 'client' } as const;
    const other = new InterviewRig({ speech, beside: rig });
    await other.interviews.closer.finish(admitted.session, 'ended');
    expect(await answers()).toEqual(ONCE);
    // The sweep discards it, as of an ended session.
    expect(await lateAudio()).toEqual([{ turn: 1, firstSeq: 81 }]);
    expect(heard.heard).toEqual([]);
  });

  it('is recorded too where its connection stored it after its beginning was taken up', async () => {
    const { rig, admitted, say, client, answers, lateAudio } = await cutOff();
    const { closer } = rig.interviews;
    await closer.recordLateSpeech(admitted.session, 'may_wait');
    say(2, ...spoken(1_000), ...spoken(600, false));
    await client.hears('transcript.final', 3);
    expect(await answers()).toEqual([...ONCE, [1, true, '1.0 s']]);
    await closer.recordLateSpeech(admitted.session, 'may_wait');
    expect(await lateAudio()).toEqual([]);
  });

  it('waits for a transcriber that fails, and is kept as audio where it fails to the end', async () => {
    let fails = false;
    const heard: Transcriber = {
      name: 'test',
      transcribe: async (audio, ...rest) => {
        if (fails) throw new ProviderFailed('Away, by a test.');
        return transcriber(heardSeconds).transcribe(audio, ...rest);
      },
    };
    const { rig, admitted, say, answers, lateAudio } = await cutOff(heard);
    fails = true;
    say(2, ...spoken(1_100, false));
    await sleep(100);
    expect(await answers()).toHaveLength(1);
    const { closer } = rig.interviews;
    await closer.transcribeOpenTurn(admitted.session, 'may_wait');
    expect(await lateAudio()).toHaveLength(1);
    await closer.finish(admitted.session, 'ended');
    expect(await answers()).toEqual([
      [1, false, '1.0 s'],
      [1, true, ''],
    ]);
    const late = (await rig.events(admitted)).find(
      (event) => event.type === 'interview.answer_recorded' && event.data.late,
    );
    expect(late?.data).toMatchObject({
      transcriber: null,
      voice: { durationMs: expect.any(Number), kept: true },
    });
    expect(await lateAudio()).toHaveLength(1);
  });

  it('is discarded once it is found to be silence, or a noise', async () => {
    const { rig, admitted, client, say } = await answered();
    const lateAudio = lateAudioOf(rig, admitted);
    say(2, ...spoken(2_500, false));
    await eventually(() => (client.of('audio.ack').at(-1)?.lastAudioSeq ?? 0) >= 205 || undefined);
    expect(await lateAudio()).toEqual([{ turn: 1, firstSeq: 81 }]);
    say(2, ...spoken(100), ...spoken(900, false));
    await eventually(() => (client.of('audio.ack').at(-1)?.lastAudioSeq ?? 0) >= 255 || undefined);
    await sleep(50);
    expect((await lateAudio()).map(({ firstSeq }) => firstSeq > 205)).toEqual([true]);
    await sleep(1_700);
    say(2, ...spoken(1_000), ...spoken(600, false));
    expect(await client.hears('transcript.final', 2)).toMatchObject({ turn: 2 });
    await sleep(100);
    expect(await lateAudio()).toEqual([]);
  });
});

describe('speech that is being transcribed as a text closes its turn', () => {
  it.each(['by the candidate', 'by silence'])('was ended %s: both are recorded, each once', async (how) => {
    const rig = new InterviewRig({
      speech: { transcriber: transcriber(heardSeconds, 400), synthesiser: 'client' },
    });
    const admitted = await rig.session({ answerPauseMs: 500 });
    const client = rig.connect(admitted);
    await client.hearsQuestion(1);
    [...spoken(1_000), ...spoken(how.includes('silence') ? 600 : 20, false)].forEach((pcm, at) =>
      client.speak({ turn: 1, seq: at + 1, pcm }),
    );
    if (how.includes('candidate')) client.say({ type: 'turn.commit', id: 'commit', turn: 1 });
    await client.hears('transcript.pending');
    client.say({ type: 'message.text', id: 'typed', turn: 1, text: 'Typed.' });
    await client.hearsAck('typed');
    if (how.includes('candidate')) await client.hearsAck('commit');
    client.say({ type: 'session.end', id: 'end' });
    await client.ends();
    const answers = (await rig.events(admitted)).flatMap((event) =>
      event.type === 'interview.answer_recorded' ? [[event.data.late, event.personal?.text]] : [],
    );
    expect(answers).toEqual([
      [false, 'Typed.'],
      [true, '1.0 s'],
    ]);
    const { candidateId, trialSessionId } = admitted.session;
    expect(await rig.vault.audio.turns({ person: candidateId as PersonId, trialSessionId })).toEqual(
      new Map(),
    );
  });

  describe('and cannot be recorded at once', () => {
    /** A candidate whose speech is being transcribed, and whose text has closed the turn. */
    const overtaken = async (heard: Transcriber) => {
      const rig = new InterviewRig({ speech: { transcriber: heard, synthesiser: 'client' } });
      const admitted = await rig.session({ answerPauseMs: 500 });
      const client = rig.connect(admitted);
      await client.hearsQuestion(1);
      [...spoken(1_000), ...spoken(600, false)].forEach((pcm, at) =>
        client.speak({ turn: 1, seq: at + 1, pcm }),
      );
      await client.hears('transcript.pending');
      client.say({ type: 'message.text', id: 'typed', turn: 1, text: 'Typed.' });
      await client.hearsAck('typed');
      const answers = async () =>
        (await rig.events(admitted)).flatMap((event) =>
          event.type === 'interview.answer_recorded' ? [[event.data.late, event.personal?.text]] : [],
        );
      const { candidateId, trialSessionId } = admitted.session;
      const of = { person: candidateId as PersonId, trialSessionId };
      const turns = async () => [...(await rig.vault.audio.turns(of)).keys()];
      return { rig, admitted, client, answers, turns };
    };

    const BOTH = [
      [false, 'Typed.'],
      [true, '1.0 s'],
    ];

    it.each(['comes back', 'ends the interview elsewhere'])(
      'is recorded once if the process is killed and the candidate %s',
      async (what) => {
        const never: Transcriber = { name: 'test', transcribe: () => new Promise(() => undefined) };
        const { rig, admitted, answers, turns } = await overtaken(never);
        kill(rig);
        expect(await answers()).toEqual([[false, 'Typed.']]);
        expect(await turns()).toEqual([1]);
        const speech = { transcriber: transcriber(heardSeconds), synthesiser: 'client' } as const;
        const other = new InterviewRig({ speech, beside: rig });
        if (what.includes('back')) {
          await other.connect(admitted).hears('session.ready');
          await eventually(async () => (await answers()).length === 2);
        } else await other.interviews.closer.finish(admitted.session, 'ended');
        expect(await answers()).toEqual(BOTH);
        await other.interviews.closer.recordLateSpeech(admitted.session, 'last_chance');
        expect(await answers()).toEqual(BOTH);
        await eventually(async () => (await turns()).length === 0);
      },
    );

    it('is transcribed anew at once if its transcription has failed', async () => {
      let calls = 0;
      const heard: Transcriber = {
        name: 'test',
        transcribe: async (audio, ...rest) => {
          // A transcription tries it twice.
          if (++calls > 2) return transcriber(heardSeconds).transcribe(audio, ...rest);
          await sleep(100);
          throw new ProviderFailed('Unavailable, by a test.');
        },
      };
      const { client, answers } = await overtaken(heard);
      await client.hears('transcript.final', 2);
      expect(await answers()).toEqual(BOTH);
    });

    it('waits for a transcriber that fails, and is kept as audio if it fails to the end', async () => {
      let fails = true;
      const heard: Transcriber = {
        name: 'test',
        transcribe: async (audio, ...rest) => {
          await sleep(200);
          if (fails) throw new ProviderFailed('Unavailable, by a test.');
          return transcriber(heardSeconds).transcribe(audio, ...rest);
        },
      };
      const first = await overtaken(heard);
      await sleep(1_000);
      expect(await first.answers()).toEqual([[false, 'Typed.']]);
      const { closer } = first.rig.interviews;
      await closer.recordLateSpeech(first.admitted.session, 'may_wait');
      expect(await first.turns()).toEqual([1]);
      fails = false;
      await closer.recordLateSpeech(first.admitted.session, 'may_wait');
      expect(await first.answers()).toEqual(BOTH);
      expect(await first.turns()).toEqual([]);

      fails = true;
      const second = await overtaken(heard);
      second.client.say({ type: 'session.end', id: 'end' });
      await second.client.ends();
      expect(await second.answers()).toEqual([
        [false, 'Typed.'],
        [true, ''],
      ]);
      expect(await second.turns()).toEqual([1]);
    });
  });

  it('is its answer alone where it is recorded before the text, which is late then', async () => {
    const rig = new InterviewRig({
      speech: { transcriber: transcriber(heardSeconds), synthesiser: 'client' },
    });
    const admitted = await rig.session();
    const client = rig.connect(admitted);
    await client.hearsQuestion(1);
    spoken(1_000).forEach((pcm, at) => client.speak({ turn: 1, seq: at + 1, pcm }));
    client.say({ type: 'turn.commit', id: 'commit', turn: 1 });
    const append = rig.eventStore.append.bind(rig.eventStore);
    rig.eventStore.append = async (...given) => {
      await sleep(100);
      return append(...given);
    };
    client.say({ type: 'message.text', id: 'typed', turn: 1, text: 'Typed.' });
    await client.hearsAck('typed');
    await client.hears('transcript.final', 2);
    const facts = client.of('transcript.final').map(({ turn, text }) => [turn, text]);
    expect(facts.sort()).toEqual([
      [1, '1.0 s'],
      [1, 'Typed.'],
    ]);
  });
});
