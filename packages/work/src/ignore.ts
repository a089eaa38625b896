/** One line of a `.gitignore`. */
interface Rule {
  readonly matches: (segments: readonly string[]) => boolean;
  readonly isNegated: boolean;
  readonly isForFolders: boolean;
}

/** Rules of one `.gitignore`, for paths below its folder. */
export type IgnoreRules = readonly Rule[];

/** The rules of a `.gitignore`, as gitignore(5) has them. */
export const readIgnoreFile = (text: string): IgnoreRules =>
  text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .flatMap(readRule);

const readRule = (line: string): Rule[] => {
  if (line.startsWith('#')) return [];
  const isNegated = line.startsWith('!');
  const pattern = withoutTrailingSpaces(isNegated ? line.slice(1) : line);
  const isForFolders = pattern.endsWith('/');
  const body = isForFolders ? pattern.slice(0, -1) : pattern;
  if (body === '') return [];
  const isAnchored = body.includes('/');
  const parts = body.replace(/^\//, '').split('/');
  const globs = isAnchored ? parts : ['**', ...parts];
  return [{ matches: (segments) => matchesPath(globs, segments), isNegated, isForFolders }];
};

const withoutTrailingSpaces = (line: string): string => {
  let end = line.length;
  while (end > 0 && line[end - 1] === ' ' && line[end - 2] !== '\\') end--;
  return line.slice(0, end);
};

/** Whether the globs from index `from` on match the segments from index `at` on, all of them. */
const matchesPath = (globs: readonly string[], segments: readonly string[], from = 0, at = 0): boolean => {
  const glob = globs[from];
  if (glob === undefined) return at === segments.length;
  if (glob === '**') {
    // At the end it matches what is inside, not the folder itself.
    if (from === globs.length - 1) return at < segments.length;
    for (let next = at; next <= segments.length; next++)
      if (matchesPath(globs, segments, from + 1, next)) return true;
    return false;
  }
  const segment = segments[at];
  return (
    segment !== undefined && matchesName(glob, segment) && matchesPath(globs, segments, from + 1, at + 1)
  );
};

/** Whether a name matches `*`, `?`, `[…]` and escapes; in time of at most their lengths' product. */
const matchesName = (glob: string, name: string): boolean => {
  let [g, n] = [0, 0];
  let star: { readonly glob: number; name: number } | null = null;
  while (n < name.length) {
    const next = g < glob.length ? matchCharacter(glob, g, name[n] ?? '') : null;
    if (glob[g] === '*') {
      star = { glob: ++g, name: n };
    } else if (next !== null) {
      g = next;
      n++;
    } else if (star) {
      g = star.glob;
      n = ++star.name;
    } else {
      return false;
    }
  }
  while (glob[g] === '*') g++;
  return g === glob.length;
};

/** The index in the glob after what matches one character; `null`: it does not match. */
const matchCharacter = (glob: string, at: number, character: string): number | null => {
  const first = glob[at];
  if (first === '?') return at + 1;
  if (first === '\\' && at + 1 < glob.length) return glob[at + 1] === character ? at + 2 : null;
  if (first === '[') {
    const set = readSet(glob, at, character);
    if (set) return set.isIn ? set.end : null;
    return null;
  }
  return first === character ? at + 1 : null;
};

/** Whether the character is in a set such as `[a-z]`, and the index after the set. `null`: the set has no end. */
const readSet = (glob: string, at: number, character: string): { isIn: boolean; end: number } | null => {
  let place = at + 1;
  const isNegated = glob[place] === '!' || glob[place] === '^';
  if (isNegated) place++;
  const first = place;
  let isIn = false;
  while (place < glob.length && (glob[place] !== ']' || place === first)) {
    if (glob[place] === '\\') place++;
    const from = glob[place] ?? '';
    let to = from;
    if (glob[place + 1] === '-' && place + 2 < glob.length && glob[place + 2] !== ']') {
      place += 2;
      if (glob[place] === '\\') place++;
      to = glob[place] ?? '';
    }
    if (character >= from && character <= to) isIn = true;
    place++;
  }
  return place < glob.length ? { isIn: isIn !== isNegated, end: place + 1 } : null;
};

/** The rules of one folder's `.gitignore`, and where that folder is. */
export interface FolderRules {
  /** How many segments below the work's folder it is. */
  readonly depth: number;
  readonly rules: IgnoreRules;
}

/** Never part of the work, even if a `.gitignore` includes them. */
const ALWAYS: ReadonlySet<string> = new Set(['.git', 'node_modules']);

/**
 * Whether a file or folder is left out. Call it only for paths that are not in an ignored folder.
 * @param rules those of the folder that it is in and of the folders above, outermost first
 * @param segments of its path below the work's folder
 */
export const isIgnored = (
  rules: readonly FolderRules[],
  segments: readonly string[],
  isFolder: boolean,
): boolean => {
  if (ALWAYS.has(segments.at(-1) ?? '')) return true;
  for (const { depth, rules: own } of rules.toReversed()) {
    const below = segments.slice(depth);
    const rule = own.findLast((one) => (isFolder || !one.isForFolders) && one.matches(below));
    if (rule) return !rule.isNegated;
  }
  return false;
};
