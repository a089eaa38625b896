import { setTimeout as sleep } from 'node:timers/promises';
import { startOurs } from './support/contenders.js';
import { inFolder } from './support/folder.js';
import { load } from './support/load.js';
import { versions } from './support/measure.js';
import { ownMemory } from './support/memory.js';
import { mixedLoad } from './support/mixed-load.js';
import { startHello, stopAfter } from './support/servers.js';

/** How long the garbage collector takes for what a start leaves behind. */
const SETTLE_MS = 30_000;
const LOAD_SECONDS = 60;
const ROLES = 8;
/** Limits in MB. */
const BARS = { idleBeyondHello: 60, afterLoad: 180 } as const;

/** Memory of its own of an embedded service, idle and at the end of a load: against Nest that only greets. */
export const run = (): Promise<void> =>
  inFolder((folder) =>
    stopAfter(async (started) => {
      const hello = started(await startHello(`${folder}/hello`));
      const ours = await startOurs(`${folder}/service`, ROLES, started);
      const measured = () => ({ baseline: ownMemory(hello.pid), ours: ownMemory(ours.server.pid) });
      await sleep(SETTLE_MS);
      const idle = measured();
      await load({ url: hello.url, connections: 16, seconds: LOAD_SECONDS });
      await mixedLoad(ours, LOAD_SECONDS);
      const afterLoad = measured();
      const beyond = idle.ours - idle.baseline;
      const passed = {
        idle: beyond <= BARS.idleBeyondHello,
        afterLoad: afterLoad.ours <= BARS.afterLoad,
      };
      const verdict = (bar: number, reached: boolean) => `bar ${bar} ${reached ? 'reached' : 'MISSED'}`;
      console.log(
        `\nmemory, idle: ${idle.ours.toFixed(0)} MB, ${beyond.toFixed(0)} MB more than Nest hello world ` +
          `(${verdict(BARS.idleBeyondHello, passed.idle)})`,
      );
      console.log(
        `memory, after ${LOAD_SECONDS} s of load: ${afterLoad.ours.toFixed(0)} MB ` +
          `(${verdict(BARS.afterLoad, passed.afterLoad)}), Nest hello world ${afterLoad.baseline.toFixed(0)} MB`,
      );
      const packages = ['@nestjs/core', 'fastify', 'lmdb'];
      console.log(
        JSON.stringify({
          name: 'memory',
          unit: 'MB',
          ...{ idle, afterLoad, bars: BARS, passed },
          versions: versions(packages),
        }),
      );
      if (!passed.idle || !passed.afterLoad) process.exitCode = 1;
    }),
  );
