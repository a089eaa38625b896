import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { eventRegistry } from '../../src/app/event-registry.js';
import { createCodec } from '../../src/event-store/codec.js';
import { openEmbeddedLog } from '../../src/event-store/embedded/open.js';
import type { Stored } from '../../src/event-store/event.js';
import { openEmbeddedVault } from '../../src/vault/embedded/vault.js';
import type { PersonId } from '../../src/vault/port.js';
import { Sealer } from '../../src/vault/sealing.js';
import { Api, Person } from '../support/api.js';
import { dumpViews } from '../support/dump-views.js';
import { openSocket, pathOf, type TestSocket } from '../support/interview-socket.js';
import { createOrganisation, definition, eventually, invite } from '../support/organisation.js';
import { openBeside } from '../support/recorded-interview.js';
import { expectViewsToEqualAFoldFromZero } from '../support/refolded-views.js';
import { makePlace, type Place } from '../support/same-folder.js';
import { type Service, startService } from '../support/service.js';
import { AssayCommand } from './backup-command.js';

const EMAIL = 'Ada.Quillfeather+trial@wonderland.example';
/** All that only this candidate has said, sent or is called; in another case it is as telling. */
const TELLING = [
  'quillfeather',
  'zanzibar marmalade',
  'xylographic parser',
  'perspicacious reading',
  'device-of-ada',
  'client-event-of-ada',
];
const SPOKEN = randomBytes(32_000);

interface Application {
  readonly status: string;
  readonly candidateEmail: string | null;
  readonly trialSessions: readonly { readonly status: string; readonly evaluationId: string | null }[];
}

/** What a service and its owner have done to a data folder. */
interface Told {
  readonly org: string;
  readonly person: PersonId;
  readonly subject: string;
  readonly application: string;
  readonly session: string;
  readonly evaluation: string;
}

const filesIn = async (folder: string): Promise<readonly string[]> =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));

/** Which files hold any of these bytes; letters in either case. */
const holding = async (folder: string, needles: readonly (string | Buffer)[]): Promise<readonly string[]> => {
  const found: string[] = [];
  for (const file of await filesIn(folder)) {
    const bytes = await readFile(file).catch(() => Buffer.alloc(0));
    const text = bytes.toString('latin1').toLowerCase();
    for (const needle of needles) {
      const isIn =
        typeof needle === 'string'
          ? text.includes(needle.toLowerCase()) || bytes.includes(Buffer.from(needle, 'utf16le'))
          : bytes.includes(needle);
      if (isIn) found.push(`${file}: ${typeof needle === 'string' ? needle : 'bytes'}`);
    }
  }
  return found;
};

/** The whole log, decoded with every key that is left. */
const decoded = async (dataDir: string): Promise<readonly Stored[]> => {
  const dataKey = Buffer.from((await readFile(join(dataDir, 'data.key'), 'utf8')).trim(), 'base64');
  const vault = await openEmbeddedVault(join(dataDir, 'vault'), dataKey);
  const log = await openEmbeddedLog(join(dataDir, 'log'), { readOnly: true });
  try {
    const codec = createCodec(eventRegistry, new Sealer(vault));
    const events: Stored[] = [];
    for await (const recorded of log.readAll({})) {
      const event = await codec.decode(recorded);
      if (event.kind === 'event') events.push(event.event);
    }
    return events;
  } finally {
    await log.close();
    await vault.close();
  }
};

const mentions = (text: string, what: readonly string[]): readonly string[] =>
  what.filter((one) => text.toLowerCase().includes(one.toLowerCase()));

/** Somebody of whom there is everything: work, an interview, speech, an evaluation twice, an outcome, a shared report. */
const story = async (place: Place, service: Service): Promise<Told & { readonly owner: Person }> => {
  const api = new Api(service.url);
  const org = await createOrganisation(place.dataDir, 'Example', 'owner@example.org');
  const owner = await api.as('owner@example.org');
  await owner.get('/me');
  const at = (path: string) => `/organisations/${org}${path}`;
  const { body: role } = await owner.post<{ id: string }>(at('/roles'), definition());
  const { applicationId, sessionId } = await invite(owner, org, role.id, EMAIL);
  const ada = await api.as(EMAIL);
  ada.follow(owner);
  const { body: me } = await ada.get<{ subject: string }>('/me');
  const session = `/trial-sessions/${sessionId}`;
  await ada.post(`${session}/start`, { consent: true });
  const activity = (id: string, eventType: string, payload: object) => ({
    clientEventId: `client-event-of-ada-${id}`,
    eventType,
    occurredAt: new Date().toISOString(),
    payload,
  });
  await ada.post(`${session}/activity`, {
    events: [
      activity('1', 'test.run', { passed: 8, failed: 1, durationMs: 10 }),
      activity('2', 'message.sent', { text: 'I wrote a xylographic parser.', to: 'assistant' }),
      activity('3', 'custom.thing', { 'xylographic parser': true }),
    ],
  });
  const socket = (await openSocket(service.url, pathOf(sessionId, ada.token))) as TestSocket;
  socket.ready('device-of-ada');
  await socket.frame('question');
  socket.send({ type: 'message.text', id: 'm1', turn: 1, text: 'First of all: zanzibar marmalade.' });
  await socket.frame('transcript.final');
  socket.send({ type: 'session.end', id: 'm2' });
  await socket.closed;
  owner.follow(ada);
  const application = at(`/applications/${applicationId}`);
  const { evaluationId } = await eventually(async () => {
    const { body } = await owner.get<Application>(application);
    return body.trialSessions[0]?.evaluationId == null ? null : body.trialSessions[0];
  });
  const evaluation = at(`/evaluations/${evaluationId}`);
  const ready = (generation: number) =>
    eventually(async () => {
      const { body } = await owner.get<{ status: string; generation: number }>(evaluation);
      return body.status === 'ready' && body.generation === generation;
    });
  await ready(1);
  await owner.post(`${evaluation}/regenerations`);
  await ready(2);
  await owner.put(at(`/trial-sessions/${sessionId}/outcome`), {
    humanRound: 'passed',
    disposition: 'hired',
    reason: 'A perspicacious reading.',
  });
  await owner.get(`${evaluation}/explanation`);
  await owner.get(at('/applications'));
  await owner.post(`${evaluation}/share-links`, {});
  await ada.get('/me/export');
  const person = (await decoded(place.dataDir)).find(({ type }) => type === 'candidate.invited')?.person;
  return {
    org,
    owner,
    person: person as PersonId,
    subject: me.subject,
    application,
    session: at(`/trial-sessions/${sessionId}`),
    evaluation,
  };
};

/** Everything that the reactor has to tell was told. */
const settled = (owner: Person, application: string) =>
  eventually(async () => {
    const { body } = await owner.get<Application>(application);
    const { items } = (
      await owner.get<{ items: { candidateEmail: string | null }[] }>(
        `${application.split('/applications')[0] ?? ''}/evaluations`,
      )
    ).body;
    return body.status === 'erased' && items.every(({ candidateEmail }) => candidateEmail === null);
  });

/** Which streams end with their own event of the erasure. */
const told = async (dataDir: string, person: string): Promise<readonly string[]> =>
  (await decoded(dataDir))
    .filter((event) => event.person === person && event.type.endsWith('.erased'))
    .map(({ type }) => type)
    .sort();

const ALL = ['application.erased', 'candidate.erased', 'evaluation.erased', 'trial.erased'];

describe('what an erasure leaves in a data folder', () => {
  let place: Place;
  let service: Service;
  let ada: Awaited<ReturnType<typeof story>>;
  let output = '';
  let secrets: readonly Buffer[];
  let telling: readonly string[];
  let signal: string;

  const signalNow = async () => (await ada.owner.get(`/organisations/${ada.org}/signal`)).text;

  beforeAll(async () => {
    place = await makePlace({ LOG_LEVEL: 'trace' });
    service = await place.start();
    ada = await story(place, service);
    telling = [...TELLING, ada.subject];
    const beside = await openBeside(place.dataDir);
    // What was recorded of the interview's speech: it need not be heard to be searched for.
    const of = { person: ada.person, trialSessionId: ada.session.split('/').at(-1) ?? '' };
    const chunk = { turn: 1, firstSeq: 1, lastSeq: 1, timestampMs: 0, endOfTurn: true, answerGapMs: null };
    await beside.vault.audio.append(of, 0, { ...chunk, pcm: SPOKEN });
    const key = await beside.vault.keys.get(ada.person);
    await beside.close();
    const [keyFile] = (await filesIn(join(place.dataDir, 'vault', 'keys'))).filter((file) =>
      file.includes(ada.person),
    );
    secrets = [key?.kind === 'key' ? key.key : Buffer.of(), await readFile(keyFile!)];
    signal = await signalNow();
    // What is searched for is there to be found, while its key is.
    const before = JSON.stringify(await decoded(place.dataDir));
    expect(mentions(before, telling)).toEqual(telling);
    expect(
      mentions(JSON.stringify(await dumpViews(place.dataDir)), [...telling.slice(0, 4), ada.subject]),
    ).toHaveLength(5);
    expect(await holding(place.dataDir, [secrets[1]!.subarray(0, 60)])).toHaveLength(1);
    expect(await holding(place.dataDir, ['Backend engineer'])).not.toEqual([]);
    expect((await ada.owner.post(`${ada.application}/erasure`)).status).toBe(202);
    await settled(ada.owner, ada.application);
    await eventually(async () => (await told(place.dataDir, ada.person)).length === ALL.length);
  });
  afterAll(async () => {
    await service.stop();
    await place.remove();
  });

  it('is no byte that tells of the person, nor of the key, in any file, freed pages included', async () => {
    const needles = [...telling, SPOKEN.subarray(100, 164), ...secrets.map((one) => one.subarray(0, 32))];
    expect(await holding(place.dataDir, needles)).toEqual([]);
  });

  it('is nothing in the log decoded with every key left, nor in any view', async () => {
    expect(mentions(JSON.stringify(await decoded(place.dataDir)), telling)).toEqual([]);
    expect(mentions(JSON.stringify(await dumpViews(place.dataDir)), telling)).toEqual([]);
    expect(await told(place.dataDir, ada.person)).toEqual(ALL);
  });

  it('is the signal as it was', async () => {
    expect(await signalNow()).toBe(signal);
  });

  it('folds from the first event to the same views', async () => {
    await expectViewsToEqualAFoldFromZero({ DATA_DIR: place.dataDir });
  });

  it('is the same once the service has ended, and nothing was printed', async () => {
    await service.stop();
    output = service.output();
    expect(output).toContain('"port"');
    expect(mentions(output, telling)).toEqual([]);
    const needles = [...telling, ...secrets.map((one) => one.subarray(0, 32))];
    expect(await holding(place.dataDir, needles)).toEqual([]);
  });
});

describe('a restore from before an erasure', () => {
  let place: Place;
  let backups: string;
  let ada: Awaited<ReturnType<typeof story>>;

  beforeAll(async () => {
    place = await makePlace();
    backups = await mkdtemp(join(tmpdir(), 'assay-erasure-'));
    const service = await place.start();
    ada = await story(place, service);
    const saved = await AssayCommand.run(place.dataDir, ['backup', join(backups, 'older'), '--with-keys']);
    expect(saved.code).toBe(0);
    expect((await ada.owner.post(`${ada.application}/erasure`)).status).toBe(202);
    await service.stop();
  });
  afterAll(async () => {
    await place.remove();
    await rm(backups, { recursive: true, force: true });
  });

  it('with the tombstones erases again, in every stream, and leaves nobody readable', async () => {
    const dataDir = join(backups, 'restored');
    const done = await AssayCommand.run(dataDir, [
      'restore',
      join(backups, 'older'),
      '--tombstones',
      place.dataDir,
    ]);
    expect([done.code, done.stderr]).toEqual([0, expect.anything()]);
    expect(mentions(JSON.stringify(await decoded(dataDir)), [...TELLING, ada.subject])).toEqual([]);
    // So that the owner is the same to the restored service: its own provider is none of a backup's business.
    await copyFile(join(place.dataDir, 'development-issuer.json'), join(dataDir, 'development-issuer.json'));
    const service = await startService({ dataDir, env: place.env });
    try {
      const owner = await new Api(service.url).as('owner@example.org');
      await eventually(async () => (await told(dataDir, ada.person)).length === ALL.length);
      expect(await told(dataDir, ada.person)).toEqual(ALL);
      await settled(owner, ada.application);
      expect((await owner.get(ada.evaluation)).status).toBe(410);
      expect((await owner.post(`${ada.application}/erasure`)).status).toBe(202);
      await expectViewsToEqualAFoldFromZero({ DATA_DIR: dataDir });
      expect(await holding(dataDir, TELLING)).toEqual([]);
    } finally {
      await service.stop();
    }
  });
});

describe('a crash in the middle of an erasure', () => {
  const places: Place[] = [];
  afterAll(async () => {
    for (const place of places) await place.remove();
  });

  it.each(['key', 'file'])('before the %s has gone is gone on from by whoever starts next', async (where) => {
    const place = await makePlace({
      KILLED_BEFORE: where,
      NODE_OPTIONS: `--import ${resolve('dist/test/support/killed-in-erasure.js')}`,
    });
    places.push(place);
    const dying = await place.start();
    const ada = await story(place, dying);
    await expect(ada.owner.post(`${ada.application}/erasure`)).rejects.toThrow();
    expect((await dying.ended()).signal).toBe('SIGKILL');
    const hasKey = async () =>
      (await filesIn(join(place.dataDir, 'vault', 'keys'))).some((file) => file.includes(ada.person));
    expect(await hasKey()).toBe(true);
    const service = await startService({
      dataDir: place.dataDir,
      env: { ...place.env, NODE_OPTIONS: '', KILLED_BEFORE: '' },
    });
    try {
      const owner = new Person(new Api(service.url), ada.owner.email, ada.owner.token);
      await settled(owner, ada.application);
      await eventually(async () => (await told(place.dataDir, ada.person)).length === ALL.length);
      expect(await hasKey()).toBe(false);
      expect(existsSync(join(place.dataDir, 'vault', 'erased'))).toBe(true);
      expect((await owner.get(ada.evaluation)).status).toBe(410);
      expect((await owner.post(`${ada.application}/erasure`)).status).toBe(202);
      expect(await holding(place.dataDir, TELLING)).toEqual([]);
    } finally {
      await service.stop();
    }
  });
});
