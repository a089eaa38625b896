import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Command } from 'commander';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pMap from 'p-map';
import { StoreUnusable } from '../../src/core/errors.js';
import type { LogId } from '../../src/core/event-store.js';
import { program } from '../../src/operator/cli/program.js';
import { registrations } from '../../src/operator/commands.js';
import { openEventStoreDb } from '../../src/stores/eventstoredb/open.js';
import { openMongoReadStore } from '../../src/stores/mongodb/views/open.js';
import { generation, pointer } from '../contracts/pointers.js';
import { assay } from '../support/assay.js';
import { testEventStoreUrl, type TestEventStore } from '../support/eventstoredb/server.js';
import { describeWithMongo } from '../support/mongodb/test-url.js';
import { spawnService } from '../support/service.js';

/** Commands of folders, or to a place that becomes a log. */
const OTHERS = ['backup', 'restore', 'events copy'];
const VALUES: Readonly<Record<string, string>> = {
  view: 'signal',
  email: 'carol@example.org',
  'owner-email': 'olga@example.org',
  name: 'Example',
};

/** Every command with its required arguments. */
const callsOf = (command: Command, path: readonly string[] = []): readonly (readonly string[])[] => {
  if (command.commands.length > 0)
    return command.commands.flatMap((one) => callsOf(one, [...path, one.name()]));
  if (OTHERS.includes(path.join(' '))) return [];
  const given = (name: string): string => VALUES[name] ?? `role-${randomUUID()}`;
  const args = command.registeredArguments.filter(({ required }) => required);
  const options = command.options.filter(({ mandatory }) => mandatory);
  const hasFlag = command.options.some(({ long }) => long === '--yes');
  return [
    [
      ...path,
      ...args.map((one) => given(one.name())),
      ...options.flatMap((one) => [one.long ?? '', given(one.name())]),
      ...(hasFlag ? ['--yes'] : []),
    ],
  ];
};
const CREATE = ['organisations', 'create', '--name', 'Example', '--owner-email', 'olga@example.org'];

describeWithMongo('a log by a mistyped EVENTSTORE_URL', (mongoUrl) => {
  let events: TestEventStore;
  let folder: string;
  beforeAll(async () => {
    events = await testEventStoreUrl();
    folder = await mkdtemp(join(tmpdir(), 'assay-mistyped-'));
  });
  afterAll(async () => {
    await events.stop();
    await rm(folder, { recursive: true });
  });

  const named = (log: string): string => {
    const url = new URL(events.url.replace('esdb:', 'http:'));
    url.pathname = `/${log}`;
    return url.href.replace('http:', 'esdb:');
  };
  const settings = (log: string) => ({
    ...{ EVENTSTORE_URL: named(log), MONGODB_URL: mongoUrl(), DATA_DIR: folder },
    ...{ DATA_KEY: 'aa'.repeat(32), SIGNING_KEY: 'bb'.repeat(32) },
  });
  const NONE = new StoreUnusable('There is none.');
  const isBegun = async (log: string): Promise<boolean> => {
    try {
      const store = await openEventStoreDb(named(log), { onBegin: () => Promise.reject(NONE) });
      await store.close();
      return true;
    } catch (error) {
      if (error === NONE) return false;
      throw error;
    }
  };

  it('is created by no command that works on existing data', async () => {
    const calls = callsOf(program(registrations)).filter((words) => words[1] !== 'create');
    expect(calls.length).toBeGreaterThan(20);
    const ended = await pMap(
      calls,
      async (words) => ({ words, ...(await assay(settings('mistyped'), ...words)) }),
      { concurrency: 3 },
    );
    expect(await isBegun('mistyped')).toBe(false);
    const told = ended.filter(({ out, err }) =>
      `${out}${err}`.replaceAll(/\s*│\n│[\s│]*/g, ' ').includes('There is no event log at esdb://'),
    );
    expect(told.length).toBeGreaterThan(20);
  });

  it('is created if there is no other data, and its place is printed', async () => {
    const { code, out, err } = await assay(settings('first'), ...CREATE);
    expect([code, err]).toEqual([
      0,
      expect.stringMatching(/^A new event log is begun at esdb:.*\/first\.\n$/),
    ]);
    expect(out).toMatch(/^Organisation .* is created/);
    expect(await isBegun('first')).toBe(true);
    expect(await assay(settings('first'), ...CREATE)).toMatchObject({ code: 0, err: '' });
  });

  it('is not created beside the views of another log, by a command or by the service: both places are named', async () => {
    const readStore = await openMongoReadStore(mongoUrl());
    await readStore.pointers.swap(
      'signal',
      null,
      pointer(1, { live: { ...generation(1), log: 'another' as LogId } }),
    );
    await readStore.close();
    const REFUSED =
      /There is no event log at esdb:[^ ]*\/second, but the views at mongodb:[^ ]* were made from another log\. Nothing was begun\./;
    expect(await assay(settings('second'), ...CREATE)).toEqual({
      code: 1,
      out: '',
      err: expect.stringMatching(REFUSED),
    });
    const { ended, output } = spawnService(folder, { env: settings('second') });
    expect((await ended).code).toBe(1);
    expect(output()).toMatch(REFUSED);
    expect(await isBegun('second')).toBe(false);
  });
});
