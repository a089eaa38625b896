// How far a request travels: the source files and functions that run for one warm request, from the edge to its documents,
// by V8's precise coverage of the built service, less what runs while it idles. Needs `npm run build`.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import WebSocket from 'ws';

const root = fileURLToPath(new URL('..', import.meta.url));
const SOURCE = /\/dist\/((?:src|projections|packages)\/.*)\.js$/;
const WARM_REQUESTS = 30;
const COUNTED_REQUESTS = 3;
/** Wait until documents and checkpoints of former requests are written. */
const SETTLED_MS = 2_500;
/** Longer than any poll interval of an idle service (a minute), so that the result does not depend on chance. */
const IDLE_MS = 62_000;
/** Wait until the request's documents are written. */
const WRITTEN_MS = 1_000;

const freePort = async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
};

/** V8's profiler of a process, by the address that it prints for its inspector. */
const profilerAt = async (address) => {
  const socket = new WebSocket(address, { maxPayload: 2 ** 30 });
  await once(socket, 'open');
  const waiting = new Map();
  socket.on('message', (text) => {
    const { id, result } = JSON.parse(text);
    waiting.get(id)?.(result);
    waiting.delete(id);
  });
  const send = (method, params = {}) =>
    new Promise((settle) => {
      const id = waiting.size === 0 ? 1 : Math.max(...waiting.keys()) + 1;
      waiting.set(id, settle);
      socket.send(JSON.stringify({ id, method, params }));
    });
  await send('Profiler.enable');
  await send('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  return {
    /** The named functions that ran since the last call, by file. */
    ran: async () => {
      const found = new Map();
      const { result } = await send('Profiler.takePreciseCoverage');
      for (const { url, functions } of result) {
        const file = SOURCE.exec(url)?.[1];
        const names = functions.filter(
          ({ functionName, ranges }) => functionName !== '' && ranges[0].count > 0,
        );
        if (file && names.length > 0) found.set(file, new Set(names.map(({ functionName }) => functionName)));
      }
      return found;
    },
    close: () => socket.close(),
  };
};

/** The requests that are followed, each a function that sends one. */
const requests = async (url, env) => {
  const call = async (method, path, token, body) => {
    const headers = {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body && { 'content-type': 'application/json' }),
    };
    const response = await fetch(`${url}${path}`, { method, headers, body: body && JSON.stringify(body) });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 200)}`);
    return text === '' ? null : JSON.parse(text);
  };
  const signIn = async (email) => (await call('POST', '/issuer/token-for', null, { email })).idToken;
  const made = spawnSync(
    process.execPath,
    [
      'dist/src/operator.js',
      'organisations',
      'create',
      '--name',
      'Ways',
      '--owner-email',
      'olga@example.org',
      '--json',
    ],
    { cwd: root, env, encoding: 'utf8' },
  );
  if (made.status !== 0) throw new Error(made.stderr);
  const base = `/organisations/${JSON.parse(made.stdout).id}`;
  const [olga, carol] = [await signIn('olga@example.org'), await signIn('carol@example.org')];
  let count = 0;
  const definition = () => ({
    name: `Role ${count++}`,
    overallThreshold: 60,
    dimensions: [
      { name: 'Does it work?', weight: 60, category: 'correctness' },
      { name: 'How did it go?', weight: 40, category: 'process' },
    ],
  });
  const activity = () => ({
    clientEventId: `event ${count++}`,
    eventType: 'file.changed',
    occurredAt: new Date().toISOString(),
    payload: { path: `src/${count}.ts`, linesAdded: 3, linesRemoved: 1 },
  });
  const role = await call('POST', `${base}/roles`, olga, definition());
  const invitation = { candidateEmail: 'carol@example.org' };
  const application = await call('POST', `${base}/roles/${role.id}/invitations`, olga, invitation);
  const session = `/trial-sessions/${application.trialSessions[0].id}`;
  await call('POST', `${session}/start`, carol, { consent: true });
  return {
    'PATCH of a role': () => call('PATCH', `${base}/roles/${role.id}`, olga, definition()),
    'batch of 100 activities': () =>
      call('POST', `${session}/activity`, carol, { events: Array.from({ length: 100 }, activity) }),
    'read of the signal': () => call('GET', `${base}/signal`, olga),
  };
};

const ready = async (url, output) => {
  for (let tries = 0; tries < 300; tries++) {
    if (
      await fetch(`${url}/health/ready`).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return;
    await sleep(100);
  }
  throw new Error(`The service did not become ready: ${output().slice(-300)}`);
};

/**
 * The way of each request: its files with the functions that ran in them.
 * @returns {Promise<ReadonlyMap<string, readonly (readonly [file: string, functions: readonly string[]])[]>>}
 */
export const ways = async () => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const folder = mkdtempSync(join(tmpdir(), 'assay-ways-'));
  const own = { HOST: '127.0.0.1', PORT: `${port}`, PUBLIC_URL: url, DATA_DIR: folder, RATE_LIMITS: 'off' };
  const env = { ...process.env, ...own, LOG_LEVEL: 'warn' };
  const service = spawn(process.execPath, ['--inspect=127.0.0.1:0', 'dist/src/main.js'], {
    cwd: root,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let output = '';
  service.stderr.on('data', (text) => (output += text));
  try {
    await ready(url, () => output);
    const profiler = await profilerAt(/ws:\/\/\S+/.exec(output)[0]);
    const sends = Object.entries(await requests(url, env));
    await sleep(SETTLED_MS);
    await profiler.ran();
    await sleep(IDLE_MS);
    const idle = await profiler.ran();
    const found = new Map();
    for (const [name, send] of sends) {
      for (let sent = 0; sent < WARM_REQUESTS; sent++) await send();
      await sleep(SETTLED_MS);
      await profiler.ran();
      // What does not run each time runs by chance: a lease that is renewed, a pointer that is read.
      const runs = [];
      for (let sent = 0; sent < COUNTED_REQUESTS; sent++) {
        await send();
        await sleep(WRITTEN_MS);
        runs.push(await profiler.ran());
      }
      const [first, ...others] = runs;
      const isOwn = (file, one) =>
        !idle.get(file)?.has(one) && others.every((run) => run.get(file)?.has(one));
      const way = [...first]
        .map(([file, names]) => [file, [...names].filter((one) => isOwn(file, one))])
        .filter(([, names]) => names.length > 0);
      found.set(name, way);
    }
    profiler.close();
    return found;
  } finally {
    const ended = once(service, 'exit');
    service.kill('SIGTERM');
    await Promise.race([ended, sleep(10_000).then(() => service.kill('SIGKILL'))]);
    rmSync(folder, { recursive: true, force: true });
  }
};
