/*
 * The program of a thread that hands in archives for the benchmark of uploads. It sends a message once they are made, begins
 * at the first message and ends at the second, and sends last how many it handed in.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';
import { packTarHere } from '../../src/work/archives.js';
import { HAND_IN_LIMITS, MAX_PIECE_BYTES } from '../../src/work/limits.js';
import { sha256Of, treeOf } from '../../src/work/tree.js';
import { send } from './hiring.js';
import { answered, keepAliveAgent } from './open-loop.js';

export interface Sending {
  /** Where each candidate begins hand-ins, and as whom. */
  readonly handIns: readonly { readonly url: string; readonly token: string }[];
  /** Archives of each candidate: enough until the end. */
  readonly count: number;
  /** What the line of each candidate takes. */
  readonly bytesPerSecond: number;
}

/** Files in an archive. Their content is random, so that packing does not make it smaller. */
const FILES = 100;

interface Archive {
  readonly announced: { readonly name: string; readonly bytes: number; readonly sha256: string };
  /** Bodies of requests, made beforehand: it is the service that is measured. */
  readonly pieces: readonly Buffer[];
}

/** A new archive of some 10 MB: no hand-in has the same bytes. */
const anArchive = async (): Promise<Archive> => {
  const bytes = Math.floor((HAND_IN_LIMITS.bytes * 0.97) / FILES);
  const files = Array.from({ length: FILES }, (_, n) => ({
    path: `src/${n}.bin`,
    content: randomBytes(bytes),
  }));
  const content = gzipSync(await packTarHere(treeOf(files)), { level: 1 });
  const pieces: Buffer[] = [];
  for (let offset = 0; offset < content.length; offset += MAX_PIECE_BYTES) {
    const data = content.subarray(offset, offset + MAX_PIECE_BYTES).toString('base64');
    pieces.push(Buffer.from(JSON.stringify({ offset, data })));
  }
  return { announced: { name: 'work.tar.gz', bytes: content.length, sha256: sha256Of(content) }, pieces };
};

const { handIns, count, bytesPerSecond } = workerData as Sending;
const over = new AbortController();

/** Hands in one archive after the other until the end. @returns how many */
const handInUntilOver = async (
  { url, token }: Sending['handIns'][number],
  archives: readonly Archive[],
): Promise<number> => {
  const agent = keepAliveAgent();
  const post = (to: string, body: string | Buffer): Promise<void> =>
    answered(agent, { url: to, method: 'POST', headers: { authorization: `Bearer ${token}` }, body });
  try {
    for (const [done, { announced, pieces }] of archives.entries()) {
      const handIn = `${url}/${(await send(url, announced, token)).id}`;
      const begun = performance.now();
      for (const [n, piece] of pieces.entries()) {
        if (over.signal.aborted) return done;
        await post(`${handIn}/pieces`, piece);
        const due = begun + ((n + 1) * MAX_PIECE_BYTES * 1_000) / bytesPerSecond;
        await sleep(Math.max(0, due - performance.now()));
      }
      await post(`${handIn}/complete`, '{}');
    }
    if (!over.signal.aborted) throw new Error('There were too few archives.');
    return archives.length;
  } finally {
    await agent.destroy();
  }
};

const archivesOfOne = async (): Promise<readonly Archive[]> => {
  const made: Archive[] = [];
  while (made.length < count) made.push(await anArchive());
  return made;
};

const archives = await Promise.all(handIns.map(archivesOfOne));
if (parentPort !== null) {
  parentPort.postMessage('made');
  await once(parentPort, 'message');
  parentPort.once('message', () => over.abort());
  const done = await Promise.all(handIns.map((to, at) => handInUntilOver(to, archives[at] ?? [])));
  parentPort.postMessage(done.reduce((sum, one) => sum + one, 0));
}
