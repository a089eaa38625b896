import { afterEach, describe, expect, it } from '@jest/globals';
import { dropAll, InterviewRig } from '../../../test/support/interview-rig.js';
import { interrupt } from '../../domain/session/interview-decider.js';
import { endOfTime } from '../../domain/session/time-limit.js';
import { finishInterviews } from './interview-closer.js';
import type { AdmittedCaller } from './port.js';

it('an interview is finished as much later as its candidate was granted, and at no time before its first question', () => {
  const { dueAt } = finishInterviews({ finishOverdue: async () => undefined });
  const due = (endsAt: string | null, timeFactor: number) =>
    dueAt({ endsAt, timeFactor } as Parameters<typeof dueAt>[0]);
  const endsAt = '2026-03-01T11:00:00.000Z';
  expect(due(endsAt, 1)).toBe(endsAt);
  expect(due(endsAt, 1.5)).toBe('2026-03-01T11:30:00.000Z');
  expect(due(null, 1.5)).toBe('');
});

describe('an interview that the view lists as overdue, though the streams have changed since', () => {
  afterEach(dropAll);

  const interrupted = async (rig: InterviewRig, admitted: AdmittedCaller): Promise<string> => {
    const client = rig.connect(admitted);
    const { connectionId } = await client.hears('session.ready');
    await client.hearsQuestion(1);
    client.drop();
    await rig.record(admitted, (state) => interrupt(state, { connectionId }));
    const [asked] = (await rig.events(admitted)).flatMap((event) =>
      event.type === 'interview.question_asked' ? event.data : [],
    );
    return asked?.endsAt ?? '';
  };

  it('goes on if staff have granted more time, and is finished once that is over', async () => {
    const rig = new InterviewRig();
    const admitted = await rig.session();
    const endsAt = await interrupted(rig, admitted);
    await rig.accommodate(admitted, 1.5);
    const { closer } = rig.interviews;
    await closer.finishOverdue(admitted.session, new Date(endsAt));
    expect(await rig.typesOf(admitted)).not.toContain('trial.completed');
    await closer.finishOverdue(admitted.session, new Date(endOfTime(endsAt, 1.5)));
    expect((await rig.events(admitted)).slice(-2)).toMatchObject([
      { type: 'interview.ended', data: { reason: 'time_limit' } },
      { type: 'trial.completed' },
    ]);
  });

  it('is left to the process of the connection on which the client has come back', async () => {
    const rig = new InterviewRig();
    const admitted = await rig.session();
    const endsAt = await interrupted(rig, admitted);
    const back = rig.connect(admitted);
    await back.hears('session.ready');
    await rig.interviews.closer.finishOverdue(admitted.session, new Date(endsAt));
    expect(await rig.typesOf(admitted)).not.toContain('trial.completed');
  });
});
