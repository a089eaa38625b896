import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { packTarHere, packZipHere } from '../../src/work/archives.js';
import { treeOf } from '../../src/work/tree.js';
import type { Person } from '../support/api.js';
import { eventually } from '../support/eventually.js';
import { definition } from '../support/organisation.js';
import { type Candidate, type Failure, joinStage, type Stage } from '../support/stage.js';

interface HandIn extends Failure {
  readonly id: string;
  readonly received: number;
  readonly status: 'receiving' | 'handed_in' | 'refused';
  readonly refusal: string | null;
  readonly files:
    readonly { readonly path: string; readonly bytes: number; readonly sha256: string }[] | null;
  readonly treeSha256: string | null;
  readonly handedInAt: string | null;
}
type Received = Pick<HandIn, 'received'> & Failure;

const UNKNOWN = '01a1ff15-0000-7000-8000-000000000000';
const PIECE = 128 * 1024;
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const announce = (bytes: Uint8Array, name = 'work.zip') => ({
  name,
  bytes: bytes.byteLength,
  sha256: sha256(bytes),
});
/** The work of a solution, different with each call: random content does not compress. */
const zip = async (kilobytes = 1): Promise<Buffer> =>
  Buffer.from(
    await packZipHere(
      treeOf([
        { path: 'src/parser.ts', content: randomBytes(kilobytes * 1024) },
        { path: 'README.md', content: Buffer.from('# Parser\n') },
      ]),
    ),
  );

describe('handing in over HTTP', () => {
  let stage: Stage;
  let ticketId: string;
  let elsewhere: string;
  let roleId: string;
  let ada: Candidate;

  const ticket = async (kind: string | null): Promise<string> =>
    (await stage.owner.post<{ id: string }>(stage.at('/tickets'), { title: 'Parser', kind })).body.id;
  const at = ({ session }: Candidate, id = ticketId): string => `${session}/tickets/${id}/hand-ins`;
  const begin = async (who: Candidate, bytes: Buffer, name?: string, id?: string): Promise<string> => {
    const { status, body, text } = await who.person.post<HandIn>(at(who, id), announce(bytes, name));
    if (status !== 201) throw new Error(text);
    return `${at(who, id)}/${body.id}`;
  };
  const piece = (person: Person, handIn: string, bytes: Buffer, offset: number) =>
    person.post<Received>(`${handIn}/pieces`, {
      offset,
      data: bytes.subarray(offset, offset + PIECE).toString('base64'),
    });
  const sendFrom = async (person: Person, handIn: string, bytes: Buffer, from = 0): Promise<void> => {
    for (let offset = from; offset < bytes.length;) {
      const { status, body, text } = await piece(person, handIn, bytes, offset);
      if (status !== 200) throw new Error(text);
      offset = body.received;
    }
  };
  const complete = (person: Person, handIn: string) => person.post<HandIn>(`${handIn}/complete`);

  beforeAll(async () => {
    stage = await joinStage();
    ticketId = await ticket('files');
    elsewhere = await ticket(null);
    const role = { ...definition(), ticketIds: [ticketId, elsewhere] };
    roleId = (await stage.owner.post<{ id: string }>(stage.at('/roles'), role)).body.id;
    ada = await stage.started(roleId);
  });
  afterAll(() => stage.close());

  it('takes a file in pieces, unpacks it and gives a receipt', async () => {
    const { person } = ada;
    const bytes = await zip(300);
    const handIn = await begin(ada, bytes);
    expect((await person.get<HandIn>(handIn)).body).toMatchObject({
      ...{ status: 'receiving', received: 0, files: null, treeSha256: null, handedInAt: null },
      ...{ ticketId, name: 'work.zip' },
    });
    expect(await complete(person, handIn)).toMatchObject({
      status: 409,
      body: { code: 'hand_in_incomplete' },
    });
    await sendFrom(person, handIn, bytes);
    const done = await complete(person, handIn);
    expect(done).toMatchObject({
      status: 200,
      body: {
        ...{ status: 'handed_in', received: bytes.length, sha256: sha256(bytes) },
        files: [
          { path: 'README.md', bytes: 9 },
          { path: 'src/parser.ts', bytes: 300 * 1024 },
        ],
      },
    });
    const lines = done.body.files!.map(({ path, sha256: hash }) => `${hash}  ${path}\n`).join('');
    expect(done.body.treeSha256).toBe(sha256(Buffer.from(lines)));
    const content = await fetch(stage.service.url + `${handIn}/content`, {
      headers: { authorization: `Bearer ${person.token}` },
    });
    expect(sha256(Buffer.from(await content.arrayBuffer()))).toBe(sha256(bytes));
    expect((await complete(person, handIn)).body).toEqual(done.body);
    expect((await person.get<HandIn>(handIn)).body).toEqual(done.body);
  });

  it('takes the same bytes again for the same hand-in', async () => {
    const bytes = await zip();
    const handIn = await begin(ada, bytes);
    expect(await begin(ada, bytes, 'other-name.zip')).toBe(handIn);
    await sendFrom(ada.person, handIn, bytes);
    await complete(ada.person, handIn);
    expect(await begin(ada, bytes)).toBe(handIn);
    const { body } = await ada.person.get<{ items: { id: string; sha256: string }[] }>(at(ada));
    expect(body.items.filter((one) => one.sha256 === sha256(bytes))).toHaveLength(1);
  });

  it('counts earlier work to which the candidate returns, but not an older hand-in that is only sent again', async () => {
    const bob = await stage.started(roleId);
    const { person } = bob;
    const [one, other] = [await zip(), await zip()];
    const headers = { 'idempotency-key': randomUUID() };
    const beginOne = async (): Promise<string> =>
      `${at(bob)}/${(await person.post<HandIn>(at(bob), announce(one), headers)).body.id}`;
    const handedIn = async (handIn: string, bytes: Buffer): Promise<string> => {
      await sendFrom(person, handIn, bytes);
      expect((await complete(person, handIn)).body.status).toBe('handed_in');
      return handIn;
    };
    const first = await handedIn(await beginOne(), one);
    await handedIn(await begin(bob, other), other);
    expect(await beginOne()).toBe(first);
    const last = await handedIn(await begin(bob, one), one);
    expect(last).not.toBe(first);
    const { body } = await person.get<{ items: { id: string; sha256: string }[] }>(at(bob));
    expect(body.items.map((item) => item.sha256)).toEqual([one, other, one].map(sha256));
  });

  it('resumes where it was interrupted, from two tabs that send the same pieces', async () => {
    const { person } = ada;
    const bytes = await zip(600);
    const handIn = await begin(ada, bytes);
    await piece(person, handIn, bytes, 0);
    expect((await piece(person, handIn, bytes, 0)).body).toEqual({ received: PIECE });
    expect((await piece(person, handIn, bytes, 3 * PIECE)).body).toEqual({ received: PIECE });
    expect((await piece(person, handIn, bytes, 100)).body).toEqual({ received: PIECE });
    expect((await person.get<HandIn>(handIn)).body.received).toBe(PIECE);
    await Promise.all([1, 2, 3].map(() => sendFrom(person, handIn, bytes, PIECE)));
    const both = await Promise.all([complete(person, handIn), complete(person, handIn)]);
    expect(both.map(({ status, body }) => [status, body.status])).toEqual([
      [200, 'handed_in'],
      [200, 'handed_in'],
    ]);
  });

  it('discards what is not what was announced, and takes it again', async () => {
    const { person } = ada;
    const bytes = await zip();
    const handIn = await begin(ada, bytes);
    const other = Buffer.alloc(bytes.length, 1);
    await sendFrom(person, handIn, other);
    expect(await complete(person, handIn)).toMatchObject({
      status: 409,
      body: { code: 'hand_in_incomplete', error: expect.stringContaining('not what was announced') },
    });
    expect((await person.get<HandIn>(handIn)).body.received).toBe(0);
    await sendFrom(person, handIn, bytes);
    expect((await complete(person, handIn)).status).toBe(200);
  });

  it('refuses an archive that cannot be taken, with the sentence', async () => {
    const bytes = Buffer.from('PK\x03\x04 but no zip');
    const handIn = await begin(ada, bytes, 'work.zip');
    await sendFrom(ada.person, handIn, bytes);
    const { status, body } = await complete(ada.person, handIn);
    expect([status, body.code]).toEqual([400, 'work_refused']);
    const refused = { status: 'refused', received: 0, refusal: body.error, files: null };
    const shown = await eventually(async () => {
      const found = (await ada.person.get<HandIn>(handIn)).body;
      return found.status === 'refused' && found;
    });
    expect(shown).toMatchObject(refused);
    const { body: own } = await ada.person.get<{ items: HandIn[] }>(`${at(ada)}?limit=100`);
    expect(own.items.find(({ id }) => id === shown.id)).toMatchObject(refused);
    const staffs = stage.at(`/trial-sessions/${ada.sessionId}/hand-ins`);
    const { body: all } = await stage.owner.get<{ items: HandIn[] }>(`${staffs}?limit=100`);
    expect(all.items.find(({ id }) => id === shown.id)).toMatchObject({
      ...{ status: 'refused', refusal: body.error, fileCount: null },
    });
    const { body: exported } = await ada.person.get<{
      organisations: { applications: { handIns: HandIn[] }[] }[];
    }>('/me/export');
    expect(
      exported.organisations[0]?.applications[0]?.handIns.find(({ id }) => id === shown.id),
    ).toMatchObject({
      ...{ ...refused, content: null },
    });
    expect((await ada.person.get<Failure>(`${handIn}/content`)).body.code).toBe('hand_in_incomplete');
  });

  it('refuses these very bytes again, and takes a mended archive', async () => {
    const bytes = Buffer.from(await packTarHere(treeOf([{ path: 'a', content: randomBytes(9) }])));
    const handIn = await begin(ada, bytes, 'work.zip');
    await sendFrom(ada.person, handIn, bytes);
    const first = await complete(ada.person, handIn);
    expect(await begin(ada, bytes, 'work.zip')).toBe(handIn);
    for (const again of [await piece(ada.person, handIn, bytes, 0), await complete(ada.person, handIn)])
      expect([again.status, again.body.code, again.body.error]).toEqual([
        ...[400, 'work_refused', first.body.error],
      ]);
    // The bytes are no zip, but they are a tar.
    const renamed = await begin(ada, bytes, 'work.tar');
    expect(renamed).not.toBe(handIn);
    await sendFrom(ada.person, renamed, bytes);
    expect((await complete(ada.person, renamed)).body.status).toBe('handed_in');
    expect(await begin(ada, bytes, 'work.zip')).toBe(renamed);
    const mended = await zip();
    const other = await begin(ada, mended, 'work.zip');
    await sendFrom(ada.person, other, mended);
    expect((await complete(ada.person, other)).body.status).toBe('handed_in');
  });

  it('begins another one although 20 were begun whose bytes are lost, and discards what came of the first', async () => {
    const who = await stage.started(roleId);
    const { person } = who;
    const first = await zip(300);
    const lost = await begin(who, first);
    await piece(person, lost, first, 0);
    for (let count = 1; count < 20; count++) await begin(who, await zip());
    expect((await person.get<HandIn>(lost)).body).toMatchObject({ status: 'receiving', received: PIECE });
    const bytes = await zip();
    const handIn = await begin(who, bytes);
    expect((await person.get<HandIn>(lost)).body).toMatchObject({
      ...{ status: 'refused', received: 0 },
      refusal: expect.stringContaining('20 hand-ins were begun after it'),
    });
    expect((await piece(person, lost, first, PIECE)).body.code).toBe('hand_ins_full');
    await sendFrom(person, handIn, bytes);
    expect((await complete(person, handIn)).status).toBe(200);
    // The bytes are found again: they are a further hand-in.
    const again = await begin(who, first);
    expect(again).not.toBe(lost);
    await sendFrom(person, again, first);
    expect((await complete(person, again)).body.status).toBe('handed_in');
  });

  it('does not wait for a refused hand-in once the session is completed, and shows the refusal as evidence', async () => {
    const dan = await stage.started(roleId);
    const bytes = Buffer.from('PK\x03\x04 but no zip');
    const handIn = await begin(dan, bytes);
    await sendFrom(dan.person, handIn, bytes);
    // Two tabs complete it at once: one refusal is recorded.
    const both = await Promise.all([complete(dan.person, handIn), complete(dan.person, handIn)]);
    expect(both.map(({ status }) => status)).toEqual([400, 400]);
    await dan.person.post(`${dan.session}/complete`);
    stage.owner.follow(dan.person);
    const { evidence } = await eventually(async () => {
      const { body } = await stage.owner.get<{
        items: { trialSessionId: string; id: string; status: string }[];
      }>(stage.at('/evaluations'));
      const found = body.items.find((one) => one.trialSessionId === dan.sessionId && one.status === 'ready');
      return (
        found &&
        (
          await stage.owner.get<{ evidence: { events: { eventType: string; payload: object }[] } }>(
            stage.at(`/evaluations/${found.id}`),
          )
        ).body
      );
    });
    expect(evidence.events.filter(({ eventType }) => eventType.startsWith('work.'))).toMatchObject([
      { eventType: 'work.hand_in_begun' },
      {
        ...{ eventType: 'work.refused', source: 'service' },
        payload: { ticketId, reason: 'work_refused', message: both[0].body.error },
      },
    ]);
  });

  it.each<[string, string, object]>([
    ['no name', 'name', { name: ' ' }],
    ['a long name', 'name', { name: 'x'.repeat(201) }],
    ['no bytes', 'bytes', { bytes: 0 }],
    ['too many bytes', 'bytes', { bytes: 10 * 1024 * 1024 + 1 }],
    ['a hash that is none', 'sha256', { sha256: 'A'.repeat(64) }],
  ])('refuses a hand-in with %s', async (_, path, over) => {
    const { status, body } = await ada.person.post<Failure>(at(ada), { ...announce(await zip()), ...over });
    expect([status, body.details?.map((one) => one.path)]).toEqual([400, [path]]);
  });

  it('refuses pieces that are none', async () => {
    const bytes = await zip();
    const handIn = await begin(ada, bytes);
    const send = (body: object) => ada.person.post<Failure>(`${handIn}/pieces`, body);
    for (const body of [
      { offset: -1, data: '' },
      { offset: 0, data: 'not base64!' },
      { offset: 0, data: 'QQ' },
      { offset: 0, data: Buffer.alloc(PIECE + 1).toString('base64') },
      { offset: 0, data: Buffer.alloc(bytes.length + 1).toString('base64') },
      { offset: bytes.length, data: 'QQ==' },
    ])
      expect((await send(body)).status).toBe(400);
    expect((await ada.person.get<HandIn>(handIn)).body.received).toBe(0);
  });

  it('answers the same to a key that is sent again', async () => {
    const bytes = await zip();
    const headers = { 'idempotency-key': 'begin-once' };
    const [first, again] = [
      await ada.person.post<HandIn>(at(ada), announce(bytes), headers),
      await ada.person.post<HandIn>(at(ada), announce(bytes), headers),
    ];
    expect([again.status, again.body.id]).toEqual([201, first.body.id]);
    expect(await ada.person.post(at(ada), announce(await zip()), headers)).toMatchObject({
      status: 409,
      body: { code: 'idempotency_key_reused' },
    });
  });

  it('takes nothing for a ticket that has nothing to hand in, before the start, or after the end', async () => {
    const refused = async (who: Candidate, id?: string) =>
      (await who.person.post<Failure>(at(who, id), announce(await zip()))).body.code;
    expect(await refused(ada, elsewhere)).toBe('nothing_to_hand_in');
    expect(await refused(ada, UNKNOWN)).toBe('not_found');
    const invited = await stage.candidate(roleId);
    expect(await refused(invited)).toBe('not_started');
    const gone = await stage.started(roleId);
    const bytes = await zip();
    const handIn = await begin(gone, bytes);
    await gone.person.post(`${gone.session}/withdraw`);
    expect(await refused(gone)).toBe('session_ended');
    expect((await piece(gone.person, handIn, bytes, 0)).body.code).toBe('session_ended');
    expect((await complete(gone.person, handIn)).status).toBe(409);
    stage.owner.follow(gone.person);
  });

  it('keeps the hand-ins of a session to its candidate', async () => {
    const bytes = await zip();
    const handIn = await begin(ada, bytes);
    const bob = await stage.started(roleId);
    const id = handIn.split('/').at(-1) ?? '';
    for (const path of [handIn, `${at(bob)}/${id}`]) {
      expect((await bob.person.get(path)).status).toBe(404);
      expect((await bob.person.get(`${path}/content`)).status).toBe(404);
      expect((await piece(bob.person, path, bytes, 0)).status).toBe(404);
      expect((await complete(bob.person, path)).status).toBe(404);
    }
    expect((await bob.person.get(at(ada))).status).toBe(404);
    expect((await bob.person.get(at(bob))).body).toEqual({ items: [], nextCursor: null });
    expect((await ada.person.get<HandIn>(handIn)).body.received).toBe(0);
  });

  it('is evidence, with a name and figures', async () => {
    const eve = await stage.started(roleId);
    const bytes = await zip();
    const handIn = await begin(eve, bytes);
    await sendFrom(eve.person, handIn, bytes);
    await complete(eve.person, handIn);
    await eve.person.post(`${eve.session}/complete`);
    stage.owner.follow(eve.person);
    const found = await eventually(async () => {
      const { body } = await stage.owner.get<{
        items: { trialSessionId: string; id: string; status: string }[];
      }>(stage.at('/evaluations'));
      return body.items.find((one) => one.trialSessionId === eve.sessionId && one.status === 'ready');
    });
    const { body } = await stage.owner.get<{
      evidence: { events: { eventType: string; payload: object }[] };
    }>(stage.at(`/evaluations/${found.id}`));
    expect(body.evidence.events.filter(({ eventType }) => eventType.startsWith('work.'))).toMatchObject([
      { eventType: 'work.hand_in_begun', payload: { name: 'work.zip', ticketId } },
      { eventType: 'work.handed_in', payload: { name: 'work.zip', files: 2, sha256: sha256(bytes) } },
    ]);
  });

  it('is gone with an erased candidate, also in the middle of a hand-in', async () => {
    const carol = await stage.started(roleId);
    const bytes = await zip(300);
    const handIn = await begin(carol, bytes);
    await piece(carol.person, handIn, bytes, 0);
    stage.owner.follow(carol.person);
    expect((await stage.owner.post(`${carol.application}/erasure`)).status).toBe(202);
    expect((await piece(carol.person, handIn, bytes, PIECE)).status).toBe(404);
    expect((await complete(carol.person, handIn)).status).toBe(404);
    for (const path of [handIn, `${handIn}/content`, at(carol)])
      expect((await carol.person.get(path)).status).toBe(404);
  });
});
