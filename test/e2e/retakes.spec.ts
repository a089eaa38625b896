import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { evaluated } from '../support/shared-report.js';
import { type Failure, joinStage, type Stage } from '../support/stage.js';

interface Application {
  readonly id: string;
  readonly candidateId: string;
  readonly retakeOf: string | null;
  readonly status: string;
  readonly trialSessions: readonly { readonly id: string; readonly evaluationId: string | null }[];
}

describe('a retake', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await joinStage();
  });
  afterAll(() => stage.close());

  const invite = (roleId: string, candidateEmail: string, retakeOf?: string) =>
    stage.owner.post<Application & Failure>(stage.at(`/roles/${roleId}/invitations`), {
      candidateEmail,
      ...(retakeOf !== undefined && { retakeOf }),
    });

  it('is an application of its own that names the former one, which stays as it is', async () => {
    const { owner } = stage;
    const roleId = await stage.role();
    const first = await evaluated(stage, roleId);
    const before = await owner.get<Application>(first.application);
    expect(before.body.retakeOf).toBeNull();
    const { status, body } = await invite(roleId, first.email, first.applicationId);
    expect(status).toBe(201);
    expect(body).toMatchObject({
      retakeOf: first.applicationId,
      candidateId: before.body.candidateId,
      status: 'invited',
    });
    expect(body.trialSessions[0]!.id).not.toBe(first.sessionId);
    expect((await owner.get<Application>(first.application)).body).toEqual(before.body);
    const { body: list } = await owner.get<{ items: Application[] }>(
      stage.at(`/applications?roleId=${roleId}`),
    );
    expect(list.items.map(({ id, retakeOf }) => [id, retakeOf])).toEqual([
      [first.applicationId, null],
      [body.id, first.applicationId],
    ]);
    const cancelled = await owner.post<Application>(stage.at(`/applications/${body.id}/cancel`));
    expect(cancelled.body.retakeOf).toBe(first.applicationId);
  });

  it('is refused of an application of another person, for another role, or that there is none of', async () => {
    const [roleId, otherRole] = [await stage.role(), await stage.role()];
    const { body: first } = await invite(roleId, 'first@example.org');
    await stage.owner.post(stage.at(`/applications/${first.id}/cancel`));
    for (const [role, email, retakeOf] of [
      [roleId, 'second@example.org', first.id],
      [otherRole, 'first@example.org', first.id],
      [roleId, 'first@example.org', '01a1ff15-0000-7000-8000-000000000000'],
    ] as const) {
      const { status, body } = await invite(role, email, retakeOf);
      expect([status, body.details?.map(({ path }) => path)]).toEqual([400, ['retakeOf']]);
    }
  });
});
