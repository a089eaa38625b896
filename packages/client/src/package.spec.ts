import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { build } from 'esbuild';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import ts from 'typescript';
import { joinStage, type Stage } from '../../../test/support/stage.js';

const run = promisify(execFile);

describe('the packed client', () => {
  let folder: string;
  let user: string;
  let stage: Stage;
  const tarball = (): string => join(folder, 'assay-client-0.1.0.tgz');

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'assay-client-'));
    user = join(folder, 'user');
    await mkdir(user);
    await writeFile(join(user, 'package.json'), '{"type":"module"}');
    // As the build left it: npm runs no script here.
    await run('npm', ['pack', '--pack-destination', folder], { cwd: 'packages/client' });
    await run('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball()], { cwd: user });
    stage = await joinStage();
  });
  afterAll(async () => {
    await stage.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('brings its types and its README, and neither source nor tests nor dependencies', async () => {
    const { stdout } = await run('tar', ['tzf', tarball()]);
    const files = stdout.trim().split('\n');
    expect(files).toEqual(expect.arrayContaining(['package/README.md', 'package/dist/index.d.ts']));
    expect(files.filter((file) => /\.spec\.|\/src\//.test(file))).toEqual([]);
    const { dependencies } = JSON.parse(await readFile('packages/client/package.json', 'utf8')) as {
      dependencies?: unknown;
    };
    expect(dependencies).toBeUndefined();
  });

  it('does in Node what its README shows, by its types too', async () => {
    const readme = await readFile(join(user, 'node_modules/@assay/client/README.md'), 'utf8');
    const blocks = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code]) => code ?? '');
    expect(blocks.length).toBeGreaterThan(5);
    const program = [
      ...blocks,
      'declare const process: { env: Record<string, string> };',
      "function freshIdToken(): string { return process.env['TOKEN'] ?? ''; }",
      "console.log(JSON.stringify(await client.get('/organisations/{orgId}', { params: { orgId } })));",
    ]
      .join('\n')
      .replaceAll("'https://assay.example'", JSON.stringify(stage.service.url));
    await writeFile(join(user, 'program.ts'), program);
    const tsc = resolve('node_modules/typescript-7/bin/tsc');
    const options = [
      '--ignoreConfig',
      '--noEmit',
      '--strict',
      '--exactOptionalPropertyTypes',
      '--noUncheckedIndexedAccess',
    ];
    const target = ['--module', 'nodenext', '--target', 'es2023', '--lib', 'es2023,dom', '--types', ''];
    const compiled = run(process.execPath, [tsc, ...options, ...target, 'program.ts'], { cwd: user });
    expect(await compiled.catch((error: unknown) => error)).toMatchObject({ stdout: '', stderr: '' });
    const { outputText } = ts.transpileModule(program, {
      compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
    });
    await writeFile(join(user, 'program.js'), outputText);
    const env = { ...process.env, NODE_OPTIONS: '', TOKEN: stage.owner.token };
    const { stdout, stderr } = await run(process.execPath, ['program.js'], { cwd: user, env });
    expect(stderr).toBe('');
    const lines = stdout.trim().split('\n');
    expect(lines[0]).toBe('ann@example.org invited');
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ retentionDays: 365 });
  });

  it('is bundled for browsers, without the values that are not used', async () => {
    await writeFile(
      join(user, 'page.js'),
      "import { AssayClient } from '@assay/client'; globalThis.client = new AssayClient({ baseUrl: '' });",
    );
    const { outputFiles } = await build({
      entryPoints: [join(user, 'page.js')],
      bundle: true,
      minify: true,
      write: false,
      platform: 'browser',
      format: 'esm',
      target: ['es2022', 'safari16.4'],
    });
    expect(outputFiles[0]?.contents.length).toBeLessThan(6_000);
  });
});
