import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Interview } from '../../domain/session/interview-state.js';
import { InterviewClock, QuestionClock } from './clocks.js';

const MINUTE = 60_000;
const WALL = Date.parse('2026-03-01T10:00:00.000Z');

/** The monotonic time of the process. */
let time = 0;

beforeEach(() => {
  time = 5_000;
  jest.spyOn(performance, 'now').mockImplementation(() => time);
});

afterEach(() => {
  jest.restoreAllMocks();
});

describe('the time of an interview', () => {
  /** An interview of which 10 minutes had passed so long ago. */
  const measured = (agoMs: number): Interview =>
    ({
      endsAt: new Date(WALL + 50 * MINUTE).toISOString(),
      elapsed: { ms: 10 * MINUTE, at: new Date(WALL - agoMs).toISOString() },
    }) as unknown as Interview;

  it('begins with the first question alone', () => {
    const clock = new InterviewClock(null, false, WALL);
    time += MINUTE;
    expect(clock.elapsedMs).toBeNull();
    expect(clock.remainingMs).toBe(60 * MINUTE);
    clock.begin();
    time += 2 * MINUTE;
    clock.begin();
    time += MINUTE;
    expect(clock.elapsedMs).toBe(3 * MINUTE);
    expect(clock.remainingMs).toBe(57 * MINUTE);
  });

  it.each([
    ['counts as it was, where it was short', 1, MINUTE, false, 11 * MINUTE],
    ['counts as 2 minutes, where the clocks differ', 1, 60 * MINUTE, false, 12 * MINUTE],
    ['counts as 3 minutes for a candidate with 1.5 times the time', 1.5, 60 * MINUTE, false, 13 * MINUTE],
    ['counts whole, where the session was interrupted', 1, 20 * MINUTE, true, 30 * MINUTE],
    ['counts as none, where this process’s clock is behind', 1, -20 * MINUTE, true, 10 * MINUTE],
  ])('between two connections %s', (_, timeFactor, agoMs, wasInterrupted, elapsedMs) => {
    const clock = new InterviewClock(measured(agoMs), wasInterrupted, WALL, timeFactor);
    expect(clock.elapsedMs).toBe(elapsedMs);
    clock.begin();
    time += MINUTE;
    expect(clock.elapsedMs).toBe(elapsedMs + MINUTE);
    expect(clock.remainingMs).toBe(60 * MINUTE * timeFactor - elapsedMs - MINUTE);
  });

  it('follows a factor that is changed meanwhile, and is never negative', () => {
    const clock = new InterviewClock(measured(0), false, WALL);
    time += 55 * MINUTE;
    expect(clock.remainingMs).toBe(0);
    clock.timeFactor = 2;
    expect(clock.remainingMs).toBe(55 * MINUTE);
  });
});

describe('the wait of a question', () => {
  const ELSEWHERE_MS = 700;
  /** A question that has waited on another connection. */
  const asked = (askedAt?: number): QuestionClock => new QuestionClock(1, () => ELSEWHERE_MS, askedAt);

  it('adds what it waited elsewhere, until its speech is sent or played here', () => {
    const read = asked();
    time += 100;
    expect(read.waitedBy(time)).toBe(ELSEWHERE_MS + 100);
    expect(read.stretch(null)).toEqual({ turn: 1, ms: 100, anew: false });

    const sent = asked();
    time += 100;
    sent.sent();
    time += 40;
    expect(sent.waitedBy(time)).toBe(40);
    expect(sent.stretch(null)).toEqual({ turn: 1, ms: 40, anew: true });

    const played = asked();
    time += 100;
    played.played(50, time, 1_000);
    time += 30;
    expect(played.waitedBy(time)).toBe(30);
    expect(played.stretch(null)).toEqual({ turn: 1, ms: 30, anew: true });
  });

  it('has as this connection’s part what is left of a measured gap', () => {
    expect(asked().stretch(ELSEWHERE_MS + 250)).toEqual({ turn: 1, ms: 250, anew: false });
    const sent = asked();
    sent.sent();
    expect(sent.stretch(250)).toEqual({ turn: 1, ms: 250, anew: true });
    expect(asked().stretch(ELSEWHERE_MS - 1).ms).toBe(0);
  });

  it('does not begin anew with a playback that does not progress', () => {
    const question = asked();
    time += 1;
    question.played(500, time, 1_000);
    time += 100;
    question.played(500, time, 1_000);
    question.played(200, time, 1_000);
    expect(question.waitedBy(time)).toBe(100);
    // It had progressed to its end: nothing more of it can be played.
    question.played(1_000, time, 1_000);
    time += 100;
    question.played(1_500, time, 1_000);
    expect(question.waitedBy(time)).toBe(100);
  });

  it('does not begin anew later than the speech can last, and a second for the player', () => {
    const question = asked();
    question.sent();
    const sentAt = time;
    time += 10_000;
    question.played(300, time, 400);
    expect(question.waitedBy(time)).toBe(10_000 - 400 - 1_000);
    expect(time - sentAt).toBe(10_000);
  });

  it('counts that length from when the question was asked, where another connection sent it', () => {
    const question = asked(time - 3_000);
    time += 50;
    question.played(300, time, 400);
    // Playback cannot have progressed since this connection began.
    expect(question.waitedBy(time)).toBe(ELSEWHERE_MS + 50);
  });

  it('goes on from the end of a playback, never from earlier', () => {
    const question = asked();
    question.played(100, time, 1_000);
    time += 300;
    question.sent();
    question.played(200, time - 200, 1_000);
    time += 50;
    expect(question.waitedBy(time)).toBe(50);
  });

  it('goes on when its connection resumes', () => {
    const question = asked();
    time += 400;
    question.resume();
    time += 100;
    expect(question.waitedBy(time)).toBe(ELSEWHERE_MS + 100);
  });

  it('leaves out what is spoken again, as long as that has played, once for each repetition', () => {
    const question = asked();
    question.sent();
    time += 1_000;
    question.repeat()(600);
    time += 200;
    expect(question.waitedBy(time)).toBe(1_000);
    time += 500;
    expect(question.waitedBy(time)).toBe(1_100);
    question.repeat()(300);
    time += 1_000;
    expect(question.waitedBy(time)).toBe(1_800);
  });
});

describe('a question', () => {
  it('is heard once a second of it was played, or a second and a half after it could be read', () => {
    const played = new QuestionClock(1, () => 0);
    played.played(999, time, 5_000);
    expect(played.isHeardBy(time)).toBe(false);
    played.played(1_000, time, 5_000);
    expect(played.isHeardBy(time)).toBe(true);

    const shown = new QuestionClock(1, () => 0);
    expect(shown.isHeardBy(time + MINUTE)).toBe(false);
    shown.shown();
    time += 1_000;
    // Neither showing it again nor sending more of its speech puts that off.
    shown.shown();
    shown.sent();
    expect(shown.isHeardBy(time + 499)).toBe(false);
    expect(shown.isHeardBy(time + 500)).toBe(true);
  });
});
