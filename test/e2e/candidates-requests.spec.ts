import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { enter, question } from '../support/foreign-client.js';
import { joinStage, type Candidate, type Failure, type Stage } from '../support/stage.js';

const GRANTED = { timeFactor: 1.5, typedOnly: true, captions: true };
const NONE = { timeFactor: 1, typedOnly: false, captions: false };
const UNKNOWN = '01a1ff15-0000-7000-8000-000000000000';

interface Application {
  readonly version: number;
  readonly accommodations: object;
  readonly accommodationRequest: { readonly text: string } | null;
}

describe('what candidates ask for', () => {
  let stage: Stage;
  let role: string;
  beforeAll(async () => {
    stage = await joinStage();
    role = await stage.role();
  });
  afterAll(() => stage.close());

  const grant = ({ application }: Candidate, body: unknown = GRANTED, headers: Record<string, string> = {}) =>
    stage.owner.put<Application & Failure>(`${application}/accommodations`, body, headers);
  const ask = ({ person, applicationId }: Candidate, text: unknown = 'I need more time.') =>
    person.post<Failure>(`/applications/${applicationId}/accommodation-requests`, { text });

  it('is an accommodation, asked for by the candidate and granted by staff, before and during the session', async () => {
    const candidate = await stage.candidate(role);
    const { person, application } = candidate;
    expect(await ask(candidate)).toMatchObject({
      status: 202,
      body: { text: 'I need more time.', requestedAt: expect.any(String) },
    });
    stage.owner.follow(person);
    const before = (await stage.owner.get<Application>(application)).body;
    expect(before).toMatchObject({
      accommodations: NONE,
      accommodationRequest: { text: 'I need more time.' },
      version: 2,
    });
    const granted = await grant(candidate);
    expect(granted).toMatchObject({ status: 200, body: { accommodations: GRANTED, version: 3 } });
    expect((await stage.owner.get(application)).body).toEqual(granted.body);
    expect((await grant(candidate)).body.version).toBe(3);
    expect((await grant(candidate, GRANTED, { 'if-match': '"2"' })).status).toBe(412);
    person.follow(stage.owner);
    const briefing = await person.get(`${candidate.session}/briefing`);
    expect(briefing.body).toMatchObject({
      accommodations: GRANTED,
      accommodationRequest: { text: 'I need more time.' },
    });
    await person.post(`${candidate.session}/start`, { consent: true });
    expect((await grant(candidate, { ...GRANTED, timeFactor: 2 })).body.accommodations).toMatchObject({
      timeFactor: 2,
    });
    const audit = await stage.owner.get<{ items: { action: string }[] }>(stage.at('/audit'));
    expect(audit.body.items.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['accommodations.set', 'accommodations.requested']),
    );
    expect(audit.text).not.toContain('more time');
  });

  it('gives the interview more time, which its evidence does not show', async () => {
    const candidate = await stage.started(role);
    const limits = async () => {
      const client = await enter(stage.service.url, candidate);
      const asked = await question(client, 1);
      const ready = await client.frame('session.ready');
      client.socket.terminate();
      return { ready, asked };
    };
    await grant(candidate, { ...GRANTED, timeFactor: 1.5 });
    expect((await limits()).ready).toMatchObject({ limits: { maxDurationMs: 90 * 60_000 } });
    const { expiresAt } = (await limits()).ready as { expiresAt?: string };
    expect(Date.parse(expiresAt!) - Date.now()).toBeGreaterThan(80 * 60_000);
    await grant(candidate, { ...GRANTED, timeFactor: 3 });
    expect((await limits()).ready).toMatchObject({ limits: { maxDurationMs: 180 * 60_000 } });
    await candidate.person.post(`${candidate.session}/complete`);
    stage.owner.follow(candidate.person);
    const path = await eventually(async () => {
      const list = await stage.owner.get<{ items: { id: string; trialSessionId: string; status: string }[] }>(
        stage.at('/evaluations'),
      );
      const found = list.body.items.find(({ trialSessionId }) => trialSessionId === candidate.sessionId);
      return found?.status === 'ready' && stage.at(`/evaluations/${found.id}`);
    });
    for (const suffix of ['', '/explanation', '/history?at=2099-01-01T00:00:00.000Z'])
      expect((await stage.owner.get(path + suffix)).text).not.toMatch(/accommodation|timeFactor|typedOnly/i);
  });

  it('is no accommodation once the application has ended', async () => {
    const candidate = await stage.started(role);
    await candidate.person.post(`${candidate.session}/complete`);
    stage.owner.follow(candidate.person);
    for (const refused of [await grant(candidate), await ask(candidate)])
      expect(refused).toMatchObject({ status: 409, body: { code: 'application_closed' } });
  });

  it('is erased with the candidate', async () => {
    const candidate = await stage.candidate(role);
    await ask(candidate);
    await grant(candidate);
    await stage.owner.post(`${candidate.application}/erasure`);
    expect((await stage.owner.get(candidate.application)).body).toMatchObject({
      ...{ status: 'erased', accommodations: NONE, accommodationRequest: null },
    });
    expect(await grant(candidate)).toMatchObject({ status: 410, body: { code: 'erased' } });
    candidate.person.follow(stage.owner);
    expect((await ask(candidate)).status).toBe(404);
  });

  it.each<[string, object]>([
    ['timeFactor', { ...GRANTED, timeFactor: 0.9 }],
    ['timeFactor', { ...GRANTED, timeFactor: 3.1 }],
    ['timeFactor', { ...GRANTED, timeFactor: '2' }],
    ['timeFactor', { typedOnly: true, captions: true }],
    ['typedOnly', { ...GRANTED, typedOnly: null }],
    ['captions', { ...GRANTED, captions: 1 }],
    ['unheardOf', { ...GRANTED, unheardOf: 1 }],
  ])('is refused with a wrong %s', async (path, body) => {
    const refused = await grant(await stage.candidate(role), body);
    expect(refused).toMatchObject({ status: 400, body: { details: [{ path }] } });
  });

  it('is an erasure, also at the end, which staff carry out', async () => {
    const candidate = await stage.started(role);
    await candidate.person.post(`${candidate.session}/complete`);
    const path = `/applications/${candidate.applicationId}`;
    const want = () => candidate.person.post<{ requestedAt: string }>(`${path}/erasure-requests`);
    expect((await candidate.person.get(path)).body).toMatchObject({ erasureRequestedAt: null });
    const asked = await want();
    expect(asked).toMatchObject({ status: 202, body: { requestedAt: expect.any(String) } });
    expect((await want()).body).toEqual(asked.body);
    const { requestedAt: erasureRequestedAt } = asked.body;
    expect((await candidate.person.get(path)).body).toMatchObject({ erasureRequestedAt });
    stage.owner.follow(candidate.person);
    expect((await stage.owner.get(candidate.application)).body).toMatchObject({
      ...{ status: 'completed', erasureRequestedAt },
    });
    const audit = await stage.owner.get<{ items: { action: string }[] }>(stage.at('/audit'));
    expect(audit.body.items.map(({ action }) => action)).toContain('erasure.requested');
    const stranger = await stage.candidate(role);
    expect((await stranger.person.post(`${path}/erasure-requests`)).status).toBe(404);
    await stage.owner.post(`${candidate.application}/erasure`);
    expect((await stage.owner.get(candidate.application)).body).toMatchObject({
      ...{ status: 'erased', erasureRequestedAt: null },
    });
    candidate.person.follow(stage.owner);
    expect((await want()).status).toBe(404);
  });

  it('is said in 1 to 4,000 characters, for the caller’s own application', async () => {
    const candidate = await stage.candidate(role);
    for (const text of ['', ' ', 'x'.repeat(4_001), 1, null])
      expect((await ask(candidate, text)).status).toBe(400);
    const stranger = await stage.candidate(role);
    for (const applicationId of [candidate.applicationId, UNKNOWN, 'x'])
      expect((await ask({ ...stranger, applicationId })).status).toBe(404);
  });
});
