import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../../../test/support/eventually.js';
import { dropAll, InterviewRig } from '../../../test/support/interview-rig.js';
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
});
