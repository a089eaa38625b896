import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { createDecipheriv, createHmac } from 'node:crypto';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startAssay } from '../support/assay.js';
import { eventually } from '../support/eventually.js';
import { type Candidate, openStage } from '../support/stage.js';

interface Read {
  readonly manifest: { readonly events: number; readonly people: number; readonly erased: number };
  readonly persons: { readonly keys: readonly string[]; readonly erased: readonly string[] };
  readonly events: readonly {
    readonly type: string;
    readonly data: { readonly applicationId?: string };
    readonly metadata: { readonly person: string; readonly personal: string };
  }[];
}

/** The Python reader, written from docs/formats.md only. */
const python = (folder: string) =>
  spawnSync('python3', ['test/formats/read_backup.py', folder], { encoding: 'utf8', maxBuffer: 1 << 28 });

/** Opens a sealed value as the page describes it: nonce, ciphertext and tag. */
const open = (key: Buffer, sealed: Buffer, person: string): Buffer => {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12));
  decipher.setAAD(Buffer.from(person)).setAuthTag(sealed.subarray(-16));
  return Buffer.concat([decipher.update(sealed.subarray(12, -16)), decipher.final()]);
};

describe('a backup as docs/formats.md describes it', () => {
  let folder: string;
  let backup: string;
  let candidate: Candidate;
  let erased: Candidate;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'assay-formats-'));
    backup = join(folder, 'backup');
    const stage = await openStage();
    try {
      const role = await stage.role();
      candidate = await stage.started(role);
      erased = await stage.started(role);
      expect((await stage.owner.post(`${erased.application}/erasure`)).status).toBe(202);
      await eventually(async () => {
        const { body } = await stage.owner.get<{ status: string }>(erased.application);
        return body.status === 'erased';
      });
      const { dataDir } = stage.service;
      const { code, err } = await startAssay(dataDir, ['backup', backup, '--with-keys']).ended();
      if (code !== 0) throw new Error(err);
    } finally {
      await stage.close();
    }
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const read = (): Read => {
    const { stdout, stderr, status } = python(backup);
    if (status !== 0) throw new Error(stderr);
    const [manifest, persons, ...events] = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
    return { manifest, persons, events } as Read;
  };
  const invitationOf = ({ events }: Read, { applicationId }: Candidate) => {
    const found = events.find(
      ({ type, data }) => type === 'candidate.invited' && data.applicationId === applicationId,
    );
    if (!found) throw new Error('The candidate was never invited.');
    return found;
  };

  it('is checked and read by a script that needs nothing but Python', () => {
    const held = read();
    expect(held.manifest).toMatchObject({
      events: held.events.length,
      people: held.persons.keys.length,
      erased: 1,
    });
    expect(held.events.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['organisation.created', 'trial.started', 'candidate.erased']),
    );
    expect(held.persons.erased).toEqual([invitationOf(held, erased).metadata.person]);
    expect(held.persons.keys).toContain(invitationOf(held, candidate).metadata.person);
  });

  it('has keys that open what was sealed, with data.key', async () => {
    const { person, personal } = invitationOf(read(), candidate).metadata;
    const dataKey = Buffer.from(await readFile(join(backup, 'data.key'), 'utf8'), 'base64');
    const keys = join(backup, 'vault', 'keys');
    const shards = await readdir(keys);
    const names = await Promise.all(shards.map((shard) => readdir(join(keys, shard))));
    const shard = shards.find((_, index) => names[index]?.includes(person)) ?? '';
    const wrapped = (await readFile(join(keys, shard, person))).subarray(0, 68);
    const tells = createHmac('sha256', dataKey).update('assay vault check').digest().subarray(0, 8);
    expect(wrapped.subarray(0, 8)).toEqual(tells);
    const key = open(dataKey, wrapped.subarray(8), person);
    const sealed = Buffer.from(personal, 'base64');
    expect(sealed[0]).toBe(1);
    const opened = open(key, sealed.subarray(1), person);
    const size = opened.readUInt16BE(32);
    const text = opened.subarray(34 + (size === 65_535 ? 0 : size));
    expect(JSON.parse(text.toString())).toEqual({ email: candidate.email });
  });

  it.each(['log/data.mdb', 'vault/audio/data.mdb', 'backup.json'])(
    'is refused by that script after a change of %s',
    async (path) => {
      const changed = join(folder, 'changed');
      await cp(backup, changed, { recursive: true });
      const file = join(changed, path);
      const content = await readFile(file);
      const at = content.length - 40;
      content.writeUInt8(content.readUInt8(at) ^ 1, at);
      await writeFile(file, content);
      const { status, stderr } = python(changed);
      expect([status, stderr]).toEqual([1, `The backup is damaged: ${path}.\n`]);
      await rm(changed, { recursive: true });
    },
  );
});
