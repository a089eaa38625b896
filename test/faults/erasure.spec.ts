import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FileOf } from '../../src/vault/port.js';
import { collect } from '../contracts/event-store-kit.js';
import { fakeChecker } from '../support/checked-tickets.js';
import { eventually } from '../support/eventually.js';
import { makePlace, type Place } from '../support/place.js';
import { openBeside } from '../support/recorded-interview.js';
import type { Service } from '../support/service.js';
import { dumpViews, expectViewsToEqualAFoldFromZero } from '../support/whole-views.js';
import {
  ALL,
  decoded,
  filesIn,
  holding,
  mentions,
  settled,
  story,
  TELLING,
  erasureEvents,
} from './erased-story.js';

const SPOKEN = randomBytes(32_000);

describe('what an erasure leaves in a data folder', () => {
  let place: Place;
  let service: Service;
  let ada: Awaited<ReturnType<typeof story>>;
  let output = '';
  /** The service's temporary folder, in which checks run. */
  let temporary: string;
  let secrets: readonly Buffer[];
  let telling: readonly string[];
  let signal: string;

  /** Her files, and the fingerprints by which others' work is compared with them. */
  const filesOfHers = async (): Promise<readonly FileOf[]> => {
    const { vault, close } = await openBeside(place.dataDir);
    const files = await collect(vault.files.files());
    await close();
    return files.filter(({ person }) => person === ada.person);
  };
  const signalNow = async () => (await ada.owner.get(`/organisations/${ada.org}/signal`)).text;

  beforeAll(async () => {
    temporary = await mkdtemp(join(tmpdir(), 'assay-erased-'));
    const checker = fakeChecker(join(temporary, 'runs'));
    place = await makePlace({ LOG_LEVEL: 'trace', TMPDIR: temporary, ...checker });
    service = await place.start();
    ada = await story(place, service);
    telling = [...TELLING, ada.subject];
    const beside = await openBeside(place.dataDir);
    // The recorded speech of the interview.
    const of = { person: ada.person, trialSessionId: ada.session.split('/').at(-1) ?? '' };
    const chunk = { turn: 1, firstSeq: 1, lastSeq: 1, timestampMs: 0, endOfTurn: true, answerGapMs: null };
    await beside.vault.audio.append(of, 0, { ...chunk, pcm: SPOKEN });
    const key = await beside.vault.keys.get(ada.person);
    await beside.close();
    const [keyFile] = (await filesIn(join(place.dataDir, 'vault', 'keys'))).filter((file) =>
      file.includes(ada.person),
    );
    secrets = [key?.kind === 'key' ? key.key : Buffer.of(), await readFile(keyFile!)];
    signal = await signalNow();
    expect(await filesOfHers()).toHaveLength(2);
    // Before the erasure, the search finds everything.
    const before = JSON.stringify(await decoded(place.dataDir));
    expect(mentions(before, telling)).toEqual(telling);
    expect(
      mentions(JSON.stringify(await dumpViews(place.dataDir)), [...telling.slice(0, 4), ada.subject]),
    ).toHaveLength(5);
    expect(await holding(place.dataDir, [secrets[1]!.subarray(0, 60)])).toHaveLength(1);
    expect(await holding(place.dataDir, ['Backend engineer'])).not.toEqual([]);
    expect((await ada.owner.post(`${ada.application}/erasure`)).status).toBe(202);
    await settled(ada.owner, ada.application);
    await eventually(async () => (await erasureEvents(place.dataDir, ada.person)).length === ALL.length);
  });
  afterAll(async () => {
    await service.stop();
    await place.remove();
    await rm(temporary, { recursive: true });
  });

  it('is no byte of the person or of the key in any file, freed pages included', async () => {
    const needles = [...telling, SPOKEN.subarray(100, 164), ...secrets.map((one) => one.subarray(0, 32))];
    expect(await holding(place.dataDir, needles)).toEqual([]);
    expect(await holding(temporary, needles)).toEqual([]);
  });

  it('is no file of what was handed in', async () => {
    expect(await filesOfHers()).toEqual([]);
  });

  it('is nothing in the log decoded with every key left, nor in any view', async () => {
    expect(mentions(JSON.stringify(await decoded(place.dataDir)), telling)).toEqual([]);
    expect(mentions(JSON.stringify(await dumpViews(place.dataDir)), telling)).toEqual([]);
    expect(await erasureEvents(place.dataDir, ada.person)).toEqual(ALL);
  });

  it('is the signal as it was', async () => {
    expect(await signalNow()).toBe(signal);
  });

  it('folds from the first event to the same views', async () => {
    await expectViewsToEqualAFoldFromZero({ DATA_DIR: place.dataDir });
  });

  it('is the same once the service has ended, and nothing was printed', async () => {
    await service.stop();
    output = service.output();
    expect(output).toContain('"port"');
    expect(mentions(output, telling)).toEqual([]);
    const needles = [...telling, ...secrets.map((one) => one.subarray(0, 32))];
    expect(await holding(place.dataDir, needles)).toEqual([]);
  });
});
