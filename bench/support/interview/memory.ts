import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Server } from '../servers.js';

/** Wait until the memory that only opening the sockets needed is freed. */
const SETTLE_MS = 3_000;

/** The resident memory of a process in KiB, by `/proc`, which only Linux has. */
const residentKiB = async ({ pid }: Server): Promise<number> => {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? Number.NaN);
};

/** @returns KiB that a server takes more for each of the sockets that are opened and then left alone */
export const memoryOf = async (server: Server, count: number, open: () => Promise<void>): Promise<number> => {
  await sleep(SETTLE_MS);
  const before = await residentKiB(server);
  await open();
  await sleep(SETTLE_MS);
  return ((await residentKiB(server)) - before) / count;
};
