import { Binary, type Filter } from 'mongodb';
import {
  type AudioEnd,
  type AudioPlace,
  countTurns,
  type OwnedChunk,
  type SealedChunk,
  type SealedTurn,
} from '../audio-chunks.js';
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

  append(of: AudioOf, chunk: SealedChunk): Promise<'appended' | 'elsewhere' | 'erased'> {
    return this.session.call(async () => {
      const [end, erased] = await Promise.all([this.endNow(of), this.tombstones.has(of.person)]);
      if (erased) return 'erased';
      // An erasure that began meanwhile may have taken the end away.
      if (end !== chunk.firstSeq - 1) return (await this.tombstones.has(of.person)) ? 'erased' : 'elsewhere';
      const { stored, isErased } = await this.insert(of, chunk);
      if (isErased) return 'erased';
      return stored.equals(chunk.sealed) ? 'appended' : 'elsewhere';
    });
  }

  end(of: AudioOf): Promise<number> {
    return this.session.call(async () => {
      const [end, erased] = await Promise.all([this.endNow(of), this.tombstones.has(of.person)]);
      return erased ? 0 : end;
    });
  }

  chunks(of: AudioOf, turn: number): AsyncIterable<SealedChunk> {
    return this.walk(withinTurn(of, turn));
  }

  async turns(of: AudioOf): Promise<readonly SealedTurn[]> {
    const kept = [];
    for await (const text of this.keptTexts(within(of))) kept.push(parseKept(text));
    return countTurns(kept);
  }

  async discard(of: AudioOf, turn: number): Promise<void> {
    await this.session.call(() =>
      this.audio.updateMany({ kept: withinTurn(of, turn) }, { $unset: { kept: true, sealed: true } }),
    );
  }

  async *sessions(): AsyncGenerator<AudioOf, void, undefined> {
    for (let after = ''; ;) {
      const [next] = await this.session.call(() => this.placesIn({ $gt: after }, 1));
      if (next === undefined) return;
      const { of } = parseKept(next);
      yield of;
      after = beyond(of);
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

  all(): AsyncGenerator<OwnedChunk, void, undefined> {
    return this.walk({ $gt: '' });
  }

  async put({ person, trialSessionId, ...chunk }: OwnedChunk): Promise<Buffer | null> {
    const of = { person, trialSessionId };
    if (await this.tombstones.has(person)) return null;
    const { stored, isErased } = await this.insert(of, chunk);
    if (isErased) return null;
    if (stored.length > 0) return stored;
    // It was discarded here, and comes back from where it was not.
    const { _id, kept, sealed } = documentOf(of, chunk);
    await this.audio.updateOne({ _id, kept: { $exists: false } }, { $set: { kept, sealed } });
    return bytesIn(await this.audio.findOne({ _id }));
  }

  async putEnd({ lastSeq, ...of }: AudioEnd): Promise<number | null> {
    const [end, erased] = await Promise.all([this.endNow(of), this.tombstones.has(of.person)]);
    if (erased) return null;
    if (end >= lastSeq) return end;
    const { person, trialSessionId: session } = of;
    const _id = endId(of, lastSeq);
    await inserted(this.audio.insertOne({ _id, person, session, last: lastSeq }));
    // An erasure that began meanwhile has either taken the entry away or is seen here.
    if (!(await this.tombstones.has(person))) return end;
    await this.audio.deleteOne({ _id });
    return null;
  }

  private async endNow(of: AudioOf): Promise<number> {
    const last = await this.audio.findOne(
      { _id: within(of) },
      { sort: { _id: -1 }, projection: { last: 1 } },
    );
    return last?.last ?? 0;
  }

  /** Puts a chunk where none was ever put; returns the stored one, empty if that was discarded. */
  private async insert(
    of: AudioOf,
    chunk: SealedChunk,
  ): Promise<{ readonly stored: Buffer; readonly isErased: boolean }> {
    const document = documentOf(of, chunk);
    const { _id } = document;
    // The driver may have sent it twice: what was taken by the first is ours.
    const first = await inserted(this.audio.insertOne(document));
    const stored = first ? chunk.sealed : bytesIn(await this.audio.findOne({ _id }));
    // An erasure that began meanwhile has either taken the chunk away or is seen here.
    const isErased = await this.tombstones.has(of.person);
    if (isErased) await this.audio.deleteOne({ _id });
    return { stored, isErased };
  }

  /** Chunks whose `kept` lies within, in its order, page by page. */
  private async *walk(range: { $gt: string; $lt?: string }): AsyncGenerator<OwnedChunk, void, undefined> {
    for (let after = range.$gt; ;) {
      const filter: Filter<AudioDocument> = { kept: { ...range, $gt: after } };
      const page = await this.session.call(() =>
        this.audio.find(filter).sort({ kept: 1 }).limit(PAGE).toArray(),
      );
      for (const document of page) {
        after = document.kept ?? after;
        const { of, place } = parseKept(after);
        yield { ...of, ...place, sealed: bytesIn(document) };
      }
      if (page.length < PAGE) return;
    }
  }

  private async *keptTexts(range: { $gt: string; $lt: string }): AsyncGenerator<string, void, undefined> {
    for (let after = range.$gt; ;) {
      const page = await this.session.call(() => this.placesIn({ ...range, $gt: after }, PLACES));
      yield* page;
      after = page.at(-1) ?? after;
      if (page.length < PLACES) return;
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

const documentOf = (of: AudioOf, { sealed, ...place }: SealedChunk): KeptDocument => ({
  _id: placeId(of, place.firstSeq - 1),
  person: of.person,
  session: of.trialSessionId,
  last: place.lastSeq,
  kept: keptText(of, place, sealed.byteLength),
  sealed: new Binary(sealed),
});

const bytesIn = (document: { readonly sealed?: Binary } | null): Buffer =>
  document?.sealed ? bytesOf(document.sealed) : EMPTY;

/**
 * Texts that documents of audio are found by. Numbers have leading zeros, so that their order is that of the texts,
 * and a space comes before every letter of an id.
 */

/** Frames are counted in 32 bits, turns in 16. */
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

const keptText = (of: AudioOf, { turn, firstSeq, lastSeq }: AudioPlace, bytes: number): string =>
  [
    sessionOf(of),
    digits(turn, TURN_DIGITS),
    digits(firstSeq, FRAME_DIGITS),
    digits(lastSeq, FRAME_DIGITS),
    digits(bytes, BYTES_DIGITS),
  ].join(' ');

function parseKept(kept: string): {
  readonly of: AudioOf;
  readonly place: AudioPlace;
  readonly bytes: number;
} {
  const [person = '', trialSessionId = '', ...numbers] = kept.split(' ');
  const [turn = 0, firstSeq = 0, lastSeq = 0, bytes = 0] = numbers.map(Number);
  return { of: { person: person as PersonId, trialSessionId }, place: { turn, firstSeq, lastSeq }, bytes };
}
