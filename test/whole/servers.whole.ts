import { describe, expect, it } from '@jest/globals';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { Random } from '../model/random.js';
import { arrange, type Arrangement, type ArrangementOptions } from '../support/arrangement.js';
import { playRounds, type Rounds } from '../support/hiring-rounds.js';
import { type CommandFault, failCommand } from '../support/mongodb/fail-command.js';
import { refuseFurtherDocuments } from '../support/mongodb/refuse-documents.js';
import { eventually } from '../support/organisation.js';
import { expectViewsToEqualAFoldFromZero } from '../support/refolded-views.js';

const AGREES = { code: 0, output: expect.stringContaining('Everything agrees') };
const HOUR_MS = 3_600_000;

/** What it takes at most until somebody else has a dead projector's segments. */
const TAKEOVER_MS = 10_000;
/** Longer than that. */
const LONG_PAUSE_MS = 12_000;

/**
 * Hiring rounds on servers while something happens to them. Afterwards every figure agrees with the simulation's own
 * count, and every view with a fold from the first event on.
 */
const rounds = async (
  { candidates, seed, ...options }: ArrangementOptions & { candidates: number; seed: number },
  happen: (arrangement: Arrangement, playing: Rounds) => Promise<void>,
): Promise<void> => {
  const arrangement = await arrange(options);
  const playing = playRounds(arrangement, candidates, seed);
  try {
    await playing.begun();
    await happen(arrangement, playing);
    expect(await playing.ended()).toMatchObject(AGREES);
    await expectViewsToEqualAFoldFromZero(arrangement.direct);
    for (const code of await arrangement.stopService()) expect(code).toBe(0);
  } catch (error) {
    process.stderr.write(arrangement.output());
    throw error;
  } finally {
    playing.kill();
    await arrangement.remove();
  }
};

const shifted = (ms: number) => ({
  CLOCK_SHIFT_MS: `${ms}`,
  NODE_OPTIONS: `--import=${pathToFileURL(resolve('dist/test/support/shifted-clock.js')).href}`,
});

/** The ids of the processes that work on segments. */
const workers = async (url: string): Promise<ReadonlySet<number>> => {
  const figures = await (await fetch(`${url}/metrics`)).text();
  const owned = figures.matchAll(/^assay_segment_owned\{.*owner="[^"]*\/(\d+)"\} 1$/gm);
  return new Set([...owned].map(([, pid]) => Number(pid)));
};

/** As the log has it, a line of JSON. */
const failedPass = (view: string): string => `A pass of the view \\"${view}\\" failed`;

describe('two API processes and two projectors on EventStoreDB and MongoDB', () => {
  it('kill -9 of each of them and of both servers, twice: 200 candidates, every figure agrees', async () => {
    await rounds(
      { candidates: 200, seed: 21 },
      async ({ apis, projectors, eventStore, mongodb }, playing) => {
        const victims = [apis[0]!, projectors[0]!, eventStore, mongodb, apis[1]!, projectors[1]!];
        const random = new Random(21);
        let share = 0.05;
        for (const victim of [...victims, ...victims]) {
          await playing.played(200 * share);
          await sleep(random.below(700));
          await victim.crash();
          share += 0.075;
        }
      },
    );
  });

  it('a projector that sleeps past its lease wakes beside its successor', async () => {
    await rounds({ candidates: 60, seed: 22 }, async ({ projectors, urls }) => {
      for (const projector of projectors) {
        const { pid } = projector;
        await eventually(async () => (await workers(urls[0]!)).has(pid));
        const began = performance.now();
        const takenOver = async () => {
          await eventually(async () => {
            const working = await workers(urls[0]!);
            return working.size > 0 && !working.has(pid);
          });
          expect(performance.now() - began).toBeLessThan(TAKEOVER_MS);
        };
        await Promise.all([projector.freeze(LONG_PAUSE_MS), takenOver()]);
      }
    });
  });

  it('each server freezes for 30 s', async () => {
    await rounds({ candidates: 40, seed: 23 }, async ({ eventStore, mongodb }, playing) => {
      await eventStore.freeze(30_000);
      // The simulation gives up on whoever is away for a minute at a stretch.
      await playing.played(12);
      await mongodb.freeze(30_000);
    });
  });

  it('connections are reset in the middle of appends and of writes, stall, become slow, end and are refused', async () => {
    await rounds({ candidates: 60, seed: 24 }, async ({ proxies }) => {
      for (const proxy of [proxies.eventStore, proxies.mongodb]) {
        let sprung = 0;
        for (let times = 0; times < 5; times++) {
          // Sprung by the answer of every other one: what was asked is done, and nobody hears of it.
          const direction = times % 2 === 0 ? 'down' : 'up';
          void proxy.resetAfter(times * 701, { direction }).then(() => sprung++);
          await sleep(500);
        }
        expect(sprung).toBeGreaterThan(1);
        proxy.stall();
        await sleep(5_000);
        await proxy.heal();
        proxy.slow({ latencyMs: 60, bytesPerSecond: 500_000 });
        await sleep(4_000);
        await proxy.heal();
        proxy.end();
        await sleep(500);
        proxy.refuse();
        proxy.reset();
        await sleep(2_000);
        await proxy.heal();
      }
    });
  });

  it('MongoDB refuses commands, breaks off, answers late and without a majority', async () => {
    await rounds({ candidates: 60, seed: 25 }, async ({ direct }) => {
      const fail = (data: CommandFault) => failCommand(direct.MONGODB_URL!, data, { times: 8 });
      for (const failure of [
        { errorCode: 8000 },
        { closeConnection: true },
        { writeConcernError: { code: 64, errmsg: 'waiting for replication timed out' } },
        { blockConnection: true, blockTimeMS: 4_000 },
      ]) {
        for (const command of ['update', 'insert', 'findAndModify']) {
          await fail({ failCommands: [command], ...failure });
          await sleep(400);
        }
      }
    });
  });

  it('MongoDB refuses single documents of a page, and checkpoints after their documents', async () => {
    await rounds({ candidates: 40, seed: 27 }, async ({ direct, output }, playing) => {
      const url = direct.MONGODB_URL!;
      const said = (text: string) => output().split(text).length - 1;
      const others = () => said('failed; it is repeated') - said(failedPass('evaluations'));
      const heal = await refuseFurtherDocuments(url, 'view.evaluations.v1.g1');
      for (const failure of [{ errorCode: 8000 }, { closeConnection: true }]) {
        const before = others();
        const checkpoints = { failCommands: ['update'], namespace: 'assay.checkpoints', ...failure };
        const end = await failCommand(url, checkpoints);
        await sleep(2_000);
        await end();
        expect(others()).toBeGreaterThan(before);
      }
      await playing.played(8);
      await eventually(async () => said(failedPass('evaluations')) > 2);
      await heal();
    });
  });

  it('clocks are an hour apart', async () => {
    await rounds(
      // An API further behind than this would take tokens for ones from the future, and refuse them.
      { candidates: 40, seed: 26, firstApi: shifted(-50_000), firstProjector: shifted(HOUR_MS) },
      async ({ projectors }) => projectors[0]!.crash(),
    );
  });
});
