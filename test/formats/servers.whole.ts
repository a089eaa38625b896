import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import type { PersonId } from '../../src/core/vault/port.js';
import { openVault } from '../../src/process/adapters.js';
import { readConfiguration } from '../../src/process/config.js';
import { serviceKeys } from '../../src/process/secret-files.js';
import { runPython } from '../contract/python.js';
import { Api, type Person } from '../support/api.js';
import { testEventStoreUrl, type TestEventStore } from '../support/eventstoredb/server.js';
import { eventually } from '../support/eventually.js';
import { ISODate, shell } from '../support/mongodb/shell.js';
import { describeWithMongo } from '../support/mongodb/test-url.js';
import { createOrganisation, definition, invite } from '../support/organisation.js';
import { startService, wrongClock } from '../support/service.js';
import { blocksBelow, replaceBlock, type ShownEvent, TRIAL_STREAM, updating } from './formats-page.js';

/** The line that both the page's queries and these begin with. */
const [LIVE = '', ...QUERIES] = blocksBelow('### Queries', 'js');

/** A document as mongosh shows it, before Prettier. */
const shellText = (document: object): string =>
  JSON.stringify(
    document,
    function (this: Record<string, unknown>, name, value: unknown) {
      return this[name] instanceof Date ? `ISODate(${String(value)})` : value;
    },
    2,
  ).replace(/"ISODate\((.*?)\)"/g, "ISODate('$1')");

/** `npm run test:jest -- --selectProjects whole -- test/formats` with UPDATE_FORMATS=1 rewrites the page's examples. */
describeWithMongo('what a service stores on servers, as docs/formats.md describes it', (mongoUrl) => {
  let dataDir: string;
  let events: TestEventStore;
  let env: Record<string, string>;
  /** The server's URL, for clients that do not use our adapter. */
  let eventStoreUrl: string;
  let log: string;
  let org: string;
  const roles: string[] = [];
  let count = 0;

  /** Runs work with a service whose clock is at this day. */
  const on = async (day: string, work: (owner: Person, api: Api) => Promise<void>): Promise<void> => {
    const service = await startService({
      dataDir,
      env: { ...env, ...wrongClock(Date.parse(day) - Date.now()) },
    });
    try {
      const api = new Api(service.url);
      const owner = await api.as('owner@example.org');
      await work(owner, api);
      // Wait until every view has every event.
      expect((await owner.get(`/organisations/${org}/applications`)).status).toBe(200);
    } finally {
      await service.stop();
    }
  };

  /** @returns the path of a completed trial session */
  const completed = async (owner: Person, api: Api, role: string): Promise<string> => {
    const email = `candidate-${++count}@example.org`;
    const { sessionId } = await invite(owner, org, role, email);
    const candidate = await api.as(email);
    candidate.follow(owner);
    await candidate.get('/me');
    const session = `/trial-sessions/${sessionId}`;
    await candidate.post(`${session}/start`, { consent: true });
    const at = (await candidate.get<{ startedAt: string }>(session)).body.startedAt;
    const activity = { clientEventId: 'a1', eventType: 'ticket.started', occurredAt: at };
    await candidate.post(`${session}/activity`, { events: [{ ...activity, payload: { ticketId: 'T-1' } }] });
    expect((await candidate.post(`${session}/complete`)).status).toBe(200);
    owner.follow(candidate);
    return session;
  };

  const outcome = async (owner: Person, session: string, values: object): Promise<void> => {
    const { status } = await owner.put(`/organisations/${org}${session}/outcome`, values);
    expect(status).toBe(200);
  };
  const hired = { disposition: 'hired' };

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'assay-formats-'));
    events = await testEventStoreUrl();
    const [, server = '', name = '', query = ''] = /^(.*?:\/\/[^/]+)\/([^?]*)(.*)$/.exec(events.url) ?? [];
    eventStoreUrl = `${server}${query}`;
    log = name;
    env = {
      DATA_DIR: dataDir,
      DATA_KEY: randomBytes(32).toString('base64'),
      SIGNING_KEY: randomBytes(32).toString('base64'),
      EVENTSTORE_URL: events.url,
      MONGODB_URL: mongoUrl(),
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'warn',
    };
    org = await createOrganisation(env, 'Example', 'owner@example.org');

    await on('2026-05-20', async (owner, api) => {
      for (const name of ['Backend engineer', 'Designer']) {
        const { body } = await owner.post<{ id: string }>(`/organisations/${org}/roles`, definition(name));
        roles.push(body.id);
      }
      await outcome(owner, await completed(owner, api, roles[0]!), hired);
    });
    await on('2026-06-10', async (owner, api) => {
      const [role = '', other = ''] = roles;
      await outcome(owner, await completed(owner, api, role), hired);
      const corrected = await completed(owner, api, role);
      await outcome(owner, corrected, hired);
      await outcome(owner, corrected, { disposition: 'declined' });
      const retracted = await completed(owner, api, role);
      await outcome(owner, retracted, hired);
      await owner.delete(`/organisations/${org}${retracted}/outcome`);
      const again = await completed(owner, api, role);
      await outcome(owner, again, { humanRound: 'passed' });
      await outcome(owner, again, { humanRound: 'passed', disposition: 'hired' });
      await outcome(owner, await completed(owner, api, role), { humanRound: 'passed' });
      await outcome(owner, await completed(owner, api, other), hired);
    });
    await on('2026-07-05', async (owner, api) => {
      await outcome(owner, await completed(owner, api, roles[0]!), hired);
      for (const role of roles) await invite(owner, org, role, `invited-${role}@example.org`);
      const path = `/organisations/${org}/evaluations?status=ready`;
      await eventually(async () => (await owner.get<{ items: unknown[] }>(path)).body.items.length === count);
    });
  });
  afterAll(async () => {
    await events.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  const python = async (script: string, ...args: string[]): Promise<string> => {
    const { code, out, err } = await runPython('python', [`test/formats/${script}`, ...args]);
    if (code !== 0) throw new Error(err);
    return out;
  };

  it.each(['hired_events.py', 'hired_documents.py'])(
    'tells %s how many were hired in June',
    async (script) => {
      const url = script === 'hired_events.py' ? eventStoreUrl : mongoUrl();
      const june = ['2026-06-01', '2026-07-01'];
      expect(await python(script, url, roles[0]!, ...june)).toBe('2\n');
      expect(await python(script, url, roles[1]!, ...june)).toBe('1\n');
      expect(await python(script, url, roles[0]!, '2026-05-01', '2026-06-01')).toBe('1\n');
    },
  );

  const mongosh = (script: string): Promise<unknown> =>
    shell(mongoUrl(), script, { roleId: roles[0], organisationId: org });
  const example = async () =>
    (await mongosh(
      `${LIVE} live('applications').findOne({ 'body.outcome.humanRound': 'passed', 'body.outcome.disposition': 'hired' })`,
    )) as { readonly body: { readonly trialSessionId: string; readonly candidateId: PersonId } };

  it('answers the queries of the page', async () => {
    const [hiredInJune, means, open, ...further] = await Promise.all(
      QUERIES.map((query) => mongosh(`${LIVE}\n${query}`)),
    );
    expect(further).toEqual([]);
    expect(hiredInJune).toBe(2);
    const mean = expect.any(Number);
    expect(means).toHaveLength(2);
    expect(means).toContainEqual({ _id: roles[0], mean, count: count - 1 });
    expect(means).toContainEqual({ _id: roles[1], mean, count: 1 });
    expect(open).toMatchObject(roles.map((roleId) => ({ body: { roleId, trial: { status: 'invited' } } })));
  });

  it('shows a document as the page does', async () => {
    const shown = await example();
    if (updating) replaceBlock('## MongoDB', 'js', shellText(shown));
    const onPage: unknown = runInNewContext(`(${blocksBelow('## MongoDB', 'js')[0]})`, { ISODate });
    expect(shapeOf(shown)).toEqual(shapeOf(onPage));
  });

  it('stores an event as these bytes', async () => {
    const { trialSessionId } = (await example()).body;
    const stored = await python('stored_bytes.py', eventStoreUrl, `${log}.trial-${trialSessionId}`, '1');
    const link = '"previousHash":"HASH","commitment":null,"hash":"HASH"';
    const chain = `{${link},"items":[{"commitment":"HASH","hash":"HASH"}]}`;
    const ids = ['organisationId', 'candidateId', 'applicationId', 'trialSessionId', 'roleId'];
    expect(masked(stored).trimEnd().split('\n')).toEqual([
      'trial.activity_recorded',
      'application/json',
      `{${ids.map((id) => `"${id}":"UUID"`).join()},"sequenceNumber":2,"items":[{"occurredAt":"TIME"}]}`,
      `{"schemaVersion":1,"recordedAt":"TIME","actor":{"type":"candidate","id":"UUID"},"commandId":"UUID",` +
        `"$correlationId":"UUID","person":"UUID","personal":"SEALED","chain":${chain}}`,
    ]);
  });

  it('shows a trial’s stream as the page does', async () => {
    const { trialSessionId, candidateId } = (await example()).body;
    const out = await python('read_stream.py', eventStoreUrl, `${log}.trial-${trialSessionId}`);
    const shown = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as ShownEvent);
    if (updating) {
      const configuration = readConfiguration(env);
      const vault = await openVault(configuration, await serviceKeys(configuration));
      const key = await vault.keys.get(candidateId);
      await vault.close();
      if (key?.kind !== 'key') throw new Error('The candidate has no key.');
      replaceBlock(TRIAL_STREAM, 'text', key.key.toString('hex'));
      replaceBlock(TRIAL_STREAM, 'json', JSON.stringify(shown));
    }
    const onPage = JSON.parse(blocksBelow(TRIAL_STREAM, 'json')[0] ?? '[]') as ShownEvent[];
    expect(shown.map(shapeOf)).toEqual(onPage.map(shapeOf));
  });
});

/** Values that differ between two services, by kind. */
const masked = (text: string): string =>
  text
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'UUID')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replace(/[0-9a-f]{64}/g, 'HASH')
    .replace(/[A-Za-z0-9+/]{80,}=*/g, 'SEALED');

/** The names of members and the kinds of values, with texts that are the same in every trial unchanged. */
const shapeOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (value instanceof Date) return 'date';
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shapeOf(member)]));
  if (typeof value !== 'string') return value;
  return /^[a-z][a-z._/-]*$/.test(value) ? value : 'text';
};
