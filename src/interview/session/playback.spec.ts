import { afterEach, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { BYTES_PER_MS } from '../../../packages/interview-client/src/protocol/audio-frame.js';
import { dropAll, FakeClient, InterviewRig, tireless } from '../../../test/support/interview-rig.js';
import type { Speech } from '../../clients/speech.js';
import type { AdmittedCaller } from './port.js';

const SPOKEN_MS = 200;

const speaking: Speech = {
  transcriber: 'client',
  synthesiser: {
    name: 'test',
    async *speak() {
      yield new Uint8Array(SPOKEN_MS * BYTES_PER_MS);
    },
  },
};

/** Whose questions take 400 ms at most to be read aloud. */
const brief = tireless(() => 'Why?');

const now = (): number => performance.now();

const gapOf = async (rig: InterviewRig, admitted: AdmittedCaller): Promise<number | null> => {
  for (const { type, data } of await rig.events(admitted))
    if (type === 'interview.answer_recorded') return data.gapMs;
  throw new Error('Nothing was answered.');
};

const plays = (client: FakeClient, playedMs: number, turn = 1): void =>
  client.say({ type: 'playback.progress', turn, playedMs });

describe('the playback that a client reports', () => {
  afterEach(dropAll);

  it('ends the question as long as its speech can last, and only as far as it goes on', async () => {
    const rig = new InterviewRig({ speech: speaking });
    const admitted = await rig.session();
    const client = rig.connect(admitted);
    await client.hears('interviewer.done');
    await sleep(150);
    const playedAt = now();
    plays(client, SPOKEN_MS);
    await sleep(150);
    // Nothing more of it can have been played.
    plays(client, SPOKEN_MS);
    plays(client, 60_000);
    client.say({ type: 'message.text', id: 'a', turn: 1, text: 'So.' });
    const answeredAt = now();
    await client.hearsAck('a');
    const gapMs = await gapOf(rig, admitted);
    expect(gapMs).toBeGreaterThanOrEqual(149);
    expect(gapMs).toBeLessThanOrEqual(answeredAt - playedAt + 1);
  });

  it('hides no wait that is longer than the speech', async () => {
    const rig = new InterviewRig({ speech: speaking });
    const admitted = await rig.session();
    const client = rig.connect(admitted);
    await client.hears('interviewer.done');
    await sleep(2_000);
    plays(client, SPOKEN_MS);
    client.say({ type: 'message.text', id: 'a', turn: 1, text: 'So.' });
    await client.hearsAck('a');
    // But for the speech's 200 ms, and the second in which a player may have begun.
    expect(await gapOf(rig, admitted)).toBeGreaterThanOrEqual(750);
  });

  it('hides no wait on an earlier connection, where the client speaks', async () => {
    const rig = new InterviewRig({ interviewer: brief });
    const admitted = await rig.session();
    const first = rig.connect(admitted);
    await first.hearsQuestion(1);
    await sleep(1_500);
    first.drop();
    const second = rig.connect(admitted, {
      resumeFromSeq: (await first.hears('question')).seq,
    });
    await second.hears('session.ready');
    plays(second, 300);
    second.say({ type: 'message.text', id: 'a', turn: 1, text: 'So.' });
    await second.hearsAck('a');
    expect(await gapOf(rig, admitted)).toBeGreaterThanOrEqual(1_450);
  });

  it('is refused for a turn that was never asked', async () => {
    const rig = new InterviewRig();
    const client = rig.connect(await rig.session());
    await client.hearsQuestion(1);
    plays(client, 100, 2);
    expect(await client.hears('error')).toEqual({
      type: 'error',
      code: 'bad_message',
      error: 'There is no question of turn 2.',
      fatal: false,
    });
    plays(client, 100);
    await client.answers(1, 'So.');
    plays(client, 200);
    expect(client.of('error')).toHaveLength(1);
  });
});
