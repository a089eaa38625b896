import { afterAll, beforeAll, describe, it } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { randomBytes } from 'node:crypto';
import { missingForMongoServer, startMongoServer, type MongoServer } from './server.js';

/** An empty database of a server. */
export interface TestMongo {
  /** The connection string with the database. */
  readonly url: string;
  /** Drops the database. */
  stop(): Promise<void>;
}

/** The server of this spec file: each file evaluates this module for itself. */
let server: Promise<MongoServer> | undefined;
afterAll(async () => await (await server)?.stop());

/** Prints one line: `console` would also print a stack. */
const say = (line: string): void => void process.stdout.write(`Not tried: ${line}\n`);

const missing = (): string | null =>
  process.env.TEST_MONGODB_URL === undefined ? missingForMongoServer() : null;

/** The URL with another database. A text operation, since `URL` cannot parse a list of hosts. */
const withDatabase = (url: string, database: string): string => {
  const parts = /^(mongodb(?:\+srv)?:\/\/[^/?]+)(?:\/([^?]*))?(?:\?(.*))?$/.exec(url);
  if (parts === null) throw new Error(`TEST_MONGODB_URL is no MongoDB URL: ${url}`);
  const [, server = '', former, query] = parts;
  const options = new URLSearchParams(query);
  // By default a client signs in against the database of the URL.
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
 * Makes a new database at each call: on the server of TEST_MONGODB_URL, or on one that all calls of a spec file share
 * and that ends with the file.
 * @returns `null` if there is no such server and none can be started; the reason is printed
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
 * A suite on a database of its own, which is dropped at its end. If there is no server and none can be started, it is
 * one skipped test, and the reason is printed.
 * @param body declares the suite. `url()` works inside tests and hooks only
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
