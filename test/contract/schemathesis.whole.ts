import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Document, operationsOf } from './document.js';
import { openPrepared, type Prepared } from './prepared.js';
import { runPython } from './python.js';

const HERE = resolve('test/contract');

/** Fixed in CI, random elsewhere. Set SCHEMATHESIS_SEED to repeat a run. */
const SEED =
  process.env['SCHEMATHESIS_SEED'] ?? (process.env['CI'] ? '1' : `${Math.floor(Math.random() * 2 ** 32)}`);

/** SCHEMATHESIS_SECONDS: sends new data for so many seconds, instead of one round of each phase. */
const SECONDS = process.env['SCHEMATHESIS_SECONDS'];
const EXAMPLES = '10';
/** One caller takes some minutes on a busy machine. */
const WAIT_LIMIT_MS = (Number(SECONDS ?? 0) + 1_500) * 1000;

/** Paths that only the candidate of the record may use. */
const OWN = /^\/(trial-sessions|applications|me\/evaluations)\/\{/;

/** By operation, how often each status was answered. */
type Reached = Readonly<Record<string, Readonly<Record<string, number>>>>;

const succeeded = (reached: Reached): readonly string[] =>
  Object.keys(reached).filter((id) => Object.keys(reached[id] ?? {}).some((status) => status < '300'));

describe.each(['owner', 'candidate', 'nobody'] as const)('schemathesis, as %s', (caller) => {
  let folder: string;
  let prepared: Prepared;
  let all: readonly string[];
  /** The ids of the operations that the caller may use. */
  let open: readonly string[];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'assay-schemathesis-'));
    prepared = await openPrepared();
    const document = (await (await fetch(`${prepared.stage.service.url}/openapi.json`)).json()) as Document;
    await writeFile(join(folder, 'openapi.json'), JSON.stringify(document));
    const operations = operationsOf(document);
    all = operations.map(({ id }) => id);
    open = operations
      .filter(
        ({ path, isPublic }) =>
          ({
            owner: !OWN.test(path),
            candidate: !path.startsWith('/organisations/'),
            nobody: isPublic,
          })[caller],
      )
      .map(({ id }) => id);
  });
  afterAll(async () => {
    await prepared.close();
    await rm(folder, { recursive: true, force: true });
  });

  /**
   * Writes the files that the run reads. If the caller is signed in, they name a second user too: the run checks that
   * this user gets none of the caller's records.
   */
  const configure = async (): Promise<void> => {
    const { stage, candidate, receiver, mailed, expendable, handedIn, inviting, ids: values } = prepared;
    const only = {
      'applications.cancel': { applicationId: expendable },
      'applications.erase': { applicationId: expendable },
      'applications.resendMail': { applicationId: [mailed] },
      // The other applications have ended.
      'applications.remind': { applicationId: values['applicationId']?.slice(-2) },
      'applications.extend': { applicationId: values['applicationId']?.slice(-2) },
      'applications.setAccommodations': { applicationId: values['applicationId']?.slice(-2) },
      'applications.liftSignInLock': { applicationId: values['applicationId']?.slice(-2) },
      'ownApplications.requestErasure': { applicationId: values['applicationId']?.slice(-2) },
      'ownApplications.requestAccommodation': { applicationId: values['applicationId']?.slice(-2) },
      'shareLinks.revoke': { evaluationId: values['evaluationId']?.slice(0, 1) },
      'evaluations.answerContest': { evaluationId: values['evaluationId']?.slice(0, 1) },
      // The only session that takes a hand-in.
      ...Object.fromEntries(
        all.filter((id) => id.startsWith('handIns.')).map((id) => [id, { trialSessionId: [handedIn] }]),
      ),
      // Few random bodies are valid here (a CSV; an invitation that repeats no other application).
      ...Object.fromEntries(
        ['imports.begin', 'applications.invite', 'applications.inviteMany'].map((id) => [
          id,
          { roleId: [inviting] },
        ]),
      ),
      'recordings.read': { trialSessionId: values['trialSessionId']?.slice(1, 2) },
    };
    const input = { values: { ...values, 'If-Match': ['*', '"1"', '"2"'] }, only, receiver: receiver.url };
    await writeFile(join(folder, 'prepared.json'), JSON.stringify(input));
    const closed = JSON.stringify(all.filter((id) => !open.includes(id)));
    // The service refuses the caller before it reads anything else of these requests: random data is enough.
    const fewer = `\n[[operations]]\ninclude-operation-id = ${closed}\nphases.coverage.enabled = false\n`;
    const config = (await readFile(join(HERE, 'schemathesis.toml'), 'utf8')) + fewer;
    const peers = '\n[auth.wfc]\npath = "users.json"\nuser = "caller"\npeers = ["caller", "stranger"]\n';
    await writeFile(join(folder, 'schemathesis.toml'), caller === 'nobody' ? config : config + peers);
    if (caller === 'nobody') return;
    const stranger = await stage.signIn('stranger@example.org');
    const users = { caller: { owner: stage.owner, candidate }[caller], stranger };
    const auth = Object.entries(users).map(([name, { token }]) => ({
      name,
      fixedHeaders: [{ name: 'Authorization', value: `Bearer ${token}` }],
    }));
    await writeFile(join(folder, 'users.json'), JSON.stringify({ auth }));
  };

  it(
    'finds no fault, and reaches what the caller may do',
    async () => {
      await configure();
      const { code, out, err } = await runPython(
        'schemathesis',
        [
          ...[
            '--config-file',
            'schemathesis.toml',
            'run',
            'openapi.json',
            '--url',
            prepared.stage.service.url,
          ],
          ...['--no-color', '--generation-database', 'none', '--seed', SEED],
          ...(SECONDS === undefined ? ['--max-examples', EXAMPLES] : ['--max-time', SECONDS]),
        ],
        {
          cwd: folder,
          patienceMs: WAIT_LIMIT_MS,
          env: {
            SCHEMATHESIS_HOOKS: 'schemathesis_hooks',
            PYTHONPATH: HERE,
            ASSAY_PREPARED: 'prepared.json',
            ASSAY_REACHED: 'reached.json',
          },
        },
      );
      if (code !== 0) throw new Error(`SCHEMATHESIS_SEED=${SEED}\n${out}${err}`);
      const reached = JSON.parse(await readFile(join(folder, 'reached.json'), 'utf8')) as Reached;
      expect(Object.keys(reached).sort()).toEqual([...all].sort());
      expect([...succeeded(reached)].sort()).toEqual([...open].sort());
    },
    WAIT_LIMIT_MS,
  );
});
