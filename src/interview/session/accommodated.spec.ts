import { afterEach, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../../../test/support/eventually.js';
import { dropAll, InterviewRig, tireless, transcriber } from '../../../test/support/interview-rig.js';
import { spoken } from '../../../test/support/pcm.js';
import { outcome } from '../../domain/application/decider.js';
import { disconnect } from '../../domain/session/interview-decider.js';
import type { AdmittedCaller } from './port.js';

const MINUTE = 60_000;

describe('an interview with more time', () => {
  afterEach(dropAll);

  /** An interview that has taken so long, on a connection that is gone. */
  const after = async (rig: InterviewRig, admitted: AdmittedCaller, elapsedMs: number): Promise<void> => {
    const client = rig.connect(admitted);
    const { connectionId } = await client.hears('session.ready');
    await client.hearsQuestion(1);
    const gone = { connectionId, code: null, waited: null, elapsedMs };
    await rig.record(admitted, (state) => disconnect(state, gone));
    client.drop();
  };

  it('tells the client', async () => {
    const rig = new InterviewRig();
    const admitted = await rig.session();
    await rig.accommodate(admitted, 1.1);
    const client = rig.connect(admitted);
    const { limits } = await client.hears('session.ready');
    expect(limits).toMatchObject({ maxDurationMs: 66 * MINUTE, resumeMs: 132_000 });
    await client.hearsQuestion(1);
    await rig.accommodate(admitted, 1.5);
    const changed = await client.hears('session.limits');
    expect(changed.limits).toEqual({ ...limits, maxDurationMs: 90 * MINUTE, resumeMs: 180_000 });
    const [asked] = (await rig.events(admitted)).filter(({ type }) => type === 'interview.question_asked');
    const begunAt = Date.parse(asked?.metadata.recordedAt ?? '');
    expect(Math.abs(Date.parse(changed.expiresAt) - begunAt - 90 * MINUTE)).toBeLessThan(MINUTE);
  });

  it('ends at once when its time is taken back, and not before', async () => {
    const rig = new InterviewRig();
    const admitted = await rig.session();
    await rig.accommodate(admitted, 2);
    await after(rig, admitted, 100 * MINUTE);
    const client = rig.connect(admitted);
    await client.hearsQuestion(1);
    await rig.accommodate(admitted, 3);
    await client.answers(1, 'I wrote a test first.');
    expect(client.of('session.completed')).toEqual([]);
    await rig.accommodate(admitted, 1.5);
    expect(await client.hears('session.completed')).toMatchObject({ reason: 'time_limit' });
  });

  it('goes on when more time is granted', async () => {
    const rig = new InterviewRig();
    const admitted = await rig.session();
    await after(rig, admitted, 60 * MINUTE - 1_000);
    const client = rig.connect(admitted);
    await client.hears('session.ready');
    await rig.accommodate(admitted, 1.5);
    const [asked] = (await rig.events(admitted)).filter(({ type }) => type === 'interview.question_asked');
    await eventually(() => Date.now() - Date.parse(asked?.metadata.recordedAt ?? '') > 1_500);
    await client.answers(1, 'I wrote a test first.');
  });

  /**
   * A connection whose interview has 200 ms left with the later one of two time factors. The reads of accommodations
   * after its first are held until `letThrough`; notifications too, if the factor does not change.
   */
  const closeToItsEnd = async (rig: InterviewRig, admitted: AdmittedCaller, before = 1, later = before) => {
    if (before !== 1) await rig.accommodate(admitted, before);
    await after(rig, admitted, later * 60 * MINUTE - 200);
    let letThrough = (): void => undefined;
    const opened = new Promise<void>((resolve) => (letThrough = resolve));
    const reads: string[] = [];
    const read = rig.streams.read.bind(rig.streams);
    rig.streams.read = async (decider, id) => {
      if ((decider as object) === outcome && reads.push(id) > 1) await opened;
      return read(decider, id);
    };
    const subscribe = rig.eventStore.subscribeToAll.bind(rig.eventStore);
    if (later === before)
      rig.eventStore.subscribeToAll = async function* (options) {
        await opened;
        yield* subscribe(options);
      };
    const client = rig.connect(admitted);
    return { client, reads, letThrough: () => letThrough() };
  };

  it('goes on past its end if more time was granted and this process has not been notified yet', async () => {
    const rig = new InterviewRig();
    const admitted = await rig.session();
    const { client, reads, letThrough } = await closeToItsEnd(rig, admitted);
    await eventually(() => reads.length === 2);
    await rig.accommodate(admitted, 2);
    letThrough();
    await client.hears('session.limits');
    await client.answers(1, 'I wrote a test first.');
    expect(client.of('session.completed')).toEqual([]);
  });

  it('asks nothing more once its end has begun', async () => {
    const speech = {
      transcriber: transcriber(() => 'I wrote a test first.'),
      synthesiser: 'client',
    } as const;
    const rig = new InterviewRig({ speech, interviewer: tireless(() => 'Why?') });
    const admitted = await rig.session();
    const { client, reads, letThrough } = await closeToItsEnd(rig, admitted);
    const discard = rig.audio.discard.bind(rig.audio);
    rig.audio.discard = async (...given) => {
      // By then, the connection has the answer that the end gives to the open turn.
      await client.hears('transcript.final');
      await sleep(30);
      await discard(...given);
    };
    await eventually(() => reads.length === 2);
    spoken(400).forEach((pcm, at) => client.speak({ turn: 1, seq: at + 1, pcm }));
    letThrough();
    expect(await client.ends()).toMatchObject({ code: 1000 });
    expect((await rig.typesOf(admitted)).slice(-3)).toEqual([
      'interview.answer_recorded',
      'interview.ended',
      'trial.completed',
    ]);
  });

  it('is not ended by a connection that is gone, which reads nothing more', async () => {
    const rig = new InterviewRig();
    const admitted = await rig.session();
    const { client, reads } = await closeToItsEnd(rig, admitted);
    const send = client.send.bind(client);
    client.send = (message) => {
      send(message);
      if (message.type === 'session.ready') setImmediate(() => client.drop());
    };
    await client.ends();
    await sleep(300);
    expect(reads).toHaveLength(1);
    expect(await rig.typesOf(admitted)).not.toContain('trial.completed');
  });

  it.each([
    ['has no more time', 1, 1],
    ['has less time', 2, 1.5],
  ])('is not ended by a connection that goes while it is read that it %s', async (_, before, now) => {
    const rig = new InterviewRig();
    const admitted = await rig.session();
    const { client, reads, letThrough } = await closeToItsEnd(rig, admitted, before, now);
    await client.hears('session.ready');
    if (now !== before) await rig.accommodate(admitted, now);
    await eventually(() => reads.length === 2);
    client.drop();
    letThrough();
    await sleep(now === before ? 100 : 300);
    expect(reads).toHaveLength(2);
    expect(await rig.typesOf(admitted)).not.toContain('trial.completed');
  });

  it('waits longer for a connection that dropped', async () => {
    const rig = new InterviewRig({ resumeMs: 50 });
    const admitted = await rig.session();
    await rig.accommodate(admitted, 3);
    const client = rig.connect(admitted);
    await client.hearsQuestion(1);
    client.drop();
    const types = () => rig.eventStore.log.map(({ type }) => type);
    await eventually(() => types().includes('trial.interrupted'));
    const [left = 0, interrupted = 0] = (await rig.events(admitted))
      .slice(-2)
      .map(({ metadata }) => Date.parse(metadata.recordedAt));
    expect(interrupted - left).toBeGreaterThanOrEqual(145);
  });

  it('waits longer also for a connection that dropped as it began', async () => {
    const rig = new InterviewRig({ resumeMs: 50 });
    const admitted = await rig.session();
    await rig.accommodate(admitted, 3);
    const append = rig.eventStore.append.bind(rig.eventStore);
    rig.eventStore.append = async (...given) => {
      if (given[2][0]?.type === 'interview.connected') client.drop();
      return append(...given);
    };
    const client = rig.connect(admitted);
    await eventually(() => rig.eventStore.log.at(-1)?.type === 'trial.interrupted');
    const [left = 0, interrupted = 0] = (await rig.events(admitted))
      .slice(-2)
      .map(({ metadata }) => Date.parse(metadata.recordedAt));
    expect(interrupted - left).toBeGreaterThanOrEqual(145);
  });
});
