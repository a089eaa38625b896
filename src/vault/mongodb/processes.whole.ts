import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { Binary } from 'mongodb';
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describeWithMongo, type TestMongo, testMongoUrl } from '../../../test/support/mongodb/test-url.js';
import { aPerson, introduce, type Known, VaultDatabase } from '../../../test/support/mongodb/vaults.js';
import { WrappingKey } from '../data-key.js';

interface Said {
  readonly keys: readonly string[];
  readonly secret: string;
}

describeWithMongo('MongoDB vault, several processes on one database', () => {
  let mongo: TestMongo;
  let database: VaultDatabase;
  let children: ChildProcess[];

  const start = (persons: readonly string[], key = database.dataKey, previous?: Buffer) => {
    const program = join(process.cwd(), 'dist', 'test', 'support', 'vault-process.js');
    const child = spawn(
      process.execPath,
      [program, database.url, key.toString('hex'), previous?.toString('hex') ?? '-', ...persons],
      { stdio: ['pipe', 'pipe', 'inherit'] },
    );
    children.push(child);
    return child;
  };
  const said = async (child: ChildProcess): Promise<Said> => {
    const [line] = (await once(child.stdout!, 'data')) as [Buffer];
    return JSON.parse(line.toString()) as Said;
  };
  const killed = async (child: ChildProcess) => {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  };

  beforeEach(async () => {
    mongo = (await testMongoUrl())!;
    database = new VaultDatabase(mongo.url);
    children = [];
  });
  afterEach(async () => {
    await Promise.all(children.map(killed));
    await database.drop();
    await mongo.stop();
  });

  it('makes each key and each secret once, though all begin at once on an empty database', async () => {
    const persons = Array.from({ length: 20 }, aPerson);
    const answers = await Promise.all([1, 2, 3].map(() => said(start(persons))));
    expect(new Set(answers[0]!.keys).size).toBe(20);
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  });

  it('uses no key later than 1 s after another process erased it', async () => {
    const person = aPerson();
    const vault = await database.open();
    await vault.keys.create(person);
    const other = start([person]);
    await said(other);
    const uses: number[] = [];
    let erased = false;
    const using = (async () => {
      while (!erased) {
        const key = vault.keys.peek?.(person) ?? (await vault.keys.get(person));
        erased = key?.kind === 'erased';
        if (!erased) uses.push(performance.now());
        await sleep(2);
      }
    })();
    while (uses.length === 0) await sleep(2);
    other.stdin.write('erase\n');
    await once(other.stdout, 'data');
    const erasedAt = performance.now();
    await using;
    expect(uses.at(-1)! - erasedAt).toBeLessThan(1_000);
    expect((await said(start([person]))).keys).toEqual(['erased']);
  });

  it('ends an erasure, though whoever began it was killed, at the next start', async () => {
    const vault = await database.open();
    for (let round = 0; round < 3; round++) {
      const known: Known[] = [];
      while (known.length < 10) known.push(await introduce(vault));
      const eraser = start(known.map(({ person }) => person));
      await said(eraser);
      eraser.stdin.write('erase\n');
      await sleep(Math.random() * 40);
      await killed(eraser);
      await database.open();
      for (const { person, key, identity } of known) {
        const holding = await database.holding(person);
        expect([['erased'], ['key', 'identity', 'carrier']]).toContainEqual(holding);
        const alive = holding.includes('key');
        expect(await vault.identities.get(identity)).toBe(alive ? person : null);
        if (alive) expect(await vault.keys.get(person)).toEqual(key);
      }
    }
  });

  it('loses no key when a change of DATA_KEY is killed, again and again, in several processes', async () => {
    await database.open();
    const keys = new Map(Array.from({ length: 1_000 }, () => [aPerson(), randomBytes(32)]));
    const wrapping = new WrappingKey(database.dataKey);
    await database.collections.keys.insertMany(
      [...keys].map(([_id, key]) => ({ _id, wrapped: new Binary(wrapping.wrap(key, _id)) })),
    );
    const next = randomBytes(32);
    for (let kill = 0; kill < 4; kill++) {
      const changing = [start([], next, database.dataKey), start([], next, database.dataKey)];
      await sleep(300 + Math.random() * 400);
      await Promise.all(changing.map(killed));
    }
    const renewed = await database.open(next, database.dataKey);
    const stored = new Map<string, Buffer>();
    for await (const entry of renewed.entries())
      if (entry.kind === 'key') stored.set(entry.person, entry.wrapped);
    expect(stored.size).toBe(keys.size);
    const unwrapping = new WrappingKey(next);
    for (const [person, key] of keys) expect(unwrapping.unwrap(stored.get(person)!, person)).toEqual(key);
    await database.open(next);
  });
});
