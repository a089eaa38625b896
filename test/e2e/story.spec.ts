import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Api, type Person } from '../support/api.js';
import { eventually } from '../support/eventually.js';
import { createOrganisation, definition, invite, work } from '../support/organisation.js';
import { makePlace, type Place } from '../support/place.js';
import type { Service } from '../support/service.js';

interface Counts {
  readonly trialCompletedCount: number;
  readonly outcomeRecordedCount: number;
  readonly awaitingOutcomeCount: number;
  readonly humanRound: object;
  readonly disposition: object;
}
interface Signal {
  readonly roles: readonly (Counts & { roleId: string; roleName: string })[];
  readonly totals: Counts;
}

const NONE: Counts = {
  trialCompletedCount: 0,
  outcomeRecordedCount: 0,
  awaitingOutcomeCount: 0,
  humanRound: { passed: 0, failed: 0 },
  disposition: { hired: 0, declined: 0 },
};
const AWAITING: Counts = { ...NONE, trialCompletedCount: 1, awaitingOutcomeCount: 1 };
const RECORDED: Counts = { ...NONE, trialCompletedCount: 1, outcomeRecordedCount: 1 };

describe('one hiring round, from the invitation to the signal', () => {
  let place: Place;
  let service: Service;
  let staff: Person;
  let carol: Person;
  let org: string;
  let role: string;
  let session: string;
  let application: string;
  let evaluation: string;

  const signal = async (): Promise<Signal> => (await staff.get<Signal>(`/organisations/${org}/signal`)).body;
  const expectSignal = async (counts: Counts, roleName = 'Backend engineer'): Promise<void> => {
    expect(await signal()).toEqual({ roles: [{ roleId: role, roleName, ...counts }], totals: counts });
  };

  beforeAll(async () => {
    place = await makePlace();
    service = await place.start();
    org = await createOrganisation(place.dataDir, 'Example', 'Olga@example.org');
    staff = await new Api(service.url).as('olga@example.org');
    carol = await new Api(service.url).as('carol@example.org');
  });
  afterAll(async () => {
    await service.stop();
    await place.remove();
  });

  it('the owner’s first sign-in shows the membership at once', async () => {
    const { status, body } = await staff.get<{ memberships: object[] }>('/me');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      email: 'olga@example.org',
      emailVerified: true,
      memberships: [{ organisationId: org, organisationName: 'Example', role: 'owner' }],
      applications: [],
    });
    expect(await signal()).toEqual({ roles: [], totals: NONE });
  });

  it('a role begins as a draft, which takes no invitation, and is made ready', async () => {
    const draft = { ...definition(), dimensions: [] };
    const created = await staff.post<{ id: string }>(`/organisations/${org}/roles`, draft);
    expect(created).toMatchObject({ status: 201, body: { status: 'draft', version: 1 } });
    role = created.body.id;
    expect(created.headers.get('location')).toBe(`/organisations/${org}/roles/${role}`);
    expect(created.headers.get('etag')).toBe('"1"');
    await expectSignal(NONE);
    const early = await staff.post(`/organisations/${org}/roles/${role}/invitations`, {
      candidateEmail: 'carol@example.org',
    });
    expect(early).toMatchObject({ status: 409, body: { code: 'role_draft' } });
    const ready = await staff.patch(`/organisations/${org}/roles/${role}`, definition(), {
      'if-match': '"1"',
    });
    expect(ready).toMatchObject({ status: 200, body: { status: 'ready', version: 2 } });
    expect(ready.headers.get('etag')).toBe('"2"');
  });

  it('a candidate is invited, signs in and finds the application', async () => {
    ({ applicationId: application, sessionId: session } = await invite(
      staff,
      org,
      role,
      ' Carol@Example.org',
    ));
    carol.follow(staff);
    const { body } = await carol.get('/me');
    expect(body).toMatchObject({
      memberships: [],
      applications: [
        {
          id: application,
          organisationName: 'Example',
          roleName: 'Backend engineer',
          status: 'invited',
          trialSessions: [{ id: session, status: 'invited' }],
        },
      ],
    });
    const own = await carol.get<object>(`/applications/${application}`);
    expect(own).toMatchObject({ status: 200, body: { candidateEmail: ' Carol@Example.org' } });
    expect(own.body).not.toHaveProperty('outcome');
    expect(own.body).not.toHaveProperty('trialSessions[0].evaluationId');
  });

  it('the candidate starts, works and completes, each sent twice without effect', async () => {
    for (const changed of [true, false]) {
      const started = await carol.post(`/trial-sessions/${session}/start`, { consent: true });
      expect(started).toMatchObject({ status: 200, body: { status: 'started', version: 2 } });
      const worked = await carol.post(`/trial-sessions/${session}/activity`, work());
      expect(worked).toMatchObject({
        status: 202,
        body: { accepted: changed ? 5 : 0, duplicates: changed ? 0 : 5, lastSequenceNumber: 6 },
      });
    }
    await expectSignal(NONE);
    const complete = () => carol.post(`/trial-sessions/${session}/complete`);
    const completed = { status: 200, body: { status: 'completed', version: 3 } };
    expect([await complete(), await complete()]).toMatchObject([completed, completed]);
    staff.follow(carol);
    await expectSignal(AWAITING);
  });

  it('an evaluation goes from generating to ready, every score with its evidence', async () => {
    const list = await staff.get<{ items: { id: string }[] }>(`/organisations/${org}/evaluations`);
    evaluation = list.body.items[0]!.id;
    expect(list.body.items).toMatchObject([
      { trialSessionId: session, candidateEmail: ' Carol@Example.org' },
    ]);
    const ready = await eventually(async () => {
      const { body } = await staff.get<Evaluation>(`/organisations/${org}/evaluations/${evaluation}`);
      return body.status === 'ready' && body;
    });
    expect(ready).toMatchObject({
      roleId: role,
      generation: 1,
      passed: true,
      scores: [
        { dimensionName: 'Does it work?', dimensionCategory: 'correctness', passed: true },
        { dimensionName: 'How did it go?', dimensionCategory: 'process', passed: null },
      ],
      integrity: [{ kind: 'identity_verified' }],
    });
    const events = new Map(ready.evidence.events.map((event) => [event.id, event]));
    expect(ready.evidence.events.map(({ sequenceNumber }) => sequenceNumber)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(ready.evidence.events.map(({ eventType }) => eventType)).toEqual([
      'trial.started',
      'ticket.started',
      'file.changed',
      'test.run',
      'message.sent',
      'ticket.finished',
      'trial.completed',
    ]);
    for (const score of ready.scores) {
      expect(score.rationale).not.toBe('');
      expect(score.evidenceEventIds.length).toBeGreaterThan(0);
      for (const id of score.evidenceEventIds) expect(events.has(id)).toBe(true);
    }
    ready.evidence.events.reduce((previous, event) => {
      expect(event.previousHash).toBe(previous);
      return event.hash;
    }, '0'.repeat(64));
  });

  it('an outcome is recorded, corrected and retracted, and the signal counts exactly that', async () => {
    const path = `/organisations/${org}/trial-sessions/${session}/outcome`;
    const put = (body: object) => staff.put(path, body);
    expect(await put({ humanRound: 'passed', reason: 'Clear.' })).toMatchObject({ status: 200 });
    await expectSignal({ ...RECORDED, humanRound: { passed: 1, failed: 0 } });
    await put({ humanRound: 'passed', reason: 'Clear.' });
    await expectSignal({ ...RECORDED, humanRound: { passed: 1, failed: 0 } });
    await put({ humanRound: 'failed', disposition: 'declined' });
    await expectSignal({
      ...RECORDED,
      humanRound: { passed: 0, failed: 1 },
      disposition: { hired: 0, declined: 1 },
    });
    expect([await staff.delete(path), await staff.delete(path)]).toMatchObject([
      { status: 204 },
      { status: 204 },
    ]);
    await expectSignal(AWAITING);
    await put({ disposition: 'hired' });
    await expectSignal({ ...RECORDED, disposition: { hired: 1, declined: 0 } });
  });

  it('a renamed role keeps its counts, and the session keeps the name it was opened with', async () => {
    await staff.patch(`/organisations/${org}/roles/${role}`, definition('Backend developer'));
    await expectSignal({ ...RECORDED, disposition: { hired: 1, declined: 0 } }, 'Backend developer');
    const { body } = await staff.get(`/organisations/${org}/applications/${application}`);
    expect(body).toMatchObject({ roleName: 'Backend engineer', outcome: { disposition: 'hired' } });
  });

  it('a regenerated evaluation keeps its former generation readable', async () => {
    const path = `/organisations/${org}/evaluations/${evaluation}`;
    const asked = await staff.post(`${path}/regenerations`);
    expect(asked).toMatchObject({ status: 202, body: { generation: 2, status: 'generating' } });
    await eventually(async () => (await staff.get<Evaluation>(path)).body.status === 'ready');
    const [latest, former] = [
      await staff.get<Evaluation>(path),
      await staff.get<Evaluation>(`${path}?generation=1`),
    ];
    expect(latest.body).toMatchObject({ generation: 2, version: 4 });
    expect(former.body).toMatchObject({ generation: 1, status: 'ready' });
    expect(former.body.scores).toEqual(latest.body.scores);
    for (const generation of [3, Number.MAX_SAFE_INTEGER, '9'.repeat(400)])
      expect((await staff.get(`${path}?generation=${generation}`)).status).toBe(404);
  });

  it('answers every read byte for byte alike after a restart, and after every view was thrown away', async () => {
    const reads = [
      [staff, '/me'],
      [carol, '/me'],
      [staff, `/organisations/${org}`],
      [staff, `/organisations/${org}/members`],
      [staff, `/organisations/${org}/roles`],
      [staff, `/organisations/${org}/roles/${role}`],
      [staff, `/organisations/${org}/applications`],
      [staff, `/organisations/${org}/applications/${application}`],
      [staff, `/organisations/${org}/evaluations`],
      [staff, `/organisations/${org}/evaluations/${evaluation}`],
      [staff, `/organisations/${org}/evaluations/${evaluation}?generation=1`],
      [staff, `/organisations/${org}/signal`],
      [carol, `/applications/${application}`],
      [carol, `/trial-sessions/${session}`],
    ] as const;
    const readAll = async () => {
      const answers: (readonly [string, number, string | null, string])[] = [];
      for (const [person, path] of reads) {
        const { status, headers, text } = await person.get(path);
        answers.push([path, status, headers.get('etag'), text]);
      }
      return answers;
    };
    const before = await readAll();
    expect(before.every(([, status]) => status === 200)).toBe(true);
    expect((await service.stop()).code).toBe(0);
    service = await place.start();
    expect(await readAll()).toEqual(before);
    await service.kill();
    await rm(join(place.dataDir, 'views'), { recursive: true });
    service = await place.start();
    expect(await eventually(async () => (await staff.get('/me')).status === 200)).toBe(true);
    expect(await readAll()).toEqual(before);
  });
});

interface Evaluation {
  readonly status: string;
  readonly scores: readonly { rationale: string; evidenceEventIds: string[] }[];
  readonly evidence: {
    readonly events: readonly {
      id: string;
      sequenceNumber: number;
      eventType: string;
      hash: string;
      previousHash: string;
    }[];
  };
}
