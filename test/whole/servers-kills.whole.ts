import { describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../model/random.js';
import { roundsOnServers } from '../servers/rounds-on-servers.js';
import { eventually } from '../support/eventually.js';

/** Longest time until another projector holds a dead one's segments. */
const TAKEOVER_MS = 10_000;
/** A longer time than that. */
const LONG_PAUSE_MS = 12_000;

/** The ids of the processes that hold segments. */
const workers = async (url: string): Promise<ReadonlySet<number>> => {
  const figures = await (await fetch(`${url}/metrics`)).text();
  const owned = figures.matchAll(/^assay_segment_owned\{.*owner="[^"]*\/(\d+)"\} 1$/gm);
  return new Set([...owned].map(([, pid]) => Number(pid)));
};

describe('two API processes and two projectors on EventStoreDB and MongoDB', () => {
  it('kill -9 of each of them and of both servers, twice: 200 candidates, every figure agrees', async () => {
    await roundsOnServers(
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
    await roundsOnServers({ candidates: 24, seed: 22 }, async ({ projectors, urls }) => {
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
});
