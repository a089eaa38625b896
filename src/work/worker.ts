/*
 * The program of a thread that `inThread` starts: it runs one job, answers with one message and is ended by `inThread`.
 * An error of the job becomes the thread's `error` event.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { yieldToRequests } from '../core/concurrency.js';
import { CONTENT_JOBS, JOBS } from './archives.js';
import type { JobData } from './in-worker.js';
import type { Tree } from './tree.js';

/** Copies all content to one buffer of its exact size: to send a part of a larger buffer sends all of that buffer. */
const compact = <T extends Tree>(tree: T): { readonly tree: T; readonly buffer: ArrayBuffer } => {
  const buffer = new ArrayBuffer(tree.files.reduce((sum, { bytes }) => sum + bytes, 0));
  const all = new Uint8Array(buffer);
  let end = 0;
  const files = tree.files.map((file) => {
    all.set(file.content, end);
    return { ...file, content: all.subarray(end, (end += file.bytes)) };
  });
  return { tree: { ...tree, files }, buffer };
};

/** What `inThread` sends piece by piece, once the `null` behind it has come. */
const received = (): Promise<Buffer> => {
  const pieces: Uint8Array[] = [];
  return new Promise((resolve) => {
    parentPort?.on('message', (piece: Uint8Array | null) => {
      if (piece === null) resolve(Buffer.concat(pieces));
      else pieces.push(piece);
    });
  });
};

const { name, args } = workerData as JobData;
yieldToRequests();
const job = { ...JOBS, ...CONTENT_JOBS }[name] as (...given: unknown[]) => Promise<Tree | object | null>;
const result = await job(...(name in CONTENT_JOBS ? [await received()] : []), ...args);
if (result !== null && 'files' in result) {
  const { tree, buffer } = compact(result);
  // Handed over, not copied.
  parentPort?.postMessage(tree, [buffer]);
} else parentPort?.postMessage(result);
