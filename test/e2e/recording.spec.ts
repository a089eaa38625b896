import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import type { Person } from '../support/api.js';
import { type Beside, openBeside, RecordedInterview } from '../support/recorded-interview.js';
import { type Candidate, type Failure, joinStage, type Stage } from '../support/stage.js';

const PCM = randomBytes(100_000);
const SIZE = 44 + PCM.byteLength;
const LARGE = randomBytes(24 * 1024 * 1024);

interface Heard {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
}

describe('recorded audio', () => {
  let stage: Stage;
  let owner: Person;
  let beside: Beside;
  let role: string;
  let spoken: Candidate;
  let path: string;
  let whole: Buffer;

  const at = ({ sessionId }: Candidate, turn: number | string) =>
    stage.at(`/trial-sessions/${sessionId}/audio/${turn}`);
  const hear = async (url: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Heard> => {
    const response = await fetch(stage.service.url + url, {
      method,
      headers: { authorization: `Bearer ${owner.token}`, ...headers },
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    return { status: response.status, headers: response.headers, bytes };
  };

  beforeAll(async () => {
    stage = await joinStage();
    ({ owner } = stage);
    role = await stage.role();
    beside = await openBeside(stage.service.dataDir);
    spoken = await stage.started(role);
    const interview = await RecordedInterview.begin(beside, spoken.sessionId);
    // Turn by turn: kept; closed and not kept, but not discarded yet; typed; kept and large; open.
    for (const [index, kept] of [true, false, null, true].entries()) {
      await interview.ask();
      if (kept !== null)
        await interview.speak(index + 1, index === 3 ? LARGE : PCM, index === 3 ? 64_000 : 16_000);
      await interview.answer(index + 1, kept);
    }
    await interview.ask();
    await interview.speak(5, PCM);
    path = at(spoken, 1);
    // The session's own view may lag behind.
    await owner.get(spoken.application);
    ({ bytes: whole } = await hear(path));
  });
  afterAll(async () => {
    await beside.close();
    await stage.close();
  });

  it('is a WAV file with every byte that was spoken', async () => {
    const { status, headers, bytes } = await hear(path);
    expect(status).toBe(200);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'audio/wav',
      'content-length': `${SIZE}`,
      'accept-ranges': 'bytes',
      'cache-control': 'no-store',
      etag: expect.stringMatching(/^"[^"]+"$/),
    });
    expect(bytes.subarray(0, 4).toString()).toBe('RIFF');
    expect(bytes.readUInt32LE(40)).toBe(PCM.byteLength);
    expect(bytes.subarray(44).equals(PCM)).toBe(true);
  });

  it.each([
    ['bytes=0-0', 0, 0],
    ['bytes=0-43', 0, 43],
    ['bytes=40-47', 40, 47],
    ['bytes=44-16043', 44, 16_043],
    ['bytes=16043-16044', 16_043, 16_044],
    ['bytes=50000-', 50_000, SIZE - 1],
    ['bytes=-1', SIZE - 1, SIZE - 1],
    ['bytes=100000-999999', 100_000, SIZE - 1],
  ])('answers %s with that part', async (range, first, last) => {
    const { status, headers, bytes } = await hear(path, { range });
    expect(status).toBe(206);
    expect(headers.get('content-range')).toBe(`bytes ${first}-${last}/${SIZE}`);
    expect(headers.get('content-length')).toBe(`${last + 1 - first}`);
    expect(headers.get('content-type')).toBe('audio/wav');
    expect(bytes.equals(whole.subarray(first, last + 1))).toBe(true);
  });

  it.each(['bytes=0-1,4-5', 'bytes=9-3', 'seconds=0-1', 'nonsense'])(
    'answers %s with the whole',
    async (range) => {
      const { status, headers, bytes } = await hear(path, { range });
      expect(status).toBe(200);
      expect(headers.get('content-range')).toBeNull();
      expect(bytes.equals(whole)).toBe(true);
    },
  );

  it.each([`bytes=${SIZE}-`, 'bytes=-0', 'bytes=99999999999999999999-'])(
    'refuses %s, and says how long it is',
    async (range) => {
      const { status, headers, bytes } = await hear(path, { range });
      expect(status).toBe(416);
      expect(headers.get('content-range')).toBe(`bytes */${SIZE}`);
      expect(JSON.parse(bytes.toString())).toMatchObject({ code: 'range_not_satisfiable' });
    },
  );

  it('takes up a range of the same recording only', async () => {
    const tag = (await hear(path)).headers.get('etag') ?? '';
    const range = 'bytes=10-19';
    expect((await hear(path, { range, 'if-range': tag })).status).toBe(206);
    for (const other of ['"other"', `W/${tag}`, 'Mon, 02 Mar 2026 09:00:00 GMT'])
      expect(await hear(path, { range, 'if-range': other })).toMatchObject({ status: 200, bytes: whole });
    expect(await hear(path, { 'if-none-match': tag })).toMatchObject({ status: 304, bytes: Buffer.alloc(0) });
    expect((await hear(at(spoken, 4), {}, 'HEAD')).headers.get('etag')).not.toBe(tag);
  });

  it('answers HEAD with what GET would say, whatever range is asked for', async () => {
    for (const headers of [{}, { range: 'bytes=0-1' }]) {
      const head = await hear(path, headers, 'HEAD');
      expect(head.status).toBe(200);
      expect(head.bytes).toHaveLength(0);
      for (const name of ['content-length', 'content-type', 'etag', 'accept-ranges'])
        expect(head.headers.get(name)).toBe((await hear(path)).headers.get(name));
    }
    expect((await hear(at(spoken, 9), {}, 'HEAD')).status).toBe(404);
  });

  it.each([2, 3, 5, 6, 0, '01', '1.0', 'x', '-1', '99999', '65536', '%24where'])(
    'has nothing to hear of turn %s: not kept, typed, waiting for its transcription, or none at all',
    async (turn) => {
      const reply = await owner.get<Failure>(at(spoken, turn));
      expect(reply).toMatchObject({ status: 404, body: { code: 'not_found' } });
      expect(reply.headers.get('content-type')).toContain('application/json');
    },
  );

  it('is not there for a session that is unknown, never begun or another organisation’s', async () => {
    const untouched = await stage.candidate(role);
    const unknown = { ...untouched, sessionId: '01a1ff15-0000-7000-8000-000000000000' };
    for (const candidate of [untouched, unknown])
      expect((await owner.get(at(candidate, 1))).status).toBe(404);
    const candidates = await spoken.person.get(path);
    expect(candidates.status).toBe(403);
  });

  it('comes whole, and is read only as fast as its reader takes it', async () => {
    const large = at(spoken, 4);
    const { bytes } = await hear(large);
    expect(bytes.subarray(44).equals(LARGE)).toBe(true);
    const memory = async () => {
      const { text } = await stage.api.send('GET', '/metrics');
      return Number(/^process_resident_memory_bytes (\S+)$/m.exec(text)?.[1]);
    };
    const before = await memory();
    const readers = Array.from({ length: 20 }, () => {
      const socket = connect(stage.service.port, '127.0.0.1').pause();
      socket.on('error', () => undefined);
      socket.write(`GET ${large} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${owner.token}\r\n\r\n`);
      return socket;
    });
    await new Promise((settle) => setTimeout(settle, 1_000));
    // Other requests are answered meanwhile, and twenty recordings of 24 MiB are not held in memory.
    expect((await hear(path)).bytes.equals(whole)).toBe(true);
    expect((await memory()) - before).toBeLessThan(120 * 1024 * 1024);
    for (const socket of readers) socket.destroy();
    expect((await hear(path)).status).toBe(200);
  });

  it('breaks off at damage, so that no client takes it for complete', async () => {
    const other = await stage.started(role);
    const interview = await RecordedInterview.begin(beside, other.sessionId);
    await interview.ask();
    await interview.speak(1, PCM);
    await interview.answer(1, true);
    const damage = async (index: number) => {
      const chunks = [];
      for await (const entry of beside.vault.entries())
        if (entry.kind === 'audio' && entry.log === other.sessionId) chunks.push(entry);
      await beside.vault.audio.discard(interview.of, 1);
      for (const [at, entry] of chunks.entries())
        await beside.vault.put(
          at === index ? { ...entry, sealed: Buffer.alloc(entry.sealed.length) } : entry,
        );
    };
    await damage(4);
    await expect(hear(at(other, 1))).rejects.toThrow();
    const { bytes } = await hear(at(other, 1), { range: 'bytes=0-64043' });
    expect(bytes.equals(whole.subarray(0, 64_044))).toBe(true);
    await damage(0);
    const reply = await owner.get<Failure>(at(other, 1));
    expect(reply).toMatchObject({ status: 500, body: { code: 'internal' } });
    expect(reply.text).not.toContain(interview.of.person);
    expect((await hear(path)).status).toBe(200);
  });

  it('is gone once its candidate was erased', async () => {
    const other = await stage.started(role);
    const interview = await RecordedInterview.begin(beside, other.sessionId);
    await interview.ask();
    await interview.speak(1, PCM);
    await interview.answer(1, true);
    expect((await hear(at(other, 1))).status).toBe(200);
    await beside.vault.keys.erase(interview.of.person);
    await new Promise((settle) => setTimeout(settle, 1_000));
    for (const turn of [1, 2]) {
      const reply = await owner.get<Failure>(at(other, turn));
      expect(reply).toMatchObject({ status: 410, body: { code: 'erased' } });
    }
    expect((await hear(at(other, 1), {}, 'HEAD')).status).toBe(410);
    expect((await hear(path)).status).toBe(200);
  });

  it('is described as what it is', async () => {
    const { body } = await stage.api.send<{ paths: Record<string, { get: { responses: object } }> }>(
      'GET',
      '/openapi.json',
    );
    const { responses } =
      body.paths['/organisations/{orgId}/trial-sessions/{trialSessionId}/audio/{turn}']!.get;
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(['200', '206', '304', '410', '416']));
    expect(responses).toMatchObject({
      200: { content: { 'audio/wav': {} }, headers: { 'Accept-Ranges': {} } },
      206: { content: { 'audio/wav': {} }, headers: { 'Content-Range': {} } },
    });
  });
});
