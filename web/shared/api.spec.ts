import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Api, ApiFailure } from './api.js';
import { TRY_MS } from './request.js';

type Answer = number | 'hangs' | 'hangs in the body' | 'breaks' | { status: number; retryAfter: string };

describe('a request of the page', () => {
  let answers: Answer[];
  let asked: { method: string; key: string | null; token: string | null; body: unknown }[];
  let renewals: (string | null)[];

  beforeEach(() => {
    jest.useFakeTimers();
    [answers, asked, renewals] = [[], [], []];
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  /** As a network that answers nothing, and a browser that does not heed the abort. */
  const never = <T>(): Promise<T> => new Promise(() => undefined);
  const send = (async (_url: string, { method = '', headers, body }: RequestInit) => {
    const given = new Headers(headers);
    const token = given.get('Authorization')?.replace('Bearer ', '') ?? null;
    asked.push({ method, key: given.get('Idempotency-Key'), token, body });
    const answer = answers.shift() ?? 200;
    if (answer === 'hangs') return never<Response>();
    if (answer === 'breaks') throw new TypeError('Failed to fetch');
    const status = typeof answer === 'number' ? answer : typeof answer === 'object' ? answer.status : 200;
    const response = new Response(JSON.stringify({ status, code: status === 409 ? 'conflict' : 'other' }), {
      status,
      headers: typeof answer === 'object' ? { 'Retry-After': answer.retryAfter } : {},
    });
    if (answer === 'hangs in the body') response.text = () => never<string>();
    return response;
  }) as typeof fetch;
  const open = (): Api =>
    new Api({
      base: 'https://assay.example/',
      token: async () => 'first',
      tokenNow: () => null,
      renew: async () => renewals.shift() ?? null,
      fetch: send,
    });
  /** Lets so much time pass. @returns what came of it by then */
  const after = async <T>(sent: Promise<T>, ms: number): Promise<T | ApiFailure | 'waits'> => {
    let came: T | ApiFailure | 'waits' = 'waits';
    void sent.then(
      (answer) => (came = answer),
      (error: unknown) => (came = error as ApiFailure),
    );
    await jest.advanceTimersByTimeAsync(ms);
    return came;
  };

  it.each(['hangs', 'hangs in the body', 'breaks', 408, 409, 425, 429, 500, 503] as const)(
    'is tried again after one that %s, as the same command',
    async (fault) => {
      answers = [fault, fault, 200];
      expect(await after(open().post('x', { a: 1 }), 3 * TRY_MS)).toEqual({ status: 200, code: 'other' });
      expect(asked).toHaveLength(3);
      expect(new Set(asked.map(({ key }) => key)).size).toBe(1);
      expect(asked[0]?.key).toMatch(/^[0-9a-f-]{36}$/);
    },
  );

  it('ends in bounded time if nothing ever answers, and is the same command if it is made again', async () => {
    answers = Array.from({ length: 8 }, (): Answer => 'hangs');
    const api = open();
    expect(await after(api.post('x', {}), TRY_MS - 1)).toBe('waits');
    expect(await after(api.post('y', {}), 6 * TRY_MS)).toMatchObject({ status: 0, code: 'timeout' });
    answers = [];
    await after(api.post('x', {}), 0);
    const ofX = asked.filter(({ key }) => key === asked[0]?.key);
    expect(ofX).toHaveLength(5);
    // An answer ends the command: the next one is another.
    await after(api.post('x', {}), 0);
    expect(asked.at(-1)?.key).not.toBe(asked[0]?.key);
  });

  it.each([400, 403, 404, 413, 422])('that is refused with %d is not tried again', async (status) => {
    answers = [status];
    expect(await after(open().post('x', {}), 60_000)).toMatchObject({ status });
    expect(asked).toHaveLength(1);
  });

  it('waits as long as the service asks, but does not keep the candidate waiting for minutes', async () => {
    answers = [{ status: 429, retryAfter: '7' }];
    const api = open();
    const sent = api.get('x');
    expect(await after(sent, 6_900)).toBe('waits');
    expect(asked).toHaveLength(1);
    expect(await after(sent, 200)).toMatchObject({ status: 200 });
    answers = [{ status: 429, retryAfter: '600' }];
    expect(await after(api.get('x'), 0)).toMatchObject({ status: 429, retryAfterMs: 600_000 });
  });

  it('can be left while it waits, and between tries', async () => {
    answers = ['hangs'];
    let leaving = new AbortController();
    const waits = open().get('x', { signal: leaving.signal });
    expect(await after(waits, 1_000)).toBe('waits');
    leaving.abort();
    expect(await after(waits, 0)).toMatchObject({ code: 'cancelled' });
    answers = [503, 503];
    leaving = new AbortController();
    const pauses = open().get('x', { signal: leaving.signal });
    expect(await after(pauses, 100)).toBe('waits');
    leaving.abort();
    expect(await after(pauses, 0)).toMatchObject({ code: 'cancelled' });
    await jest.advanceTimersByTimeAsync(60_000);
    expect(asked).toHaveLength(2);
  });

  it('ends if it was left while a token was asked for, which failed', async () => {
    const leaving = new AbortController();
    const token = async (): Promise<string> => {
      leaving.abort();
      throw new ApiFailure(0, 'offline', 'There was no answer.');
    };
    const api = new Api({ base: '/', token, tokenNow: () => null, renew: async () => null, fetch: send });
    const left = api.get('x', { signal: leaving.signal });
    expect(await after(left, 0)).toMatchObject({ code: 'cancelled' });
  });

  it('whose token is refused is sent once more with a renewed one, and then fails', async () => {
    answers = [401, 200];
    renewals = ['second'];
    expect(await after(open().get('x'), 0)).toMatchObject({ status: 200 });
    expect(asked.map(({ token }) => token)).toEqual(['first', 'second']);
    answers = [401, 401];
    renewals = ['second'];
    expect(await after(open().get('x'), 60_000)).toMatchObject({ status: 401, code: 'other' });
    answers = [401];
    expect(await after(open().get('x'), 60_000)).toMatchObject({ status: 401, code: 'missing_token' });
    expect(asked).toHaveLength(5);
  });

  it('shows each of the commands that ran at once, in whatever order they were answered', async () => {
    const release: (() => void)[] = [];
    const reads: (string | null)[] = [];
    const api = new Api({
      base: 'https://assay.example/',
      token: async () => 'first',
      tokenNow: () => 'first',
      renew: async () => null,
      fetch: (async (url: string, { method, headers }: RequestInit) => {
        if (method === 'GET') reads.push(new Headers(headers).get('Consistency-Token'));
        else await new Promise<void>((done) => release.push(done));
        return new Response('null', { headers: { 'Consistency-Token': url.slice(-1) } });
      }) as typeof fetch,
    });
    const [first, second] = [api.post('1', {}), api.post('2', {})];
    await jest.advanceTimersByTimeAsync(1);
    release[1]?.();
    await second;
    release[0]?.();
    await first;
    await api.get('3');
    expect(reads[0]?.split(',')).toEqual(expect.arrayContaining(['1', '2']));
  });
});
