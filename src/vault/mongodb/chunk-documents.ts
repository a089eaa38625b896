import { Binary, type Filter } from 'mongodb';
import type { PersonId } from '../../core/vault/port.js';
import { inserted } from '../../stores/mongodb/collections.js';
import type { Session } from '../../stores/mongodb/session.js';
import type { ChunkArchive } from '../driver.js';
import type { ChunkPlace, ChunksEnd, ChunksOf, SealedChunk, SealedSize } from '../sealed-chunks.js';
import { type ChunkDocument, bytesOf, type Collections, type Tombstones } from './collections.js';

/** Chunks in memory at once: half a second of audio each, or up to 128 KiB of a file. */
const PAGE = 32;
/** Values of `kept` in a page: they are read from its index, without the chunks. */
const PLACES = 5_000;
const EMPTY = Buffer.alloc(0);

/**
 * Chunks of audio or of files, each a document. Its id is its log and the number of the frame or byte before the
 * chunk's first one: of two chunks for the same place only the first is inserted. Its `kept` has all about the chunk
 * but the bytes. A discarded chunk's document loses `kept` and its bytes, and stays, so that its place cannot be taken
 * again. `put` and `putEnd` run within a call of the driver's `run`.
 */
export class ChunkDocuments implements ChunkArchive {
  constructor(
    private readonly session: Session,
    private readonly documents: Collections['audio' | 'files'],
    private readonly tombstones: Tombstones,
    /** Whether logs of this kind are ever removed as a whole. */
    private readonly logsOfKind: { readonly areRemoved: boolean },
  ) {}

  append(chunk: SealedChunk): Promise<'appended' | 'elsewhere' | 'erased'> {
    return this.session.call(async () => {
      const end = await this.endOfLiving(chunk);
      if (end === null) return 'erased';
      // An erasure that began meanwhile may have removed the end.
      if (end !== chunk.firstSeq - 1)
        return (await this.tombstones.has(chunk.person)) ? 'erased' : 'elsewhere';
      const stored = await this.insert(chunk);
      if (stored === null) return 'erased';
      if (this.logsOfKind.areRemoved && end > 0 && (await this.isCutOff(chunk, end))) return 'elsewhere';
      return stored.equals(chunk.sealed) ? 'appended' : 'elsewhere';
    });
  }

  end(of: ChunksOf): Promise<number> {
    return this.session.call(async () => (await this.endOfLiving(of)) ?? 0);
  }

  chunks(of: ChunksOf, part: number): AsyncIterable<SealedChunk> {
    return this.walk(withinPart(of, part));
  }

  async sizes(of: ChunksOf): Promise<readonly SealedSize[]> {
    const sizes: SealedSize[] = [];
    const range = within(of);
    for (let after = range.$gt; ;) {
      const page = await this.session.call(() => this.placesIn({ ...range, $gt: after }, PLACES));
      sizes.push(...page.map(parseKept));
      after = page.at(-1) ?? after;
      if (page.length < PLACES) return sizes;
    }
  }

  async discard(of: ChunksOf, part: number): Promise<void> {
    await this.session.call(() =>
      this.documents.updateMany({ kept: withinPart(of, part) }, { $unset: { kept: true, sealed: true } }),
    );
  }

  async remove(of: ChunksOf): Promise<void> {
    await this.session.call(() => this.documents.deleteMany({ _id: within(of) }));
  }

  async *logs(after?: ChunksOf): AsyncGenerator<ChunksOf, void, undefined> {
    for (let start = after ? beyond(after) : ''; ;) {
      const [next] = await this.session.call(() => this.placesIn({ $gt: start }, 1));
      if (next === undefined) return;
      const { person, log } = parseKept(next);
      yield { person, log };
      start = beyond({ person, log });
    }
  }

  async *ends(): AsyncGenerator<ChunksEnd, void, undefined> {
    for (let after = ''; ;) {
      const next = await this.session.call(() =>
        this.documents.findOne({ _id: { $gt: after } }, { sort: { _id: 1 }, projection: { sealed: 0 } }),
      );
      if (!next) return;
      const of = { person: next.person, log: next.session };
      yield { ...of, lastSeq: await this.session.call(() => this.storedEnd(of)) };
      after = beyond(of);
    }
  }

  all(): AsyncGenerator<SealedChunk, void, undefined> {
    return this.walk({ $gt: '' });
  }

  async put(chunk: SealedChunk): Promise<Buffer | null> {
    if (await this.tombstones.has(chunk.person)) return null;
    const stored = await this.insert(chunk);
    if (stored === null || stored.length > 0) return stored;
    // It was discarded here, but not in the vault from which it is copied.
    const { _id, kept, sealed } = documentOf(chunk);
    await this.documents.updateOne({ _id, kept: { $exists: false } }, { $set: { kept, sealed } });
    return bytesIn(await this.documents.findOne({ _id }));
  }

  async putEnd({ lastSeq, ...of }: ChunksEnd): Promise<number | null> {
    const end = await this.endOfLiving(of);
    if (end === null || end >= lastSeq) return end;
    const { person, log: session } = of;
    const _id = endId(of, lastSeq);
    await inserted(this.documents.insertOne({ _id, person, session, last: lastSeq }));
    // An erasure that began meanwhile either removes the entry, or this finds its tombstone.
    if (!(await this.tombstones.has(person))) return end;
    await this.documents.deleteOne({ _id });
    return null;
  }

  /**
   * Whether the log was removed while a chunk was appended to it: no document ends at `end` any more. Then this removes
   * the chunk too.
   * @param end the log's end before the chunk
   */
  private async isCutOff(chunk: SealedChunk, end: number): Promise<boolean> {
    if (await this.documents.findOne({ _id: within(chunk), last: end }, { projection: { _id: 1 } }))
      return false;
    await this.documents.deleteOne({ _id: placeId(chunk, end) });
    return true;
  }

  /** The log's end, 0 before the first chunk; `null`: the person was erased. */
  private async endOfLiving(of: ChunksOf): Promise<number | null> {
    const [end, isErased] = await Promise.all([this.storedEnd(of), this.tombstones.has(of.person)]);
    return isErased ? null : end;
  }

  /** The log's end, even of an erased person until the erasure has removed it. */
  private async storedEnd(of: ChunksOf): Promise<number> {
    const last = await this.documents.findOne(
      { _id: within(of) },
      { sort: { _id: -1 }, projection: { last: 1 } },
    );
    return last?.last ?? 0;
  }

  /**
   * Stores a chunk unless its place was ever taken.
   * @returns the sealed bytes at the place, empty if they were discarded; `null`: the person was erased
   */
  private async insert(chunk: SealedChunk): Promise<Buffer | null> {
    const document = documentOf(chunk);
    const { _id } = document;
    // If the place is taken, it may be by this same chunk: the driver repeats an insert after a lost answer.
    const first = await inserted(this.documents.insertOne(document));
    const stored = first ? chunk.sealed : bytesIn(await this.documents.findOne({ _id }));
    // An erasure that began meanwhile either removes the chunk, or this finds its tombstone.
    if (!(await this.tombstones.has(chunk.person))) return stored;
    await this.documents.deleteOne({ _id });
    return null;
  }

  /** Chunks whose `kept` is in the range, in its order, page by page. */
  private async *walk(range: { $gt: string; $lt?: string }): AsyncGenerator<SealedChunk, void, undefined> {
    for (let after = range.$gt; ;) {
      const filter: Filter<ChunkDocument> = { kept: { ...range, $gt: after } };
      const page = await this.session.call(() =>
        this.documents.find(filter).sort({ kept: 1 }).limit(PAGE).toArray(),
      );
      for (const document of page) {
        after = document.kept ?? after;
        const { person, log, part, firstSeq, lastSeq } = parseKept(after);
        yield { person, log, part, firstSeq, lastSeq, sealed: bytesIn(document) };
      }
      if (page.length < PAGE) return;
    }
  }

  /** Read from the index alone, without the chunks. */
  private async placesIn(range: { $gt: string; $lt?: string }, limit: number): Promise<readonly string[]> {
    const documents = await this.documents
      .find({ kept: range }, { projection: { _id: 0, kept: 1 } })
      .sort({ kept: 1 })
      .limit(limit)
      .toArray();
    return documents.flatMap(({ kept }) => (kept === undefined ? [] : [kept]));
  }
}

type KeptDocument = Required<ChunkDocument>;

const documentOf = (chunk: SealedChunk): KeptDocument => ({
  _id: placeId(chunk, chunk.firstSeq - 1),
  person: chunk.person,
  session: chunk.log,
  last: chunk.lastSeq,
  kept: keptText(chunk),
  sealed: new Binary(chunk.sealed),
});

const bytesIn = (document: { readonly sealed?: Binary } | null): Buffer =>
  document?.sealed ? bytesOf(document.sealed) : EMPTY;

/*
 * Keys of chunk documents as texts. Numbers have leading zeros, so that texts sort as numbers do, and a space sorts
 * before every letter of an id.
 */

/**
 * Digits of a frame or byte (32 bits), of a turn (16 bits) and of a length. The part of late speech has more digits, so
 * parts need not sort as numbers; the chunks of a part do.
 */
const SEQ_DIGITS = 10;
const PART_DIGITS = 5;
const BYTES_DIGITS = 10;

const digits = (value: number, count: number): string => String(value).padStart(count, '0');

const logOf = ({ person, log }: ChunksOf): string => `${person} ${log}`;

/** The id of the chunk that follows a frame or byte. */
const placeId = (of: ChunksOf, after: number): string => `${logOf(of)} ${digits(after, SEQ_DIGITS)}`;

/** The id of an end without a chunk, for `putEnd`: no chunk has such an id, and it sorts right before the next chunk's. */
const endId = (of: ChunksOf, lastSeq: number): string => `${placeId(of, lastSeq - 1)}+`;

/** The range of all ids of a log, and of `kept` of its chunks. */
const within = (of: ChunksOf) => range(logOf(of));

/** The range of `kept` of a part's chunks. */
const withinPart = (of: ChunksOf, part: number) => range(`${logOf(of)} ${digits(part, PART_DIGITS)}`);

/** A text that sorts after all keys of a log. */
const beyond = (of: ChunksOf): string => `${logOf(of)}!`;

const range = (prefix: string) => ({ $gt: `${prefix} `, $lt: `${prefix}!` });

const keptText = (chunk: SealedChunk): string =>
  [
    logOf(chunk),
    digits(chunk.part, PART_DIGITS),
    digits(chunk.firstSeq, SEQ_DIGITS),
    digits(chunk.lastSeq, SEQ_DIGITS),
    digits(chunk.sealed.byteLength, BYTES_DIGITS),
  ].join(' ');

function parseKept(kept: string): ChunksOf & ChunkPlace & SealedSize {
  const [person = '', log = '', ...numbers] = kept.split(' ');
  const [part = 0, firstSeq = 0, lastSeq = 0, bytes = 0] = numbers.map(Number);
  return { person: person as PersonId, log, part, firstSeq, lastSeq, bytes };
}
