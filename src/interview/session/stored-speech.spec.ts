import { describe, expect, it } from '@jest/globals';
import { VaultUnavailable } from '../../core/errors.js';
import type { AudioChunk, AudioStore } from '../../vault/port.js';
import { type StoredSpeech, storedSpeech, transcribed } from './stored-speech.js';

const PIECE_BYTES = 16_000;
const of = { person: 'p', trialSessionId: 't' } as Parameters<typeof storedSpeech>[1];

/** A turn of so many chunks, of which the reader may hold a few at a time; `read`: how many were read in all. */
const turnOf = (chunks: () => number, reuse = false) => {
  const counts = { read: 0 };
  const shared = Buffer.alloc(PIECE_BYTES, 7);
  const audio = {
    async *read(): AsyncGenerator<AudioChunk, void, undefined> {
      for (let at = 0; at < chunks(); at++) {
        counts.read++;
        const [firstSeq, lastSeq] = [at * 10 + 1, at * 10 + 10];
        const pcm = reuse ? shared : Buffer.alloc(PIECE_BYTES, at % 251);
        yield {
          turn: 1,
          firstSeq,
          lastSeq,
          timestampMs: 0,
          endOfTurn: false,
          answerGapMs: at === 0 ? null : 40,
          pcm,
        };
      }
    },
  } as unknown as AudioStore;
  return { audio, counts };
};

const bytesIn = async (speech: Pick<StoredSpeech, 'pieces'>): Promise<number> => {
  let bytes = 0;
  for await (const piece of speech.pieces()) bytes += piece.byteLength;
  return bytes;
};

describe('a turn’s audio, however long it is', () => {
  it('is read a piece at a time and as often as it is needed, never gathered', async () => {
    // An hour of speech as views of one piece of memory: no more than that piece may be kept.
    const { audio, counts } = turnOf(() => 7_200, true);
    const before = process.memoryUsage().arrayBuffers;
    let most = 0;
    const speech = await storedSpeech(audio, of, 1);
    expect(speech).toMatchObject({ bytes: 7_200 * PIECE_BYTES, lastSeq: 72_000, answerGapMs: 40 });
    const transcriber = {
      name: 'test',
      transcribe: async (given: Pick<StoredSpeech, 'pieces'>) => {
        most = Math.max(most, process.memoryUsage().arrayBuffers - before);
        return `${await bytesIn(given)}`;
      },
    };
    expect(await transcriber.transcribe(speech)).toBe(`${speech.bytes}`);
    expect(await bytesIn(speech)).toBe(speech.bytes);
    expect(counts.read).toBe(3 * 7_200);
    expect(most).toBeLessThan(20 * 1024 * 1024);
  });

  it('is read as it was, though the candidate speaks on', async () => {
    let chunks = 3;
    const { audio } = turnOf(() => chunks);
    const speech = await storedSpeech(audio, of, 1);
    chunks = 5;
    expect(await bytesIn(speech)).toBe(speech.bytes);
  });

  it('is not taken for the whole where a part of it was discarded meanwhile', async () => {
    let chunks = 3;
    const { audio } = turnOf(() => chunks);
    const speech = await storedSpeech(audio, of, 1);
    chunks = 2;
    await expect(bytesIn(speech)).rejects.toThrow(VaultUnavailable);
  });

  it('without a voice is not given to the transcriber', async () => {
    const { audio } = turnOf(() => 3, true);
    const asked: unknown[] = [];
    const transcriber = { name: 'test', transcribe: async (given: unknown) => `${asked.push(given)}` };
    const speech = await storedSpeech(audio, of, 1);
    expect(await transcribed(transcriber, speech, new AbortController().signal, 'en')).toBe('');
    expect(asked).toEqual([]);
  });
});
