import { afterEach, describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerMessage } from '../../../packages/interview-client/src/protocol/messages.js';
import { eventually } from '../../../test/support/eventually.js';
import {
  dropAll,
  type Fault,
  type FakeClient,
  InterviewRig,
  tireless,
} from '../../../test/support/interview-rig.js';
import { tone } from '../../../test/support/pcm.js';
import type { TurnAudio } from '../../clients/speech.js';
import type { ConnectionHandler, AdmittedCaller } from './port.js';

type Message = Extract<Parameters<ConnectionHandler['message']>[0], { readonly id: string }>;
type Fact = Extract<ServerMessage, { readonly seq: number }>;

/** Asks for as long as there is time. */
const TIRELESS = tireless((number) => `Question ${number}?`);

/** 20 ms of speech with the number of its frame. */
const frameOf = (seq: number): Uint8Array => {
  const pcm = Uint8Array.from(tone(20, 440, 8_000));
  new DataView(pcm.buffer).setUint32(0, seq);
  return pcm;
};
/** More in one turn may be more than can have been spoken in so short a time. */
const MAX_FRAMES = 400;
const FRAME_BYTES = frameOf(0).byteLength;

/** Understands of each frame which one it is. */
const numbering = {
  name: 'test',
  async transcribe(audio: TurnAudio) {
    const pcm = await buffer(audio.pieces());
    await sleep(Math.random() * 10);
    const view = new DataView(pcm.buffer, pcm.byteOffset, pcm.byteLength);
    const seqs = Array.from({ length: pcm.byteLength / FRAME_BYTES }, (_, at) =>
      view.getUint32(at * FRAME_BYTES),
    );
    return seqs.join(' ');
  },
};

/** A client as the protocol wants it, over any number of connections: it keeps what is not acknowledged. */
class Candidate {
  readonly lines: { readonly client: FakeClient; readonly from: number }[] = [];
  readonly messages: Message[] = [];
  readonly frames: { readonly seq: number; readonly turn: number }[] = [];
  /** Turns that the candidate has done with. */
  readonly done = new Set<number>();
  private sentTo = 0;

  constructor(private readonly admitted: AdmittedCaller) {}

  get told(): readonly ServerMessage[] {
    return this.lines.flatMap(({ client }) => client.told);
  }

  get facts(): readonly Fact[] {
    return this.told.filter((message): message is Fact => 'seq' in message);
  }

  get turn(): number {
    return Math.max(0, ...this.facts.map((fact) => (fact.type === 'question' ? fact.turn : 0)));
  }

  /** Up to here the candidate knows its audio to be safe. */
  get heardTo(): number {
    return Math.max(0, ...this.told.map((one) => ('lastAudioSeq' in one ? one.lastAudioSeq : 0)));
  }

  isAcknowledged({ id }: Message): boolean {
    return this.told.some((one) => one.type === 'ack' && one.id === id);
  }

  async connect(rig: InterviewRig): Promise<void> {
    const from = Math.max(0, ...this.facts.map(({ seq }) => seq));
    const client = rig.connect(this.admitted, { resumeFromSeq: from });
    this.lines.push({ client, from });
    const ready = await eventually(() => (client.closing ? 'closed' : client.of('session.ready')[0]));
    if (ready === 'closed') return;
    this.sentTo = ready.lastAudioSeq;
    this.speakOn();
    for (const message of this.messages) if (!this.isAcknowledged(message)) client.say(message);
  }

  say(message: Message): void {
    if (!this.messages.includes(message)) this.messages.push(message);
    this.line?.say(message);
  }

  speak(frames: number): void {
    const { turn } = this;
    const spoken = this.frames.filter((frame) => frame.turn === turn).length;
    if (turn === 0 || this.done.has(turn) || spoken + frames > MAX_FRAMES) return;
    for (let n = 0; n < frames; n++) this.frames.push({ seq: this.frames.length + 1, turn });
    this.speakOn();
  }

  private speakOn(): void {
    const { line } = this;
    if (!line) return;
    for (const { seq, turn } of this.frames.slice(this.sentTo)) line.speak({ seq, turn, pcm: frameOf(seq) });
    this.sentTo = this.frames.length;
  }

  private get line(): FakeClient | undefined {
    const client = this.lines.at(-1)?.client;
    return client?.closing === null ? client : undefined;
  }

  drop(): void {
    this.line?.drop();
  }
}

const fault = fc.constantFrom<Fault>('before', 'after');
const place = fc.constantFrom(0, 1);
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ name: fc.constant('connect' as const), place, drops: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ name: fc.constant('drop' as const) }) },
  {
    weight: 4,
    arbitrary: fc.record({ name: fc.constant('speak' as const), frames: fc.constantFrom(1, 4, 9, 60) }),
  },
  { weight: 3, arbitrary: fc.record({ name: fc.constant('commit' as const) }) },
  { weight: 3, arbitrary: fc.record({ name: fc.constant('text' as const), late: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ name: fc.constant('again' as const) }) },
  { weight: 1, arbitrary: fc.record({ name: fc.constant('interrupt' as const) }) },
  { weight: 1, arbitrary: fc.record({ name: fc.constant('activity' as const) }) },
  { weight: 1, arbitrary: fc.record({ name: fc.constant('close' as const), place }) },
  {
    weight: 2,
    arbitrary: fc.record({
      name: fc.constant('fail' as const),
      place,
      how: fault,
      times: fc.constantFrom(1, 1, 1, 3),
    }),
  },
);
const schedule = fc.array(fc.record({ step, waitMs: fc.constantFrom(0, 0, 1, 5, 20) }), {
  minLength: 8,
  maxLength: 24,
});
type Schedule = typeof schedule extends fc.Arbitrary<infer S> ? S : never;

/** Lives through a schedule, comes back once all is well again, and ends the interview. */
const lived = async (steps: Schedule) => {
  const speech = { transcriber: numbering, synthesiser: 'client' as const };
  const first = new InterviewRig({ speech, interviewer: TIRELESS });
  const rigs = [first, new InterviewRig({ speech, interviewer: TIRELESS, beside: first })] as const;
  const faults: [Fault[], Fault[]] = [[], []];
  const admitted = await first.session();
  rigs.forEach((rig, at) => rig.failsAppends(() => faults[at]?.shift() ?? null));
  const candidate = new Candidate(admitted);
  /** What was acknowledged when another process closed the turn. */
  const safe = new Map<number, number>();
  const closing: Promise<void>[] = [];
  await candidate.connect(first);
  let n = 0;
  for (const { step: one, waitMs } of steps) {
    const { turn } = candidate;
    const id = `${one.name}-${(n += 1)}`;
    if (one.name === 'connect') {
      if (one.drops) candidate.drop();
      await candidate.connect(rigs[one.place]);
    } else if (one.name === 'drop') candidate.drop();
    else if (one.name === 'speak') candidate.speak(one.frames);
    else if (one.name === 'fail') faults[one.place].push(...Array<Fault>(one.times).fill(one.how));
    else if (one.name === 'again') candidate.messages.slice(-2).forEach((message) => candidate.say(message));
    else if (turn === 0) continue;
    else if (one.name === 'commit') {
      if (candidate.frames.some((frame) => frame.turn === turn)) {
        candidate.done.add(turn);
        candidate.say({ type: 'turn.commit', id, turn });
      }
    } else if (one.name === 'text') {
      candidate.done.add(turn);
      candidate.say({ type: 'message.text', id, turn: one.late ? 1 : turn, text: id });
    } else if (one.name === 'interrupt') candidate.say({ type: 'interrupt', id, turn, playedMs: 10 });
    else if (one.name === 'activity') {
      const occurredAt = new Date().toISOString();
      const event = { clientEventId: id, eventType: 'page.hidden', occurredAt, payload: {} };
      candidate.say({ type: 'activity', id, events: [event] });
    } else {
      if (!safe.has(turn)) safe.set(turn, candidate.heardTo);
      const rig = rigs[one.place];
      closing.push(
        rig.interviews.closer.closeOpenTurn(admitted.session, 'last_chance').catch(() => undefined),
      );
    }
    await sleep(waitMs);
  }
  faults[0].length = 0;
  faults[1].length = 0;
  await Promise.all(closing);
  candidate.drop();
  await candidate.connect(rigs[1]);
  await eventually(() =>
    candidate.messages.every((message) => candidate.isAcknowledged(message)) &&
    candidate.heardTo === candidate.frames.length
      ? true
      : undefined,
  );
  candidate.say({ type: 'session.end', id: 'bye' });
  expect(await candidate.lines.at(-1)?.client.ends()).toEqual({ code: 1000, error: null });
  return { candidate, safe, events: await first.events(admitted) };
};

afterEach(dropAll);

describe('an interview, whatever happens to its connections and stores', () => {
  it('has every word once, and tells every fact in its order', async () => {
    await fc.assert(
      fc.asyncProperty(schedule, async (steps) => {
        const { candidate, safe, events } = await lived(steps);
        const count = (found: (event: (typeof events)[number]) => boolean) => events.filter(found).length;
        for (const { type, id } of candidate.messages) {
          const times = count((event) =>
            event.type === 'trial.activity_recorded'
              ? event.personal?.items.some(({ clientEventId }) => clientEventId === id) === true
              : ((event.personal ?? {}) as Record<string, unknown>)['messageId'] === id,
          );
          if (type === 'message.text' || type === 'activity') expect([id, times]).toEqual([id, 1]);
          if (type === 'interrupt') expect(times).toBeLessThanOrEqual(1);
        }

        const connections = events.flatMap((event) =>
          event.type === 'interview.connected' ? [event.data.connectionId] : [],
        );
        expect(new Set(connections).size).toBe(connections.length);
        const turns = events.flatMap((event) =>
          event.type === 'interview.question_asked' ? [event.data.turn] : [],
        );
        expect(turns).toEqual(turns.map((_, at) => at + 1));

        const answers = events.flatMap((event) =>
          event.type === 'interview.answer_recorded' && !event.data.late ? [event] : [],
        );
        expect(new Set(answers.map(({ data }) => data.turn)).size).toBe(answers.length);
        for (const { data, personal } of answers) {
          if (data.source !== 'transcribed') continue;
          const spoken = candidate.frames.filter(({ turn }) => turn === data.turn).map(({ seq }) => seq);
          const heard = (personal?.text ?? '').split(' ').map(Number);
          expect(heard).toEqual(spoken.slice(0, heard.length));
          const least = safe.get(data.turn);
          const owed = spoken.filter((seq) => least === undefined || seq <= least);
          expect(heard.length).toBeGreaterThanOrEqual(owed.length);
        }

        const stored = events.flatMap(({ type, data }) =>
          /question_asked|answer_recorded|interview\.interrupted|trial\.completed/u.test(type)
            ? [data.sequenceNumber]
            : [],
        );
        const bySeq = new Map(candidate.facts.map((fact) => [fact.seq, JSON.stringify(fact)]));
        expect([...bySeq.keys()].sort((a, b) => a - b)).toEqual(stored);
        for (const fact of candidate.facts) expect(JSON.stringify(fact)).toBe(bySeq.get(fact.seq));
        for (const { client, from } of candidate.lines) {
          const seqs = client.told.flatMap((one) => ('seq' in one ? [one.seq] : []));
          const missed = stored.filter((seq) => seq > from);
          expect(seqs).toEqual(missed.slice(0, seqs.length));
        }
      }),
      { numRuns: 12, endOnFailure: true, plugins: [fc.afterEach(dropAll)] },
    );
  }, 60_000);
});
