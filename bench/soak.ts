import { setTimeout as sleep } from 'node:timers/promises';
import { startOurs } from './support/contenders.js';
import { inFolder } from './support/folder.js';
import { median, versions } from './support/measure.js';
import { ownMemory } from './support/memory.js';
import { mixedLoad } from './support/mixed-load.js';
import { stopAfter } from './support/servers.js';

/** Caches keep what they hold for up to five minutes: until then memory grows. */
const WARM_UP_MINUTES = 5.5;
/** How long the load lasts after that. The longer it is, the smaller the growth that can be measured. */
const MINUTES = Number(process.env.BENCH_MINUTES ?? 3);
const EVERY_MS = 5_000;
const ROLES = 8;
/** Limits: the most memory in MB, and its growth in MB a minute. */
const BARS = { most: 180, slope: 1 } as const;

/** Memory of its own of an embedded service under load: how much, and whether it grows. */
export const run = (): Promise<void> =>
  inFolder((folder) =>
    stopAfter(async (started) => {
      const ours = await startOurs(`${folder}/service`, ROLES, started);
      const samples: number[] = [];
      const over = new AbortController();
      const sampling = (async () => {
        while (!over.signal.aborted) {
          await sleep(EVERY_MS, undefined, { signal: over.signal }).catch(() => undefined);
          samples.push(ownMemory(ours.server.pid));
          console.log(`  ${(samples.length * EVERY_MS) / 1_000} s: ${samples.at(-1)?.toFixed(0)} MB`);
        }
      })();
      const answers = await mixedLoad(ours, (WARM_UP_MINUTES + MINUTES) * 60).finally(() => over.abort());
      await sampling;
      const warm = samples.slice((WARM_UP_MINUTES * 60_000) / EVERY_MS);
      const half = warm.length >> 1;
      const [first, last] = [median(warm.slice(0, half)), median(warm.slice(half))];
      const slope = (last - first) / (MINUTES / 2);
      const passed = last <= BARS.most && slope <= BARS.slope;
      console.log(
        `\nmemory over ${MINUTES} min of load after ${WARM_UP_MINUTES}, ${answers} requests: ${last.toFixed(0)} MB, ` +
          `${slope.toFixed(2)} MB a minute more (bars ${BARS.most} and ${BARS.slope} ${passed ? 'reached' : 'MISSED'})`,
      );
      console.log(
        JSON.stringify({
          name: 'memory over a soak',
          unit: 'MB',
          ...{ minutes: MINUTES, answers, last, slope, bars: BARS, passed, samples },
          versions: versions(['@nestjs/core', 'fastify', 'lmdb']),
        }),
      );
      if (!passed) process.exitCode = 1;
    }),
  );
