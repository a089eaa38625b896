import { afterEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { WebSocket, WebSocketServer } from 'ws';
import { ModelInterview, type ModelOptions } from '../../../test/simulate/model-interview.js';
import { Random } from '../../../tools/simulate/random.js';
import { type ClientState, InterviewClient, type Receipt } from './index.js';

/** An interview held to its end over real sockets, half of its answers typed and half spoken. */
describe('an interview over connections that break', () => {
  let server: WebSocketServer | null = null;
  afterEach(() => server?.close());

  async function hold(options: ModelOptions, random: Random) {
    const model = new ModelInterview(options);
    const started = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    server = started;
    await once(started, 'listening');
    started.on('connection', (socket) => model.accept(socket));
    const url = `ws://127.0.0.1:${(started.address() as AddressInfo).port}`;
    const sent: string[] = [];
    const spoken: number[] = [];
    const facts: object[] = [];
    const receipts: Promise<Receipt>[] = [];
    const note = (what: string, receipt: Promise<Receipt>): void => {
      sent.push(what);
      receipts.push(receipt);
    };
    const done = new Promise<ClientState>((ended) => {
      const client = new InterviewClient({
        url: () => url,
        WebSocket,
        backOff: { firstMs: 1, mostMs: 4 },
        random: () => random.next(),
        on: {
          state: (state) => state.name === 'ended' && ended(state),
          question: (question) => {
            facts.push(question);
            const { turn } = question;
            if (random.chance(0.3)) note(`interrupt ${turn}`, client.interrupt(turn, 10));
            if (random.chance(0.5)) {
              note(`activity ${turn}`, client.activity([activity(turn)]));
              note(`answer ${turn}`, client.answer(`Answer ${turn}`, { turn }));
              return;
            }
            for (let chunks = random.between(3, 30); chunks > 0; chunks -= 1) {
              const pcm = Uint8Array.from({ length: random.between(1, 4_000) }, () => random.between(0, 255));
              spoken.push(...pcm);
              expect(client.audio(pcm, { turn })).toBe(true);
            }
            const odd = spoken.length % 2;
            if (odd === 1) {
              spoken.push(9);
              client.audio(new Uint8Array([9]), { turn });
            }
            // Enough for a frame, so that nothing is filled up.
            const rest = new Uint8Array(640).fill(turn);
            spoken.push(...rest);
            client.audio(rest, { turn });
            note(`commit ${turn}`, client.commit(turn));
          },
          transcript: (fact) => facts.push(fact),
          interrupted: (fact) => facts.push(fact),
          completed: (fact) => facts.push(fact),
        },
      });
      client.start();
    });
    const state = await done;
    return { model, sent, spoken, facts, state, receipts: await Promise.all(receipts) };
  }

  const activity = (turn: number) => ({
    clientEventId: `event-${turn}`,
    eventType: 'page.hidden',
    occurredAt: '2026-01-01T00:00:00.000Z',
    payload: {},
  });

  const recorded = (model: ModelInterview): string[] =>
    model.log.flatMap((one) => {
      if (one.kind === 'audio') return [];
      const { message } = one;
      if (message.type === 'message.text') return [`answer ${message.turn}`];
      if (message.type === 'turn.commit') return [`commit ${message.turn}`];
      if (message.type === 'activity')
        return message.events.map(
          (event) => `activity ${(event as { clientEventId: string }).clientEventId.slice(6)}`,
        );
      return message.type === 'interrupt' ? [`interrupt ${message.turn}`] : [message.type];
    });
  const heard = (model: ModelInterview): Buffer =>
    Buffer.concat(model.log.flatMap((one) => (one.kind === 'audio' ? [one.pcm] : [])));
  /** Audio of a turn after the turn's commit. */
  const overtaken = (model: ModelInterview): number =>
    model.log.filter(
      (one, place) =>
        one.kind === 'audio' &&
        model.log
          .slice(0, place)
          .some(
            (former) =>
              former.kind === 'message' &&
              former.message.type === 'turn.commit' &&
              former.message.turn === one.turn,
          ),
    ).length;

  it.each(Array.from({ length: 16 }, (_, seed) => seed))(
    'records all of it once and in order, and tells every fact once (%i)',
    async (seed) => {
      const random = new Random(seed, 1);
      const share = random.pick([0, 0.01, 0.03, 0.08]);
      const cuts = new Random(seed, 2);
      const { model, sent, spoken, facts, state } = await hold(
        { questions: 6, audioFlush: random.between(1, 7), cut: () => cuts.chance(share) },
        random,
      );
      expect(state).toMatchObject({ name: 'ended', by: 'completed' });
      expect(facts).toEqual(model.facts);
      expect(recorded(model)).toEqual(sent);
      expect(heard(model).equals(Buffer.from(spoken))).toBe(true);
      expect(overtaken(model)).toBe(0);
      if (share >= 0.03) expect(model.connections).toBeGreaterThan(1);
    },
  );

  it('goes back if the service reports missing audio', async () => {
    const { model, spoken, state } = await hold({ questions: 8, dropAudioEvery: 11 }, new Random(4));
    expect(state).toMatchObject({ by: 'completed' });
    expect(spoken.length).toBeGreaterThan(100_000);
    const turns = new Set(model.log.flatMap((one) => (one.kind === 'audio' ? [one.turn] : [])));
    expect(turns.size).toBeGreaterThan(1);
    expect(heard(model).equals(Buffer.from(spoken))).toBe(true);
  });

  it('has a receipt for each message but those that the end overtook', async () => {
    const { receipts, sent } = await hold({ questions: 4 }, new Random(11));
    expect(receipts).toHaveLength(sent.length);
    expect(receipts.slice(0, -1).every(({ acknowledged }) => acknowledged)).toBe(true);
    expect(receipts.at(-1)).toEqual({ acknowledged: true });
  });
});
