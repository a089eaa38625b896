import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { hasCode } from '../../core/errors.js';
import { PRIVATE_FILE } from '../../stores/lmdb/folder.js';
import { syncFolder, syncFolderNow } from './durable-files.js';

/** How many files are copied or read at once: each mostly waits for the disk. */
const AT_ONCE = 16;

/** A folder of small files in shards (`keys`, `erased`), counted and hashed. */
export interface Shards {
  readonly files: number;
  readonly bytes: number;
  /** SHA-256, in hex, over every file in the order of shards and names: its name, its length and its content. */
  readonly sha256: string;
}

/** Copies such a folder durably, without files that are erased meanwhile. @param to is made */
export async function copyShards(from: string, to: string): Promise<void> {
  mkdirSync(to, { recursive: true, mode: 0o700 });
  for (const shard of shardsIn(from)) {
    const target = join(to, basename(shard));
    mkdirSync(target, { mode: 0o700 });
    await inOrder(shard, (path, content) =>
      writeFile(join(target, basename(path)), content, { flag: 'wx', mode: PRIVATE_FILE, flush: true }),
    );
    await syncFolder(target);
  }
  syncFolderNow(to);
  syncFolderNow(dirname(to));
}

/** One digest over all key files of a folder, in a fixed order. */
export async function digestShards(folder: string): Promise<Shards> {
  const hash = createHash('sha256');
  let files = 0;
  let bytes = 0;
  for (const shard of shardsIn(folder)) {
    const contents = new Map<string, Buffer>();
    await inOrder(shard, async (path, content) => void contents.set(basename(path), content));
    for (const [name, content] of [...contents].sort(([one], [other]) => (one < other ? -1 : 1))) {
      hash.update(`${name} ${content.byteLength}\n`).update(content);
      files++;
      bytes += content.byteLength;
    }
  }
  return { files, bytes, sha256: hash.digest('hex') };
}

const shardsIn = (folder: string): readonly string[] =>
  readdirSync(folder)
    .sort()
    .map((shard) => join(folder, shard));

/** Calls `take` for each file of a shard, without files that are removed meanwhile. */
async function inOrder(shard: string, take: (path: string, content: Buffer) => Promise<void>): Promise<void> {
  const names = readdirSync(shard);
  for (let first = 0; first < names.length; first += AT_ONCE) {
    await Promise.all(
      names.slice(first, first + AT_ONCE).map(async (name) => {
        const path = join(shard, name);
        const content = await contentOf(path);
        if (content) await take(path, content);
      }),
    );
  }
}

async function contentOf(path: string): Promise<Buffer | null> {
  try {
    return await readFile(path);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null;
    throw error;
  }
}
