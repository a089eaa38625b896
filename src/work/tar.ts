import { unpackTar } from 'modern-tar';
import { type EntryKind, type TreeCollector, WorkProblem } from './collect.js';
import { shown } from './paths.js';

const BLOCK = 512;

const damaged = (): WorkProblem =>
  new WorkProblem('The file is not a valid tar archive, or was cut off. Pack it again.');

/** Types of entries by their flags; what is not here is refused as of an unknown type. */
const KINDS: Readonly<Record<string, EntryKind>> = {
  file: 'file',
  directory: 'folder',
  link: { other: 'a hard link' },
  symlink: { other: 'a symbolic link' },
  'character-device': { other: 'a device' },
  'block-device': { other: 'a device' },
  fifo: { other: 'a named pipe' },
};
/** Files, folders, what is refused by its kind, and names and attributes of the entry that follows. */
const KNOWN_FLAGS = '\x000123456xgLK';
const DIRECTORY = '5';

const text = (block: Uint8Array, from: number, bytes: number): string =>
  Buffer.from(block.subarray(from, from + bytes))
    .toString('latin1')
    .split('\0')[0] ?? '';

/**
 * Refuses types that the library takes for files: parts of files, files with holes, labels. Programs differ in what
 * these are.
 */
const checkFlags = (content: Uint8Array): void => {
  for (let at = 0; at + BLOCK <= content.byteLength;) {
    const block = content.subarray(at, at + BLOCK);
    if (block.every((byte) => byte === 0)) return;
    const flag = String.fromCharCode(block[156] ?? 0);
    const name = text(block, 0, 100);
    if (!KNOWN_FLAGS.includes(flag))
      throw new WorkProblem(
        `The path ${shown(name)} is of a type that is not known here (${shown(flag)}): only files and folders are taken.`,
      );
    const size = text(block, 124, 12).trim();
    if (!/^[0-7]*$/.test(size)) throw damaged();
    const bytes = Number.parseInt(size || '0', 8);
    if (flag === DIRECTORY && bytes !== 0)
      throw new WorkProblem(`The path ${shown(name)} is a folder with content. Pack it again.`);
    at += BLOCK + Math.ceil(bytes / BLOCK) * BLOCK;
  }
};

/** Takes the entries of a tar archive. @throws {WorkProblem} it is refused */
export const readTar = async (content: Uint8Array, collector: TreeCollector): Promise<void> => {
  checkFlags(content);
  const entries = await unpackTar(content, { strict: true }).catch(() => {
    throw damaged();
  });
  for (const { header, data } of entries) {
    const attributes = Object.keys(header.pax ?? {});
    // Each of them makes the entry another one than its header says: no program that packs small files writes them.
    const odd = attributes.find((name) => name === 'size' || name.startsWith('GNU.sparse.'));
    if (odd !== undefined)
      throw new WorkProblem(
        `The path ${shown(header.name)} has the attribute ${shown(odd)}, which is not taken.`,
      );
    const kind = KINDS[header.type ?? 'file'] ?? { other: 'of an unknown type' };
    collector.add(header.name, kind, () => data ?? new Uint8Array());
  }
};

/** Takes the entries of a tar archive in gzip. @throws {WorkProblem} it is refused */
export const readTarGz = async (content: Uint8Array, collector: TreeCollector): Promise<void> =>
  readTar(gunzipped(content, collector), collector);

const gunzipped = (data: Uint8Array, collector: TreeCollector): Uint8Array => {
  try {
    const { content, taken } = collector.inflate('gzip', data);
    if (taken === data.byteLength) return content;
  } catch (error) {
    if (error instanceof WorkProblem) throw error;
  }
  throw new WorkProblem('The file is not valid gzip, or was cut off. Pack it again.');
};
