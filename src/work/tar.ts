import { unpackTar } from 'modern-tar';
import { type EntryKind, type TreeCollector, WorkProblem } from './collect.js';
import { shown } from './paths.js';

/** Length of a header, in bytes. Contents are padded to a multiple of it. */
const BLOCK = 512;
/** Fields of a header: offset and length. */
const NAME = [0, 100] as const;
const SIZE = [124, 12] as const;
const TYPE_FLAG_AT = 156;

const damaged = (): WorkProblem =>
  new WorkProblem('The file is not a valid tar archive, or was cut off. Pack it again.');

/** The library's types of entries. Any other type is refused. */
const KINDS: Readonly<Record<string, EntryKind>> = {
  file: 'file',
  directory: 'folder',
  link: { other: 'a hard link' },
  symlink: { other: 'a symbolic link' },
  'character-device': { other: 'a device' },
  'block-device': { other: 'a device' },
  fifo: { other: 'a named pipe' },
};
/** Flags of the types in `KINDS`, and of names and attributes for the next entry. */
const KNOWN_FLAGS = '\x000123456xgLK';
const FOLDER = '5';

const textOf = (block: Uint8Array, [from, bytes]: readonly [number, number]): string =>
  Buffer.from(block.subarray(from, from + bytes))
    .toString('latin1')
    .split('\0')[0] ?? '';

/**
 * Refuses types that the library would read as files, but other programs unpack differently: continued files, sparse
 * files, volume labels.
 */
const checkFlags = (content: Uint8Array): void => {
  for (let at = 0; at + BLOCK <= content.byteLength;) {
    const block = content.subarray(at, at + BLOCK);
    if (block.every((byte) => byte === 0)) return;
    const flag = String.fromCharCode(block[TYPE_FLAG_AT] ?? 0);
    const name = textOf(block, NAME);
    if (!KNOWN_FLAGS.includes(flag))
      throw new WorkProblem(
        `The path ${shown(name)} is of a type that is not known here (${shown(flag)}): only files and folders are taken.`,
      );
    const size = textOf(block, SIZE).trim();
    if (!/^[0-7]*$/.test(size)) throw damaged();
    const bytes = Number.parseInt(size || '0', 8);
    if (flag === FOLDER && bytes !== 0)
      throw new WorkProblem(`The path ${shown(name)} is a folder with content. Pack it again.`);
    at += BLOCK + Math.ceil(bytes / BLOCK) * BLOCK;
  }
};

/** Adds the entries of a tar archive to the collector. @throws {WorkProblem} the archive is refused */
export const readTar = async (content: Uint8Array, collector: TreeCollector): Promise<void> => {
  checkFlags(content);
  const entries = await unpackTar(content, { strict: true }).catch(() => {
    throw damaged();
  });
  for (const { header, data } of entries) {
    const attributes = Object.keys(header.pax ?? {});
    // These override the size in the header. No program writes them for files within the limits.
    const odd = attributes.find((name) => name === 'size' || name.startsWith('GNU.sparse.'));
    if (odd !== undefined)
      throw new WorkProblem(
        `The path ${shown(header.name)} has the attribute ${shown(odd)}, which is not taken.`,
      );
    const kind = KINDS[header.type ?? 'file'] ?? { other: 'of an unknown type' };
    collector.add(header.name, kind, () => data ?? new Uint8Array());
  }
};

/** Adds the entries of a gzipped tar archive to the collector. @throws {WorkProblem} the archive is refused */
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
