import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { Binary } from 'mongodb';
import { randomBytes } from 'node:crypto';
import { describeWithMongo, type TestMongo, testMongoUrl } from '../../../test/support/mongodb/test-url.js';
import { aPerson, entriesOf, introduce, VaultDatabase } from '../../../test/support/mongodb/vaults.js';
import { sweepErased } from '../../../test/support/sweep-erased.js';
import { StoreUnusable } from '../../core/errors.js';
import type { PersonId, PersonKey } from '../../core/vault/port.js';
import { WrappingKey } from '../data-key.js';

describeWithMongo('MongoDB vault, DATA_KEY', () => {
  const former = randomBytes(32);
  const next = randomBytes(32);
  let mongo: TestMongo;
  let database: VaultDatabase;
  beforeEach(async () => {
    mongo = (await testMongoUrl())!;
    database = new VaultDatabase(mongo.url, former);
  });
  afterEach(async () => {
    await database.drop();
    await mongo.stop();
  });

  const fill = async () => {
    const vault = await database.open();
    const persons = Array.from({ length: 8 }, aPerson);
    const keys = new Map<PersonId, PersonKey>();
    for (const person of persons) keys.set(person, await vault.keys.create(person));
    await introduce(vault);
    await vault.keys.erase(aPerson());
    const secret = await vault.secret('one', () => randomBytes(32));
    await database.closeVaults();
    return { keys, secret };
  };
  const unmade = () => {
    throw new Error('it was made before');
  };

  it('has 32 bytes', async () => {
    await expect(database.open(randomBytes(31))).rejects.toThrow('DATA_KEY must be 32 bytes');
    await expect(database.open(former, randomBytes(16))).rejects.toThrow('DATA_KEY_PREVIOUS must be');
  });

  it('is refused at the start if it is another, and nothing is written', async () => {
    await fill();
    const before = await database.dump();
    await expect(database.open(next)).rejects.toThrow(StoreUnusable);
    await expect(database.open(next, randomBytes(32))).rejects.toThrow('another DATA_KEY');
    expect(await database.dump()).toBe(before);
  });

  it('opens nothing in clear: what is stored holds no key and no secret', async () => {
    const { keys, secret } = await fill();
    const dump = await database.dump();
    for (const bytes of [
      secret,
      former,
      ...[...keys.values()].map((key) => ('key' in key ? key.key : secret)),
    ])
      for (const encoding of ['hex', 'base64'] as const) expect(dump).not.toContain(bytes.toString(encoding));
    expect(dump).toContain('vault_keys');
  });

  it('can be changed by many starts at once: everything is wrapped afresh', async () => {
    const { keys, secret } = await fill();
    const vaults = await Promise.all(Array.from({ length: 5 }, () => database.open(next, former)));
    for (const vault of vaults) {
      for (const [person, key] of keys) expect(await vault.keys.get(person)).toEqual(key);
      expect(await vault.secret('one', unmade)).toEqual(secret);
    }
    await expect(database.open(former)).rejects.toThrow('another DATA_KEY');
    const entries = await entriesOf(await database.open(next));
    const formerly = new WrappingKey(former);
    const mark = formerly.wrap(Buffer.alloc(1), 'mark').subarray(0, 8);
    const wrapped = entries.flatMap((entry) => ('wrapped' in entry ? [entry.wrapped] : []));
    expect(wrapped).toHaveLength(10);
    expect(wrapped.filter((bytes) => bytes.subarray(0, 8).equals(mark))).toEqual([]);
    // And on to a third, or back.
    const again = await database.open(former, next);
    for (const [person, key] of keys) expect(await again.keys.get(person)).toEqual(key);
  });

  it('half changed, opens with both keys only, and cannot be changed to a third', async () => {
    const { keys } = await fill();
    const [person, key] = [...keys][7]!;
    const stored = await database.collections.keys.findOne({ _id: person });
    const put = (wrapped: Binary) =>
      database.collections.keys.updateOne({ _id: person }, { $set: { wrapped } });
    await put(new Binary(randomBytes(68)));
    await expect(database.open(next, former)).rejects.toThrow(person);
    await put(stored!.wrapped);
    await expect(database.open(former)).rejects.toThrow('another DATA_KEY');
    await expect(database.open(next)).rejects.toThrow('DATA_KEY_PREVIOUS');
    await expect(database.open(randomBytes(32), next)).rejects.toThrow('cut off');
    const vault = await database.open(next, former);
    expect(await vault.keys.get(person)).toEqual(key);
    await database.open(next);
  });

  it('passes over what is left of an erased person', async () => {
    await fill();
    const person = aPerson();
    await database.collections.keys.insertOne({ _id: person, wrapped: new Binary(randomBytes(68)) });
    await database.collections.erased.insertOne({ _id: person });
    const vault = await database.open(next, former);
    expect(await vault.keys.get(person)).toEqual({ kind: 'erased' });
    expect(await sweepErased(vault)).toBe(1);
    expect(await database.holding(person)).toEqual(['erased']);
  });

  it('that a running process still holds stores nothing once it was changed', async () => {
    const { keys } = await fill();
    const running = await database.open();
    const renewed = await database.open(next, former);
    const person = aPerson();
    await expect(running.keys.create(person)).rejects.toThrow('DATA_KEY was changed by another process');
    await expect(running.secret('new', () => randomBytes(32))).rejects.toThrow('restart');
    await expect(running.keys.get([...keys.keys()][0]!)).rejects.toThrow('Restart');
    // One more start with both keys rewraps what it had stored by then.
    await expect(renewed.keys.get(person)).rejects.toThrow(StoreUnusable);
    const again = await database.open(next, former);
    expect((await again.keys.get(person))?.kind).toBe('key');
    expect(await again.secret('new', unmade)).toHaveLength(32);
  });

  it('is refused where the vault is a newer version or lost its description', async () => {
    await fill();
    const { description } = database.collections;
    await description.updateOne({ _id: 'vault' }, { $set: { format: 2 } });
    await expect(database.open()).rejects.toThrow('newer version');
    await description.deleteMany({});
    const before = await database.dump();
    await expect(database.open()).rejects.toThrow('its description is lost');
    expect(await database.dump()).toBe(before);
  });

  it('of a new vault is whichever of two different ones was first', async () => {
    const opened = await Promise.allSettled([database.open(former), database.open(next)]);
    const refused = opened.filter((result) => result.status === 'rejected');
    expect(refused.map(({ reason }) => String(reason))).toEqual([
      expect.stringContaining('another DATA_KEY'),
    ]);
  });

  it('tombstones stand against keys that a restore brought back', async () => {
    const vault = await database.open();
    const known = await introduce(vault);
    const { keys, identities, carriers } = database.collections;
    const backup = {
      key: (await keys.findOne({ _id: known.person }))!,
      identity: (await identities.findOne({ person: known.person }))!,
      carrier: (await carriers.findOne({ person: known.person }))!,
    };
    await vault.keys.erase(known.person);
    await keys.insertOne(backup.key);
    await identities.insertOne(backup.identity);
    await carriers.insertOne(backup.carrier);
    expect(await vault.identities.get(known.identity)).toBeNull();
    expect(await vault.carriers.list(known.carrier)).toEqual([]);
    expect((await entriesOf(vault)).map(({ kind }) => kind)).toEqual(['erased']);
    const restarted = await database.open();
    expect(await restarted.keys.get(known.person)).toEqual({ kind: 'erased' });
    expect(await restarted.keys.create(known.person)).toEqual({ kind: 'erased' });
    expect(await sweepErased(restarted)).toBe(1);
    expect(await database.holding(known.person)).toEqual(['erased']);
  });
});
