import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
// eslint-disable-next-line no-restricted-imports -- the bare driver
import { Binary, MongoClient } from 'mongodb';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packZipHere } from '../../src/work/archives.js';
import { treeOf } from '../../src/work/tree.js';
import { type Evaluated, evaluationOf, resultsIn, roleWith } from '../support/checked-tickets.js';
import { eventually } from '../support/eventually.js';
import { missingForMongoServer } from '../support/mongodb/server.js';
import { announceFile, sendFile } from '../support/send-file.js';
import { startService } from '../support/service.js';
import { type Candidate, type Failure, type Stage, stageOn } from '../support/stage.js';
import { program } from '../support/written-work.js';
import { type Servers, startServers } from './both.js';

const EXAMPLE = 'docs/examples/javascript';
/** The name of a file that only one candidate hands in. */
const TELLING = 'zanzibar-marmalade.js';
/** An archive that is refused, of the same candidate. */
const REFUSED = 'zanzibar-quince.zip';
const WAIT_LIMIT_MS = 60_000;

interface Checked {
  readonly outcome: string;
  readonly output: string | null;
  readonly tests: readonly { readonly status: string; readonly hidden: boolean }[];
}
interface Finding {
  readonly kind: string;
}
type Read = Evaluated & { readonly integrity: readonly Finding[] };

const lack = missingForMongoServer();
const aKey = () => randomBytes(32).toString('base64');

(lack === null ? describe : describe.skip)('work and its checks on EventStoreDB and MongoDB', () => {
  let folder: string;
  let servers: Servers;
  let env: Readonly<Record<string, string>>;
  let stage: Stage;
  let ticketId: string;
  let roleId: string;
  let right: Candidate;
  let handInId: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'assay-checked-work-'));
    servers = await startServers({ dataDir: join(folder, 'servers'), eventStore: {}, mongo: {} });
    env = {
      DATA_DIR: join(folder, 'service'),
      EVENTSTORE_URL: `esdb://127.0.0.1:${servers.eventStore!.port}?tls=false`,
      MONGODB_URL: `mongodb://127.0.0.1:${servers.mongo!.port}/assay`,
      ...{ DATA_KEY: aKey(), SIGNING_KEY: aKey() },
    };
    const service = await startService({
      dataDir: join(folder, 'service'),
      env: {
        ...env,
        ...{ RATE_LIMITS: 'off', LOG_LEVEL: 'warn', CHECKER: 'command', CHECKER_ISOLATION: 'separate' },
        CHECKER_COMMAND: `test ! -e ${join(folder, 'broken')} && ${process.execPath} dist/bin/checker.js "$@"`,
      },
    });
    stage = await stageOn(service, { where: env });
    const body = JSON.parse(await readFile(`${EXAMPLE}/ticket.json`, 'utf8')) as object;
    ticketId = (await stage.owner.post<{ id: string }>(stage.at('/tickets'), body)).body.id;
    const starter = await fileSet('starter/main.mjs');
    const visible = await fileSet('visible/till.check.mjs');
    const hidden = await fileSet('hidden/till.check.mjs');
    const checks = { visible, hidden, slug: 'till', isolation: 'separate' };
    expect((await stage.owner.patch(stage.at(`/tickets/${ticketId}`), { starter, checks })).status).toBe(200);
    roleId = await roleWith(stage, [ticketId]);
  });
  afterAll(async () => {
    await stage.close();
    await servers.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const fileSet = async (file: string): Promise<string> =>
    sendFile(
      stage.owner,
      stage.at(`/tickets/${ticketId}/file-sets`),
      file.split('/').at(-1) ?? '',
      await readFile(`${EXAMPLE}/${file}`),
    );
  const started = async (): Promise<Candidate> => {
    const who = await stage.candidate(roleId);
    const { body } = await who.person.get<{ notice: { version: string } }>(`${who.session}/briefing`);
    await who.person.post(`${who.session}/start`, { consent: true, noticeVersion: body.notice.version });
    return who;
  };
  /** @param work a folder of the example @param own the number of a generated program beside it */
  const handIn = async ({ person, session }: Candidate, work: string, own: number, name: string) => {
    const files = [
      { path: 'main.mjs', content: await readFile(`${EXAMPLE}/${work}/main.mjs`) },
      { path: name, content: Buffer.from(program(own)) },
    ];
    return sendFile(
      person,
      `${session}/tickets/${ticketId}/hand-ins`,
      'work.zip',
      await packZipHere(treeOf(files)),
    );
  };
  /** Announces a hand-in that is no archive. @returns its path, and a function that sends it from two tabs at once */
  const noArchive = async ({ person, session }: Candidate, name: string) => {
    const bytes = Buffer.from(`PK\x03\x04 but no zip: ${name}`);
    const path = `${session}/tickets/${ticketId}/hand-ins`;
    const handIn = `${path}/${await announceFile(person, path, name, bytes)}`;
    const send = async (): Promise<string> => {
      await person.post(`${handIn}/pieces`, { offset: 0, data: bytes.toString('base64') });
      const tab = () => person.post<Failure>(`${handIn}/complete`);
      const tabs = await Promise.all([tab(), tab()]);
      const error = tabs[0].body.error;
      for (const { status, body } of tabs)
        expect({ status, ...body }).toMatchObject({ status: 400, code: 'work_refused', error });
      return error;
    };
    return { handIn, send };
  };
  const complete = async ({ person, session }: Candidate) =>
    expect((await person.post(`${session}/complete`)).status).toBe(200);
  const ready = (who: Candidate, generation = 1): Promise<Read> =>
    eventually(async () => {
      const found = await evaluationOf(stage, who);
      return found.status === 'ready' && found.generation === generation && (found as Read);
    }, WAIT_LIMIT_MS);
  const correctness = ({ scores }: Evaluated) => scores[0]!.score;
  const copied = ({ integrity }: Read) =>
    integrity.filter(({ kind }) => kind === 'copied_from_other_hand_in');
  const operator = async <T>(...args: readonly string[]): Promise<T> => {
    const command = ['dist/bin/operator.js', ...args, '--json'];
    const { stdout } = await promisify(execFile)(process.execPath, command, {
      env: { PATH: process.env.PATH, ...env },
    });
    return JSON.parse(stdout) as T;
  };

  it('give right, half-right and no work the figures that were computed by hand', async () => {
    right = await started();
    await (await noArchive(right, REFUSED)).send();
    handInId = await handIn(right, 'solution', 2, TELLING);
    const half = await started();
    await handIn(half, 'half', 3, 'own.js');
    const nothing = await started();
    for (const who of [right, half, nothing]) await complete(who);
    const [all, some, none] = [await ready(right), await ready(half), await ready(nothing)];
    expect([all, some, none].map(correctness)).toEqual([100, 60, 0]);
    expect(resultsIn(some).at(-1)).toMatchObject({
      payload: { visible: { passed: 2, failed: 0 }, hidden: { passed: 2, failed: 2 } },
    });
    expect(copied(all)).toEqual([]);
    expect(copied(some)).toEqual([]);
  });

  it('are read by staff: the files, the difference to the starter, each test', async () => {
    const at = stage.at(`/trial-sessions/${right.sessionId}/hand-ins/${handInId}`);
    const { body } = await stage.owner.get<{ files: readonly { path: string }[] }>(at);
    expect(body.files.map(({ path }) => path)).toEqual(['main.mjs', TELLING]);
    const difference = await stage.owner.get<{ files: readonly { path: string }[] }>(`${at}/difference`);
    expect(difference.body.files.map(({ path }) => path)).toEqual(['main.mjs', TELLING]);
    expect((await stage.owner.get(`${at}/file?path=${TELLING}`)).text).toBe(program(2));
    const checks = await stage.owner.get<{ all: Checked }>(`${at}/checks`);
    expect(checks.body.all).toMatchObject({ outcome: 'checked', output: expect.any(String) });
    expect(checks.body.all.tests.map(({ status, hidden }) => [status, hidden])).toEqual(
      [false, false, true, true, true, true].map((hidden) => ['pass', hidden]),
    );
  });

  it('are refused once, in the open session and after its end, and hold up no evaluation', async () => {
    const who = await started();
    const within = await noArchive(who, 'within.zip');
    const late = await noArchive(who, 'late.zip');
    const sentence = await within.send();
    const arrived = await handIn(who, 'solution', 4, 'mine.js');
    await complete(who);
    // The hand-in may still arrive for ten minutes after the completion.
    expect((await evaluationOf(stage, who)).status).toBe('generating');
    expect(await late.send()).toBe(sentence);
    const found = await ready(who);
    expect(correctness(found)).toBe(100);
    const refusals = found.evidence.events.filter(({ eventType }) => eventType === 'work.refused');
    expect(refusals).toMatchObject(
      [within, late].map(({ handIn: path }) => ({
        source: 'service',
        payload: { handInId: path.split('/').at(-1), ticketId, reason: 'work_refused', message: sentence },
      })),
    );
    for (const { handIn: path } of [within, late]) {
      const shown = await who.person.get<object>(path);
      expect(shown.body).toMatchObject({ status: 'refused', received: 0, refusal: sentence, files: null });
      const again = await who.person.post<Failure>(`${path}/complete`);
      expect([again.status, again.body.error]).toEqual([400, sentence]);
    }
    const staffs = stage.at(`/trial-sessions/${who.sessionId}/hand-ins`);
    const { body } = await stage.owner.get<{ items: { id: string; status: string }[] }>(staffs);
    const taken = body.items.filter(({ status }) => status !== 'refused');
    expect([body.items.length, taken]).toMatchObject([3, [{ id: arrived, status: 'handed_in' }]]);
    expect(await operator('evidence', 'verify', '--session', who.sessionId)).toMatchObject({ broken: 0 });
  });

  it('are listed if they failed, and run again once the cause is removed', async () => {
    const copier = await started();
    const copy = await handIn(copier, 'solution', 2, 'mine.js');
    await writeFile(join(folder, 'broken'), '');
    await complete(copier);
    const failed = await ready(copier);
    // The finding of copied work is made even if the checks failed.
    expect(copied(failed)).toHaveLength(1);
    expect(resultsIn(failed).at(-1)).toMatchObject({ payload: { outcome: 'error', reason: 'failed' } });
    const listed = () => operator<{ checks: readonly object[] }>('checks', 'list');
    expect((await listed()).checks).toMatchObject([
      { state: 'failed', handInId: copy, trialSessionId: copier.sessionId, reason: 'failed', attempts: 1 },
    ]);
    await rm(join(folder, 'broken'));
    expect(await operator('checks', 'again', failed.id)).toMatchObject({ generation: 2, checks: 1 });
    const again = await ready(copier, 2);
    expect(correctness(again)).toBe(100);
    expect(copied(again)).toHaveLength(1);
    expect((await listed()).checks).toEqual([]);
  });

  it('leave no byte in any collection of MongoDB once their candidate is erased', async () => {
    const client = await MongoClient.connect(env['MONGODB_URL']!);
    try {
      const db = client.db();
      const holding = async (needles: readonly string[]): Promise<readonly string[]> => {
        const names = (await db.listCollections().toArray()).map(({ name }) => name);
        const found = await Promise.all(
          names.map(async (name) => {
            const documents = JSON.stringify(await db.collection(name).find().toArray());
            return needles.some((needle) => documents.includes(needle)) ? [name] : [];
          }),
        );
        return found.flat().sort();
      };
      const files = await db
        .collection('vault_files')
        .find({ session: new RegExp(handInId) })
        .toArray();
      const person = String(files[0]?.['person']);
      const keys = await db.collection<{ _id: string }>('vault_keys').find({ _id: person }).toArray();
      // The hand-in, its fingerprints and the key, as they are stored.
      const sealed = [...files, ...keys].flatMap((one) =>
        Object.values(one).flatMap((value: unknown) =>
          value instanceof Binary && value.length() >= 32 ? [value.toString('base64')] : [],
        ),
      );
      expect(files.length).toBeGreaterThan(1);
      expect(await holding(sealed)).toEqual(['vault_files', 'vault_keys']);

      expect((await stage.owner.post(`${right.application}/erasure`)).status).toBe(202);
      await eventually(async () => {
        const { body } = await stage.owner.get<{ status: string }>(right.application);
        return body.status === 'erased' && !(await holding([person])).includes('vault_files');
      });
      expect(await holding([...sealed, TELLING, REFUSED, right.email])).toEqual([]);
    } finally {
      await client.close();
    }
  });
});
