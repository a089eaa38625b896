import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unpackHere } from '../../../src/work/archives.js';
import { HAND_IN_LIMITS } from '../../../src/work/limits.js';
import { collect, packFiles } from './archive.js';
import { packHandIn, pendingHandIns, sendHandIn } from './hand-in.js';
import { stateFolder, type Work, type WorkTicket } from './places.js';
import { Offline, Refused, type Service } from './service.js';
import { fetchStarter } from './starter.js';
import type { Terminal } from './terminal.js';

const TICKET: WorkTicket = { id: 't/1', title: 'Fix the parser', folder: '1-fix', takesWork: true };

let base: string;
let work: Work;
let said: string[];
const terminal: Terminal = { say: (line) => void said.push(line), agrees: async () => true, canAsk: true };

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'assay-work-'));
  process.env.ASSAY_WORK_HOME = join(base, 'home');
  said = [];
  work = {
    service: 'https://assay.example',
    applicationId: 'a',
    sessionId: 's',
    folder: join(base, 'work'),
    tickets: [TICKET],
  };
  await mkdir(work.folder);
});
afterEach(async () => {
  delete process.env.ASSAY_WORK_HOME;
  await rm(base, { recursive: true, force: true });
});

const put = async (path: string, content: string | Uint8Array): Promise<void> => {
  const full = join(work.folder, TICKET.folder, path);
  await mkdir(join(full, '..'), { recursive: true });
  await writeFile(full, content);
};

/** Takes pieces as the service does; `failing` are the numbers of the calls whose answers are lost. */
const fakeService = (failing: ReadonlySet<number> = new Set()) => {
  const state = {
    received: Buffer.alloc(0),
    calls: 0,
    isDone: false,
    begun: [] as unknown[],
    keys: [] as unknown[],
  };
  const record = () => ({
    id: 'h',
    received: state.received.length,
    status: state.isDone ? 'handed_in' : 'receiving',
    files: state.isDone ? [1, 2] : null,
    handedInAt: state.isDone ? '2026-01-05T09:00:00.000Z' : null,
  });
  const post = async (path: string, body: unknown, key?: string): Promise<unknown> => {
    if (path.endsWith('/pieces')) {
      const { offset, data } = body as { offset: number; data: string };
      expect(offset).toBe(state.received.length);
      expect(JSON.stringify(body).length).toBeLessThan(256 * 1_024);
      state.received = Buffer.concat([state.received, Buffer.from(data, 'base64')]);
    } else if (path.endsWith('/complete')) state.isDone = true;
    else {
      expect(path).toBe('/trial-sessions/s/tickets/t%2F1/hand-ins');
      state.begun.push(body);
      state.keys.push(key);
    }
    if (failing.has(++state.calls)) throw new Offline('Away.');
    return path.endsWith('/pieces') ? { received: state.received.length } : record();
  };
  return { state, service: { post } as unknown as Service };
};

describe('an archive', () => {
  it('is what the service unpacks, the same for the same files whenever they were written', async () => {
    const long = `${'deep/'.repeat(40)}ä name.txt`;
    await put('a.ts', 'a\n');
    await put(long, 'b\n');
    await put('empty', '');
    await put('bytes', Buffer.from([0, 255, 254, 10]));
    const first = packFiles(await collect(join(work.folder, TICKET.folder)));
    await utimes(join(work.folder, TICKET.folder, 'a.ts'), 1, 1);
    expect(packFiles((await collect(join(work.folder, TICKET.folder))).toReversed())).toEqual(first);
    const tree = await unpackHere('work.tar.gz', first, HAND_IN_LIMITS);
    if (!('files' in tree)) throw new Error('It was refused.');
    const contents = tree.files.map(({ path, content }) => [path, Buffer.from(content).toString('latin1')]);
    expect(Object.fromEntries(contents)).toEqual({
      'a.ts': 'a\n',
      bytes: '\u0000\u00ff\u00fe\n',
      [long]: 'b\n',
      empty: '',
    });
  });

  it('is not made of nothing, or of more than the service takes', async () => {
    const folder = join(work.folder, TICKET.folder);
    await expect(collect(folder)).rejects.toThrow('nothing to hand in');
    await put('large', Buffer.alloc(10 * 1_024 * 1_024 + 1));
    await expect(collect(folder)).rejects.toThrow('larger than 10 MiB');
    await rm(folder, { recursive: true });
    for (let n = 0; n <= 1_000; n++) await put(`f${n}`, '');
    await expect(collect(folder)).rejects.toThrow('more than 1000 files');
  });
});

describe('a hand-in', () => {
  it('is shown, sent in pieces, and confirmed by a receipt', async () => {
    const content = Buffer.alloc(600_000, 0).map((_, at) => ((at * at * 31) % 251) ^ (at >> 7));
    await put('data.bin', content);
    const { state, service } = fakeService();
    const packed = await packHandIn(work, TICKET, terminal);
    expect(said.join('\n')).toContain('data.bin  585.9 KiB');
    expect(await sendHandIn(work, packed!, service, terminal)).toBe(true);
    const sha256 = createHash('sha256').update(state.received).digest('hex');
    expect(state.begun).toEqual([{ name: 'work.tar.gz', bytes: state.received.length, sha256 }]);
    expect(said.join('\n')).toContain(sha256);
    expect(await pendingHandIns(work)).toEqual([]);
    expect(await readdir(join(stateFolder(work), 'hand-ins'))).toEqual([]);
    const log = await readFile(join(stateFolder(work), 'sent.log'), 'utf8');
    expect(log).toContain('/complete');
    expect(log.length).toBeLessThan(5_000);
  });

  it('goes on after any answer that was lost, with what was agreed to', async () => {
    await put('data.bin', Buffer.from(Array.from({ length: 50_000 }, (_, n) => `${n * n * 7919}`).join()));
    const failing = new Set([1, 3, 4, 6]);
    const { state, service } = fakeService(failing);
    const packed = await packHandIn(work, TICKET, terminal);
    await put('data.bin', 'changed meanwhile');
    let tries = 0;
    while ((await pendingHandIns(work)).length > 0 && ++tries < 20)
      await sendHandIn(work, (await pendingHandIns(work))[0]!, service, terminal);
    expect(tries).toBeGreaterThan(2);
    expect(state.isDone).toBe(true);
    // With another key it would be a further hand-in, which could replace newer work.
    expect(new Set(state.keys)).toEqual(new Set([packed!.key]));
    expect(createHash('sha256').update(state.received).digest('hex')).toBe(packed!.sha256);
  });

  it('waits for nothing once the service has refused it', async () => {
    await put('a', 'a');
    const packed = await packHandIn(work, TICKET, terminal);
    const post = async () => {
      throw new Refused(409, 'session_ended', 'The session has ended.');
    };
    const sending = sendHandIn(work, packed!, { post } as unknown as Service, terminal);
    await expect(sending).rejects.toThrow('was not handed in. The session has ended.');
    expect(await pendingHandIns(work)).toEqual([]);
  });

  it('that waits is replaced by a later one of its ticket, and is not sent after that', async () => {
    const files = async () => readdir(join(stateFolder(work), 'hand-ins'));
    await put('a', 'first');
    await packHandIn(work, TICKET, terminal);
    const other = { ...TICKET, id: 't/2', folder: '2-other' };
    await mkdir(join(work.folder, other.folder));
    await writeFile(join(work.folder, other.folder, 'a'), 'of another ticket');
    const kept = await packHandIn(work, other, terminal);
    await put('a', 'second');
    const later = await packHandIn(work, TICKET, terminal);
    const { service } = fakeService();
    expect(await sendHandIn(work, later!, service, terminal)).toBe(true);
    expect(await pendingHandIns(work)).toEqual([kept]);
    expect(await files()).toHaveLength(2);
  });

  it('does not take away the archive that another ticket with the same files waits with', async () => {
    await put('a', 'the same');
    const same = { ...TICKET, id: 't/2' };
    const first = await packHandIn(work, TICKET, terminal);
    const second = await packHandIn(work, same, terminal);
    expect(await sendHandIn(work, first!, fakeService().service, terminal)).toBe(true);
    expect(await pendingHandIns(work)).toEqual([second]);
    const refusing = { post: async () => Promise.reject(new Refused(409, 'session_ended', 'Ended.')) };
    const sending = sendHandIn(work, second!, refusing as unknown as Service, terminal);
    await expect(sending).rejects.toThrow('was not handed in. Ended.');
    expect(await readdir(join(stateFolder(work), 'hand-ins'))).toEqual([]);
  });

  it('is not made if the candidate says no', async () => {
    await put('a', 'a');
    expect(await packHandIn(work, TICKET, { ...terminal, agrees: async () => false })).toBeNull();
    expect(await pendingHandIns(work)).toEqual([]);
  });
});

describe('a starter', () => {
  const of = (content: string) => createHash('sha256').update(content).digest('hex');
  const serving = (contents: Readonly<Record<string, string>>) =>
    ({
      bytes: async (path: string) =>
        Buffer.from(contents[decodeURIComponent(path.split('path=')[1] ?? '')] ?? ''),
    }) as unknown as Service;
  const files = [
    { path: 'README.md', bytes: 3, sha256: of('# A') },
    { path: 'src/a.ts', bytes: 2, sha256: of('a\n') },
  ];

  it('is written into a new folder, and over nothing', async () => {
    const service = serving({ 'README.md': '# A', 'src/a.ts': 'a\n' });
    expect(await fetchStarter(work, TICKET, files, service, terminal)).toBe(true);
    const file = join(work.folder, TICKET.folder, 'src/a.ts');
    expect(await readFile(file, 'utf8')).toBe('a\n');
    await writeFile(file, 'mine\n');
    expect(await fetchStarter(work, TICKET, files, service, terminal)).toBe(false);
    expect(await readFile(file, 'utf8')).toBe('mine\n');
  });

  it('that the service does not have ends with its sentence', async () => {
    const bytes = async () => {
      throw new Refused(404, 'not_found', 'Not found.');
    };
    const fetching = fetchStarter(work, TICKET, files, { bytes } as unknown as Service, terminal);
    await expect(fetching).rejects.toThrow('The starter cannot be fetched: Not found.');
  });

  it('is refused whole if a name leads elsewhere, or a content is another', async () => {
    const service = serving({ 'README.md': '# A', 'src/a.ts': 'evil\n' });
    await expect(fetchStarter(work, TICKET, files, service, terminal)).rejects.toThrow(
      'not what the service',
    );
    const away = [...files, { path: '../../away', bytes: 0, sha256: of('') }];
    await expect(fetchStarter(work, TICKET, away, service, terminal)).rejects.toThrow('not safe');
    await expect(stat(join(work.folder, TICKET.folder))).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
