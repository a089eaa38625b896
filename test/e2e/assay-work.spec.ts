import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { appendFile, cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkedWork, recordCheck } from '../../src/domain/session/check-decider.js';
import { Api, Person } from '../support/api.js';
import { candidateToken, mailsTo } from '../support/candidate-sign-in.js';
import { DevicePage } from '../support/device-sign-in.js';
import { eventually } from '../support/eventually.js';
import { createOrganisation, definition, invite } from '../support/organisation.js';
import { openBeside } from '../support/recorded-interview.js';
import { sendFile } from '../support/send-file.js';
import { type Service, startService } from '../support/service.js';
import { Browser } from '../support/sign-in-client.js';
import { type MailServer, openMailServer } from '../support/smtp.js';
import { WorkProgram } from '../support/work-program.js';

interface Evidence {
  readonly eventType: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

describe('the program for candidates who work in their own editor', () => {
  let mails: MailServer;
  let dataDir: string;
  let service: Service;
  let owner: Person;
  let candidate: Person;
  let org: string;
  let link: string;
  let sessionId: string;
  let ticketId: string;
  let program: WorkProgram;
  const email = 'carol@example.org';

  const evidence = async (type: string): Promise<readonly Evidence['payload'][]> => {
    const exported = (await candidate.get<object>('/me/export')).body;
    const events: Evidence[] = [];
    JSON.stringify(exported, (_key, value: unknown) => {
      if (typeof value === 'object' && value !== null && 'eventType' in value && 'payload' in value)
        events.push(value as Evidence);
      return value;
    });
    return events.filter(({ eventType }) => eventType === type).map(({ payload }) => payload);
  };

  const ticketWithChecks = async (): Promise<string> => {
    const tickets = `/organisations/${org}/tickets`;
    const { id } = (await owner.post<{ id: string }>(tickets, { title: 'Checked', kind: 'files' })).body;
    const visible = await sendFile(owner, `${tickets}/${id}/file-sets`, 'test.js', Buffer.from('test'));
    const checks = { visible, hidden: null, slug: 'checked', isolation: 'shared' };
    expect((await owner.patch(`${tickets}/${id}`, { checks })).status).toBe(200);
    return id;
  };

  beforeAll(async () => {
    mails = await openMailServer();
    dataDir = await mkdtemp(join(tmpdir(), 'assay-data-'));
    // This checker never ends: the only results are those that a test records.
    const checker = {
      CHECKER: 'command',
      CHECKER_COMMAND: 'sleep 1000; : "$@"',
      CHECKER_ISOLATION: 'shared',
    };
    service = await startService({ dataDir, env: { ...mailsTo(mails), RATE_LIMITS: 'off', ...checker } });
    const api = new Api(service.url);
    org = await createOrganisation(dataDir, 'Example', 'owner@example.org');
    owner = await api.as('owner@example.org');
    const ticket = await owner.post<{ id: string }>(`/organisations/${org}/tickets`, {
      title: 'Fix the \u001b[31mparser',
      description: 'It drops the last line.\u001b]0;title\u0007',
      links: [],
      estimatedMinutes: 30,
      kind: 'files',
    });
    ticketId = ticket.body.id;
    const role = await owner.post<{ id: string }>(`/organisations/${org}/roles`, {
      ...definition(),
      ticketIds: [ticket.body.id, 'T-2'],
    });
    const invited = await invite(owner, org, role.body.id, email);
    sessionId = invited.sessionId;
    link = `${service.url}/apply/${invited.applicationId}`;
    candidate = new Person(api, email, await candidateToken(service.url, mails, email));
    candidate.follow(owner);
    program = await WorkProgram.open();
  });
  afterAll(async () => {
    await program.close();
    await service.stop();
    await mails.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  it('signs in by a code, and sends the candidate to the page to start first', async () => {
    const run = program.run([link, '--folder', program.folder, '--yes', '--once']);
    const [, address, code] = await run.says(/ {2}(http\S+)\n {2}(\S{4}-\S{4})\n/);
    const page = new DevicePage(new Browser(service.url), new URL(address!).pathname);
    const confirm = await page.signIn(await page.enter(code!), mails, email);
    await page.answer(confirm, 'confirm');
    const { code: exit, said } = await run.ended;
    expect([exit, said]).toEqual([1, expect.stringContaining('Start the assessment on its page first')]);
    const tokens = join(program.home, 'tokens.json');
    expect((await stat(tokens)).mode & 0o077).toBe(0);
    expect(await readdir(program.home)).toEqual(['tokens.json']);
  }, 60_000);

  it('shows the tickets, and nothing that moves the cursor', async () => {
    await candidate.post(`/trial-sessions/${sessionId}/start`, { consent: true });
    const { code, said } = await program.run([link, '--folder', program.folder, '--yes', '--once']).ended;
    expect([code, said]).toEqual([0, expect.stringContaining('1. Fix the [31mparser (30 minutes)')]);
    expect(said).toContain('It drops the last line.');
    expect(said).toContain('2. T-2\n');
    expect(said).not.toMatch(/[^\P{Cc}\n]/u);
  });

  it('sends counts of changed lines and names, never content, never what is left out', async () => {
    const at = (path: string) => join(program.folder, path);
    await mkdir(at('src'));
    await mkdir(at('node_modules'));
    await writeFile(at('.gitignore'), '*.log\n');
    await writeFile(at('src/parser.ts'), 'the secret line\nanother\n');
    await writeFile(at('debug.log'), 'x\n');
    await writeFile(at('node_modules/x.js'), 'x\n');
    const asked = await program.inside('watch', '--once');
    expect(asked.said).toContain('src/parser.ts  +2 −0 lines');
    expect(asked.said).toContain('pass --yes to send');
    expect(await evidence('file.changed')).toEqual([]);
    expect((await program.inside('status')).said).toContain('Waiting  2 events');
    expect((await program.inside('send', '--yes')).code).toBe(0);
    await writeFile(at('src/parser.ts'), 'the secret line\nchanged\nadded\n');
    expect((await program.inside('watch', '--once', '-y')).code).toBe(0);
    expect(await evidence('file.changed')).toEqual([
      { path: '.gitignore', linesAdded: 1, linesRemoved: 0 },
      { path: 'src/parser.ts', linesAdded: 2, linesRemoved: 0 },
      { path: 'src/parser.ts', linesAdded: 2, linesRemoved: 1 },
    ]);
    for (const name of await readdir(program.home, { recursive: true })) {
      const full = join(program.home, name);
      if ((await stat(full)).isFile()) expect(await readFile(full, 'utf8')).not.toContain('secret line');
    }
  });

  it('runs tests, passes on what they print and their exit code, and reports what they came to', async () => {
    const node = (script: string) => [process.execPath, '-e', script];
    const tap = "console.log('TAP version 13\\nok 1\\nnot ok 2\\n1..2'); process.exitCode = 3";
    const run = await program.inside('test', '-y', '--', ...node(tap));
    expect(run).toMatchObject({ code: 3, out: 'TAP version 13\nok 1\nnot ok 2\n1..2\n' });
    const junit = "require('fs').writeFileSync('out.xml', '<testsuite><testcase/><testcase/></testsuite>')";
    expect((await program.inside('test', '-y', '--junit', 'out.xml', '--', ...node(junit))).code).toBe(0);
    const flood = "process.stdout.write('x'.repeat(5e7)); process.on('exit', () => process.exitCode ||= 1)";
    const flooded = await program.inside('test', '-y', '--', ...node(flood));
    expect([flooded.code, flooded.out.length]).toEqual([1, 5e7]);
    expect((await program.inside('test', '-y', '--', 'no-such-command')).code).toBe(127);
    expect(
      (await program.inside('test', '-y', '--', ...node("process.kill(process.pid, 'SIGKILL')"))).code,
    ).toBe(137);
    expect((await program.inside('test', '-y')).code).toBe(2);
    const counts = (await evidence('test.run')).map(({ passed, failed }) => [passed, failed]);
    expect(counts).toEqual([
      [1, 1],
      [2, 0],
      [0, 1],
      [0, 1],
    ]);
  }, 60_000);

  it('hands in what is in the ticket’s folder, once, also after the connection broke off', async () => {
    const folder = join(program.folder, '1-fix-the-31mparser');
    await mkdir(join(folder, 'src'), { recursive: true });
    await writeFile(join(folder, 'src/parser.ts'), 'export const parse = 1;\n');
    await writeFile(join(folder, '.gitignore'), '*.log\n');
    await writeFile(join(folder, 'debug.log'), 'x\n');
    // Random bytes do not compress: the upload has several pieces.
    await writeFile(join(folder, 'data.bin'), randomBytes(300_000));
    const asked = await program.inside('hand-in', '1');
    expect([asked.code, asked.said]).toEqual([1, expect.stringContaining('pass --yes to hand in')]);
    expect((await program.inside('hand-in', '2', '-y')).code).toBe(2);
    const done = await program.inside('hand-in', '-y');
    expect([done.code, done.said]).toEqual([0, expect.stringContaining('Handed in: “Fix the [31mparser”')]);
    const again = await program.inside('hand-in', '1', '-y');
    const receiptOf = (said: string) => /receipt {3}(\S+)/.exec(said)?.[1];
    expect(receiptOf(again.said)).toBe(receiptOf(done.said));
    const path = `/trial-sessions/${sessionId}/tickets/${ticketId}/hand-ins`;
    const { items } = (
      await candidate.get<{ items: { id: string; status: string; files: { path: string }[] }[] }>(path)
    ).body;
    expect(items).toMatchObject([{ id: receiptOf(done.said), status: 'handed_in' }]);
    expect(items[0]!.files.map((file) => file.path)).toEqual(['.gitignore', 'data.bin', 'src/parser.ts']);
    await writeFile(join(folder, 'data.bin'), randomBytes(600_000));
    const broken = program.run(['hand-in', '1', '-y'], { cwd: program.folder });
    await broken.says(/^ {2}\d+ %$/m);
    broken.child.kill('SIGKILL');
    await broken.ended;
    expect((await program.inside('send', '-y')).said).toContain('Handed in: “Fix the [31mparser”');
    await eventually(async () => (await evidence('work.handed_in')).length === 2);
  }, 60_000);

  it('waits for what the visible checks say, and prints it', async () => {
    const checkedId = await ticketWithChecks();
    const definitionOfRole = { ...definition('Checked role'), ticketIds: [checkedId] };
    const role = await owner.post<{ id: string }>(`/organisations/${org}/roles`, definitionOfRole);
    const invited = await invite(owner, org, role.body.id, email);
    candidate.follow(owner);
    await candidate.post(`/trial-sessions/${invited.sessionId}/start`, { consent: true });
    const cwd = join(program.folder, '..', 'checked');
    const own = `${service.url}/apply/${invited.applicationId}`;
    expect((await program.run([own, '--folder', cwd, '-y', '--once']).ended).code).toBe(0);
    await mkdir(join(cwd, '1-checked'), { recursive: true });
    await writeFile(join(cwd, '1-checked', 'answer.js'), 'export const answer = 1;\n');
    const run = program.run(['hand-in', '-y'], { cwd });
    await run.says(/The checks run\. Waiting for them, at most 120 s/);
    const path = `/trial-sessions/${invited.sessionId}/tickets/${checkedId}/hand-ins`;
    const [handIn] = (await candidate.get<{ items: { id: string }[] }>(path)).body.items;
    const beside = await openBeside(dataDir);
    const of = {
      handInId: handIn!.id,
      ticketId: checkedId,
      scope: 'visible',
      isolation: 'shared',
    } as const;
    const tests = [
      { name: 'is one', status: 'pass', message: null },
      { name: 'is two', status: 'fail', message: 'Expected: 2\nbut was: 1' },
    ] as const;
    const ran = { hidden: false, treeSha256: 'f'.repeat(64), runner: { name: 'node', digest: 'd' }, ms: 9 };
    const result = checkedWork(of, [{ ...ran, tests, output: '', reason: null, detail: '' }]);
    await beside.record(invited.sessionId, (state) => recordCheck(state, result));
    await beside.close();
    const { code, said } = await run.ended;
    expect(code).toBe(0);
    const report = 'Checks: 1 of 2 passed\n  failed  is two\n    Expected: 2\n    but was: 1\n';
    expect(said).toContain(report);
    expect((await program.run(['hand-in', '-y'], { cwd }).ended).said).toContain(report);
  }, 60_000);

  it('works without the service, and sends later, each event once', async () => {
    const { port } = service;
    const before = (await evidence('test.run')).length;
    const env = { ...mailsTo(mails), RATE_LIMITS: 'off', PORT: String(port) };
    await service.kill();
    const away = await program.inside('test', '-y', '--', process.execPath, '-e', '0');
    expect([away.code, away.said]).toEqual([0, expect.stringContaining('is sent later')]);
    await appendFile(join(program.folder, 'src/parser.ts'), 'offline\n');
    const watching = await program.inside('watch', '--once', '-y');
    expect([watching.code, watching.said]).toEqual([1, expect.stringContaining('cannot be reached')]);
    service = await startService({ dataDir, env });
    const both = await Promise.all([program.inside('send', '-y'), program.inside('send', '-y')]);
    expect(both.map(({ code }) => code)).toEqual([0, 0]);
    await eventually(async () => (await evidence('test.run')).length > before);
    expect(await evidence('test.run')).toHaveLength(before + 1);
    expect((await evidence('file.changed')).at(-1)).toMatchObject({ linesAdded: 1, linesRemoved: 0 });
  }, 60_000);

  it('watches until it is ended', async () => {
    const run = program.run(['watch', '-y', '--every', '1'], { cwd: program.folder });
    await run.says(/Watching/);
    await writeFile(join(program.folder, 'new.ts'), 'one\n');
    await run.says(/new\.ts {2}\+1 −0 lines/);
    await eventually(async () => (await evidence('file.changed')).at(-1)?.path === 'new.ts');
    run.child.kill('SIGINT');
    expect((await run.ended).code).toBe(0);
  }, 60_000);

  it('completes a hand-in that the session’s end interrupted, and sends nothing else then', async () => {
    await writeFile(join(program.folder, '1-fix-the-31mparser', 'data.bin'), randomBytes(900_000));
    const broken = program.run(['hand-in', '1', '-y'], { cwd: program.folder });
    await broken.says(/^ {2}\d+ %$/m);
    broken.child.kill('SIGKILL');
    await broken.ended;
    await candidate.post(`/trial-sessions/${sessionId}/complete`);
    await writeFile(join(program.folder, 'late.ts'), 'one\n');
    const waiting = `${program.home}-waiting`;
    await cp(program.home, waiting, { recursive: true });
    const receiptIn = async (...args: readonly string[]) => {
      const { code, said } = await program.inside(...args);
      expect(code).toBe(1);
      return [/receipt {3}(\S+)/.exec(said)?.[1], said.trimEnd().split('\n').at(-1)];
    };
    const [receipt, last] = await receiptIn('watch', '-y');
    expect(receipt).toBeDefined();
    expect(last).toContain('Nothing more can be sent: ');
    // The same with the link.
    await cp(waiting, program.home, { recursive: true });
    const ended = 'This assessment has ended: nothing more can be sent.';
    expect(await receiptIn(link, '-y')).toEqual([receipt, ended]);
    expect(await receiptIn(link, '-y')).toEqual([undefined, ended]);
  }, 60_000);

  it('refuses what it cannot do with a sentence', async () => {
    const wrong = async (...args: readonly string[]) => {
      const { code, said } = await program.run(args, { cwd: program.home }).ended;
      return [code, said.split('\n')[0]];
    };
    expect(await wrong('watch')).toEqual([2, expect.stringContaining('belongs to no assessment')]);
    expect(await wrong('nonsense')).toEqual([2, 'Unknown command: nonsense']);
    expect(await wrong('--nonsense')).toEqual([2, expect.stringContaining('--nonsense')]);
    expect(await wrong('http://evil.example/apply/x')).toEqual([2, expect.stringContaining('not encrypted')]);
    expect(await wrong(`${service.url}/apply/1`)).toEqual([2, expect.stringContaining('invitation')]);
    expect((await program.inside('sign-out')).code).toBe(0);
    expect(await readdir(program.home)).not.toContain('tokens.json');
  });
});
