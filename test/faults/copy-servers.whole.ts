import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PersonId } from '../../src/core/vault/port.js';
import { openEventStoreDb } from '../../src/stores/eventstoredb/open.js';
import { openEmbeddedLog } from '../../src/stores/lmdb/log/log.js';
import { openEmbeddedVault } from '../../src/vault/lmdb/vault.js';
import { openMongoVault } from '../../src/vault/mongodb/open.js';
import { collect, event, plain } from '../contracts/event-store-kit.js';
import { startEventStoreServer, testEventStoreUrl } from '../support/eventstoredb/server.js';
import { freePort } from '../support/free-port.js';
import { describeWithMongo, testMongoUrl } from '../support/mongodb/test-url.js';
import type { Program, ProgramEnd } from '../support/program.js';
import { copyJson, startCopy } from './copy-command.js';
import { fillLog, fillVault } from './copy-source.js';

/** `COPY_EVENTS=100000 … -t 'there and back'` tries a log of that size; it takes minutes. */
const EVENTS = Number(process.env.COPY_EVENTS ?? 800);
const WAIT_LIMIT_MS = 120_000 + 10 * EVENTS;
const DATA_KEY = Buffer.alloc(32, 5);
const KEY = { DATA_KEY: DATA_KEY.toString('base64') };

describeWithMongo('the command that copies between a data folder and servers', (mongoUrl) => {
  let root: string;
  let source: string;
  const stops: (() => Promise<void>)[] = [];
  const running = new Set<Program>();

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'assay-copy-servers-'));
    source = join(root, 'source');
    await mkdir(source);
    await writeFile(join(source, 'data.key'), `${KEY.DATA_KEY}\n`);
    const log = await openEmbeddedLog(join(source, 'log'));
    const vault = await openEmbeddedVault(join(source, 'vault'), DATA_KEY);
    await fillLog(log, EVENTS);
    await fillVault(vault, 30);
    await Promise.all([log.close(), vault.close()]);
  }, WAIT_LIMIT_MS);
  afterAll(() => rm(root, { recursive: true }));

  let eventsUrl: string;
  let servers: string;
  beforeEach(async () => {
    const [events, mongo] = [await testEventStoreUrl(), await testMongoUrl()];
    stops.push(() => events.stop());
    if (mongo) stops.push(() => mongo.stop());
    eventsUrl = events.url;
    servers = `${events.url},${mongo?.url ?? mongoUrl()}`;
  });
  afterEach(async () => {
    for (const command of running) command.process.kill('SIGKILL');
    await Promise.all([...running].map((command) => command.ended()));
    running.clear();
    for (const stop of stops.splice(0)) await stop();
  });

  const start = (from: string, to: string, env = {}): Program => {
    const command = startCopy(['--from', from, '--to', to], env);
    running.add(command);
    return command;
  };

  const contentOf = async (folder: string) => {
    const log = await openEmbeddedLog(join(folder, 'log'));
    const vault = await openEmbeddedVault(join(folder, 'vault'), DATA_KEY);
    try {
      return { events: (await collect(log.readAll())).map(plain), entries: await collect(vault.entries()) };
    } finally {
      await Promise.all([log.close(), vault.close()]);
    }
  };

  it(
    'finds the same log and the same vault there and back',
    async () => {
      const back = join(root, 'back');
      const there = await copyJson(source, servers);
      expect(there).toMatchObject({
        equal: true,
        log: { copied: EVENTS },
        dataKey: join(source, 'data.key'),
      });
      const again = await copyJson(servers, back, KEY);
      expect(again).toMatchObject({ equal: true, dataKey: 'DATA_KEY' });
      expect(again.log).toEqual(there.log);
      expect(again.vault.target).toEqual(there.vault.source);
      expect(await contentOf(back)).toEqual(await contentOf(source));
    },
    WAIT_LIMIT_MS,
  );

  it('says which keys the processes on the servers need, and shows none', async () => {
    const { code, out } = await startCopy(['--from', source, '--to', servers]).ended();
    expect(code).toBe(0);
    expect(out).toContain(
      `Every process on these servers needs the same keys: set DATA_KEY (${join(source, 'data.key')}) and SIGNING_KEY`,
    );
    expect(out).not.toContain((await readFile(join(source, 'data.key'), 'utf8')).trim());
  });

  it('resumes after a kill, and copies back into the folder of origin', async () => {
    for (const moment of [/^Vault entries: /m, /^Events: /m, /^Events: /m]) {
      const command = start(source, servers);
      await command.printed(moment);
      command.process.kill('SIGKILL');
      await command.ended();
    }
    const there = await copyJson(source, servers);
    expect(there.equal).toBe(true);
    expect(there.log.copied).toBeLessThan(EVENTS);

    // The service appends there for a while.
    const [eventStore, vault] = [
      await openEventStoreDb(eventsUrl),
      await openMongoVault(servers.slice(servers.indexOf('mongodb')), DATA_KEY),
    ];
    try {
      await eventStore.append('thing-later' as never, 'no-stream', [event()]);
      await vault.keys.erase('person-1' as PersonId);
    } finally {
      await Promise.all([eventStore.close(), vault.close()]);
    }
    const copyOfSource = join(root, 'home');
    await copyJson(source, copyOfSource);
    const back = await copyJson(servers, copyOfSource, KEY);
    expect(back).toMatchObject({ equal: true, log: { copied: 1, target: { events: EVENTS + 1 } } });
    const home = await openEmbeddedVault(join(copyOfSource, 'vault'), DATA_KEY);
    expect(await home.keys.get('person-1' as PersonId)).toEqual({ kind: 'erased' });
    await home.close();
  });

  it('waits for an event store that is killed meanwhile', async () => {
    const dataDir = join(root, 'eventstoredb');
    let server = await startEventStoreServer({ dataDir });
    try {
      const to = `${server.url},${servers.slice(servers.indexOf('mongodb'))}`;
      const command = start(source, to);
      await command.printed(/^Events: /m);
      await server.kill();
      server = await startEventStoreServer({ dataDir, port: server.port });
      expect(await command.ended()).toMatchObject({ code: 0, err: '' });
      expect((await copyJson(source, to)).log.copied).toBe(0);
    } finally {
      await server.stop();
    }
  });

  const sentence = ({ code, err }: ProgramEnd): string => {
    expect({ code, lines: err.trimEnd().split('\n').length }).toEqual({ code: 1, lines: 1 });
    return err.trimEnd();
  };

  it('refuses servers that hold something else, and leaves them as they are', async () => {
    const eventStore = await openEventStoreDb(eventsUrl);
    try {
      await eventStore.append('thing-1' as never, 'no-stream', [event()]);
      const began = performance.now();
      expect(sentence(await startCopy(['--from', source, '--to', servers]).ended())).toMatch(
        /^The target holds something else: its event 1 \(thing.happened of thing-1\)/,
      );
      // It ends without waiting for its read.
      expect(performance.now() - began).toBeLessThan(40_000);
      expect(await collect(eventStore.readAll())).toHaveLength(1);
    } finally {
      await eventStore.close();
    }
  });

  it('refuses the same servers as both, an empty source, servers out of reach and another DATA_KEY', async () => {
    const empty = await startCopy(['--from', servers, '--to', join(root, 'x')], KEY).ended();
    expect(sentence(empty)).toMatch(/^The source holds no events/);
    await copyJson(source, servers);
    const same = await startCopy(['--from', servers, '--to', servers], KEY).ended();
    expect(sentence(same)).toMatch(/are the same place/);
    const other = { DATA_KEY: Buffer.alloc(32, 6).toString('hex') };
    expect(sentence(await startCopy(['--from', servers, '--to', join(root, 'x')], other).ended())).toMatch(
      /^The source cannot be opened: The vault is wrapped by another DATA_KEY/,
    );
    const nobody = await freePort();
    const mongo = servers.slice(servers.indexOf('mongodb'));
    const noEvents = `esdb://me:pass@127.0.0.1:${nobody}?tls=false,${mongo}`;
    const noMongo = `${eventsUrl},mongodb://me:pass@127.0.0.1:${nobody}/assay?serverSelectionTimeoutMS=500`;
    for (const away of [noEvents, noMongo]) {
      const said = sentence(await startCopy(['--from', source, '--to', away]).ended());
      expect(said).toMatch(/^The target cannot be opened: .*127\.0\.0\.1:\d+/);
      expect(said).not.toContain('pass');
    }
  });
});
