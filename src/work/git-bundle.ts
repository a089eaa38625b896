import { createHash } from 'node:crypto';
import { type EntryKind, type TreeCollector, WorkProblem } from './collect.js';

/** Types of objects by their numbers in a pack. */
const TYPES: Readonly<Record<number, string>> = { 1: 'commit', 2: 'tree', 3: 'blob', 4: 'tag' };
const OFFSET_DELTA = 6;
const NAMED_DELTA = 7;
/** Longest chain of deltas: git makes at most 4,095. */
const MAX_CHAIN = 4_095;

const KINDS: Readonly<Record<string, EntryKind>> = {
  '40000': 'folder',
  '120000': { other: 'a symbolic link' },
  '160000': { other: 'a submodule' },
};

const damaged = (): WorkProblem =>
  new WorkProblem(
    'The file is not a valid git bundle, or was cut off. Make it again: git bundle create work.bundle HEAD',
  );
const incomplete = (what: string): WorkProblem =>
  new WorkProblem(`${what} Make it of all that HEAD needs: git bundle create work.bundle HEAD`);

interface GitObject {
  readonly type: string;
  readonly content: Buffer;
  /** Number of deltas from which it was made. */
  readonly chain: number;
}

interface BundleHead {
  /** The commit whose files are read. */
  readonly commit: string;
  readonly algorithm: 'sha1' | 'sha256';
  readonly pack: Buffer;
}

/** Reads the text before the pack: a signature, capabilities, prerequisites, references. */
const headOf = (content: Buffer): BundleHead => {
  const end = content.indexOf('\n\n');
  if (end === -1) throw damaged();
  const [signature = '', ...lines] = content.subarray(0, end).toString('utf8').split('\n');
  if (!/^# v[23] git bundle$/.test(signature)) throw damaged();
  const refs = new Map<string, string>();
  let algorithm: BundleHead['algorithm'] = 'sha1';
  for (const line of lines) {
    if (line.startsWith('-')) throw incomplete('The git bundle needs commits that it does not hold.');
    if (line === '@object-format=sha256') algorithm = 'sha256';
    else if (line.startsWith('@') && line !== '@object-format=sha1')
      throw incomplete('The git bundle leaves out a part of its objects.');
    else if (!line.startsWith('@')) {
      const [, oid = '', name = ''] = /^([\da-f]{40}|[\da-f]{64}) (\S+)$/.exec(line) ?? [];
      if (name === '') throw damaged();
      refs.set(name, oid);
    }
  }
  const branches = new Set(
    [...refs].filter(([name]) => name.startsWith('refs/heads/')).map(([, oid]) => oid),
  );
  const [only, ...others] = branches;
  const commit = refs.get('HEAD') ?? (others.length === 0 ? only : undefined);
  if (commit === undefined) throw incomplete('The git bundle has no HEAD, and not one branch alone.');
  return { commit, algorithm, pack: content.subarray(end + 2) };
};

/** Length of a pack's header: its signature, version and number of objects. */
const PACK_HEADER_BYTES = 12;

/**
 * Reads a pack, once: its objects from the first to the last, then those whose base comes after them. The last bytes of
 * a pack are the hash of all bytes before.
 */
class PackReader {
  #at = PACK_HEADER_BYTES;
  readonly #byOffset = new Map<number, GitObject>();
  readonly #byName = new Map<string, GitObject>();
  readonly #hashBytes: number;

  constructor(
    private readonly pack: Buffer,
    private readonly algorithm: BundleHead['algorithm'],
    private readonly collector: TreeCollector,
  ) {
    this.#hashBytes = algorithm === 'sha1' ? 20 : 32;
  }

  /** The pack's objects by name. */
  read(): ReadonlyMap<string, GitObject> {
    const body = this.pack.subarray(0, -this.#hashBytes);
    const count = this.pack.byteLength < PACK_HEADER_BYTES + this.#hashBytes ? 0 : this.pack.readUInt32BE(8);
    const isPack =
      count > 0 && this.pack.toString('latin1', 0, 4) === 'PACK' && this.pack.readUInt32BE(4) === 2;
    if (!isPack || !this.#hash(body).equals(this.pack.subarray(-this.#hashBytes))) throw damaged();
    let waiting: (() => boolean)[] = [];
    for (let index = 0; index < count; index++) {
      const resolve = this.#next(body);
      if (!resolve()) waiting.push(resolve);
    }
    if (this.#at !== body.byteLength) throw damaged();
    // The base of a named delta may come after it.
    while (waiting.length > 0) {
      const left = waiting.filter((resolve) => !resolve());
      if (left.length === waiting.length) throw incomplete('The git bundle lacks objects.');
      waiting = left;
    }
    return this.#byName;
  }

  /**
   * Reads one object.
   * @returns a function that adds it to the maps, if its base is there, and returns whether it did
   */
  #next(body: Buffer): () => boolean {
    const offset = this.#at;
    let byte = this.#byte();
    const type = (byte >> 4) & 7;
    let size = byte & 15;
    for (let factor = 16; byte >= 128; factor *= 128) {
      byte = this.#byte();
      size += (byte & 127) * factor;
    }
    const base = this.#baseOf(type, offset);
    const { content, taken } = this.collector.inflate('zlib', body.subarray(this.#at), size);
    if (content.byteLength !== size) throw damaged();
    this.#at += taken;
    const name = TYPES[type];
    if (name !== undefined) return () => this.#put(offset, { type: name, content, chain: 0 });
    return () => {
      const found = base();
      if (found === undefined) return false;
      if (found.chain === MAX_CHAIN) throw damaged();
      const result = this.#applied(found.content, content);
      return this.#put(offset, { type: found.type, content: result, chain: found.chain + 1 });
    };
  }

  /** Reads the base of a delta. @returns a function that finds that object; a whole object has no base */
  #baseOf(type: number, offset: number): () => GitObject | undefined {
    if (type === NAMED_DELTA) {
      const name = this.pack.toString('hex', this.#at, this.#at + this.#hashBytes);
      this.#at += this.#hashBytes;
      return () => this.#byName.get(name);
    }
    if (type !== OFFSET_DELTA) {
      if (TYPES[type] === undefined) throw damaged();
      return () => undefined;
    }
    let byte = this.#byte();
    let distance = byte & 127;
    while (byte >= 128) {
      byte = this.#byte();
      distance = (distance + 1) * 128 + (byte & 127);
    }
    return () => this.#byOffset.get(offset - distance);
  }

  #put(offset: number, object: GitObject): boolean {
    this.#byOffset.set(offset, object);
    const head = Buffer.from(`${object.type} ${object.content.byteLength}\0`);
    this.#byName.set(this.#hash(head, object.content).toString('hex'), object);
    return true;
  }

  /** Applies a delta to its base: copies from the base, and inserts the delta's own bytes. */
  #applied(base: Buffer, delta: Buffer): Buffer {
    let at = 0;
    const next = (): number => {
      const byte = delta[at++];
      if (byte === undefined) throw damaged();
      return byte;
    };
    const number = (): number => {
      let value = 0;
      for (let factor = 1; ; factor *= 128) {
        const byte = next();
        value += (byte & 127) * factor;
        if (byte < 128) return value;
      }
    };
    if (number() !== base.byteLength) throw damaged();
    const size = number();
    this.collector.reserve(size);
    const result = Buffer.alloc(size);
    let end = 0;
    const put = (bytes: Buffer, from: number, length: number): void => {
      if (length === 0 || from + length > bytes.byteLength || end + length > size) throw damaged();
      bytes.copy(result, end, from, from + length);
      end += length;
    };
    while (at < delta.byteLength) {
      const operation = next();
      const part = (bit: number, factor: number): number => ((operation & bit) === 0 ? 0 : next() * factor);
      if (operation >= 128) {
        const from = part(1, 1) + part(2, 0x100) + part(4, 0x10000) + part(8, 0x1000000);
        put(base, from, part(16, 1) + part(32, 0x100) + part(64, 0x10000) || 0x10000);
      } else {
        put(delta, at, operation);
        at += operation;
      }
    }
    if (end !== size) throw damaged();
    return result;
  }

  #byte(): number {
    const byte = this.pack[this.#at++];
    if (byte === undefined) throw damaged();
    return byte;
  }

  #hash(...parts: readonly Buffer[]): Buffer {
    const hash = createHash(this.algorithm);
    for (const part of parts) hash.update(part);
    return hash.digest();
  }
}

/**
 * Adds the files of the commit at a git bundle's HEAD, or its only branch.
 * @throws {WorkProblem} the bundle is refused
 */
export const readGitBundle = (content: Buffer, collector: TreeCollector): void => {
  const { commit, algorithm, pack } = headOf(content);
  const objects = readObjects(pack, algorithm, collector);
  const hashBytes = algorithm === 'sha1' ? 20 : 32;
  const find = (name: string, type: string): Buffer => {
    const object = objects.get(name);
    if (object?.type !== type) throw incomplete('The git bundle lacks objects.');
    return object.content;
  };
  const walk = (tree: Buffer, folder: string): void => {
    for (let at = 0; at < tree.byteLength;) {
      const space = tree.indexOf(' ', at);
      const zero = tree.indexOf(0, space);
      if (space === -1 || zero === -1) throw damaged();
      const mode = tree.toString('latin1', at, space);
      const path = folder + tree.toString('utf8', space + 1, zero);
      const name = tree.toString('hex', zero + 1, zero + 1 + hashBytes);
      at = zero + 1 + hashBytes;
      const kind = KINDS[mode] ?? (/^100\d{3}$/.test(mode) ? 'file' : { other: 'of an unknown type' });
      const isTaken = collector.add(path, kind, () => find(name, 'blob'));
      if (isTaken && kind === 'folder') walk(find(name, 'tree'), `${path}/`);
    }
  };
  const [, root = ''] = /^tree ([\da-f]+)\n/.exec(find(commit, 'commit').toString('latin1')) ?? [];
  walk(find(root, 'tree'), '');
};

const readObjects = (
  pack: Buffer,
  algorithm: BundleHead['algorithm'],
  collector: TreeCollector,
): ReadonlyMap<string, GitObject> => {
  try {
    return new PackReader(pack, algorithm, collector).read();
  } catch (error) {
    throw error instanceof WorkProblem ? error : damaged();
  }
};
