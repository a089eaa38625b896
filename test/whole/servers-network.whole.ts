import { describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { roundsOnServers } from '../servers/rounds-on-servers.js';

describe('two API processes and two projectors on EventStoreDB and MongoDB', () => {
  it('each server freezes for 30 s; connections are reset in the middle of appends and of writes, stall, become slow, end and are refused', async () => {
    await roundsOnServers({ candidates: 40, seed: 24 }, async ({ proxies, eventStore, mongodb }, playing) => {
      await eventStore.freeze(30_000);
      // Between the freezes, let candidates play: the simulation fails if a service is unreachable for a whole minute.
      await playing.played(6);
      await mongodb.freeze(30_000);
      await playing.played(10);
      for (const proxy of [proxies.eventStore, proxies.mongodb]) {
        let sprung = 0;
        for (let times = 0; times < 5; times++) {
          // Every other reset is triggered by an answer: the call was carried out, and its caller does not learn that.
          const direction = times % 2 === 0 ? 'down' : 'up';
          const reset = proxy.resetAfter(times * 701, { direction }).then(() => sprung++);
          // Clients reconnect after a moment. How much they send then is random: do not wait long for the reset.
          await Promise.race([reset, sleep(5_000)]);
          await sleep(200);
        }
        expect(sprung).toBeGreaterThan(2);
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
});
