import { afterEach, describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../../../test/support/eventually.js';
import { dropAll, InterviewRig, transcriber } from '../../../test/support/interview-rig.js';
import { spoken, tone } from '../../../test/support/pcm.js';
import type { RoleDefinition } from '../../domain/role/events.js';
import { QuestionClock } from './clocks.js';
import { SpokenTurn } from './spoken-turn.js';

const lengths = (pcm: Uint8Array): string => `${pcm.byteLength / 640}`;

/** A candidate who speaks in turn 1. `ms`: how long the transcriber takes. */
const speaking = async (role: Partial<RoleDefinition>, ms = 0) => {
  const hears = transcriber(lengths, ms);
  const rig = new InterviewRig({ speech: { transcriber: hears, synthesiser: 'client' } });
  const admitted = await rig.session(role);
  const client = rig.connect(admitted);
  await client.hearsQuestion(1);
  let seq = 0;
  const say = (...frames: readonly Uint8Array[]): void =>
    frames.forEach((pcm) => client.speak({ turn: 1, seq: ++seq, pcm }));
  return { rig, admitted, client, hears, say };
};

afterEach(dropAll);

describe('a pause within an answer', () => {
  it.each<[string, Partial<RoleDefinition>, number, number]>([
    ['2.5 s, unless the role says otherwise', {}, 2_400, 2_600],
    ['what the role says', { answerPauseMs: 500 }, 440, 540],
    ['what the role says', { answerPauseMs: 4_000 }, 3_900, 4_100],
  ])('ends it after %s', async (_, role, before, after) => {
    const { client, say } = await speaking(role);
    say(...spoken(1_000), ...spoken(before, false), ...spoken(600), ...spoken(before, false));
    await sleep(150);
    expect(client.of('transcript.final')).toEqual([]);
    expect(client.of('speech.started')).toHaveLength(1);
    say(...spoken(after - before + 100, false));
    const { text } = await client.hears('transcript.final');
    // Both halves, whole.
    expect(Number(text)).toBeGreaterThanOrEqual((1_000 + before + 600) / 20);
    expect(client.of('transcript.final')).toHaveLength(1);
  });

  it('is as long for a candidate who was granted more time', async () => {
    const { rig, admitted, client, say } = await speaking({ answerPauseMs: 500 });
    await rig.accommodate(admitted, 3);
    await client.hears('session.limits');
    client.say({ type: 'message.text', id: 'a', turn: 1, text: 'Typed.' });
    await client.hearsQuestion(2);
    let seq = 0;
    const frames = [...spoken(1_000), ...spoken(1_400, false)];
    for (const pcm of frames) client.speak({ turn: 2, seq: ++seq, pcm });
    await sleep(150);
    expect(client.of('transcript.final')).toHaveLength(1);
    for (const pcm of spoken(300, false)) client.speak({ turn: 2, seq: ++seq, pcm });
    expect(await client.hears('transcript.final', 2)).toMatchObject({ turn: 2, source: 'transcribed' });
    say();
  });

  it('that ended it is none where the candidate speaks on before it is recorded: it is transcribed anew', async () => {
    const { client, hears, say } = await speaking({ answerPauseMs: 500 }, 400);
    say(...spoken(1_000), ...spoken(600, false));
    await client.hears('transcript.pending');
    say(...spoken(1_000));
    await client.hears('speech.started', 2);
    say(...spoken(600, false));
    expect(await client.hears('transcript.final')).toMatchObject({ turn: 1, text: `${3_200 / 20}` });
    expect(hears.heard).toHaveLength(1);
    expect(client.of('transcript.final')).toHaveLength(1);
  });

  it('is none either where the first sound of the rest comes as the answer is about to be recorded', async () => {
    const { client, say } = await speaking({ answerPauseMs: 500 }, 100);
    say(...spoken(1_000), ...spoken(600, false));
    await client.hears('transcript.pending');
    // Too little to be speech yet when the transcriber answers.
    say(...spoken(100));
    await sleep(200);
    expect(client.of('transcript.final')).toEqual([]);
    say(...spoken(500), ...spoken(600, false));
    expect(await client.hears('transcript.final')).toMatchObject({ text: `${2_800 / 20}` });
  });

  it.each([
    ['noise', () => [...Buffer.alloc(10)].map((_, at) => hiss(at))],
    ['a tone', () => Array.from({ length: 10 }, () => tone(20, 440, 8_000))],
  ])('is not ended or made by 200 ms of %s', async (_, burst) => {
    const { client, hears, say } = await speaking({ answerPauseMs: 500 });
    say(...spoken(1_000, false), ...burst(), ...spoken(2_000, false));
    await sleep(150);
    for (const type of ['speech.started', 'transcript.pending', 'transcript.final'] as const)
      expect(client.of(type)).toEqual([]);
    expect(hears.heard).toEqual([]);
    say(...spoken(1_000), ...spoken(300, false), ...burst(), ...spoken(300, false), ...spoken(600));
    await sleep(150);
    expect(client.of('transcript.final')).toEqual([]);
    say(...spoken(700, false));
    await client.hears('transcript.final');
    expect(client.of('speech.started')).toHaveLength(1);
  });
});

const hiss = (seed: number): Uint8Array => {
  let state = seed + 1;
  const pcm = Buffer.alloc(640);
  for (let at = 0; at < pcm.length; at += 2) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    pcm.writeInt16LE(Math.round((state / 2 ** 31) * 12_000), at);
  }
  return pcm;
};

it('turns are the same however their audio is cut into frames', () => {
  const parts = fc.array(
    fc.record({ ms: fc.integer({ min: 1, max: 60 }).map((n) => 20 * n), isLoud: fc.boolean() }),
    { minLength: 1, maxLength: 8 },
  );
  const cuts = fc.array(fc.integer({ min: 20, max: 100 }), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(parts, cuts, (signal, sizes) => {
      const audio = Buffer.concat(signal.flatMap(({ ms, isLoud }) => spoken(ms, isLoud)));
      const heard = (size: (nth: number) => number) => {
        const turn = new SpokenTurn(new QuestionClock(1, () => 0), 500);
        const starts: number[] = [];
        for (let at = 0, nth = 0; at < audio.byteLength; nth += 1) {
          const next = Math.min(audio.byteLength, at + size(nth));
          const was = turn.speaking;
          turn.hear(audio.subarray(at, next), 0, false);
          if (turn.speaking && !was) starts.push(1);
          at = next;
        }
        return { isOver: turn.isOver, speaking: turn.speaking, durationMs: turn.durationMs, starts };
      };
      expect(heard((nth) => (sizes[nth % sizes.length] ?? 20) * 32)).toEqual(heard(() => 640));
    }),
    { numRuns: 60 },
  );
});

it('an answer ends by its pause also where the rest of it comes on another connection', async () => {
  const { rig, admitted, client, say } = await speaking({ answerPauseMs: 1_000 });
  say(...spoken(1_000), ...spoken(600, false));
  await eventually(() => client.of('audio.ack').some(({ lastAudioSeq }) => lastAudioSeq === 80));
  client.drop();
  const back = rig.connect(admitted);
  await back.hearsQuestion(1);
  spoken(300, false).forEach((pcm, at) => back.speak({ turn: 1, seq: 81 + at, pcm }));
  await sleep(150);
  expect(back.of('transcript.final')).toEqual([]);
  spoken(300, false).forEach((pcm, at) => back.speak({ turn: 1, seq: 96 + at, pcm }));
  expect(await back.hears('transcript.final')).toMatchObject({ turn: 1 });
});
