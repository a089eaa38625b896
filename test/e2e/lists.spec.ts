import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Person, Reply } from '../support/api.js';
import { eventually } from '../support/eventually.js';
import { definition, work } from '../support/organisation.js';
import { type Failure, faultOf, joinStage, type Stage } from '../support/stage.js';

interface Item {
  readonly id: string;
  readonly name: string;
}
interface Page {
  readonly items: readonly Item[];
  readonly nextCursor: string | null;
}
interface Interface {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<
        Record<
          string,
          {
            readonly parameters?: readonly { readonly name: string }[];
            readonly security?: readonly unknown[];
          }
        >
      >
    >
  >;
}

describe('lists', () => {
  let stage: Stage;
  let owner: Person;

  beforeAll(async () => {
    stage = await joinStage();
    ({ owner } = stage);
  });
  afterAll(() => stage.close());

  const searching = (text?: string): Record<string, string> =>
    text === undefined ? {} : { 'search-text': encodeURIComponent(text) };

  /** Every page of a list. */
  const walk = async (path: string, query: string, text?: string): Promise<readonly Reply<Page>[]> => {
    const pages: Reply<Page>[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const more: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const page: Reply<Page> = await owner.get<Page>(stage.at(`${path}?${query}${more}`), searching(text));
      expect(page).toMatchObject({ status: 200 });
      pages.push(page);
      cursor = page.body.nextCursor;
    }
    return pages;
  };

  it('and all other reads that are not public refuse each unknown query parameter by its name', async () => {
    const { body } = await stage.api.send<Interface>('GET', '/openapi.json');
    const routes = Object.entries(body.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        path,
        method: method.toUpperCase(),
        operation,
      })),
    );
    const lists = routes.filter(({ operation }) =>
      operation.parameters?.some(({ name }) => name === 'cursor'),
    );
    expect(lists.length).toBeGreaterThan(8);
    for (const { path, method, operation } of routes) {
      if (operation.security || method !== 'GET') continue;
      const at = path.replace('{orgId}', stage.org).replaceAll(/\{\w+\}/g, 'none');
      const { token } = owner;
      const reply = await stage.api.send<Failure>(method, `${at}?colour=red&Limit=5&%24where=1`, { token });
      expect([method, path, reply.status, reply.body.code]).toEqual([method, path, 400, 'validation_failed']);
      expect(reply.body.details?.map((one) => [one.path, one.rule])).toEqual([
        ['colour', 'unknown'],
        ['Limit', 'unknown'],
        ['$where', 'unknown'],
      ]);
      expect(faultOf(reply)).toBeNull();
    }
    const { status, body: misspelt } = await owner.get<Failure>(stage.at('/evaluations?state=ready'));
    expect([status, misspelt.error]).toEqual([
      400,
      'Unknown query parameter: state. Known here: roleId, status, passed, minScore, maxScore, waiting, from, to, sort, scores, limit, cursor.',
    ]);
  });

  it('refuse a caller without rights before they check the query', async () => {
    const stranger = await stage.api.as('stranger@example.org');
    expect(await stranger.get(stage.at('/roles?colour=red'))).toMatchObject({ status: 403 });
    expect(await stage.api.send('GET', stage.at('/roles?colour=red'))).toMatchObject({ status: 401 });
    expect((await stage.api.send('GET', '/health/live?colour=red')).status).toBe(200);
  });

  it('of applications are narrowed by role, status and text, and ordered either way', async () => {
    const [backend, other] = [await stage.role('Bäckend engineer'), await stage.role('Bäck office')];
    const invited = await stage.candidate(backend);
    const started = await stage.started(backend);
    const completed = await stage.started(other);
    await completed.person.post(`${completed.session}/complete`);
    owner.follow(completed.person);
    const cancelled = await stage.candidate(other);
    await owner.post(`${cancelled.application}/cancel`);
    const erased = await stage.candidate(other);
    await owner.post(`${erased.application}/erasure`);
    const ids = {
      invited: invited.applicationId,
      in_progress: started.applicationId,
      completed: completed.applicationId,
      withdrawn: cancelled.applicationId,
      erased: erased.applicationId,
    };
    const list = async (query: string, text?: string): Promise<string[]> => {
      const pages = await walk('/applications', `limit=2&${query}`, text);
      return pages.flatMap(({ body }) => body.items.map(({ id }) => id));
    };
    const inOrder = Object.values(ids);
    expect(await list('')).toEqual(inOrder);
    expect(await list('sort=invitedAt')).toEqual(inOrder);
    expect(await list('sort=-invitedAt')).toEqual(inOrder.toReversed());
    for (const [status, id] of Object.entries(ids)) {
      await eventually(async () => (await list(`status=${status}`)).length === 1);
      expect([status, await list(`status=${status}`)]).toEqual([status, [id]]);
    }
    expect(await list('status=expired')).toEqual([]);
    expect(await list(`roleId=${backend}`)).toEqual([ids.invited, ids.in_progress]);
    expect(await list(`roleId=${backend}&status=in_progress`)).toEqual([ids.in_progress]);
    expect(await list(`roleId=${backend}&status=completed`)).toEqual([]);
    expect(await list('roleId=none')).toEqual([]);
    const address = completed.email.toUpperCase();
    expect(await list('', address)).toEqual([ids.completed]);
    expect(await list(`status=completed&roleId=${other}`, ` ${address} `)).toEqual([ids.completed]);
    expect(await list(`roleId=${backend}`, address)).toEqual([]);
    expect(await list('', erased.email)).toEqual([]);
    expect(await list('', completed.email.slice(1))).toEqual([]);
    expect((await list('', 'BÄCKEND')).sort()).toEqual([ids.invited, ids.in_progress]);
    expect(await list('status=completed', 'bäck')).toEqual([ids.completed]);
    // The other role's name is before this one's.
    expect(await list('sort=roleName')).toEqual([...inOrder.slice(2), ...inOrder.slice(0, 2)]);
    expect(await list('sort=-roleName')).toEqual([...inOrder.slice(2), ...inOrder.slice(0, 2)].reverse());

    for (const [query, path, text] of [
      ['status=done', 'status'],
      ['status=', 'status'],
      ['status=invited&status=completed', 'status'],
      ['q=b', 'q'],
      ['sort=candidateEmail', 'sort'],
      ['from=yesterday', 'from'],
      ['to=2026-02-31T00:00:00Z', 'to'],
      ['to=2026-02-01T00:00:00Z&sort=roleName', 'sort'],
      ['outcome=unknown', 'outcome'],
      ['waiting=coffee', 'waiting'],
      ['waiting=outcome&status=completed', 'status'],
      ['', 'Search-Text', ' '],
      ['', 'Search-Text', 'x'.repeat(321)],
      ['sort=invitedAt', 'sort', 'b'],
      ['to=2026-02-01T00:00:00Z', 'to', 'b'],
      ['waiting=outcome', 'Search-Text', 'b'],
      ['candidateId=none', 'Search-Text', 'b'],
      ['sort=roleName', 'sort', address],
    ] as const) {
      const reply = await owner.get<Failure>(stage.at(`/applications?${query}`), searching(text));
      const paths = reply.body.details?.map((one) => one.path);
      expect([query, text, reply.status, paths]).toEqual([query, text, 400, [path]]);
      expect(faultOf(reply)).toBeNull();
    }
    const { body } = await owner.get<Page>(stage.at(`/applications?limit=1&roleId=${other}`));
    const cursor = encodeURIComponent(body.nextCursor!);
    for (const query of [
      '',
      `roleId=${backend}`,
      `roleId=${other}&status=invited`,
      `roleId=${other}&sort=-invitedAt`,
    ])
      expect(await owner.get(stage.at(`/applications?limit=1&${query}&cursor=${cursor}`))).toMatchObject({
        status: 400,
        body: { details: [{ path: 'cursor' }] },
      });
  });

  it('of evaluations are narrowed by result as well, and ordered by score', async () => {
    const [easy, hard] = await Promise.all(
      [0, 100].map(async (overallThreshold) => {
        const { body } = await owner.post<{ id: string }>(stage.at('/roles'), {
          ...definition(`Of threshold ${overallThreshold}`),
          overallThreshold,
        });
        return body.id;
      }),
    );
    for (const role of [easy!, hard!, hard!]) {
      const { person, session } = await stage.started(role);
      await person.post(`${session}/activity`, work());
      await person.post(`${session}/complete`);
      owner.follow(person);
    }
    interface Result {
      readonly id: string;
      readonly passed: boolean | null;
      readonly overallScore: number;
    }
    const list = async (query: string): Promise<Result[]> => {
      const pages = await walk('/evaluations', `limit=2&${query}`);
      return pages.flatMap(({ body }) => body.items as unknown as Result[]);
    };
    await eventually(async () => (await list('status=generating')).length === 0);
    expect((await list(`passed=true&roleId=${easy!}`)).map(({ passed }) => passed)).toEqual([true]);
    expect((await list(`passed=false&roleId=${hard!}&status=ready`)).map(({ passed }) => passed)).toEqual([
      false,
      false,
    ]);
    expect(await list(`passed=true&roleId=${hard!}`)).toEqual([]);
    expect(await list('passed=true&status=failed')).toEqual([]);
    const all = await list('status=ready');
    const scores = (await list('sort=-overallScore&status=ready')).map(({ overallScore }) => overallScore);
    expect(scores).toHaveLength(all.length);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    expect((await list('sort=-completedAt')).map(({ id }) => id)).toEqual(
      (await list('sort=completedAt')).map(({ id }) => id).reverse(),
    );
    const highest = scores[0]!;
    expect(
      (await list(`minScore=${highest}&maxScore=100`)).every(({ overallScore }) => overallScore === highest),
    ).toBe(true);
    expect(await list(`minScore=${highest}`)).not.toEqual([]);
    expect(await list(`maxScore=${highest}`)).toHaveLength(scores.length);
    for (const query of [
      ...['passed=yes', 'passed=', 'sort=passed', 'status=done', 'minScore=-1', 'maxScore=101', 'from=x'],
      ...[
        'minScore=1&sort=completedAt',
        'from=2026-01-01T00:00:00Z&minScore=1',
        'waiting=failed&passed=true',
      ],
    ])
      expect((await owner.get(stage.at(`/evaluations?${query}`))).status).toBe(400);
  });

  it('of what waits for staff lead to it, until it is done, and are counted', async () => {
    const role = await stage.role('Waiting');
    const waits = async (what: string): Promise<string[]> => {
      const kind = ['failed', 'contested', 'overdue'].includes(what) ? 'evaluations' : 'applications';
      const [page] = await walk(`/${kind}`, `waiting=${what}&roleId=${role}`);
      const { body } = await owner.get<{ waiting: Record<string, number> }>(
        stage.at(`/${kind.slice(0, -1)}-counts?roleId=${role}`),
      );
      expect([what, body.waiting[what]]).toEqual([what, page!.body.items.length]);
      return page!.body.items.map(({ id }) => id);
    };
    const soon = new Date(Date.now() + 3_600_000).toISOString();
    const expiring = await stage.candidate(role);
    expect((await owner.patch(expiring.application, { expiresAt: soon })).status).toBe(200);
    const asking = await stage.candidate(role);
    const own = `/applications/${asking.applicationId}`;
    expect((await asking.person.post(`${own}/accommodation-requests`, { text: 'More time.' })).status).toBe(
      202,
    );
    expect((await asking.person.post(`${own}/erasure-requests`)).status).toBe(202);
    const done = await stage.started(role);
    await done.person.post(`${done.session}/activity`, work());
    await done.person.post(`${done.session}/complete`);
    for (const { person } of [asking, done]) owner.follow(person);
    expect(await waits('expiring')).toEqual([expiring.applicationId]);
    expect(await waits('accommodation')).toEqual([asking.applicationId]);
    expect(await waits('erasure')).toEqual([asking.applicationId]);
    expect(await waits('outcome')).toEqual([done.applicationId]);
    for (const none of ['failed', 'contested', 'overdue']) expect(await waits(none)).toEqual([]);
    const later = new Date(Date.now() + 30 * 86_400_000).toISOString();
    await owner.patch(expiring.application, { expiresAt: later });
    await owner.put(`${asking.application}/accommodations`, {
      timeFactor: 2,
      typedOnly: false,
      captions: false,
    });
    await owner.put(stage.at(`/trial-sessions/${done.sessionId}/outcome`), { disposition: 'hired' });
    for (const what of ['expiring', 'accommodation', 'outcome']) expect(await waits(what)).toEqual([]);
    const { body } = await owner.get<object>(stage.at(`/application-counts?roleId=${role}`));
    expect(body).toEqual({
      status: { invited: 2, in_progress: 0, completed: 1, withdrawn: 0, expired: 0, erased: 0 },
      outcome: { none: 0, passed: 0, failed: 0, hired: 1, declined: 0 },
      waiting: { outcome: 0, expiring: 0, accommodation: 0, erasure: 1 },
    });
    const [hired] = await walk('/applications', `outcome=hired&roleId=${role}&status=completed`);
    expect(hired!.body.items.map(({ id }) => id)).toEqual([done.applicationId]);
    await eventually(async () => {
      const { body: counts } = await owner.get<{ status: { ready: number } }>(
        stage.at(`/evaluation-counts?roleId=${role}`),
      );
      return counts.status.ready === 1;
    });
    const contest = { about: { kind: 'transcript', reference: 'turn 2' }, text: 'I said more.' };
    const released = { candidateResults: 'result' };
    await owner.patch(stage.at(), released);
    const { body: application } = await owner.get<{ trialSessions: { evaluationId: string }[] }>(
      done.application,
    );
    const { evaluationId } = application.trialSessions[0]!;
    const posted = await done.person.post(`/me/evaluations/${evaluationId}/contests`, contest);
    expect([posted.status, posted.body]).toEqual([201, posted.body]);
    owner.follow(done.person);
    expect(await waits('contested')).toEqual([evaluationId]);
  });

  it('of a stretch of time hold what came at its beginning, and not what came at its end', async () => {
    const role = await stage.role('In time');
    for (let n = 0; n < 3; n++) await stage.candidate(role);
    const [page] = await walk('/applications', `roleId=${role}`);
    const all = page!.body.items as unknown as { id: string; invitedAt: string }[];
    const [first, second, third] = all;
    const list = async (query: string): Promise<string[]> => {
      const pages = await walk('/applications', `roleId=${role}&limit=1&${query}`);
      return pages.flatMap(({ body }) => body.items.map(({ id }) => id));
    };
    expect(await list(`from=${second!.invitedAt}`)).toEqual([second!.id, third!.id]);
    expect(await list(`to=${second!.invitedAt}`)).toEqual([first!.id]);
    expect(await list(`from=${second!.invitedAt}&to=${third!.invitedAt}&sort=-invitedAt`)).toEqual([
      second!.id,
    ]);
    const elsewhere = new Date(Date.parse(second!.invitedAt) + 3_600_000)
      .toISOString()
      .replace('Z', '+01:00');
    expect(await list(`to=${elsewhere}&status=invited`)).toEqual([first!.id]);
  });

  it('of roles are ordered either way', async () => {
    const [first] = await walk('/roles', 'limit=200&sort=createdAt');
    const [last] = await walk('/roles', 'limit=200&sort=-createdAt');
    expect(first!.body.items.length).toBeGreaterThan(2);
    expect(last!.body.items).toEqual(first!.body.items.toReversed());
    expect((await owner.get(stage.at('/roles?sort=name'))).status).toBe(400);
  });

  it('end a page early if its items are large, and continue on the next one', async () => {
    const dimensions = Array.from({ length: 100 }, (_, index) => ({
      name: `Dimension ${index}`,
      weight: 1,
      category: 'process',
      rubric: 'é'.repeat(220),
    }));
    const names = Array.from({ length: 40 }, (_, index) => `Large ${index}`);
    for (const name of names) {
      const { status } = await owner.post(stage.at('/roles'), { ...definition(name), dimensions });
      expect(status).toBe(201);
    }
    const pages = await walk('/roles', 'limit=200&sort=-createdAt');
    const walked = pages.flatMap(({ body }) => body.items.map(({ name }) => name));
    expect(walked.slice(0, names.length)).toEqual(names.toReversed());
    expect(pages.length).toBeGreaterThan(2);
    expect(pages[0]!.body.items.length).toBeGreaterThan(2);
    for (const { text } of pages) expect(Buffer.byteLength(text)).toBeLessThan(1024 * 1024 + 1024);
  });
});
