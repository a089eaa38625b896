import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, realpath, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, relative, sep } from 'node:path';
import { hasCode, Stop } from './terminal.js';

/*
 * What the program stores is in the user's folder for configuration, readable by the user alone. Nothing of it is in the
 * work's folder, since the work is handed in.
 */

/** One candidate's work on one application. */
export interface Work {
  /** The address of the service, without a slash at its end. */
  readonly service: string;
  readonly applicationId: string;
  readonly sessionId: string;
  /** The folder of the work, without links in its path. */
  readonly folder: string;
  /** The tickets that work is done on here, each in a folder of its own. */
  readonly tickets: readonly WorkTicket[];
}

/** A ticket of the work, as the program stores it. */
export interface WorkTicket {
  readonly id: string;
  readonly title: string;
  /** Its folder below the work's. */
  readonly folder: string;
  /** Whether work is handed in for it. */
  readonly takesWork: boolean;
}

type Env = Readonly<Record<string, string | undefined>>;

/** The program's folder in the user's folder for configuration. */
export const configFolder = (
  env: Env = process.env,
  platform: NodeJS.Platform = process.platform,
  home = homedir(),
): string => {
  if (env.ASSAY_WORK_HOME) return env.ASSAY_WORK_HOME;
  if (platform === 'win32') return join(env.APPDATA ?? join(home, 'AppData', 'Roaming'), 'assay-work');
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'assay-work');
  // The XDG specification ignores a relative path.
  const xdg = env.XDG_CONFIG_HOME;
  return join(xdg?.startsWith('/') ? xdg : join(home, '.config'), 'assay-work');
};

/** Makes a folder that only the user may read. */
export const privateFolder = async (folder: string): Promise<string> => {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return folder;
};

/** Writes a file whole or not at all, readable by the user alone; it is on the disk when this returns. */
export const writePrivate = async (path: string, content: string | Uint8Array): Promise<void> => {
  await privateFolder(dirname(path));
  const temporary = `${path}.${randomUUID()}.tmp`;
  const file = await open(temporary, 'wx', 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary, path);
};

/** A file's JSON; `null`: there is none, or it is not whole. */
export const readJson = async <T>(path: string): Promise<T | null> => {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as T;
  } catch (error) {
    if (hasCode(error, 'ENOENT') || error instanceof SyntaxError) return null;
    throw error;
  }
};

/** Where one work's state is. */
export const stateFolder = ({ service, applicationId }: Pick<Work, 'service' | 'applicationId'>): string =>
  join(
    configFolder(),
    'works',
    createHash('sha256').update(`${service} ${applicationId}`).digest('hex').slice(0, 32),
  );

/** Stores the record of a candidate's work, in place of the former one. */
export const saveWork = (work: Work): Promise<void> =>
  writePrivate(join(stateFolder(work), 'work.json'), JSON.stringify(work, null, 2));

/** The work on an application that was begun on this computer; `null`: none was. */
export const knownWork = (of: Pick<Work, 'service' | 'applicationId'>): Promise<Work | null> =>
  readJson<Work>(join(stateFolder(of), 'work.json'));

/** Whether a path is the folder or is below it. Both are without links. */
export const isWithin = (folder: string, path: string): boolean => {
  // On Windows, the way to another drive is an absolute path.
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !/^[A-Za-z]:/.test(way));
};

/** The work that a folder is part of. @throws {Stop} none */
export const workAt = async (folder: string): Promise<Work> => {
  const here = await realpath(folder);
  const works = join(configFolder(), 'works');
  const names = await readdir(works).catch(() => []);
  const all = await Promise.all(names.map((name) => readJson<Work>(join(works, name, 'work.json'))));
  const found = all
    .filter((work) => work !== null)
    .filter((work) => isWithin(work.folder, here))
    .sort((a, b) => b.folder.length - a.folder.length)[0];
  if (!found)
    throw new Stop(
      'This folder belongs to no assessment. Run assay-work with the link of your invitation first, or go to the folder that it made.',
      2,
    );
  return found;
};

/** Removes a file, if it is there. */
export const forget = (path: string): Promise<void> => rm(path, { force: true });
