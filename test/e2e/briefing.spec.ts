import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Person } from '../support/api.js';
import { eventually } from '../support/eventually.js';
import { definition } from '../support/organisation.js';
import { type Candidate, type Failure, joinStage, type Stage } from '../support/stage.js';

const NOTICE = { version: '2026-01', text: 'Your answers are **recorded**.' };

interface Briefing {
  readonly notice: { readonly version: string; readonly text: string };
  readonly tickets: readonly object[];
}
interface Application {
  readonly id: string;
  readonly trialSessions: readonly { readonly id: string; readonly evaluationId?: string | null }[];
}

describe('the briefing of a candidate', () => {
  let stage: Stage;
  let owner: Person;
  beforeAll(async () => {
    stage = await joinStage();
    ({ owner } = stage);
  });
  afterAll(() => stage.close());

  const role = async (more: object = {}): Promise<string> =>
    (await owner.post<{ id: string }>(stage.at('/roles'), { ...definition(), ...more })).body.id;
  let invited = 0;
  const invite = async (roleId: string, more: object = {}): Promise<Candidate> => {
    const email = `told-${++invited}@example.org`;
    const { body } = await owner.post<Application>(stage.at(`/roles/${roleId}/invitations`), {
      candidateEmail: email,
      ...more,
    });
    const person = await stage.signIn(email);
    person.follow(owner);
    await person.get('/me');
    const sessionId = body.trialSessions[0]!.id;
    return {
      ...{ person, email, applicationId: body.id, sessionId },
      session: `/trial-sessions/${sessionId}`,
      application: stage.at(`/applications/${body.id}`),
    };
  };
  const briefing = ({ person, session }: Candidate) => person.get<Briefing & Failure>(`${session}/briefing`);
  const start = ({ person, session }: Candidate, noticeVersion?: string) =>
    person.post<Failure>(`${session}/start`, { consent: true, noticeVersion });

  it('is the role as it was at the invitation, before the start with its tickets as they are', async () => {
    const ticket = await owner.post<{ id: string }>(stage.at('/tickets'), { title: 'Parser' });
    const shown = { instructions: 'Use **any** tool.', timeFrameMinutes: 90, notice: NOTICE };
    const roleId = await role({ ...shown, ticketIds: [ticket.body.id, 'T-1'] });
    const candidate = await invite(roleId, {
      ...{ candidateName: 'Ada Lovelace', externalId: 'ats-7', language: 'de' },
      expiresAt: '2099-01-31T18:00:00.000Z',
    });
    await owner.patch(stage.at(`/roles/${roleId}`), { ...definition(), ...shown, instructions: 'Changed.' });
    await owner.patch(stage.at(`/tickets/${ticket.body.id}`), {
      title: 'Printer',
      estimatedMinutes: 20,
      kind: 'text',
    });
    candidate.person.follow(owner);
    expect(await briefing(candidate)).toMatchObject({ status: 200 });
    expect((await briefing(candidate)).body).toEqual({
      trialSessionId: candidate.sessionId,
      applicationId: candidate.applicationId,
      organisationName: 'Example',
      organisationLogo: null,
      timeZone: 'UTC',
      roleName: 'Backend engineer',
      candidateName: 'Ada Lovelace',
      language: 'de',
      ...shown,
      expiresAt: '2099-01-31T18:00:00.000Z',
      tickets: [
        {
          id: ticket.body.id,
          version: 2,
          title: 'Printer',
          description: null,
          links: [],
          estimatedMinutes: 20,
          ...{ kind: 'text', starter: null, visibleChecks: null, hasHiddenChecks: false },
          progress: null,
        },
        {
          ...{ id: 'T-1', version: null, title: null, description: null, links: [] },
          ...{ estimatedMinutes: null, kind: null, starter: null, visibleChecks: null },
          ...{ hasHiddenChecks: false, progress: null },
        },
      ],
      accommodations: { timeFactor: 1, typedOnly: false, captions: false },
      accommodationRequest: null,
    });
  });

  it('keeps each ticket in the version that the session began with, whatever is changed later', async () => {
    const { body: ticket } = await owner.post<{ id: string }>(stage.at('/tickets'), {
      ...{ title: 'Parser', description: 'The first text.', estimatedMinutes: 30 },
    });
    const change = (body: object) => owner.patch(stage.at(`/tickets/${ticket.id}`), body);
    const roleId = await role({ ticketIds: [ticket.id, 'T-1', ticket.id] });
    const [early, late] = [await invite(roleId), await invite(roleId)];
    await change({ description: 'The second text.' });
    await start(early);
    await change({ title: 'Printer', description: 'The third text.' });
    await start(late);
    await change({ description: null });
    for (const { person } of [early, late]) person.follow(owner);

    const second = { id: ticket.id, version: 2, title: 'Parser', description: 'The second text.' };
    const third = { id: ticket.id, version: 3, title: 'Printer', description: 'The third text.' };
    const none = { id: 'T-1', version: null, title: null };
    expect((await briefing(early)).body.tickets).toMatchObject([second, none, second]);
    expect((await briefing(late)).body.tickets).toMatchObject([third, none, third]);
    expect((await early.person.get(`${early.session}/tickets/${ticket.id}`)).body).toMatchObject(second);
    // A repeated start changes nothing.
    await start(early);
    expect((await briefing(early)).body.tickets).toMatchObject([second, none, second]);

    const completed = await early.person.post(`${early.session}/complete`);
    expect(completed.status).toBe(200);
    owner.follow(early.person);
    const evaluation = await eventually(async () => {
      const { body } = await owner.get<{ items: { id: string; trialSessionId: string }[] }>(
        stage.at('/evaluations'),
      );
      return body.items.find(({ trialSessionId }) => trialSessionId === early.sessionId);
    });
    const { body } = await owner.get<{ evidence: { events: object[] } }>(
      stage.at(`/evaluations/${evaluation.id}`),
    );
    expect(body.evidence.events[0]).toMatchObject({
      eventType: 'trial.started',
      payload: { tickets: [{ ticketId: ticket.id, version: 2 }] },
    });
  });

  it('has the progress of each ticket as it was recorded last, whatever the clocks say', async () => {
    const candidate = await invite(await role({ ticketIds: ['T-1', '__proto__', 'T-3'] }));
    await start(candidate);
    let sent = 0;
    const did = async (...events: readonly [string, string][]) => {
      const { status } = await candidate.person.post(`${candidate.session}/activity`, {
        events: events.map(([eventType, ticketId]) => ({
          ...{ clientEventId: `event-${++sent}`, eventType, payload: { ticketId } },
          occurredAt: new Date(Date.now() - sent * 60_000).toISOString(),
        })),
      });
      expect(status).toBe(202);
    };
    const progress = async () =>
      (await briefing(candidate)).body.tickets.map((ticket) => (ticket as { progress: unknown }).progress);
    expect(await progress()).toEqual([null, null, null]);
    await did(['ticket.started', 'T-1'], ['ticket.finished', 'T-1'], ['ticket.started', '__proto__']);
    expect(await progress()).toEqual(['finished', 'started', null]);
    await did(['ticket.started', 'T-1'], ['ticket.finished', 'T-9'], ['test.ran', 'T-3']);
    expect(await progress()).toEqual(['started', 'started', null]);
  });

  it('has a largest size: of many large tickets some are left out, and read one at a time', async () => {
    // Characters of four bytes: the largest possible description.
    const description = '\u{1F4A1}'.repeat(8_000);
    const ids: string[] = [];
    for (let at = 0; at < 40; at += 1) {
      const ticket = { title: `Ticket ${at}`, description, estimatedMinutes: at + 1 };
      ids.push((await owner.post<{ id: string }>(stage.at('/tickets'), ticket)).body.id);
    }
    // A small one after them still fits.
    const small = {
      title: 'Small',
      description: 'Read me.',
      links: [{ title: 'A', url: 'https://a.example' }],
    };
    ids.push((await owner.post<{ id: string }>(stage.at('/tickets'), small)).body.id);
    const candidate = await invite(await role({ ticketIds: [...ids, 'T-1'] }));
    const { status, body } = await briefing(candidate);
    expect(status).toBe(200);
    const tickets = body.tickets as readonly Readonly<Record<string, unknown>>[];
    expect(tickets.map(({ id }) => id)).toEqual([...ids, 'T-1']);
    expect(tickets.slice(0, 40).map(({ title, estimatedMinutes }) => [title, estimatedMinutes])).toEqual(
      ids.slice(0, 40).map((_, at) => [`Ticket ${at}`, at + 1]),
    );
    const whole = tickets.filter((ticket) => ticket['description'] === description);
    expect(whole).toHaveLength(32);
    expect(whole.some((ticket) => 'contentLeftOut' in ticket)).toBe(false);
    const left = tickets.filter((ticket) => ticket['contentLeftOut'] === true);
    expect(left.map(({ description, links }) => [description, links])).toEqual(Array(8).fill([null, []]));
    expect(tickets.at(-2)).toMatchObject({ title: 'Small', description: 'Read me.' });
    const one = (id: string) => candidate.person.get<Failure>(`${candidate.session}/tickets/${id}`);
    expect(await one(String(left[0]!['id']))).toMatchObject({
      status: 200,
      body: { id: left[0]!['id'], title: left[0]!['title'], description, links: [], progress: null },
    });
    expect((await one(String(left[0]!['id']))).body).not.toHaveProperty('contentLeftOut');
    expect((await one('T-1')).body).toMatchObject({ id: 'T-1', title: null });
    const foreign = await owner.post<{ id: string }>(stage.at('/tickets'), { title: 'Of another role' });
    for (const id of [foreign.body.id, 'T-2']) expect((await one(id)).status).toBe(404);
  });

  it('shows no ticket of another organisation', async () => {
    const other = await stage.organisation('Other', 'foreigner@example.org');
    const foreigner = await stage.signIn('foreigner@example.org');
    await foreigner.get('/me');
    const path = `/organisations/${other}/tickets`;
    const { body } = await foreigner.post<{ id: string }>(path, { title: 'Secret' });
    expect((await foreigner.get(path)).text).toContain(body.id);
    const candidate = await invite(await role({ ticketIds: [body.id] }));
    expect((await briefing(candidate)).body.tickets).toMatchObject([{ id: body.id, title: null }]);
  });

  it('has a default notice in the candidate’s language, which changes with the practice', async () => {
    const roleId = await role();
    const [english, german] = [await invite(roleId), await invite(roleId, { language: 'de' })];
    const before = (await briefing(english)).body.notice;
    expect(before.version).toMatch(/^default-[0-9a-f]{12}$/);
    expect(before.text).toContain('by fixed rules, without AI');
    expect((await briefing(german)).body.notice.text).toContain('ohne KI');
    await owner.patch(stage.at(), { recordAudio: true });
    english.person.follow(owner);
    const after = (await briefing(english)).body.notice;
    expect(after.version).not.toBe(before.version);
    expect(after.text).toContain('your voice is recorded and kept too');
    expect(await start(english, before.version)).toMatchObject({
      status: 409,
      body: { code: 'notice_changed' },
    });
    expect((await start(english, after.version)).status).toBe(200);
    expect((await start(english, before.version)).status).toBe(200);
  });

  it('and consented to is evidence', async () => {
    const candidate = await invite(await role({ notice: NOTICE }));
    expect((await start(candidate, 'other')).body.code).toBe('notice_changed');
    expect((await start(candidate, NOTICE.version)).status).toBe(200);
    await candidate.person.post(`${candidate.session}/complete`);
    owner.follow(candidate.person);
    const { body } = await owner.get<Application>(candidate.application);
    const path = stage.at(`/evaluations/${body.trialSessions[0]!.evaluationId!}`);
    const first = await eventually(async () => {
      const found = await owner.get<{ evidence: { events: { eventType: string; payload: object }[] } }>(path);
      return found.body.evidence.events[0];
    });
    expect(first).toMatchObject({ eventType: 'trial.started', payload: { consent: true, notice: NOTICE } });
  });

  it('is the candidate’s own alone', async () => {
    const candidate = await invite(await role());
    const stranger = await stage.signIn('stranger@example.org');
    for (const person of [stranger, owner])
      expect(await person.get(`${candidate.session}/briefing`)).toMatchObject({
        status: 404,
        body: { code: 'not_found' },
      });
    expect(await start(candidate, ' ')).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
  });

  it('names a candidate to staff until the erasure', async () => {
    const candidate = await invite(await role(), { candidateName: 'Ada Lovelace', externalId: 'ats-7' });
    expect((await owner.get(candidate.application)).body).toMatchObject({
      ...{ candidateName: 'Ada Lovelace', externalId: 'ats-7', language: 'en' },
    });
    const own = (await candidate.person.get<object>(`/applications/${candidate.applicationId}`)).body;
    expect(own).toMatchObject({ candidateName: 'Ada Lovelace', language: 'en' });
    expect(own).not.toHaveProperty('externalId');
    await owner.post(`${candidate.application}/erasure`);
    expect((await owner.get(candidate.application)).body).toMatchObject({
      ...{ status: 'erased', candidateName: null, externalId: null },
    });
    candidate.person.follow(owner);
    expect((await briefing(candidate)).status).toBe(404);
  });
});
