import { describe, expect, it } from '@jest/globals';
import {
  type Action,
  dueWarning,
  EMPTY_ROOM,
  nextRoom,
  openExchange,
  recordedSince,
  refusalOf,
  type RoomEvent,
  type RoomState,
  savedState,
} from './room-state.js';

const after = (...events: readonly RoomEvent[]): RoomState => events.reduce(nextRoom, EMPTY_ROOM);
const HOUR = 3_600_000;
const question = (turn: number, now = 0): RoomEvent => ({
  type: 'question',
  turn,
  kind: 'planned',
  text: `Question ${turn}`,
  now,
  maxDurationMs: HOUR,
});
const answer = (turn: number, text: string): RoomEvent => ({ type: 'answer', turn, text, source: 'typed' });
const sent = (action: Action, turn: number): RoomEvent => ({ type: 'sent', action, turn });
const receipt = (action: Action, turn: number, code: string | null = null): RoomEvent => ({
  type: 'receipt',
  action,
  turn,
  receipt:
    code === null ? { acknowledged: true } : { acknowledged: false, ended: false, code, sentence: 'No.' },
});
const session = (expiresAt: string): RoomEvent => ({
  type: 'session',
  audio: { transcription: 'server', speech: 'server', recorded: true },
  expiresAt,
});

describe('the room', () => {
  it('has the question open that was asked last and has no answer', () => {
    expect(openExchange(after())).toBeNull();
    expect(openExchange(after(question(1)))).toMatchObject({ turn: 1, answer: null });
    expect(openExchange(after(question(1), answer(1, 'A')))).toBeNull();
    expect(openExchange(after(question(1), answer(1, ''), question(2)))).toMatchObject({ turn: 2 });
  });

  it('keeps a later answer beside the first', () => {
    const { exchanges } = after(question(1), answer(1, 'A'), question(2), answer(1, 'B'), answer(1, 'C'));
    expect(exchanges[0]).toMatchObject({ answer: 'A', later: ['B', 'C'] });
  });

  it('is saved only when the service has confirmed everything, and says when it cannot', () => {
    const ready: RoomEvent = { type: 'connection', name: 'ready' };
    expect(savedState(after())).toBe('reconnecting');
    expect(savedState(after(ready))).toBe('saved');
    const two = [sent('answer', 1), sent('answer', 1)];
    expect(savedState(after(ready, ...two, receipt('answer', 1)))).toBe('saving');
    expect(savedState(after(ready, sent('answer', 1), receipt('answer', 1)))).toBe('saved');
    expect(savedState(after(ready, sent('answer', 1), receipt('answer', 1)), 1)).toBe('saving');
    const reconnecting: RoomEvent = { type: 'connection', name: 'reconnecting' };
    expect(savedState(after(ready, sent('answer', 1), reconnecting))).toBe('reconnecting');
  });

  it.each(['answer', 'correction', 'skip', 'commit', 'interrupt', 'end'] as const)(
    'shows every receipt that is no acknowledgement: %s',
    (action) => {
      const ready: RoomEvent = { type: 'connection', name: 'ready' };
      const refused = after(ready, question(1), sent(action, 1), receipt(action, 1, 'session_full'));
      expect(refusalOf(refused, action, 1)).toEqual({ action, turn: 1, code: 'session_full' });
      // Nothing that the candidate would lose by it.
      expect(savedState(refused)).toBe(action === 'interrupt' ? 'saved' : 'unsaved');
      const again = [sent(action, 1), receipt(action, 1)].reduce(nextRoom, refused);
      expect(refusalOf(again, action, 1)).toBeNull();
      expect(savedState(again)).toBe('saved');
    },
  );

  it('shows no refusal of what has come in another way', () => {
    const answered = after(question(1), sent('skip', 1), answer(1, 'A'), receipt('skip', 1, 'bad_message'));
    expect(answered.refusals).toEqual([]);
    const over = after(question(1), sent('end', 1), { type: 'ended', by: 'completed' });
    const ended = { acknowledged: false, ended: true, code: 'ended', sentence: '' } as const;
    const event = { type: 'receipt', action: 'end', turn: 1, receipt: ended } as const;
    expect(nextRoom(over, event).refusals).toEqual([]);
    // Whether this one was recorded is unknown.
    const lost = after(question(1), sent('answer', 1), { type: 'ended', by: 'unreachable' });
    expect(nextRoom(lost, { ...event, action: 'answer' }).refusals).toMatchObject([{ code: 'ended' }]);
  });

  it('closes a skipped question, to which a text is a later answer', () => {
    const skipped = after(question(1), { type: 'skipped', turn: 1 }, question(2), answer(1, 'After all'));
    expect(skipped.exchanges[0]).toMatchObject({ answer: '', skipped: true, later: ['After all'] });
    expect(openExchange(skipped)).toMatchObject({ turn: 2 });
  });

  it('knows that speech is being turned into text until there is an outcome', () => {
    const pending: RoomEvent = { type: 'transcribing', turn: 1 };
    expect(after(question(1), pending).transcribing).toBe(1);
    const outcomes: readonly RoomEvent[] = [
      answer(1, 'A'),
      { type: 'skipped', turn: 1 },
      { type: 'problem', code: 'no_words' },
      { type: 'problem', code: 'transcription_failed' },
      receipt('commit', 1, 'transcription_failed'),
      { type: 'heard', speech: true },
      { type: 'connection', name: 'reconnecting' },
    ];
    for (const outcome of outcomes)
      expect(after(question(1), sent('commit', 1), pending, outcome).transcribing).toBeNull();
  });

  it('warns at 10, 5 and 1 minutes, of those that a sleeping tab missed the last', () => {
    const minute = 60_000;
    expect([11, 10.01].map((left) => dueWarning(left * minute))).toEqual([null, null]);
    expect([10, 6, 5, 1.5, 1, 0.1].map((left) => dueWarning(left * minute))).toEqual([10, 10, 5, 5, 1, 1]);
  });

  it('ends when the service says so, or as long after its first question as an interview takes', () => {
    const invited = session('2026-02-01T00:00:00.000Z');
    expect(after(invited, question(1, 5_000)).deadline).toBe(5_000 + HOUR);
    expect(after(invited, question(1, 5_000), question(2, 90_000)).deadline).toBe(5_000 + HOUR);
    // After a reload the questions come again, and the service knows the end.
    expect(after(session(new Date(HOUR).toISOString()), question(1, 90_000)).deadline).toBe(HOUR);
    // More time was granted before the connection broke and came back.
    const later = session(new Date(1.5 * HOUR).toISOString());
    expect(after(invited, question(1, 5_000), later).deadline).toBe(1.5 * HOUR);
  });

  it('forgets a caption with the next question or answer', () => {
    const spoken: RoomEvent = { type: 'caption', text: 'I mov' };
    expect(after(question(1), spoken).caption).toBe('I mov');
    expect(after(question(1), spoken, answer(1, 'I moved it.')).caption).toBe('');
    expect(after(question(1), spoken, question(2)).caption).toBe('');
  });
});

it('what was recorded between two states is each text once, in the order of the turns', () => {
  const before = after(question(1), answer(1, 'First.'), question(2));
  const events = [answer(2, ''), answer(1, 'A correction.'), answer(2, 'What was said.'), question(3)];
  expect(recordedSince(before, events.reduce(nextRoom, before))).toEqual([
    { question: 'Question 1', text: 'A correction.' },
    { question: 'Question 2', text: 'What was said.' },
  ]);
});
