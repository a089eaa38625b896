import { chmod, lstat, mkdir, opendir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { pause } from '../../core/backoff.js';
import { DAY_MS } from '../../core/timestamp.js';
import { HOST_MARK, isOwnFolder, leftFolders, makeOwnFolder } from '../../process/own-folders.js';
import type { CheckFile, CheckRequest } from './checker.js';

const ANY_PREFIX = 'assay-check-';
/** Containers that share `TMPDIR` do not see each other's processes. */
const PREFIX = `${ANY_PREFIX}${HOST_MARK}-`;
/** Age after which a folder of another host counts as left, in milliseconds: far longer than a run may take. */
const LEFT_AFTER_MS = DAY_MS;

/** The environment variable by which a run's processes are found: its value is the name of the run's folder. */
export const RUN_VARIABLE = 'ASSAY_CHECK_RUN';

/** How much a run may have in its folder, including its input, in bytes. */
export const MAX_STORED_BYTES = 128 * 1024 * 1024;
/** How many files a run may have in its folder, folders and input included. */
export const MAX_STORED_FILES = 5_000;
/** Interval at which the folder's size is measured, in milliseconds. */
const POLL_MS = 100;
/** The read-only folders are measured in each so many polls, since only root can write to them. */
const READ_ONLY_EVERY = 50;
/** How often a run's processes are killed: a fork bomb makes new ones meanwhile. */
const MAX_KILLS = 100;

/** The folders of one check run, each a full path. */
export interface RunFolder {
  readonly name: string;
  readonly root: string;
  /** The hand-in with the checks laid over it. */
  readonly input: string;
  readonly output: string;
  /** The hand-in without the checks. */
  readonly work: string;
  /** The checks without the hand-in. */
  readonly checks: string;
}

/**
 * Writes what a run needs into a new folder below `parent`. The input is read-only. The folder's name cannot be
 * guessed, since the unprivileged user of a sandbox must be able to enter the folder.
 */
export const layOut = async (parent: string, { files }: Pick<CheckRequest, 'files'>): Promise<RunFolder> => {
  const { work, checks } = await files();
  const root = await makeOwnFolder(parent, PREFIX);
  const at = (name: string): string => join(root, name);
  const folder = {
    name: relative(parent, root),
    root,
    input: at('input'),
    output: at('output'),
    work: at('work'),
    checks: at('checks'),
  };
  try {
    await chmod(root, 0o711);
    await mkdir(folder.output);
    await chmod(folder.output, 0o777);
    await writeTree(folder.input, [...withoutOverlaid(work, checks), ...checks]);
    await writeTree(folder.work, work);
    await writeTree(folder.checks, checks);
    return folder;
  } catch (error) {
    await discard(root);
    throw error;
  }
};

/** The work's files that no check's file replaces. A path conflict of a file with a folder counts as replaced. */
const withoutOverlaid = (work: readonly CheckFile[], checks: readonly CheckFile[]): readonly CheckFile[] => {
  const replaced = new Set(checks.map(({ path }) => path));
  const folders = new Set(checks.flatMap(({ path }) => foldersOf(path)));
  return work.filter(
    ({ path }) =>
      !replaced.has(path) && !folders.has(path) && !foldersOf(path).some((one) => replaced.has(one)),
  );
};

const foldersOf = (path: string): readonly string[] =>
  path
    .split('/')
    .slice(0, -1)
    .map((_, place, parts) => parts.slice(0, place + 1).join('/'));

const writeTree = async (folder: string, files: readonly CheckFile[]): Promise<void> => {
  const folders = new Set([folder]);
  await mkdir(folder, { mode: 0o755 });
  for (const { path, content } of files) {
    const full = resolve(folder, path);
    if (!full.startsWith(`${folder}/`)) throw new Error('A file of a check run is outside of its folder.');
    await mkdir(dirname(full), { recursive: true, mode: 0o755 });
    for (let one = dirname(full); one !== folder; one = dirname(one)) folders.add(one);
    await writeFile(full, content, { flag: 'wx', mode: 0o444 });
    await chmod(full, 0o444);
  }
  for (const one of folders) await chmod(one, 0o555);
};

/**
 * Calls `tooMuch` once the folder contains too much. Between two measurements a run can write more. Exact limits are
 * that of a file's size, the sandbox's, and that of the file system of `TMPDIR`.
 * @returns ends the watch
 */
export const watchSize = ({ root, input, work, checks }: RunFolder, tooMuch: () => void): (() => void) => {
  const stop = new AbortController();
  const readOnly = [input, work, checks];
  const watch = async (): Promise<void> => {
    let laidOut = NOTHING;
    for (let poll = 0; !stop.signal.aborted; poll += 1) {
      // A hand-in can have 1,000 files: measuring all of them at each poll would delay other requests.
      if (poll % READ_ONLY_EVERY === 0) laidOut = await storedIn(readOnly);
      const written = await storedIn([root], readOnly);
      if (isTooMuch({ files: laidOut.files + written.files, bytes: laidOut.bytes + written.bytes })) {
        tooMuch();
        return;
      }
      await pause(POLL_MS, stop.signal);
    }
  };
  void watch();
  return () => stop.abort();
};

interface Stored {
  readonly files: number;
  readonly bytes: number;
}

const NOTHING: Stored = { files: 0, bytes: 0 };

const isTooMuch = ({ files, bytes }: Stored): boolean => files > MAX_STORED_FILES || bytes > MAX_STORED_BYTES;

/**
 * Measures the content of folders, until it is too much. What cannot be read does not count.
 * @param leftOut folders whose content does not count
 */
const storedIn = async (roots: readonly string[], leftOut: readonly string[] = []): Promise<Stored> => {
  let stored = NOTHING;
  const folders = [...roots];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const entries = await opendir(folder).catch(() => null);
    if (entries === null) continue;
    try {
      for await (const entry of entries) {
        const path = join(folder, entry.name);
        const found = await lstat(path).catch(() => null);
        stored = { files: stored.files + 1, bytes: stored.bytes + (found?.size ?? 0) };
        if (isTooMuch(stored)) return stored;
        if (entry.isDirectory() && !leftOut.includes(path)) folders.push(path);
      }
    } catch {
      // It was removed meanwhile.
    }
  }
  return stored;
};

/** Kills the processes that a run has left, if they have kept their environment. */
export const killLeft = async (name: string): Promise<void> => {
  for (let time = 0; time < MAX_KILLS; time += 1) {
    const left = await processesOf(name);
    if (left.length === 0) return;
    for (const pid of left)
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It is gone.
      }
    await pause(time);
  }
};

/** Finds the processes of a run by `/proc`; empty on systems without it. */
const processesOf = async (name: string): Promise<readonly number[]> => {
  const wanted = Buffer.from(`${RUN_VARIABLE}=${name}\0`);
  const ids = (await readdir('/proc').catch(() => [])).filter((id) => /^\d+$/.test(id));
  const found = await Promise.all(
    ids.map(async (id) => {
      const environment = await readFile(`/proc/${id}/environ`).catch(() => null);
      return environment?.includes(wanted) === true ? [Number(id)] : [];
    }),
  );
  return found.flat().filter((id) => id !== process.pid);
};

/** Removes a run's folder with any content. @returns whether it is removed */
export const discard = async (root: string): Promise<boolean> => {
  const remove = async (): Promise<boolean> =>
    rm(root, { recursive: true, force: true, maxRetries: 3 }).then(
      () => true,
      () => false,
    );
  // Only root can remove files from read-only folders.
  await makeWritable(root);
  return remove();
};

const makeWritable = async (folder: string): Promise<void> => {
  await chmod(folder, 0o700).catch(() => undefined);
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const entry of entries) if (entry.isDirectory()) await makeWritable(join(folder, entry.name));
};

/**
 * Removes folders and ends programs of runs that killed processes have left.
 * @returns how many folders were removed
 */
export const sweepRuns = async (parent: string): Promise<number> => {
  let swept = 0;
  const left = await leftFolders(parent, (prefix) => prefix === PREFIX);
  for (const name of [...left, ...(await oldFoldersOfOthers(parent))]) {
    await killLeft(name);
    if (await discard(join(parent, name))) swept += 1;
  }
  return swept;
};

/** Folders that another host, or a former release, has left: whether their processes run cannot be found out here. */
const oldFoldersOfOthers = async (parent: string): Promise<readonly string[]> => {
  const old: string[] = [];
  for (const name of await readdir(parent).catch(() => [])) {
    if (name.startsWith(PREFIX) || !isOwnFolder(name, (prefix) => prefix.startsWith(ANY_PREFIX))) continue;
    const found = await lstat(join(parent, name)).catch(() => null);
    if (found && found.mtimeMs < Date.now() - LEFT_AFTER_MS) old.push(name);
  }
  return old;
};
