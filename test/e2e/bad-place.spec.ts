import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
// eslint-disable-next-line no-restricted-imports -- writes what no version of the adapters has written yet
import { open } from 'lmdb';
import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, rmdir, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LookUpEnvironment } from '../../src/vault/lmdb/look-up-environment.js';
import { Api, type Person, type Reply } from '../support/api.js';
import { startAssay } from '../support/assay.js';
import { eventually } from '../support/eventually.js';
import { damageStream } from '../support/operators-troubles.js';
import { createOrganisation, definition } from '../support/organisation.js';
import { type Service, spawnService, startService } from '../support/service.js';
import { type Failure, faultOf } from '../support/stage.js';

const QUIET = { RATE_LIMITS: 'off', LOG_LEVEL: 'warn' };

describe('a folder that a service cannot be started on', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'assay-newer-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** What a start that fails prints: exactly one line. */
  const complaint = async (env: Record<string, string> = {}): Promise<string> => {
    const { ended, output } = spawnService(folder, { env: { ...QUIET, ...env } });
    expect((await ended).code).toBe(1);
    const lines = output().trimEnd().split('\n');
    expect(lines).toEqual([expect.stringMatching(/^[A-Z].*[.]$/)]);
    return lines[0]!;
  };

  it('since a service with the same port already uses it: that one stays up', async () => {
    const service = await startService({ dataDir: folder, env: QUIET });
    expect(await complaint({ PORT: `${service.port}` })).toContain(
      `PORT ${service.port} on 127.0.0.1 is in use: `,
    );
    expect((await fetch(`${service.url}/health/ready`)).status).toBe(200);
    expect((await service.stop()).code).toBe(0);
  });

  it('since HEALTH_PORT is its own PORT: no other service is blamed', async () => {
    expect(await complaint({ PORT: '4391', HEALTH_PORT: '4391' })).toMatch(
      /^HEALTH_PORT and PORT are both 4391: set HEALTH_PORT to another one/,
    );
  });

  it('since it is mistyped in an operator’s command: no second service is made, and it is named', async () => {
    const mistyped = join(folder, 'dta');
    for (const args of [
      ['organisations', 'create', '--name', 'Example', '--owner-email', 'olga@example.org'],
      ['projections', 'status'],
      ['sign-ins', 'unlock', 'carol@example.org'],
    ]) {
      const { code, out, err } = await startAssay(mistyped, args).ended();
      expect([code, out]).toEqual([1, '']);
      expect(err).toContain(`${mistyped} is not a data folder`);
      expect(await readdir(folder)).not.toContain('dta');
    }
  });

  it.each([
    ['data.key', 'DATA_KEY'],
    ['signing.key', 'SIGNING_KEY'],
  ])('since %s is gone: none is made in its place', async (file, variable) => {
    const path = join(folder, file);
    const key = (await readFile(path, 'utf8')).trim();
    await unlink(path);
    expect(await complaint()).toContain(`${variable} is not set and ${path} is not there`);
    expect(await readdir(folder)).not.toContain(file);
    const service = await startService({ dataDir: folder, env: { ...QUIET, [variable]: key } });
    expect((await service.stop()).code).toBe(0);
    await writeFile(path, key, { mode: 0o600 });
  });

  it('since DATA_KEY is another: nothing is written', async () => {
    const files = async (): Promise<readonly string[]> => {
      const names = await readdir(folder, { recursive: true, withFileTypes: true });
      // LMDB writes each reader into its lock file.
      const kept = names.filter((one) => one.isFile() && one.name !== 'lock.mdb');
      const described = kept.map(async ({ parentPath, name }) => {
        const path = join(parentPath, name);
        return `${path} ${createHash('sha256')
          .update(await readFile(path))
          .digest('hex')}`;
      });
      return (await Promise.all(described)).sort();
    };
    const before = await files();
    expect(await complaint({ DATA_KEY: randomBytes(32).toString('base64') })).toContain('DATA_KEY');
    expect(await files()).toEqual(before);
  });

  it('since a newer version wrote its log, views or vault: they are left alone', async () => {
    const log = open({ path: join(folder, 'log'), noSubdir: false, maxDbs: 8, overlappingSync: false });
    const meta = log.openDB<string, string>({ name: 'meta', encoding: 'string' });
    await meta.put('format', '3');
    expect(await complaint()).toMatch(/event log .*newer version \(format 3/);
    await meta.put('format', '2');
    await log.close();

    const bytes = { encoding: 'binary', keyEncoding: 'binary' } as const;
    const views = open<Buffer, Buffer>({ path: join(folder, 'views'), noSubdir: false, ...bytes });
    const registers = views.openDB<Buffer, Buffer>({ name: 'registers', ...bytes });
    const own = registers.getBinary(Buffer.from('format'));
    await registers.put(Buffer.from('format'), Buffer.from('99'));
    expect(await complaint()).toMatch(/read store .*newer version \(format 99/);
    await registers.put(Buffer.from('format'), own ?? Buffer.alloc(0));
    await views.close();

    const vault = await LookUpEnvironment.openIn(join(folder, 'vault'));
    const write = (format: number) =>
      vault.transact(({ get, put }) => put(['vault'], { ...(get(['vault']) as object), format }));
    await write(2);
    expect(await complaint()).toMatch(/vault .*newer version .*format 2/);
    await write(1);
    await vault.close();

    expect((await (await startService({ dataDir: folder, env: QUIET })).stop()).code).toBe(0);
  });
});

const mountSmall = (disk: string): void =>
  void execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'assay-test', disk], { stdio: 'pipe' });

/** Root may on Linux, but often not in a container. */
const mayMount = ((): boolean => {
  const disk = mkdtempSync(join(tmpdir(), 'assay-probe-'));
  try {
    mountSmall(disk);
    execFileSync('umount', ['-l', disk]);
    return true;
  } catch {
    return false;
  } finally {
    rmdirSync(disk);
  }
})();
/** The log's lines of requests that failed. */
const failureLines = (output: string): readonly Record<string, unknown>[] =>
  output
    .split('\n')
    .filter((line) => /"msg":"A request (?:failed|could not be served)\."/.test(line))
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe('a damaged event', () => {
  it('fails the command that folds it, which the log names beside the request', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'assay-damaged-'));
    const service = await startService({ dataDir, env: QUIET });
    try {
      const org = await createOrganisation(dataDir, 'Example', 'owner@example.org');
      const owner: Person = await new Api(service.url).as('owner@example.org');
      const roles = `/organisations/${org}/roles`;
      const { body: role } = await owner.post<{ id: string }>(roles, definition());
      await damageStream(dataDir, `role-${role.id}`);
      const reply = await owner.api.send<Failure>('PATCH', `${roles}/${role.id}`, {
        token: owner.token,
        body: definition('Changed'),
      });
      expect(reply).toMatchObject({ status: 500, body: { code: 'internal' } });
      expect(reply.text).not.toContain('UpdateRole');
      const [line] = await eventually(async () => {
        const lines = failureLines(service.output());
        return lines.length > 0 && lines;
      });
      expect(line).toMatchObject({
        level: 'error',
        requestId: reply.body.requestId,
        route: '/organisations/:orgId/roles/:roleId',
        command: 'UpdateRole',
        err: { type: 'DamagedEvent' },
      });
    } finally {
      await service.stop();
      await rm(dataDir, { recursive: true, force: true });
    }
  });
});

if (!mayMount)
  process.stdout.write('Not tried: a disk that is full. Only root on Linux may mount a small one.\n');

(mayMount ? describe : describe.skip)('a disk that is full', () => {
  let disk: string;
  let service: Service | null = null;

  afterEach(async () => {
    await service?.kill();
    execFileSync('umount', ['-l', disk]);
    await rmdir(disk);
  });

  it('makes commands answer 503, loses nothing, and is forgotten once there is room', async () => {
    disk = await mkdtemp(join(tmpdir(), 'assay-full-'));
    mountSmall(disk);
    const dataDir = join(disk, 'data');
    service = await startService({ dataDir, env: QUIET });
    const api = new Api(service.url);
    const org = await createOrganisation(dataDir, 'Example', 'owner@example.org');
    const owner: Person = await api.as('owner@example.org');
    await owner.get('/me');
    const filler = join(disk, 'filler');
    const free = Number(execFileSync('df', ['--output=avail', '-B1', disk]).toString().trim().split('\n')[1]);
    await writeFile(filler, Buffer.alloc(free - 1024 * 1024));

    const acknowledged: string[] = [];
    const create = async (name: string): Promise<Reply<Failure & { id: string }>> => {
      const body = { ...definition(name), ticketIds: Array.from({ length: 200 }, () => 'x'.repeat(200)) };
      const reply = await owner.api.send<Failure & { id: string }>('POST', `/organisations/${org}/roles`, {
        token: owner.token,
        body,
      });
      if (reply.status === 201) acknowledged.push(reply.body.id);
      return reply;
    };
    const refused: Reply<Failure>[] = [];
    for (let index = 0; refused.length < 3 && index < 100; index++) {
      const reply = await create(`Role ${index}`);
      if (reply.status !== 201) refused.push(reply);
    }
    expect(refused).toHaveLength(3);
    const named = await eventually(async () => failureLines(service?.output() ?? '')[0]);
    expect(named).toMatchObject({
      level: 'warn',
      route: '/organisations/:orgId/roles',
      command: 'CreateRole',
    });
    for (const reply of refused) {
      expect(reply).toMatchObject({ status: 503, body: { code: 'unavailable' } });
      expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(faultOf(reply)).toBeNull();
    }
    expect((await api.send('GET', '/health/live')).status).toBe(200);
    expect((await api.send('GET', '/me', { token: owner.token })).status).toBe(200);

    await unlink(filler);
    const recovered = await eventually(async () => {
      const reply = await create('After');
      return reply.status === 201 && reply;
    });
    const listed = async (): Promise<string[]> => {
      const found: string[] = [];
      for (let cursor = ''; ;) {
        const { body, text } = await api.send<{ items?: { id: string }[]; nextCursor: string | null }>(
          'GET',
          `/organisations/${org}/roles?limit=20${cursor}`,
          {
            token: owner.token,
            headers: { 'consistency-token': recovered.headers.get('consistency-token')! },
          },
        );
        if (!body.items) throw new Error(text);
        found.push(...body.items.map(({ id }) => id));
        if (body.nextCursor === null) return found;
        cursor = `&cursor=${encodeURIComponent(body.nextCursor)}`;
      }
    };
    expect((await eventually(async () => listed().catch(() => null))).sort()).toEqual(acknowledged.sort());
    await eventually(async () => (await api.send('GET', '/health/ready')).status === 200);
    expect((await service.stop()).code).toBe(0);
  });
});
