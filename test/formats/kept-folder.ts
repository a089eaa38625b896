import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants } from 'node:zlib';

/** Lock files, which hold no data: LMDB makes them again. */
const LOCKS = /(?:^|\/)(?:lock\.mdb|[^/]*\.lock)$/;

/**
 * Packs a folder that no process uses into one file: for each file a line of JSON with its path and size, then its
 * bytes. It is compressed, since a database file is mostly empty.
 */
export const packFolder = async (folder: string, file: string): Promise<void> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((path) => !LOCKS.test(path))
    .sort();
  const parts: Buffer[] = [];
  for (const path of paths) {
    const content = await readFile(join(folder, path));
    parts.push(Buffer.from(`${JSON.stringify({ path, size: content.length })}\n`), content);
  }
  await writeFile(file, await packed(Buffer.concat(parts)));
};

/** Compresses with the highest quality. */
export const packed = (content: Buffer | string): Promise<Buffer> =>
  promisify(brotliCompress)(content, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 },
  });

/** Decompresses what `packed` made. */
export const unpacked = (content: Buffer): Promise<Buffer> => promisify(brotliDecompress)(content);

/** Unpacks a folder, readable only by its owner, as a service makes it. */
export const unpackFolder = async (file: string, folder: string): Promise<void> => {
  const content = await unpacked(await readFile(file));
  for (let at = 0; at < content.length;) {
    const end = content.indexOf('\n', at);
    const { path, size } = JSON.parse(content.subarray(at, end).toString()) as {
      readonly path: string;
      readonly size: number;
    };
    at = end + 1 + size;
    const target = join(folder, path);
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    await writeFile(target, content.subarray(end + 1, at), { mode: 0o600 });
  }
};
