import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aRead } from '../../test/contracts/vault-reads.js';
import { describeWithMongo, type TestMongo, testMongoUrl } from '../../test/support/mongodb/test-url.js';
import { aHash, aPerson, entriesOf, introduce } from '../../test/support/mongodb/vaults.js';
import type { ArchivableVault } from './archive.js';
import { openEmbeddedVault } from './lmdb/vault.js';
import { openMongoVault } from './mongodb/open.js';

describeWithMongo('a vault carried from the embedded store to MongoDB and back', () => {
  const dataKey = randomBytes(32);
  let root: string;
  let mongo: TestMongo;
  let vaults: ArchivableVault[];
  beforeEach(async () => {
    root = mkdtempSync(join(tmpdir(), 'assay-vault-'));
    mongo = (await testMongoUrl())!;
    vaults = [
      await openEmbeddedVault(join(root, 'first'), dataKey),
      await openMongoVault(mongo.url, dataKey),
      await openEmbeddedVault(join(root, 'second'), dataKey),
    ];
  });
  afterEach(async () => {
    for (const vault of vaults) await vault.close();
    await mongo.stop();
    rmSync(root, { recursive: true });
  });

  it('has the same entries in the same order, byte for byte', async () => {
    const [embedded, server, back] = vaults as [ArchivableVault, ArchivableVault, ArchivableVault];
    const known = [await introduce(embedded), await introduce(embedded)];
    for (let n = 0; n < 250; n++) await embedded.keys.create(aPerson());
    for (let n = 0; n < 5; n++) await embedded.keys.erase(aPerson());
    const names = ['z', 'a', 'hashing'];
    for (const name of names) await embedded.secret(name, () => randomBytes(32));

    for (let n = 0; n < 5; n++) await embedded.claims.claim(aHash(), aPerson());
    const evaluations = ['b', 'a', 'a-0', 'a0'];
    await embedded.reads.record(evaluations.flatMap((one) => [aRead(one), aRead(one)]));

    const entries = await entriesOf(embedded);
    expect(entries).toHaveLength(5 + 252 + 2 + 2 + 5 + 3 + 8);
    for await (const entry of embedded.entries()) await server.put(entry);
    expect(await entriesOf(server)).toEqual(entries);
    for await (const entry of server.entries()) await back.put(entry);
    expect(await entriesOf(back)).toEqual(entries);
    for (const { person, key, identity } of known)
      for (const vault of [server, back]) {
        expect(await vault.keys.get(person)).toEqual(key);
        expect(await vault.identities.get(identity)).toBe(person);
      }
  });
});
