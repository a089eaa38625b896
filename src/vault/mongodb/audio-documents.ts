import { Binary, type Filter } from 'mongodb';
import type { AudioEnd, AudioPlace, SealedChunk, SealedSize } from '../sealed-audio.js';
import type { PersonId } from '../../core/vault/port.js';
import type { ChunkArchive } from '../driver.js';
import type { AudioOf } from '../port.js';
import type { Session } from '../../stores/mongodb/session.js';
import { inserted } from '../../stores/mongodb/collections.js';
import { type AudioDocument, bytesOf, type Collections, type Tombstones } from './collections.js';

/** Chunks in memory at once: each holds about half a second. */
const PAGE = 32;
const PLACES = 5_000;
const EMPTY = Buffer.alloc(0);

/**
 * Chunks of audio, each a document. Two that both go on after the same frame have the same id, and once a session has
 * ended there, it always has: the first insert wins.
 */
export class AudioDocuments implements ChunkArchive {
  constructor(
    private readonly session: Session,
    private readonly audio: Collections['audio'],
    private readonly tombstones: Tombstones,
  ) {}

  append(chunk: SealedChunk): Promise<'appended' | 'elsewhere' | 'erased'> {
    return this.session.call(async () => {
      const end = await this.endOfLiving(chunk);
      if (end === null) return 'erased';
      // An erasure that began meanwhile may have taken the end away.
      if (end !== chunk.firstSeq - 1)
        return (await this.tombstones.has(chunk.person)) ? 'erased' : 'elsewhere';
      const stored = await this.insert(chunk);
      if (stored === null) return 'erased';
      return stored.equals(chunk.sealed) ? 'appended' : 'elsewhere';
    });
  }

  end(of: AudioOf): Promise<number> {
    return this.session.call(async () => (await this.endOfLiving(of)) ?? 0);
  }

  chunks(of: AudioOf, turn: number): AsyncIterable<SealedChunk> {
    return this.walk(withinTurn(of, turn));
  }

  async sizes(of: AudioOf): Promise<readonly SealedSize[]> {
    const sizes: SealedSize[] = [];
    const range = within(of);
    for (let after = range.$gt; ;) {
      const page = await this.session.call(() => this.placesIn({ ...range, $gt: after }, PLACES));
      sizes.push(...page.map(parseKept));
      after = page.at(-1) ?? after;
      if (page.length < PLACES) return sizes;
    }
  }

  async discard(of: AudioOf, turn: number): Promise<void> {
    await this.session.call(() =>
      this.audio.updateMany({ kept: withinTurn(of, turn) }, { $unset: { kept: true, sealed: true } }),
    );
  }

  async *sessions(first?: AudioOf): AsyncGenerator<AudioOf, void, undefined> {
    for (let after = first ? beyond(first) : ''; ;) {
      const [next] = await this.session.call(() => this.placesIn({ $gt: after }, 1));
      if (next === undefined) return;
      const { person, trialSessionId } = parseKept(next);
      yield { person, trialSessionId };
      after = beyond({ person, trialSessionId });
    }
  }

  async *ends(): AsyncGenerator<AudioEnd, void, undefined> {
    for (let after = ''; ;) {
      const next = await this.session.call(() =>
        this.audio.findOne({ _id: { $gt: after } }, { sort: { _id: 1 }, projection: { sealed: 0 } }),
      );
      if (!next) return;
      const of = { person: next.person, trialSessionId: next.session };
      yield { ...of, lastSeq: await this.session.call(() => this.endNow(of)) };
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
    // It was discarded here, and comes back from where it was not.
    const { _id, kept, sealed } = documentOf(chunk);
    await this.audio.updateOne({ _id, kept: { $exists: false } }, { $set: { kept, sealed } });
    return bytesIn(await this.audio.findOne({ _id }));
  }

  async putEnd({ lastSeq, ...of }: AudioEnd): Promise<number | null> {
    const end = await this.endOfLiving(of);
    if (end === null || end >= lastSeq) return end;
    const { person, trialSessionId: session } = of;
    const _id = endId(of, lastSeq);
    await inserted(this.audio.insertOne({ _id, person, session, last: lastSeq }));
    // An erasure that began meanwhile has either taken the entry away or is seen here.
    if (!(await this.tombstones.has(person))) return end;
    await this.audio.deleteOne({ _id });
    return null;
  }

  /** `null`: the person was erased. */
  private async endOfLiving(of: AudioOf): Promise<number | null> {
    const [end, isErased] = await Promise.all([this.endNow(of), this.tombstones.has(of.person)]);
    return isErased ? null : end;
  }

  private async endNow(of: AudioOf): Promise<number> {
    const last = await this.audio.findOne(
      { _id: within(of) },
      { sort: { _id: -1 }, projection: { last: 1 } },
    );
    return last?.last ?? 0;
  }

  /** Puts a chunk where none was ever put; returns the stored one, empty if that was discarded, `null` if erased. */
  private async insert(chunk: SealedChunk): Promise<Buffer | null> {
    const document = documentOf(chunk);
    const { _id } = document;
    // The driver may have sent it twice: what was taken by the first is ours.
    const first = await inserted(this.audio.insertOne(document));
    const stored = first ? chunk.sealed : bytesIn(await this.audio.findOne({ _id }));
    // An erasure that began meanwhile has either taken the chunk away or is seen here.
    if (!(await this.tombstones.has(chunk.person))) return stored;
    await this.audio.deleteOne({ _id });
    return null;
  }

  /** Chunks whose `kept` lies within, in its order, page by page. */
  private async *walk(range: { $gt: string; $lt?: string }): AsyncGenerator<SealedChunk, void, undefined> {
    for (let after = range.$gt; ;) {
      const filter: Filter<AudioDocument> = { kept: { ...range, $gt: after } };
      const page = await this.session.call(() =>
        this.audio.find(filter).sort({ kept: 1 }).limit(PAGE).toArray(),
      );
      for (const document of page) {
        after = document.kept ?? after;
        const { person, trialSessionId, turn, firstSeq, lastSeq } = parseKept(after);
        yield { person, trialSessionId, turn, firstSeq, lastSeq, sealed: bytesIn(document) };
      }
      if (page.length < PAGE) return;
    }
  }

  /** From the index alone: no chunk is read for it. */
  private async placesIn(range: { $gt: string; $lt?: string }, limit: number): Promise<readonly string[]> {
    const documents = await this.audio
      .find({ kept: range }, { projection: { _id: 0, kept: 1 } })
      .sort({ kept: 1 })
      .limit(limit)
      .toArray();
    return documents.flatMap(({ kept }) => (kept === undefined ? [] : [kept]));
  }
}

type KeptDocument = Required<AudioDocument>;

const documentOf = (chunk: SealedChunk): KeptDocument => ({
  _id: placeId(chunk, chunk.firstSeq - 1),
  person: chunk.person,
  session: chunk.trialSessionId,
  last: chunk.lastSeq,
  kept: keptText(chunk),
  sealed: new Binary(chunk.sealed),
});

const bytesIn = (document: { readonly sealed?: Binary } | null): Buffer =>
  document?.sealed ? bytesOf(document.sealed) : EMPTY;

/**
 * Texts that documents of audio are found by. Numbers have leading zeros, so that their order is that of the texts,
 * and a space comes before every letter of an id.
 */

/** Frames are counted in 32 bits, turns in 16; the number of late speech is longer. */
const FRAME_DIGITS = 10;
const TURN_DIGITS = 5;
const BYTES_DIGITS = 10;

const digits = (value: number, count: number): string => String(value).padStart(count, '0');

const sessionOf = ({ person, trialSessionId }: AudioOf): string => `${person} ${trialSessionId}`;

/** The id of the chunk that goes on after a frame. */
const placeId = (of: AudioOf, after: number): string => `${sessionOf(of)} ${digits(after, FRAME_DIGITS)}`;

/** The id of a mere end: right before that of whatever goes on after it, where no chunk can lie. */
const endId = (of: AudioOf, lastSeq: number): string => `${placeId(of, lastSeq - 1)}+`;

/** What begins with the ids of a session, and with what is kept of it. */
const within = (of: AudioOf) => range(sessionOf(of));

/** What is kept of a turn. */
const withinTurn = (of: AudioOf, turn: number) => range(`${sessionOf(of)} ${digits(turn, TURN_DIGITS)}`);

/** Beyond everything of a session. */
const beyond = (of: AudioOf): string => `${sessionOf(of)}!`;

const range = (prefix: string) => ({ $gt: `${prefix} `, $lt: `${prefix}!` });

const keptText = (chunk: SealedChunk): string =>
  [
    sessionOf(chunk),
    digits(chunk.turn, TURN_DIGITS),
    digits(chunk.firstSeq, FRAME_DIGITS),
    digits(chunk.lastSeq, FRAME_DIGITS),
    digits(chunk.sealed.byteLength, BYTES_DIGITS),
  ].join(' ');

function parseKept(kept: string): AudioOf & AudioPlace & SealedSize {
  const [person = '', trialSessionId = '', ...numbers] = kept.split(' ');
  const [turn = 0, firstSeq = 0, lastSeq = 0, bytes = 0] = numbers.map(Number);
  return { person: person as PersonId, trialSessionId, turn, firstSeq, lastSeq, bytes };
}
