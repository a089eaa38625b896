import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { openEmbeddedReadStore } from '../../src/stores/lmdb/views/open.js';
import type { StoredDocument } from '../../src/stores/read-store.js';
import { lengthByHead } from '../support/lmdb-file.js';
import { at, INDEXES, VIEW } from './read-store-things.js';

const SCRIPT = join(process.cwd(), 'dist/test/faults/read-store-process.js');

interface Running {
  readonly process: ChildProcess;
  readonly lines: string[];
  /** The next line that begins with this text, also one that is already printed. */
  said(word: string): Promise<string>;
  readonly ended: Promise<unknown>;
}

describe('the embedded read store', () => {
  let folder: string;
  let children: Running[];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'read-store-faults-'));
    children = [];
  });

  afterEach(async () => {
    for (const child of children) child.process.kill('SIGKILL');
    await Promise.all(children.map(({ ended }) => ended));
    await rm(folder, { recursive: true, force: true });
  });

  function run(command: string, args: readonly string[]): Running {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    const lines: string[] = [];
    const waiting: (() => void)[] = [];
    const reader = createInterface({ input: child.stdout });
    reader.on('line', (line) => {
      lines.push(line);
      waiting.splice(0).forEach((look) => look());
    });
    child.stderr.resume();
    const ended = once(child, 'close').then(() => waiting.splice(0).forEach((look) => look()));
    const said = (word: string): Promise<string> =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const line = lines.find((candidate) => candidate.startsWith(word));
          if (line !== undefined) resolve(line);
          else if (child.exitCode !== null || child.signalCode !== null)
            reject(
              new Error(
                `It ended (${child.exitCode ?? child.signalCode}) after saying: ${lines.slice(-3).join('; ')}`,
              ),
            );
          else waiting.push(look);
        };
        look();
      });
    const running = { process: child, lines, said, ended };
    children.push(running);
    return running;
  }

  const start = (role: string, ...args: readonly string[]): Running =>
    run(process.execPath, [SCRIPT, role, folder, ...args]);

  it('loses no update of two processes that are killed again and again', async () => {
    let tokens = 0;
    const counter = (): { token: string; running: Running } => {
      const token = `t${tokens++}`;
      return { token, running: start('count', token) };
    };
    const all = [counter(), counter()];
    const alive = [...all];
    for (let kill = 0; kill < 10; kill++) {
      const [victim] = alive.splice(kill % 2, 1);
      await victim?.running.said('written');
      await sleep(40 + Math.random() * 160);
      victim?.running.process.kill('SIGKILL');
      const next = counter();
      all.push(next);
      alive.push(next);
    }
    await Promise.all(alive.map(({ running }) => running.said('advanced')));
    for (const { running } of alive) running.process.kill('SIGKILL');
    await Promise.all(all.map(({ running }) => running.ended));

    const store = await openEmbeddedReadStore(folder);
    const view = store.collection(VIEW, INDEXES);
    const documents = new Map<string, StoredDocument>();
    for await (const document of view.all()) documents.set(document.id, document);
    const bodyOf = (id: string) =>
      documents.get(id)?.body as Readonly<Record<'history' | 'repairers', readonly string[]>> | undefined;
    const historyOf = (id: string): readonly string[] => bodyOf(id)?.history ?? [];

    let acknowledged = 0;
    let repairs = 0;
    const advanced = new Set<string>();
    const numbers = new Set<string>();
    for (const { token, running } of all) {
      for (const line of running.lines) {
        const [what, id = '', position] = line.split(' ');
        if (what === 'written') {
          acknowledged++;
          // If two writers had won one position, or one were overwritten, a token would be missing.
          expect(historyOf(id)[Number(position) - 1]).toBe(token);
        } else if (what === 'repaired') {
          repairs++;
          expect(bodyOf(id)?.repairers[Number(position) - 1]).toBe(token);
        } else {
          const given = what === 'number' ? numbers : advanced;
          expect(given).not.toContain(id);
          given.add(id);
        }
      }
    }
    expect(acknowledged).toBeGreaterThan(500);
    expect(repairs).toBeGreaterThan(100);
    expect(numbers.size).toBeGreaterThan(5);
    expect(Number(await store.checkpoints.get('counter'))).toBeGreaterThanOrEqual(advanced.size);

    for (const [id, document] of documents) {
      expect(document.position).toBe(at(historyOf(id).length));
      expect(document.repairs ?? 0).toBe(bodyOf(id)?.repairers.length);
    }
    const listed: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page = await view.page({ index: 'byCount', prefix: [], limit: 7, ...(cursor && { cursor }) });
      listed.push(...page.items.map(({ id }) => id));
      cursor = page.next;
    }
    expect(listed.map((id) => historyOf(id).length)).toEqual(
      listed.map((id) => historyOf(id).length).sort((a, b) => a - b),
    );
    expect([...listed].sort()).toEqual([...documents.keys()].sort());
    await store.close();
  });

  it('sees what another process wrote since its last read, within one turn of the event loop', async () => {
    const store = await openEmbeddedReadStore(folder);
    const view = store.collection(VIEW, INDEXES);
    const list = { index: 'byCount', prefix: [0], limit: 1 };
    expect(await view.get('once')).toBeNull();
    expect((await view.page(list)).items).toEqual([]);
    // No timer runs while this process waits for the other, so only the read itself can renew the snapshot.
    const other = spawnSync(process.execPath, [SCRIPT, 'once', folder, 'hello'], { encoding: 'utf8' });
    expect(other.stdout).toBe('written\n');
    expect((await view.get('once'))?.body).toBe('hello');
    expect((await view.page(list)).items).toHaveLength(1);
    await store.close();
  });

  it('answers in time while another process is stopped inside a write, and works again after it', async () => {
    const other = start('occupy');
    await other.said('ready');
    const store = await openEmbeddedReadStore(folder, { deadlineMs: 400 });
    let position = 0;
    const tick = (): Promise<boolean> =>
      store.checkpoints.advance('c', position === 0 ? null : at(position), at(position + 1));
    let refusal: unknown;
    for (let tries = 0; tries < 100 && !refusal; tries++) {
      await sleep(Math.random() * 20);
      other.process.kill('SIGSTOP');
      const started = performance.now();
      try {
        if (await tick()) position++;
        other.process.kill('SIGCONT');
      } catch (error) {
        refusal = error;
        expect(performance.now() - started).toBeLessThan(15_000);
      }
    }
    expect(refusal).toMatchObject({ code: 'read_store_unavailable' });
    // Reads work meanwhile.
    expect(await store.checkpoints.get('c')).toBe(position === 0 ? null : at(position));
    other.process.kill('SIGCONT');
    other.process.kill('SIGKILL');
    await other.ended;
    // A rejected write is not stored later.
    await sleep(50);
    const current = await store.checkpoints.get('c');
    expect(current).toBe(position === 0 ? null : at(position));
    expect(await store.checkpoints.advance('c', current, at(99))).toBe(true);
    await store.close();
  });

  it('refuses writes on a full disk, keeps what it acknowledged and does not end the process', async () => {
    const limited = `trap '' XFSZ; ulimit -f 4096; exec "$0" "$@"`;
    const full = run('/bin/bash', ['-c', limited, process.execPath, SCRIPT, 'fill', folder]);
    expect(await full.said('refused')).toBe('refused read_store_unavailable');
    const [, readable, written] = (await full.said('readable')).split(' ').map(Number);
    expect(written).toBeGreaterThan(10);
    expect(readable).toBe(written);
    await full.ended;
    expect(full.process.exitCode).toBe(0);
    // With room again, the same folder can be written.
    const store = await openEmbeddedReadStore(folder);
    expect(await store.checkpoints.advance('c', null, at(1))).toBe(true);
    await store.close();
  });

  describe('with a damaged file', () => {
    const file = (): string => join(folder, 'data.mdb');

    beforeEach(async () => {
      const store = await openEmbeddedReadStore(folder);
      const view = store.collection(VIEW, INDEXES);
      for (let position = 1; position <= 3; position++) {
        await view.apply(
          Array.from({ length: 300 }, (_, n) => ({
            expected: position === 1 ? null : at(position - 1),
            document: {
              id: `d${n}`,
              position: at(position),
              parkedAt: null,
              deleted: false,
              body: { needle: `find-me-${n}`, padding: 'x'.repeat(n * 30) },
            },
            keys: { count: n, place: 0 },
          })),
        );
      }
      await store.close();
    });

    const outcome = async (): Promise<string> => {
      const reader = start('read');
      await reader.ended;
      expect(reader.process.signalCode).toBeNull();
      return reader.lines.at(-1) ?? '';
    };

    it('reads an undamaged one', async () => {
      expect(await outcome()).toBe('read 300 300');
    });

    it('refuses one that was cut at any place, with a message that says what to do', async () => {
      const whole = join(folder, 'whole');
      await copyFile(file(), whole);
      const size = lengthByHead(whole);
      for (const part of [0.02, 0.3, 0.6, 0.9]) {
        await copyFile(whole, file());
        await truncate(file(), Math.floor(size * part));
        expect(await outcome()).toMatch(
          /^failed store_unusable The read store in .* is damaged .* delete that folder/,
        );
      }
    });

    it('refuses one that does not begin as a store does', async () => {
      await writeFile(file(), 'this is no store, however long it may be. '.repeat(1_000));
      expect(await outcome()).toMatch(
        /^failed store_unusable The read store in .* is damaged .* delete that folder/,
      );
    });

    it('refuses a document in which one bit is not what it was', async () => {
      const bytes = await readFile(file());
      const found = bytes.lastIndexOf('find-me-123"');
      for (let from = 0; ;) {
        const each = bytes.indexOf('find-me-123"', from);
        if (each < 0) break;
        bytes[each + 5] = (bytes[each + 5] ?? 0) ^ 1;
        from = each + 1;
      }
      expect(found).toBeGreaterThan(0);
      await writeFile(file(), bytes);
      expect(await outcome()).toMatch(
        /^failed store_unusable The read store in .* is damaged .* delete that folder/,
      );
    });
  });
});
