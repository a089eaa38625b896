import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Refuses the first connection and reports what the client sends on the second. */
const PROGRAM = `
import { InterviewClient } from '@assay/interview-client';
let connections = 0;
class WebSocket {
  bufferedAmount = 0;
  constructor(url) {
    const failed = (connections += 1) === 1;
    setTimeout(() => (failed ? this.onclose({ code: 1006 }) : this.onopen({})));
  }
  send(frame) {
    const { type, protocol } = JSON.parse(frame);
    console.log(JSON.stringify({ connections, type, protocol }));
    client.close();
  }
  close() {}
}
const client = new InterviewClient({
  url: () => 'wss://assay.example/socket',
  WebSocket,
  backOff: { firstMs: 1, mostMs: 1 },
  on: { state: ({ name, by }) => console.log(JSON.stringify({ name, by })) },
});
client.start();
`;

/** Fails to compile if the types are missing from the package. */
const TYPED = `
import { InterviewClient, type Receipt } from '@assay/interview-client';
const client = new InterviewClient({ url: () => null, on: { question: ({ turn, text }) => { turn.toFixed(); text.trim(); } } });
export const receipt: Promise<Receipt> = client.answer('An answer.', { turn: 1 });
// @ts-expect-error A turn is a number.
void client.commit('1');
`;

describe('the packed client', () => {
  let folder: string;
  let user: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'assay-client-'));
    user = join(folder, 'user');
    const source = join(folder, 'packages/interview-client');
    const modules = resolve('node_modules');
    await cp('packages/interview-client', source, { recursive: true });
    await cp('tsconfig.json', join(folder, 'tsconfig.json'));
    await symlink(modules, join(folder, 'node_modules'));
    await mkdir(user);
    await writeFile(join(user, 'package.json'), '{"type":"module"}');
    const npm = (cwd: string, ...args: readonly string[]) => run('npm', args, { cwd });
    await npm(source, 'pack', '--pack-destination', folder, '--ignore-scripts=false');
    const tarball = join(folder, 'assay-interview-client-0.1.0.tgz');
    await npm(user, 'install', '--offline', '--no-audit', '--no-fund', tarball);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('runs in Node', async () => {
    await writeFile(join(user, 'program.js'), PROGRAM);
    const { stdout } = await run(process.execPath, ['program.js'], { cwd: user });
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual([
      { name: 'connecting' },
      { connections: 2, type: 'client.ready', protocol: 'interview.v1' },
      { name: 'ended', by: 'closed' },
    ]);
  });

  it('brings its types and its README, and no source or tests', async () => {
    await writeFile(join(user, 'typed.ts'), TYPED);
    const tsc = resolve('node_modules/typescript-7/bin/tsc');
    const options = ['--ignoreConfig', '--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022'];
    const compiled = run(process.execPath, [tsc, ...options, 'typed.ts'], { cwd: user });
    expect(await compiled.catch((error: unknown) => error)).toMatchObject({ stdout: '', stderr: '' });
    const { stdout } = await run('tar', ['tzf', '../assay-interview-client-0.1.0.tgz'], { cwd: user });
    const files = stdout.trim().split('\n');
    expect(files).toEqual(expect.arrayContaining(['package/README.md', 'package/dist/index.d.ts']));
    expect(files.filter((file) => /\.spec\.|\/src\//.test(file))).toEqual([]);
  });
});
