// eslint-disable-next-line no-restricted-imports -- the bare driver
import { EventStoreDBClient, START, jsonEvent } from '@eventstore/db-client';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
// eslint-disable-next-line no-restricted-imports -- the bare driver
import { MongoClient } from 'mongodb';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { readConfiguration } from '../../src/process/config.js';
import { missingForMongoServer } from '../support/mongodb/server.js';

/** `npm run servers` in a process of its own. */
interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<{ readonly code: number | null; readonly output: string; readonly errors: string }>;
  /** Both addresses, once both are printed; `null` if it ended before. */
  readonly urls: Promise<{ readonly eventStore: string; readonly mongo: string } | null>;
}

const processes: ChildProcess[] = [];
const run = (args: readonly string[], env: NodeJS.ProcessEnv = process.env): Running => {
  const child = spawn(process.execPath, [resolve('dist/test/servers/main.js'), ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  processes.push(child);
  let [output, errors] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  const ended = once(child, 'close').then(() => ({ code: child.exitCode, output, errors }));
  const said = new Promise<{ eventStore: string; mongo: string }>((settle) => {
    let eventStore = '';
    createInterface({ input: child.stdout }).on('line', (line) => {
      const [, name, url = ''] = /^export (EVENTSTORE_URL|MONGODB_URL)='([^']+)'$/.exec(line) ?? [];
      if (name === 'EVENTSTORE_URL') eventStore = url;
      if (name === 'MONGODB_URL') settle({ eventStore, mongo: url });
    });
  });
  return { child, ended, urls: Promise.race([said, ended.then(() => null)]) };
};

/** Resolves once no process listens at this address any more. */
const closed = async (url: string): Promise<boolean> => {
  const port = Number(/:(\d+)/.exec(url.slice(url.indexOf('//')))?.[1]);
  const probe = createServer().listen(port, '127.0.0.1');
  const free = await once(probe, 'listening').then(
    () => true,
    () => false,
  );
  if (free) probe.close();
  return free;
};
const allClosed = async (...urls: string[]): Promise<void> => {
  const deadline = performance.now() + 10_000;
  for (const url of urls)
    while (!(await closed(url))) {
      if (performance.now() > deadline) throw new Error(`Something still listens at ${url}.`);
      await sleep(50);
    }
};

const missing = missingForMongoServer();
const suite = missing === null ? describe : describe.skip;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-servers-spec-'));
});
afterEach(async () => {
  for (const child of processes.splice(0)) {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
  }
  await rm(folder, { recursive: true, force: true });
});

suite(`npm run servers${missing === null ? '' : `: ${missing}`}`, () => {
  it('both answer, keep their data over a restart, and have ended after SIGTERM', async () => {
    const first = run(['--data', folder]);
    const urls = (await first.urls)!;
    // With a database of its own, as a service uses them.
    expect(urls.mongo).toMatch(/\/assay$/);
    expect(readConfiguration({ EVENTSTORE_URL: urls.eventStore, MONGODB_URL: urls.mongo }).servers).toEqual({
      eventStoreUrl: urls.eventStore,
      mongodbUrl: urls.mongo,
    });
    const write = async () => {
      const events = EventStoreDBClient.connectionString(urls.eventStore);
      const mongo = await MongoClient.connect(urls.mongo);
      await events.appendToStream('kept', jsonEvent({ type: 'said', data: { n: 1 } }), {
        expectedRevision: 'no_stream',
        credentials: { username: '', password: '' },
      });
      await mongo.db('assay').collection('kept').insertOne({ n: 1 });
      await events.dispose();
      await mongo.close();
    };
    await write();
    first.child.kill('SIGTERM');
    const { code, errors } = await first.ended;
    expect([code, errors]).toEqual([0, expect.stringContaining('not for production')]);
    await allClosed(urls.eventStore, urls.mongo);

    const portOf = (url: string) => new URL(url.replace('esdb:', 'http:')).port;
    const [eventStorePort, mongoPort] = [portOf(urls.eventStore), portOf(urls.mongo)];
    const again = run([
      ...['--data', folder],
      ...['--eventstore-port', eventStorePort],
      ...['--mongodb-port', mongoPort],
    ]);
    expect(await again.urls).toEqual(urls);
    const events = EventStoreDBClient.connectionString(urls.eventStore);
    const mongo = await MongoClient.connect(urls.mongo);
    const types = [];
    for await (const { event } of events.readStream('kept', { fromRevision: START })) types.push(event?.type);
    expect(types).toEqual(['said']);
    expect(await mongo.db('assay').collection('kept').countDocuments()).toBe(1);
    await Promise.all([events.dispose(), mongo.close()]);
  });

  it('kill -9 of it leaves neither server', async () => {
    const running = run(['--data', folder]);
    const urls = (await running.urls)!;
    running.child.kill('SIGKILL');
    await running.ended;
    await allClosed(urls.eventStore, urls.mongo);
  });

  it.each(['--mongodb-port', '--eventstore-port'])(
    'ends both, saying so, when the %s is taken',
    async (option) => {
      const taken = createServer().listen(0, '127.0.0.1');
      await once(taken, 'listening');
      const { port } = taken.address() as AddressInfo;
      try {
        const { code, output, errors } = await run(['--data', folder, option, `${port}`]).ended;
        expect({ code, output }).toEqual({ code: 1, output: '' });
        expect(errors).toContain(`cannot listen on port ${port}`);
      } finally {
        taken.close();
      }
    },
  );

  it('ends with 1 and a message if one of them dies', async () => {
    const running = run(['--data', folder]);
    const urls = (await running.urls)!;
    const mongo = await MongoClient.connect(urls.mongo);
    const { pid } = await mongo.db('admin').command({ serverStatus: 1 });
    await mongo.close();
    process.kill(Number(pid), 'SIGKILL');
    const { code, errors } = await running.ended;
    expect([code, errors]).toEqual([1, expect.stringContaining('MongoDB test server ended by itself')]);
    await allClosed(urls.eventStore, urls.mongo);
  });
});

describe('npm run servers, when it cannot start', () => {
  it.each([
    [[], "required option '--data <folder>'"],
    [['--data', ''], 'It must be a folder'],
    [['--data', 'x', '--mongodb-port', 'y'], 'It must be a port'],
    [['--data', 'x', '--eventstore-port', '70000'], 'It must be a port'],
    [['--data', 'x', '--eventstore-port', '7000', '--mongodb-port', '7000'], 'two different ports'],
    [['--data', 'x', 'more'], 'too many arguments'],
  ])('%j ends with 1 and a sentence', async (args, sentence) => {
    const { code, output, errors } = await run(args).ended;
    expect({ code, output }).toEqual({ code: 1, output: '' });
    expect(errors).toContain(sentence);
  });

  it('--help says what it is', async () => {
    const { code, output } = await run(['--help']).ended;
    expect([code, output]).toEqual([0, expect.stringContaining('not for production')]);
  });

  it('names the folder that cannot be made', async () => {
    await writeFile(join(folder, 'file'), '');
    const { code, errors } = await run(['--data', join(folder, 'file')]).ended;
    expect([code, errors]).toEqual([1, expect.stringContaining(join(folder, 'file'))]);
    expect(errors).not.toContain('    at ');
  });

  it('names what is missing, and leaves nothing running, where there is no Java', async () => {
    const { code, errors } = await run(['--data', folder], { ...process.env, PATH: folder }).ended;
    expect([code, errors]).toEqual([1, expect.stringContaining('needs Java (a JDK, 17 or newer) and Maven')]);
  });
});
