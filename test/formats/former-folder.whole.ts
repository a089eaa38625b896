import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { openEmbeddedLog } from '../../src/stores/lmdb/log/log.js';
import { Api, type Person } from '../support/api.js';
import { assay } from '../support/assay.js';
import { eventuallyHolds } from '../support/eventually.js';
import { type Service, startService, wrongClock } from '../support/service.js';
import { packed, packFolder, unpacked, unpackFolder } from './kept-folder.js';
import { atAnyAddress, makeFolder, type Made } from './make-folder.js';

/**
 * A data folder that a former build has made, and that build's answers. `FORMER_FOLDER=write` makes both with the current
 * build: only for the case that the old folder can no longer be read at all.
 */
const FOLDER = resolve('test/formats/former-folder.br');
const EXPECTED = resolve('test/formats/former-answers.br');

interface Expected {
  readonly made: Made;
  /** Status and text of each answer, by caller and path. */
  readonly answers: Readonly<Record<string, string>>;
}

/**
 * Events that the service appends by itself because it has other views or reactors than the former build. A new reactor
 * is installed at the end of the log, so that it does not act on earlier events.
 */
const OF_THIS_BUILD = new Set(['generation.promoted', 'operation.ended', 'reactor.installed']);

/** An answer's status and body, parsed if it is JSON, without the request's id. */
const parsed = (answer: string): unknown => {
  const [, status, text = ''] = /^(\d+) ([^]*)$/.exec(answer) ?? [];
  if (!/^[[{]/.test(text)) return [status, text];
  return [
    status,
    JSON.parse(text, (name, value: unknown) => (isOfThisBuild(name, value) ? undefined : value)),
  ];
};

/** Fields that may differ: a request's id, and the service's own notice, which depends on the build. */
const isOfThisBuild = (name: string, value: unknown): boolean =>
  name === 'requestId' || (name === 'notice' && /"version":"default-/.test(JSON.stringify(value)));

describe('a data folder of a former build', () => {
  let root: string;
  let dataDir: string;
  let made: Made;
  let answers: Expected['answers'];
  let service: Service;
  let owner: Person;
  let candidate: Person;

  const begin = async (): Promise<void> => {
    // The clock continues at the time of the stop: nothing in the folder has become due since.
    const env = wrongClock(Date.parse(made.at) + 5_000 - Date.now());
    service = await startService({
      dataDir,
      env: { RATE_LIMITS: 'off', LOG_LEVEL: 'warn', WEBHOOK_ALLOW_PRIVATE: 'on', ...env },
    });
    const api = new Api(service.url);
    owner = await api.as(made.owner);
    candidate = await api.as(made.candidate);
  };

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'assay-former-'));
    dataDir = join(root, 'data');
    if (process.env['FORMER_FOLDER'] === 'write' || !existsSync(FOLDER)) {
      made = await makeFolder(join(root, 'made'));
      await packFolder(join(root, 'made'), FOLDER);
      await unpackFolder(FOLDER, dataDir);
      await begin();
      await writeFile(EXPECTED, await packed(JSON.stringify({ made, answers: await ask() })));
      await service.stop();
      await rm(dataDir, { recursive: true });
    }
    const expected = JSON.parse((await unpacked(await readFile(EXPECTED))).toString()) as Expected;
    ({ made, answers } = expected);
    await unpackFolder(FOLDER, dataDir);
    before = await eventsOf(dataDir);
    await begin();
  });
  afterAll(async () => {
    await service.stop();
    await rm(root, { recursive: true, force: true });
  });

  let before: readonly string[];
  const eventsOf = async (folder: string): Promise<readonly string[]> => {
    const log = await openEmbeddedLog(join(folder, 'log'), { readOnly: true });
    const types: string[] = [];
    for await (const { type } of log.readAll({})) types.push(type);
    await log.close();
    return types;
  };
  /** The types of the events that were appended since the folder was made. */
  const appended = async (): Promise<readonly string[]> =>
    (await eventsOf(dataDir)).slice(before.length).filter((type) => !OF_THIS_BUILD.has(type));

  const at = (path = ''): string => `/organisations/${made.organisationId}${path}`;

  /** Reads everything about the organisation. */
  const ask = async (): Promise<Readonly<Record<string, string>>> => {
    const all = (name: string): readonly string[] => made.ids[name] ?? [];
    const moment = encodeURIComponent(made.at);
    const ofStaff = [
      ...['', '/members', '/roles', '/tickets', '/applications', '/evaluations', '/signal', '/audit'],
      ...['/webhooks', `/signal/history?at=${moment}`],
    ].map((path) => at(path));
    for (const id of all('evaluationId'))
      for (const path of ['/reads', '', '/explanation', `/history?at=${moment}`, '/share-links', '/contests'])
        ofStaff.push(at(`/evaluations/${id}${path}`));
    for (const id of all('applicationId'))
      for (const path of ['', '/mails']) ofStaff.push(at(`/applications/${id}${path}`));
    for (const id of all('roleId')) ofStaff.push(at(`/roles/${id}`));
    for (const id of all('webhookId')) ofStaff.push(at(`/webhooks/${id}/deliveries`));
    ofStaff.push(at(`/trial-sessions/${all('trialSessionId')[1] ?? ''}/audio/1`));
    const ofCandidate = ['/me', '/me/evaluations', '/.well-known/evidence-keys.json'];
    for (const id of all('trialSessionId'))
      for (const path of ['', '/briefing', '/receipts?id=e0&id=e4&id=none'])
        ofCandidate.push(`/trial-sessions/${id}${path}`);
    const found: Record<string, string> = {};
    for (const [person, paths] of [
      [owner, ofStaff],
      [candidate, ofCandidate],
    ] as const)
      for (const path of paths) {
        // Retries, as clients do: this build may still be building its views.
        let answer = await person.get(path);
        await eventuallyHolds(async () => {
          if (answer.status === 503) answer = await person.get(path);
          return answer.status !== 503;
        });
        const { status, text } = answer;
        found[`${person.email} ${path}`] = `${status} ${atAnyAddress(text)}`;
      }
    return found;
  };

  it('gives the same answers as that build, every figure equal', async () => {
    const found = await ask();
    expect(Object.keys(found)).toEqual(Object.keys(answers));
    // Fields may have been added since, but none left out or changed.
    for (const [path, answer] of Object.entries(answers))
      expect([path, parsed(found[path] ?? '')]).toMatchObject([path, parsed(answer)]);
    expect(Object.values(answers).filter((answer) => answer.startsWith('200 ')).length).toBeGreaterThan(60);
  });

  it('holds in its evidence, and its documents are what the log makes of them', async () => {
    const said = async (...args: readonly string[]): Promise<string> => {
      const { code, out, err } = await assay({ DATA_DIR: dataDir }, ...args);
      return code === 0 ? '' : out + err;
    };
    expect(await said('evidence', 'verify')).toBe('');
    let compared = '';
    // Views whose fold has changed are rebuilt while the service runs.
    await eventuallyHolds(async () => {
      compared = await said('projections', 'verify', '--all');
      return !compared.includes('was built by another version');
    }, 60_000);
    expect(compared).toBe('');
  });

  it('makes the service repeat nothing: no work, no record, no message', async () => {
    expect(await appended()).toEqual([]);
  });

  it('answers every command that is sent again under its key with the former answer', async () => {
    for (const { by, method, path, body: sent, key, status, answer } of made.sent) {
      const person = by === owner.email ? owner : candidate;
      const again = await person.send(method, path, sent, { 'idempotency-key': key });
      const body = JSON.parse(atAnyAddress(JSON.stringify(again.body))) as unknown;
      expect([path, again.status, body]).toMatchObject([path, status, answer]);
    }
    expect(await appended()).toEqual([]);
  });

  it('still finds persons by their address, and a report by its token', async () => {
    const [invited] = made.sent.filter(({ path }) => path.endsWith('/invitations'));
    const { candidateId } = invited?.answer as { readonly candidateId: string };
    const role = (made.sent[0]?.answer as { readonly id: string }).id;
    const email = (invited?.body as { readonly candidateEmail: string }).candidateEmail;
    const path = at(`/roles/${role}/invitations`);
    const { status, body } = await owner.post(path, { candidateEmail: email.toUpperCase() });
    expect([status, body]).toMatchObject([201, { candidateId }]);
    expect((await candidate.get(`/shared/reports/${made.ids['token']?.[0] ?? ''}`)).status).toBe(200);
  });
});
