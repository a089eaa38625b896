import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type FakeReplicaSet, startFakeReplicaSet } from '../../../test/support/mongodb/fake-replica-set.js';
import { connectMongo } from './connection.js';

interface Thing {
  readonly _id: string;
  readonly n: number;
}

const WRITES = ['insert', 'update', 'delete', 'findAndModify'];
const READS = ['find', 'aggregate', 'distinct'];

describe('A connection to a replica set', () => {
  let servers: FakeReplicaSet;
  beforeEach(async () => {
    servers = await startFakeReplicaSet();
  });
  afterEach(() => servers.close());

  /** Writes and reads in every way that there is. @returns the commands that did */
  const used = async (options = '') => {
    const connection = await connectMongo(servers.url + options);
    try {
      await connection.run(async (db) => {
        const things = db.collection<Thing>('things');
        await things.insertOne({ _id: 'a', n: 1 });
        await things.bulkWrite([{ insertOne: { document: { _id: 'b', n: 1 } } }], { ordered: false });
        await things.updateOne({ _id: 'a' }, { $set: { n: 2 } });
        await things.replaceOne({ _id: 'a' }, { n: 3 });
        await things.findOneAndUpdate({ _id: 'a' }, { $inc: { n: 1 } });
        await things.deleteOne({ _id: 'a' });
        await things.findOne({ _id: 'a' });
        await things.find({}).toArray();
        await things.aggregate([{ $match: { n: 1 } }]).toArray();
        await things.distinct('n');
      });
    } finally {
      await connection.close();
    }
    return servers.commands.filter(({ name }) => WRITES.includes(name) || READS.includes(name));
  };

  describe.each([
    ['as it is named', ''],
    [
      'whose URL asks for less',
      '?replicaSet=fake&w=1&journal=false&readConcernLevel=local&readPreference=secondaryPreferred',
    ],
  ])('%s', (_, options) => {
    it('has a write acknowledged once a majority has it in its journal', async () => {
      const writes = (await used(options)).filter(({ name }) => WRITES.includes(name));
      expect(new Set(writes.map(({ name }) => name))).toEqual(new Set(WRITES));
      for (const { command } of writes)
        expect(command).toMatchObject({ writeConcern: { w: 'majority', j: true } });
    });

    it('reads at the primary what a majority has', async () => {
      const reads = (await used(options)).filter(({ name }) => READS.includes(name));
      expect(new Set(reads.map(({ name }) => name))).toEqual(new Set(READS));
      for (const { command, member } of reads) {
        expect(command).toMatchObject({ readConcern: { level: 'majority' } });
        expect([member, command.$readPreference ?? { mode: 'primary' }]).toEqual([
          'primary',
          { mode: 'primary' },
        ]);
      }
    });
  });
});
