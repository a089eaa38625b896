import { chmod, lstat, mkdir, opendir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { pause } from '../../core/backoff.js';
import { leftFolders, makeOwnFolder } from '../../process/own-folders.js';
import type { CheckFile, CheckRequest } from './checker.js';

const PREFIX = 'assay-check-';

/** The variable by which the processes of a run are found: its value is the name of the run's folder. */
export const RUN_VARIABLE = 'ASSAY_CHECK_RUN';

/** Most that a run may have in its folder, its input included. */
export const MAX_STORED_BYTES = 128 * 1024 * 1024;
export const MAX_STORED_FILES = 5_000;
/** How often the folder's size is measured. */
const POLL_MS = 100;
/** The read-only folders are measured in one of so many polls: only root can write to them. */
const READ_ONLY_EVERY = 50;
/** A fork bomb makes new processes while the old ones are killed. */
const MAX_KILLS = 100;

/** The folders of one check run, each a full path. */
export interface RunFolder {
  readonly name: string;
  readonly root: string;
  /** The hand-in with the checks laid over it. */
  readonly input: string;
  readonly output: string;
  /** The hand-in alone. */
  readonly work: string;
  /** The checks alone. */
  readonly checks: string;
}

/**
 * Writes what a run needs into a new folder below `parent`. The input is read-only, and the folder's name cannot be
 * guessed: an unprivileged user of a sandbox has to find its way through.
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

/** The work's files that no check's file replaces: as the same file, as a folder on its path, or as a file in its place. */
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
 * Aborts with `tooMuch` once the folder holds too much. Between two measurements a run can write more: what bounds it to the
 * byte is the limit of a file's size, the sandbox, and the file system that `TMPDIR` is on.
 * @returns ends the watch
 */
export const watchSize = ({ root, input, work, checks }: RunFolder, tooMuch: () => void): (() => void) => {
  const stop = new AbortController();
  const readOnly = [input, work, checks];
  const watch = async (): Promise<void> => {
    let laidOut = NOTHING;
    for (let poll = 0; !stop.signal.aborted; poll += 1) {
      // A hand-in can have 1,000 files: to measure all of them at each poll would delay other requests.
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
 * What folders hold, up to too much. What cannot be read counts for nothing.
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

/** Kills what a run has left running, as far as its processes kept the environment that they got. */
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

/** The processes of a run, by `/proc`. Systems without it show none. */
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

/** Removes a run's folder, whatever is in it. @returns whether it is gone */
export const discard = async (root: string): Promise<boolean> => {
  const remove = async (): Promise<boolean> =>
    rm(root, { recursive: true, force: true, maxRetries: 3 }).then(
      () => true,
      () => false,
    );
  // Read-only folders keep their files from all but root.
  await makeWritable(root);
  return remove();
};

const makeWritable = async (folder: string): Promise<void> => {
  await chmod(folder, 0o700).catch(() => undefined);
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const entry of entries) if (entry.isDirectory()) await makeWritable(join(folder, entry.name));
};

/**
 * Ends what processes that were killed left of their runs: folders, and programs that still run.
 * @returns how many folders are gone
 */
export const sweepRuns = async (parent: string): Promise<number> => {
  let swept = 0;
  for (const name of await leftFolders(parent, (prefix) => prefix === PREFIX)) {
    await killLeft(name);
    if (await discard(join(parent, name))) swept += 1;
  }
  return swept;
};
