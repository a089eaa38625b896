import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { openEmbeddedLog } from '../../src/stores/lmdb/log/log.js';
import { openEmbeddedReadStore } from '../../src/stores/lmdb/views/open.js';
import { rebuildSessions } from './rebuild-sessions.js';
import { sessionsCodec } from './sessions.js';

/** Rebuilds the view of a log and prints the most memory that was the process's own, in MiB. */
const folder = process.argv[2] ?? join(tmpdir(), 'log');
const views = await mkdtemp(join(dirname(folder), 'views-'));
const log = await openEmbeddedLog(folder);
const store = await openEmbeddedReadStore(views);

/** Files that are mapped are the system's to drop: only what belongs to the process counts. */
const ownMemory = async (): Promise<number> =>
  Number(/RssAnon:\s+(\d+) kB/.exec(await readFile('/proc/self/status', 'utf8'))?.[1] ?? Number.NaN) / 1024;

let peak = 0;
const watching = setInterval(() => void ownMemory().then((now) => (peak = Math.max(peak, now))), 20);
try {
  await rebuildSessions(log, store, sessionsCodec(), await log.head());
} finally {
  clearInterval(watching);
  await store.close();
  await log.close();
  await rm(views, { recursive: true });
}
process.stdout.write(`${peak}`);
