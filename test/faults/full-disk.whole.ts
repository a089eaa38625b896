import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFileSync, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, statfsSync, statSync, writeSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ComponentHealth } from '../../src/process/health.js';
import { Api, type Person } from '../support/api.js';
import { freePort } from '../support/free-port.js';
import { type Service, spawnService, startService } from '../support/service.js';
import { Writer } from './event-store-processes.js';

type FileSystem = 'tmpfs' | 'ext4';

const MIB = 1024 * 1024;
const SIZE = 24 * MIB;
/** A file takes this space from the beginning; the test makes room by removing it. */
const LEFT = 6 * MIB;

/** A real file system of 24 MiB that can be filled to its last byte. */
interface SmallDisk {
  /** An empty folder on it. */
  readonly folder: string;
  /** Fills it, so that nothing can be written any more. */
  fill(): void;
  makeRoom(): void;
  remove(): Promise<void>;
}

const quietly = (command: string, ...args: string[]): void =>
  void execFileSync(command, args, { stdio: 'pipe' });

const mount = (kind: FileSystem, root: string, at: string): void => {
  if (kind === 'tmpfs') {
    quietly('mount', '-t', 'tmpfs', '-o', `size=${SIZE}`, 'tmpfs', at);
    return;
  }
  const image = join(root, 'image');
  quietly('truncate', '--size', `${SIZE}`, image);
  quietly('mkfs.ext4', '-q', '-F', '-m', '0', '-J', 'size=1', image);
  quietly('mount', '-o', 'loop', image, at);
};

/** Writes so many bytes, or as many as the disk takes; `Infinity` fills it to the last byte. */
const write = (path: string, bytes: number): void => {
  const file = openSync(path, 'w');
  try {
    for (let left = bytes; left > 0;) left -= writeSync(file, Buffer.alloc(Math.min(left, MIB), 'x'));
    for (let piece = 64 * 1024; bytes === Infinity && piece > 0; piece = piece > 1 ? piece >> 1 : 0)
      writeSync(file, Buffer.alloc(piece, 'x'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  } finally {
    closeSync(file);
  }
};

/** @returns the reason, if this user may mount no file system on this machine */
const smallDisk = async (kind: FileSystem): Promise<SmallDisk | string> => {
  const root = await mkdtemp(join(tmpdir(), 'assay-disk-'));
  const at = join(root, 'mounted');
  mkdirSync(at);
  try {
    mount(kind, root, at);
  } catch (error) {
    await rm(root, { recursive: true });
    return `No ${kind} can be mounted here (${(error as Error).message.trim()}).`;
  }
  const fillers = ['taken', 'filled'].map((name) => join(at, name));
  const [taken = '', filled = ''] = fillers;
  const { bavail, bsize } = statfsSync(at);
  write(taken, bavail * bsize - LEFT);
  return {
    folder: join(at, 'data'),
    fill: () => write(filled, Infinity),
    makeRoom: () => fillers.forEach((path) => rmSync(path, { force: true })),
    remove: async () => {
      quietly('umount', '--lazy', at);
      await rm(root, { recursive: true });
    },
  };
};

const WAIT_LIMIT_MS = 120_000;

/** Repeats a read, which may fail, until it returns something. */
const until = async <T>(what: string, look: () => Promise<T | null | false>): Promise<T> => {
  const deadline = performance.now() + WAIT_LIMIT_MS;
  for (;;) {
    const found = await look().catch(() => null);
    if (found !== null && found !== false) return found;
    if (performance.now() > deadline) throw new Error(`It did not come: ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
};

interface Ready {
  readonly components: readonly ComponentHealth[];
}

const available: string[] = [];

describe.each<FileSystem>(['tmpfs', 'ext4'])('a service on a full %s', (kind) => {
  let disk: SmallDisk | string;
  let env: Readonly<Record<string, string>>;
  let service: Service;
  let api: Api;
  /** The projector's HEALTH_PORT. */
  let operators: Api;
  let owner: Person;
  let organisation: string;
  let role: string;
  beforeAll(async () => {
    disk = await smallDisk(kind);
    if (typeof disk === 'string') {
      process.stderr.write(`${disk} What a service does on it was not tried.\n`);
      return;
    }
    available.push(kind);
    const HEALTH_PORT = `${await freePort()}`;
    operators = new Api(`http://127.0.0.1:${HEALTH_PORT}`);
    env = { PORT: `${await freePort()}`, HEALTH_PORT, RATE_LIMITS: 'off', LOG_LEVEL: 'error' };
    service = await startService({ dataDir: disk.folder, env });
    api = new Api(service.url);
  });
  afterAll(async () => {
    if (typeof disk === 'string') return;
    await service.kill();
    await disk.remove();
  });

  const tried = (name: string, body: (disk: SmallDisk) => Promise<void>): void =>
    it(name, async () => {
      if (typeof disk !== 'string') await body(disk);
    });
  const problems = async (): Promise<readonly ComponentHealth[]> => {
    const { body } = await operators.send<Ready>('GET', '/health/ready');
    return body.components.filter(({ ready }) => !ready);
  };
  const invite = (name: string) =>
    owner.api.send('POST', `/organisations/${organisation}/roles/${role}/invitations`, {
      token: owner.token,
      body: { candidateEmail: `${name}@candidate.example` },
    });
  const reads = (): readonly string[] => [
    `/organisations/${organisation}`,
    `/organisations/${organisation}/roles`,
    `/organisations/${organisation}/applications?limit=200`,
    `/organisations/${organisation}/signal`,
    `/organisations/${organisation}/evaluations`,
  ];
  const expectReadsOnly = async (name: string): Promise<void> => {
    expect((await api.send('GET', '/health/live')).status).toBe(200);
    const refused = await invite(name);
    expect(refused).toMatchObject({ status: 503, body: { code: 'unavailable' } });
    expect(refused.text).toContain('disk');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    for (const path of reads()) {
      const { status } = await api.send('GET', path, { token: owner.token });
      expect([path, status]).toEqual([path, 200]);
    }
    const named = (await problems()).find(({ name }) => name === 'disk');
    expect(named?.problem).toMatch(/^The disk of .* is full: .* Make room;/);
  };

  tried('refuses commands before it is full, and answers reads', async (disk) => {
    const rounds = spawn(
      process.execPath,
      ['dist/bin/simulate.js', '--candidates', '3000', '--url', service.url],
      { env: { PATH: process.env.PATH, DATA_DIR: disk.folder }, stdio: ['ignore', 'pipe', 'inherit'] },
    );
    let said = '';
    rounds.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
    const ended = new Promise((resolve) => rounds.once('exit', resolve));
    try {
      await until('a full disk', async () => (await problems()).some(({ name }) => name === 'disk'));
    } finally {
      rounds.kill('SIGKILL');
      await ended;
    }
    const [, id = '', email = ''] = /Organisation (\S+), owner (\S+),/.exec(said) ?? [];
    organisation = id;
    owner = await api.as(email);
    const roles = await owner.get<{ items: { id: string }[] }>(`/organisations/${organisation}/roles`);
    role = roles.body.items[0]?.id ?? '';
    await expectReadsOnly('before');
    const { text: figures } = await operators.send('GET', '/metrics');
    const figure = (name: string): number => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(figures)?.[1]);
    expect(figure('assay_disk_free_bytes')).toBeLessThan(figure('assay_disk_kept_back_bytes'));
    expect(figure('assay_disk_size_bytes')).toBeGreaterThan(10 * 2 ** 20);
  });

  tried('answers reads without a free byte, and ends by SIGTERM', async ({ folder, fill }) => {
    fill();
    await expectReadsOnly('without');
    expect(await service.stop()).toMatchObject({ code: 0 });
    // After a restart it serves what it can.
    const again = spawnService(folder, { env });
    try {
      await until('life', async () => (await api.send('GET', '/health/live')).status === 200);
      await until('reads', async () => (await api.send('GET', reads()[0] ?? '', owner)).status === 200);
      await expectReadsOnly('again');
    } finally {
      again.child.kill('SIGTERM');
    }
    expect(await again.ended).toMatchObject({ code: 0 });
  });

  tried('goes on by itself when there is room', async ({ folder, fill, makeRoom }) => {
    const { child, ended } = spawnService(folder, { env });
    try {
      await until('reads', async () => (await api.send('GET', reads()[0] ?? '', owner)).status === 200);
      await expectReadsOnly('later');
      makeRoom();
      await until('a stored command', async () => (await invite('after')).status === 201);
      await until('readiness', async () => (await problems()).length === 0);
      fill();
      await expectReadsOnly('last');
    } finally {
      child.kill('SIGTERM');
    }
    expect(await ended).toMatchObject({ code: 0 });
  });
});

it('is tested on a real file system, or this machine lets no user mount one', () => {
  if (process.getuid?.() === 0 && process.env.CI) expect(available).not.toEqual([]);
  if (available.length === 0) process.stderr.write('What a full disk does was not tried here.\n');
});

describe('a process whose store cannot be written', () => {
  let folder: string;
  beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'assay-lost-'))));
  afterAll(() => rm(folder, { recursive: true }));

  it('ends at once with a failure and a message, and what it acknowledged is stored', async () => {
    const writer = Writer.start(folder, { streams: ['t-1', 't-2'], bytes: 2_000 });
    await writer.said(({ kind }) => kind === 'acknowledged');
    // From now on LMDB may not even write inside the file, so that space that it has reserved there does not help.
    const { size } = statSync(join(folder, 'data.mdb'));
    execFileSync('prlimit', [`--pid=${writer.process.pid}`, `--fsize=${Math.min(size, 8_192)}:`]);
    const { code, signal } = await writer.ended();
    expect([code, signal]).not.toEqual([0, null]);
    expect(writer.errors).toContain(`The store in ${folder} could not be written, and the process ends:`);
    const other = Writer.start(folder, { streams: ['t-3'], bytes: 100, appends: 3 });
    await other.said(({ kind }) => kind === 'done');
    expect(await other.ended()).toMatchObject({ code: 0 });
  });
});
