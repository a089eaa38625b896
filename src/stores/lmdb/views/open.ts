/*
 * lmdb/views/: the read store in an LMDB environment, for all processes of one host. It promises what `ReadStore` does,
 * and writes each batch with its index entries in one transaction. Order: `openEmbeddedReadStore` opens a `session`;
 * `collection` reads and writes documents (`record` has their bytes, `caches` the parsed ones); `registers` has
 * checkpoints, leases, pointers and the heartbeat.
 */
import type { GenerationName, ReadStore } from '../../read-store.js';
import { assertGenerationName, declaredIndexes } from '../../rules.js';
import { DEADLINE_MS, type WriteOptions } from '../environment.js';
import { DocumentCache, PageCache } from './caches.js';
import { changeKey, EmbeddedCollection, generationPrefix, markChanged } from './collection.js';
import { Registers } from './registers.js';
import { Session } from './session.js';

export interface EmbeddedReadStoreOptions {
  /** How long a write may take before it fails with `ReadStoreUnavailable`, in milliseconds. Default 5,000. */
  readonly deadlineMs?: number;
  /** For operators' reads beside a running service: takes no write lock, refuses to write. */
  readonly readOnly?: boolean;
}

/** Most keys that one transaction removes, so that a drop never blocks other writers for long. */
const MAX_REMOVED = 1_000;
const REMOVAL: WriteOptions = { cost: { changes: MAX_REMOVED, bytes: 0 } };

/**
 * Opens the read store in a folder, or makes it. Several processes of one host may have it open at once. The folder can
 * be deleted while no process has it open: views are rebuilt from the log.
 * @throws {StoreUnusable} the folder is damaged, of a newer version or not ours
 */
export async function openEmbeddedReadStore(
  folder: string,
  { deadlineMs = DEADLINE_MS, readOnly = false }: EmbeddedReadStoreOptions = {},
): Promise<ReadStore> {
  const session = Session.open(folder, readOnly, deadlineMs);
  const registers = new Registers(session);
  const cache = new DocumentCache();
  const pages = new PageCache();
  return {
    collection: (name, indexes) => {
      assertGenerationName(name);
      return new EmbeddedCollection(session, name, cache, pages, declaredIndexes(indexes));
    },
    drop: async (name) => {
      assertGenerationName(name);
      await registers.drop(name);
      await removeDocuments(session, name);
    },
    generations: async () => session.read(() => [...withDocuments(session, registers.generations())].sort()),
    checkpoints: registers.checkpoints,
    checkpointEvent: (name) => registers.checkpointEvent(name),
    leases: registers.leases,
    pointers: registers.pointers,
    clock: registers.clock,
    close: async () => session.close(),
  };
}

/** Adds the generations that have documents to `names`. It reads one key of each generation. */
function withDocuments({ tables }: Session, names: Set<GenerationName>): Set<GenerationName> {
  for (let start = Buffer.of(0); ;) {
    const [first] = tables.documents.getKeys({ start, limit: 1 });
    if (!first) return names;
    const name = first.subarray(0, first.indexOf(0)).toString();
    names.add(name as GenerationName);
    start = Buffer.from(`${name}\x01`);
  }
}

/** Removes a dropped generation's documents, with their index entries and its change mark. */
async function removeDocuments(session: Session, name: GenerationName): Promise<void> {
  const { entries, documents, changes } = session.tables;
  const changed = changeKey(name);
  const range = { start: generationPrefix(name), end: Buffer.from(`${name}\x01`), limit: MAX_REMOVED };
  for (const database of [entries, documents]) {
    for (let more = true; more;) {
      more = await session.write(() => {
        const keys = [...database.getKeys(range)];
        for (const key of keys) void database.remove(key);
        markChanged(session, changed);
        return keys.length === MAX_REMOVED;
      }, REMOVAL);
    }
  }
  // Without a mark, pages that were cached before the generation's first document are valid again. They are empty, and
  // so is the generation now.
  await session.write(() => changes.remove(changed));
}
