import type { ApplicationRef } from '../../domain/candidate/events.js';
import type { AudioOf, AudioStore } from '../../core/vault/audio.js';
import type { PersonId } from '../../core/vault/port.js';
import { SpeechFailed, type Transcriber } from '../../clients/speech.js';

/** Tries to transcribe a turn before it is given up for now. */
const TRIES = 2;

/** Where a session's audio lies. */
export const audioOf = ({ candidateId, trialSessionId }: ApplicationRef): AudioOf => ({
  person: candidateId as PersonId,
  trialSessionId,
});

/** All of a turn's durable audio. */
export const pcmOf = async (audio: AudioStore, of: AudioOf, turn: number): Promise<Uint8Array> => {
  const pieces: Uint8Array[] = [];
  for await (const { pcm } of audio.read(of, turn)) pieces.push(pcm);
  return Buffer.concat(pieces);
};

/** @throws {SpeechFailed} also where the signal ended */
export const transcribed = async (
  transcriber: Transcriber,
  pcm: Uint8Array,
  signal: AbortSignal,
): Promise<string> => {
  if (pcm.byteLength === 0) return '';
  for (let tries = 1; ; tries++) {
    try {
      return (await transcriber.transcribe(pcm, signal)).text;
    } catch (error) {
      if (!(error instanceof SpeechFailed) || signal.aborted || tries === TRIES) throw error;
    }
  }
};
