import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../../../test/support/eventually.js';
import { dropAll, InterviewRig, transcriber } from '../../../test/support/interview-rig.js';
import { spoken } from '../../../test/support/pcm.js';
import { ProviderFailed, type Transcriber } from '../../clients/speech.js';
import { aborted } from '../../core/signals.js';
import { organisation } from '../../domain/organisation/decider.js';
import { interrupt } from '../../domain/session/interview-decider.js';
import { endOfTime } from '../../domain/session/time-limit.js';
import { finishInterviews } from './interview-closer.js';
import type { AdmittedCaller } from './port.js';
import { audioOf } from './stored-speech.js';

it('an interview is finished as much later as its candidate was granted, and at no time before its first question', () => {
  const { dueAt } = finishInterviews({ finishOverdue: async () => undefined });
  const due = (endsAt: string | null, timeFactor: number) =>
    dueAt({ endsAt, timeFactor } as Parameters<typeof dueAt>[0]);
  const endsAt = '2026-03-01T11:00:00.000Z';
  expect(due(endsAt, 1)).toBe(endsAt);
  expect(due(endsAt, 1.5)).toBe('2026-03-01T11:30:00.000Z');
  expect(due(null, 1.5)).toBe('');
});

describe('an interview that the view lists as overdue, though the streams have changed since', () => {
  afterEach(dropAll);

  const interrupted = async (rig: InterviewRig, admitted: AdmittedCaller): Promise<string> => {
    const client = rig.connect(admitted);
    const { connectionId } = await client.hears('session.ready');
    await client.hearsQuestion(1);
    client.drop();
    await rig.record(admitted, (state) => interrupt(state, { connectionId }));
    const [asked] = (await rig.events(admitted)).flatMap((event) =>
      event.type === 'interview.question_asked' ? event.data : [],
    );
    return asked?.endsAt ?? '';
  };

  it('goes on if staff have granted more time, and is finished once that is over', async () => {
    const rig = new InterviewRig();
    const admitted = await rig.session();
    const endsAt = await interrupted(rig, admitted);
    await rig.accommodate(admitted, 1.5);
    const { closer } = rig.interviews;
    await closer.finishOverdue(admitted.session, new Date(endsAt));
    expect(await rig.typesOf(admitted)).not.toContain('trial.completed');
    await closer.finishOverdue(admitted.session, new Date(endOfTime(endsAt, 1.5)));
    expect((await rig.events(admitted)).slice(-2)).toMatchObject([
      { type: 'interview.ended', data: { reason: 'time_limit' } },
      { type: 'trial.completed' },
    ]);
  });

  it('is left to the process of the connection on which the client has come back', async () => {
    const rig = new InterviewRig();
    const admitted = await rig.session();
    const endsAt = await interrupted(rig, admitted);
    const back = rig.connect(admitted);
    await back.hears('session.ready');
    await rig.interviews.closer.finishOverdue(admitted.session, new Date(endsAt));
    expect(await rig.typesOf(admitted)).not.toContain('trial.completed');
  });
});

it('an interview whose speech is transcribed as the service stops is left as it is, for another process', async () => {
  const asked: AbortSignal[] = [];
  const heard = transcriber(() => 'I wrote a test.');
  const slow: Transcriber = {
    name: 'slow',
    transcribe: async (_, signal) => {
      asked.push(signal);
      await aborted(signal);
      throw new ProviderFailed('It was ended.');
    },
  };
  const rig = new InterviewRig({ speech: { transcriber: slow, synthesiser: 'client' } });
  const admitted = await rig.session();
  const client = rig.connect(admitted);
  const { connectionId } = await client.hears('session.ready');
  await client.hearsQuestion(1);
  spoken(400).forEach((pcm, at) => client.speak({ turn: 1, seq: at + 1, pcm }));
  client.drop();
  await eventually(() => rig.eventStore.log.at(-1)?.type === 'interview.disconnected');
  await rig.record(admitted, (state) => interrupt(state, { connectionId }));
  const before = await rig.typesOf(admitted);
  const { closer } = rig.interviews;
  const finishing = closer.finishOverdue(admitted.session, new Date('2100-01-01T00:00:00.000Z'));
  await eventually(() => asked.length > 0);
  closer.stop();
  await expect(finishing).rejects.toThrow('The service stops.');
  expect(await rig.typesOf(admitted)).toEqual(before);
  const other = new InterviewRig({ beside: rig, speech: { transcriber: heard, synthesiser: 'client' } });
  await other.interviews.closer.finishOverdue(admitted.session, new Date('2100-01-01T00:00:00.000Z'));
  expect((await rig.events(admitted)).slice(before.length)).toMatchObject([
    { type: 'interview.answer_recorded', data: { transcriber: 'test', voice: { durationMs: 400 } } },
    { type: 'interview.ended' },
    { type: 'trial.completed' },
  ]);
  await dropAll();
});

describe('the speech of a turn that is closed without its connection', () => {
  afterEach(dropAll);

  /** Lets the organisation keep candidates' audio, or not, from the next connection on. */
  const keepsAudio = (rig: InterviewRig, recordAudio: boolean): void => {
    const read = rig.streams.read.bind(rig.streams);
    rig.streams.read = async (decider, id) => {
      const found = await read(decider, id);
      return (decider as object) === organisation ? { ...found, state: { recordAudio } as never } : found;
    };
  };

  it.each([
    [true, true, true],
    [false, true, false],
    [true, false, false],
    [false, false, false],
  ])(
    'is kept if its candidate was told so on every connection since its question (%s, %s)',
    async (first, second, kept) => {
      const speech = { transcriber: transcriber(() => 'I wrote a test.'), synthesiser: 'client' } as const;
      const rig = new InterviewRig({ speech });
      const admitted = await rig.session();
      keepsAudio(rig, first);
      const client = rig.connect(admitted);
      await client.hearsQuestion(1);
      spoken(400).forEach((pcm, at) => client.speak({ turn: 1, seq: at + 1, pcm }));
      client.drop();
      keepsAudio(rig, second);
      const again = rig.connect(admitted);
      const { connectionId, audio } = await again.hears('session.ready');
      expect(audio.recorded).toBe(second);
      again.drop();
      await eventually(() => rig.eventStore.log.at(-1)?.type === 'interview.disconnected');
      await rig.interviews.closer.interrupt(admitted.session, connectionId);
      const answer = (await rig.events(admitted)).find(({ type }) => type === 'interview.answer_recorded');
      expect(answer?.data).toMatchObject({ voice: { durationMs: 400, kept } });
      const stored = await rig.vault.audio.turns(audioOf(admitted.session));
      expect([...stored.keys()]).toEqual(kept ? [1] : []);
    },
  );
});
