import { crc32 } from 'node:zlib';
import {
  type Entry,
  fromBufferPromise,
  getFileNameLowLevel,
  type LocalFileHeader,
  type ZipFile,
} from 'yauzl';
import { hasCode } from '../core/errors.js';
import { type EntryKind, type TreeCollector, WorkProblem } from './collect.js';
import { shown } from './paths.js';

// Methods of compression, and bits of an entry's flags.
const STORED = 0;
const DEFLATED = 8;
const ENCRYPTED = 0x1 | 0x40;
const SIZES_FOLLOW = 0x8;
const NAMES_ARE_UTF8 = 0x800;
/** This size in a header means that the real one is in an extra field, in 8 bytes. */
const SIZE_IS_64_BIT = 0xffffffff;
/** Length of an entry in the directory, without its name, its extra fields and its comment. */
const DIRECTORY_ENTRY_BYTES = 46;
/** Length of the record at the archive's end, without its comment, and of the two before it in the 64-bit format. */
const END_BYTES = 22;
const ZIP64_END_BYTES = 56 + 20;
/**
 * Lengths of what may follow an entry's data: a checksum and two sizes of 4 or 8 bytes, with or without a signature.
 */
const DESCRIPTOR_BYTES = [12, 16, 20, 24];

/** The bits of the file's type in a Unix mode. */
const TYPE_MASK = 0o170000;
const TYPES: Readonly<Record<number, EntryKind>> = {
  0o100000: 'file',
  0o040000: 'folder',
  0o120000: { other: 'a symbolic link' },
};

/**
 * Adds the entries of a zip archive to the collector. An archive is refused if two programs could unpack it differently:
 * its directory, the headers before the contents and the bytes between them must agree.
 * @throws {WorkProblem} the archive is refused
 */
export const readZip = async (content: Buffer, collector: TreeCollector): Promise<void> => {
  const { zip, entries } = await openArchive(content);
  // The end of the directory, since all entries are read. The type in @types/yauzl is wrong: it is a number.
  const directoryEnd = Number(zip.readEntryCursor);
  const comment = (zip.comment as unknown as Buffer).byteLength;
  const rest = content.byteLength - comment - directoryEnd;
  if (rest !== END_BYTES && rest !== END_BYTES + ZIP64_END_BYTES)
    throw inconsistent('the directory', 'it has another number of entries or another size than it says');
  const spans: Span[] = [];
  for (const entry of entries) {
    const path = nameOf(entry);
    if ((entry.generalPurposeBitFlag & ENCRYPTED) !== 0)
      throw new WorkProblem(`The zip archive is encrypted at ${shown(path)}. Pack it without a password.`);
    if (entry.compressionMethod !== STORED && entry.compressionMethod !== DEFLATED)
      throw new WorkProblem(
        `The zip archive has ${shown(path)} in a compression that is not known here. Pack it with the usual one (deflate).`,
      );
    const header = await zip.readLocalFileHeaderPromise(entry).catch(() => {
      throw inconsistent(path, 'its content is not where the directory says');
    });
    checkHeader(entry, header, path);
    const from = entry.relativeOffsetOfLocalHeader;
    const to = header.fileDataStart + entry.compressedSize;
    spans.push({ path, from, to, hasDescriptor: (entry.generalPurposeBitFlag & SIZES_FOLLOW) !== 0 });
    const kind = kindOf(entry, path);
    if (kind === 'folder' && entry.uncompressedSize !== 0)
      throw inconsistent(path, 'it is a folder with content');
    collector.add(path, kind, (max) =>
      contentOf(entry, path, content.subarray(header.fileDataStart, to), max, collector),
    );
  }
  // The length of the directory is that of its entries.
  checkSpans(spans, directoryEnd - sum(entries.map(directoryBytesOf)));
};

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

/** Bytes of an entry in the directory. */
const directoryBytesOf = ({ fileNameLength, extraFieldLength, fileCommentLength }: Entry): number =>
  DIRECTORY_ENTRY_BYTES + fileNameLength + extraFieldLength + fileCommentLength;

/** Reads the archive's directory. @throws {WorkProblem} it cannot be read */
const openArchive = async (
  content: Buffer,
): Promise<{ readonly zip: ZipFile; readonly entries: readonly Entry[] }> => {
  try {
    const zip = await fromBufferPromise(content, { decodeStrings: false, validateEntrySizes: true });
    const entries: Entry[] = [];
    // The number of entries is not limited here: the collector refuses too many.
    for await (const entry of zip.eachEntry()) entries.push(entry);
    return { zip, entries };
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    if (message.includes('encryption'))
      throw new WorkProblem('The zip archive is encrypted. Pack it without a password.');
    if (message.includes('multi-disk'))
      throw new WorkProblem('The file is one part of a split zip archive. Pack it as a single file.');
    throw damaged();
  }
};

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * An entry's name. It is read as UTF-8 even without the flag, since many programs do not set it. If it is not valid
 * UTF-8, it is read as the format defines: from the field for a name in Unicode, else as CP437.
 * @throws {WorkProblem} the entry has two names
 */
const nameOf = ({ fileNameRaw, generalPurposeBitFlag, extraFields }: Entry): string => {
  try {
    const name = utf8.decode(fileNameRaw);
    const byField = getFileNameLowLevel(
      generalPurposeBitFlag | NAMES_ARE_UTF8,
      fileNameRaw,
      extraFields,
      true,
    );
    if (byField !== name) throw inconsistent(name, `it is also called ${shown(byField)}`);
    return name;
  } catch (error) {
    if (error instanceof WorkProblem) throw error;
    return getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, true);
  }
};

/** @throws {WorkProblem} the header before the content differs from the directory */
const checkHeader = (entry: Entry, header: LocalFileHeader, path: string): void => {
  if (!header.fileName.equals(entry.fileNameRaw))
    throw inconsistent(path, 'it has another name at its content');
  if (header.compressionMethod !== entry.compressionMethod)
    throw inconsistent(path, 'it has two methods of compression');
  const sizesFollow = (header.generalPurposeBitFlag & SIZES_FOLLOW) !== 0;
  const differs = (inHeader: number, inDirectory: number): boolean =>
    inHeader !== inDirectory && inHeader !== SIZE_IS_64_BIT;
  if (
    !sizesFollow &&
    (differs(header.compressedSize, entry.compressedSize) ||
      differs(header.uncompressedSize, entry.uncompressedSize))
  )
    throw inconsistent(path, 'it has two sizes');
};

const kindOf = (entry: Entry, path: string): EntryKind => {
  const type = (entry.externalFileAttributes >>> 16) & TYPE_MASK;
  const isFolder = path.endsWith('/');
  if (type === 0) return isFolder ? 'folder' : 'file';
  const kind = TYPES[type] ?? { other: 'a device, a pipe or a socket' };
  if ((kind === 'folder') !== isFolder && typeof kind === 'string')
    throw inconsistent(path, 'it is a file and a folder');
  return kind;
};

/**
 * An entry's content, checked by its size and checksum in the directory.
 * @param max bytes that the tree may still have
 */
const contentOf = (
  entry: Entry,
  path: string,
  data: Uint8Array,
  max: number,
  collector: TreeCollector,
): Uint8Array => {
  if (entry.uncompressedSize > max) throw collector.tooLarge(path);
  const content = entry.compressionMethod === STORED ? data : inflated(entry, path, data, collector);
  if (content.byteLength !== entry.uncompressedSize)
    throw inconsistent(path, 'it has another size than it says');
  if (crc32(content) !== entry.crc32) throw inconsistent(path, 'its checksum is wrong');
  return content;
};

const inflated = (entry: Entry, path: string, data: Uint8Array, collector: TreeCollector): Uint8Array => {
  try {
    const { content, taken } = collector.inflate('raw', data, entry.uncompressedSize);
    if (taken !== data.byteLength) throw inconsistent(path, 'there are bytes after its content');
    return content;
  } catch (error) {
    if (error instanceof WorkProblem) throw error;
    throw hasCode(error, 'ERR_BUFFER_TOO_LARGE')
      ? inconsistent(path, 'it has another size than it says')
      : inconsistent(path, 'its content is damaged');
  }
};

/** The place of an entry's header and data in the archive. */
interface Span {
  readonly path: string;
  readonly from: number;
  readonly to: number;
  /** Whether its checksum and sizes follow its data. */
  readonly hasDescriptor: boolean;
}

/** Checks that each byte before the directory belongs to exactly one entry. @throws {WorkProblem} one does not */
const checkSpans = (spans: readonly Span[], directoryStart: number): void => {
  let end = 0;
  let allowedGaps: readonly number[] = [0];
  const checkNext = (from: number, path: string): void => {
    if (from < end) throw inconsistent(path, 'it shares bytes with another entry');
    if (!allowedGaps.includes(from - end))
      throw inconsistent(path, 'there are bytes before it that are in no entry');
  };
  for (const { path, from, to, hasDescriptor } of [...spans].sort((a, b) => a.from - b.from)) {
    checkNext(from, path);
    end = to;
    allowedGaps = hasDescriptor ? DESCRIPTOR_BYTES : [0];
  }
  checkNext(directoryStart, 'the directory');
};

const damaged = (): WorkProblem =>
  new WorkProblem('The file is not a valid zip archive, or was cut off. Pack it again.');
const inconsistent = (path: string, what: string): WorkProblem =>
  new WorkProblem(`The zip archive contradicts itself at ${shown(path)}: ${what}. Pack it again.`);
