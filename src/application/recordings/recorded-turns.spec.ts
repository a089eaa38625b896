import { describe, expect, it } from '@jest/globals';
import { stored } from '../../../test/support/given-when-then.js';
import type { TrialEvent } from '../../domain/session/events.js';
import { lateNumber } from '../../vault/late-turns.js';
import { isNeeded, recordedAudio, recordedTurns } from './recorded-turns.js';

type Voice = { readonly durationMs: number; readonly kept: boolean } | null;

const answer = (turn: number, voice: Voice, late = false, source = 'transcribed'): TrialEvent =>
  ({ type: 'interview.answer_recorded', data: { turn, voice, late, source } }) as unknown as TrialEvent;
const asked = { type: 'interview.question_asked', data: { turn: 4 } } as unknown as TrialEvent;
const ended = (type: string) => ({ type, data: {} }) as unknown as TrialEvent;
const spoken = (kept: boolean): Voice => ({ durationMs: 900, kept });

const of = (...events: readonly TrialEvent[]) =>
  recordedTurns(events.map((event, revision) => stored(event, { revision })));
const needed = async (...events: readonly TrialEvent[]) => {
  const recorded = await of(...events);
  return [1, 2, 3, 4].filter((turn) => isNeeded(recorded, turn));
};

describe('audio that is needed', () => {
  const answers = [answer(1, spoken(true)), answer(2, spoken(false)), answer(3, null), asked];

  it('is that of open turns and of closed ones that are kept', async () => {
    expect(await needed()).toEqual([1, 2, 3, 4]);
    expect(await needed(...answers)).toEqual([1, 4]);
  });

  it.each(['trial.completed', 'trial.withdrawn', 'trial.expired'])(
    'is what is kept alone after %s',
    async (type) => {
      expect(await needed(...answers, ended(type))).toEqual([1]);
      expect(await needed(ended(type))).toEqual([]);
    },
  );

  it('is of a skipped turn as of an answered one', async () => {
    const skip = (turn: number, voice: Voice): TrialEvent =>
      ({ type: 'interview.turn_skipped', data: { turn, voice } }) as unknown as TrialEvent;
    expect(await needed(skip(1, spoken(true)), skip(2, spoken(false)), skip(3, null))).toEqual([1, 4]);
  });

  it('is late speech to the end of the session, and beyond it what could not be transcribed', async () => {
    const numbers = [1, 2, 4].map((turn) => lateNumber({ turn, firstSeq: 7 }));
    const late = async (...events: readonly TrialEvent[]) => {
      const recorded = await of(...answers, ...events);
      return numbers.map((number) => isNeeded(recorded, number));
    };
    expect(await late()).toEqual([true, true, true]);
    expect(await late(answer(2, spoken(true), true), ended('trial.completed'))).toEqual([false, true, false]);
  });

  it.each(['typed', 'speech'])(
    'is the speech of a turn that a text has closed (%s) to the end of the session, and beyond it what could not be transcribed',
    async (source) => {
      const text = answer(2, spoken(false), false, source);
      expect(await needed(text)).toEqual([1, 2, 3, 4]);
      expect(await needed(text, ended('trial.completed'))).toEqual([]);
      expect(await needed(text, answer(2, null, true), ended('trial.completed'))).toEqual([]);
      expect(await needed(text, answer(2, spoken(true), true), ended('trial.completed'))).toEqual([2]);
    },
  );

  it('is not changed by what comes late, nor by an interruption', async () => {
    expect(await needed(...answers, answer(1, null, true), answer(2, spoken(true), true))).toEqual([1, 4]);
    expect(await needed(answer(4, null, true), ended('trial.interrupted'))).toEqual([1, 2, 3, 4]);
    const [typed, unheard] = [answer(2, null, true, 'typed'), answer(2, spoken(true), true)];
    expect(await needed(...answers, typed, unheard, ended('trial.completed'))).toEqual([1]);
  });
});

describe('the recording of a turn', () => {
  const first = lateNumber({ turn: 2, firstSeq: 7 });
  const second = lateNumber({ turn: 2, firstSeq: 90 });
  const ofNext = lateNumber({ turn: 3, firstSeq: 200 });
  const stored = new Map([ofNext, second, 3, first, 2].map((number) => [number, 640]));

  it.each<[string, readonly TrialEvent[], readonly number[]]>([
    ['its own speech', [answer(2, spoken(true)), answer(3, spoken(true))], [2]],
    ['its late speech', [answer(2, spoken(false)), answer(2, spoken(true), true)], [first, second]],
    ['both', [answer(2, spoken(true)), answer(2, spoken(true), true)], [2, first, second]],
    ['nothing', [answer(2, spoken(false)), answer(3, spoken(true), true)], []],
  ])('is %s in the order in which it was said, as far as it is kept', async (_, events, numbers) => {
    expect(recordedAudio(await of(...events), 2, stored)).toEqual(numbers);
  });

  it('has nothing that is not stored any more', async () => {
    expect(recordedAudio(await of(answer(1, spoken(true))), 1, stored)).toEqual([]);
  });

  it('begins with the first event of a session', async () => {
    expect(await of()).toMatchObject({ begun: false, ended: false });
    expect(await of(asked)).toMatchObject({ begun: true, ended: false });
  });
});
