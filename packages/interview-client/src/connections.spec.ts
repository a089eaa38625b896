import { beforeEach, describe, expect, it } from '@jest/globals';
import { uuid } from '../../../test/support/given-when-then.js';
import { encodeAudioFrame, parseAudioFrame, SPEAKER } from './protocol/audio-frame.js';
import type { Clock, Socket } from './runtime.js';
import { type ClientState, InterviewClient, type InterviewClientOptions, type Problem } from './index.js';

/** A clock that a test moves. */
class Hours implements Clock {
  private time = 0;
  private timers: { readonly due: number; readonly act: () => void }[] = [];

  now(): number {
    return this.time;
  }

  after(ms: number, act: () => void): () => void {
    const timer = { due: this.time + ms, act };
    this.timers.push(timer);
    return () => void (this.timers = this.timers.filter((one) => one !== timer));
  }

  /** Also lets what was awaited go on. */
  async pass(ms: number): Promise<void> {
    const until = this.time + ms;
    for (;;) {
      await settled();
      const next = this.timers.filter(({ due }) => due <= until).sort((a, b) => a.due - b.due)[0];
      if (!next) break;
      this.time = Math.max(this.time, next.due);
      this.timers = this.timers.filter((one) => one !== next);
      next.act();
    }
    this.time = until;
  }
}
const settled = async (): Promise<void> => {
  for (let turns = 0; turns < 5; turns += 1) await Promise.resolve();
};

const sockets: Wire[] = [];
class Wire implements Socket {
  binaryType = '';
  bufferedAmount = 0;
  onopen: Socket['onopen'] = null;
  onmessage: Socket['onmessage'] = null;
  onclose: Socket['onclose'] = null;
  onerror: Socket['onerror'] = null;
  closedWith: number | null = null;
  readonly sent: (string | Uint8Array)[] = [];

  constructor(readonly url: string) {
    sockets.push(this);
  }
  send(data: string | Uint8Array): void {
    this.sent.push(data);
  }
  close(code?: number): void {
    this.closedWith = code ?? 1005;
  }
  say(message: object): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
  ready(lastAudioSeq = 0): void {
    this.onopen?.({});
    const limits = { maxFrameBytes: 32_768, maxTextBytes: 16_384, idleMs: 1, resumeMs: 1, maxDurationMs: 1 };
    const audio = { transcription: 'server', speech: 'server', recorded: false };
    const expiresAt = '2026-01-01T00:00:00.000Z';
    this.say({
      type: 'session.ready',
      connectionId: '0197f0a4-5a00-7c11-8e21-0a1b2c3d4e5f',
      lastSeq: 0,
      lastAudioSeq,
      audio,
      limits,
      expiresAt,
    });
  }
  texts(): { type: string; id?: string; text?: string; resumeFromSeq?: number }[] {
    return this.sent.flatMap((one) => (typeof one === 'string' ? [JSON.parse(one) as { type: string }] : []));
  }
  types(): string[] {
    return this.sent.map((one) => {
      if (typeof one === 'string') return (JSON.parse(one) as { type: string }).type;
      const frame = parseAudioFrame(one, SPEAKER.candidate);
      return typeof frame === 'string' ? frame : `audio ${frame.seq}${frame.endOfTurn ? ' end' : ''}`;
    });
  }
}

describe('the client’s connections', () => {
  let hours: Hours;
  let states: ClientState[];
  let problems: Problem[];
  let asked: number;
  const newest = (): Wire => sockets.at(-1)!;

  async function started(options: Partial<InterviewClientOptions> = {}): Promise<InterviewClient> {
    const client = new InterviewClient({
      url: () => `ws://service/?token=t${(asked += 1)}`,
      WebSocket: Wire,
      clock: hours,
      random: () => 0.5,
      on: { state: (state) => states.push(state), problem: (problem) => problems.push(problem) },
      ...options,
    });
    client.start();
    await settled();
    return client;
  }
  beforeEach(() => {
    hours = new Hours();
    [states, problems, asked] = [[], [], 0];
    sockets.length = 0;
  });
  const ended = (): Extract<ClientState, { name: 'ended' }> | null => {
    const last = states.at(-1);
    return last?.name === 'ended' ? last : null;
  };

  it('has the limits and the expiry as staff change them', async () => {
    const told: unknown[] = [];
    const client = await started({ on: { session: (session) => told.push(session) } });
    newest().ready();
    const before = client.session!;
    const limits = { ...before.limits, resumeMs: 3, maxDurationMs: 2 };
    newest().say({ type: 'session.limits', limits, expiresAt: '2026-01-01T00:30:00.000Z' });
    const now = { ...before, limits, expiresAt: '2026-01-01T00:30:00.000Z' };
    expect(told).toEqual([before, now]);
    expect(client.session).toEqual(now);
  });

  it.each([1001, 1006, 1011, 4401, 4408, 4500])(
    'comes back at once with a new token after %i',
    async (code) => {
      await started();
      newest().ready();
      newest().say({
        type: 'question',
        seq: 7,
        turn: 1,
        questionId: '0197f0a4-6c1e-7b55-9d3a-1f2e3d4c5b6a',
        kind: 'planned',
        text: '?',
      });
      newest().onclose?.({ code });
      await hours.pass(0);
      expect(sockets.map(({ url }) => url)).toEqual(['ws://service/?token=t1', 'ws://service/?token=t2']);
      newest().ready();
      expect(newest().texts()[0]).toMatchObject({ type: 'client.ready', resumeFromSeq: 7 });
      expect(states.map(({ name }) => name)).toEqual(['connecting', 'ready', 'reconnecting', 'ready']);
    },
  );

  it('tells a fact once that a service tells again', async () => {
    const turns: number[] = [];
    await started({ on: { question: ({ turn }) => turns.push(turn) } });
    const ask = (seq: number, turn: number): void =>
      newest().say({ type: 'question', seq, turn, questionId: uuid(`q${turn}`), kind: 'planned', text: '?' });
    newest().ready();
    ask(7, 1);
    newest().onclose?.({ code: 1006 });
    await hours.pass(0);
    newest().ready();
    ask(7, 1);
    ask(9, 2);
    ask(9, 2);
    expect(turns).toEqual([1, 2]);
  });

  it('leaves at once for another connection on go_away', async () => {
    await started();
    const first = newest();
    first.ready();
    first.say({ type: 'go_away', deadlineMs: 60_000 });
    await hours.pass(0);
    expect(first.closedWith).toBe(1000);
    expect(sockets).toHaveLength(2);
  });

  it.each([
    [1000, 'session_over'],
    [4400, 'refused'],
    [4403, 'refused'],
    [4409, 'superseded'],
    [4410, 'session_over'],
    [4413, 'refused'],
    [4429, 'refused'],
  ])('ends for good after %i', async (code, by) => {
    const client = await started();
    newest().ready();
    const receipt = client.answer('Yes.', { turn: 1 });
    newest().onclose?.({ code });
    await hours.pass(600_000);
    expect(sockets).toHaveLength(1);
    expect(ended()).toMatchObject({ by });
    expect(await receipt).toMatchObject({ acknowledged: false, ended: true });
    expect(await client.end()).toMatchObject({ acknowledged: false, ended: true });
  });

  it('asks what was recorded where the session ended before it was acknowledged', async () => {
    const asked: (readonly string[])[] = [];
    let lastAudioSeq = 0;
    const client = await started({
      recorded: (ids) => {
        asked.push(ids);
        if (asked.length === 1) return Promise.reject(new Error('token t1'));
        return Promise.resolve({ ended: true, recorded: [ids[0] ?? '', 'e1', 'e2'], lastAudioSeq });
      },
    });
    newest().ready();
    const event = { eventType: 'page.hidden', occurredAt: '2026-01-01T00:00:00.000Z', payload: {} };
    client.audio(new Uint8Array(6_400), { turn: 1 });
    const receipts = [
      client.commit(1),
      client.answer('Yes.', { turn: 1 }),
      client.answer('No.', { turn: 2 }),
      client.activity([{ ...event, clientEventId: 'e1' }]),
      client.activity([
        { ...event, clientEventId: 'e2' },
        { ...event, clientEventId: 'e3' },
      ]),
      client.skip(3),
      client.end(),
    ];
    lastAudioSeq = newest()
      .types()
      .filter((type) => type.startsWith('audio')).length;
    client.audio(new Uint8Array(6_400), { turn: 4 });
    receipts.push(client.commit(4));
    newest().onclose?.({ code: 4410 });
    await hours.pass(60_000);
    const [yes, no] = [{ acknowledged: true }, { acknowledged: false, ended: false, code: 'session_ended' }];
    expect(await Promise.all(receipts)).toMatchObject([yes, yes, no, yes, no, no, yes, no]);
    expect(asked).toHaveLength(2);
    const id = expect.any(String);
    expect(asked).toEqual(asked.map(() => [id, id, 'e1', 'e2', 'e3', id]));
    expect(JSON.stringify([states, problems])).not.toContain('token');
  });

  it('does not know what was recorded while nobody answers, or the session goes on', async () => {
    for (const recorded of [
      () => Promise.reject(new Error('away')),
      () => Promise.resolve({ ended: false, recorded: [], lastAudioSeq: 0 }),
      () => new Promise<never>(() => undefined),
    ]) {
      const client = await started({ recorded });
      newest().ready();
      const receipts = [client.answer('Yes.', { turn: 1 }), client.end()];
      newest().onclose?.({ code: 4410 });
      await hours.pass(60_000);
      const unknown = { acknowledged: false, ended: true, code: 'ended' };
      expect(await Promise.all(receipts)).toMatchObject([unknown, unknown]);
    }
  });

  it('asks for a hundred ids at a time', async () => {
    const sizes: number[] = [];
    const client = await started({
      recorded: (ids) => {
        sizes.push(ids.length);
        return Promise.resolve({ ended: true, recorded: ids, lastAudioSeq: 0 });
      },
    });
    newest().ready();
    const receipts = Array.from({ length: 250 }, (_, at) => client.answer(`${at}`, { turn: 1 }));
    newest().onclose?.({ code: 1000 });
    await hours.pass(60_000);
    expect(sizes).toEqual([100, 100, 50]);
    expect((await Promise.all(receipts)).every(({ acknowledged }) => acknowledged)).toBe(true);
  });

  it('waits longer before each try in vain, and gives up after the time it was given', async () => {
    await started({ giveUpAfterMs: 60_000 });
    const at: number[] = [];
    for (let tries = 0; tries < 200 && ended() === null; tries += 1) {
      const known = sockets.length;
      newest().onclose?.({ code: 1006 });
      while (sockets.length === known && ended() === null) await hours.pass(50);
      at.push(hours.now());
    }
    expect(at.slice(0, 4)).toEqual([0, 250, 750, 1750].map((ms) => expect.closeTo(ms + 50, -3)));
    expect(at.length).toBeLessThan(16);
    expect(ended()).toMatchObject({ by: 'unreachable' });
    expect(hours.now()).toBeLessThan(60_200);
  });

  it('ends if the application answers that the session is over, and retries if that fails', async () => {
    const answers = [() => Promise.reject(new Error('token t1')), () => null];
    await started({ url: () => answers.shift()!() });
    await hours.pass(1_000);
    expect(ended()).toMatchObject({ by: 'session_over' });
    expect(JSON.stringify(states)).not.toContain('token');
  });

  it('has a time limit for every wait: an address, an opening or an answer that never comes is tried again', async () => {
    let late: (url: string) => void = () => undefined;
    const addresses = [new Promise<string>((resolve) => (late = resolve))];
    await started({ url: () => addresses.shift() ?? `ws://service/?token=t${(asked += 1)}` });
    await hours.pass(15_000);
    // The address of the first try is too late for it, and for the next one's pause.
    late('ws://service/?token=late');
    await hours.pass(1_000);
    expect(sockets.map(({ url }) => url)).toEqual(['ws://service/?token=t1']);
    await hours.pass(16_000);
    expect(sockets).toHaveLength(2);
    newest().onopen?.({});
    await hours.pass(16_000);
    expect(sockets).toHaveLength(3);
    newest().ready();
    expect(states.at(-1)).toEqual({ name: 'ready' });
  });

  it('asks a silent service whether it is there, and leaves one that is not', async () => {
    await started();
    newest().ready();
    await hours.pass(20_000);
    expect(newest().types()).toEqual(['client.ready', 'ping']);
    newest().say({ type: 'pong' });
    await hours.pass(25_000);
    newest().say({ type: 'speech.started' });
    await hours.pass(10_000);
    expect(sockets).toHaveLength(1);
    await hours.pass(31_000);
    expect(sockets).toHaveLength(2);
  });

  it('sends nothing while it is paused, and everything in its order afterwards', async () => {
    const client = await started();
    newest().ready();
    newest().say({ type: 'flow', state: 'pause' });
    client.audio(new Uint8Array(5_000), { turn: 1 });
    void client.commit(1);
    void client.answer('Yes.', { turn: 2 });
    expect(newest().types()).toEqual(['client.ready']);
    newest().say({ type: 'flow', state: 'resume' });
    expect(newest().types()).toEqual(
      ['client.ready', 'audio 1', 'audio 2', 'audio 3', 'audio 4 end'].slice(0, newest().sent.length),
    );
    const last = newest().sent.length - 1;
    newest().say({ type: 'audio.ack', lastAudioSeq: last });
    expect(newest().types().slice(-2)).toEqual(['turn.commit', 'message.text']);
  });

  it('names an answer as its application does, which can ask for its receipt later', async () => {
    const client = await started();
    newest().ready();
    const receipt = client.answer('Yes.', { turn: 1, id: 'own' });
    expect(newest().sent.at(-1)).toContain('"id":"own"');
    newest().say({ type: 'ack', id: 'own' });
    expect(await receipt).toEqual({ acknowledged: true });
  });

  it('goes on after the audio of another client of the session, and after what a service has lost', async () => {
    const client = await started();
    newest().ready(40);
    client.audio(new Uint8Array(1_280 * 3), { turn: 1 });
    expect(newest().types().slice(1)).toEqual(['audio 41', 'audio 42']);
    newest().say({ type: 'audio.ack', lastAudioSeq: 42 });
    newest().onclose?.({ code: 1006 });
    await hours.pass(0);
    client.audio(new Uint8Array(1_280), { turn: 1 });
    newest().ready(41);
    expect(problems).toMatchObject([{ code: 'audio_lost' }]);
    expect(newest().types().slice(1)).toEqual(['audio 42']);
  });

  it('reports that too much audio waits, and takes audio again once there is room', async () => {
    const client = await started({ mostAudioMs: 1_000 });
    newest().ready();
    const second = new Uint8Array(32_000);
    expect([client.audio(second, { turn: 1 }), client.audio(second, { turn: 1 })]).toEqual([true, false]);
    expect(client.audio(second, { turn: 1 })).toBe(false);
    expect(problems.map(({ code }) => code)).toEqual(['audio_full']);
    newest().say({ type: 'audio.ack', lastAudioSeq: 24 });
    expect(client.audio(second.subarray(0, 20_000), { turn: 1 })).toBe(true);
  });

  it('keeps below the limit of text frames', async () => {
    const client = await started();
    newest().ready();
    for (let n = 0; n < 200; n += 1) void client.answer(`${n}`, { turn: 1 });
    expect(newest().sent.length).toBeLessThan(100);
    await hours.pass(500);
    expect(newest().sent.length).toBeLessThan(100);
    await hours.pass(5_000);
    expect(
      newest()
        .texts()
        .slice(1)
        .map(({ text }) => text),
    ).toEqual(Array.from({ length: 200 }, (_, n) => `${n}`));
  });

  it('sends a message again that could not be recorded now, and none that never can be', async () => {
    const client = await started();
    newest().ready();
    const receipts = ['a', 'b', 'c'].map((text) => client.answer(text, { turn: 1 }));
    const [a, b, c] = newest().texts().slice(1);
    newest().say({ type: 'error', code: 'unavailable', error: 'Not now.', fatal: false, id: a!.id });
    newest().say({ type: 'error', code: 'session_full', error: 'Full.', fatal: false, id: b!.id });
    newest().say({ type: 'error', code: 'id_reused', error: 'Known.', fatal: false, id: c!.id });
    expect(await receipts[1]).toEqual({
      acknowledged: false,
      ended: false,
      code: 'session_full',
      sentence: 'Full.',
    });
    expect(await receipts[2]).toEqual({
      acknowledged: false,
      ended: false,
      code: 'id_reused',
      sentence: 'Known.',
    });
    await hours.pass(1_000);
    expect(newest().texts().slice(4)).toEqual([a]);
    newest().say({ type: 'ack', id: a!.id });
    expect(await receipts[0]).toEqual({ acknowledged: true });
  });

  it('sends activity that came too early again after a while, and holds nothing else up for it', async () => {
    const client = await started();
    newest().ready();
    const event = { eventType: 'page.hidden', occurredAt: '2026-01-05T09:00:00.000Z', payload: {} };
    const receipts = ['x', 'y'].map((clientEventId) => client.activity([{ ...event, clientEventId }]));
    const [x, y] = newest().texts().slice(1);
    newest().say({ type: 'error', code: 'rate_limited', error: 'Later.', fatal: false, id: x!.id });
    newest().say({ type: 'ack', id: y!.id });
    expect(await receipts[1]).toEqual({ acknowledged: true });
    const answer = client.answer('a', { turn: 1 });
    const [said] = newest().texts().slice(3);
    expect(said).toMatchObject({ type: 'message.text' });
    await hours.pass(4_999);
    expect(newest().texts()).toHaveLength(4);
    await hours.pass(1);
    expect(newest().texts().slice(4)).toEqual([x]);
    for (const { id } of [x!, said!]) newest().say({ type: 'ack', id });
    expect(await Promise.all([receipts[0], answer])).toEqual([
      { acknowledged: true },
      { acknowledged: true },
    ]);
    await hours.pass(10_000);
    expect(newest().texts()).toHaveLength(5);
  });

  it('names no two messages alike, also after it was started anew', async () => {
    const ids: unknown[] = [];
    for (let starts = 0; starts < 3; starts += 1) {
      const client = await started();
      newest().ready();
      void client.answer('a', { turn: 1 });
      void client.commit(1);
      ids.push(
        ...newest()
          .texts()
          .slice(1)
          .map(({ id }) => id),
      );
    }
    expect(ids).toHaveLength(6);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('refuses by itself what the service would refuse', async () => {
    const client = await started();
    newest().ready();
    const event = {
      clientEventId: 'e',
      eventType: 'x',
      occurredAt: '',
      payload: { text: 'x'.repeat(40_000) },
    };
    for (const receipt of [
      client.answer('ä'.repeat(9_000), { turn: 1 }),
      client.answer('\u0001'.repeat(16_000), { turn: 1 }),
      client.answer('x', { turn: 0 }),
      client.answer(' \n', { turn: 1 }),
      client.activity([event]),
    ])
      expect(await receipt).toMatchObject({ acknowledged: false, ended: false });
    expect(newest().types()).toEqual(['client.ready']);
  });

  it('sends activities in as many frames as they take', async () => {
    const client = await started();
    newest().ready();
    const event = (n: number) => ({
      clientEventId: `${n}`,
      eventType: 'x',
      occurredAt: '',
      payload: { text: 'ä'.repeat(500) },
    });
    const receipt = client.activity(Array.from({ length: 130 }, (_, n) => event(n)));
    for (const frame of newest().sent) expect(Buffer.byteLength(frame as string)).toBeLessThanOrEqual(32_768);
    const ids = newest()
      .texts()
      .flatMap((one) =>
        ((one as { events?: { clientEventId: string }[] }).events ?? []).map(
          ({ clientEventId }) => clientEventId,
        ),
      );
    expect(ids).toEqual(Array.from({ length: 130 }, (_, n) => `${n}`));
    for (const { id } of newest().texts().slice(1)) newest().say({ type: 'ack', id });
    expect(await receipt).toEqual({ acknowledged: true });
  });

  it('keeps of the playback only how far it has come, and hands speech on', async () => {
    const speech: number[] = [];
    const client = await started({ on: { speech: ({ pcm }) => speech.push(pcm.length) } });
    client.playbackProgress(1, 100);
    client.playbackProgress(1, 200);
    newest().ready();
    expect(newest().texts()[1]).toEqual({ type: 'playback.progress', turn: 1, playedMs: 200 });
    const frame = {
      speaker: SPEAKER.interviewer,
      endOfTurn: true,
      turn: 1,
      seq: 1,
      timestampMs: 0,
      pcm: new Uint8Array(640),
    };
    newest().onmessage?.({ data: encodeAudioFrame(frame).buffer });
    expect(speech).toEqual([640]);
  });

  it('skips over a reconnection under one id, and tells the skipped turn once, in its order', async () => {
    const told: string[] = [];
    const client = await started({
      on: {
        skipped: ({ turn, seq }) => told.push(`skipped ${turn} at ${seq}`),
        question: ({ turn }) => told.push(`question ${turn}`),
      },
    });
    newest().ready();
    const skipped = client.skip(1);
    newest().onclose?.({ code: 1006 });
    await hours.pass(1_000);
    newest().ready();
    const ids = sockets.flatMap((wire) => wire.texts()).filter(({ type }) => type === 'turn.skip');
    expect(ids).toHaveLength(2);
    expect(new Set(ids.map(({ id }) => id)).size).toBe(1);
    const fact = { type: 'turn.skipped', seq: 4, turn: 1, questionId: uuid('1') };
    newest().say(fact);
    newest().say(fact);
    newest().say({
      type: 'question',
      seq: 5,
      turn: 2,
      questionId: uuid('2'),
      kind: 'planned',
      text: 'And?',
      number: 2,
      of: 3,
    });
    newest().say({ type: 'ack', id: ids[0]?.id });
    expect(await skipped).toEqual({ acknowledged: true });
    expect(told).toEqual(['skipped 1 at 4', 'question 2']);
  });

  it('asks for the question again after all that waits, once however often', async () => {
    const client = await started();
    void client.interrupt(1, 900);
    client.repeat(1);
    client.repeat(1);
    newest().ready();
    expect(newest().types()).toEqual(['client.ready', 'interrupt', 'question.repeat']);
    client.repeat(1);
    expect(newest().types().slice(3)).toEqual(['question.repeat']);
  });

  it('does not fail with a handler that throws, and does not hide it', async () => {
    const completed: string[] = [];
    const client = await started({
      on: {
        question: () => {
          throw new Error('of the application');
        },
        completed: ({ reason }) => completed.push(reason),
      },
    });
    newest().ready();
    newest().say({
      type: 'question',
      seq: 7,
      turn: 1,
      questionId: '0197f0a4-6c1e-7b55-9d3a-1f2e3d4c5b6a',
      kind: 'planned',
      text: '?',
    });
    newest().say({ type: 'session.completed', seq: 9, reason: 'finished', consistencyToken: 't' });
    await expect(hours.pass(0)).rejects.toThrow('of the application');
    newest().onclose?.({ code: 1000 });
    expect([completed, client.state]).toMatchObject([['finished'], { name: 'ended', by: 'completed' }]);
  });

  it('is over when the interview is, also where the service does not close', async () => {
    const client = await started();
    newest().ready();
    newest().say({ type: 'session.completed', seq: 9, reason: 'ended', consistencyToken: 't' });
    await hours.pass(5_000);
    expect(client.state).toMatchObject({ name: 'ended', by: 'completed' });
    expect(newest().closedWith).toBe(1000);
  });
});
