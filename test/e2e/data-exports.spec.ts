import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import { withoutMark } from '../../src/application/csv.js';
import type { Person } from '../support/api.js';
import { eventually } from '../support/eventually.js';
import { definition } from '../support/organisation.js';
import { type Evaluated, evaluated } from '../support/shared-report.js';
import { joinStage, type Stage } from '../support/stage.js';

type Line = Readonly<Record<string, string>>;
interface Entry {
  readonly action: string;
  readonly actor: { readonly type: string; readonly id: string };
  readonly subject: { readonly type: string; readonly id: string };
}

const EXPORT = /\.exported$/;
const REASON = '- two\nlines; "both" 😀';

describe('lists as CSV', () => {
  let stage: Stage;
  let owner: Person;
  let recruiter: Person;
  let roleId: string;
  let done: Evaluated;
  let subject: string;

  beforeAll(async () => {
    stage = await joinStage();
    ({ owner } = stage);
    recruiter = await stage.member('recruiter');
    roleId = await stage.role('=Engineer, "senior"; 工程师');
    done = await evaluated(stage, roleId);
    const invitations = [
      { candidateEmail: 'ada@example.org', candidateName: '+Ada Lovelace', externalId: "'=1" },
      { candidateEmail: 'omar@example.org', candidateName: 'عمر، "الخيام"; 😀' },
    ];
    for (const invitation of invitations) {
      const { status } = await owner.post(stage.at(`/roles/${roleId}/invitations`), invitation);
      expect(status).toBe(201);
    }
    const outcome = stage.at(`/trial-sessions/${done.sessionId}/outcome`);
    await owner.put(outcome, { humanRound: 'passed', reason: REASON });
    subject = (await recruiter.get<{ subject: string }>('/me')).body.subject;
    recruiter.follow(owner);
  });
  afterAll(() => stage.close());

  const linesOf = async (path: string, sent?: Record<string, string>): Promise<readonly Line[]> => {
    const { status, text } = await recruiter.get(stage.at(path), sent);
    expect(status).toBe(200);
    const lines = parse(text, { bom: true, columns: true, record_delimiter: '\r\n' }) as readonly Line[];
    return lines.map((line) =>
      Object.fromEntries(Object.entries(line).map(([name, cell]) => [name, withoutMark(cell)])),
    );
  };
  it('come as a file that spreadsheet programs read as UTF-8 and run no formula of', async () => {
    await linesOf('/exports/applications');
    const { status, headers, ...sent } = await fetch(stage.api.url + stage.at('/exports/applications'), {
      headers: { authorization: `Bearer ${recruiter.token}` },
    }).then(async (response) => ({
      status: response.status,
      headers: response.headers,
      // `Response.text` would drop the byte order mark.
      text: Buffer.from(await response.arrayBuffer()).toString(),
    }));
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(headers.get('content-disposition')).toBe('attachment; filename="applications.csv"');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(sent.text).toMatch(/^\uFEFFapplicationId,roleId,roleName,.*\r\n/);
    expect(sent.text).toContain(`"'=Engineer, ""senior""; 工程师"`);
    expect(sent.text).toContain(`'+Ada Lovelace,''=1`);
    expect(sent.text).toContain(`"'- two\nlines; ""both"" 😀"`);
  });

  it('have every application of the list, by the same filters and in its order', async () => {
    const searched = { 'search-text': 'ada@example.org' };
    for (const [query, headers] of [
      [''],
      ['?sort=-invitedAt'],
      ['?status=completed'],
      ['', searched],
      ['?outcome=passed'],
      ['?waiting=outcome'],
    ] as const) {
      const { body } = await owner.get<{
        items: readonly {
          id: string;
          candidateEmail: string;
          candidateName: string | null;
          externalId: string | null;
        }[];
      }>(stage.at(`/applications${query}`), headers);
      const lines = await linesOf(`/exports/applications${query}`, headers);
      expect([query, body.items.length > 0]).toEqual([query, query !== '?waiting=outcome']);
      expect(lines.map(({ applicationId }) => applicationId)).toEqual(body.items.map(({ id }) => id));
      for (const [at, { candidateEmail, candidateName, externalId }] of body.items.entries())
        expect(lines[at]).toMatchObject({
          roleName: '=Engineer, "senior"; 工程师',
          candidateEmail,
          candidateName: candidateName ?? '',
          externalId: externalId ?? '',
        });
    }
    for (const query of ['?status=none', '?limit=1', '?q=ada'])
      expect((await recruiter.get(stage.at(`/exports/applications${query}`))).status).toBe(400);
    const both = await recruiter.get(stage.at('/exports/applications?waiting=outcome'), searched);
    expect(both.status).toBe(400);
  });

  it('have the applications that are chosen by id, in that order, and no other organisation’s', async () => {
    const { body } = await owner.get<{ items: readonly { id: string }[] }>(stage.at('/applications'));
    const [first, second, third] = body.items.map(({ id }) => id);
    const other = await stage.organisation('Other', 'stranger@example.org');
    const stranger = await stage.signIn('stranger@example.org');
    await stranger.get('/me');
    stranger.follow(owner);
    const exportOf = (ids: readonly (string | undefined)[], more = '') =>
      `/exports/applications?${ids.map((id) => `applicationId=${id}`).join('&')}${more}`;
    const unknown = 'dddddddd-0000-4000-8000-000000000000';
    const lines = await linesOf(exportOf([third, 'none', first, unknown, third]));
    expect(lines.map(({ applicationId }) => applicationId)).toEqual([third, first]);
    const elsewhere = await stranger.get(`/organisations/${other}${exportOf([first, second])}`);
    expect([elsewhere.status, elsewhere.text.trim().split('\r\n').length]).toEqual([200, 1]);
    const many = Array.from({ length: 101 }, () => first);
    expect((await linesOf(exportOf(many.slice(1)))).length).toBe(1);
    for (const [path, sent] of [
      [exportOf(many)],
      [exportOf([first], '&status=invited')],
      [exportOf([first], '&waiting=outcome')],
      [exportOf([first]), { 'search-text': 'ada@example.org' }],
    ] as const)
      expect((await recruiter.get(stage.at(path), sent)).status).toBe(400);
  });

  it('have a line for each dimension of an evaluation, recorded as read each time', async () => {
    const readsByRecruiter = async () =>
      (
        await owner.get<{ items: readonly { actor: { id: string } }[] }>(`${done.evaluation}/reads`)
      ).body.items.filter(({ actor }) => actor.id === subject).length;
    const before = await readsByRecruiter();
    const lines = await linesOf('/exports/evaluations');
    const { body } = await owner.get<{
      items: readonly { overallScore: number; scores: readonly { dimensionName: string; score: number }[] }[];
    }>(stage.at('/evaluations?scores=dimensions'));
    const [{ overallScore, scores }] = body.items as [(typeof body.items)[number]];
    expect(lines.map(({ dimensionName, dimensionScore }) => [dimensionName, dimensionScore])).toEqual(
      scores.map(({ dimensionName, score }) => [dimensionName, `${score}`]),
    );
    expect(new Set(lines.map((line) => line['overallScore']))).toEqual(new Set([`${overallScore}`]));
    expect(new Set(lines.map(({ evaluationId }) => evaluationId))).toEqual(new Set([done.evaluationId]));
    await linesOf('/exports/evaluations?status=ready');
    expect(await readsByRecruiter()).toBe(before + 2);
    expect(await linesOf('/exports/evaluations?status=failed')).toEqual([]);
  });

  it('have the signal’s counts', async () => {
    const { body } = await owner.get<{ roles: readonly { roleId: string; trialCompletedCount: number }[] }>(
      stage.at('/signal'),
    );
    const lines = await linesOf('/exports/signal');
    expect(lines.map((line) => [line['roleId'], Number(line['trialCompletedCount'])])).toEqual(
      body.roles.map((role) => [role.roleId, role.trialCompletedCount]),
    );
  });

  it('are in the audit trail, each once; HEAD and a refused request are not', async () => {
    const [exporter, reviewer] = [
      await stage.member('recruiter', 'exporter'),
      await stage.member('reviewer'),
    ];
    const exported = (person: Person, method = 'GET') =>
      person.send(method, stage.at('/exports/signal'), undefined, {});
    expect((await exported(exporter, 'HEAD')).text).toBe('');
    expect((await exported(reviewer)).status).toBe(403);
    expect((await exported(exporter)).status).toBe(200);
    const me = await exporter.get<{ subject: string }>('/me');
    // What came before the entry of the one export is in the trail by then.
    const entries = await eventually(async () => {
      const { body } = await owner.get<{ items: readonly Entry[] }>(stage.at('/audit?limit=200'));
      const own = body.items.filter(
        ({ actor, action }) => actor.id === me.body.subject && EXPORT.test(action),
      );
      return own.length > 0 && own;
    });
    expect(entries).toEqual([
      expect.objectContaining({
        action: 'signal.exported',
        actor: { type: 'staff', id: me.body.subject },
        subject: { type: 'organisation', id: stage.org },
      }),
    ]);
  });

  it('show nothing personal of an erased candidate', async () => {
    const { body: role } = await owner.post<{ id: string }>(stage.at('/roles'), definition('Gone'));
    const gone = await evaluated(stage, role.id);
    await owner.post(`${gone.application}/erasure`);
    recruiter.follow(owner);
    const [application] = await linesOf(`/exports/applications?roleId=${role.id}`);
    expect(application).toMatchObject({ status: 'erased', candidateEmail: '', candidateName: '' });
    const [line] = await linesOf(`/exports/evaluations?roleId=${role.id}`);
    expect(line).toMatchObject({ evaluationId: gone.evaluationId, candidateEmail: '', dimensionName: '' });
  });
});
