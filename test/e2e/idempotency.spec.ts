import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Api, type Person, type Reply } from '../support/api.js';
import { eventually } from '../support/eventually.js';
import { createOrganisation, definition, invite, work } from '../support/organisation.js';
import { makePlace, type Place } from '../support/place.js';
import type { Service } from '../support/service.js';
import { type Failure, faultOf } from '../support/stage.js';

/** The parts of an answer that must be equal: all but those that depend on when and how it was made. */
const answer = ({ status, headers, text }: Reply) => ({
  status,
  text,
  etag: headers.get('etag'),
  location: headers.get('location'),
});
const keyed = (key: string) => ({ 'idempotency-key': key });

interface Application {
  readonly id: string;
  readonly trialSessions: readonly { readonly id: string; readonly evaluationId: string | null }[];
}

describe('a command sent again under its Idempotency-Key', () => {
  let place: Place;
  let service: Service;
  let owner: Person;
  let recruiter: Person;
  let org: string;
  let role: string;
  let candidates = 0;

  beforeAll(async () => {
    place = await makePlace();
    service = await place.start();
    const api = new Api(place.url);
    org = await createOrganisation(place.dataDir, 'Example', 'owner@example.org');
    owner = await api.as('owner@example.org');
    await owner.get('/me');
    await owner.post(at('/members'), { email: 'recruiter@example.org', role: 'recruiter' });
    recruiter = await api.as('recruiter@example.org');
    recruiter.follow(owner);
    await recruiter.get('/me');
    role = (await owner.post<{ id: string }>(at('/roles'), definition())).body.id;
  });
  afterAll(async () => {
    await service.stop();
    await place.remove();
  });

  const at = (path: string): string => `/organisations/${org}${path}`;
  const candidate = async (): Promise<{ person: Person; session: string; applicationId: string }> => {
    const email = `candidate-${++candidates}@example.org`;
    const { applicationId, sessionId } = await invite(owner, org, role, email);
    const person = await owner.api.as(email);
    person.follow(owner);
    return { person, session: `/trial-sessions/${sessionId}`, applicationId };
  };
  const started = async () => {
    const one = await candidate();
    await one.person.post(`${one.session}/start`, { consent: true });
    return one;
  };
  const completed = async () => {
    const one = await started();
    await one.person.post(`${one.session}/complete`);
    owner.follow(one.person);
    const { body } = await owner.get<Application>(at(`/applications/${one.applicationId}`));
    const evaluation = at(`/evaluations/${body.trialSessions[0]!.evaluationId!}`);
    const ready = () =>
      eventually(async () => (await owner.get<{ status: string }>(evaluation)).body.status === 'ready');
    await ready();
    return { ...one, evaluation, ready };
  };

  /** One POST of each kind, and a later change of its record. */
  interface Case {
    readonly by: Person;
    readonly path: string;
    readonly body?: object;
    readonly other?: object;
    readonly later?: () => Promise<unknown>;
  }
  const cases: Readonly<Record<string, () => Promise<Case>>> = {
    'a role': async () => {
      const path = at('/roles');
      const later = async () => {
        const { body } = await owner.get<{ items: { id: string; name: string }[] }>(`${path}?limit=200`);
        const { id } = body.items.find(({ name }) => name === 'Sent again')!;
        expect((await owner.patch(`${path}/${id}`, definition('Changed since'))).status).toBe(200);
      };
      return Promise.resolve({
        by: owner,
        path,
        body: definition('Sent again'),
        other: definition('Other'),
        later,
      });
    },
    'a member': () => {
      const path = at('/members');
      const later = async () => {
        await owner.patch(`${path}/again%40example.org`, { role: 'admin' });
        expect((await owner.delete(`${path}/again%40example.org`)).status).toBe(204);
      };
      const body = { email: 'again@example.org', role: 'reviewer' };
      return Promise.resolve({ by: owner, path, body, other: { ...body, role: 'recruiter' }, later });
    },
    'an invitation': () => {
      const path = at(`/roles/${role}/invitations`);
      const later = async () => {
        const person = await owner.api.as('invited-again@example.org');
        person.follow(owner);
        const me = await person.get<{ applications: Application[] }>('/me');
        const session = me.body.applications[0]!.trialSessions[0]!.id;
        await person.post(`/trial-sessions/${session}/start`, { consent: true });
        await person.post(`/trial-sessions/${session}/complete`);
        owner.follow(person);
        expect(
          (await owner.put(at(`/trial-sessions/${session}/outcome`), { disposition: 'hired' })).status,
        ).toBe(200);
        const again = await owner.post(path, { candidateEmail: 'invited-again@example.org' });
        expect(again.status).toBe(201);
      };
      const body = { candidateEmail: 'invited-again@example.org' };
      return Promise.resolve({
        by: owner,
        path,
        body,
        other: { candidateEmail: 'other@example.org' },
        later,
      });
    },
    'a cancellation': async () => {
      const { applicationId } = await candidate();
      return { by: owner, path: at(`/applications/${applicationId}/cancel`), other: { any: 'body' } };
    },
    'a start': async () => {
      const { person, session } = await candidate();
      const later = () => person.post(`${session}/complete`);
      return { by: person, path: `${session}/start`, body: { consent: true }, later };
    },
    activity: async () => {
      const { person, session } = await started();
      const later = async () => {
        await person.post(`${session}/activity`, work('later'));
        await person.post(`${session}/complete`);
      };
      return { by: person, path: `${session}/activity`, body: work(), other: work('other'), later };
    },
    'a completion': async () => {
      const { person, session } = await started();
      return { by: person, path: `${session}/complete`, other: { any: 'body' } };
    },
    'a withdrawal': async () => {
      const { person, session } = await started();
      return { by: person, path: `${session}/withdraw`, other: { any: 'body' } };
    },
    'a regeneration': async () => {
      const { evaluation, ready } = await completed();
      const later = async () => {
        await ready();
        expect((await owner.post(`${evaluation}/regenerations`)).body).toMatchObject({ generation: 3 });
        await ready();
      };
      return { by: owner, path: `${evaluation}/regenerations`, other: { any: 'body' }, later };
    },
  };

  const remembered: (Case & { readonly name: string; readonly first: ReturnType<typeof answer> })[] = [];

  it.each(Object.keys(cases))(
    '%s: three copies at once do it once, and each has the one answer',
    async (name) => {
      const one = await cases[name]!();
      const { by, path, body, other, later } = one;
      const send = () => by.post(path, body, keyed(name));
      const replies = await Promise.all([send(), send(), send()]);
      const first = answer(replies[0]);
      expect([200, 201, 202]).toContain(first.status);
      for (const reply of replies) {
        expect(answer(reply)).toEqual(first);
        expect(reply.headers.get('consistency-token')).not.toBeNull();
      }
      if (other) {
        const refused = await by.post<Failure>(path, other, keyed(name));
        expect(refused).toMatchObject({ status: 409, body: { code: 'idempotency_key_reused' } });
        expect(faultOf(refused)).toBeNull();
      }
      await later?.();
      expect(answer(await send())).toEqual(first);
      remembered.push({ ...one, name, first });
    },
  );

  it('has its first answer after a restart too, and does nothing again', async () => {
    expect(remembered).toHaveLength(Object.keys(cases).length);
    const everything = async () => {
      const reads = ['/roles', '/members', '/applications', '/evaluations'].map((path) =>
        at(`${path}?limit=200`),
      );
      const texts: string[] = [];
      for (const path of [...reads, at('/signal')]) texts.push((await owner.get(path)).text);
      return texts;
    };
    const before = await everything();
    await service.kill();
    service = await place.start();
    for (const { by, path, body, name, first } of remembered)
      expect(answer(await by.post(path, body, keyed(name)))).toEqual(first);
    expect(await everything()).toEqual(before);
  });

  it('made ids that derive from it; without one they come by time', async () => {
    const path = at('/roles');
    const version = (id: string) => id.charAt(14);
    const byKey = await owner.post<{ id: string; dimensions: { id: string }[] }>(
      path,
      definition(),
      keyed('ids'),
    );
    expect([byKey.body.id, ...byKey.body.dimensions.map(({ id }) => id)].map(version)).toEqual([
      '8',
      '8',
      '8',
    ]);
    const byTime = await owner.post<typeof byKey.body>(path, definition());
    expect([byTime.body.id, ...byTime.body.dimensions.map(({ id }) => id)].map(version)).toEqual([
      '7',
      '7',
      '7',
    ]);
  });

  it('is not remembered if it was refused: the key may be used with another body', async () => {
    const draft = await owner.post<{ id: string }>(at('/roles'), { ...definition(), dimensions: [] });
    const path = at(`/roles/${draft.body.id}/invitations`);
    const body = { candidateEmail: 'drafted@example.org' };
    expect(await owner.post(path, body, keyed('refused'))).toMatchObject({ body: { code: 'role_draft' } });
    expect(await owner.post(path, {}, keyed('refused'))).toMatchObject({
      body: { code: 'validation_failed' },
    });
    await owner.patch(at(`/roles/${draft.body.id}`), definition());
    const other = { candidateEmail: 'another@example.org' };
    expect((await owner.post(path, other, keyed('refused'))).status).toBe(201);
    const late = await owner.post(path, body, keyed('refused'));
    expect(late).toMatchObject({ status: 409, body: { code: 'idempotency_key_reused' } });
    // The refusal has stored nothing of the address that would block the next invitation.
    expect((await owner.post(path, body)).status).toBe(201);
  });

  it('an invitation’s key cannot be used for another address, even of a person invited before', async () => {
    const path = at(`/roles/${role}/invitations`);
    const invited = (candidateEmail: string, key: string) => owner.post(path, { candidateEmail }, keyed(key));
    expect((await invited('first@example.org', 'address')).status).toBe(201);
    expect((await invited('known@example.org', 'address-2')).status).toBe(201);
    for (const address of ['second@example.org', 'known@example.org'])
      expect(await invited(address, 'address')).toMatchObject({
        status: 409,
        body: { code: 'idempotency_key_reused' },
      });
    const { text } = await owner.get(`${at('/applications')}?limit=200`);
    expect(text).not.toContain('second@example.org');
    const both = await Promise.all(
      ['race-1@example.org', 'race-2@example.org'].map((one) => invited(one, 'race')),
    );
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
  });

  it('is not remembered if it changed nothing', async () => {
    const { person, session } = await started();
    await person.post(`${session}/activity`, work());
    const nothing = await person.post(`${session}/activity`, work(), keyed('nothing'));
    expect(nothing).toMatchObject({ status: 202, body: { accepted: 0, duplicates: 5 } });
    const something = await person.post(`${session}/activity`, work('new'), keyed('nothing'));
    expect(something).toMatchObject({
      status: 202,
      body: { accepted: 5, duplicates: 0, lastSequenceNumber: 11 },
    });
  });

  it('is separate for each caller, path and query', async () => {
    const ids = new Set<string>();
    for (const by of [owner, recruiter])
      for (const path of ['/roles', '/roles?source=form'])
        ids.add((await by.post<{ id: string }>(at(path), definition(), keyed('shared'))).body.id);
    expect(ids.size).toBe(4);
    const other = await started();
    expect((await other.person.post(`${other.session}/activity`, work(), keyed('shared'))).status).toBe(202);
    expect((await other.person.post(`${other.session}/complete`, undefined, keyed('shared'))).status).toBe(
      200,
    );
  });

  it('means nothing on what can be sent again anyway', async () => {
    const { applicationId } = await candidate();
    const path = at(`/applications/${applicationId}`);
    for (const expiresAt of ['2036-01-01T00:00:00.000Z', '2037-01-01T00:00:00.000Z']) {
      const extended = await owner.patch(path, { expiresAt }, keyed('patch'));
      expect(extended).toMatchObject({ status: 200, body: { trialSessions: [{ expiresAt }] } });
    }
  });

  it('is in no file, nor is the candidate’s address', async () => {
    const key = 'a-key-that-nobody-stores-7c1f';
    await owner.post(at('/roles'), definition('A name that is stored'), keyed(key));
    await owner.post(at(`/roles/${role}/invitations`), { candidateEmail: 'keyed@example.org' }, keyed(key));
    const entries = await readdir(place.dataDir, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile());
    const contents = await Promise.all(files.map((file) => readFile(join(file.parentPath, file.name))));
    expect(contents.some((content) => content.includes('A name that is stored'))).toBe(true);
    for (const secret of [key, 'keyed@example.org'])
      expect(contents.some((content) => content.includes(secret))).toBe(false);
  });
});
