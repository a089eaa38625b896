import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { promisify } from 'node:util';
import ts from 'typescript';
import { Cutter } from './cutter.js';

const INDEX = resolve('packages/interview-client/src/index.ts');

describe('the client', () => {
  it('imports nothing but itself and the protocol', () => {
    const seen = new Set<string>();
    const walk = (file: string): void => {
      if (seen.has(file)) return;
      seen.add(file);
      for (const { fileName } of ts.preProcessFile(readFileSync(file, 'utf8')).importedFiles) {
        expect(fileName).toMatch(/^\.{1,2}\//);
        walk(resolve(dirname(file), fileName.replace(/\.js$/, '.ts')));
      }
    };
    walk(INDEX);
    const folders = new Set([...seen].map((file) => dirname(relative('packages/interview-client', file))));
    expect([...folders].sort()).toEqual(['src', 'src/protocol']);
  });

  it('compiles for a browser, whose WebSocket fits', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'assay-portable-'));
    const fits = `import type { SocketConstructor } from ${JSON.stringify(INDEX.replace(/\.ts$/, '.js'))};
      export const fits: SocketConstructor = WebSocket;`;
    await writeFile(join(folder, 'fits.mts'), fits);
    const compilerOptions = {
      lib: ['es2023', 'dom'],
      types: [],
      target: 'es2022',
      module: 'nodenext',
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      skipLibCheck: true,
      noEmit: true,
      listFiles: true,
    };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['fits.mts'] }));
    // The compiler in JavaScript takes ten times as long.
    const compiler = resolve('node_modules/typescript-7/bin/tsc');
    const run = promisify(execFile)(process.execPath, [compiler, '-p', folder]);
    const { stdout } = await run.catch((ended: unknown) => ended as { stdout: string });
    await rm(folder, { recursive: true });
    const lines = stdout.trim().split('\n');
    expect(lines.filter((line) => !line.startsWith('/'))).toEqual([]);
    expect(lines).toContain(INDEX);
  });

  it('cuts PCM of any length into frames that may be sent, and loses none of it', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 9_000 }), { maxLength: 20 }), (lengths) => {
        const cutter = new Cutter();
        const pcm = lengths.map((length, n) => Uint8Array.from({ length }, (_, at) => n * 31 + at));
        const cuts = [...pcm.flatMap((one, n) => cutter.add(1, one, n * 100)), ...cutter.finish()];
        const all = Buffer.concat(pcm);
        const cut = Buffer.concat(cuts.map((one) => one.pcm));
        const whole = all.length - (all.length % 2);
        expect(cut.subarray(0, whole).equals(all.subarray(0, whole))).toBe(true);
        expect(cut.length).toBe(whole === 0 ? 0 : Math.max(640, whole));
        for (const one of cuts) {
          expect(one.pcm.length).toBeGreaterThanOrEqual(640);
          expect(one.pcm.length).toBeLessThanOrEqual(3_200);
        }
      }),
    );
  });

  it('closes a turn’s audio before that of the next begins', () => {
    const cutter = new Cutter();
    cutter.add(1, new Uint8Array(700), 0);
    const cuts = [...cutter.add(2, new Uint8Array(700), 10), ...cutter.finish()];
    expect(cuts.map(({ turn, pcm }) => [turn, pcm.length])).toEqual([
      [1, 700],
      [2, 700],
    ]);
  });
});
