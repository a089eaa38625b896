import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  BYTES_PER_MS,
  parseAudioFrame,
  SPEAKER,
} from '../../../packages/interview-client/src/protocol/audio-frame.js';
import { eventually } from '../../../test/support/eventually.js';
import { dropAll, InterviewRig } from '../../../test/support/interview-rig.js';
import { spoken, tone } from '../../../test/support/pcm.js';
import { ProviderFailed, type Synthesiser, type Transcriber } from '../../clients/speech.js';
import { CommandContexts } from '../../core/command-context.js';
import { StoreUnavailable, VaultUnavailable } from '../../core/errors.js';
import { KeyedHasher } from '../../core/keyed-hash.js';
import { candidate, eraseCandidate } from '../../domain/candidate/decider.js';
import { cutOff } from '../../domain/session/interview-decider.js';
import { trial } from '../../domain/session/state.js';
import { lateNumber } from '../../vault/late-turns.js';
import type { Interviewer } from '../interviewer/interviewer.js';
import { ScriptedInterviewer } from '../interviewer/moves.js';
import type { AdmittedCaller } from './port.js';
import { audioOf } from './stored-speech.js';

const GOOD =
  'I wrote a failing test for the parser first, then I changed 3 functions in tokens.ts because the error came from there.';

/** Something that a test lets happen when it wants. */
const gate = (): { readonly opened: Promise<void>; open(): void } => {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open: () => open() };
};

const loud = (ms: number): Uint8Array[] => Array.from({ length: ms / 20 }, () => tone(20, 440, 8_000));
const transcribing = (transcribe: Transcriber['transcribe']) => ({
  transcriber: { name: 'test', transcribe },
  synthesiser: 'client' as const,
});
const SAID = transcribing(async () => GOOD);
const lasting = (rig: InterviewRig, type: string) =>
  eventually(() => rig.eventStore.log.at(-1)?.type === type);

afterEach(dropAll);

describe('a connection that is gone', () => {
  it('supersedes no connection if it had not begun yet', async () => {
    const slow = gate();
    let begun = 0;
    let ended = 0;
    const host = {
      begin: async () => {
        if (++begun === 1) await slow.opened;
        return { host: 'h', end: () => (ended += 1) };
      },
    };
    const rig = new InterviewRig({ host });
    const admitted = await rig.session();
    const first = rig.connect(admitted);
    first.drop();
    const other = new InterviewRig({ beside: rig });
    const second = other.connect(admitted);
    await second.hearsQuestion(1);
    slow.open();
    await eventually(() => ended === 1);
    await second.answers(1, GOOD);
    expect(second.closing).toBeNull();
    expect((await rig.typesOf(admitted)).filter((type) => type === 'interview.connected')).toHaveLength(1);
  });

  it('supersedes no connection if it went while its beginning was read', async () => {
    const rig = new InterviewRig();
    const admitted = await rig.session();
    const current = rig.connect(admitted);
    await current.hearsQuestion(1);
    const slow = gate();
    const other = new InterviewRig({ beside: rig });
    const read = other.streams.read.bind(other.streams);
    let reads = 0;
    other.streams.read = async (decider, id) => {
      reads += 1;
      await slow.opened;
      return read(decider, id);
    };
    const gone = other.connect(admitted);
    await eventually(() => reads === 1);
    gone.drop();
    slow.open();
    await other.interviews.drain(0);
    await other.interviews.stopped();
    expect((await rig.typesOf(admitted)).filter((type) => type === 'interview.connected')).toHaveLength(1);
    expect(current.closing).toBeNull();
  });

  it('is waited for by the next one for 5 s at most', async () => {
    const rig = new InterviewRig({ speech: SAID });
    const admitted = await rig.session();
    const first = rig.connect(admitted);
    await first.hearsQuestion(1);
    const stuck = gate();
    const append = rig.audio.append.bind(rig.audio);
    rig.audio.append = async (...given) => {
      await stuck.opened;
      return append(...given);
    };
    first.speak({ turn: 1, seq: 1, pcm: tone(20, 440, 8_000) });
    const turnsOfTheLoop = async (): Promise<void> => {
      for (let turns = 0; turns < 50; turns++) await new Promise((resolve) => setImmediate(resolve));
    };
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'performance', 'Date'] });
    try {
      first.drop();
      const second = rig.connect(admitted);
      await turnsOfTheLoop();
      jest.advanceTimersByTime(4_999);
      await turnsOfTheLoop();
      expect(second.told).toEqual([]);
      jest.advanceTimersByTime(1);
      await turnsOfTheLoop();
      expect(second.told.map(({ type }) => type)).toContain('session.ready');
    } finally {
      jest.useRealTimers();
      stuck.open();
    }
  });

  it('is known to be, and looked after, where it dropped as it began', async () => {
    let ended = 0;
    const host = { begin: async () => ({ host: 'h', end: () => (ended += 1) }) };
    const rig = new InterviewRig({ host, resumeMs: 30 });
    const admitted = await rig.session();
    const append = rig.eventStore.append.bind(rig.eventStore);
    rig.eventStore.append = async (...given) => {
      if (given[2][0]?.type === 'interview.connected') client.drop();
      return append(...given);
    };
    const client = rig.connect(admitted);
    await lasting(rig, 'trial.interrupted');
    expect((await rig.typesOf(admitted)).slice(1)).toEqual([
      'interview.connected',
      'interview.disconnected',
      'trial.interrupted',
    ]);
    await eventually(() => ended === 1);
  });

  it('is looked after too where the store’s answer to its beginning was lost', async () => {
    const rig = new InterviewRig({ resumeMs: 30 });
    const admitted = await rig.session();
    const append = rig.eventStore.append.bind(rig.eventStore);
    rig.eventStore.append = async (...given) => {
      const answer = await append(...given);
      if (given[2][0]?.type !== 'interview.connected') return answer;
      client.drop();
      throw new StoreUnavailable('Unreachable, by a test.');
    };
    const client = rig.connect(admitted);
    await lasting(rig, 'trial.interrupted');
    expect((await rig.typesOf(admitted)).slice(1)).toEqual([
      'interview.connected',
      'interview.disconnected',
      'trial.interrupted',
    ]);
  });

  it('is forgotten once its client is back', async () => {
    let ended = 0;
    const host = { begin: async () => ({ host: 'h', end: () => (ended += 1) }) };
    const rig = new InterviewRig({ host });
    const admitted = await rig.session();
    const first = rig.connect(admitted);
    await first.hearsQuestion(1);
    first.drop();
    await rig.connect(admitted).hears('session.ready');
    await eventually(() => ended === 1);
  });

  it.each(['a newer one has superseded it', 'the session has ended'])(
    'is not waited for if %s, which was not noticed',
    async (what) => {
      let ended = 0;
      const host = { begin: async () => ({ host: 'h', end: () => (ended += 1) }) };
      const rig = new InterviewRig({ host });
      // eslint-disable-next-line require-yield -- it hangs
      rig.eventStore.subscribeToAll = async function* () {
        await new Promise(() => undefined);
      };
      const admitted = await rig.session();
      const first = rig.connect(admitted);
      await first.hearsQuestion(1);
      if (what.includes('ended')) await rig.interviews.closer.finish(admitted.session, 'ended');
      else await new InterviewRig({ beside: rig }).connect(admitted).hears('session.ready');
      first.drop();
      await eventually(() => ended === 1);
    },
  );

  it.each(['is refused', 'fails'])('is looked after too where the record of its end %s', async (how) => {
    const rig = new InterviewRig({ resumeMs: 30 });
    const admitted = await rig.session();
    const client = rig.connect(admitted);
    await client.hearsQuestion(1);
    const handle = rig.streams.handle.bind(rig.streams);
    let commands = 0;
    rig.streams.handle = async (...given) => {
      if (++commands > 1) return handle(...given);
      if (how === 'fails') throw new Error('A fault, by a test.');
      return { kind: 'refused', refusal: { code: 'conflict', message: 'Changed.' } };
    };
    client.drop();
    await lasting(rig, 'trial.interrupted');
  });

  it('has its audio dropped that was not stored when a newer one took over', async () => {
    const rig = new InterviewRig({ speech: SAID });
    const other = new InterviewRig({ beside: rig, speech: SAID });
    const admitted = await rig.session();
    const old = rig.connect(admitted);
    await old.hearsQuestion(1);
    const append = rig.audio.append.bind(rig.audio);
    let appends = 0;
    rig.audio.append = (...given) => {
      appends += 1;
      return append(...given);
    };
    const newer = other.connect(admitted);
    await newer.hears('session.ready');
    old.speak({ turn: 1, seq: 1, pcm: tone(20, 440, 8_000) });
    expect(await old.ends()).toMatchObject({ code: 4409 });
    const before = appends;
    // Longer than audio waits at most until it is stored.
    await sleep(450);
    expect(appends).toBe(before);
  });

  it('is not spoken to if it went while its turn was restored', async () => {
    const signals: AbortSignal[] = [];
    const synthesiser: Synthesiser = {
      name: 'test',
      async *speak(_, signal) {
        signals.push(signal);
        yield tone(40, 440, 8_000);
      },
    };
    const { transcriber } = SAID;
    const rig = new InterviewRig({ speech: { transcriber, synthesiser } });
    const admitted = await rig.session();
    const first = rig.connect(admitted);
    await first.hears('interviewer.done');
    first.drop();
    const restored = gate();
    let reads = 0;
    const read = rig.audio.read.bind(rig.audio);
    rig.audio.read = async function* (...given) {
      reads += 1;
      await restored.opened;
      yield* read(...given);
    };
    const second = rig.connect(admitted);
    await eventually(() => reads === 1);
    second.drop();
    restored.open();
    await sleep(20);
    expect(signals).toHaveLength(1);
  });

  it('does not take the line back from a newer one where the answer to its beginning was lost', async () => {
    const rig = new InterviewRig();
    const other = new InterviewRig({ beside: rig });
    const admitted = await rig.session();
    let fails = 3;
    rig.failsAppends(() => (fails-- > 0 ? 'after' : null));
    const lost = rig.connect(admitted);
    await lasting(rig, 'interview.connected');
    const newer = other.connect(admitted);
    expect(await lost.ends()).toEqual({ code: 4409, error: 'superseded' });
    await newer.answers(1, GOOD);
    expect(newer.closing).toBeNull();
    const ids = (await rig.events(admitted)).flatMap((event) =>
      event.type === 'interview.connected' ? [event.data.connectionId] : [],
    );
    expect(new Set(ids).size).toBe(2);
    expect(ids).toHaveLength(2);
  });

  it('ends and answers nothing by what its client still sends once a newer one has taken over', async () => {
    const rig = new InterviewRig({ speech: SAID });
    const other = new InterviewRig({ beside: rig, speech: SAID });
    const admitted = await rig.session();
    const old = rig.connect(admitted);
    await old.hearsQuestion(1);
    const newer = other.connect(admitted);
    await newer.hearsQuestion(1);
    expect(await old.ends()).toMatchObject({ code: 4409 });
    loud(400).forEach((pcm, at) => newer.speak({ turn: 1, seq: at + 1, pcm }));
    await newer.hears('audio.ack');
    old.say({ type: 'session.end', id: 'bye' });
    // Time for an end that is not refused.
    await sleep(50);
    expect(await rig.typesOf(admitted)).not.toContain('interview.answer_recorded');
    expect(newer.closing).toBeNull();
  });

  it('has stored its audio before the next one reports how far it goes', async () => {
    const rig = new InterviewRig({ speech: transcribing(async ({ bytes }) => `${bytes}`) });
    const admitted = await rig.session();
    const first = rig.connect(admitted);
    await first.hearsQuestion(1);
    const append = rig.audio.append.bind(rig.audio);
    rig.audio.append = async (...given) => {
      await sleep(80);
      return append(...given);
    };
    const frames = loud(400);
    frames.forEach((pcm, at) => first.speak({ turn: 1, seq: at + 1, pcm }));
    first.drop();
    const second = rig.connect(admitted);
    expect(await second.hears('session.ready')).toMatchObject({ lastAudioSeq: frames.length });
    second.say({ type: 'turn.commit', id: 'c', turn: 1 });
    expect((await second.hears('transcript.final')).text).toBe(`${400 * BYTES_PER_MS}`);
    const [, again] = (await rig.events(admitted)).filter(({ type }) => type === 'interview.connected');
    expect(again?.data).toMatchObject({ superseded: null });
  });

  it('has a client come again whose audio it overtook on another process', async () => {
    const rig = new InterviewRig({ speech: SAID });
    const admitted = await rig.session();
    const client = rig.connect(admitted);
    await client.hearsQuestion(1);
    const pcm = tone(20, 440, 8_000);
    const of = audioOf(admitted.session);
    const chunk = { turn: 1, firstSeq: 1, lastSeq: 3, timestampMs: 0, endOfTurn: false, answerGapMs: 1, pcm };
    await rig.vault.audio.append(of, 0, chunk);
    client.speak({ turn: 1, seq: 1, pcm });
    expect(await client.ends()).toMatchObject({ code: 4500 });
    expect(await rig.connect(admitted).hears('session.ready')).toMatchObject({ lastAudioSeq: 3 });
  });

  it('begins anew where its process was taken for dead', async () => {
    const rig = new InterviewRig();
    const other = new InterviewRig({ beside: rig });
    const admitted = await rig.session();
    const client = rig.connect(admitted);
    const { connectionId } = await client.hears('session.ready');
    await client.hearsQuestion(1);
    await other.interviews.closer.interrupt(admitted.session, connectionId);
    expect(await client.ends()).toMatchObject({ code: 1001 });
    await rig.connect(admitted).answers(1, GOOD);
  });
});

describe('as the service stops', () => {
  it.each(['before', 'after'])(
    'nothing is waited for of connections that leave, %s it begins to',
    async (when) => {
      const held = gate();
      const rig = new InterviewRig();
      const admitted = await rig.session();
      const client = rig.connect(admitted);
      await client.hearsQuestion(1);
      const append = rig.eventStore.append.bind(rig.eventStore);
      rig.eventStore.append = async (...given) => {
        await held.opened;
        return append(...given);
      };
      client.say({ type: 'message.text', id: 'a', turn: 1, text: GOOD });
      const before = performance.now();
      if (when === 'before') client.drop();
      const drained = rig.interviews.drain(5_000);
      await sleep(20);
      client.drop();
      await drained;
      expect(performance.now() - before).toBeLessThan(4_000);
      held.open();
      await rig.interviews.stopped();
      const types = await rig.typesOf(admitted);
      expect(types).toContain('interview.answer_recorded');
      expect(types.at(-1)).toBe('interview.disconnected');
    },
  );

  it('the return of its clients is left to other processes', async () => {
    let ended = 0;
    const rig = new InterviewRig({ host: { begin: async () => ({ host: 'h', end: () => (ended += 1) }) } });
    const client = rig.connect(await rig.session());
    await client.hearsQuestion(1);
    await rig.interviews.drain(100);
    client.drop(1001);
    await rig.interviews.stopped();
    await eventually(() => ended === 1);
  });

  it('no connection is accepted any more', async () => {
    const rig = new InterviewRig();
    const admitted = await rig.session();
    await rig.interviews.drain(100);
    expect(await rig.connect(admitted).ends()).toMatchObject({ code: 1001 });
    expect(await rig.typesOf(admitted)).toEqual(['trial.started']);
  });
});

describe('speech', () => {
  it('of a turn that is closed is taken, not blamed, where no question is open', async () => {
    const scripted = new ScriptedInterviewer();
    const thinking = gate();
    const interviewer: Interviewer = {
      async next(soFar) {
        if (soFar.questions.length > 0) await thinking.opened;
        return scripted.next(soFar);
      },
    };
    const rig = new InterviewRig({ speech: SAID, interviewer });
    const admitted = await rig.session();
    const first = rig.connect(admitted);
    await first.answers(1, GOOD);
    first.drop();
    const back = rig.connect(admitted);
    await back.hears('session.ready');
    for (let seq = 1; seq <= 12; seq++) back.speak({ turn: 1, seq, pcm: tone(20, 440, 8_000) });
    back.say({ type: 'turn.commit', id: 'c', turn: 1 });
    await back.hearsAck('c');
    expect(await back.hears('audio.ack')).toEqual({ type: 'audio.ack', lastAudioSeq: 12 });
    expect(back.of('error')).toEqual([]);
    thinking.open();
    await back.hearsQuestion(2);
  });

  it('of the next turn is heard while the last one’s transcription has yet to notice that it is over', async () => {
    const stuck = gate();
    let calls = 0;
    const speech = transcribing(async ({ bytes }) => {
      if (++calls === 1) await stuck.opened;
      return `${bytes}`;
    });
    const rig = new InterviewRig({ speech });
    const admitted = await rig.session();
    const client = rig.connect(admitted);
    await client.hearsQuestion(1);
    loud(400).forEach((pcm, at) => client.speak({ turn: 1, seq: at + 1, pcm }));
    client.say({ type: 'turn.commit', id: 'one', turn: 1 });
    await eventually(() => calls === 1);
    client.say({ type: 'message.text', id: 'typed', turn: 1, text: GOOD });
    await client.hearsQuestion(2);
    loud(600).forEach((pcm, at) => client.speak({ turn: 2, seq: 21 + at, pcm }));
    client.say({ type: 'turn.commit', id: 'two', turn: 2 });
    const spoken = await client.hears('transcript.final', 2);
    expect(spoken).toMatchObject({ turn: 2, source: 'transcribed', text: `${600 * BYTES_PER_MS}` });
    stuck.open();
  });

  it('that could not be transcribed at the end stays, also where its connection sees the end come', async () => {
    const speech = transcribing(async () => {
      throw new ProviderFailed('away');
    });
    const rig = new InterviewRig({ speech });
    const admitted = await rig.session();
    const client = rig.connect(admitted);
    await client.hearsQuestion(1);
    loud(400).forEach((pcm, at) => client.speak({ turn: 1, seq: at + 1, pcm }));
    await client.hears('audio.ack');
    await rig.interviews.closer.closeOpenTurn(admitted.session, 'last_chance');
    await client.hears('transcript.final');
    await sleep(50);
    expect((await rig.vault.audio.turns(audioOf(admitted.session))).get(1)).toBe(400 * BYTES_PER_MS);
  });

  it('that is acknowledged while the turn is being closed for another’s sake is in the transcript', async () => {
    const slow = gate();
    let calls = 0;
    const speech = transcribing(async ({ bytes }) => {
      if (++calls === 1) await slow.opened;
      return `${bytes}`;
    });
    const rig = new InterviewRig({ speech });
    const admitted = await rig.session();
    const client = rig.connect(admitted);
    await client.hearsQuestion(1);
    const frames = loud(1_600);
    frames.slice(0, 40).forEach((pcm, at) => client.speak({ turn: 1, seq: at + 1, pcm }));
    await client.hears('audio.ack');
    const closed = rig.interviews.closer.closeOpenTurn(admitted.session, 'last_chance');
    await eventually(() => calls === 1);
    frames.slice(40).forEach((pcm, at) => client.speak({ turn: 1, seq: 41 + at, pcm }));
    await eventually(() => client.of('audio.ack').at(-1)?.lastAudioSeq === 80);
    slow.open();
    await closed;
    expect(await client.hears('transcript.final')).toMatchObject({ text: `${1_600 * BYTES_PER_MS}` });
  });

  it('goes on where the client comes back as its turn is about to be closed', async () => {
    const slow = gate();
    let calls = 0;
    const speech = transcribing(async ({ bytes }) => {
      if (++calls === 1) await slow.opened;
      return `${bytes}`;
    });
    const rig = new InterviewRig({ speech, resumeMs: 20 });
    const admitted = await rig.session();
    const client = rig.connect(admitted);
    await client.hearsQuestion(1);
    loud(400).forEach((pcm, at) => client.speak({ turn: 1, seq: at + 1, pcm }));
    await client.hears('audio.ack');
    client.drop();
    await eventually(() => calls === 1);
    const back = rig.connect(admitted);
    await back.hears('session.ready');
    slow.open();
    await sleep(30);
    loud(200).forEach((pcm, at) => back.speak({ turn: 1, seq: 21 + at, pcm }));
    back.say({ type: 'turn.commit', id: 'c', turn: 1 });
    expect((await back.hears('transcript.final')).text).toBe(`${600 * BYTES_PER_MS}`);
    expect(await rig.typesOf(admitted)).not.toContain('trial.interrupted');
  });

  it('is not let go where the answer that it came to met others’ commands', async () => {
    const rig = new InterviewRig({ speech: SAID });
    const admitted = await rig.session();
    const client = rig.connect(admitted);
    await client.hearsQuestion(1);
    loud(400).forEach((pcm, at) => client.speak({ turn: 1, seq: at + 1, pcm }));
    await client.hears('audio.ack');
    client.drop();
    await lasting(rig, 'interview.disconnected');
    const append = rig.eventStore.append.bind(rig.eventStore);
    let conflicts = 6;
    rig.eventStore.append = async (...given) =>
      conflicts-- > 0 ? { kind: 'conflict', actual: 3 } : append(...given);
    await rig.interviews.closer.finish(admitted.session, 'time_limit');
    expect((await rig.typesOf(admitted)).slice(-3)).toEqual([
      'interview.answer_recorded',
      'interview.ended',
      'trial.completed',
    ]);
  });

  it('is restored once where the vault goes away in the middle', async () => {
    const rig = new InterviewRig({ speech: SAID });
    const other = new InterviewRig({ beside: rig, speech: SAID });
    const admitted = await rig.session();
    const client = rig.connect(admitted);
    await client.hearsQuestion(1);
    for (let seq = 1; seq <= 20; seq++) client.speak({ turn: 1, seq, pcm: tone(20, 440, 8_000) });
    await client.hears('audio.ack');
    for (let seq = 21; seq <= 40; seq++) client.speak({ turn: 1, seq, pcm: tone(20, 440, 8_000) });
    client.drop();
    await lasting(rig, 'interview.disconnected');
    let fails = true;
    const read = other.audio.read.bind(other.audio);
    other.audio.read = async function* (of, turn) {
      for await (const chunk of read(of, turn)) {
        yield chunk;
        if (fails) {
          fails = false;
          throw new VaultUnavailable('Away, by a test.');
        }
      }
    };
    const back = other.connect(admitted);
    await back.hears('session.ready');
    back.say({ type: 'turn.commit', id: 'c', turn: 1 });
    await back.hearsAck('c');
    const answer = (await rig.events(admitted)).find(({ type }) => type === 'interview.answer_recorded');
    expect(answer?.data).toMatchObject({ voice: { durationMs: 800 } });
  });

  it('that comes after the candidate has ended the turn is no part of its answer', async () => {
    const slow = gate();
    let calls = 0;
    const speech = transcribing(async ({ bytes }) => {
      calls += 1;
      await slow.opened;
      return `${bytes}`;
    });
    const rig = new InterviewRig({ speech });
    const admitted = await rig.session();
    const client = rig.connect(admitted);
    await client.hearsQuestion(1);
    loud(400).forEach((pcm, at) => client.speak({ turn: 1, seq: at + 1, pcm }));
    client.say({ type: 'turn.commit', id: 'c', turn: 1 });
    await eventually(() => calls === 1);
    loud(200).forEach((pcm, at) => client.speak({ turn: 1, seq: 21 + at, pcm }));
    await eventually(() => client.of('audio.ack').at(-1)?.lastAudioSeq === 30);
    slow.open();
    await client.hearsAck('c');
    expect(client.of('transcript.final')).toMatchObject([{ text: `${400 * BYTES_PER_MS}` }]);
    const answer = (await rig.events(admitted)).find(({ type }) => type === 'interview.answer_recorded');
    expect(answer?.data).toMatchObject({ voice: { durationMs: 400 } });
  });

  it('whose end came on a connection that was lost is answered on the next, without a further frame', async () => {
    const never = transcribing(() => new Promise(() => undefined));
    const rig = new InterviewRig({ speech: never });
    const other = new InterviewRig({ beside: rig, speech: SAID });
    const admitted = await rig.session({ answerPauseMs: 500 });
    const client = rig.connect(admitted);
    await client.hearsQuestion(1);
    [...loud(600), ...spoken(700, false)].forEach((pcm, at) => client.speak({ turn: 1, seq: at + 1, pcm }));
    await client.hears('transcript.pending');
    client.drop();
    await lasting(rig, 'interview.disconnected');
    const back = other.connect(admitted);
    expect(await back.hears('transcript.final')).toMatchObject({ turn: 1, text: GOOD });
  });

  it('in a turn that a text closes is discarded before the interview ends, and so is no late answer', async () => {
    const discarding = gate();
    const rig = new InterviewRig({ speech: SAID });
    const admitted = await rig.session();
    const discard = rig.audio.discard.bind(rig.audio);
    const discarded: number[] = [];
    rig.audio.discard = async (of, turn) => {
      discarded.push(turn);
      await discarding.opened;
      await discard(of, turn);
    };
    const client = rig.connect(admitted);
    await client.hearsQuestion(1);
    loud(400).forEach((pcm, at) => client.speak({ turn: 1, seq: at + 1, pcm }));
    client.say({ type: 'message.text', id: 'typed', turn: 1, text: 'Typed.' });
    await client.hearsAck('typed');
    await eventually(() => discarded.length === 1);
    client.say({ type: 'session.end', id: 'bye' });
    // Time for an end that does not wait.
    await sleep(50);
    discarding.open();
    expect(await client.ends()).toMatchObject({ code: 1000 });
    const answers = (await rig.events(admitted)).flatMap((event) =>
      event.type === 'interview.answer_recorded' ? [event.personal?.text] : [],
    );
    expect(answers).toEqual(['Typed.']);
  });

  it('of an open turn goes on after a reconnection, where late speech before it is stored too', async () => {
    const speech = transcribing(async ({ bytes }) => `${bytes}`);
    const rig = new InterviewRig({ speech });
    const admitted = await rig.session();
    const first = rig.connect(admitted);
    await first.answers(1, GOOD);
    await first.hearsQuestion(2);
    first.drop();
    await lasting(rig, 'interview.disconnected');
    const of = audioOf(admitted.session);
    const pcm = Buffer.concat(loud(400));
    const chunk = { timestampMs: 0, endOfTurn: false, answerGapMs: null, pcm };
    const late = lateNumber({ turn: 1, firstSeq: 1 });
    await rig.vault.audio.append(of, 0, { ...chunk, turn: late, firstSeq: 1, lastSeq: 20 });
    await rig.vault.audio.append(of, 20, { ...chunk, turn: 2, firstSeq: 21, lastSeq: 40 });
    const back = rig.connect(admitted);
    await back.hearsQuestion(2);
    loud(600).forEach((frame, at) => back.speak({ turn: 2, seq: 41 + at, pcm: frame }));
    back.say({ type: 'turn.commit', id: 'c', turn: 2 });
    await back.hearsAck('c');
    const answer = (await rig.events(admitted)).find(
      (event) => event.type === 'interview.answer_recorded' && event.data.turn === 2,
    );
    expect(answer?.personal).toMatchObject({ text: `${1_000 * BYTES_PER_MS}` });
  });

  it('that could not be transcribed is not tried again with each further frame', async () => {
    let calls = 0;
    const speech = transcribing(async () => {
      calls += 1;
      throw new ProviderFailed('away');
    });
    const rig = new InterviewRig({ speech });
    const client = rig.connect(await rig.session());
    await client.hearsQuestion(1);
    loud(600).forEach((pcm, at) => client.speak({ turn: 1, seq: at + 1, pcm }));
    client.speak({ turn: 1, seq: 31, pcm: new Uint8Array(0), endOfTurn: true });
    expect(await client.hears('error')).toMatchObject({ code: 'transcription_failed' });
    const before = calls;
    spoken(400, false).forEach((pcm, at) => client.speak({ turn: 1, seq: 32 + at, pcm }));
    await eventually(() => client.of('audio.ack').at(-1)?.lastAudioSeq === 51);
    expect(calls).toBe(before);
    expect(client.of('error')).toHaveLength(1);
  });

  it('with two gaps is reported twice', async () => {
    const rig = new InterviewRig({ speech: SAID });
    const client = rig.connect(await rig.session());
    await client.hearsQuestion(1);
    for (const seq of [1, 3, 4, 2, 9, 10]) client.speak({ turn: 1, seq, pcm: tone(20, 440, 8_000) });
    expect(client.of('error').map(({ error }) => error.slice(0, 33))).toEqual([
      'Audio is missing before seq 3: co',
      'Audio is missing before seq 9: co',
    ]);
  });

  it('of a newer connection is not transcribed because a former one is gone', async () => {
    let calls = 0;
    const speech = transcribing(async () => {
      calls += 1;
      return GOOD;
    });
    const rig = new InterviewRig({ speech });
    const admitted = await rig.session();
    const former = rig.connect(admitted);
    const { connectionId } = await former.hears('session.ready');
    await former.hearsQuestion(1);
    const newer = rig.connect(admitted);
    await newer.hearsQuestion(1);
    loud(600).forEach((pcm, at) => newer.speak({ turn: 1, seq: at + 1, pcm }));
    await newer.hears('audio.ack');
    await rig.interviews.closer.interrupt(admitted.session, connectionId);
    expect(calls).toBe(0);
    expect(await rig.typesOf(admitted)).not.toContain('trial.interrupted');
    expect(newer.closing).toBeNull();
  });
});

it('a state that was read before another was recorded takes nothing back', async () => {
  const transcribed = gate();
  let calls = 0;
  const { transcriber } = transcribing(async () => {
    calls += 1;
    await transcribed.opened;
    return GOOD;
  });
  const synthesiser: Synthesiser = {
    name: 'test',
    async *speak() {
      yield tone(40, 440, 8_000);
    },
  };
  const rig = new InterviewRig({ speech: { transcriber, synthesiser } });
  const admitted = await rig.session();
  const client = rig.connect(admitted);
  const { connectionId } = await client.hears('session.ready');
  await client.hearsQuestion(1);
  loud(400).forEach((pcm, at) => client.speak({ turn: 1, seq: at + 1, pcm }));
  client.say({ type: 'turn.commit', id: 'commit', turn: 1 });
  await eventually(() => calls === 1);
  const held = gate();
  let reads = 0;
  const read = rig.streams.read.bind(rig.streams);
  rig.streams.read = async (decider, id) => {
    const before = await read(decider, id);
    if ((decider as object) === trial && ++reads === 1) await held.opened;
    return before;
  };
  await rig.record(admitted, (state) =>
    cutOff(state, { connectionId, turn: 1, playedMs: 0, sentMs: 0, messageId: 'cut' }),
  );
  await eventually(() => reads === 1);
  transcribed.open();
  await client.hears('question', 2);
  held.open();
  // Handled after the state that was read.
  client.say({ type: 'question.repeat', id: 'again', turn: 1 });
  await client.hearsAck('again');
  await client.hears('interviewer.done', 2);
  expect(client.of('interviewer.started').map(({ turn }) => turn)).toEqual([1, 2]);
});

describe('the interviewer’s speech', () => {
  const speaking = (speak: Synthesiser['speak']) => ({
    transcriber: 'client' as const,
    synthesiser: { name: 'test', speak },
  });

  it('begins after session.ready and the question, and its frames are never numbered alike', async () => {
    const rig = new InterviewRig({
      speech: speaking(async function* () {
        yield tone(80, 440, 8_000);
      }),
    });
    const admitted = await rig.session();
    const seqs: number[] = [];
    for (let times = 0; times < 3; times++) {
      const client = rig.connect(admitted);
      await client.hears('interviewer.done');
      const types = client.told.map(({ type }) => type);
      expect(types).toEqual(['session.ready', 'question', 'interviewer.started', 'interviewer.done']);
      for (const bytes of client.frames) {
        const frame = parseAudioFrame(Buffer.from(bytes), SPEAKER.interviewer);
        if (typeof frame === 'string') throw new Error(frame);
        seqs.push(frame.seq);
      }
      client.drop();
    }
    expect(seqs).toHaveLength(6);
    expect(seqs.every((seq, at) => at === 0 || seq > seqs[at - 1]!)).toBe(true);
  });

  it('that hangs is over before the next question is spoken, and was heard as far as it was sent', async () => {
    const rig = new InterviewRig({
      // eslint-disable-next-line require-yield -- it hangs
      speech: speaking(async function* () {
        await new Promise(() => undefined);
      }),
    });
    const admitted = await rig.session();
    const client = rig.connect(admitted);
    await client.hearsQuestion(1);
    client.say({ type: 'interrupt', id: 'i', turn: 1, playedMs: 5_000 });
    await client.hearsAck('i');
    expect(client.of('interrupted')).toMatchObject([{ turn: 1, playedMs: 0 }]);
    await client.answers(1, GOOD);
    await client.hearsQuestion(2);
    await client.answers(2, GOOD);
    await client.hearsQuestion(3);
    const marks = client.told.flatMap((one) =>
      one.type === 'interviewer.started' || one.type === 'interviewer.done' ? [[one.type, one.turn]] : [],
    );
    expect(marks).toEqual([
      ['interviewer.started', 1],
      ['interviewer.done', 1],
      ['interviewer.started', 2],
      ['interviewer.done', 2],
      ['interviewer.started', 3],
    ]);
  });
});

describe('a question that is being spoken', () => {
  /** Speaks 200 ms, and the rest never. */
  const hanging = () => {
    const signals: AbortSignal[] = [];
    const synthesiser: Synthesiser = {
      name: 'test',
      async *speak(_, signal) {
        signals.push(signal);
        yield tone(200, 440, 8_000);
        await new Promise(() => undefined);
      },
    };
    return { signals, speech: { transcriber: 'client' as const, synthesiser } };
  };

  it('is spoken no further once its client is gone', async () => {
    const { signals, speech } = hanging();
    const rig = new InterviewRig({ speech });
    const client = rig.connect(await rig.session());
    await client.hears('interviewer.started');
    client.drop();
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  });

  it('has not waited for its answer yet where the connection is lost', async () => {
    const rig = new InterviewRig({ speech: hanging().speech });
    const admitted = await rig.session();
    const client = rig.connect(admitted);
    await eventually(() => client.frames.length > 0);
    await sleep(150);
    client.drop();
    await lasting(rig, 'interview.disconnected');
    const left = (await rig.events(admitted)).find(({ type }) => type === 'interview.disconnected');
    const { waited } = left?.data as { readonly waited: { readonly ms: number } };
    expect(waited.ms).toBeLessThan(100);
  });

  it('is spoken no further once it is answered, also before there is a next one', async () => {
    const scripted = new ScriptedInterviewer();
    const interviewer: Interviewer = {
      next: async (soFar) =>
        soFar.questions.length > 0 ? new Promise(() => undefined) : scripted.next(soFar),
    };
    const { signals, speech } = hanging();
    const rig = new InterviewRig({ speech, interviewer });
    const client = rig.connect(await rig.session());
    await client.hears('interviewer.started');
    client.say({ type: 'message.text', id: 'a', turn: 1, text: GOOD });
    await client.hears('interviewer.done');
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  });

  it('sends nothing more once it is interrupted, also if its client was slow to read until then', async () => {
    const rig = new InterviewRig({ speech: hanging().speech });
    const client = rig.connect(await rig.session());
    const read = gate();
    client.ready = () => read.opened;
    await client.hears('interviewer.started');
    // Time for the first frame to wait for the client.
    await sleep(50);
    client.say({ type: 'interrupt', id: 'i', turn: 1, playedMs: 0 });
    await client.hearsAck('i');
    read.open();
    await sleep(20);
    expect(client.frames).toEqual([]);
  });

  it('was heard as far as its client says, where an earlier connection spoke it', async () => {
    const rig = new InterviewRig({ speech: hanging().speech });
    const admitted = await rig.session();
    const first = rig.connect(admitted);
    const { seq } = await first.hearsQuestion(1);
    first.drop();
    const back = rig.connect(admitted, { resumeFromSeq: seq });
    back.say({ type: 'interrupt', id: 'i', turn: 1, playedMs: 120 });
    await back.hearsAck('i');
    expect(back.of('interrupted')).toMatchObject([{ turn: 1, playedMs: 120 }]);
  });

  it('is not spoken again to a client that comes back and has it already', async () => {
    const { signals, speech } = hanging();
    const rig = new InterviewRig({ speech });
    const admitted = await rig.session();
    const first = rig.connect(admitted);
    const { seq } = await first.hearsQuestion(1);
    first.drop();
    const back = rig.connect(admitted, { resumeFromSeq: seq });
    back.say({ type: 'message.text', id: 'a', turn: 1, text: GOOD });
    await back.hears('interviewer.started');
    expect(back.of('interviewer.started').map(({ turn }) => turn)).toEqual([2]);
    expect(signals).toHaveLength(2);
  });
});

describe('the interview of an erased candidate', () => {
  it('closes with 4410 and is not tried for ever', async () => {
    const rig = new InterviewRig({ speech: SAID, resumeMs: 10 });
    const admitted = await rig.session();
    const client = rig.connect(admitted);
    const { connectionId } = await client.hears('session.ready');
    await client.hearsQuestion(1);
    await rig.vault.keys.erase(admitted.session.candidateId as never);
    client.say({ type: 'message.text', id: 'a', turn: 1, text: GOOD });
    expect(await client.ends()).toEqual({ code: 4410, error: 'session_over' });
    await rig.interviews.closer.interrupt(admitted.session, connectionId);
    await rig.interviews.closer.closeOpenTurn(admitted.session, 'last_chance');
  });

  it('closes so where it was speaking', async () => {
    const rig = new InterviewRig({ speech: SAID });
    const admitted = await rig.session();
    const client = rig.connect(admitted);
    await client.hearsQuestion(1);
    await rig.vault.keys.erase(admitted.session.candidateId as never);
    client.speak({ turn: 1, seq: 1, pcm: tone(20, 440, 8_000) });
    expect(await client.ends()).toEqual({ code: 4410, error: 'session_over' });
  });

  /** Records the erasure only: the key still exists, and the session has not been ended. */
  const erasedByEvent = async (rig: InterviewRig, { session }: AdmittedCaller): Promise<void> => {
    const contexts = new CommandContexts(new KeyedHasher(Buffer.alloc(32, 7)));
    const context = contexts.forSystem({ type: 'staff', id: 'sub' }, 'test');
    await rig.streams.handle(candidate, session.candidateId, context, (state) =>
      eraseCandidate(state, { cause: 'staff' }),
    );
  };

  it('is not completed after the event: the erasure ends it', async () => {
    const rig = new InterviewRig();
    const admitted = await rig.session();
    const client = rig.connect(admitted);
    await client.hearsQuestion(1);
    await erasedByEvent(rig, admitted);
    await rig.interviews.closer.finish(admitted.session, 'time_limit');
    client.say({ type: 'session.end', id: 'e' });
    expect(await client.ends()).toEqual({ code: 4410, error: 'session_over' });
    expect(await rig.typesOf(admitted)).not.toContain('trial.completed');
  });

  it('takes no activity and no further connection from the event on', async () => {
    const rig = new InterviewRig();
    const admitted = await rig.session();
    const client = rig.connect(admitted);
    await client.hearsQuestion(1);
    await erasedByEvent(rig, admitted);
    const event = {
      clientEventId: 'c',
      eventType: 'page.hidden',
      occurredAt: new Date().toISOString(),
      payload: {},
    };
    client.say({ type: 'activity', id: 'a', events: [event] });
    expect(await client.ends()).toEqual({ code: 4410, error: 'session_over' });
    expect(await rig.connect(admitted).ends()).toEqual({ code: 4410, error: 'session_over' });
    expect(await rig.typesOf(admitted)).not.toContain('trial.activity_recorded');
  });
});
