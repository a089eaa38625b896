import type { Cost } from '../../stores/lmdb/growing-file.js';
import type { AudioEnd, AudioPlace, SealedChunk, SealedSize } from '../sealed-audio.js';
import type { ChunkArchive } from '../driver.js';
import type { AudioOf } from '../port.js';
import type { PersonId } from '../../core/vault/port.js';
import {
  type Environment,
  type Inside,
  KEPT_BACK,
  type KeyPart,
  type TransactionOptions,
} from './environment.js';

type Audio = Environment<Buffer, KeyPart>;

/** Chunks in memory at once: each holds about half a second. */
const PAGE = 16;
const EMPTY = Buffer.alloc(0);
/** Of a session's or a person's chunks, which lie beside each other: many keys on few pages. */
const REMOVAL: TransactionOptions = { ...KEPT_BACK, cost: { changes: 128, bytes: 0 } };

/**
 * Keys of the environment for audio, which tell all but what was spoken, so that most questions read no value:
 *
 *     end <person> <session>                                     the last frame ever appended (u32, big-endian)
 *     chunk <person> <session> <turn> <first> <last> <bytes>     sealed
 *     erased <person>                                            gets no audio any more
 */
export class AudioEntries implements ChunkArchive {
  /** @param audio the environment. @throws {VaultUnavailable} by it, once the vault is closed */
  constructor(private readonly audio: () => Audio) {}

  append(chunk: SealedChunk): Promise<'appended' | 'elsewhere' | 'erased'> {
    const effect = ({ get, put }: Inside<Buffer, KeyPart>): 'appended' | 'elsewhere' | 'erased' => {
      if (get(['erased', chunk.person])) return 'erased';
      if (endIn(get(endKey(chunk))) !== chunk.firstSeq - 1) return 'elsewhere';
      put(chunkKey(chunk), chunk.sealed);
      put(endKey(chunk), endOf(chunk.lastSeq));
      return 'appended';
    };
    return this.audio().transact(effect, { cost: costOf(chunk) });
  }

  async end(of: AudioOf): Promise<number> {
    return endIn(this.audio().get(endKey(of)));
  }

  async *chunks(of: AudioOf, turn: number): AsyncGenerator<SealedChunk, void, undefined> {
    for (const { key, value } of this.audio().walk([...chunksOf(of), turn], PAGE)) {
      yield { ...placeIn(key), sealed: value };
      // It may have been closed before the next one is asked for.
      this.audio();
    }
  }

  async sizes(of: AudioOf): Promise<readonly SealedSize[]> {
    const keys = this.audio().keys(chunksOf(of));
    return keys.map(([, , , turn, , , bytes]) => ({ turn: Number(turn), bytes: Number(bytes) }));
  }

  async discard(of: AudioOf, turn: number): Promise<void> {
    await this.audio().transact(({ keys, remove }) => {
      for (const key of keys([...chunksOf(of), turn])) remove(key);
    }, REMOVAL);
  }

  async *sessions(after?: AudioOf): AsyncGenerator<AudioOf, void, undefined> {
    for (const key of this.audio().beginnings(['chunk'], 3, after && chunksOf(after))) {
      yield ownerIn(key);
      this.audio();
    }
  }

  /** Takes the person's audio away and refuses any from now on. */
  async erase(person: PersonId): Promise<void> {
    await this.audio().transact(({ keys, put, remove }) => {
      for (const kind of ['end', 'chunk']) for (const key of keys([kind, person])) remove(key);
      put(['erased', person], EMPTY);
    }, REMOVAL);
  }

  isErased(person: PersonId): boolean {
    return this.audio().get(['erased', person]) !== undefined;
  }

  async *ends(): AsyncGenerator<AudioEnd, void, undefined> {
    for (const { key, value } of this.audio().walk(['end'])) yield { ...ownerIn(key), lastSeq: endIn(value) };
  }

  async *all(): AsyncGenerator<SealedChunk, void, undefined> {
    for (const { key, value } of this.audio().walk(['chunk'], PAGE)) yield { ...placeIn(key), sealed: value };
  }

  put(chunk: SealedChunk): Promise<Buffer | null> {
    const effect = (inside: Inside<Buffer, KeyPart>): Buffer | null => {
      if (inside.get(['erased', chunk.person])) return null;
      const [stored] = inside.keys([...chunksOf(chunk), chunk.turn, chunk.firstSeq]);
      if (stored) return inside.get(stored) ?? EMPTY;
      inside.put(chunkKey(chunk), chunk.sealed);
      raise(inside, chunk);
      return chunk.sealed;
    };
    return this.audio().transact(effect, { cost: costOf(chunk) });
  }

  putEnd(end: AudioEnd): Promise<number | null> {
    return this.audio().transact((inside) =>
      inside.get(['erased', end.person]) ? null : raise(inside, end),
    );
  }
}

/** @returns where it ended before */
function raise({ get, put }: Inside<Buffer, KeyPart>, end: AudioEnd): number {
  const before = endIn(get(endKey(end)));
  if (before < end.lastSeq) put(endKey(end), endOf(end.lastSeq));
  return before;
}

const costOf = ({ sealed }: SealedChunk): Cost => ({ changes: 2, bytes: sealed.byteLength });

const endKey = ({ person, trialSessionId }: AudioOf): KeyPart[] => ['end', person, trialSessionId];
const chunksOf = ({ person, trialSessionId }: AudioOf): KeyPart[] => ['chunk', person, trialSessionId];
const chunkKey = (chunk: SealedChunk): KeyPart[] => {
  const { turn, firstSeq, lastSeq, sealed } = chunk;
  return [...chunksOf(chunk), turn, firstSeq, lastSeq, sealed.byteLength];
};

function endOf(lastSeq: number): Buffer {
  const value = Buffer.alloc(4);
  value.writeUInt32BE(lastSeq);
  return value;
}
const endIn = (value: Buffer | undefined): number => value?.readUInt32BE() ?? 0;

const ownerIn = ([, person, session]: KeyPart[]): AudioOf => ({
  person: String(person) as PersonId,
  trialSessionId: String(session),
});

/** Whose a chunk is, and where it lies. */
const placeIn = (key: KeyPart[]): AudioOf & AudioPlace => {
  const [turn = 0, firstSeq = 0, lastSeq = 0] = key.slice(3).map(Number);
  return { ...ownerIn(key), turn, firstSeq, lastSeq };
};
