import { unzipSync, Zip, ZipDeflate } from 'fflate';
import type { TreeFile } from '../../packages/client/src/contract.js';
import type { TreeLimits } from '../../src/work/limits.js';

/** A file with its content. */
export interface WorkFile {
  readonly path: string;
  readonly content: Uint8Array;
}

/** A zip stores a file's local time without a zone: a fixed time gives the same bytes in every zone. */
const SOME_TIME = new Date(1980, 0, 1);

/** A zip of the files: the same bytes for the same files, so that the service recognises a hand-in sent again. */
export const packed = (files: readonly WorkFile[]): Uint8Array => {
  // Not by `zipSync`: it takes an object with a key for each path, in which `__proto__` has another meaning.
  const pieces: Uint8Array[] = [];
  const zip = new Zip((error, piece) => {
    if (error) throw error;
    pieces.push(piece);
  });
  for (const { path, content } of [...files].sort((one, other) => (one.path < other.path ? -1 : 1))) {
    const file = new ZipDeflate(path, { level: 6 });
    file.mtime = SOME_TIME;
    zip.add(file);
    file.push(content, true);
  }
  zip.end();
  return joined(pieces);
};

const joined = (pieces: readonly Uint8Array[]): Uint8Array => {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
};

/**
 * The files of a zip, to be shown before it is sent. The service makes its own checks of what it receives.
 * @returns `null`: it cannot be shown, since it is damaged, too large, or has links or paths that lead elsewhere
 */
export const unpacked = (zip: Uint8Array, limits: TreeLimits): readonly WorkFile[] | null => {
  let [files, bytes] = [0, 0];
  try {
    if (hasLinks(zip)) return null;
    const entries = unzipSync(zip, {
      filter: ({ name, originalSize }) => {
        files += 1;
        bytes += originalSize;
        // Folders are entries too.
        if (files > 2 * limits.files || bytes > limits.bytes || leadsElsewhere(name)) throw new Error(name);
        return !name.endsWith('/');
      },
    });
    const found = Object.entries(entries).map(([path, content]) => ({ path, content }));
    // The library sets the content of a file named `__proto__` as its answer's prototype.
    const hidden: unknown = Object.getPrototypeOf(entries);
    return hidden instanceof Uint8Array ? [...found, { path: '__proto__', content: hidden }] : found;
  } catch {
    return null;
  }
};

/** Whether a path may leave the folder that it is unpacked to, on any system. */
const leadsElsewhere = (path: string): boolean =>
  /^\/|^[a-z]:|\\|\0/iu.test(path) || path.split('/').includes('..');

// Of an entry in a zip's central directory: 46 bytes, with the system that made it at 5 and its Unix mode at 40.
const CENTRAL_ENTRY = 0x0201_4b50;
const UNIX = 3;
const FILE_TYPE = 0o170_000;
const REGULAR_FILE = 0o100_000;
const FOLDER = 0o040_000;

/** Whether a zip's central directory has a symbolic link or a device, which the library would show as a file. */
const hasLinks = (zip: Uint8Array): boolean => {
  const view = new DataView(zip.buffer, zip.byteOffset, zip.byteLength);
  for (let at = 0; at + 46 <= zip.length; at += 1) {
    if (zip[at] !== 0x50 || view.getUint32(at, true) !== CENTRAL_ENTRY) continue;
    const type = (view.getUint32(at + 38, true) >>> 16) & FILE_TYPE;
    if (zip[at + 5] === UNIX && ![0, REGULAR_FILE, FOLDER].includes(type)) return true;
  }
  return false;
};

/** The SHA-256 of the content in lower-case hex. */
export const sha256Of = async (content: Uint8Array): Promise<string> => {
  const hash = await crypto.subtle.digest('SHA-256', content as Uint8Array<ArrayBuffer>);
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('');
};

/** The list of files as the service has it: path, size and hash, in the order of `files`. */
export const manifestOf = async (files: readonly WorkFile[]): Promise<readonly TreeFile[]> =>
  Promise.all(
    files.map(async ({ path, content }) => ({
      path,
      bytes: content.byteLength,
      sha256: await sha256Of(content),
    })),
  );
