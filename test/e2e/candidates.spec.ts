import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Person, Reply } from '../support/api.js';
import { eventually } from '../support/eventually.js';
import { definition, invite, work } from '../support/organisation.js';
import {
  type Candidate,
  type Failure,
  faultOf,
  openProvider,
  openStage,
  type Provider,
  type Stage,
} from '../support/stage.js';

const LATER = '2036-01-01T00:00:00.000Z';
/** A time in the future, far enough for a slow machine to send it, and then to act before it. */
const soon = (ms = 2_000): string => new Date(Date.now() + ms).toISOString();

interface Application {
  readonly id: string;
  readonly status: string;
  readonly version: number;
  readonly trialSessions: readonly Session[];
}
interface Session {
  readonly id: string;
  readonly status: string;
  readonly version: number;
  readonly expiresAt: string;
  readonly endedAt: string | null;
  readonly evaluationId?: string | null;
}
interface Evaluation {
  readonly id: string;
  readonly status: string;
  readonly evidence: { readonly events: readonly Evidence[] };
  readonly integrity: readonly { readonly kind: string; readonly evidenceEventIds: readonly string[] }[];
}
interface Evidence {
  readonly id: string;
  readonly sequenceNumber: number;
  readonly eventType: string;
  readonly payload: object;
  readonly occurredAt: string;
}

/** An event of a candidate at work, `second` seconds into the session. */
const event = (clientEventId: string, eventType: string, payload: object = {}, second = 0) => ({
  clientEventId,
  eventType,
  occurredAt: new Date(Date.UTC(2026, 0, 5, 9) + second * 1000).toISOString(),
  payload,
});

describe('candidates', () => {
  let provider: Provider;
  let stage: Stage;
  let owner: Person;
  let role: string;

  beforeAll(async () => {
    provider = await openProvider();
    stage = await openStage({}, provider);
    ({ owner } = stage);
    role = await stage.role();
  });
  afterAll(async () => {
    await stage.close();
    await provider.issuer.close();
  });

  const invitations = (roleId = role): string => stage.at(`/roles/${roleId}/invitations`);
  const start = ({ person, session }: Candidate) =>
    person.post<Session>(`${session}/start`, { consent: true });
  const complete = ({ person, session }: Candidate) => person.post<Session>(`${session}/complete`);
  const send = ({ person, session }: Candidate, ...events: readonly object[]) =>
    person.post<{ accepted: number; duplicates: number; lastSequenceNumber: number }>(`${session}/activity`, {
      events,
    });
  const applicationOf = async ({ person, application }: Candidate): Promise<Application> => {
    owner.follow(person);
    return (await owner.get<Application>(application)).body;
  };
  /** The evaluation once it is no longer being generated. */
  const evaluationOf = async (candidate: Candidate): Promise<Evaluation> => {
    const { trialSessions } = await applicationOf(candidate);
    const path = stage.at(`/evaluations/${trialSessions[0]!.evaluationId!}`);
    return eventually(async () => {
      const { body } = await owner.get<Evaluation>(path);
      return body.status !== 'generating' && body;
    });
  };

  describe('from state to state', () => {
    const reach: Readonly<Record<string, () => Promise<Candidate>>> = {
      invited: () => stage.candidate(role),
      started: () => stage.started(role),
      completed: async () => {
        const candidate = await stage.started(role);
        await complete(candidate);
        await evaluationOf(candidate);
        return candidate;
      },
      withdrawn: async () => {
        const candidate = await stage.started(role);
        await candidate.person.post(`${candidate.session}/withdraw`);
        return candidate;
      },
      expired: async () => {
        const candidate = await stage.candidate(role);
        await owner.patch(candidate.application, { expiresAt: soon() });
        await start(candidate);
        await eventually(async () => (await applicationOf(candidate)).status === 'expired');
        return candidate;
      },
    };
    const acts: Readonly<Record<string, (candidate: Candidate) => Promise<Reply>>> = {
      start,
      activity: (candidate) => send(candidate, event('one', 'custom.act')),
      complete,
      withdraw: ({ person, session }) => person.post(`${session}/withdraw`),
      extend: ({ application }) => owner.patch(application, { expiresAt: LATER }),
      cancel: ({ application }) => owner.post(`${application}/cancel`),
    };

    // The last column: the new status, `same` (200, nothing changes), or the code of the refusal.
    it.each([
      ['invited', 'start', 'started'],
      ['invited', 'activity', 'not_started'],
      ['invited', 'complete', 'not_started'],
      ['invited', 'withdraw', 'withdrawn'],
      ['invited', 'extend', 'invited'],
      ['invited', 'cancel', 'withdrawn'],
      ['started', 'start', 'same'],
      ['started', 'activity', 'recorded'],
      ['started', 'complete', 'completed'],
      ['started', 'withdraw', 'withdrawn'],
      ['started', 'extend', 'started'],
      ['started', 'cancel', 'withdrawn'],
      ['completed', 'start', 'session_ended'],
      ['completed', 'activity', 'session_ended'],
      ['completed', 'complete', 'same'],
      ['completed', 'withdraw', 'session_ended'],
      ['completed', 'extend', 'application_closed'],
      ['completed', 'cancel', 'application_closed'],
      ['withdrawn', 'start', 'session_ended'],
      ['withdrawn', 'activity', 'session_ended'],
      ['withdrawn', 'complete', 'session_ended'],
      ['withdrawn', 'withdraw', 'same'],
      ['withdrawn', 'extend', 'application_closed'],
      ['withdrawn', 'cancel', 'same'],
    ])('%s: %s gives %s', async (state, name, result) => {
      const candidate = await reach[state]!();
      owner.follow(candidate.person);
      const before = await candidate.person.get<Session>(candidate.session);
      expect(before.body.status).toBe(state);
      const head = await stage.head();
      const reply = await acts[name]!(candidate);
      if (name === 'extend' || name === 'cancel') candidate.person.follow(owner);
      const after = await candidate.person.get<Session>(candidate.session);
      const refused = /_/.test(result);
      if (refused || result === 'same') {
        expect(await stage.head()).toBe(head);
        expect(after.text).toBe(before.text);
      }
      if (refused) {
        expect(reply).toMatchObject({ status: 409, body: { code: result } });
        expect(faultOf(reply as Reply<Failure>)).toBeNull();
      } else if (result === 'recorded') {
        expect(reply).toMatchObject({ status: 202, body: { accepted: 1, lastSequenceNumber: 2 } });
        expect(after.text).toBe(before.text);
      } else {
        expect(reply.status).toBe(200);
        const status = result === 'same' ? state : result;
        const version = before.body.version + (result === 'same' ? 0 : 1);
        expect(after.body).toMatchObject({ status, version });
        const record = reply.body as Session & Partial<Application>;
        expect(record.version).toBe(version);
        expect(record.trialSessions?.[0]?.status ?? record.status).toBe(status);
        expect(reply.headers.get('etag')).toBe(`"${version}"`);
        expect(reply.headers.get('consistency-token')).not.toBeNull();
      }
    });

    it('expired: nothing is possible any more, and there is no evaluation', async () => {
      const candidate = await reach.expired!();
      const session = (await applicationOf(candidate)).trialSessions[0]!;
      expect(session).toMatchObject({ status: 'expired', evaluationId: null, version: 4 });
      expect(session.endedAt! >= session.expiresAt).toBe(true);
      const head = await stage.head();
      for (const [name, act] of Object.entries(acts)) {
        const code = name === 'extend' || name === 'cancel' ? 'application_closed' : 'session_ended';
        expect(await act(candidate)).toMatchObject({ status: 409, body: { code } });
      }
      expect(await stage.head()).toBe(head);
      const { body } = await owner.get<{ items: { trialSessionId: string }[] }>(
        stage.at('/evaluations?limit=200'),
      );
      expect(body.items.map(({ trialSessionId }) => trialSessionId)).not.toContain(candidate.sessionId);
      const again = await owner.post(invitations(), { candidateEmail: candidate.email });
      expect(again.status).toBe(201);
    });
  });

  describe('when a session is to expire', () => {
    it('is 14 days ahead by default, else as the request sets it', async () => {
      const usual = await applicationOf(await stage.candidate(role));
      const { expiresAt } = usual.trialSessions[0]!;
      expect(Math.abs(Date.parse(expiresAt) - Date.now() - 14 * 86_400_000)).toBeLessThan(60_000);
      const said = { candidateEmail: 'said@example.org', expiresAt: '2036-01-01T01:00:00.5+01:00' };
      const { body } = await owner.post<Application>(invitations(), said);
      expect(body.trialSessions[0]!.expiresAt).toBe('2036-01-01T00:00:00.500Z');
      const same = await owner.patch(stage.at(`/applications/${body.id}`), { expiresAt: said.expiresAt });
      expect([same.status, same.body]).toEqual([200, body]);
    });

    it('can be put off in time, and an identical time changes nothing', async () => {
      const expiresAt = soon(3_500);
      const invited = await owner.post<Application>(invitations(), {
        candidateEmail: 'late@example.org',
        expiresAt,
      });
      const path = stage.at(`/applications/${invited.body.id}`);
      const stale = await owner.patch(path, { expiresAt: LATER }, { 'if-match': '"2"' });
      expect(stale).toMatchObject({ status: 412, body: { code: 'version_mismatch' } });
      for (const ifMatch of ['"1"', '"2"']) {
        const extended = await owner.patch<Application>(path, { expiresAt: LATER }, { 'if-match': ifMatch });
        expect(extended).toMatchObject({ status: 200, body: { version: 2 } });
        expect(extended.body.trialSessions[0]!.expiresAt).toBe(LATER);
      }
      await sleep(Date.parse(expiresAt) - Date.now() + 700);
      expect((await owner.get<Application>(path)).body.status).toBe('invited');
    });

    it('may come sooner, but not in the past', async () => {
      const candidate = await stage.candidate(role);
      const past = await owner.patch(candidate.application, { expiresAt: '2020-01-01T00:00:00Z' });
      expect(past).toMatchObject({ status: 400, body: { details: [{ path: 'expiresAt', rule: 'future' }] } });
      const sooner = new Date(Date.now() + 60_000).toISOString();
      const patched = await owner.patch<Application>(candidate.application, { expiresAt: sooner });
      expect(patched.body.trialSessions[0]!.expiresAt).toBe(sooner);
    });
  });

  describe('being invited', () => {
    it('one address has one open application for a role, however it is written', async () => {
      const first = await owner.post(invitations(), { candidateEmail: 'Zoe@Example.org' });
      expect(first.status).toBe(201);
      for (const candidateEmail of ['zoe@example.org', ' ZOE@EXAMPLE.ORG '])
        expect(await owner.post(invitations(), { candidateEmail })).toMatchObject({
          status: 409,
          body: { code: 'already_invited' },
        });
      const other = await stage.role('Another role');
      const elsewhere = await owner.post<Application>(invitations(other), {
        candidateEmail: 'zoe@example.org',
      });
      // It is the same candidate: the address is shown as it was first written.
      expect(elsewhere).toMatchObject({ status: 201, body: { candidateEmail: 'Zoe@Example.org' } });
    });

    it('of several invitations at once, one is made', async () => {
      const forms = [
        'yan@example.org',
        'Yan@example.org',
        ' yan@example.org',
        'YAN@EXAMPLE.ORG',
        'yan@example.org ',
      ];
      const replies = await Promise.all(
        forms.map((candidateEmail) => owner.post(invitations(), { candidateEmail })),
      );
      expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
      for (const { status, body } of replies)
        if (status === 409) expect(body).toMatchObject({ code: 'already_invited' });
    });

    it('again after an end opens a new application of the same candidate', async () => {
      const candidate = await stage.candidate(role);
      await owner.post(`${candidate.application}/cancel`);
      const again = await owner.post<Application>(invitations(), { candidateEmail: candidate.email });
      expect(again.status).toBe(201);
      expect(again.body.id).not.toBe(candidate.applicationId);
      candidate.person.follow(owner);
      const { body } = await candidate.person.get<{ applications: Application[] }>('/me');
      expect(body.applications.map(({ id, status }) => [id, status])).toEqual([
        [candidate.applicationId, 'withdrawn'],
        [again.body.id, 'invited'],
      ]);
    });

    it('pins the role’s version at the time of the invitation', async () => {
      const id = await stage.role('As it was');
      const candidate = await stage.candidate(id);
      await owner.patch(stage.at(`/roles/${id}`), definition('As it is'));
      candidate.person.follow(owner);
      await start(candidate);
      await complete(candidate);
      expect(await applicationOf(candidate)).toMatchObject({
        roleName: 'As it was',
        trialSessions: [{ roleName: 'As it was' }],
      });
      expect(await evaluationOf(candidate)).toMatchObject({ roleName: 'As it was' });
      const { body } = await owner.get<{ roles: object[] }>(stage.at('/signal'));
      expect(body.roles).toContainEqual(
        expect.objectContaining({ roleId: id, roleName: 'As it is', trialCompletedCount: 1 }),
      );
    });
  });

  describe('what a candidate sees', () => {
    it('is neither the evaluation nor the outcome', async () => {
      const candidate = await stage.started(role);
      const completed = await complete(candidate);
      const { evaluationId } = (await applicationOf(candidate)).trialSessions[0]!;
      await owner.put(stage.at(`/trial-sessions/${candidate.sessionId}/outcome`), {
        disposition: 'declined',
        reason: 'A reason for staff.',
      });
      candidate.person.follow(owner);
      const application = await candidate.person.get(`/applications/${candidate.applicationId}`);
      const session = await candidate.person.get(candidate.session);
      const seen = [
        application,
        session,
        completed,
        await candidate.person.get('/me'),
        await complete(candidate),
      ];
      for (const { status, text } of seen) {
        expect(status).toBe(200);
        for (const hidden of [evaluationId!, 'evaluationId', 'outcome', 'declined', 'reason', 'candidateUrl'])
          expect(text).not.toContain(hidden);
        expect(text).not.toContain('candidateId');
      }
      expect(Object.keys(session.body as object).sort()).toEqual([
        'applicationId',
        'endedAt',
        'expiresAt',
        'id',
        'invitedAt',
        'roleName',
        'startedAt',
        'status',
        'version',
      ]);
      expect(Object.keys(application.body as object).sort()).toEqual([
        'candidateEmail',
        'candidateName',
        'erasureRequestedAt',
        'id',
        'invitedAt',
        'language',
        'organisationId',
        'roleId',
        'roleName',
        'status',
        'trialSessions',
        'version',
      ]);
    });

    it('of somebody else is answered byte for byte as what does not exist', async () => {
      const candidate = await stage.started(role);
      const stranger = await stage.started(role);
      const unverified = await provider.person(stage.api, 'sub-unverified', candidate.email, false);
      const impostor = await provider.person(stage.api, 'sub-impostor', candidate.email);
      const nobody = '01a1ff15-0000-7000-8000-000000000000';
      const calls = [
        ['GET', '/applications/', '', undefined],
        ['GET', '/trial-sessions/', '', undefined],
        ['POST', '/trial-sessions/', '/start', { consent: true }],
        ['POST', '/trial-sessions/', '/activity', work()],
        ['POST', '/trial-sessions/', '/complete', undefined],
        ['POST', '/trial-sessions/', '/withdraw', undefined],
      ] as const;
      const head = await stage.head();
      for (const { token } of [stranger.person, owner, unverified, impostor])
        for (const [method, before, after, body] of calls) {
          const answer = async (id: string) => {
            const { status, headers, text } = await stage.api.send(method, `${before}${id}${after}`, {
              token,
              body,
              headers: { 'x-request-id': 'the-same' },
            });
            return { status, text, headers: [...headers].filter(([name]) => name !== 'date') };
          };
          const theirs = await answer(
            before === '/applications/' ? candidate.applicationId : candidate.sessionId,
          );
          expect(theirs.status).toBe(404);
          expect(theirs).toEqual(await answer(nobody));
          expect(theirs).toEqual(await answer('no-id'));
        }
      expect(await stage.head()).toBe(head);
    });
  });

  describe('who a candidate is', () => {
    it('is settled once, by a verified address; from then on the subject alone counts', async () => {
      const { applicationId, sessionId } = await invite(owner, stage.org, role, 'Binding@Example.org');
      const at = (subject: string, email: string, verified = true) =>
        provider.person(stage.api, subject, email, verified).then((person) => {
          person.follow(owner);
          return person;
        });
      const path = `/trial-sessions/${sessionId}`;
      expect((await (await at('sub-b', 'binding@example.org', false)).get(path)).status).toBe(404);
      expect((await (await at('sub-b', 'other@example.org')).get(path)).status).toBe(404);
      // The answer to the very request that binds shows it already.
      expect((await (await at('sub-b', 'BINDING@example.org')).get(path)).status).toBe(200);
      for (const [subject, email, verified, status] of [
        ['sub-b', 'binding@example.org', true, 200],
        ['sub-b', 'renamed@example.org', true, 200],
        ['sub-b', 'binding@example.org', false, 200],
        ['sub-c', 'binding@example.org', true, 404],
        ['sub-c', 'Binding@Example.org', false, 404],
      ] as const) {
        const person = await at(subject, email, verified);
        expect((await person.get(path)).status).toBe(status);
        const { body } = await person.get<{ applications: { id: string }[] }>('/me');
        expect(body.applications.map(({ id }) => id)).toEqual(status === 200 ? [applicationId] : []);
      }
    });

    it('two who come at once with one address: one gets in', async () => {
      const { sessionId } = await invite(owner, stage.org, role, 'race@example.org');
      const people = await Promise.all(
        [1, 2, 3, 4].map((one) => provider.person(stage.api, `sub-race-${one}`, 'race@example.org')),
      );
      for (const person of people) person.follow(owner);
      const replies = await Promise.all(people.map((person) => person.get(`/trial-sessions/${sessionId}`)));
      expect(replies.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404]);
    });

    it('may be several, in one organisation and in others, under one subject', async () => {
      const other = await stage.organisation('Other', 'second@example.org');
      const second = await stage.signIn('second@example.org');
      const created = await second.post<{ id: string }>(`/organisations/${other}/roles`, definition());
      const one = await invite(owner, stage.org, role, 'several-one@example.org');
      const two = await invite(owner, stage.org, role, 'several-two@example.org');
      const three = await invite(second, other, created.body.id, 'several-one@example.org');
      let applications: { id: string; organisationName: string }[] = [];
      for (const email of ['several-one@example.org', 'several-two@example.org']) {
        const person = await provider.person(stage.api, 'sub-several', email);
        person.follow(second);
        ({ applications } = (await person.get<{ applications: typeof applications }>('/me')).body);
      }
      expect(new Map(applications.map(({ id, organisationName }) => [id, organisationName]))).toEqual(
        new Map([
          [one.applicationId, 'Example'],
          [two.applicationId, 'Example'],
          [three.applicationId, 'Other'],
        ]),
      );
      const person = await provider.person(stage.api, 'sub-several', 'whoever@example.org', false);
      person.follow(second);
      for (const { sessionId } of [one, two, three])
        expect((await person.post(`/trial-sessions/${sessionId}/start`, { consent: true })).status).toBe(200);
    });

    it('staff may be candidates too', async () => {
      const { sessionId } = await invite(owner, stage.org, role, 'owner@example.org');
      const { body } = await owner.get<{ memberships: object[]; applications: object[] }>('/me');
      expect([body.memberships.length, body.applications.length]).toEqual([1, 1]);
      expect((await owner.post(`/trial-sessions/${sessionId}/withdraw`)).status).toBe(200);
    });
  });

  describe('activity', () => {
    let candidate: Candidate;
    beforeAll(async () => {
      candidate = await stage.started(role);
    });

    const refused = async (events: readonly object[], path: string, rule: string): Promise<void> => {
      const head = await stage.head();
      // Whatever is wrong, the good one beside it is not recorded either.
      const good = event(`good-${path}-${rule}`, 'custom.good');
      const reply = await send(candidate, ...events, good);
      expect(reply).toMatchObject({
        status: 400,
        body: { code: 'validation_failed', details: [{ path, rule }] },
      });
      expect(faultOf(reply as unknown as Reply<Failure>)).toBeNull();
      expect(await stage.head()).toBe(head);
    };

    it('comes in batches of at most 100 events of at most 16 KiB', async () => {
      const many = Array.from({ length: 100 }, (_, index) => event(`many-${index}`, 'custom.many'));
      await refused(many, 'events', 'maxItems');
      expect((await send(candidate, ...many)).body).toEqual({
        accepted: 100,
        duplicates: 0,
        lastSequenceNumber: 101,
      });
      await refused(
        [event('large', 'custom.large', { text: 'x'.repeat(17 * 1024) })],
        'events[0]',
        'maxBytes',
      );
      const large = event('large', 'custom.large', { text: '' });
      const room = 16 * 1024 - JSON.stringify(large).length;
      expect((await send(candidate, { ...large, payload: { text: 'x'.repeat(room) } })).body.accepted).toBe(
        1,
      );
      expect((await send(candidate)).body).toEqual({ accepted: 0, duplicates: 0, lastSequenceNumber: 102 });
    });

    it.each(['', 'Message.sent', '9lives', '.x', 'a-b', 'a b', 'é', 'a'.repeat(65), '$where', '__proto__'])(
      'has no eventType %j',
      (eventType) => refused([event('type', eventType)], 'events[0].eventType', 'pattern'),
    );

    it.each([
      ['clientEventId', ''],
      ['clientEventId', 'x'.repeat(65)],
      ['clientEventId', 7],
      ['occurredAt', 'now'],
      ['occurredAt', 1_767_600_000_000],
      ['occurredAt', '2026-02-29T00:00:00Z'],
      ['payload', []],
      ['payload', 'text'],
      ['payload', null],
      ['payload', undefined],
    ])('has no %s %j', async (field, value) => {
      const head = await stage.head();
      const reply = await send(candidate, { ...event('field', 'custom.field'), [field]: value });
      expect(reply).toMatchObject({ status: 400, body: { details: [{ path: `events[0].${field}` }] } });
      expect(await stage.head()).toBe(head);
    });

    it.each([
      ['message.sent', { text: 7, to: 'assistant' }, 'text'],
      ['message.sent', { text: 'Hello', to: 'everybody' }, 'to'],
      ['ticket.started', {}, 'ticketId'],
      ['ticket.finished', { ticketId: null }, 'ticketId'],
      ['file.changed', { path: 'a.ts', linesAdded: -1, linesRemoved: 0 }, 'linesAdded'],
      ['test.run', { passed: 1.5, failed: 0, durationMs: 1 }, 'passed'],
      ['test.run', { passed: 1, failed: '0', durationMs: 1 }, 'failed'],
      ['clipboard.pasted', { characters: 1 }, 'nonBlankCharacters'],
      ['clipboard.pasted', { characters: 1, nonBlankCharacters: 1, source: 7 }, 'source'],
    ])('a %s has no payload %j', async (eventType, payload, field) => {
      const reply = await send(candidate, event('payload', eventType, payload));
      expect(reply).toMatchObject({
        status: 400,
        body: { details: [{ path: `events[0].payload.${field}` }] },
      });
    });

    it('a number that no double holds is refused, not turned into another', async () => {
      const body = `{"events":[${JSON.stringify(event('huge', 'custom.huge', { n: 0 })).replace('"n":0', '"n":1e400')}]}`;
      const path = `${candidate.session}/activity`;
      const reply = await stage.api.send('POST', path, { token: candidate.person.token, body });
      expect(reply).toMatchObject({
        status: 400,
        body: { details: [{ path: 'events[0].payload', rule: 'number' }] },
      });
    });

    it('is recorded once by clientEventId, within a batch, across batches, and with other content too', async () => {
      const other = await stage.started(role);
      const one = event('once', 'custom.once', { first: true });
      expect((await send(other, one, one, event('twice', 'custom.twice'))).body).toEqual({
        accepted: 2,
        duplicates: 1,
        lastSequenceNumber: 3,
      });
      expect((await send(other, event('once', 'custom.other', { first: false }))).body).toEqual({
        accepted: 0,
        duplicates: 1,
        lastSequenceNumber: 3,
      });
      // The same id may be used in another session.
      expect((await send(candidate, one)).body).toMatchObject({ accepted: 1, duplicates: 0 });
      await complete(other);
      const { evidence } = await evaluationOf(other);
      expect(evidence.events.map(({ eventType, payload }) => [eventType, payload])).toMatchObject([
        ['trial.started', {}],
        ['custom.once', { first: true }],
        ['custom.twice', {}],
        ['trial.completed', {}],
      ]);
    });

    it('an unknown event is kept as it came, and its time in one form', async () => {
      const other = await stage.started(role);
      const payload = { list: [1, null, { nested: '💡' }], empty: {}, zero: 0, no: false, text: '\u0000"\\' };
      const unknown = {
        ...event('unknown', 'a.b_c.9', payload),
        occurredAt: '2026-01-05T10:00:00.123456+01:00',
      };
      await send(other, unknown);
      await complete(other);
      const { evidence } = await evaluationOf(other);
      expect(evidence.events[1]).toMatchObject({
        kind: 'activity',
        eventType: 'a.b_c.9',
        occurredAt: '2026-01-05T09:00:00.123Z',
      });
      expect(JSON.stringify(evidence.events[1]!.payload)).toBe(JSON.stringify(payload));
    });

    it('of ten batches at once is gapless, and of ten copies at once recorded once', async () => {
      const other = await stage.started(role);
      const batch = (prefix: string) =>
        Array.from({ length: 20 }, (_, index) => event(`${prefix}-${index}`, 'custom.many'));
      const ten = Array.from({ length: 10 }, (_, index) => index);
      const distinct = await Promise.all(ten.map((index) => send(other, ...batch(`batch-${index}`))));
      expect(distinct.every(({ status, body }) => status === 202 && body.accepted === 20)).toBe(true);
      const lasts = distinct.map(({ body }) => body.lastSequenceNumber).sort((a, b) => a - b);
      expect(lasts).toEqual(ten.map((index) => 21 + 20 * index));
      const copies = await Promise.all(ten.map(() => send(other, ...batch('copy'))));
      expect(copies.map(({ body }) => body.accepted).sort((a, b) => a - b)).toEqual([
        ...Array<number>(9).fill(0),
        20,
      ]);
      for (const { body } of copies) expect(body.accepted + body.duplicates).toBe(20);
      await complete(other);
      const { evidence } = await evaluationOf(other);
      expect(evidence.events.map(({ sequenceNumber }) => sequenceNumber)).toEqual(
        Array.from({ length: 222 }, (_, index) => index + 1),
      );
      expect(new Set(evidence.events.map(({ id }) => id)).size).toBe(222);
    });
  });

  it('a session holds 16 MiB of evidence, and can still be completed', async () => {
    const candidate = await stage.started(role);
    const batch = (round: number) =>
      Array.from({ length: 15 }, (_, index) =>
        event(`${round}-${index}`, 'custom.bulk', { text: 'x'.repeat(16_000) }),
      );
    let full: Reply | null = null;
    let last = 1;
    for (let round = 0; full === null && round < 75; round++) {
      const reply = await send(candidate, ...batch(round));
      if (reply.status === 202) last = reply.body.lastSequenceNumber;
      else full = reply;
    }
    expect(full).toMatchObject({ status: 413, body: { code: 'session_full' } });
    expect(faultOf(full as unknown as Reply<Failure>)).toBeNull();
    // A sealed text takes four thirds of its size, and each event a little more.
    expect(last * 16_000 * (4 / 3)).toBeGreaterThan(14.5 * 1024 * 1024);
    expect(last * 16_000 * (4 / 3)).toBeLessThanOrEqual(16 * 1024 * 1024);
    const small = await send(candidate, event('small', 'page.hidden'));
    expect(small).toMatchObject({ status: 202, body: { accepted: 1, lastSequenceNumber: last + 1 } });
    expect((await complete(candidate)).status).toBe(200);
  });

  it('integrity findings are advisory, and rest on the events they name', async () => {
    const candidate = await stage.started(role);
    const paste = (id: string, characters: number, second: number) =>
      event(id, 'clipboard.pasted', { characters, nonBlankCharacters: characters }, second);
    const message = (id: string, second: number) =>
      event(id, 'message.sent', { text: 'Next.', to: 'assistant' }, second);
    await send(
      candidate,
      paste('paste-1', 199, 0),
      paste('paste-2', 200, 1),
      event('hidden-1', 'page.hidden', {}, 2),
      event('shown-1', 'page.shown', {}, 4.999),
      event('hidden-2', 'page.hidden', {}, 5),
      event('shown-2', 'page.shown', {}, 8),
      // Gaps of 4, 4, 4, 4 and 12 s: the last is 3 x the median and at least 10 s.
      ...[10, 14, 18, 22, 26, 38].map((second, index) => message(`message-${index}`, second)),
    );
    await complete(candidate);
    const { evidence, integrity } = await evaluationOf(candidate);
    const idOf = (sequenceNumber: number) => evidence.events[sequenceNumber - 1]!.id;
    const at = (sequenceNumber: number) => evidence.events[sequenceNumber - 1]!.occurredAt;
    expect(integrity.map(({ kind }) => kind).sort()).toEqual([
      'focus_lost',
      'identity_verified',
      'paste_burst',
      'response_gap_outlier',
    ]);
    const every = { severity: expect.any(String), ruleVersion: expect.any(Number), advisory: true };
    expect(integrity).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          ...every,
          kind: 'identity_verified',
          timestamp: at(1),
          evidenceEventIds: [idOf(1)],
        }),
        expect.objectContaining({
          ...every,
          kind: 'paste_burst',
          timestamp: at(3),
          evidenceEventIds: [idOf(3)],
        }),
        expect.objectContaining({
          ...every,
          kind: 'focus_lost',
          timestamp: at(6),
          evidenceEventIds: [idOf(6), idOf(7)],
        }),
        expect.objectContaining({
          ...every,
          kind: 'response_gap_outlier',
          candidateMessageAt: at(13),
          gapSeconds: 12,
          sessionMedianGapSeconds: 4,
        }),
      ]),
    );
  });

  it('a later token with another address is reported once, with what it was first used for', async () => {
    const candidate = await stage.started(role);
    const subject = `sub-${candidate.email.split('@')[0]}`;
    const person = await provider.person(stage.api, subject, 'renamed@example.org');
    person.follow(candidate.person);
    const renamed = { ...candidate, person };
    await send(candidate, event('before', 'page.shown'));
    const body = { events: [event('before', 'page.shown'), event('after', 'page.shown')] };
    const once = { 'idempotency-key': 'renamed-1' };
    for (let time = 0; time < 2; time += 1)
      expect(await person.post(`${candidate.session}/activity`, body, once)).toMatchObject({
        status: 202,
        body: { accepted: 1, duplicates: 1, lastSequenceNumber: 4 },
      });
    expect((await complete(renamed)).status).toBe(200);
    const { evidence, integrity } = await evaluationOf(renamed);
    const mismatch = {
      kind: 'integrity',
      eventType: 'trial.identity_checked',
      payload: { identity: 'mismatch' },
    };
    expect(evidence.events).toMatchObject([
      { eventType: 'trial.started', payload: { identity: 'verified' } },
      { eventType: 'page.shown' },
      mismatch,
      { eventType: 'page.shown' },
      { eventType: 'trial.completed' },
    ]);
    expect(integrity).toMatchObject([
      { kind: 'identity_verified' },
      {
        kind: 'identity_mismatch',
        severity: 'high',
        evidenceEventIds: [evidence.events[0]!.id, evidence.events[2]!.id],
      },
    ]);
  });

  it('a start by another verified address is no verified identity', async () => {
    const { sessionId, applicationId } = await invite(owner, stage.org, role, 'mismatch@example.org');
    const own = await provider.person(stage.api, 'sub-mismatch', 'mismatch@example.org');
    own.follow(owner);
    await own.get('/me');
    const person = await provider.person(stage.api, 'sub-mismatch', 'private@example.org');
    const candidate: Candidate = {
      person,
      email: person.email,
      applicationId,
      sessionId,
      session: `/trial-sessions/${sessionId}`,
      application: stage.at(`/applications/${applicationId}`),
    };
    await start(candidate);
    await complete(candidate);
    expect((await evaluationOf(candidate)).integrity.map(({ kind }) => kind)).not.toContain(
      'identity_verified',
    );
  });
});
