import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PersonId } from '../../core/vault/port.js';
import { openEmbeddedVault } from './vault.js';

interface Said {
  readonly keys: readonly string[];
  readonly secret: string;
}

describe('embedded vault, several processes on one folder', () => {
  const dataKey = randomBytes(32);
  let root: string;
  let folder: string;
  let children: ChildProcess[];

  const start = (persons: readonly string[], key = dataKey, previous?: Buffer) => {
    const program = join(process.cwd(), 'dist', 'test', 'support', 'vault-process.js');
    const child = spawn(
      process.execPath,
      [program, folder, key.toString('hex'), previous?.toString('hex') ?? '-', ...persons],
      { stdio: ['pipe', 'pipe', 'inherit'] },
    );
    children.push(child);
    return child;
  };
  const said = async (child: ChildProcess): Promise<Said> => {
    const [line] = (await once(child.stdout!, 'data')) as [Buffer];
    return JSON.parse(line.toString()) as Said;
  };
  const exited = async (child: ChildProcess) => {
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  };

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'assay-vault-'));
    folder = join(root, 'vault');
    children = [];
  });
  afterEach(async () => {
    for (const child of children) child.kill('SIGKILL');
    await Promise.all(children.map(exited));
    rmSync(root, { recursive: true });
  });

  it('makes each key and each secret once, though all begin at once on an empty folder', async () => {
    const persons = Array.from({ length: 20 }, () => randomUUID());
    const answers = await Promise.all([1, 2, 3].map(() => said(start(persons))));
    expect(answers[0]!.keys).toHaveLength(20);
    expect(new Set(answers[0]!.keys).size).toBe(20);
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  });

  it('uses no key later than 1 s after another process erased it', async () => {
    const person = randomUUID() as PersonId;
    const vault = await openEmbeddedVault(folder, dataKey);
    try {
      await vault.keys.create(person);
      const other = start([person]);
      await said(other);
      expect((await vault.keys.get(person))?.kind).toBe('key');
      other.stdin.write('erase\n');
      await once(other.stdout, 'data');
      const erasedAt = performance.now();
      let lastUse = erasedAt;
      for (;;) {
        const asked = performance.now();
        if ((await vault.keys.get(person))?.kind !== 'key') break;
        lastUse = asked;
        await sleep(5);
      }
      expect(lastUse - erasedAt).toBeLessThan(1_000);
      expect((await said(start([person]))).keys).toEqual(['erased']);
    } finally {
      await vault.close();
    }
  });

  it('loses no key when a change of DATA_KEY is killed, again and again', async () => {
    const persons = Array.from({ length: 60 }, () => randomUUID() as PersonId);
    const vault = await openEmbeddedVault(folder, dataKey);
    const keys = await Promise.all(persons.map((person) => vault.keys.create(person)));
    await vault.close();
    const next = randomBytes(32);
    for (let kill = 0; kill < 4; kill++) {
      const child = start([], next, dataKey);
      await sleep(150 + Math.random() * 250);
      child.kill('SIGKILL');
      await exited(child);
    }
    const renewed = await openEmbeddedVault(folder, next, { previousDataKey: dataKey });
    expect(await Promise.all(persons.map((person) => renewed.keys.get(person)))).toEqual(keys);
    await renewed.close();
    await (await openEmbeddedVault(folder, next)).close();
  });
});
