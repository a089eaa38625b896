import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { getEventListeners } from 'node:events';
import { failing, type FakeOpenAi, startFakeOpenAi } from '../../../test/support/openai/fake-openai.js';
import { OpenAiFailed } from './failure.js';
import { OpenAiHttp, type OpenAiLimits, retryAfter } from './http.js';

const KEY = 'sk-very-secret';
const never = new AbortController().signal;
const LIMITS: OpenAiLimits = { attemptMs: 2_000, deadlineMs: 6_000, attempts: 3, maxBytes: 10_000 };

describe('a call of an OpenAI-compatible API', () => {
  let api: FakeOpenAi;
  const client = (limits: Partial<OpenAiLimits> = {}, baseUrl = api.url) =>
    new OpenAiHttp({ baseUrl, apiKey: KEY }, { ...LIMITS, ...limits });
  const failure = async (call: Promise<unknown>): Promise<OpenAiFailed> => {
    const error = await call.then(
      () => null,
      (thrown: unknown) => thrown,
    );
    if (!(error instanceof OpenAiFailed)) throw new Error('It did not fail as it should.');
    expect(String(error.stack) + JSON.stringify(error)).not.toMatch(/very-secret|prompt|did not go well/);
    expect(error.cause).toBeUndefined();
    return error;
  };
  const ask = (limits: Partial<OpenAiLimits> = {}, signal = never) =>
    client(limits).json('/chat/completions', { text: 'the prompt' }, signal);

  beforeEach(async () => {
    api = await startFakeOpenAi(() => ({ does: 'answer', body: { fine: true } }));
  });
  afterEach(() => api.close());

  it('posts JSON with the key and answers JSON', async () => {
    expect(await ask()).toEqual({ fine: true });
    expect(api.asked[0]).toMatchObject({
      path: '/chat/completions',
      body: { text: 'the prompt' },
      headers: { authorization: `Bearer ${KEY}` },
    });
  });

  it('sends no key where there is none, and keeps the path and query of its base', async () => {
    const http = new OpenAiHttp({ baseUrl: `${api.url}/deep/?version=1`, apiKey: null }, LIMITS);
    await http.json('/chat/completions', {}, never);
    expect(api.asked[0]?.headers.authorization).toBeUndefined();
    expect(api.asked[0]?.path).toBe('/deep/chat/completions?version=1');
  });

  it('posts a form, also again', async () => {
    api.replies.push(failing(500));
    const form = new FormData();
    form.append('model', 'whisper-1');
    form.append('file', new Blob([new Uint8Array([1, 2, 3])]), 'answer.wav');
    expect(await client().form('/audio/transcriptions', form, never)).toEqual({ fine: true });
    for (const asked of api.asked) {
      expect(asked.form?.get('model')).toBe('whisper-1');
      expect(await (asked.form?.get('file') as Blob).arrayBuffer()).toHaveProperty('byteLength', 3);
    }
    expect(api.asked).toHaveLength(2);
  });

  it.each([408, 409, 429, 500, 502, 503])('tries again after %i', async (status) => {
    api.replies.push(failing(status, { 'retry-after-ms': '1' }));
    expect(await ask()).toEqual({ fine: true });
    expect(api.asked).toHaveLength(2);
  });

  it.each([400, 401, 403, 404, 422])('does not after %i', async (status) => {
    api.replies.push(failing(status));
    expect(await failure(ask())).toMatchObject({ code: 'refused' });
    expect(api.asked).toHaveLength(1);
  });

  it('tries as often as allowed, then fails with the last failure', async () => {
    api.otherwise = () => failing(503, { 'retry-after-ms': '1' });
    expect(await failure(ask())).toMatchObject({ code: 'unavailable' });
    expect(api.asked).toHaveLength(3);
  });

  it('waits as long as the API asks', async () => {
    api.replies.push(failing(429, { 'retry-after': '1' }));
    await ask();
    expect(api.asked[1]!.atMs - api.asked[0]!.atMs).toBeGreaterThanOrEqual(950);
  });

  it('does not wait beyond its deadline', async () => {
    api.replies.push(failing(429, { 'retry-after': '3600' }));
    const before = performance.now();
    expect(await failure(ask())).toMatchObject({ code: 'rate_limited', retryAfterMs: 3_600_000 });
    expect(performance.now() - before).toBeLessThan(2_000);
  });

  it('follows no redirect', async () => {
    api.replies.push(failing(302, { location: 'http://127.0.0.1:1/elsewhere' }));
    expect(await failure(ask())).toMatchObject({ code: 'refused' });
    expect(api.asked).toHaveLength(1);
  });

  it('gives up on an API that does not answer', async () => {
    api.otherwise = () => ({ does: 'hang' });
    expect(await failure(ask({ attemptMs: 50, attempts: 2 }))).toMatchObject({ code: 'timed_out' });
    expect(api.asked).toHaveLength(2);
    expect(await failure(ask({ attemptMs: 60_000, deadlineMs: 50 }))).toMatchObject({ code: 'timed_out' });
  });

  it.each([undefined, 0, 500])('tries again where the connection breaks off (%p)', async (afterBytes) => {
    api.replies.push(afterBytes === undefined ? { does: 'cut' } : { does: 'cut', afterBytes });
    expect(await ask({ maxBytes: 200_000 })).toEqual({ fine: true });
  });

  it('reports that no server listens', async () => {
    const gone = await startFakeOpenAi();
    await gone.close();
    const http = client({ attempts: 1 }, gone.url);
    expect(await failure(http.json('/chat/completions', {}, never))).toMatchObject({
      code: 'unreachable',
      message: expect.stringMatching(
        /^The API at 127\.0\.0\.1:\d+ cannot be reached, or broke off \(ECONNREFUSED\)\.$/,
      ),
    });
  });

  it('takes no more than it may, declared or not', async () => {
    api.replies.push({ does: 'flood' }, { does: 'answer', body: 'x'.repeat(10_001) });
    expect(await failure(ask())).toMatchObject({ code: 'too_large' });
    expect(await failure(ask())).toMatchObject({ code: 'too_large' });
  });

  it('takes JSON only', async () => {
    api.replies.push({ does: 'answer', body: '<html>' });
    expect(await failure(ask())).toMatchObject({ code: 'not_json' });
  });

  it('ends with its caller, asking and waiting, and leaves nothing on the signal', async () => {
    const caller = new AbortController();
    await ask({}, caller.signal);
    api.otherwise = () => failing(500);
    await failure(ask({ attempts: 2 }, caller.signal));
    expect(getEventListeners(caller.signal, 'abort')).toHaveLength(0);
    api.replies.push({ does: 'hang' });
    setTimeout(() => caller.abort(), 50);
    expect(await failure(ask({}, caller.signal))).toMatchObject({ code: 'aborted' });
    expect(getEventListeners(caller.signal, 'abort')).toHaveLength(0);
    const asked = api.asked.length;
    expect(await failure(ask({}, caller.signal))).toMatchObject({ code: 'aborted' });
    expect(api.asked).toHaveLength(asked);
    const waiting = new AbortController();
    api.replies.push(failing(429, { 'retry-after': '5' }));
    setTimeout(() => waiting.abort(), 100);
    expect(await failure(ask({}, waiting.signal))).toMatchObject({ code: 'aborted' });
  });

  it.each(['not a URL', 'ftp://host/v1', 'http://user:pass@host/v1'])('refuses the base %s', (baseUrl) => {
    expect(() => client({}, baseUrl)).toThrow('OPENAI_BASE_URL');
  });

  it('does not show a key that cannot be sent', () => {
    expect(() => new OpenAiHttp({ baseUrl: api.url, apiKey: 'sk-bad\nkey' }, LIMITS)).toThrow(
      'OPENAI_API_KEY holds characters that no HTTP header can carry.',
    );
  });

  describe('that streams', () => {
    const pieces = [1, 2, 3].map((byte) => new Uint8Array(100).fill(byte));
    const read = async (limits: Partial<OpenAiLimits> = {}, slow = 0): Promise<number> => {
      let bytes = 0;
      for await (const piece of client(limits).stream('/audio/speech', { input: 'Hello.' }, never)) {
        bytes += piece.byteLength;
        await new Promise((resolve) => setTimeout(resolve, slow));
      }
      return bytes;
    };

    it('hands every byte on, tried again before the first', async () => {
      api.replies.push(failing(500), { does: 'cut' }, { does: 'stream', pieces, everyMs: 5 });
      expect(await read()).toBe(300);
      expect(api.asked).toHaveLength(3);
    });

    it('does not count the time that its reader takes', async () => {
      api.replies.push({ does: 'stream', pieces, everyMs: 1 });
      expect(await read({ attemptMs: 300, deadlineMs: 300 }, 400)).toBe(300);
    });

    it('is not begun anew in its middle', async () => {
      api.replies.push({ does: 'stream', pieces, everyMs: 20, ends: 'cut' });
      expect(await failure(read())).toMatchObject({ code: 'unreachable' });
      expect(api.asked).toHaveLength(1);
    });

    it('does not wait for ever, and takes no more than it may', async () => {
      // Also to an attempt that ran out of its time before the first piece came.
      api.otherwise = () => ({ does: 'stream', pieces, ends: false });
      expect(await failure(read({ attemptMs: 100 }))).toMatchObject({ code: 'timed_out' });
      api.otherwise = () => ({ does: 'flood' });
      expect(await failure(read())).toMatchObject({ code: 'too_large' });
    });

    it('ends the call when reading stops', async () => {
      api.replies.push({ does: 'flood' });
      for await (const piece of client({ maxBytes: 1e9 }).stream('/audio/speech', {}, never)) {
        expect(piece.byteLength).toBeGreaterThan(0);
        break;
      }
      while (api.open() > 0) await new Promise((resolve) => setTimeout(resolve, 10));
    });
  });

  it.each([
    [{ 'retry-after': '2' }, 2_000],
    [{ 'retry-after': '2', 'retry-after-ms': '150' }, 150],
    [{ 'retry-after': 'Fri, 01 Jan 2027 00:00:30 GMT', date: 'Fri, 01 Jan 2027 00:00:20 GMT' }, 10_000],
    [{ 'retry-after': 'Fri, 01 Jan 2027 00:00:10 GMT', date: 'Fri, 01 Jan 2027 00:00:20 GMT' }, 0],
    [{ 'retry-after': 'Fri, 01 Jan 2027 00:00:30 GMT' }, null],
    [{ 'retry-after': 'soon' }, null],
    [{ 'retry-after': '-1' }, null],
    [{}, null],
  ])('reads %j', (headers, ms) => {
    expect(retryAfter(new Headers(headers as Record<string, string>))).toBe(ms);
  });
});
