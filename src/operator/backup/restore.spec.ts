import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfiguration } from '../../process/config.js';
import { openWriteSide } from '../../process/stores.js';
import { backUp } from './backup.js';
import { type Restored, restore } from './restore.js';

describe('two restores into one folder', () => {
  const signal = new AbortController().signal;
  let root: string;
  let dataDir: string;
  let count = 0;

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'assay-restores-'));
    const data = join(root, 'data');
    await (await openWriteSide(readConfiguration({ DATA_DIR: data }))).close();
    await backUp(data, join(root, 'backup'), { withKeys: false, signal, say: () => undefined });
  });
  afterAll(() => rm(root, { recursive: true }));
  beforeEach(() => void (dataDir = join(root, `r${++count}`)));

  const begin = (say: (line: string) => void = () => undefined): Promise<Restored> =>
    restore(join(root, 'backup'), dataDir, {
      ...{ newer: null, acceptLost: true, signal, say },
      preRestoreMails: { until: new Date().toISOString(), are: 'held' },
    });
  const restored = ['log', 'vault'];

  it('do not both find it empty before either has written: at most one is carried out', async () => {
    const outcomes = await Promise.allSettled([begin(), begin()]);
    const refused = outcomes.filter(({ status }) => status === 'rejected');
    expect(refused.length).toBeGreaterThan(0);
    for (const outcome of refused)
      expect(outcome).toMatchObject({ reason: { message: expect.stringContaining('Another restore') } });
    expect(existsSync(dataDir) ? readdirSync(dataDir).sort() : restored).toEqual(restored);
  });

  it('leave alone what a service has begun there after it was found empty', async () => {
    const begun = begin((line) => {
      if (!line.startsWith('Checking')) return;
      mkdirSync(join(dataDir, 'vault'));
    });
    await expect(begun).rejects.toThrow(/is not empty/);
    expect(readdirSync(dataDir)).toEqual(['vault']);
  });

  describe('of which one is in another container', () => {
    let folder: string;
    let renewals: NodeJS.Timeout | undefined;

    beforeEach(() => {
      folder = join(dataDir, `.unfinished-restore-r${count}-0123abcd-1-0123abcd-AbCdEf`);
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 'file'), '');
    });
    afterEach(() => clearInterval(renewals));

    it('are one, and what that one has made so far is not removed', async () => {
      renewals = setInterval(() => utimesSync(folder, new Date(), new Date()), 500);
      await expect(begin()).rejects.toThrow(/Another restore into/);
      expect(readdirSync(folder)).toEqual(['file']);
    });

    it('are one once the other was killed', async () => {
      await begin();
      expect(readdirSync(dataDir).sort()).toEqual(restored);
    }, 30_000);
  });
});
