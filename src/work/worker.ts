/*
 * The program of a thread that `inThread` starts and ends. It runs one job after the other. A job comes as a `JobData`;
 * if it is one of `CONTENT_JOBS`, the pieces of its content follow, and then `null`. Its answer is one message. An error
 * in a job becomes the thread's `error` event, and ends the thread.
 */
import { on } from 'node:events';
import { type MessagePort, parentPort } from 'node:worker_threads';
import { lowerThreadPriority } from '../core/concurrency.js';
import { CONTENT_JOBS, JOBS } from './archives.js';
import type { JobData } from './in-worker.js';
import type { Tree } from './tree.js';

/** Copies all content to one buffer of its exact size: sending a part of a larger buffer would send the whole buffer. */
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

const port = parentPort as MessagePort;
const messages: AsyncIterator<unknown[]> = on(port, 'message');
const next = async (): Promise<unknown> => ((await messages.next()).value as [unknown])[0];

/** Receives the content that `inThread` sends in pieces, up to the `null`. */
const received = async (): Promise<Buffer> => {
  const pieces: Uint8Array[] = [];
  for (let piece = await next(); piece !== null; piece = await next()) pieces.push(piece as Uint8Array);
  return Buffer.concat(pieces);
};

lowerThreadPriority();
for (;;) {
  const { name, args } = (await next()) as JobData;
  const job = { ...JOBS, ...CONTENT_JOBS }[name] as (...given: unknown[]) => Promise<Tree | object | null>;
  // The content is the first argument.
  const result = await job(...(name in CONTENT_JOBS ? [await received()] : []), ...args);
  if (result !== null && 'files' in result) {
    const { tree, buffer } = compact(result);
    // The buffer is moved, not copied.
    port.postMessage(tree, [buffer]);
  } else port.postMessage(result);
}
