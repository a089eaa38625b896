import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { Semaphore } from '../core/concurrency.js';
import { hasCode, Unavailable } from '../core/errors.js';
import type { Refused } from '../core/decider.js';
import { programFile } from '../process/installation.js';
import type { JOBS } from './archives.js';
import type { FileDifference } from './difference.js';
import type { TreeLimits } from './limits.js';
import { refuseWork, type Tree, type TreeFile, type UnpackedTree } from './tree.js';

/** Threads at once in this process: one core is left for requests. */
const threads = new Semaphore(Math.min(4, Math.max(1, availableParallelism() - 1)));
/** Longest wait for a thread, in milliseconds. */
const MAX_WAIT_MS = 60_000;
/** Longest that a job may take, in milliseconds: what is within the limits takes less than one second. */
const MAX_JOB_MS = 20_000;
/** A thread's V8 heap. The content of files is outside of it; the jobs themselves limit that. */
const MEMORY = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 };

/** A job took too long or too much memory, or no thread was free in time. It had no effect and may be tried again. */
export class JobExceeded extends Unavailable {
  readonly code = 'store_unavailable';
  override readonly name = 'JobExceeded';
}

type Jobs = typeof JOBS;

/** What a thread is given: the name of a job and its arguments. */
export interface JobData<K extends keyof Jobs = keyof Jobs> {
  readonly name: K;
  readonly args: Parameters<Jobs[K]>;
}

type Answer<K extends keyof Jobs> = Awaited<ReturnType<Jobs[K]>>;

/**
 * The memory of large archives among the arguments. The thread takes it over: to copy 10 MB would block the event loop for
 * some 10 ms. Small archives are copied, since they may lie in Node's pool, and trees too, since others may read them.
 */
const archivesIn = (args: JobData['args']): ArrayBuffer[] =>
  args.flatMap((arg) =>
    ArrayBuffer.isView(arg) && arg.buffer.byteLength > Buffer.poolSize ? [arg.buffer as ArrayBuffer] : [],
  );

/** Waits for a thread's answer, and ends the thread. @throws {JobExceeded} it took too long or too much memory */
const answerOf = async <T>(worker: Worker): Promise<T> => {
  const timer = setTimeout(() => void worker.terminate(), MAX_JOB_MS);
  try {
    return await new Promise<T>((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', (error) =>
        reject(
          hasCode(error, 'ERR_WORKER_OUT_OF_MEMORY') ? new JobExceeded('It took too much memory.') : error,
        ),
      );
      worker.once('exit', () => reject(new JobExceeded('It took too long.')));
    });
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
};

/**
 * Runs a program in a thread until its first message. It reads what strangers send, so it gets no environment variables:
 * these may hold secrets.
 * @param transferList memory among the data that the thread takes over
 * @returns the message
 * @throws {JobExceeded} it took too long or too much memory, or no thread was free in time
 */
export const inThread = async <T>(
  program: 'work-worker' | 'report-worker',
  workerData: object,
  transferList: readonly ArrayBuffer[] = [],
): Promise<T> => {
  const release = await threads.acquire(MAX_WAIT_MS);
  if (release === null) throw new JobExceeded('No thread was free in time.');
  try {
    const options = { workerData, transferList: [...transferList], env: {}, execArgv: [] };
    return await answerOf<T>(new Worker(programFile(program), { ...options, resourceLimits: MEMORY }));
  } finally {
    release();
  }
};

const run = <K extends keyof Jobs>(name: K, ...args: Parameters<Jobs[K]>): Promise<Answer<K>> => {
  const data: JobData<K> = { name, args };
  return inThread<Answer<K>>('work-worker', data, archivesIn(args));
};

/**
 * Unpacks a zip, a tar, a tar.gz or a git bundle, or makes a tree of any other file.
 * @param name the sender's name of the file: its ending says how it is read
 * @param content given away: if it is large, its memory is detached and the caller cannot read it any more
 * @returns the tree, or a refusal (`work_refused`) that says what is wrong and where
 */
export const unpack = (
  name: string,
  content: Uint8Array,
  limits: TreeLimits,
): Promise<UnpackedTree | Refused> => refusedIfExceeded(run('unpack', name, content, limits));

/**
 * As `unpack`, but lists the files without their contents, which would have to be copied back from the thread.
 * @param sha256 of the content as it was announced, lower-case hex
 * @returns `null` if the content has another hash; a refusal as `unpack`
 */
export const manifest = (
  sha256: string,
  ...archive: Parameters<typeof unpack>
): Promise<readonly TreeFile[] | Refused | null> => refusedIfExceeded(run('manifest', sha256, ...archive));

const refusedIfExceeded = async <T>(job: Promise<T>): Promise<T | Refused> => {
  try {
    return await job;
  } catch (error) {
    if (!(error instanceof JobExceeded)) throw error;
    return EXCEEDED;
  }
};

/** Work within the limits is refused with this only if the machine is too busy. */
export const EXCEEDED = refuseWork(
  'The archive takes too long, or too much memory, to unpack. Pack fewer and smaller files.',
);

/** A zip archive of the tree: of the same tree, the same bytes. @throws {JobExceeded} the service is too busy */
export const packZip = (tree: Tree): Promise<Uint8Array> => run('packZip', tree);

/** A tar archive of the tree: of the same tree, the same bytes. @throws {JobExceeded} the service is too busy */
export const packTar = (tree: Tree): Promise<Uint8Array> => run('packTar', tree);

/** As `differenceOf`. @throws {JobExceeded} the service is too busy */
export const difference = (before: Tree, after: Tree): Promise<readonly FileDifference[]> =>
  run('difference', before, after);

/** As `fingerprintsOf`. @throws {JobExceeded} the service is too busy */
export const fingerprints = (
  tree: Tree,
  starter: Tree | null,
  key: Uint8Array,
): Promise<ReadonlySet<string>> => run('fingerprints', tree, starter, key);
