import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { ActivityEvent } from '../packages/interview-client/src/index.js';
import { ActivityLog } from './activity-log.js';
import { ApiFailure } from './api.js';
import type { Kept } from './kept.js';
import { pastePayload } from './signals-of-work.js';

const inMemory = (): Kept & { readonly values: Map<string, string> } => {
  const values = new Map<string, string>();
  return {
    values,
    get: (name) => values.get(name) ?? null,
    set: (name, value) => {
      if (value === null) values.delete(name);
      else values.set(name, value);
    },
  };
};

describe('the log of activity', () => {
  let answers: (ApiFailure | null)[];
  let sent: string[][];
  let kept: ReturnType<typeof inMemory>;

  beforeEach(() => {
    jest.useFakeTimers();
    [answers, sent, kept] = [[], [], inMemory()];
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  const open = (): ActivityLog => {
    let ids = 0;
    return new ActivityLog({
      kept,
      name: 'activity.s',
      newId: () => `${(ids += 1)}`,
      send: async (events: readonly ActivityEvent[]) => {
        const failure = answers.shift();
        if (failure) throw failure;
        sent.push(events.map(({ eventType }) => eventType));
      },
    });
  };

  it('sends together what happens together, in order', async () => {
    const log = open();
    log.add('page.hidden');
    log.add('page.shown');
    expect(sent).toEqual([]);
    await jest.advanceTimersByTimeAsync(3_000);
    expect(sent).toEqual([['page.hidden', 'page.shown']]);
    expect(log.size).toBe(0);
    expect(kept.values.size).toBe(0);
  });

  it('is sent before what ends the session, which a slow network does not hold up', async () => {
    const log = open();
    await log.flushed();
    log.add('clipboard.pasted');
    await log.flushed();
    expect(sent).toEqual([['clipboard.pasted']]);
    const slow = new ActivityLog({ kept, name: 'activity.t', send: () => new Promise(() => undefined) });
    slow.add('page.hidden');
    const ended = slow.flushed();
    await jest.advanceTimersByTimeAsync(2_000);
    await ended;
    expect(slow.size).toBe(1);
  });

  it('sends at most a hundred at once', async () => {
    const log = open();
    for (let count = 0; count < 201; count += 1) log.add('page.hidden');
    await log.flush();
    expect(sent.map(({ length }) => length)).toEqual([100, 100, 1]);
  });

  it.each([0, 401, 429, 503])('sends again what failed with %i', async (status) => {
    answers = [new ApiFailure(status, 'x', 'No.'), null];
    const log = open();
    log.add('ticket.started', { ticketId: 'T-1' });
    await jest.advanceTimersByTimeAsync(3_000);
    expect([sent, log.size]).toEqual([[], 1]);
    await jest.advanceTimersByTimeAsync(10_000);
    expect([sent, log.size]).toEqual([[['ticket.started']], 0]);
  });

  it('gives up what the service refuses, and goes on', async () => {
    answers = [new ApiFailure(409, 'session_ended', 'It has ended.')];
    const log = open();
    log.add('page.hidden');
    await log.flush();
    log.add('page.shown');
    await log.flush();
    expect(sent).toEqual([['page.shown']]);
  });

  it('outlives a reload', async () => {
    const before = open();
    before.add('clipboard.pasted', { characters: 3, nonBlankCharacters: 3 });
    before.close();
    open();
    await jest.advanceTimersByTimeAsync(0);
    expect(sent).toEqual([['clipboard.pasted']]);
  });

  it('starts empty if what was kept cannot be read', () => {
    kept.set('activity.s', '{');
    expect(open().size).toBe(0);
  });
});

describe('a paste', () => {
  it('is counted, and its text is not recorded', () => {
    const payload = pastePayload('a b\n😀', []);
    expect(payload).toEqual({ characters: 5, nonBlankCharacters: 3 });
  });

  it('is from the task if the task has it', () => {
    const task = 'Fix the parser, which drops\nthe last token of each line.';
    expect(pastePayload('which drops the last token', [task])).toMatchObject({ source: 'prompt' });
    expect(pastePayload('the parser', [task])).not.toHaveProperty('source');
    expect(pastePayload('something that is written nowhere', [task])).not.toHaveProperty('source');
  });
});
