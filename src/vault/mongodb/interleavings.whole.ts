import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { type CommandFault, failCommand } from '../../../test/support/mongodb/faults.js';
import {
  missingForMongoServer,
  type MongoServer,
  startMongoServer,
} from '../../../test/support/mongodb/server.js';
import { aHash, aPerson, entriesOf, introduce, VaultDatabase } from '../../../test/support/mongodb/vaults.js';
import type { ArchivableVault } from '../archive.js';

const lack = missingForMongoServer();

/** Two processes at work on one person: one is held up between two of its steps while the other goes through. */
(lack === null ? describe : describe.skip)(
  'MongoDB vault, an erasure between the steps of another call',
  () => {
    let server: MongoServer;
    let database: VaultDatabase;
    let slow: ArchivableVault;
    let eraser: ArchivableVault;
    beforeAll(async () => (server = await startMongoServer({ memory: true })));
    afterAll(() => server.stop());
    beforeEach(async () => {
      database = new VaultDatabase(`${server.url}/interleavings`);
      slow = await database.open();
      eraser = await database.open();
    });
    afterEach(() => database.drop());

    /** Runs `meanwhile` while the next `command` on the collection waits to be run. */
    const during = async <T>(
      command: string,
      collection: string,
      held: () => Promise<T>,
      meanwhile: () => Promise<unknown>,
    ): Promise<T> => {
      const fault: CommandFault = {
        failCommands: [command],
        namespace: `interleavings.${collection}`,
        blockConnection: true,
        blockTimeMS: 1_000,
      };
      const end = await failCommand(server.url, fault, { times: 1 });
      let done = false;
      const running = held().finally(() => (done = true));
      // Everything before the held command is through by then.
      await sleep(200);
      await meanwhile();
      expect(done).toBe(false);
      const result = await running;
      await end();
      return result;
    };

    it('a key that was about to be made is not kept', async () => {
      const person = aPerson();
      const made = await during(
        'insert',
        'vault_keys',
        () => slow.keys.create(person),
        () => eraser.keys.erase(person),
      );
      expect(made).toEqual({ kind: 'erased' });
      expect(await database.holding(person)).toEqual(['erased']);
    });

    it('an identity that was about to be made, or moved, is not kept', async () => {
      const [person, other] = [aPerson(), aPerson()];
      const [fresh, moved] = [aHash(), aHash()];
      const made = await during(
        'insert',
        'vault_identities',
        () => slow.identities.swap(fresh, null, person),
        () => eraser.keys.erase(person),
      );
      expect(made).toBe(false);
      expect(await database.holding(person)).toEqual(['erased']);
      expect(await slow.identities.get(fresh)).toBeNull();

      const second = aPerson();
      await slow.identities.swap(moved, null, other);
      const swapped = await during(
        'update',
        'vault_identities',
        () => slow.identities.swap(moved, other, second),
        () => eraser.keys.erase(second),
      );
      expect(swapped).toBe(false);
      expect(await eraser.identities.get(moved)).toBe(other);
      expect(await database.holding(second)).toEqual(['erased']);
    });

    it('a carrier that was about to be added is not kept', async () => {
      const [person, hash] = [aPerson(), aHash()];
      await during(
        'insert',
        'vault_carriers',
        () => slow.carriers.add(hash, { person, kind: 'member', organisationId: 'o' }),
        () => eraser.keys.erase(person),
      );
      expect(await slow.carriers.list(hash)).toEqual([]);
      expect(await database.holding(person)).toEqual(['erased']);
    });

    it('a key that was about to be copied is not kept', async () => {
      const known = await introduce(eraser);
      const [key] = await entriesOf(eraser);
      await database.collections.keys.deleteMany({});
      await during(
        'insert',
        'vault_keys',
        () => slow.put(key!),
        () => eraser.keys.erase(known.person),
      );
      expect(await database.holding(known.person)).toEqual(['erased']);
    });

    it('a key that was about to be read is erased, not missing', async () => {
      const { person } = await introduce(eraser);
      const read = await during(
        'find',
        'vault_keys',
        () => slow.keys.get(person),
        () => eraser.keys.erase(person),
      );
      expect(read).toEqual({ kind: 'erased' });
    });

    it('look-ups answer nobody from the tombstone on, while they are still to be removed', async () => {
      const known = await introduce(eraser);
      const successor = aPerson();
      const look = async () => {
        expect(await slow.identities.get(known.identity)).toBeNull();
        expect(await slow.carriers.list(known.carrier)).toEqual([]);
        expect(await slow.keys.get(known.person)).toEqual({ kind: 'erased' });
        expect(await slow.identities.swap(known.identity, known.person, successor)).toBe(false);
        expect(await slow.identities.swap(known.identity, null, known.person)).toBe(false);
        expect(await slow.identities.swap(known.identity, null, successor)).toBe(true);
        await slow.carriers.add(known.carrier, known.ref);
      };
      await during('delete', 'vault_identities', () => eraser.keys.erase(known.person), look);
      expect(await slow.identities.get(known.identity)).toBe(successor);
      expect(await database.holding(known.person)).toEqual(['erased']);
    });

    it('leaves the person erased and nothing else, whatever two processes do at once', async () => {
      for (let round = 0; round < 40; round++) {
        const known = round % 2 === 0 ? await introduce(slow) : { person: aPerson(), identity: aHash() };
        const { person, identity } = known;
        const [hash, before] = [aHash(), aPerson()];
        await slow.identities.swap(hash, null, before);
        const wait = () => sleep(Math.random() * 6);
        await Promise.all([
          wait().then(() => eraser.keys.erase(person)),
          wait().then(() => slow.keys.create(person)),
          wait().then(() => eraser.keys.create(person)),
          wait().then(() => slow.identities.swap(hash, before, person)),
          wait().then(() => eraser.identities.swap(identity, null, person)),
          wait().then(() => slow.identities.swap(identity, null, person)),
          wait().then(() => slow.carriers.add(hash, { person, kind: 'candidate', organisationId: 'o' })),
        ]);
        expect(await database.holding(person)).toEqual(['erased']);
        expect(await slow.identities.get(identity)).toBeNull();
        expect([null, before]).toContain(await slow.identities.get(hash));
      }
    });
  },
);
