import { isUtf8 } from 'node:buffer';
import { createHmac } from 'node:crypto';
import type { Tree, TreeFileWithContent } from './tree.js';

/**
 * Winnowing (Schleimer, Wilkerson, Aiken 2003): from each window of runs of tokens, the run with the smallest hash is
 * chosen. Both numbers are those of Dolos.
 */
const RUN = 23;
const WINDOW = 17;

/** A run of this many tokens that two trees share, and that the starter does not have, is always found. */
export const FOUND_FROM_TOKENS = RUN + WINDOW - 1;

/** How many different tokens a run needs: tables of numbers and lists are similar by chance. */
const MIN_KINDS = 5;
/** How many tokens of a tree are used, in the order of paths. */
const MAX_TOKENS = 200_000;
/** Largest file that is used, in bytes. */
const MAX_FILE_BYTES = 512 * 1024;
/** Hex digits of a fingerprint. */
const DIGITS = 20;

/** Matches files that programs write, which are equal for all their users. */
const GENERATED = /(?:^|\/)(?:[\w.-]*[.-]lock(?:\.\w+)?|go\.sum|[\w.-]+\.min\.\w+)$/i;

/** Whether programs write such a file: it shows nothing about the candidate's own work. */
export const isGenerated = (path: string): boolean => GENERATED.test(path);

/** Matches files of code, in which names do not count: `a + b` equals `x + y`. */
const CODE =
  /\.(?:[cm]?[jt]sx?|vue|svelte|py|rb|php|java|kt|kts|scala|groovy|go|rs|c|h|cc|cpp|hpp|cs|swift|m|dart|lua|pl|r|jl|ex|exs|erl|hs|ml|fs|clj|sql|sh)$/i;

/** Words that are keywords in most languages. Other words count as names. */
const WORDS = new Set(
  'abstract and as assert async await bool boolean break byte case catch char class const continue def default defer del delete do double elif else end enum except export extends extern false final finally float fn for foreach from func function go if impl implements import in instanceof int interface is lambda let long loop match module mut namespace new nil none not null object of or override package pass private protected public pub raise return select self short static string struct super switch this throw throws trait true try type typeof union unsigned use using val var void when where while with yield'.split(
    ' ',
  ),
);

const COMMENTS = /\/\*[^]*?\*\/|\/\/.*|^[ \t]*(?:#|--).*/gm;
const TOKENS =
  /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\[^])*`|[\p{L}_$][\p{L}\p{N}_$]*|\p{N}[\p{L}\p{N}_.]*|[^\s\p{L}\p{N}]/gu;
const PROSE = /[\p{L}\p{N}]+/gu;

/** The tokens of a text, without layout; of code, without comments, names and values. */
const tokensOf = ({ path, content }: TreeFileWithContent): readonly string[] => {
  const isOfUse =
    content.byteLength <= MAX_FILE_BYTES && !isGenerated(path) && !content.includes(0) && isUtf8(content);
  if (!isOfUse) return [];
  const text = Buffer.from(content).toString('utf8');
  if (!CODE.test(path)) return text.normalize('NFKC').toLowerCase().match(PROSE) ?? [];
  return (text.replace(COMMENTS, '').match(TOKENS) ?? [])
    .map((token) => {
      if (/^["'`]/.test(token) && token.length > 1) return 's';
      if (/^\p{N}/u.test(token)) return 'n';
      const word = token.toLowerCase();
      return /^[\p{L}_$]/u.test(token) && !WORDS.has(word) ? 'v' : word;
    })
    .filter((token) => token !== ';');
};

/** The last step of MurmurHash3, which spreads the hashes of runs evenly. */
const mixed = (hash: number): number => {
  const first = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  const second = Math.imul(first ^ (first >>> 13), 0xc2b2ae35);
  return (second ^ (second >>> 16)) >>> 0;
};

/** FNV-1a, 32 bits. */
const hashOf = (text: string): number => {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash;
};

/**
 * Base of the rolling hash: the hash of a run is a polynomial in this, modulo 2^32, made from that of the run before.
 */
const BASE = 0x01000193;
const LAST = Array.from({ length: RUN - 1 }).reduce<number>((power) => Math.imul(power, BASE), 1);

/** The hash of each run of tokens; `null`: it has too few different tokens to be characteristic. */
const runsOf = (tokens: readonly string[]): readonly (number | null)[] => {
  const hashes = tokens.map(hashOf);
  const kinds = new Map<number, number>();
  let sum = 0;
  return hashes.flatMap((hash, index) => {
    sum = Math.imul(sum, BASE) + hash;
    kinds.set(hash, (kinds.get(hash) ?? 0) + 1);
    if (index < RUN - 1) return [];
    const run = kinds.size < MIN_KINDS ? null : mixed(sum);
    const first = hashes[index - RUN + 1] ?? 0;
    sum -= Math.imul(first, LAST);
    const left = (kinds.get(first) ?? 0) - 1;
    if (left === 0) kinds.delete(first);
    else kinds.set(first, left);
    return [run];
  });
};

/** The beginning of the run with the smallest hash in each window. @param known runs that do not count */
const chosenOf = (runs: readonly (number | null)[], known: ReadonlySet<number>): ReadonlySet<number> => {
  const chosen = new Set<number>();
  for (let from = 0; from === 0 || from + WINDOW <= runs.length; from++) {
    let best = -1;
    let least = Infinity;
    for (let index = from; index < Math.min(from + WINDOW, runs.length); index++) {
      const run = runs[index] ?? null;
      if (run === null || run > least || known.has(run)) continue;
      best = index;
      least = run;
    }
    if (best !== -1) chosen.add(best);
  }
  return chosen;
};

const tokensOfTree = (tree: Tree): readonly (readonly string[])[] => {
  let left = MAX_TOKENS;
  return tree.files.map((file) => {
    const tokens = left === 0 ? [] : tokensOf(file).slice(0, left);
    left -= tokens.length;
    return tokens;
  });
};

/**
 * Fingerprints by which two trees are compared without their contents: two trees share as many fingerprints as runs of
 * tokens. Layout, comments, and in code the names and values, do not count. Without the key, fingerprints reveal
 * nothing of the work.
 * @param starter the tree that all candidates start from: it is in no fingerprint
 * @param key the same for all trees that are compared
 * @returns lower-case hex
 */
export const fingerprintsOf = (tree: Tree, starter: Tree | null, key: Uint8Array): ReadonlySet<string> => {
  const known = new Set<number>();
  for (const tokens of starter === null ? [] : tokensOfTree(starter))
    for (const run of runsOf(tokens)) if (run !== null) known.add(run);
  const fingerprints = new Set<string>();
  for (const tokens of tokensOfTree(tree))
    for (const at of chosenOf(runsOf(tokens), known)) {
      const run = tokens.slice(at, at + RUN).join('\n');
      fingerprints.add(createHmac('sha256', key).update(run).digest('hex').slice(0, DIGITS));
    }
  return fingerprints;
};
