import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../support/free-port.js';
import { spawnService } from '../support/service.js';

const folders: string[] = [];
const folder = async (): Promise<string> => {
  const made = await mkdtemp(join(tmpdir(), 'assay-start-'));
  folders.push(made);
  return made;
};
afterEach(async () => {
  for (const made of folders.splice(0)) await rm(made, { recursive: true, force: true });
});

describe('a start that fails', () => {
  it('prints first a variable that is nearly one of its own, then a line for each fault, and no secret', async () => {
    const { ended, output } = spawnService(await folder(), {
      env: {
        PORT: 'http',
        LOG_LEVEL: 'loud',
        DATA_KEY: 'hunter2',
        SIGNINGKEY: 'hunter2',
        EVENTSTORE_URL: 'esdb://x',
        HOST: '0.0.0.0',
      },
    });
    expect((await ended).code).toBe(1);
    const [first, ...others] = output().trimEnd().split('\n');
    expect(first).toBe('"SIGNINGKEY" is not a variable of this service: did you mean SIGNING_KEY?');
    expect(others.sort()).toEqual([
      expect.stringMatching(/^DATA_KEY must be 32 random bytes/),
      expect.stringMatching(/^LOG_LEVEL must be one of /),
      expect.stringMatching(/^MONGODB_URL must be set/),
      expect.stringMatching(/^OIDC_ISSUER must /),
      'PORT must be a whole number from 0 to 65535, not "http".',
    ]);
    expect(output()).not.toContain('hunter2');
  });

  it.each([
    [{ NODE_ENV: 'production' }, /^(?:(?:OIDC_AUDIENCE|OIDC_ISSUER|DATA_KEY|SIGNING_KEY) must [^\n]+\n){4}$/],
    [{ DATA_DIR: '/dev/null/data' }, /^DATA_DIR cannot be used: [^\n]+\n$/],
    [{ DATA_DIR: '/proc/assay' }, /^DATA_DIR cannot be used: [^\n]+\n$/],
  ])('for %j prints a line for each fault and exits with 1', async (env, line) => {
    const { ended, output } = spawnService(await folder(), { env });
    expect((await ended).code).toBe(1);
    expect(output()).toMatch(line);
  });
});

describe('npm start', () => {
  const children: ChildProcess[] = [];
  afterAll(() => children.forEach((child) => child.kill('SIGKILL')));

  it('passes a signal on to the service and leaves no orphan', async () => {
    const scripts = (
      JSON.parse(await readFile(resolve('package.json'), 'utf8')) as { scripts: Record<string, string> }
    ).scripts;
    for (const name of ['start', 'projector', 'assay', 'simulate', 'bench']) {
      expect(scripts[name]).toMatch(/^node scripts\/prepare\.mjs && exec node /);
    }
    const port = await freePort();
    const npm = spawn('npm', ['start', '--silent'], {
      env: { ...process.env, NODE_OPTIONS: '', PORT: `${port}`, DATA_DIR: await folder(), LOG_LEVEL: 'info' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(npm);
    let output = '';
    npm.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    const url = `http://127.0.0.1:${port}`;
    const ended = new Promise<number | null>((settle) => npm.once('exit', settle));
    const serves = () =>
      fetch(`${url}/health/ready`)
        .then(({ ok }) => ok)
        .catch(() => false);
    while (!(await serves())) await sleep(100);
    const started = performance.now();
    npm.kill('SIGTERM');
    expect(await ended).toBe(0);
    for (let tries = 0; tries < 50 && !output.includes('"msg":"stopped"'); tries += 1) await sleep(100);
    expect(performance.now() - started).toBeLessThan(10_000);
    expect(output).toContain('"msg":"stopped"');
    expect(await serves()).toBe(false);
  });
});
