import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { packTarHere, packZipHere } from '../../src/work/archives.js';
import { inFolder, treeHash, treeOf } from '../../src/work/tree.js';
import type { Person } from '../support/api.js';
import { eventually } from '../support/eventually.js';
import { definition } from '../support/organisation.js';
import { announceFile, sendFile } from '../support/send-file.js';
import { type Candidate, type Failure, joinStage, type Stage } from '../support/stage.js';

interface Page {
  readonly items: readonly { readonly id: string }[];
}
interface Difference {
  readonly from: string | null;
  readonly files: readonly {
    readonly path: string;
    readonly before: object | null;
    readonly hunks: readonly { readonly lines: string[] }[];
  }[];
}

const UNKNOWN = '01a1ff15-0000-7000-8000-000000000000';
const tree = (files: Readonly<Record<string, string>>) =>
  treeOf(Object.entries(files).map(([path, content]) => ({ path, content: Buffer.from(content) })));

const FIRST = tree({ 'README.md': '# Parser\n', 'src/parser.ts': 'let a = 1;\nlet b = 2;\n' });
const SECOND = tree({
  'src/_script_.ts': '<script>alert(1)</script>\n',
  'src/parser.ts': 'let a = 1;\nlet b = 3;\n',
});

describe('reading hand-ins as staff', () => {
  let stage: Stage;
  let owner: Person;
  let reviewer: Person;
  let roleId: string;
  let ticketId: string;
  let ada: Candidate;
  let path: string;
  let ids: readonly string[];

  const handIn = ({ person, session }: Candidate, name: string, bytes: Uint8Array, send = sendFile) =>
    send(person, `${session}/tickets/${ticketId}/hand-ins`, name, bytes);
  const file = (id: string, query: string, by = owner) =>
    fetch(`${stage.service.url}${path}/${id}/file${query}`, {
      headers: { authorization: `Bearer ${by.token}` },
    });

  beforeAll(async () => {
    stage = await joinStage();
    ({ owner } = stage);
    reviewer = await stage.member('reviewer');
    const ticket = { title: 'Parser', kind: 'files' };
    ticketId = (await owner.post<{ id: string }>(stage.at('/tickets'), ticket)).body.id;
    const sets = stage.at(`/tickets/${ticketId}/file-sets`);
    const starter = await sendFile(owner, sets, 'README.md', Buffer.from('# Parser\n'));
    await owner.patch(stage.at(`/tickets/${ticketId}`), { starter });
    const role = { ...definition(), ticketIds: [ticketId] };
    roleId = (await owner.post<{ id: string }>(stage.at('/roles'), role)).body.id;
    ada = await stage.started(roleId);
    path = stage.at(`/trial-sessions/${ada.sessionId}/hand-ins`);
    ids = [
      await handIn(ada, 'first.zip', await packZipHere(FIRST)),
      await handIn(ada, 'second.tar', await packTarHere(SECOND)),
      await handIn(ada, 'open.txt', Buffer.from('never sent'), announceFile),
    ];
    owner.follow(ada.person);
    reviewer.follow(ada.person);
  });
  afterAll(() => stage.close());

  it('lists them in their order, and shows one with its files', async () => {
    const { status, body } = await owner.get<Page>(path);
    expect(status).toBe(200);
    expect(body.items).toMatchObject([
      { id: ids[0], ticketId, name: 'first.zip', status: 'handed_in', fileCount: 2 },
      { id: ids[1], name: 'second.tar', status: 'handed_in', fileCount: 2 },
      { id: ids[2], name: 'open.txt', status: 'receiving', bytes: 10, fileCount: null, treeSha256: null },
    ]);
    expect((await owner.get(`${path}/${ids[0]}`)).body).toMatchObject({
      name: 'first.zip',
      files: FIRST.files.map(({ path: name, bytes, sha256 }) => ({ path: name, bytes, sha256 })),
    });
    expect((await owner.get(`${path}/${ids[2]}`)).body).toMatchObject({ status: 'receiving', files: null });
  });

  it('gives a member who may not read work the figures alone', async () => {
    const list = await reviewer.get<Page>(path);
    expect(list.body.items[0]).toEqual({
      ...{ id: ids[0], ticketId, bytes: expect.any(Number), status: 'handed_in', fileCount: 2 },
      ...{ name: null, sha256: null, treeSha256: null, refusal: null },
      ...{ begunAt: expect.any(String), handedInAt: expect.any(String) },
    });
    const one = await reviewer.get(`${path}/${ids[0]}`);
    expect(one.body).toMatchObject({ fileCount: 2, files: null, name: null });
    for (const text of [list.text, one.text]) {
      expect(text).not.toMatch(/first\.zip|parser/);
      for (const { sha256 } of FIRST.files) expect(text).not.toContain(sha256);
    }
    expect((await reviewer.get(`${path}/${ids[0]}/difference`)).status).toBe(403);
    expect((await file(ids[0]!, '?path=README.md', reviewer)).status).toBe(403);
  });

  it('gives one file, never as a page', async () => {
    const answer = await file(ids[1]!, `?path=${encodeURIComponent('src/_script_.ts')}`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/octet-stream');
    expect(answer.headers.get('content-disposition')).toBe('attachment');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(await answer.text()).toBe('<script>alert(1)</script>\n');
  });

  it.each([
    ['', 400],
    ['?path=', 400],
    [`?path=${'x'.repeat(1_025)}`, 400],
    ['?path=README.md&path=README.md', 400],
    ['?path=none', 404],
    ['?path=src', 404],
    ['?path=../../etc/passwd', 404],
    ['?path=__proto__', 404],
    ['?other=1', 400],
  ])('answers a file %s with %i', async (query, status) => {
    expect((await file(ids[0]!, query)).status).toBe(status);
  });

  it('compares with the starter that the session began with, with an earlier one, and in one file', async () => {
    await owner.patch(stage.at(`/tickets/${ticketId}`), { starter: null });
    const pathsOf = async (id: string | undefined) => {
      const { body } = await owner.get<Difference>(`${path}/${id}/difference`);
      expect(body.from).toBeNull();
      return body.files.map((one) => [one.path, one.before === null]);
    };
    expect(await pathsOf(ids[0])).toEqual([['src/parser.ts', true]]);
    expect(await pathsOf(ids[1])).toEqual([
      ['README.md', false],
      ['src/_script_.ts', true],
      ['src/parser.ts', true],
    ]);
    const from = await owner.get<Difference>(`${path}/${ids[1]}/difference?from=${ids[0]}`);
    expect(from.body.from).toBe(ids[0]);
    expect(from.body.files.map((one) => [one.path, one.hunks[0]?.lines])).toEqual([
      ['README.md', ['-# Parser']],
      ['src/_script_.ts', ['+<script>alert(1)</script>']],
      ['src/parser.ts', [' let a = 1;', '-let b = 2;', '+let b = 3;']],
    ]);
    const one = await owner.get<Difference>(
      `${path}/${ids[1]}/difference?from=${ids[0]}&path=${encodeURIComponent('src/parser.ts')}`,
    );
    expect(one.body.files.map((each) => each.path)).toEqual(['src/parser.ts']);
  });

  it('takes what is in a folder around the starter’s files', async () => {
    const folder = treeOf([
      { path: 'solution/README.md', content: Buffer.from('# Mine\n') },
      { path: 'solution/src/a.ts', content: Buffer.from('a\n') },
    ]);
    const id = await handIn(ada, 'solution.tar', await packTarHere(folder));
    owner.follow(ada.person);
    const inside = inFolder(folder, 'solution/').files;
    expect((await owner.get(`${path}/${id}`)).body).toMatchObject({
      treeSha256: treeHash(inside),
      files: inside.map(({ path: name, bytes, sha256 }) => ({ path: name, bytes, sha256 })),
    });
    expect(await (await file(id, '?path=README.md')).text()).toBe('# Mine\n');
    expect((await owner.get(`${path}/${id}/difference`)).body).toMatchObject({
      files: [
        { path: 'README.md', before: { bytes: 9 }, after: { bytes: 7 } },
        { path: 'src/a.ts', before: null },
      ],
    });
  });

  it('has nothing to show of one that has not arrived', async () => {
    for (const open of [
      `${ids[2]}/difference`,
      `${ids[0]}/difference?from=${ids[2]}`,
      `${ids[2]}/file?path=a`,
    ])
      expect(await owner.get<Failure>(`${path}/${open}`)).toMatchObject({
        status: 409,
        body: { code: 'hand_in_incomplete' },
      });
  });

  it('finds none in another session, of another organisation, or of no such id', async () => {
    const bob = await stage.started(roleId);
    owner.follow(bob.person);
    const elsewhere = stage.at(`/trial-sessions/${bob.sessionId}/hand-ins`);
    expect((await owner.get<Page>(elsewhere)).body).toEqual({ items: [], nextCursor: null });
    for (const none of [
      `${elsewhere}/${ids[0]}`,
      `${elsewhere}/${ids[0]}/difference`,
      `${elsewhere}/${ids[0]}/file?path=README.md`,
      `${path}/${UNKNOWN}`,
      `${path}/none/difference`,
      `${path}/${ids[0]}/difference?from=${UNKNOWN}`,
      stage.at(`/trial-sessions/${UNKNOWN}/hand-ins`),
    ])
      expect((await owner.get(none)).status).toBe(404);
  });

  it('is a read of the evaluation once there is one, and gone with an erased candidate', async () => {
    const eve = await stage.started(roleId);
    const id = await handIn(eve, 'a.zip', await packZipHere(FIRST));
    const at = stage.at(`/trial-sessions/${eve.sessionId}/hand-ins`);
    await eve.person.post(`${eve.session}/complete`);
    owner.follow(eve.person);
    const evaluation = await eventually(async () => {
      const { body } = await owner.get<{ items: { trialSessionId: string; id: string }[] }>(
        stage.at('/evaluations?status=ready'),
      );
      return body.items.find((one) => one.trialSessionId === eve.sessionId)?.id;
    });
    const kinds = ['', `/${id}`, `/${id}/difference`, `/${id}/file?path=README.md`];
    for (const kind of kinds) expect((await owner.get(at + kind)).status).toBe(200);
    const reads = await owner.get<{ items: { actor: { id: string } }[] }>(
      stage.at(`/evaluations/${evaluation}/reads`),
    );
    expect(reads.body.items.map(({ actor }) => actor.id)).toEqual(
      kinds.map(() => reads.body.items[0]?.actor.id),
    );
    expect((await owner.post(`${eve.application}/erasure`)).status).toBe(202);
    for (const kind of kinds)
      expect(await owner.get<Failure>(at + kind)).toMatchObject({ status: 410, body: { code: 'erased' } });
  });
});
