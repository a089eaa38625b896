import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { createOrganisation, definition } from '../support/organisation.js';
import { evaluated } from '../support/shared-report.js';
import { type Failure, faultOf, openStage, Stage } from '../support/stage.js';

const UNKNOWN = '01a1ff15-0000-7000-8000-000000000000';

interface Items {
  readonly items: readonly { readonly id: string }[];
}

/** An id of each kind, by the path segment before it. */
type Ids = Readonly<Record<string, string>>;

interface Route {
  readonly method: string;
  /** The path below the organisation. */
  readonly pattern: string;
  /** The path segments that have an id after them. */
  readonly kinds: readonly string[];
}

const ANNOUNCED = { name: 'a', bytes: 1, sha256: 'a'.repeat(64) };

/** Valid bodies, so that only the ids are wrong. Other routes have no body. */
const BODIES: Readonly<Record<string, object>> = {
  'PATCH /roles/{roleId}': definition(),
  'PATCH /tickets/{ticketId}': { title: 'Taken over' },
  'POST /tickets/{ticketId}/file-sets': ANNOUNCED,
  'POST /tickets/{ticketId}/file-sets/{fileSetId}/pieces': { offset: 0, data: 'YQ==' },
  'POST /roles/{roleId}/invitations': { candidateEmail: 'somebody@example.org' },
  'POST /evaluations/{evaluationId}/contests/{contestId}/answer': { text: 'We see.' },
  'POST /roles/{roleId}/invitations/batch': { invitations: [{ candidateEmail: 'somebody@example.org' }] },
  'POST /roles/{roleId}/imports': { csv: 'candidateEmail\nsomebody@example.org' },
  'PUT /applications/{applicationId}/accommodations': { timeFactor: 2, typedOnly: true, captions: true },
  'PATCH /applications/{applicationId}': { expiresAt: '2100-01-01T00:00:00.000Z' },
  'PUT /trial-sessions/{trialSessionId}/outcome': { humanRound: 'failed' },
  'PATCH /saved-views/{savedViewId}': { name: 'Taken over' },
  'PATCH /members/{memberId}': { role: 'reviewer' },
};

const QUERIES: Readonly<Record<string, string>> = {
  'GET /roles/{roleId}/difference': '?from=1&to=1',
  'GET /evaluations/{evaluationId}/history': '?at=2026-01-01T00:00:00.000Z',
  'GET /trial-sessions/{trialSessionId}/hand-ins/{handInId}/file': '?path=a',
};

/** A hand-in that was begun. @returns its id */
const handIn = async (stage: Stage, ticketId: string): Promise<string> => {
  const role = { ...definition(), ticketIds: [ticketId] };
  const { body } = await stage.owner.post<{ id: string }>(stage.at('/roles'), role);
  const { person, session } = await stage.started(body.id);
  const announced = { name: 'a.txt', bytes: 1, sha256: '0'.repeat(64) };
  const begun = await person.post<{ id: string }>(`${session}/tickets/${ticketId}/hand-ins`, announced);
  stage.owner.follow(person);
  return begun.body.id;
};

/** Everything that has an id in a path, made for one organisation. */
const furnish = async (stage: Stage): Promise<Ids> => {
  const { owner } = stage;
  const role = await stage.role();
  const ticket = await owner.post<{ id: string }>(stage.at('/tickets'), { title: 'Parser', kind: 'files' });
  const handInId = await handIn(stage, ticket.body.id);
  const fileSet = await owner.post<{ id: string }>(
    stage.at(`/tickets/${ticket.body.id}/file-sets`),
    ANNOUNCED,
  );
  const url = 'https://assay-hooks.invalid/';
  const hook = await owner.post<{ id: string }>(stage.at('/webhooks'), { url, events: ['outcome.recorded'] });
  const key = await owner.post<{ id: string }>(stage.at('/api-keys'), { name: 'K', scopes: ['roles.read'] });
  const view = await owner.post<{ id: string }>(stage.at('/saved-views'), {
    ...{ list: 'evaluations', name: 'V', filter: {}, shared: true },
  });
  const done = await evaluated(stage, role);
  const session = `/trial-sessions/${done.sessionId}`;
  await owner.put(stage.at(`${session}/outcome`), { humanRound: 'passed' });
  const link = await owner.post<{ id: string }>(`${done.evaluation}/share-links`);
  const contest = await done.person.post<{ id: string }>(`/me/evaluations/${done.evaluationId}/contests`, {
    ...{ about: { kind: 'transcript' }, text: 'I said something else.' },
  });
  owner.follow(done.person);
  const csv = 'candidateEmail\nimported@example.org';
  const imported = await owner.post<{ id: string }>(stage.at(`/roles/${role}/imports`), { csv });
  // The import runs in the background: wait until it is done, so that the lists do not change while they are compared.
  const searched = { 'search-text': 'imported@example.org' };
  await eventually(async () => (await owner.get<Items>(stage.at('/applications'), searched)).body.items[0]);
  const deliveries = stage.at(`/webhooks/${hook.body.id}/deliveries`);
  const delivery = await eventually(async () => (await owner.get<Items>(deliveries)).body.items[0]);
  const members = await owner.get<Items>(stage.at('/members'));
  const mails = await owner.get<Items>(stage.at(`/applications/${done.applicationId}/mails`));
  return {
    roles: role,
    tickets: ticket.body.id,
    'file-sets': fileSet.body.id,
    applications: done.applicationId,
    'trial-sessions': done.sessionId,
    evaluations: done.evaluationId,
    contests: contest.body.id,
    webhooks: hook.body.id,
    'api-keys': key.body.id,
    'saved-views': view.body.id,
    imports: imported.body.id,
    deliveries: delivery.id,
    'share-links': link.body.id,
    members: members.body.items[0]!.id,
    mails: mails.body.items[0]!.id,
    audio: '1',
    'hand-ins': handInId,
  };
};

/** Every combination of `count` sources. */
const choices = (count: number, sources: readonly Ids[]): readonly (readonly Ids[])[] =>
  count === 0 ? [[]] : choices(count - 1, sources).flatMap((some) => sources.map((one) => [...some, one]));

describe('ids of another organisation', () => {
  let stage: Stage;
  let other: Stage;
  let own: Ids;
  let foreign: Ids;
  let unknown: Ids;
  const routes: Route[] = [];

  beforeAll(async () => {
    stage = await openStage({ WEBHOOK_ALLOW_PRIVATE: 'on' });
    const { service, api, signIn } = stage;
    const org = await createOrganisation(service.dataDir, 'Other', 'foreigner@example.org');
    const foreigner = await signIn('foreigner@example.org');
    await foreigner.get('/me');
    other = new Stage(service, api, org, foreigner, signIn);
    own = await furnish(stage);
    foreign = await furnish(other);
    stage.owner.follow(foreigner);
    unknown = { ...Object.fromEntries(Object.keys(own).map((kind) => [kind, UNKNOWN])), audio: '1' };
    const { body } = await api.send<{ paths: Record<string, object> }>('GET', '/openapi.json');
    for (const [path, operations] of Object.entries(body.paths)) {
      const pattern = path.split('/organisations/{orgId}')[1];
      const kinds = [...(pattern ?? '').matchAll(/([\w-]+)\/\{\w+\}/g)].map(([, kind]) => kind!);
      if (pattern === undefined || kinds.length === 0) continue;
      for (const method of Object.keys(operations))
        routes.push({ method: method.toUpperCase(), pattern, kinds });
    }
  });
  afterAll(() => stage.close());

  const call = async ({ method, pattern, kinds }: Route, from: readonly Ids[]) => {
    let next = 0;
    const path = pattern.replace(/\{\w+\}/g, () => {
      const id = from[next]?.[kinds[next] ?? ''];
      next++;
      if (id === undefined) throw new Error(`${pattern} has an id of a kind that is not made here.`);
      return encodeURIComponent(id);
    });
    const { token } = stage.owner;
    const name = `${method} ${pattern}`;
    const body = BODIES[name];
    const to = stage.at(path) + (QUERIES[name] ?? '');
    const reply = await stage.api.send<Failure>(method, to, { token, ...(body && { body }) });
    const { error, code, details } = reply.body;
    return { status: reply.status, fault: faultOf(reply), said: { error, code, details } };
  };

  it('get the answers of unknown ids, anywhere in a path, and change nothing', async () => {
    const reads = () =>
      Promise.all(
        [
          'roles',
          'applications',
          'evaluations',
          'webhooks',
          'api-keys',
          'saved-views',
          'members',
          `webhooks/${foreign.webhooks}/deliveries`,
        ]
          .map((list) => other.owner.get<Items>(other.at(`/${list}`)))
          .map(async (reply) => (await reply).body.items.map(({ id }) => id)),
      );
    const before = await reads();
    const nameOf = (ids: Ids): string => (ids === own ? 'own' : ids === foreign ? 'foreign' : 'unknown');
    const answers: object[] = [];
    const wanted: object[] = [];
    for (const route of routes) {
      for (const from of choices(route.kinds.length, [own, foreign, unknown])) {
        if (!from.some((ids, index) => ids === foreign && route.kinds[index] !== 'audio')) continue;
        const label = `${route.method} ${route.pattern} (${from.map(nameOf).join(', ')})`;
        const as = from.map((ids) => (ids === foreign ? unknown : ids));
        answers.push({ label, ...(await call(route, from)) });
        wanted.push({ label, ...(await call(route, as)), status: 404, fault: null });
      }
    }
    expect(answers).toEqual(wanted);
    expect(answers.length).toBeGreaterThan(routes.length);
    expect(await reads()).toEqual(before);
  });
});
