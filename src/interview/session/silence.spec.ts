import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../../../test/support/eventually.js';
import { dropAll, type FakeClient, InterviewRig, transcriber } from '../../../test/support/interview-rig.js';
import { spoken, tone } from '../../../test/support/pcm.js';
import type { AdmittedCaller } from './port.js';

/** What transcribers make of silence. */
const PHANTOM = 'Thank you for watching.';

const noise = (ms: number): Uint8Array => {
  let state = 7;
  const pcm = Buffer.alloc(ms * 32);
  for (let at = 0; at < pcm.length; at += 2) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    pcm.writeInt16LE(Math.round((state / 2 ** 31) * 3_000), at);
  }
  return pcm;
};
const cut = (pcm: Uint8Array): Uint8Array[] =>
  Array.from({ length: pcm.byteLength / 640 }, (_, at) => pcm.subarray(at * 640, (at + 1) * 640));

const SILENCES: readonly (readonly [string, readonly Uint8Array[]])[] = [
  ['two seconds of zeros', spoken(2_000, false)],
  ['the noise of a fan', cut(noise(2_000))],
  ['a hum', cut(tone(2_000, 50, 8_000))],
  [
    'clicks',
    Array.from({ length: 100 }, (_, at) => (at % 20 === 0 ? tone(20, 1_000, 20_000) : new Uint8Array(640))),
  ],
];

interface Situation {
  readonly rig: InterviewRig;
  readonly admitted: AdmittedCaller;
  readonly client: FakeClient;
  readonly heard: readonly number[];
}

const listening = async (resumeMs?: number): Promise<Situation> => {
  const phantom = transcriber(() => PHANTOM);
  const speech = { transcriber: phantom, synthesiser: 'client' as const };
  const rig = new InterviewRig({ speech, ...(resumeMs !== undefined && { resumeMs }) });
  const admitted = await rig.session();
  const client = rig.connect(admitted);
  await client.hearsQuestion(1);
  return { rig, admitted, client, heard: phantom.heard };
};
const speaks = (client: FakeClient, frames: readonly Uint8Array[]): void =>
  frames.forEach((pcm, at) => client.speak({ turn: 1, seq: at + 1, pcm }));
const texts = async ({ rig, admitted }: Situation): Promise<readonly string[]> =>
  (await rig.events(admitted)).flatMap((event) =>
    event.type === 'interview.answer_recorded' ? [event.personal?.text ?? ''] : [],
  );
const ended = (rig: InterviewRig, type: string): Promise<true> =>
  eventually(() => rig.eventStore.log.some((event) => event.type === type));

afterEach(dropAll);

describe.each(SILENCES)('no words are made of %s', (_, frames) => {
  it('where the candidate ends the turn: its answer is empty, and it is never said to be transcribed', async () => {
    for (const end of ['commit', 'flag']) {
      const situation = await listening();
      const { client, heard } = situation;
      speaks(client, frames);
      if (end === 'commit') client.say({ type: 'turn.commit', id: 'c', turn: 1 });
      else client.speak({ turn: 1, seq: frames.length + 1, pcm: new Uint8Array(0), endOfTurn: true });
      expect(await client.hears('transcript.final')).toMatchObject({ turn: 1, text: '' });
      if (end === 'commit') await client.hearsAck('c');
      expect(client.of('transcript.pending')).toEqual([]);
      expect(client.of('speech.started')).toEqual([]);
      expect(heard).toEqual([]);
    }
  });

  it('where the interview ends, by the candidate or by REST', async () => {
    const situation = await listening();
    speaks(situation.client, frames);
    await situation.client.hears('audio.ack');
    expect(await situation.rig.interviews.closer.transcribeOpenTurn(situation.admitted.session)).toBeNull();
    situation.client.say({ type: 'session.end', id: 'bye' });
    await situation.client.ends();
    expect(await texts(situation)).toEqual([]);
    expect(situation.heard).toEqual([]);
  });

  it('where the client stays away, and where it comes back and ends the turn', async () => {
    const situation = await listening(40);
    speaks(situation.client, frames);
    await situation.client.hears('audio.ack');
    situation.client.drop();
    await ended(situation.rig, 'trial.interrupted');
    expect(await texts(situation)).toEqual([]);
    const back = situation.rig.connect(situation.admitted);
    await back.hearsQuestion(1);
    back.say({ type: 'turn.commit', id: 'c', turn: 1 });
    await back.hearsAck('c');
    expect(await texts(situation)).toEqual(['']);
    expect(situation.heard).toEqual([]);
  });
});

describe('a voice among silence', () => {
  it('is transcribed, however short it is', async () => {
    const situation = await listening();
    speaks(situation.client, [...spoken(1_000, false), ...spoken(300), ...spoken(200, false)]);
    situation.client.say({ type: 'turn.commit', id: 'c', turn: 1 });
    expect(await situation.client.hears('transcript.final')).toMatchObject({ text: PHANTOM });
    expect(situation.client.of('transcript.pending')).toEqual([{ type: 'transcript.pending', turn: 1 }]);
    expect(situation.heard).toHaveLength(1);
  });

  it('in which a transcriber finds no word leaves the turn open, and says so', async () => {
    const speech = { transcriber: transcriber(() => ''), synthesiser: 'client' as const };
    const rig = new InterviewRig({ speech });
    const admitted = await rig.session({ answerPauseMs: 1_000 });
    const client = rig.connect(admitted);
    await client.hearsQuestion(1);
    speaks(client, [...spoken(600), ...spoken(4_000, false)]);
    expect(await client.hears('transcript.none')).toEqual({ type: 'transcript.none', turn: 1 });
    expect(client.of('transcript.final')).toEqual([]);
  });
});
