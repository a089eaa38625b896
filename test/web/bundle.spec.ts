import { resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { readPageFiles } from '../../src/api/candidate-page/files.js';

/** All JavaScript of the candidate's page, as it is sent. */
const MOST_BYTES = 70 * 1_000;

describe('the candidate’s page', () => {
  const { names, files } = readPageFiles(resolve('dist/web'));

  it('has no more JavaScript than a slow phone loads in a moment', () => {
    const bytes = [names.script, names.worklet].map((name) => files.get(name)?.gzip.length ?? Infinity);
    expect(bytes.reduce((sum, one) => sum + one)).toBeLessThanOrEqual(MOST_BYTES);
  });

  it('names each file by its content', () => {
    expect(names).toEqual({
      script: expect.stringMatching(/^app-[0-9a-f]{12}\.js$/),
      worklet: expect.stringMatching(/^worklet-[0-9a-f]{12}\.js$/),
      style: expect.stringMatching(/^style-[0-9a-f]{12}\.css$/),
      icon: expect.stringMatching(/^icon-[0-9a-f]{12}\.svg$/),
    });
  });

  it('has a stylesheet that loads nothing', () => {
    expect(/@import|url\(/.test(String(files.get(names.style)?.plain))).toBe(false);
  });
});
