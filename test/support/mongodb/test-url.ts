import { afterAll, beforeAll, describe, it } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { randomBytes } from 'node:crypto';
import { missingForMongoServer, startMongoServer, type MongoServer } from './server.js';

/** A database of a server, empty at first. */
export interface TestMongo {
  /** With the database in it. */
  readonly url: string;
  /** Drops the database. */
  stop(): Promise<void>;
}

/** The one of this spec file: a file's modules are its own. */
let server: Promise<MongoServer> | undefined;
afterAll(async () => await (await server)?.stop());

/** One line, where Jest would print where it comes from as well. */
const say = (line: string): void => void process.stdout.write(`Not tried: ${line}\n`);

const missing = (): string | null =>
  process.env.TEST_MONGODB_URL === undefined ? missingForMongoServer() : null;

/** The same server, which may be several hosts: no URL in the narrow sense. */
const withDatabase = (url: string, database: string): string => {
  const parts = /^(mongodb(?:\+srv)?:\/\/[^/?]+)(?:\/([^?]*))?(?:\?(.*))?$/.exec(url);
  if (parts === null) throw new Error(`TEST_MONGODB_URL is no MongoDB URL: ${url}`);
  const [, server = '', former, query] = parts;
  const options = new URLSearchParams(query);
  // Who signs in does so in the database of the URL, unless it says otherwise.
  if (server.includes('@') && !options.has('authSource')) options.set('authSource', former || 'admin');
  return `${server}/${database}${options.size > 0 ? `?${options.toString()}` : ''}`;
};

const dropDatabase = async (url: string): Promise<void> => {
  const client = new MongoClient(url, { serverSelectionTimeoutMS: 5_000 });
  try {
    await client.db().dropDatabase();
  } finally {
    await client.close();
  }
};

/**
 * A database of its own at each call: on the server of TEST_MONGODB_URL, or on one that all calls of a spec file
 * share and that ends with the file.
 * @returns null, having said why, where there is no such server and none can be started
 */
export const testMongoUrl = async (): Promise<TestMongo | null> => {
  const lack = missing();
  if (lack !== null) {
    say(lack);
    return null;
  }
  const base = process.env.TEST_MONGODB_URL ?? (await (server ??= startMongoServer())).url;
  const url = withDatabase(base, `assay_test_${randomBytes(8).toString('hex')}`);
  return { url, stop: () => dropDatabase(url) };
};

/**
 * A suite on a database of its own, which is dropped at its end. One skipped test, having said why, where there is no
 * server and none can be started.
 * @param body is given the URL's source: inside tests and hooks it has one
 */
export const describeWithMongo = (name: string, body: (url: () => string) => void): void => {
  const lack = missing();
  if (lack !== null) {
    say(lack);
    describe(name, () => it.skip(lack, () => undefined));
    return;
  }
  describe(name, () => {
    let mongo: TestMongo | null = null;
    beforeAll(async () => (mongo = await testMongoUrl()));
    afterAll(async () => await mongo?.stop());
    body(() => {
      if (mongo === null) throw new Error('The database is there from beforeAll on.');
      return mongo.url;
    });
  });
};
