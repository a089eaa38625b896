import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { ActivityEvent } from '../../../packages/interview-client/src/index.js';
import { ApiFailure } from '../../shared/api.js';
import type { ListableStorage } from '../../shared/storage.js';
import { ActivityLog } from './activity-log.js';
import { pastePayload } from './recording.js';

const inMemory = (): ListableStorage & { readonly values: Map<string, string> } => {
  const values = new Map<string, string>();
  return {
    values,
    get: (name) => values.get(name) ?? null,
    set: (name, value) => {
      if (value === null) values.delete(name);
      else if (!isFull) values.set(name, value);
    },
    names: (prefix) => [...values.keys()].filter((name) => name.startsWith(prefix)),
  };
};

/** A browser that keeps nothing, as in private windows. */
let isFull = false;

describe('the log of activity', () => {
  let answers: (ApiFailure | null)[];
  let sent: string[][];
  let last: ActivityEvent[][];
  let lost: [number, string][];
  let refused: (events: readonly ActivityEvent[]) => boolean;
  let ids = 0;
  let storage: ReturnType<typeof inMemory>;

  beforeEach(() => {
    jest.useFakeTimers();
    [answers, sent, last, lost, storage] = [[], [], [], [], inMemory()];
    refused = () => false;
    isFull = false;
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  const open = (now = Date.now): ActivityLog => {
    return new ActivityLog({
      storage,
      now,
      name: 'activity.s',
      newId: () => `${(ids += 1)}`,
      lost: (count, why) => lost.push([count, why]),
      alone: (work) => work(),
      sendLast: async (events: readonly ActivityEvent[]) => void last.push([...events]),
      send: async (events: readonly ActivityEvent[]) => {
        const failure = answers.shift();
        if (failure) throw failure;
        if (refused(events)) throw new ApiFailure(400, 'validation_failed', 'No.');
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
    expect(storage.names('activity.s/')).toEqual([]);
  });

  it('is sent before what ends the session, which a slow network does not hold up', async () => {
    const log = open();
    await log.flushed();
    log.add('clipboard.pasted');
    await log.flushed();
    expect(sent).toEqual([['clipboard.pasted']]);
    const slow = new ActivityLog({
      ...{ storage, name: 'activity.t' },
      send: () => new Promise(() => undefined),
      sendLast: () => new Promise(() => undefined),
      lost: () => undefined,
      alone: (work) => work(),
    });
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

  it('tells what is done later as later, also by a tab whose clock is behind that of another', () => {
    const [ahead, behind] = [open(() => Date.now() + 900), open()];
    for (const [at, log] of [ahead, behind, ahead, behind].entries()) log.add(`${at}`);
    const order = behind.waiting().map(({ eventType }) => eventType);
    expect(order).toEqual(['0', '1', '2', '3']);
    expect(new Set(behind.waiting().map(({ occurredAt }) => occurredAt)).size).toBe(4);
  });

  it('tells what is done later as later also where two tabs that write at once overwrite what they share', () => {
    const [ahead, behind] = [open(() => Date.now() + 900), open()];
    behind.add('0');
    const overwritten = storage.get('latest.activity.s');
    ahead.add('1');
    storage.set('latest.activity.s', overwritten);
    behind.add('2');
    expect(behind.waiting().map(({ eventType }) => eventType)).toEqual(['0', '1', '2']);
  });

  it.each([
    [0, 'offline'],
    [401, 'missing_token'],
    [408, 'x'],
    [409, 'conflict'],
    [409, 'not_started'],
    [425, 'x'],
    [429, 'rate_limited'],
    [500, 'internal'],
    [503, 'unavailable'],
    // As a network's own page answers in place of the service.
    [403, 'unknown'],
    [404, 'unknown'],
  ])('keeps and sends again what may yet succeed: %i %s', async (status, code) => {
    answers = [new ApiFailure(status, code, 'No.'), null];
    const log = open();
    log.add('ticket.started', { ticketId: 'T-1' });
    await jest.advanceTimersByTimeAsync(3_000);
    expect([sent, log.size]).toEqual([[], 1]);
    await jest.advanceTimersByTimeAsync(10_000);
    expect([sent, log.size]).toEqual([[['ticket.started']], 0]);
  });

  it.each([
    [409, 'session_ended', 'over'],
    [404, 'not_found', 'over'],
    [413, 'session_full', 'full'],
  ])('drops and tells what can never succeed: %i %s', async (status, code, why) => {
    answers = [new ApiFailure(status, code, 'No.')];
    const log = open();
    log.add('page.hidden');
    log.add('page.shown');
    await log.flush();
    expect([sent, log.size, lost]).toEqual([[], 0, [[2, why]]]);
  });

  it('drops of a refused batch only the one that can never succeed', async () => {
    refused = (events) => events.some(({ eventType }) => eventType === 'bad');
    const log = open();
    for (const type of ['a', 'b', 'bad', 'c', 'd', 'bad', 'e']) log.add(type);
    await log.flush();
    expect(sent.flat()).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(lost).toEqual([
      [1, 'invalid'],
      [1, 'invalid'],
    ]);
    expect(log.size).toBe(0);
  });

  it('waits as long as the service asks', async () => {
    answers = [new ApiFailure(429, 'rate_limited', 'No.', 30_000), null];
    const log = open();
    log.add('a');
    await jest.advanceTimersByTimeAsync(32_000);
    expect(sent).toEqual([]);
    await jest.advanceTimersByTimeAsync(2_000);
    expect(sent).toEqual([['a']]);
  });

  it('is shared by tabs: none overwrites what another keeps, and any sends it', async () => {
    const [one, other] = [open(), open()];
    one.add('a');
    other.add('b');
    one.add('c');
    one.close();
    expect(other.waiting().map(({ eventType }) => eventType)).toEqual(
      expect.arrayContaining(['a', 'b', 'c']),
    );
    await other.flush();
    await one.flush();
    expect(sent.flat().sort()).toEqual(['a', 'b', 'c']);
    expect([one.size, storage.names('activity.s/')]).toEqual([0, []]);
  });

  it('sends what fits at once when the page goes, and keeps it until it is confirmed', async () => {
    const log = open();
    for (let count = 0; count < 20; count += 1) log.add('big', { text: 'x'.repeat(5_000) });
    log.sendLast();
    expect(last).toHaveLength(1);
    expect(JSON.stringify(last[0]).length).toBeLessThan(60 * 1024);
    const size = last[0]?.length ?? 0;
    expect([size > 5, log.size]).toEqual([true, 20]);
    await jest.advanceTimersByTimeAsync(0);
    expect(log.size).toBe(20 - size);
  });

  it('works where the browser keeps nothing', async () => {
    isFull = true;
    const log = open();
    log.add('a');
    expect(log.size).toBe(1);
    await log.flush();
    expect([sent, log.size]).toEqual([[['a']], 0]);
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
    for (const text of ['{', '[]', '3', '{"eventType":"a"}']) storage.set(`activity.s/${text}`, text);
    expect([open().size, storage.values.size]).toEqual([0, 0]);
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
