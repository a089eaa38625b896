import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The bundles that the build packs, each with its entry file. */
const PACKED = [
  [join('packages', 'work'), 'main.js'],
  [join('packages', 'client'), 'index.js'],
] as const;

describe('what npm start prepares on a machine that lacks something', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'assay-prepare-'));
    cpSync('scripts', join(folder, 'scripts'), { recursive: true });
    for (const file of ['package.json', 'package-lock.json', '.npmrc', 'tsconfig.json'])
      copyFileSync(file, join(folder, file));
    for (const [packed] of PACKED) {
      mkdirSync(join(folder, packed), { recursive: true });
      copyFileSync(join(packed, 'tsconfig.json'), join(folder, packed, 'tsconfig.json'));
    }
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const prepare = (env: Readonly<Record<string, string>> = {}) => {
    const began = performance.now();
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(folder, 'scripts', 'prepare.mjs')], {
      env: { PATH: process.env['PATH'], HOME: folder, ...env },
      encoding: 'utf8',
    });
    return {
      status,
      stdout,
      lines: stderr.trimEnd().split('\n'),
      seconds: (performance.now() - began) / 1_000,
    };
  };

  it('ends with one sentence where Node is too old, before anything is installed', () => {
    const path = join(folder, 'package.json');
    const own = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
    writeFileSync(path, JSON.stringify({ ...own, engines: { node: '>=999.2' } }));
    const { status, stdout, lines } = prepare();
    expect([status, stdout, lines]).toEqual([
      1,
      '',
      [
        expect.stringMatching(
          /^Assay needs Node 999\.2 or newer, and this is Node .* Nothing was installed\.$/,
        ),
      ],
    ]);
    expect(readdirSync(folder)).not.toContain('node_modules');
  });

  it('ends with a hint within seconds where no registry is reached, and not with npm’s own words', () => {
    const env = { npm_config_registry: 'http://127.0.0.1:9/', npm_config_cache: join(folder, 'cache') };
    const { status, lines, seconds } = prepare(env);
    expect([status, lines]).toEqual([
      1,
      [expect.stringMatching(/^The packages cannot be fetched: .* online/)],
    ]);
    expect(seconds).toBeLessThan(60);
  });

  /** Makes a source tree whose packages are installed and whose compiler takes so many seconds. */
  const arrangeBuild = (seconds: number): void => {
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ packages: { '': {} } }));
    mkdirSync(join(folder, 'node_modules', 'typescript-7', 'bin'), { recursive: true });
    writeFileSync(join(folder, 'node_modules', '.package-lock.json'), JSON.stringify({ packages: {} }));
    const mains = PACKED.map(([packed, main]) => [join(folder, packed), main]);
    const compiler = `const { mkdirSync, writeFileSync } = require('node:fs');
      const { join } = require('node:path');
      const [packed, main] = ${JSON.stringify(mains)}.find(([path]) => path === process.argv.at(-1)) ?? [];
      const made = join(packed ?? ${JSON.stringify(folder)}, 'dist');
      mkdirSync(packed ? made : join(made, 'bin'), { recursive: true });
      if (packed) writeFileSync(join(made, main), '');
      else setTimeout(() => undefined, ${seconds * 1_000});`;
    writeFileSync(join(folder, 'node_modules', 'typescript-7', 'bin', 'tsc'), compiler);
    for (const script of ['view-fingerprints.mjs', 'bundle.mjs', 'bundle-web.mjs'])
      writeFileSync(join(folder, 'scripts', script), '// Nothing to read or bundle.\n');
  };
  const TAKES = expect.stringMatching(/^The first build takes about .*minute/);
  /** Removes the seconds: a busy machine takes longer. */
  const withoutSeconds = (lines: readonly string[]): readonly string[] =>
    lines.filter((line) => !/ \d+ s$/.test(line));
  const STEPS = [
    'Building assay-work …',
    'Building @assay/client …',
    'Bundling …',
    'Bundling the candidate’s page …',
  ];

  it('moves while it builds: a line every five seconds in a pipe, and the first build says how long it takes', () => {
    arrangeBuild(6);
    const { status, stdout, lines } = prepare();
    expect([status, stdout, lines.slice(0, 3)]).toEqual([
      0,
      '',
      [TAKES, 'Reading the views …', 'Building …'],
    ]);
    expect(lines[3]).toBe('Building … 5 s');
    expect(withoutSeconds(lines).slice(3)).toEqual(STEPS);
  }, 60_000);

  it('moves while it builds: the seconds count in place on a terminal', () => {
    arrangeBuild(3);
    const terminal = '--import=data:text/javascript,process.stderr.isTTY=true';
    const { status, lines } = prepare({ NODE_OPTIONS: terminal });
    expect([status, lines[0]]).toEqual([0, TAKES]);
    expect(lines[2]).toMatch(/^Building …\rBuilding … 1 s\rBuilding … 2 s/);
  }, 60_000);

  it('says how long a build takes only of the first one, and nothing if nothing is stale', () => {
    arrangeBuild(0);
    expect(prepare().lines[0]).toEqual(TAKES);
    expect(prepare().lines).toEqual(['']);
    rmSync(join(folder, PACKED[1][0], 'dist'), { recursive: true });
    expect(withoutSeconds(prepare().lines)).toEqual(['Reading the views …', 'Building …', ...STEPS]);
    writeFileSync(join(folder, 'scripts', 'bundle.mjs'), '// Nothing to bundle, by changed means.\n');
    expect(withoutSeconds(prepare().lines)).toEqual(['Reading the views …', 'Building …', ...STEPS]);
  }, 60_000);
});
