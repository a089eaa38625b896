import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aStream, events } from '../../test/contracts/event-store-kit.js';
import { generation, pointer } from '../../test/contracts/pointers.js';
import { StoreUnusable } from '../core/errors.js';
import type { LogId } from '../core/event-store.js';
import { openLog, openReadStore } from './adapters.js';
import { readConfiguration } from './config.js';
import { type Opening, openStores } from './stores.js';

describe('no log is begun, or used while it is empty, beside the views of another one', () => {
  let dataDir: string;
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'assay-beginning-'));
  });
  afterEach(() => rm(dataDir, { recursive: true, force: true }));

  const places = () => ({ dataDir, servers: null });
  const open = async (opening: Opening = {}): Promise<void> => {
    const stores = await openStores({ ...readConfiguration({}), dataDir }, () => undefined, opening);
    await stores.close();
  };
  /** @returns the log's life */
  const beginLog = async (count = 0): Promise<LogId> => {
    const log = await openLog(places());
    if (count > 0) await log.append(aStream(), 'no-stream', events(count));
    await log.close();
    return log.life;
  };
  const makeViewsOf = async (log: string): Promise<void> => {
    const readStore = await openReadStore(places());
    await readStore.pointers.swap(
      'signal',
      null,
      pointer(1, { live: { ...generation(1), log: log as LogId } }),
    );
    await readStore.close();
  };
  const refused = async (opening: Promise<void>, sentence: RegExp): Promise<void> => {
    await expect(opening).rejects.toThrow(sentence);
    await expect(opening).rejects.toBeInstanceOf(StoreUnusable);
    await expect(opening).rejects.toThrow(join(dataDir, 'log'));
  };

  it('of a log that is not there: both places are named, and nothing is made', async () => {
    await makeViewsOf('another');
    await refused(
      open(),
      /^There is no event log at .* views at .*views were made from another log\. Nothing was begun\./,
    );
    expect(existsSync(join(dataDir, 'log'))).toBe(false);
  });

  it('of a log without events', async () => {
    await beginLog();
    await makeViewsOf('another');
    await refused(open(), /^There are no events at .* views at .*views were made from another log\./);
  });

  it('but beside none, beside its own, and where it has events: it was restored', async () => {
    await open();
    await rm(dataDir, { recursive: true });
    await makeViewsOf(await beginLog());
    await open();
    await rm(dataDir, { recursive: true });
    await beginLog(1);
    await makeViewsOf('another');
    await open();
  });

  it('by a command that only works on a service', async () => {
    await refused(
      open({ begins: false }),
      /^There is no event log at .*: DATA_DIR is mistyped, or the service was never/,
    );
    expect(await readdir(dataDir)).toEqual([]);
    await open();
    await open({ begins: false });
  });
});
