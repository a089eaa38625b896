import { gzipSync } from 'node:zlib';
import { filesIn, readInside } from './folder.js';
import { oneLine, Stop } from './terminal.js';

/** The service's limits, which it enforces itself. */
const MAX_BYTES = 10 * 1_024 * 1_024;
const MAX_FILES = 1_000;

/** Bytes of a block of tar. */
const BLOCK = 512;
/** Bytes of the field for a name in a header of tar; a longer name has a record of its own. */
const MAX_NAME_BYTES = 100;

/** A file to pack. */
export interface PackedFile {
  /** With `/` between its parts. */
  readonly path: string;
  readonly content: Uint8Array;
}

/** The files of a folder that are handed in. @throws {Stop} there are none, or more than the service takes */
export const collect = async (folder: string): Promise<readonly PackedFile[]> => {
  const { files } = await filesIn(folder, MAX_FILES + 1);
  if (files.length === 0) throw new Stop(`There is nothing to hand in: no file in ${folder}`);
  if (files.length > MAX_FILES)
    throw new Stop(`There are more than ${MAX_FILES} files. Leave out what is generated with a .gitignore.`);
  const packed: PackedFile[] = [];
  let total = 0;
  for (const { path } of files) {
    const content = await readInside(folder, path, MAX_BYTES);
    if (content === null)
      throw new Stop(`This file cannot be read, or is larger than 10 MiB: ${oneLine(path)}`);
    total += content.length;
    if (total > MAX_BYTES)
      throw new Stop(
        'The files are larger than 10 MiB together. Leave out what is generated with a .gitignore.',
      );
    packed.push({ path, content });
  }
  return packed;
};

/** A `tar.gz` of files, the same for the same files: all have the same time, owner and mode. */
export const packFiles = (files: readonly PackedFile[]): Buffer => {
  const blocks: Uint8Array[] = [];
  const sorted = files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  for (const { path, content } of sorted) {
    const name = Buffer.from(path);
    if (name.length > MAX_NAME_BYTES) {
      const record = paxRecord('path', path);
      blocks.push(header(Buffer.from('pax'), record.length, 'x'), padded(record));
    }
    blocks.push(header(name.subarray(0, MAX_NAME_BYTES), content.length, '0'), padded(content));
  }
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]), { level: 9 });
};

const padded = (content: Uint8Array): Uint8Array => {
  const rest = content.length % BLOCK;
  return rest === 0 ? content : Buffer.concat([content, Buffer.alloc(BLOCK - rest)]);
};

/** A record's length counts the digits of itself. */
const paxRecord = (key: string, value: string): Buffer => {
  const rest = Buffer.byteLength(` ${key}=${value}\n`);
  let length = rest + String(rest).length;
  length = rest + String(length).length;
  return Buffer.from(`${length} ${key}=${value}\n`);
};

/** A header of the ustar format: the name, mode, owner, group, size, time, checksum and type. */
const header = (name: Uint8Array, bytes: number, type: '0' | 'x'): Buffer => {
  const block = Buffer.alloc(BLOCK);
  const octal = (value: number, digits: number): string => `${value.toString(8).padStart(digits, '0')}\0`;
  block.set(name, 0);
  block.write(octal(0o644, 7), 100, 'latin1');
  block.write(octal(0, 7), 108, 'latin1');
  block.write(octal(0, 7), 116, 'latin1');
  block.write(octal(bytes, 11), 124, 'latin1');
  block.write(octal(0, 11), 136, 'latin1');
  // The checksum is computed with blanks in its own field.
  block.write('        ', 148, 'latin1');
  block.write(type, 156, 'latin1');
  block.write('ustar\x0000', 257, 'latin1');
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return block;
};
