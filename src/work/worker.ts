/*
 * The program of a thread that `inThread` starts: it runs one job, answers with one message and is ended by `inThread`.
 * An error of the job becomes the thread's `error` event.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { yieldToRequests } from '../core/concurrency.js';
import { JOBS } from './archives.js';
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

const { name, args } = workerData as JobData;
yieldToRequests();
const result = await (JOBS[name] as (...args: unknown[]) => ReturnType<(typeof JOBS)[typeof name]>)(...args);
if (result !== null && 'files' in result) {
  const { tree, buffer } = compact(result);
  // Handed over, not copied.
  parentPort?.postMessage(tree, [buffer]);
} else parentPort?.postMessage(result);
