import { describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { readPageFiles } from '../../src/api/candidate-page/files.js';

/** All JavaScript that the candidate's page loads first, compressed as it is sent. */
const MAX_BYTES = 70 * 1_000;

describe('the candidate’s page', () => {
  const { names, files } = readPageFiles(resolve('dist/web'));

  it('has no more JavaScript than a slow phone loads in a moment', () => {
    const bytes = [names.script, ...names.shared, names.worklet].map(
      (name) => files.get(name)?.gzip.length ?? Infinity,
    );
    expect(bytes.reduce((sum, one) => sum + one)).toBeLessThanOrEqual(MAX_BYTES);
  });

  it('names each file by its content', () => {
    expect(names).toEqual({
      script: expect.stringMatching(/^app-[0-9a-f]{12}\.js$/),
      worklet: expect.stringMatching(/^worklet-[0-9a-f]{12}\.js$/),
      style: expect.stringMatching(/^style-[0-9a-f]{12}\.css$/),
      icon: expect.stringMatching(/^icon-[0-9a-f]{12}\.svg$/),
      shared: [expect.stringMatching(/^chunk-[0-9A-Z]{8}\.js$/)],
      staff: {
        script: expect.stringMatching(/^staff-[0-9a-f]{12}\.js$/),
        style: expect.stringMatching(/^staff-style-[0-9a-f]{12}\.css$/),
        shared: names.staff.shared.map(() => expect.stringMatching(/^staff-chunk-[0-9A-Z]{8}\.js$/)),
      },
    });
  });

  it('keeps the files of the build before for one release, for pages that are open', () => {
    const folder = mkdtempSync(join(tmpdir(), 'assay-bundle-'));
    const build = () => execFileSync(process.execPath, ['scripts/bundle-web.mjs', folder]);
    const list = join(folder, 'names.json');
    const kept = () => [...readPageFiles(folder).files.keys()];
    /** Makes the existing build look like one of other sources. */
    const replacedBy = (name: string) => {
      const text = readFileSync(list, 'utf8');
      const { script } = JSON.parse(text) as { script: string };
      for (const end of ['', '.gz']) renameSync(join(folder, script + end), join(folder, name + end));
      writeFileSync(list, text.replace(script, name));
    };
    try {
      build();
      const { chunks } = JSON.parse(readFileSync(list, 'utf8')) as { chunks: readonly string[] };
      expect(kept()).toHaveLength(6 + chunks.length);
      replacedBy('app-000000000001.js');
      build();
      expect(kept()).toContain('app-000000000001.js');
      expect(readPageFiles(folder).names).toEqual(names);
      // Built again without a change, as every start does.
      build();
      expect(kept()).toContain('app-000000000001.js');
      replacedBy('app-000000000002.js');
      build();
      expect(kept()).toEqual(expect.arrayContaining(['app-000000000002.js', names.script]));
      expect(kept()).not.toContain('app-000000000001.js');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('has in chunks of their own what not every task needs', () => {
    for (const name of ['hand-ins', 'editor', 'python'])
      expect([...files.keys()]).toContainEqual(
        expect.stringMatching(new RegExp(`^${name}-[0-9A-Z]{8}\\.js$`)),
      );
    const first = String(files.get(names.shared[0] ?? '')?.plain);
    expect([first.includes('hand-in'), first.includes('cm-content')]).toEqual([true, false]);
  });

  it('has a stylesheet that loads nothing', () => {
    for (const name of [names.style, names.staff.style])
      expect(/@import|url\(/.test(String(files.get(name)?.plain))).toBe(false);
  });
});
