import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { Semaphore, Slices } from '../core/concurrency.js';
import type { Refused } from '../core/decider.js';
import { hasCode, Unavailable } from '../core/errors.js';
import { programFile } from '../process/installation.js';
import type { CONTENT_JOBS, JOBS } from './archives.js';
import type { FileDifference } from './difference.js';
import type { TreeLimits } from './limits.js';
import { refuseWork, type Tree, type TreeFile, type UnpackedTree } from './tree.js';

/** Limits the threads of this process: one core is left for requests. */
const threads = new Semaphore(Math.min(4, Math.max(1, availableParallelism() - 1)));
/** Longest wait for a thread, in milliseconds. */
const MAX_WAIT_MS = 60_000;
/**
 * Time limit of a job once its thread has all of its content, in milliseconds. Work within the limits takes less than
 * one second.
 */
const MAX_JOB_MS = 20_000;
/** Limits of a thread's V8 heap. The content of files is outside of the heap, and is limited by the jobs. */
const MEMORY = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 };

/** A job took too long or too much memory, or no thread was free in time. It had no effect, and may be tried again. */
export class JobExceeded extends Unavailable {
  readonly code = 'store_unavailable';
  override readonly name = 'JobExceeded';
}

type Jobs = typeof JOBS;
type ContentJobs = typeof CONTENT_JOBS;
type Answer<Job extends (...args: never[]) => unknown> = Awaited<ReturnType<Job>>;

/** What a thread is sent: the name of a job, and its arguments without its content. */
export interface JobData {
  readonly name: keyof Jobs | keyof ContentJobs;
  readonly args: readonly unknown[];
}

/** The bytes of a file in pieces, in order. Do not read a piece after it is sent: its memory may move to the thread. */
export type Content = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/**
 * Sends content to a thread, and then `null`, unless the job ends before. The content is never whole in this thread: 10
 * MB more would let V8 mark its whole memory, which delays requests.
 */
const sendTo = async (thread: Worker, content: Content, over: AbortSignal): Promise<void> => {
  const slices = new Slices();
  for await (const piece of content) {
    if (over.aborted) return;
    const { buffer } = piece;
    // A small piece is copied, since it may be part of Node's shared pool.
    thread.postMessage(piece, buffer.byteLength > Buffer.poolSize ? [buffer as ArrayBuffer] : []);
    await slices.next();
  }
  thread.postMessage(null);
};

/**
 * Sends a thread a job and its content, and waits for the answer.
 * @throws {JobExceeded} it took too long or too much memory
 * @throws what the content throws
 */
const answerOf = async <T>(thread: Worker, job: object, content: Content | undefined): Promise<T> => {
  const over = new AbortController();
  const answer = Promise.race([
    once(thread, 'message', over) as Promise<[T]>,
    once(thread, 'exit', over).then(() => {
      throw new JobExceeded('It took too long.');
    }),
  ]);
  // The answer may reject while content is sent, before it is awaited.
  answer.catch(() => undefined);
  let timer: NodeJS.Timeout | undefined;
  try {
    thread.postMessage(job);
    if (content) await Promise.race([sendTo(thread, content, over.signal), answer]);
    timer = setTimeout(() => void thread.terminate(), MAX_JOB_MS);
    return (await answer)[0];
  } catch (error) {
    throw hasCode(error, 'ERR_WORKER_OUT_OF_MEMORY') ? new JobExceeded('It took too much memory.') : error;
  } finally {
    clearTimeout(timer);
    over.abort();
  }
};

type Program = 'work-worker' | 'report-worker';

/** The program whose threads are reused. Those of `report-worker` are not: their caches would contain personal data. */
const REUSED: Program = 'work-worker';
/** Threads that have done a job and wait for another, each with the timer that ends it. */
const idle = new Map<Worker, NodeJS.Timeout>();
/** How long a thread waits, in milliseconds. Starting one costs as much as unpacking a small archive. */
const IDLE_MS = 10_000;

/** Returns an idle thread of the program, or a new one. */
const threadOf = (program: Program): Worker => {
  const [waiting] = program === REUSED ? idle : [];
  if (waiting) {
    const [thread, timer] = waiting;
    clearTimeout(timer);
    idle.delete(thread);
    thread.ref();
    return thread;
  }
  // It reads untrusted content, so it gets no environment variables, which may contain secrets.
  const thread = new Worker(programFile(program), { env: {}, execArgv: [], resourceLimits: MEMORY });
  // Without a listener, an error of an idle thread would end the process.
  thread.on('error', () => undefined);
  return thread.once('exit', () => idle.delete(thread));
};

const keep = (thread: Worker): void => {
  // An idle thread must not keep the process alive.
  thread.unref();
  const end = (): void => {
    // At once: until it has ended, it would be taken for a job.
    idle.delete(thread);
    void thread.terminate();
  };
  idle.set(thread, setTimeout(end, IDLE_MS).unref());
};

/**
 * Runs a job in a thread, which answers with one message.
 * @param content also sent to the thread, if the job expects it
 * @returns the message
 * @throws {JobExceeded} it took too long or too much memory, or no thread was free in time
 * @throws what the content throws
 */
export const inThread = async <T>(program: Program, job: object, content?: Content): Promise<T> => {
  const release = await threads.acquire(MAX_WAIT_MS);
  if (release === null) throw new JobExceeded('No thread was free in time.');
  const thread = threadOf(program);
  let isDone = false;
  try {
    const answer = await answerOf<T>(thread, job, content);
    isDone = true;
    return answer;
  } finally {
    if (isDone && program === REUSED) keep(thread);
    else await thread.terminate();
    release();
  }
};

const run = <K extends keyof Jobs>(name: K, ...args: Parameters<Jobs[K]>): Promise<Answer<Jobs[K]>> =>
  inThread('work-worker', { name, args } satisfies JobData);

/** As `run`, for a job whose first argument is content. */
const runOn = <K extends keyof ContentJobs>(
  name: K,
  content: Content,
  ...args: Parameters<ContentJobs[K]> extends [unknown, ...infer Others] ? Others : never
): Promise<Answer<ContentJobs[K]>> => inThread('work-worker', { name, args } satisfies JobData, content);

/**
 * Unpacks a zip, a tar, a tar.gz or a git bundle, or makes a tree of any other file.
 * @param name the sender's name of the file. Its ending decides how it is read
 * @returns the tree, or a refusal (`work_refused`) with the problem and its path
 */
export const unpack = (name: string, content: Content, limits: TreeLimits): Promise<UnpackedTree | Refused> =>
  refusedIfExceeded(runOn('unpack', content, name, limits));

/**
 * As `unpack`, but lists the files without their contents, so that these are not copied from the thread.
 * @param sha256 hash of the announced content, lower-case hex
 * @returns `null`: the content has another hash; or a refusal as `unpack`
 */
export const manifest = (
  sha256: string,
  name: string,
  content: Content,
  limits: TreeLimits,
): Promise<readonly TreeFile[] | Refused | null> =>
  refusedIfExceeded(runOn('manifest', content, sha256, name, limits));

const refusedIfExceeded = async <T>(job: Promise<T>): Promise<T | Refused> => {
  try {
    return await job;
  } catch (error) {
    if (!(error instanceof JobExceeded)) throw error;
    return EXCEEDED;
  }
};

/**
 * The refusal of work that exceeds a job's limits. Work within `TreeLimits` gets it only if the machine is too busy.
 */
export const EXCEEDED = refuseWork(
  'The archive takes too long, or too much memory, to unpack. Pack fewer and smaller files.',
);

/** As `packZipHere`, in a thread. @throws {JobExceeded} the service is too busy */
export const packZip = (tree: Tree): Promise<Uint8Array> => run('packZip', tree);

/** As `packTarHere`, in a thread. @throws {JobExceeded} the service is too busy */
export const packTar = (tree: Tree): Promise<Uint8Array> => run('packTar', tree);

/** As `differenceOf`, in a thread. @throws {JobExceeded} the service is too busy */
export const difference = (before: Tree, after: Tree): Promise<readonly FileDifference[]> =>
  run('difference', before, after);

/** As `fingerprintsOf`, in a thread. @throws {JobExceeded} the service is too busy */
export const fingerprints = (
  tree: Tree,
  starter: Tree | null,
  key: Uint8Array,
): Promise<ReadonlySet<string>> => run('fingerprints', tree, starter, key);
