import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { audit } from '../evidence/audit.js';
import { assay } from '../support/assay.js';
import { eventually } from '../support/eventually.js';
import { definition } from '../support/organisation.js';
import { type Candidate, joinStage, type Stage } from '../support/stage.js';

interface HandIn {
  readonly id: string;
  readonly name: string;
  readonly bytes: number;
  readonly received: number;
  readonly status: string;
  readonly content?: string | null;
}
interface Export {
  readonly organisations: readonly {
    readonly applications: readonly { readonly handIns: readonly HandIn[] }[];
  }[];
}

const PIECE = 128 * 1024;
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

describe('what was handed in, as it is exported', () => {
  /** Its length is no multiple of the group or line of base64, nor of a piece. */
  const work = randomBytes(3 * PIECE + 1);
  const text = Buffer.from('# An answer: ünïcode\n');
  const begun = randomBytes(2 * PIECE);
  let stage: Stage;
  let folder: string;
  let ticketId: string;
  let ada: Candidate;
  let bob: Candidate;

  const handInsOf = ({ session }: Candidate): string => `${session}/tickets/${ticketId}/hand-ins`;
  /** @param until the bytes to send; if they are not all, the hand-in is not completed */
  const handIn = async (
    who: Candidate,
    name: string,
    bytes: Buffer,
    until = bytes.length,
  ): Promise<HandIn> => {
    const announced = { name, bytes: bytes.length, sha256: sha256(bytes) };
    const { id } = (await who.person.post<HandIn>(handInsOf(who), announced)).body;
    const path = `${handInsOf(who)}/${id}`;
    for (let offset = 0; offset < until; offset += PIECE) {
      const data = bytes.subarray(offset, Math.min(offset + PIECE, until)).toString('base64');
      expect((await who.person.post(`${path}/pieces`, { offset, data })).status).toBe(200);
    }
    if (until === bytes.length) expect((await who.person.post(`${path}/complete`)).status).toBe(200);
    return (await who.person.get<HandIn>(path)).body;
  };
  const exported = async ({ person }: Candidate): Promise<readonly HandIn[] | undefined> =>
    (await person.get<Export>('/me/export')).body.organisations[0]?.applications[0]?.handIns;
  const evidence = (...args: readonly string[]) => assay(stage.service.dataDir, 'evidence', ...args);

  beforeAll(async () => {
    stage = await joinStage();
    folder = await mkdtemp(join(tmpdir(), 'assay-exported-'));
    const ticket = { title: 'Parser', kind: 'files' };
    ticketId = (await stage.owner.post<{ id: string }>(stage.at('/tickets'), ticket)).body.id;
    const role = { ...definition(), ticketIds: [ticketId] };
    const { id } = (await stage.owner.post<{ id: string }>(stage.at('/roles'), role)).body;
    [ada, bob] = [await stage.started(id), await stage.started(id)];
  });
  afterAll(async () => {
    await stage.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('is in its candidate’s export, byte for byte, with its list of files, and in no other', async () => {
    expect(await exported(ada)).toEqual([]);
    const own = [
      await handIn(ada, 'work.bin', work),
      await handIn(ada, 'answer.md', text),
      await handIn(ada, 'begun.bin', begun, PIECE),
      await handIn(ada, 'nothing.bin', randomBytes(9), 0),
    ];
    await handIn(bob, 'answer.md', Buffer.from('Only Bob hands this in.'));
    const handIns = await exported(ada);
    expect(handIns).toMatchObject(own);
    expect(handIns?.map(({ status, received }) => [status, received])).toEqual([
      ['handed_in', work.length],
      ['handed_in', text.length],
      ['receiving', PIECE],
      ['receiving', 0],
    ]);
    const contents = handIns!.map(({ content }) => content && Buffer.from(content, 'base64'));
    expect(
      [work, text, begun.subarray(0, PIECE)].map((bytes, at) => bytes.equals(contents[at] as Buffer)),
    ).toEqual([true, true, true]);
    expect(contents[3]).toBeNull();
    expect(await exported(bob)).toMatchObject([{ name: 'answer.md', status: 'handed_in' }]);
  });

  it('is in an auditor’s bundle, which the verifier compares with the chain', async () => {
    const [large, small] = (await exported(ada))!;
    await ada.person.post(`${ada.session}/complete`);
    stage.owner.follow(ada.person);
    const out = join(folder, 'bundle');
    const made = await evidence('export', '--session', ada.sessionId, '--out', out, '--json');
    expect(JSON.parse(made.out)).toMatchObject({ handIns: 2, unread: 0 });
    const names = (await readdir(out)).filter((name) => name.startsWith('hand-in-'));
    expect(names.sort()).toEqual([large!, small!].map(({ id }) => `hand-in-${id}.base64`).sort());
    for (const [{ id }, bytes] of [
      [large!, work],
      [small!, text],
    ] as const) {
      const content = await readFile(join(out, `hand-in-${id}.base64`), 'utf8');
      expect(Buffer.from(content, 'base64').equals(bytes)).toBe(true);
    }
    expect(await readFile(join(out, 'README'), 'utf8')).toContain('what the candidate handed in');
    const audited = await audit(out);
    expect(audited.text).toContain('2 hand-ins against their events');
    expect(audited.code).toBe(0);
    await writeFile(join(out, names[0]!), 'QQ==\n');
    expect(await audit(out)).toMatchObject({
      code: 1,
      text: expect.stringContaining('is not what was handed in'),
    });
  });

  it('is gone from both once its candidate is erased', async () => {
    expect(await evidence('verify', '--session', ada.sessionId)).toMatchObject({ code: 0 });
    expect((await stage.owner.post(`${ada.application}/erasure`)).status).toBe(202);
    expect(await exported(ada)).toBeUndefined();
    const out = join(folder, 'erased');
    const made = await eventually(async () => {
      const { code, out: said } = await evidence(
        'export',
        '--session',
        ada.sessionId,
        '--out',
        out,
        '--json',
      );
      return code === 0 && said;
    });
    expect(JSON.parse(made)).toMatchObject({ handIns: 0 });
    expect((await readdir(out)).filter((name) => name.startsWith('hand-in-'))).toEqual([]);
    expect(await audit(out)).toMatchObject({ code: 0 });
    expect(await evidence('verify')).toMatchObject({ code: 0 });
    expect(await exported(bob)).toHaveLength(1);
  });
});
