import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedLog } from '../../src/stores/lmdb/log/log.js';
import type { Person } from '../support/api.js';
import { eventually } from '../support/eventually.js';
import { definition } from '../support/organisation.js';
import { startService } from '../support/service.js';
import { type Failure, joinStage, type Stage, stageOn } from '../support/stage.js';

interface Import {
  readonly id: string;
  readonly status: string;
  readonly rowCount: number;
  readonly invitedCount: number;
  readonly refused: readonly { readonly row: number; readonly code: string; readonly reason: string }[];
  readonly createdBy: string;
}
interface Application {
  readonly id: string;
  readonly candidateEmail: string;
  readonly candidateName: string | null;
  readonly externalId: string | null;
  readonly language: string;
}

describe('an import of candidates', () => {
  let stage: Stage;
  let recruiter: Person;

  beforeAll(async () => {
    stage = await joinStage();
    recruiter = await stage.member('recruiter');
  });
  afterAll(() => stage.close());

  const importing = (roleId: string, csv: string, headers = {}, by = recruiter) =>
    by.post<Import & Failure>(stage.at(`/roles/${roleId}/imports`), { csv }, headers);
  const finished = (id: string): Promise<Import> =>
    eventually(async () => {
      const { body } = await recruiter.get<Import>(stage.at(`/imports/${id}`));
      return body.status === 'finished' && body;
    });
  const applicationsOf = async (roleId: string): Promise<readonly Application[]> =>
    (await recruiter.get<{ items: Application[] }>(stage.at(`/applications?roleId=${roleId}&limit=200`))).body
      .items;
  const newRole = async (): Promise<string> => {
    const id = await stage.role();
    recruiter.follow(stage.owner);
    return id;
  };

  it('invites every row, as the member who sent it, with what the row says', async () => {
    const roleId = await newRole();
    const csv =
      '\uFEFFcandidateEmail;candidateName;externalId;language\r\n' +
      "omar@example.org;عمر الخيام;'=1+1;de\r\n" +
      'li@example.org;"李雷; 😀";"two\nlines ""x""";\r\n;;;\r\n' +
      'ada@example.org;;;en\r\n';
    const { status, headers, body } = await importing(roleId, csv);
    expect(status).toBe(202);
    expect(headers.get('location')).toBe(stage.at(`/imports/${body.id}`));
    expect(body).toMatchObject({ status: 'running', rowCount: 3, invitedCount: 0, refused: [] });
    expect(await finished(body.id)).toMatchObject({ rowCount: 3, invitedCount: 3, refused: [] });
    const invited = await eventually(async () => {
      const found = await applicationsOf(roleId);
      return found.length === 3 && found;
    });
    expect(
      invited.map(({ candidateEmail, candidateName, externalId, language }) => [
        ...[candidateEmail, candidateName, externalId, language],
      ]),
    ).toEqual([
      ['omar@example.org', 'عمر الخيام', '=1+1', 'de'],
      ['li@example.org', '李雷; 😀', 'two\nlines "x"', 'en'],
      ['ada@example.org', null, null, 'en'],
    ]);
    const { body: me } = await recruiter.get<{ subject: string }>('/me');
    const audit = await stage.owner.get<{ items: { action: string; actor: object; subject: object }[] }>(
      stage.at('/audit?limit=200'),
    );
    for (const { id } of invited)
      expect(audit.body.items).toContainEqual(
        expect.objectContaining({
          action: 'candidate.invited',
          actor: { type: 'staff', id: me.subject },
          subject: { type: 'application', id },
        }),
      );
    const { body: list } = await recruiter.get<{ items: Import[] }>(stage.at('/imports'));
    expect(list.items[0]).toMatchObject({ id: body.id, createdBy: me.subject, status: 'finished' });
  });

  it('checks every row first, and names each fault by row and column', async () => {
    const roleId = await newRole();
    const csv =
      'candidateEmail,language,expiresAt\n' +
      'good@example.org,en,\n' +
      'no address,fr,yesterday\n' +
      'GOOD@example.org,,2001-01-01T00:00:00Z\n' +
      ',de,\n' +
      'more@example.org,,,stray\n';
    const { status, body } = await importing(roleId, csv);
    expect(status).toBe(400);
    expect(body.details?.map(({ path, rule }) => [path, rule])).toEqual([
      ['rows[3].candidateEmail', expect.any(String)],
      ['rows[3].expiresAt', expect.any(String)],
      ['rows[3].language', expect.any(String)],
      ['rows[4].expiresAt', 'future'],
      ['rows[5].candidateEmail', 'required'],
      ['rows[6].4', 'header'],
    ]);
    for (const { message } of body.details ?? []) expect(message).toMatch(/^Row \d, \w+: .+\.$/);
    expect(await applicationsOf(roleId)).toEqual([]);
    const twice = await importing(roleId, 'candidateEmail\na@example.org\nA@example.org');
    expect(twice.body.details).toEqual([
      {
        path: 'rows[3].candidateEmail',
        rule: 'unique',
        message: 'Row 3, candidateEmail: row 2 has this address already.',
      },
    ]);
  });

  it.each([
    ['nothing', '', 'notBlank'],
    ['blank lines', '\n\n', 'notBlank'],
    ['no column of addresses', 'email\na@example.org', 'header'],
    ['an unknown column', 'candidateEmail,langauge\na@example.org,en', 'header'],
    ['a column twice', 'candidateEmail,candidateEmail\na@example.org,b@example.org', 'unique'],
    ['a header alone', 'candidateEmail', 'rows'],
    ['a quote that is left open', 'candidateEmail\n"a@example.org', 'csv'],
    ['letters that were lost', 'candidateEmail,candidateName\na@example.org,J\uFFFDrg', 'encoding'],
    ['too many rows', `candidateEmail\n${'a@example.org\n'.repeat(501)}`, 'rows'],
  ])('with %s is refused', async (_, csv, rule) => {
    const { status, body } = await importing(await newRole(), csv);
    expect(status).toBe(400);
    expect(body.details?.map((detail) => detail.rule)).toEqual([rule]);
  });

  it('is the same import if the same rows are sent again, with the same key or without', async () => {
    const roleId = await newRole();
    const csv = 'candidateEmail\nfirst@example.org\nsecond@example.org';
    const key = { 'idempotency-key': 'import-1' };
    const first = await importing(roleId, csv, key);
    const others = await Promise.all([
      importing(roleId, csv, key),
      importing(roleId, csv),
      importing(roleId, `\uFEFF${csv.replaceAll('\n', '\r\n')}\r\n`, {}, stage.owner),
    ]);
    expect(others.map(({ status, body }) => [status, body.id])).toEqual(
      others.map(() => [202, first.body.id]),
    );
    const reused = await importing(roleId, 'candidateEmail\nthird@example.org', key);
    expect([reused.status, reused.body.code]).toEqual([409, 'idempotency_key_reused']);
    expect(await finished(first.body.id)).toMatchObject({ invitedCount: 2 });
    expect((await importing(roleId, csv)).body).toMatchObject({ id: first.body.id, status: 'finished' });
    await eventually(async () => (await applicationsOf(roleId)).length === 2);
  });

  it('is recognised before it is checked against the time: rows sent again after their expiry are the same import', async () => {
    const roleId = await newRole();
    const expiry = Date.now() + 4_000;
    const csvOf = (emails: readonly string[]) =>
      [
        'candidateEmail,expiresAt',
        ...emails.map((email) => `${email},${new Date(expiry).toISOString()}`),
      ].join('\n');
    const csv = csvOf(['soon@example.org', 'over@example.org']);
    const key = { 'idempotency-key': 'import-soon-over' };
    const first = await importing(roleId, csv, key);
    expect(first.status).toBe(202);
    await new Promise((resolve) => setTimeout(resolve, expiry - Date.now()));
    for (const again of [await importing(roleId, csv, key), await importing(roleId, csv)])
      expect([again.status, again.body.id]).toEqual([202, first.body.id]);
    // Other rows, and a check of the same ones, are refused.
    const others = await importing(roleId, csvOf(['late@example.org', 'later@example.org']));
    expect(others).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', error: expect.stringContaining('1 more error in details') },
    });
    const check = await recruiter.post<Failure>(stage.at('/import-checks'), { csv });
    for (const { body } of [others, check])
      expect(body.details).toEqual([
        {
          path: 'rows[2].expiresAt',
          rule: 'future',
          message: 'Row 2, expiresAt: must be at least one second ahead.',
        },
        expect.objectContaining({ path: 'rows[3].expiresAt', rule: 'future' }),
      ]);
  });

  it('lists the rows that were refused, which keep no other back', async () => {
    const roleId = await newRole();
    await recruiter.post(stage.at(`/roles/${roleId}/invitations`), { candidateEmail: 'known@example.org' });
    const { body } = await importing(
      roleId,
      'candidateEmail\nnew@example.org\nKnown@example.org\nlast@example.org',
    );
    expect(await finished(body.id)).toMatchObject({
      invitedCount: 2,
      refused: [{ row: 3, code: 'already_invited', reason: expect.stringMatching(/\.$/) }],
    });
  });

  it('is refused as an invitation is: drafts, archived roles, roles of others, reviewers', async () => {
    const csv = 'candidateEmail\nnobody@example.org';
    const draft = await stage.owner.post<{ id: string }>(stage.at('/roles'), {
      ...definition(),
      dimensions: [],
    });
    const archived = await newRole();
    await stage.owner.post(stage.at(`/roles/${archived}/archive`));
    recruiter.follow(stage.owner);
    expect((await importing(draft.body.id, csv)).body.code).toBe('role_draft');
    expect((await importing(archived, csv)).body.code).toBe('role_archived');
    expect((await importing('none', csv)).status).toBe(404);
    const reviewer = await stage.member('reviewer');
    expect((await importing(await newRole(), csv, {}, reviewer)).status).toBe(403);
    expect((await recruiter.get(stage.at('/imports/none'))).status).toBe(404);
  });

  it('may be an export of applications, and begins with a template', async () => {
    const from = await newRole();
    await recruiter.post(stage.at(`/roles/${from}/invitations`), {
      candidateEmail: 'again@example.org',
      candidateName: '@gain',
    });
    const { text } = await recruiter.get(stage.at(`/exports/applications?roleId=${from}`));
    const to = await newRole();
    const { body } = await importing(to, text);
    expect(await finished(body.id)).toMatchObject({ rowCount: 1, invitedCount: 1 });
    const [application] = await eventually(async () => {
      const found = await applicationsOf(to);
      return found.length > 0 && found;
    });
    expect(application).toMatchObject({ candidateEmail: 'again@example.org', candidateName: '@gain' });
    const template = await recruiter.get(stage.at('/import-template'));
    expect(template.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(template.text).toBe('candidateEmail,candidateName,externalId,language,expiresAt\r\n');
  });

  it('is checked before it is begun, and nobody is invited by that', async () => {
    const check = (csv: string, by = recruiter) => by.post<Failure>(stage.at('/import-checks'), { csv });
    const rows =
      'candidateEmail;candidateName;language\nzoe@example.org;Zoë;de\n;;\nbob@example.org;"=1;2";\n';
    const known = { expiresAt: null };
    expect(await check(rows)).toMatchObject({
      status: 200,
      body: {
        rows: [
          { ...known, row: 2, candidateEmail: 'zoe@example.org', candidateName: 'Zoë', language: 'de' },
          { ...known, row: 4, candidateEmail: 'bob@example.org', candidateName: '=1;2', language: 'en' },
        ],
      },
    });
    expect(await check('candidateEmail\nzoe@example.org\nnobody\n')).toMatchObject({
      status: 400,
      body: { details: [{ path: 'rows[3].candidateEmail' }] },
    });
    const { body } = await recruiter.get<{ items: Application[] }>(stage.at('/applications'), {
      'search-text': 'zoe@example.org',
    });
    expect(body.items).toEqual([]);
    expect((await check(rows, await stage.member('reviewer'))).status).toBe(403);
  });

  it('takes as many and as long rows as fit into a body', async () => {
    const name = '字'.repeat(100);
    const rows = Array.from({ length: 500 }, (_, n) => `n${n}@example.org,${name}`);
    const { status, body } = await importing(
      await newRole(),
      ['candidateEmail,candidateName', ...rows].join('\n'),
    );
    expect(status).toBe(202);
    expect(body.rowCount).toBe(500);
  });
});

it('a stop waits for no import: the next start invites the rows that still wait, each once', async () => {
  const ROWS = 150;
  const dataDir = await mkdtemp(join(tmpdir(), 'assay-imports-'));
  const start = () => startService({ dataDir, env: { LOG_LEVEL: 'warn' } });
  const stage = await stageOn(await start());
  try {
    const rows = Array.from({ length: ROWS }, (_, n) => `n${n}@example.org`);
    const csv = ['candidateEmail', ...rows].join('\n');
    const path = stage.at(`/roles/${await stage.role()}/imports`);
    expect((await stage.owner.post(path, { csv })).status).toBe(202);
    await stage.close();
    const invited = async (): Promise<readonly string[]> => {
      const log = await openEmbeddedLog(join(dataDir, 'log'), { readOnly: true });
      const found: string[] = [];
      for await (const { type, stream } of log.readAll())
        if (type === 'candidate.invited') found.push(stream);
      await log.close();
      return found;
    };
    expect((await invited()).length).toBeLessThan(ROWS);
    const again = await start();
    await eventually(async () => (await invited()).length >= ROWS);
    await again.stop();
    expect([(await invited()).length, new Set(await invited()).size]).toEqual([ROWS, ROWS]);
  } finally {
    await rm(dataDir, { recursive: true });
  }
});
