import { createHash } from 'node:crypto';
import { lstat, mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Work, WorkTicket } from './places.js';
import { Refused, type Service } from './service.js';
import { hasCode, oneLine, sizeOf, Stop, type Terminal } from './terminal.js';

/** A file of a ticket's starter, as the ticket lists it. */
export interface StarterFile {
  readonly path: string;
  readonly bytes: number;
  /** Lower-case hex. */
  readonly sha256: string;
}

/** Names that Windows gives to devices, in any folder and with any ending. */
const DEVICES = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/** Whether a path stays in the folder that it is put into, on every system. */
export const isSafePath = (path: string): boolean =>
  path.length > 0 &&
  path.length <= 1_024 &&
  !/[\p{Cc}\\:*?"<>|]/u.test(path) &&
  path
    .split('/')
    .every(
      (part) => !/^$|^\.{1,2}$|[. ]$/.test(part) && !DEVICES.test(part) && part.toLowerCase() !== '.git',
    );

/**
 * Fetches a ticket's starter into its folder. A folder that exists stays as it is. The folder is made once every file is
 * fetched and verified.
 * @returns whether it was fetched
 * @throws {Stop} a path is unsafe, or the service refuses a file or sends another one than it lists
 */
export const fetchStarter = async (
  work: Work,
  ticket: WorkTicket,
  files: readonly StarterFile[],
  service: Service,
  terminal: Terminal,
): Promise<boolean> => {
  const folder = join(work.folder, ticket.folder);
  if (await exists(folder)) {
    terminal.say(`  ${folder} is there already and stays as it is.`);
    return false;
  }
  const wrong = files.find(({ path }) => !isSafePath(path));
  if (wrong) throw new Stop(`The starter has a file whose name is not safe: ${oneLine(wrong.path)}`);
  const contents: [string, Buffer][] = [];
  const base = `/trial-sessions/${work.sessionId}/tickets/${encodeURIComponent(ticket.id)}/starter/files`;
  for (const { path, sha256 } of files) {
    const content = await service
      .bytes(`${base}?path=${encodeURIComponent(path)}`)
      .catch((error: unknown) => {
        if (error instanceof Refused) throw new Stop(`The starter cannot be fetched: ${error.message}`);
        throw error;
      });
    if (createHash('sha256').update(content).digest('hex') !== sha256)
      throw new Stop(`A file of the starter is not what the service listed: ${oneLine(path)}. Try again.`);
    contents.push([path, content]);
  }
  await mkdir(folder);
  for (const [path, content] of contents) await writeNew(join(folder, ...path.split('/')), content);
  const total = contents.reduce((sum, [, content]) => sum + content.length, 0);
  terminal.say(`  ${folder}: ${files.length} files, ${sizeOf(total)}`);
  return true;
};

const exists = async (path: string): Promise<boolean> => {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false;
    throw error;
  }
};

const writeNew = async (path: string, content: Uint8Array): Promise<void> => {
  await mkdir(dirname(path), { recursive: true });
  // Fails if the path exists, also as a link.
  const file = await open(path, 'wx');
  try {
    await file.writeFile(content);
  } finally {
    await file.close();
  }
};
