import { ProviderFailed, type Transcriber, type TurnAudio } from '../../clients/speech.js';
import { Slices } from '../../core/concurrency.js';
import { VaultUnavailable } from '../../core/errors.js';
import type { PersonId } from '../../core/vault/port.js';
import type { ApplicationRef } from '../../domain/candidate/events.js';
import type { Language } from '../../languages/languages.js';
import type { AudioOf, AudioStore } from '../../vault/port.js';
import { hasVoice } from '../speech/voice-activity.js';

/** Attempts to transcribe a turn. */
const MAX_TRIES = 2;

/** The address of a session's audio. */
export const audioOf = ({ candidateId, trialSessionId }: ApplicationRef): AudioOf => ({
  person: candidateId as PersonId,
  trialSessionId,
});

/** A turn's durable audio, as of the call of `storedSpeech`. */
export interface StoredSpeech extends TurnAudio {
  /** `seq` of its first frame; 0: there is none. */
  readonly firstSeq: number;
  /** `seq` of its last frame; 0: there is none. */
  readonly lastSeq: number;
  /** Milliseconds from the end of the question to the first voiced frame; `null`: there is none. */
  readonly answerGapMs: number | null;
}

/**
 * Reads which audio of a turn the vault has now; `pieces` reads the PCM of exactly that audio.
 * @throws {VaultUnavailable | PersonErased}
 */
export const storedSpeech = async (audio: AudioStore, of: AudioOf, turn: number): Promise<StoredSpeech> => {
  let bytes = 0;
  let firstSeq = 0;
  let lastSeq = 0;
  let answerGapMs: number | null = null;
  const slices = new Slices();
  for await (const chunk of audio.read(of, turn)) {
    bytes += chunk.pcm.byteLength;
    firstSeq ||= chunk.firstSeq;
    lastSeq = chunk.lastSeq;
    answerGapMs ??= chunk.answerGapMs;
    await slices.next();
  }
  return { bytes, firstSeq, lastSeq, answerGapMs, pieces: () => again(audio, of, turn, { bytes, lastSeq }) };
};

/** Reads the PCM again. Throws if some of it was discarded meanwhile: a part must not be transcribed as the whole. */
async function* again(
  audio: AudioStore,
  of: AudioOf,
  turn: number,
  { bytes, lastSeq }: Pick<StoredSpeech, 'bytes' | 'lastSeq'>,
): AsyncGenerator<Uint8Array, void, undefined> {
  let left = bytes;
  for await (const chunk of audio.read(of, turn)) {
    if (chunk.lastSeq > lastSeq) break;
    left -= chunk.pcm.byteLength;
    yield chunk.pcm;
  }
  if (left !== 0) throw new VaultUnavailable('A turn’s audio has changed while it was read: read it again.');
}

/**
 * The words in a turn's audio. Audio without a voice is not transcribed, since a transcriber would invent words.
 * @param onAsked called before the transcriber is
 * @throws {ProviderFailed} also if the signal aborted
 * @throws what reading the audio throws
 */
export const transcribed = async (
  transcriber: Transcriber,
  audio: TurnAudio,
  signal: AbortSignal,
  language: Language,
  onAsked: () => void = () => undefined,
): Promise<string> => {
  if (!(await hasVoice(audio.pieces()))) return '';
  onAsked();
  for (let tries = 1; ; tries++) {
    try {
      return await transcriber.transcribe(audio, signal, language);
    } catch (error) {
      if (!(error instanceof ProviderFailed) || signal.aborted || tries === MAX_TRIES) throw error;
    }
  }
};
