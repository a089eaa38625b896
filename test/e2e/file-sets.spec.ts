import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { packTarHere, packZipHere, unpackHere } from '../../src/work/archives.js';
import { FILE_SET_LIMITS } from '../../src/work/limits.js';
import { type Tree, treeHash, treeOf } from '../../src/work/tree.js';
import type { Person } from '../support/api.js';
import { definition } from '../support/organisation.js';
import { type Candidate, type Failure, joinStage, type Stage } from '../support/stage.js';

const UNKNOWN = '01a1ff15-0000-7000-8000-000000000000';
const PIECE = 100_000;

interface FileSet {
  readonly id: string;
  readonly received: number;
  readonly status: string;
  readonly files: readonly { readonly path: string }[] | null;
}

interface Ticket {
  readonly id: string;
  readonly starter: FileSet | null;
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const tree = (files: Readonly<Record<string, string>>): Tree =>
  treeOf(Object.entries(files).map(([path, text]) => ({ path, content: Buffer.from(text) })));

const STARTER = tree({ 'src/main.py': 'x = 1\n'.repeat(40_000), 'README.md': '# Parser\n' });
const VISIBLE = tree({ 'test_visible.py': 'assert True\n' });
const HIDDEN = tree({ 'test_hidden.py': 'assert "the secret"\n' });

describe('file sets', () => {
  let stage: Stage;
  let owner: Person;
  let ticket: string;
  beforeAll(async () => {
    stage = await joinStage();
    ({ owner } = stage);
    ticket = await aTicket();
  });
  afterAll(() => stage.close());

  const aTicket = async (): Promise<string> =>
    (await owner.post<Ticket>(stage.at('/tickets'), { title: 'Parser', kind: 'files' })).body.id;
  const setsOf = (of: string) => stage.at(`/tickets/${of}/file-sets`);
  const begin = (name: string, content: Uint8Array, of = ticket) =>
    owner.post<FileSet & Failure>(setsOf(of), { name, bytes: content.length, sha256: sha256(content) });
  const piece = (id: string, offset: number, bytes: Uint8Array, of = ticket) =>
    owner.post<FileSet & Failure>(`${setsOf(of)}/${id}/pieces`, {
      ...{ offset, data: Buffer.from(bytes).toString('base64') },
    });
  const complete = (id: string, of = ticket) => owner.post<FileSet & Failure>(`${setsOf(of)}/${id}/complete`);
  const send = async (name: string, content: Uint8Array, of = ticket) => {
    const { body } = await begin(name, content, of);
    for (let at = 0; at < content.length; at += PIECE)
      await piece(body.id, at, content.subarray(at, at + PIECE), of);
    return complete(body.id, of);
  };
  const bytesOf = async (person: Person, path: string) => {
    const headers = { authorization: `Bearer ${person.token}` };
    const response = await fetch(stage.service.url + path, { headers });
    return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) };
  };
  const treeIn = async (name: string, content: Uint8Array) =>
    treeHash(((await unpackHere(name, content, FILE_SET_LIMITS)) as Tree).files);

  it('arrive in pieces, are unpacked, and come back as they were sent', async () => {
    const content = Buffer.from(await packTarHere(STARTER));
    const begun = await begin('starter.tar', content);
    expect(begun).toMatchObject({ status: 201, body: { received: 0, status: 'receiving', files: null } });
    const { id } = begun.body;
    expect(begun.headers.get('location')).toBe(`${setsOf(ticket)}/${id}`);
    expect(await complete(id)).toMatchObject({ status: 409, body: { code: 'hand_in_incomplete' } });
    for (let at = 0; at < content.length; at += PIECE) {
      const one = content.subarray(at, at + PIECE);
      const received = at + one.length;
      expect(await piece(id, at, one)).toMatchObject({ status: 200, body: { received } });
      // A repeated piece, or one at another place, changes nothing.
      for (const offset of [at, 0]) expect((await piece(id, offset, one)).body.received).toBe(received);
    }
    const done = await complete(id);
    expect(done).toMatchObject({
      status: 200,
      body: { status: 'complete', received: content.length, treeSha256: treeHash(STARTER.files) },
    });
    expect(done.body.files).toEqual(
      STARTER.files.map(({ path, bytes, sha256 }) => ({ path, bytes, sha256 })),
    );
    for (const again of [await complete(id), await owner.get(`${setsOf(ticket)}/${id}`)])
      expect(again.body).toEqual(done.body);
    expect((await bytesOf(owner, `${setsOf(ticket)}/${id}/content`)).bytes.equals(content)).toBe(true);
    const head = await stage.api.send('HEAD', `${setsOf(ticket)}/${id}/content`, { token: owner.token });
    expect(head).toMatchObject({ status: 200, text: '' });
    expect(head.headers.get('content-length')).toBe(`${content.length}`);
  });

  it('are refused where they are not what was announced, too large, or hostile', async () => {
    const { body } = await begin('a.txt', Buffer.from('abc'));
    expect(await piece(body.id, 0, Buffer.from('abcd'))).toMatchObject({ status: 400 });
    await piece(body.id, 0, Buffer.from('abx'));
    expect(await complete(body.id)).toMatchObject({ status: 409, body: { code: 'hand_in_incomplete' } });
    // The wrong bytes were discarded: the right ones are taken from the start.
    await piece(body.id, 0, Buffer.from('abc'));
    expect(await complete(body.id)).toMatchObject({ status: 200 });
    expect(await send('broken.zip', Buffer.from('PK no archive'))).toMatchObject({
      status: 400,
      body: { code: 'work_refused' },
    });
    const wrong: [string, object][] = [
      ['bytes', { name: 'a', bytes: 6 * 1024 * 1024, sha256: 'a'.repeat(64) }],
      ['bytes', { name: 'a', bytes: 0, sha256: 'a'.repeat(64) }],
      ['sha256', { name: 'a', bytes: 1, sha256: 'A'.repeat(64) }],
      ['name', { name: ' ', bytes: 1, sha256: 'a'.repeat(64) }],
    ];
    for (const [path, announced] of wrong) {
      const refused = await owner.post<Failure>(setsOf(ticket), announced);
      expect(refused).toMatchObject({ status: 400, body: { details: [{ path }] } });
    }
    for (const sent of [
      { offset: -1, data: 'YQ==' },
      { offset: 0, data: '%' },
      { offset: 0, data: 'A'.repeat(175_000) },
    ])
      expect((await owner.post(`${setsOf(ticket)}/${body.id}/pieces`, sent)).status).toBe(400);
  });

  it('belong to their ticket', async () => {
    const other = await aTicket();
    const { body } = await send('a.txt', Buffer.from('abc'));
    const { body: begun } = await begin('b.txt', Buffer.from('abc'));
    for (const [of, id] of [
      [other, body.id],
      [UNKNOWN, body.id],
      [ticket, UNKNOWN],
      [ticket, 'x'],
    ] as const)
      for (const path of ['', '/content'])
        expect((await owner.get(`${setsOf(of)}/${id}${path}`)).status).toBe(404);
    expect((await begin('a.txt', Buffer.from('abc'), UNKNOWN)).status).toBe(404);
    const name = (of: string, starter: string) =>
      owner.patch<Failure>(stage.at(`/tickets/${of}`), { starter });
    for (const refused of [
      await name(other, body.id),
      await name(ticket, begun.id),
      await name(ticket, UNKNOWN),
    ])
      expect(refused).toMatchObject({ status: 400, body: { details: [{ path: 'starter' }] } });
    expect(await name(ticket, body.id)).toMatchObject({ status: 200, body: { starter: { id: body.id } } });
  });

  it('are listed with the number of their files, which the ticket’s own record lists', async () => {
    const listed = await aTicket();
    const set = async (packed: Tree) => (await send('set.tar', await packTarHere(packed), listed)).body.id;
    const [starter, visible] = [await set(STARTER), await set(VISIBLE)];
    const checks = { visible, hidden: null, slug: 'parser', isolation: 'separate' };
    const changed = await owner.patch<Ticket>(stage.at(`/tickets/${listed}`), { starter, checks });
    expect(changed).toMatchObject({ status: 200, body: { starter: { files: [{}, {}] } } });
    expect((await owner.get<Ticket>(stage.at(`/tickets/${listed}`))).body).toEqual(changed.body);
    const list = await owner.get<{ items: Ticket[] }>(stage.at('/tickets?limit=100'));
    const one = list.body.items.find(({ id }) => id === listed)!;
    const { files, ...known } = changed.body.starter!;
    expect(one.starter).toEqual({ ...known, fileCount: files?.length });
    expect(one).toMatchObject({ checks: { ...checks, visible: { id: visible, fileCount: 1 } } });
    expect(list.text).not.toContain('main.py');
  });

  describe('as candidates get them', () => {
    let candidate: Candidate;
    let work: string;
    const at = (path: string) => `${candidate.session}/tickets/${work}/${path}`;
    const get = (path: string) => bytesOf(candidate.person, at(path));

    beforeAll(async () => {
      work = await aTicket();
      const starter = await send('starter.tar', await packTarHere(STARTER), work);
      const visible = await send('visible.zip', await packZipHere(VISIBLE), work);
      const hidden = await send('hidden.zip', await packZipHere(HIDDEN), work);
      const checks = {
        visible: visible.body.id,
        hidden: hidden.body.id,
        slug: 'python',
        isolation: 'shared',
      };
      const named = await owner.patch(stage.at(`/tickets/${work}`), { starter: starter.body.id, checks });
      expect(named).toMatchObject({ status: 200, body: { kind: 'files', checks: { slug: 'python' } } });
      const { body: role } = await owner.post<{ id: string }>(stage.at('/roles'), {
        ...definition(),
        ticketIds: [work],
      });
      candidate = await stage.candidate(role.id);
    });

    it('are there once the session was started, packed or one by one', async () => {
      expect((await get('starter')).status).toBe(409);
      await candidate.person.post(`${candidate.session}/start`, { consent: true });
      for (const [query, name] of [
        ['', 'a.zip'],
        ['?format=zip', 'a.zip'],
        ['?format=tar', 'a.tar'],
      ] as const)
        // prettier-ignore
        expect(await treeIn(name, (await get(`starter${query}`)).bytes)).toBe(treeHash(STARTER.files));
      for (const { path, content } of STARTER.files)
        expect((await get(`starter/files?path=${encodeURIComponent(path)}`)).bytes.equals(content)).toBe(
          true,
        );
      expect(await treeIn('a.zip', (await get('visible-checks')).bytes)).toBe(treeHash(VISIBLE.files));
      expect((await get('starter?format=rar')).status).toBe(400);
      expect((await get('starter/files')).status).toBe(400);
      for (const path of ['../etc/passwd', 'test_hidden.py', 'src'])
        expect((await get(`starter/files?path=${encodeURIComponent(path)}`)).status).toBe(404);
    });

    it('are those of the version that the session began with, and hidden checks are not among them', async () => {
      await owner.patch(stage.at(`/tickets/${work}`), { starter: null, checks: null });
      candidate.person.follow(owner);
      expect(await treeIn('a.zip', (await get('starter')).bytes)).toBe(treeHash(STARTER.files));
      const one = await candidate.person.get(`${candidate.session}/tickets/${work}`);
      expect(one).toMatchObject({
        status: 200,
        body: {
          ...{ kind: 'files', hasHiddenChecks: true, starter: { treeSha256: treeHash(STARTER.files) } },
          visibleChecks: { files: [{ path: 'test_visible.py' }] },
        },
      });
      const texts = [one, await candidate.person.get(`${candidate.session}/briefing`)];
      texts.push(await candidate.person.get('/me/export'));
      for (const { text, status } of texts) {
        expect(status).toBe(200);
        expect(text).not.toContain('test_hidden');
        expect(text).not.toContain('hidden.zip');
      }
    });
  });
});
