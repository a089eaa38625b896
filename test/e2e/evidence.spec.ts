import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { createPublicKey, verify } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StreamName } from '../../src/core/event-store.js';
import type { OperatorEvent } from '../../src/domain/operations/events.js';
import { collect } from '../contracts/event-store-kit.js';
import { eventually } from '../support/eventually.js';
import { work } from '../support/organisation.js';
import { type Candidate, joinStage, type Stage } from '../support/stage.js';

interface Evaluation {
  readonly status: string;
  readonly generation: number;
  readonly overallScore: number;
  readonly evidence: {
    readonly events: readonly { hash: string; sequenceNumber: number }[];
    readonly head: {
      readonly sequenceNumber: number;
      readonly hash: string;
      readonly resultHash: string;
      readonly signature: string;
      readonly keyId: string;
    } | null;
  };
}
interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}
type Jwk = Record<'kty' | 'crv' | 'x' | 'kid' | 'use' | 'alg', string>;

/** Runs a command. @returns its output and exit code, also if it fails */
const ran = (file: string, args: readonly string[], env: Record<string, string> = {}): Promise<Ran> =>
  new Promise((settle) => {
    execFile(
      process.execPath,
      [file, ...args],
      { env: { PATH: process.env.PATH, ...env } },
      (error, stdout, stderr) => settle({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });

describe('evidence over HTTP, at the operator’s and with an auditor', () => {
  let stage: Stage;
  let folder: string;
  let ada: Candidate;
  let unfinished: Candidate;
  let evaluation = '';

  const assay = (...args: string[]): Promise<Ran> =>
    ran('dist/bin/operator.js', ['evidence', ...args], { DATA_DIR: stage.service.dataDir });
  const audit = (...args: string[]): Promise<Ran> => ran('docs/verify-evidence.mjs', args);
  const ready = async (generation: number): Promise<Evaluation> =>
    eventually(async () => {
      const { body } = await stage.owner.get<Evaluation>(stage.at(`/evaluations/${evaluation}`));
      return body.status === 'ready' && body.generation === generation && body;
    });

  beforeAll(async () => {
    stage = await joinStage();
    folder = await mkdtemp(join(tmpdir(), 'assay-evidence-'));
    const role = await stage.role();
    [ada, unfinished] = [await stage.started(role), await stage.started(role)];
    await ada.person.post(`${ada.session}/activity`, work());
    await unfinished.person.post(`${unfinished.session}/activity`, work());
    await ada.person.post(`${ada.session}/complete`);
    stage.owner.follow(ada.person);
    const { body } = await stage.owner.get<{ trialSessions: { evaluationId: string }[] }>(ada.application);
    evaluation = body.trialSessions[0]!.evaluationId;
    await ready(1);
    await stage.owner.post(stage.at(`/evaluations/${evaluation}/regenerations`));
    await ready(2);
    ada.person.follow(stage.owner);
    const { body: contest } = await ada.person.post<{ id: string }>(
      `/me/evaluations/${evaluation}/contests`,
      { about: { kind: 'transcript' }, text: 'I said something else.' },
    );
    const path = `/evaluations/${evaluation}/contests/${contest.id}/answer`;
    stage.owner.follow(ada.person);
    expect((await stage.owner.post(stage.at(path), { text: 'We see.' })).status).toBe(200);
  }, 60_000);
  afterAll(async () => {
    await stage.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('verifies an evaluation’s head with the published keys, and nothing else', async () => {
    const published = await fetch(`${stage.service.url}/.well-known/evidence-keys.json`);
    expect(published.status).toBe(200);
    expect(published.headers.get('cache-control')).toBe('public, max-age=300');
    const { keys } = (await published.json()) as { keys: Jwk[] };
    expect(keys).toMatchObject([{ kty: 'OKP', crv: 'Ed25519', use: 'sig', alg: 'EdDSA' }]);
    expect(Object.keys(keys[0]!)).not.toContain('d');

    for (const generation of ['', '?generation=1', '?generation=2']) {
      const path = stage.at(`/evaluations/${evaluation}${generation}`);
      const { evidence } = (await stage.owner.get<Evaluation>(path)).body;
      const { head, events } = evidence;
      const last = events.at(-1)!;
      expect(head).toMatchObject({ sequenceNumber: last.sequenceNumber, hash: last.hash });
      const { kty, crv, x } = keys.find(({ kid }) => kid === head!.keyId)!;
      const over = ['assay.head.v1', String(head!.sequenceNumber), head!.hash, head!.resultHash];
      const bytes = over.flatMap((field) => [Buffer.from([0, 0, 0, field.length]), Buffer.from(field)]);
      const key = createPublicKey({ key: { kty, crv, x }, format: 'jwk' });
      const signature = Buffer.from(head!.signature, 'base64url');
      expect(verify(null, Buffer.concat(bytes), key, signature)).toBe(true);
    }
  });

  it('is verified beside the running service, all of it or one session', async () => {
    const all = await assay('verify');
    expect(all).toMatchObject({ code: 0, stderr: '' });
    expect(all.stdout).toContain('2 sessions, ');
    expect(all.stdout).toContain('2 signed results');
    expect(all.stdout).toContain('Every link is valid.');
    const one = await assay('verify', '--session', ada.sessionId, '--json');
    expect(JSON.parse(one.stdout)).toMatchObject({
      sessions: 1,
      results: 2,
      erased: 0,
      unopened: 0,
      broken: 0,
    });
  });

  it('names a session that there is not, and what it was called wrongly with', async () => {
    const unknown = await assay('verify', '--session', '0197a3b0-0000-7000-8000-00000000000a');
    expect(unknown).toMatchObject({ code: 1, stdout: '' });
    expect(unknown.stderr).toMatch(/^There is no evidence of a session "0197a3b0-/);
    expect(await assay('verify', '--session', '')).toMatchObject({ code: 2 });
    expect(await assay('verify', '--sessions', 'x')).toMatchObject({ code: 2 });
    expect(await assay('export', '--session', 'x')).toMatchObject({ code: 2 });
    const none = await assay('export', '--session', 'no such', '--out', join(folder, 'none'));
    expect(none).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('There is no evidence of a session'),
    });
    expect(await readdir(folder)).toEqual([]);
  });

  it('trusts no key but its own, and former ones that are named', async () => {
    const foreign = { DATA_DIR: stage.service.dataDir, SIGNING_KEY: Buffer.alloc(32, 3).toString('base64') };
    const strange = await ran('dist/bin/operator.js', ['evidence', 'verify', '--json'], foreign);
    expect(strange.code).toBe(1);
    const [line = ''] = strange.stdout.split('\n');
    expect(JSON.parse(line)).toMatchObject({
      broken: { session: ada.sessionId, stream: `evaluation-${evaluation}`, number: 1 },
    });
    const { keys } = (await (await fetch(`${stage.service.url}/.well-known/evidence-keys.json`)).json()) as {
      keys: Jwk[];
    };
    const former = { ...foreign, FORMER_SIGNING_KEYS: keys[0]!.x };
    expect(await ran('dist/bin/operator.js', ['evidence', 'verify'], former)).toMatchObject({ code: 0 });
  });

  it('exports a bundle that an auditor verifies, readable by its owner alone, and records it', async () => {
    const out = join(folder, 'bundle');
    const exported = await assay('export', '--session', ada.sessionId, '--out', out, '--json');
    expect(exported).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(exported.stdout)).toMatchObject({ folder: out, evaluationId: evaluation, unread: 0 });
    expect((await readdir(out)).sort()).toEqual(['README', 'SHA256SUMS', 'evaluation.json', 'events.jsonl']);
    expect((await stat(out)).mode & 0o777).toBe(0o700);
    for (const name of await readdir(out)) expect((await stat(join(out, name))).mode & 0o777).toBe(0o600);
    const { body } = await stage.owner.get<Evaluation>(stage.at(`/evaluations/${evaluation}`));
    const shown = JSON.parse(await readFile(join(out, 'evaluation.json'), 'utf8')) as object;
    expect(shown).toMatchObject({ generation: 2, overallScore: body.overallScore, head: body.evidence.head });

    const lines = (await readFile(join(out, 'events.jsonl'), 'utf8')).trimEnd().split('\n');
    expect(lines.slice(-2).map((line) => JSON.parse(line) as object)).toMatchObject([
      {
        of: 'evaluation',
        type: 'evaluation.contested',
        personal: { text: expect.stringContaining('I said') },
      },
      { of: 'evaluation', type: 'evaluation.contest_answered', actor: { type: 'staff' }, signature: null },
    ]);

    const published = join(folder, 'keys.json');
    await writeFile(
      published,
      await (await fetch(`${stage.service.url}/.well-known/evidence-keys.json`)).text(),
    );
    const audited = await audit(out, '--keys', published);
    expect(audited).toMatchObject({ code: 0, stderr: '' });
    expect(audited.stdout).toMatch(/The evidence holds\.\n$/);
    expect(audited.stdout).not.toContain('not checked');

    const again = await assay('export', '--session', ada.sessionId, '--out', out);
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('exists already') });
    const log = await stage.log();
    const acts = (await collect(log.readStream('operator-log' as StreamName)))
      .map(({ data }) => JSON.parse(Buffer.from(data).toString()) as OperatorEvent['data'])
      .filter((data) => 'action' in data && data.action === 'evidence.exported');
    expect(acts).toEqual([
      {
        action: 'evidence.exported',
        details: { organisationId: stage.org, trialSessionId: ada.sessionId, evaluationId: evaluation },
      },
    ]);
  });

  it('exports a session that is not completed, without an evaluation', async () => {
    const out = join(folder, 'unfinished');
    const exported = await assay('export', '--session', unfinished.sessionId, '--out', out);
    expect(exported).toMatchObject({ code: 0, stderr: '' });
    expect(exported.stdout).toContain('was not completed');
    expect(existsSync(join(out, 'evaluation.json'))).toBe(false);
    const audited = await audit(out);
    expect(audited).toMatchObject({ code: 0, stdout: expect.stringContaining('there is no result') });
  });

  it('lists the export among the reads of the evaluation', async () => {
    const path = stage.at(`/evaluations/${evaluation}/reads?limit=200`);
    const { body } = await stage.owner.get<{ items: { actor: object }[] }>(path);
    expect(body.items.map(({ actor }) => actor)).toContainEqual({ type: 'operator', id: 'assay' });
  });

  it('holds after the erasure, at the operator’s and in a bundle', async () => {
    expect((await stage.owner.post(`${ada.application}/erasure`)).status).toBe(202);
    const report = await eventually(async () => {
      const { code, stdout } = await assay('verify', '--session', ada.sessionId, '--json');
      const counts = JSON.parse(stdout) as { events: number; erased: number };
      // The events of before, and the last ones of the session's stream and of the evaluation's.
      return counts.events === 14 && { code, ...counts };
    });
    expect(report).toMatchObject({ code: 0, results: 2, asWritten: 0, unopened: 0, broken: 0 });
    expect(report.erased).toBeGreaterThan(5);
    const out = join(folder, 'erased');
    expect(await assay('export', '--session', ada.sessionId, '--out', out)).toMatchObject({ code: 0 });
    for (const name of await readdir(out))
      expect(await readFile(join(out, name), 'utf8')).not.toMatch(/The parser drops|candidate-1@/);
    const audited = await audit(out);
    expect(audited.stdout).toContain(`${report.erased} personal parts that can no longer be read`);
    expect(audited.code).toBe(0);
  });
});
