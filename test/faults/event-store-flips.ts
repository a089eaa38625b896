import { cp, open, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { StoreUnusable } from '../../src/core/errors.js';
import { openEmbeddedLog } from '../../src/stores/lmdb/log/log.js';

/*
 * Flips bytes in copies of a log and reads each copy completely: `<folder> <copies> <seed>`. Prints the result of each.
 * It runs in a process of its own, since the fault that it searches is a signal that ends the process.
 */
const [folder = '', copies = '1', seed = '1'] = process.argv.slice(2);

let state = Number(seed);
/** mulberry32 */
function random(): number {
  state = (state + 0x6d2b79f5) | 0;
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
}

async function read(from: string): Promise<string[]> {
  const log = await openEmbeddedLog(from, { readOnly: true });
  try {
    await log.verify();
    const events: string[] = [];
    for await (const { id, stream, data, metadata } of log.readAll()) {
      events.push(
        `${id} ${stream} ${Buffer.from(data).toString('hex')} ${Buffer.from(metadata).toString('hex')}`,
      );
    }
    return events;
  } finally {
    await log.close();
  }
}

const whole = (await read(folder)).join();
for (let copy = 0; copy < Number(copies); copy++) {
  const target = `${folder}-flipped-${copy}`;
  await cp(folder, target, { recursive: true });
  await rm(join(target, 'lock.mdb'), { force: true });
  const file = await open(join(target, 'data.mdb'), 'r+');
  const { size } = await stat(join(target, 'data.mdb'));
  for (let flips = 0; flips < 3; flips++) {
    await file.write(Buffer.of(Math.floor(random() * 256)), 0, 1, Math.floor(random() * size));
  }
  await file.close();
  let outcome: string;
  try {
    outcome = (await read(target)).join() === whole ? 'same' : 'other';
  } catch (error) {
    outcome = error instanceof StoreUnusable ? 'refused' : `failed: ${String(error)}`;
  }
  console.log(outcome);
  await rm(target, { recursive: true });
}
