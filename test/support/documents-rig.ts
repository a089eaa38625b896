import { expect } from '@jest/globals';
import type { Decoded } from '../../src/core/codec.js';
import { START, type LogId, type Position, type RecordedEvent } from '../../src/core/event-store.js';
import type { Stored } from '../../src/core/event.js';
import { Sealer } from '../../src/core/sealing.js';
import { comparableOfReplayed, comparableOfStored } from '../../src/engine/documents/comparison.js';
import { replayDocuments } from '../../src/engine/documents/replay.js';
import {
  advanceCheckpoint,
  runPass,
  type PassGuards,
  type SegmentPosition,
} from '../../src/engine/fold/pass.js';
import { collectionOf, checkpointNames } from '../../src/engine/generations/generations.js';
import { SharedEvent } from '../../src/engine/live/ring.js';
import type { AnyView } from '../../src/engine/view.js';
import type { Generation, GenerationName, StoredDocument } from '../../src/stores/read-store.js';
import { DocumentSealer } from '../../src/vault/documents.js';
import { MemoryDatabase, openMemoryReadStore, type MemoryReadStoreHooks } from './memory-read-store.js';
import { MemoryVault } from './memory-vault.js';

/**
 * Views over a log that a test writes, on stores in memory. `feed` folds a generation by the engine's own passes;
 * `expectFresh` compares its documents with folds of their events from the log.
 */
export class DocumentsRig {
  readonly log: Stored[] = [];
  readonly vault = new MemoryVault();
  readonly database = new MemoryDatabase();
  readonly readStore;
  readonly sealer = new DocumentSealer(new Sealer(this.vault));
  readonly stores;
  /** The ids of events that every fold skips. */
  readonly skipped = new Set<string>();
  /** How many events were read from the log. */
  reads = 0;

  /** @param hooks hooks of `readStore`; `feed` uses a handle without them */
  constructor(hooks: MemoryReadStoreHooks = {}) {
    this.readStore = openMemoryReadStore(this.database, hooks);
    const { readStore, sealer } = this;
    const eventStore = {
      readAll: (options: { after?: Position } = {}) => this.#read(options.after ?? START),
    };
    this.stores = {
      eventStore,
      readStore,
      sealer,
      codec: { decode: (event: RecordedEvent) => this.#decode(event) },
    };
  }

  /** Appends to the log. Each event gets the next position, independent of its own. */
  async append(...events: readonly Stored[]): Promise<void> {
    for (const event of events) {
      if (event.person !== null) await this.vault.keys.create(event.person);
      this.log.push({ ...event, position: String(this.log.length + 1).padStart(16, '0') as Position });
    }
  }

  generation(view: AnyView, number = 1, segments = 1): Generation {
    return {
      name: `${view.name}.v${view.version}.g${number}` as GenerationName,
      number,
      version: view.version,
      log: 'log' as LogId,
      fingerprint: view.fingerprint,
      segments,
    };
  }

  /** The options with which documents are replayed. */
  get reading(): { readonly skipped: ReadonlySet<string> } {
    return { skipped: this.skipped };
  }

  collection = (view: AnyView, generation: Generation) => collectionOf(this.readStore, view, generation);

  /** Feeds a generation to the end of the log, in pages of so many events. */
  async feed(view: AnyView, generation: Generation, page = 10): Promise<void> {
    const readStore = openMemoryReadStore(this.database);
    const pull = async (after: Position) => {
      const events: SharedEvent[] = [];
      for await (const event of this.#read(after, page))
        events.push(new SharedEvent(event, this.stores.codec));
      return { events, position: events.at(-1)?.position ?? after, more: events.length === page };
    };
    const dependencies = { feed: { pull }, checkpoints: readStore.checkpoints, sealer: this.sealer };
    const rules = { strict: false, skipped: this.skipped };
    const handled = new Set(view.handles);
    const collection = collectionOf(readStore, view, generation);
    for (const [index, name] of checkpointNames(generation).entries()) {
      const segment = { view, handled, collection, name, index, count: generation.segments, rules };
      let carried: SegmentPosition | null = null;
      for (let kind = 'advanced'; kind === 'advanced' || kind === 'again';) {
        const guards: PassGuards = { interrupted: () => false, begun: false, carried };
        const result = await runPass(dependencies, segment, guards);
        kind = result.kind;
        carried = result.kind === 'advanced' ? await advanceCheckpoint(dependencies, segment, result) : null;
      }
    }
  }

  /** All documents of a generation, by id. */
  async stored(view: AnyView, generation: Generation): Promise<ReadonlyMap<string, StoredDocument>> {
    const found = new Map<string, StoredDocument>();
    for await (const document of this.collection(view, generation).all()) found.set(document.id, document);
    return found;
  }

  /** Expects every document of the first generation to equal the fold of its events. */
  async expectFresh(view: AnyView): Promise<void> {
    const generation = this.generation(view);
    const stored = await this.stored(view, generation);
    const targets = new Map([...stored].map(([id, { position }]) => [id, position]));
    const replayed = await replayDocuments(this.stores, view, targets, this.reading);
    for (const [id, document] of stored) {
      const left = await comparableOfStored(this.sealer, document);
      const right = await comparableOfReplayed(this.sealer, replayed.get(id) ?? null);
      expect({ view: view.name, id, said: left }).toEqual({ view: view.name, id, said: right });
      if (this.skipped.size === 0) expect(replayed.get(id)?.position).toBe(document.position);
    }
  }

  /** Changes a stored document without the engine; `change` returns `null` to remove it. */
  damage(
    { name }: Generation,
    id: string,
    change: (document: StoredDocument) => StoredDocument | null,
  ): void {
    const cell = this.database.documents.get(name)?.get(id);
    const row = cell?.at(this.database.now);
    if (!cell || !row) throw new Error(`There is no document ${id}.`);
    const changed = change(JSON.parse(row.text) as StoredDocument);
    cell.set(
      ++this.database.now,
      changed && { ...row, text: JSON.stringify(changed), position: changed.position },
    );
  }

  async *#read(after: Position, limit = Infinity): AsyncGenerator<RecordedEvent, void, undefined> {
    let left = limit;
    for (let index = Number(after); index < this.log.length && left > 0; index++, left--) {
      const event = this.log[index]!;
      this.reads++;
      const { id, type, stream, revision, position } = event;
      const [data, metadata] = [event, event.metadata].map((part) => Buffer.from(JSON.stringify(part)));
      await Promise.resolve();
      yield { id, type, stream, revision, position, data: data!, metadata: metadata! };
    }
  }

  /** As the real codec, it leaves out the personal part of an erased person's event. */
  #decode({ data, type }: RecordedEvent): Decoded | Promise<Decoded> {
    const event = JSON.parse(Buffer.from(data).toString()) as Stored;
    const { schemaVersion } = event.metadata;
    if (schemaVersion > 1) return { kind: 'newer', type, schemaVersion };
    const erased = event.person !== null && this.vault.known.get(event.person)?.kind === 'erased';
    return { kind: 'event', event: erased ? { ...event, personal: null } : event };
  }
}
