import { truncate } from '../core/text.js';
import { MAX_PATH_BYTES } from './limits.js';

/** Longest name of a file or folder, in bytes of UTF-8. */
const MAX_NAME_BYTES = 255;
/** Longest path in a message, in characters. */
const MAX_SHOWN = 120;

/** Control characters, direction marks, characters without width and line ends, which make a name look like another. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
const ALL_INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
/** Characters and names with a special meaning in Windows. */
const SPECIAL = /[<>:"|?*\\]/;
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[\d\u00b9\u00b2\u00b3])[ .]*(?:\.|$)/iu;
/** The character by which a decoder replaces bytes that are not UTF-8. */
const REPLACEMENT = '\uFFFD';

/** A path for a message, in quotes. Invisible characters are written as `\u{…}`, and a long path is cut. */
export const shown = (path: string): string => {
  const text = path.replace(
    ALL_INVISIBLE,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
  return `“${text.length > MAX_SHOWN ? `${truncate(text, MAX_SHOWN)}…` : text}”`;
};

/**
 * Why a path leads out of its archive's folder, as the rest of a sentence that begins with the path; `null`: it does
 * not.
 */
export const escapeOf = (path: string): string | null => {
  if (path.includes('\\')) return 'has a backslash: an archive separates names with /';
  if (path.startsWith('/')) return 'is absolute: a path in an archive is relative';
  if (/^[a-z]:/iu.test(path)) return 'begins with a drive: a path in an archive is relative';
  if (path.split('/').includes('..')) return 'leads out of its folder by “..”';
  return null;
};

/** Length in UTF-8. Works in a browser too. */
const utf8Bytes = (text: string): number => new TextEncoder().encode(text).length;

const nameProblem = (name: string): string | null => {
  if (name === '' || name === '.') return 'has an empty name, or “.”, between two slashes';
  if (name.includes(REPLACEMENT)) return 'is not valid UTF-8';
  if (INVISIBLE.test(name)) return 'has an invisible character';
  if (SPECIAL.test(name)) return 'has one of the characters < > : " | ? * \\, which Windows does not allow';
  if (/[. ]$/.test(name)) return 'has a name that ends with a dot or a space';
  if (DEVICE.test(name)) return 'has a name that Windows gives to a device';
  if (utf8Bytes(name) > MAX_NAME_BYTES) return `has a name of more than ${MAX_NAME_BYTES} bytes`;
  return null;
};

/**
 * Why no file may have this path, as the rest of a sentence that begins with the path; `null`: the path is allowed.
 * @param path a relative path for which `escapeOf` returns `null`
 */
export const pathProblem = (path: string): string | null => {
  if (utf8Bytes(path) > MAX_PATH_BYTES) return `has more than ${MAX_PATH_BYTES} bytes`;
  for (const name of path.split('/')) {
    const problem = nameProblem(name);
    if (problem !== null) return problem;
  }
  return null;
};

/** Equal for two names that are the same in some file system: without case and Unicode’s normal forms. */
const folded = (path: string): string => path.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC');

/** Detects paths that cannot exist together in one folder. */
export class PathCollisions {
  /** Files and folders so far, by their folded paths. */
  readonly #taken = new Map<string, { readonly path: string; readonly isFile: boolean }>();

  /**
   * Adds a file.
   * @returns why it cannot be added, as the rest of a sentence that begins with the path; `null`: added
   */
  add(path: string): string | null {
    for (let end = path.indexOf('/'); end !== -1; end = path.indexOf('/', end + 1)) {
      const folder = path.slice(0, end);
      const problem = this.#take(folder, false);
      if (problem !== null) return problem;
    }
    return this.#take(path, true);
  }

  #take(path: string, isFile: boolean): string | null {
    const key = folded(path);
    const other = this.#taken.get(key);
    if (other === undefined) {
      this.#taken.set(key, { path, isFile });
      return null;
    }
    if (other.path !== path)
      return `differs from ${shown(other.path)} only in upper and lower case, or in how its letters are encoded`;
    if (other.isFile !== isFile) return `needs ${shown(path)} as a folder and as a file`;
    return isFile ? 'is there twice' : null;
  }
}

/**
 * The folder around the work, with its slash; `''`: there is none. File managers pack a folder with its name, so all
 * paths of an archive may be in a folder that is not part of the work. It is the folder in which more of the starter's
 * files are found than at the top.
 * @param isAssumed whether the outermost folder counts as around the work if no file of the starter is found
 */
export const wrapperOf = (
  paths: readonly string[],
  starter: readonly { readonly path: string }[],
  isAssumed = false,
): string => {
  const known = new Set(starter.map(({ path }) => path));
  const folders = commonFolders(paths);
  let [wrapper, most] = ['', 0];
  for (const folder of folders) {
    const found = paths.filter((path) => known.has(path.slice(folder.length))).length;
    if (found > most) [wrapper, most] = [folder, found];
  }
  return isAssumed && most === 0 ? (folders[1] ?? '') : wrapper;
};

/** How many folders around the work are checked: work that was packed twice has two. */
const MAX_WRAPPERS = 4;

/** The folders that contain all paths, with their slashes, from `''` inwards. */
export const commonFolders = ([first = '', ...others]: readonly string[]): readonly string[] => {
  const folders = [''];
  let end = first.indexOf('/') + 1;
  for (; end > 0 && folders.length <= MAX_WRAPPERS; end = first.indexOf('/', end) + 1) {
    const folder = first.slice(0, end);
    if (!others.every((path) => path.startsWith(folder))) break;
    folders.push(folder);
  }
  return folders;
};

/** Names of files and folders of version control and operating systems, which are never part of the work. */
const LEFT_OUT = new Set(['.git', '__macosx', '.ds_store']);
const PACKAGES = 'node_modules';

/**
 * Whether a path is left out of a tree.
 * @returns `null`: it is not left out. Else the folder of installed packages that it is in, which is reported to the
 *   sender; `''`: another reason, which is not reported
 */
export const leftOutBy = (path: string): string | null => {
  const names = path.toLowerCase().split('/');
  // macOS stores the extended attributes of `name` in `._name`.
  if (names.some((name) => LEFT_OUT.has(name) || name.startsWith('._'))) return '';
  const at = names.indexOf(PACKAGES);
  return at === -1
    ? null
    : path
        .split('/')
        .slice(0, at + 1)
        .join('/');
};
