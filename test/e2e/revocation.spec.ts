import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { Api, Person } from '../support/api.js';
import { definition } from '../support/organisation.js';
import { makePlace, type Place } from '../support/place.js';
import { type Service, spawnService, type Spawned, startService } from '../support/service.js';
import { type Evaluated, evaluated, type NewLink } from '../support/shared-report.js';
import { type Candidate, type Stage, stageOn } from '../support/stage.js';

/** Reads are refused at the latest this long after the end of a membership. */
const WITHIN_MS = 1_000;

interface Me {
  readonly memberships: readonly { readonly role: string; readonly permissions: readonly string[] }[];
}
interface Webhook {
  readonly id: string;
}

describe('the end of a right, while no projector runs', () => {
  let place: Place;
  let projector: Spawned;
  let stage: Stage;
  let twin: Service;
  let owner: Person;
  let roleId: string;
  let shared: Evaluated;
  let link: NewLink;
  let candidate: Candidate;
  let webhook: Webhook;
  const people = new Map<string, Person>();

  const join = async (name: string, role: string): Promise<Person> => {
    const person = await stage.member(role, name);
    people.set(name, person);
    return person;
  };
  /** Adds a member without a read that waits for a view. */
  const joinLate = async (name: string): Promise<{ kim: Person; member: string; email: string }> => {
    const email = `${name}@example.org`;
    const added = await tokenless().post<{ id: string }>(stage.at('/members'), { email, role: 'admin' });
    const kim = await stage.signIn(email);
    await kim.get(stage.at('/roles'));
    return { kim, member: stage.at(`/members/${added.body.id}`), email };
  };
  const subjectOf = async (name: string): Promise<string> =>
    (await people.get(name)!.get<{ subject: string }>('/me')).body.subject;
  /** The owner without a consistency token: reads do not wait for views. */
  const tokenless = (): Person => new Person(stage.api, owner.email, owner.token);
  /** The same person at another process, without a consistency token. */
  const at = ({ url }: { readonly url: string }, { email, token }: Person): Api & { token: string } =>
    Object.assign(new Api(url), { email, token });

  beforeAll(async () => {
    place = await makePlace({ PROJECTOR: 'off', WEBHOOK_ALLOW_PRIVATE: 'on' });
    projector = spawnService(place.dataDir, { entry: 'bin/projector.js', env: place.env });
    const service = await place.start();
    stage = await stageOn(service);
    owner = stage.owner;
    roleId = await stage.role();
    shared = await evaluated(stage, roleId);
    link = (await owner.post<NewLink>(`${shared.evaluation}/share-links`)).body;
    candidate = await stage.started(roleId);
    webhook = (
      await owner.post<Webhook>(stage.at('/webhooks'), {
        url: 'http://127.0.0.1:9/',
        events: ['evaluation.ready'],
      })
    ).body;
    await join('mallory', 'admin');
    await join('rita', 'recruiter');
    await join('otto', 'reviewer');
    // Each person reads once at each process, so that what it caches of them is warm.
    const env = { ...place.env, PORT: '0', PUBLIC_URL: place.url };
    twin = await startService({ dataDir: place.dataDir, env });
    for (const person of people.values()) {
      person.follow(owner);
      for (const path of ['', '/roles', '/applications', '/members'])
        expect((await person.get(stage.at(path))).status).toBe(200);
    }
    await projector.kill();
  });
  afterAll(async () => {
    projector.child.kill('SIGKILL');
    await twin.stop();
    await stage.close();
    await place.remove();
  });

  const everyCommand = (): readonly (readonly [method: string, path: string, body?: object])[] => [
    ['PATCH', '', { name: 'Mine' }],
    ['POST', '/roles', definition('Mine')],
    ['PATCH', `/roles/${roleId}`, definition('Mine')],
    ['POST', `/roles/${roleId}/invitations`, { candidateEmail: 'friend@example.org' }],
    ['POST', '/members', { email: 'friend@example.org', role: 'admin' }],
    ['PATCH', '/members/someone', { role: 'owner' }],
    ['DELETE', '/members/someone'],
    ['PATCH', `/applications/${candidate.applicationId}`, { expiresAt: '2099-01-01T00:00:00Z' }],
    ['POST', `/applications/${candidate.applicationId}/cancel`],
    ['POST', `/applications/${candidate.applicationId}/erasure`],
    ['PUT', `/trial-sessions/${candidate.sessionId}/outcome`, { humanRound: 'passed' }],
    ['DELETE', `/trial-sessions/${candidate.sessionId}/outcome`],
    ['POST', `${evaluationPath()}/regenerations`],
    ['POST', `${evaluationPath()}/share-links`],
    ['DELETE', `${evaluationPath()}/share-links/${link.id}`],
    ['POST', '/webhooks', { url: 'https://hooks.example.org/', events: ['evaluation.ready'] }],
    ['DELETE', `/webhooks/${webhook.id}`],
  ];
  const everyRead = (): readonly string[] => [
    '',
    '/members',
    '/roles',
    `/roles/${roleId}`,
    '/applications',
    '/evaluations',
    evaluationPath(),
    `${evaluationPath()}/explanation`,
    `${evaluationPath()}/reads`,
    '/signal',
    '/audit',
    '/webhooks',
  ];
  const evaluationPath = (): string => shared.evaluation.slice(stage.at().length);

  it('from a member: every command at once, every read within a second, in every process', async () => {
    const mallory = people.get('mallory')!;
    const elsewhere = at(twin, mallory);
    const { token } = mallory;
    for (const path of everyRead())
      expect((await elsewhere.send('GET', stage.at(path), { token })).status).toBe(200);
    expect((await owner.delete(stage.at(`/members/${await subjectOf('mallory')}`))).status).toBe(204);
    const head = await stage.head();
    for (const api of [elsewhere, stage.api])
      for (const [method, path, body] of everyCommand()) {
        const reply = await api.send(method, stage.at(path), { token, body });
        expect([method, path, reply.status]).toEqual([method, path, 403]);
      }
    await sleep(WITHIN_MS);
    for (const api of [elsewhere, stage.api]) {
      for (const path of everyRead()) {
        const reply = await api.send('GET', stage.at(path), { token });
        expect([path, reply.status]).toEqual([path, 403]);
      }
      const me = await api.send<Me>('GET', '/me', { token });
      expect(me).toMatchObject({ status: 200, body: { memberships: [] } });
    }
    expect(await stage.head()).toBe(head);
  });

  it('from a member’s role: what the lesser role lacks, and no more', async () => {
    const rita = people.get('rita')!;
    const elsewhere = at(twin, rita);
    const { token } = rita;
    const post = () => elsewhere.send('POST', stage.at('/roles'), { token, body: definition() });
    expect((await post()).status).toBe(201);
    const member = stage.at(`/members/${await subjectOf('rita')}`);
    expect((await owner.patch(member, { role: 'reviewer' })).status).toBe(200);
    expect((await post()).status).toBe(403);
    await sleep(WITHIN_MS);
    expect((await elsewhere.send('GET', stage.at('/roles'), { token })).status).toBe(200);
    const { body } = await elsewhere.send<Me>('GET', '/me', { token });
    expect(body.memberships).toMatchObject([{ role: 'reviewer' }]);
    expect(body.memberships[0]?.permissions).not.toContain('roles.write');
    expect((await owner.patch(member, { role: 'admin' })).status).toBe(200);
    expect((await post()).status).toBe(201);
    await sleep(WITHIN_MS);
    expect((await elsewhere.send('GET', stage.at('/audit'), { token })).status).toBe(200);
  });

  it('from a member who is added again: the former role', async () => {
    const otto = people.get('otto')!;
    const elsewhere = at(twin, otto);
    const { token } = otto;
    const subject = await subjectOf('otto');
    expect((await owner.delete(stage.at(`/members/${subject}`))).status).toBe(204);
    expect((await owner.post(stage.at('/members'), { subject, role: 'admin' })).status).toBe(201);
    // The first request binds the member. It may fail, since no view shows that yet.
    await elsewhere.send('GET', stage.at('/audit'), { token });
    expect((await elsewhere.send('GET', stage.at('/audit'), { token })).status).toBe(200);
  });

  it('for the holder of a link: the report', async () => {
    const look = (url: string) => fetch(`${url}/shared/reports/${link.token}`, { method: 'HEAD' });
    for (const { url } of [stage.service, twin]) expect((await look(url)).status).toBe(200);
    expect((await tokenless().delete(`${shared.evaluation}/share-links/${link.id}`)).status).toBe(204);
    for (const { url } of [stage.service, twin]) expect((await look(url)).status).toBe(404);
  });

  it('from a candidate: the session that staff have cancelled', async () => {
    const { token } = candidate.person;
    const elsewhere = at(twin, candidate.person);
    const { status } = await tokenless().post(`${candidate.application}/cancel`);
    expect(status).toBe(200);
    const event = { clientEventId: 'late', eventType: 'page.hidden', payload: {} };
    const body = { events: [{ ...event, occurredAt: new Date().toISOString() }] };
    for (const api of [elsewhere, stage.api]) {
      const late = await api.send('POST', `${candidate.session}/activity`, { token, body });
      expect(late).toMatchObject({ status: 409, body: { code: 'session_ended' } });
      const complete = await api.send('POST', `${candidate.session}/complete`, { token });
      expect(complete).toMatchObject({ status: 409 });
    }
  });

  it('from an API key: every request at once, in every process', async () => {
    const { token, id } = (
      await tokenless().post<{ token: string; id: string }>(stage.at('/api-keys'), {
        name: 'Tracking',
        scopes: ['roles.read', 'roles.write'],
      })
    ).body;
    const use = async () => {
      const replies: number[] = [];
      for (const { url } of [stage.service, twin]) {
        const api = new Api(url);
        replies.push((await api.send('GET', stage.at('/roles'), { token })).status);
        replies.push((await api.send('POST', stage.at('/roles'), { token, body: definition() })).status);
      }
      return replies;
    };
    expect(await use()).toEqual([200, 201, 200, 201]);
    expect((await tokenless().delete(stage.at(`/api-keys/${id}`))).status).toBe(204);
    expect(await use()).toEqual([401, 401, 401, 401]);
  });

  it('from an API key: what its maker may no longer do, and all of it once the maker is removed', async () => {
    const { kim, member, email } = await joinLate('kim');
    const { token } = (
      await kim.post<{ token: string }>(stage.at('/api-keys'), {
        name: 'K',
        scopes: ['roles.read', 'audit.read'],
      })
    ).body;
    const use = () =>
      Promise.all(
        [stage.service, twin].flatMap(({ url }) =>
          ['/audit', '/roles'].map(
            async (path) => (await new Api(url).send('GET', stage.at(path), { token })).status,
          ),
        ),
      );
    expect(await use()).toEqual([200, 200, 200, 200]);
    expect((await tokenless().patch(member, { role: 'recruiter' })).status).toBe(200);
    expect(await use()).toEqual([403, 200, 403, 200]);
    expect((await tokenless().delete(member)).status).toBe(204);
    expect(await use()).toEqual([401, 401, 401, 401]);
    expect((await tokenless().post(stage.at('/members'), { email, role: 'admin' })).status).toBe(201);
    await at(twin, kim).send('GET', stage.at('/audit'), { token: kim.token });
    expect(await use()).toEqual([401, 401, 401, 401]);
  });

  it('from a webhook: what is asked to be sent again', async () => {
    expect((await tokenless().delete(stage.at(`/webhooks/${webhook.id}`))).status).toBe(204);
    const path = stage.at(`/webhooks/${webhook.id}/deliveries/${webhook.id}/redeliver`);
    expect((await tokenless().post(path)).status).toBe(404);
  });
});
