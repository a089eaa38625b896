import { describe, expect, it } from '@jest/globals';
import {
  EMPTY_ROOM,
  nextRoom,
  openExchange,
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
    expect(savedState(after(ready, { type: 'sent' }, { type: 'sent' }, { type: 'receipt' }))).toBe('saving');
    expect(savedState(after(ready, { type: 'sent' }, { type: 'receipt' }))).toBe('saved');
    expect(savedState(after(ready, { type: 'sent' }, { type: 'connection', name: 'reconnecting' }))).toBe(
      'reconnecting',
    );
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
