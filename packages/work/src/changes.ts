import { join } from 'node:path';
import { filesIn, type FoundFile, readInside } from './folder.js';
import { countChanges, lineHashes } from './lines.js';
import { readJson, stateFolder, type Work, writePrivate } from './places.js';

/** A file as it was reported last: hashes of its lines, never the lines. */
interface KnownFile {
  readonly bytes: number;
  /** In milliseconds since 1970. */
  readonly changedAt: number;
  /** `null`: it is not a text, or too large. */
  readonly lines: readonly string[] | null;
}

/** By path. */
type Snapshot = ReadonlyMap<string, KnownFile>;

/** A file that differs from what was reported last. */
export interface FileChange {
  readonly path: string;
  readonly linesAdded: number;
  readonly linesRemoved: number;
}

/** Larger files are reported with 0 lines added and removed. */
const MAX_TEXT_BYTES = 1_024 * 1_024;
/** Longest path that the service takes, in characters. Changes of longer ones are left out. */
const MAX_PATH = 4_096;

const snapshotFile = (work: Work): string => join(stateFolder(work), 'snapshot.json');

/**
 * Finds what changed in the folder of a work, by content. A file of the same size and time of change is not read again.
 * What was reported is kept on the disk, so that a pause loses nothing.
 */
export class Changes {
  private known: Snapshot | null = null;

  constructor(private readonly work: Work) {}

  /**
   * Treats the current files as reported: a starter is not the candidate's change.
   * @param below a folder in the work's; default: all files
   */
  async takeAsReported(below?: string): Promise<void> {
    const isTaken = (path: string): boolean => below === undefined || path.startsWith(`${below}/`);
    const known = new Map([...(await this.reported())].filter(([path]) => !isTaken(path)));
    const { files } = await filesIn(this.work.folder);
    for (const file of files) if (isTaken(file.path)) known.set(file.path, await this.read(file));
    await this.keep(known);
  }

  /**
   * The files that differ from what was reported, in this or an earlier run of the program.
   * @returns `keep`: treats the changes as reported. Call it once they are in the queue: until then they are found again
   */
  async find(): Promise<{ readonly changes: readonly FileChange[]; readonly keep: () => Promise<void> }> {
    const before = await this.reported();
    const { files, isCut } = await filesIn(this.work.folder);
    const now = new Map<string, KnownFile>();
    const changes: FileChange[] = [];
    const add = (path: string, old: KnownFile | undefined, next: KnownFile | undefined): void => {
      const change = changeOf(path, old, next);
      if (change && path.length <= MAX_PATH) changes.push(change);
    };
    for (const file of files) {
      const old = before.get(file.path);
      const isSame = old?.bytes === file.bytes && old.changedAt === file.changedAt;
      const next = isSame ? old : await this.read(file);
      now.set(file.path, next);
      if (!isSame) add(file.path, old, next);
    }
    // If not all files were read, a missing one may still be there.
    for (const [path, old] of before) {
      if (now.has(path)) continue;
      if (isCut) now.set(path, old);
      else add(path, old, undefined);
    }
    return { changes, keep: () => this.keep(now) };
  }

  private async reported(): Promise<Snapshot> {
    const read = () => readJson<Readonly<Record<string, KnownFile>>>(snapshotFile(this.work));
    return (this.known ??= new Map(Object.entries((await read()) ?? {})));
  }

  private async keep(known: Snapshot): Promise<void> {
    this.known = known;
    await writePrivate(snapshotFile(this.work), JSON.stringify(Object.fromEntries(known)));
  }

  private async read({ path, bytes, changedAt }: FoundFile): Promise<KnownFile> {
    const content = await readInside(this.work.folder, path, MAX_TEXT_BYTES);
    const isText = content !== null && !content.includes(0);
    return { bytes, changedAt, lines: isText ? lineHashes(content.toString('utf8')) : null };
  }
}

/** @returns `null`: a text has the same lines, or a file that is not one has the same size */
const changeOf = (
  path: string,
  old: KnownFile | undefined,
  next: KnownFile | undefined,
): FileChange | null => {
  // A file that is missing counts as a text without lines.
  const isText = old?.lines !== null && next?.lines !== null;
  if (!isText) return old?.bytes === next?.bytes ? null : { path, linesAdded: 0, linesRemoved: 0 };
  const { added, removed } = countChanges(old?.lines ?? [], next?.lines ?? []);
  const isNewOrGone = old === undefined || next === undefined;
  return added + removed === 0 && !isNewOrGone ? null : { path, linesAdded: added, linesRemoved: removed };
};
