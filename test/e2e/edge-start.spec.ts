import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Api } from '../support/api.js';
import { freePort } from '../support/free-port.js';
import { type Service, spawnService, startService } from '../support/service.js';

interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly responses: Readonly<Record<string, { readonly content?: object }>>;
  readonly security?: readonly object[];
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly responses: object };
}

const folders: string[] = [];
const folder = async (): Promise<string> => {
  const made = await mkdtemp(join(tmpdir(), 'assay-start-'));
  folders.push(made);
  return made;
};
afterEach(async () => {
  for (const made of folders.splice(0)) await rm(made, { recursive: true, force: true });
});

describe('a start that cannot go on', () => {
  it.each([
    [{ PORT: 'http' }, /^PORT must be a whole number from 0 to 65535, not "http"\.\n$/],
    [{ LOG_LEVEL: 'loud' }, /^LOG_LEVEL must be one of [^\n]+\n$/],
    [{ DATA_KEY: 'hunter2' }, /^DATA_KEY must be 32 random bytes[^\n]+\n$/],
    [{ EVENTSTORE_URL: 'esdb://x' }, /^MONGODB_URL must be set[^\n]+\n$/],
    [{ NODE_ENV: 'production' }, /^(?:(?:OIDC_AUDIENCE|OIDC_ISSUER|DATA_KEY|SIGNING_KEY) must [^\n]+\n){4}$/],
    [{ HOST: '0.0.0.0' }, /^OIDC_ISSUER must [^\n]+\n$/],
    [{ DATA_DIR: '/dev/null/data' }, /^DATA_DIR cannot be used: [^\n]+\n$/],
    [{ DATA_DIR: '/proc/assay' }, /^DATA_DIR cannot be used: [^\n]+\n$/],
  ])('for %j prints a line for each fault and exits with 1', async (env, line) => {
    const { ended, output } = spawnService(await folder(), { env });
    expect((await ended).code).toBe(1);
    expect(output()).toMatch(line);
    expect(output()).not.toContain('hunter2');
  });

  it('is told first of a variable that is nearly one of its own, never of its value', async () => {
    const { ended, output } = spawnService(await folder(), { env: { SIGNINGKEY: 'hunter2', PORT: 'http' } });
    expect((await ended).code).toBe(1);
    expect(output()).toMatch(
      /^"SIGNINGKEY" is not a variable of this service: did you mean SIGNING_KEY\?\nPORT must [^\n]+\n$/,
    );
  });

  it('on a port in use prints one line and exits with 1; the first service goes on', async () => {
    const first = await startService({ env: { LOG_LEVEL: 'warn' } });
    try {
      const env = { PORT: `${first.port}` };
      const { ended, output } = spawnService(first.dataDir, { env });
      expect((await ended).code).toBe(1);
      expect(output()).toMatch(new RegExp(`^PORT ${first.port} on 127\\.0\\.0\\.1 is in use: [^\\n]+\\n$`));
      expect((await fetch(`${first.url}/health/ready`)).status).toBe(200);
    } finally {
      await first.stop();
    }
  });
});

describe('the service', () => {
  let service: Service;
  let api: Api;
  let document: Document;
  beforeAll(async () => {
    service = await startService();
    api = new Api(service.url);
    document = (await api.send<Document>('GET', '/openapi.json')).body;
  });
  afterAll(() => service.stop());

  it('says where it serves and how to sign in', () => {
    expect(service.output()).toContain(`Assay serves at ${service.url}`);
    expect(service.output()).toContain(`${service.url}/docs`);
    expect(service.output()).toContain(`${service.url}/issuer/token-for`);
  });

  it('describes the interview’s socket, at its own address', async () => {
    const { status, headers, body } = await api.send<{ asyncapi: string; servers: object }>(
      'GET',
      '/asyncapi.json',
    );
    expect({ status, type: headers.get('content-type') }).toEqual({
      status: 200,
      type: 'application/json; charset=utf-8',
    });
    expect(body).toMatchObject({
      asyncapi: '3.0.0',
      servers: { service: { protocol: 'ws', host: new URL(service.url).host } },
    });
    expect((await api.send('GET', '/docs')).text).toContain('href="./asyncapi.json"');
  });

  it('has a page to try it on, all of whose parts are its own', async () => {
    const page = await api.send('GET', '/docs');
    expect(page.status).toBe(200);
    expect(page.headers.get('content-security-policy')).toMatch(/script-src 'self'; /);
    const parts = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, part]) => part ?? '');
    expect(parts.length).toBeGreaterThanOrEqual(4);
    for (const part of parts) {
      expect(part).toMatch(/^\.\/(docs\/|asyncapi\.json$)/);
      expect((await api.send('GET', part.slice(1))).status).toBe(200);
    }
    expect(page.text).not.toMatch(/<script>|<style>| style=| on\w+=/);
    expect((await api.send('GET', '/docs/settings.json')).body).toEqual({ tokenFor: '/issuer/token-for' });
    for (const path of [
      '/docs/package.json',
      '/docs/..%2fpackage.json',
      '/docs/__proto__',
      '/docs/toString',
    ]) {
      expect((await api.send('GET', path)).status).toBe(404);
    }
  });

  it('lets the sign-in page keep its own policy, and no other beside it', async () => {
    const page = await api.send('GET', '/issuer');
    expect(page.status).toBe(200);
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/script-src 'sha256-/);
    expect(policy.match(/default-src/g)).toHaveLength(1);
  });

  it('is asked for a credential on every route that is not public', async () => {
    for (const [path, operations] of Object.entries(document.paths)) {
      for (const [method, { security }] of Object.entries(operations)) {
        const reply = await api.send<{ error: string }>(method.toUpperCase(), path.replaceAll(/[{}]/g, ''));
        // A public path with a name in it has nothing by that name.
        if (security) expect(reply.status).toBe(path.includes('{') ? 404 : 200);
        else expect(reply).toMatchObject({ status: 401, body: { error: 'missing bearer token' } });
      }
    }
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
