import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Evaluated, evaluated } from '../support/shared-report.js';
import { joinStage, type Stage } from '../support/stage.js';

interface Time {
  readonly count: number;
  readonly medianSeconds: number | null;
  readonly p90Seconds: number | null;
}
type Times = Readonly<Record<'started' | 'completed' | 'evaluated' | 'decided', Time>>;
interface Stages {
  readonly roles: readonly (Times & { readonly roleId: string; readonly roleName: string })[];
  readonly totals: Times;
  readonly applicationCount: number;
  readonly isCut: boolean;
}
interface Application {
  readonly trialSessions: readonly {
    readonly invitedAt: string;
    readonly startedAt: string;
    readonly endedAt: string;
  }[];
  readonly outcome: { readonly recordedAt: string } | null;
}

const NONE: Time = { count: 0, medianSeconds: null, p90Seconds: null };

describe('the time in each stage of the signal', () => {
  let stage: Stage;
  let one: Evaluated;
  let idle: string;
  let busy: string;
  beforeAll(async () => {
    stage = await joinStage();
    idle = await stage.role('Idle');
    busy = await stage.role('Busy');
    await stage.candidate(idle);
    one = await evaluated(stage, busy);
    await stage.owner.put(stage.at(`/trial-sessions/${one.sessionId}/outcome`), { humanRound: 'passed' });
  });
  afterAll(() => stage.close());

  const stages = async (): Promise<Stages> =>
    (await stage.owner.get<Stages>(stage.at('/signal/stages'))).body;

  it('is the times of the applications, per role and in total', async () => {
    const { owner } = stage;
    const { body: application } = await owner.get<Application>(one.application);
    const { body: evaluation } = await owner.get<{ generatedAt: string }>(one.evaluation);
    const [session] = application.trialSessions;
    const between = (from = '', to = ''): Time => {
      const seconds = Math.floor((Date.parse(to) - Date.parse(from)) / 1_000 + 0.5);
      return { count: 1, medianSeconds: seconds, p90Seconds: seconds };
    };
    const times = {
      started: between(session?.invitedAt, session?.startedAt),
      completed: between(session?.startedAt, session?.endedAt),
      evaluated: between(session?.endedAt, evaluation.generatedAt),
      decided: between(evaluation.generatedAt, application.outcome?.recordedAt),
    };
    const { roles, ...rest } = await stages();
    expect(roles).toEqual([
      { roleId: busy, roleName: 'Busy', ...times },
      { roleId: idle, roleName: 'Idle', started: NONE, completed: NONE, evaluated: NONE, decided: NONE },
    ]);
    expect(rest).toEqual({ totals: times, applicationCount: 2, isCut: false });
  });

  it('is left as it was by a corrected outcome and by an erasure, and taken back with a retraction', async () => {
    const { owner } = stage;
    const before = await stages();
    const outcome = stage.at(`/trial-sessions/${one.sessionId}/outcome`);
    await owner.put(outcome, { humanRound: 'passed', disposition: 'hired' });
    expect(await stages()).toEqual(before);
    await owner.delete(outcome);
    expect((await stages()).totals).toEqual({ ...before.totals, decided: NONE });
    const retracted = await stages();
    await owner.post(`${one.application}/erasure`);
    expect(await stages()).toEqual(retracted);
  });

  it('is nothing for an organisation without roles', async () => {
    const org = await stage.organisation('New', 'new-owner@example.org');
    const person = await stage.signIn('new-owner@example.org');
    await person.get('/me');
    expect((await person.get(`/organisations/${org}/signal/stages`)).body).toEqual({
      roles: [],
      totals: { started: NONE, completed: NONE, evaluated: NONE, decided: NONE },
      applicationCount: 0,
      isCut: false,
    });
  });
});
