import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { linesOn } from '../../src/operator/cli/progress.js';
import { simulate } from '../../tools/simulate/simulate.js';
import { Api, Person } from '../support/api.js';
import { type Described, type Document, operationsOf } from './document.js';
import { openPrepared, type Prepared } from './prepared.js';
import { runPython } from './python.js';
import { type Answered, openRecorder, type Recorder } from './recorder.js';
import { tour } from './tour.js';

const HERE = resolve('test/contract');

/** The operations, each with a pattern that its paths match. */
const matchersOf = (document: Document) =>
  operationsOf(document).map((operation: Described) => ({
    operation,
    pattern: new RegExp(`^${operation.path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  }));

describe('a client that openapi-python-client generates', () => {
  let folder: string;
  let prepared: Prepared;
  let recorder: Recorder;
  let document: Document;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'assay-python-client-'));
    prepared = await openPrepared();
    const { url } = prepared.stage.service;
    recorder = await openRecorder(url);
    document = (await (await fetch(`${url}/openapi.json`)).json()) as Document;
    await writeFile(join(folder, 'openapi.json'), JSON.stringify(document));
  });
  afterAll(async () => {
    await recorder.close();
    await prepared.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('is whole, and generated without a warning', async () => {
    const config = join(HERE, 'python-client.yaml');
    const { code, out, err } = await runPython(
      'openapi-python-client',
      [
        'generate',
        '--path',
        'openapi.json',
        '--output-path',
        'client',
        '--meta',
        'none',
        '--config',
        config,
        '--fail-on-warning',
      ],
      { cwd: folder },
    );
    expect([code, `${out}${err}`]).toEqual([0, 'Generating client\n']);
  });

  it('parses every answer of a simulated round and of every other operation', async () => {
    const { stage } = prepared;
    const differences = await simulate(
      {
        candidates: 3,
        seed: 7,
        urls: [recorder.url],
        issuer: `${stage.service.url}/issuer`,
        organisation: { id: stage.org, ownerEmail: stage.owner.email },
        pace: { expiresInMs: 600, pollMs: 50 },
      },
      () => undefined,
      linesOn(() => undefined),
    );
    expect(differences).toEqual([]);
    const api = new Api(recorder.url);
    const by = ({ email, token }: Person): Person => new Person(api, email, token);
    const stranger = by(await stage.signIn('stranger@example.org'));
    await tour(prepared, { owner: by(stage.owner), candidate: by(prepared.candidate), stranger });

    const matchers = matchersOf(document);
    const operationOf = ({ method, path }: Answered): string | undefined =>
      matchers.find(({ operation, pattern }) => operation.method === method && pattern.test(path))?.operation
        .id;
    const answers = recorder.answers.map((answer) => ({ ...answer, operation: operationOf(answer) }));
    expect(answers.filter(({ operation }) => operation === undefined)).toEqual([]);
    const succeeded = new Set(answers.filter(({ status }) => status < 300).map(({ operation }) => operation));
    expect(matchers.map(({ operation }) => operation.id).filter((id) => !succeeded.has(id))).toEqual([]);

    const lines = answers.map((answer) =>
      JSON.stringify({ ...answer, body: answer.body.toString('base64') }),
    );
    await writeFile(join(folder, 'answers.jsonl'), lines.join('\n'));
    const script = join(HERE, 'parse_answers.py');
    const { code, out, err } = await runPython('python', [script, 'answers.jsonl'], {
      cwd: folder,
      env: { PYTHONPATH: folder },
    });
    expect([code, `${out}${err}`]).toEqual([0, '']);
  });
});
