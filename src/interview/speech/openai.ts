import { BYTES_PER_MS, SAMPLE_RATE } from '../../../packages/interview-client/src/protocol/audio-frame.js';
import { Resampler } from '../../../packages/interview-client/src/resampler.js';
import { OpenAiFailed } from '../../clients/openai/failure.js';
import { type OpenAiAccess, OpenAiHttp } from '../../clients/openai/http.js';
import { wavHeader } from '../../clients/pcm.js';
import {
  boundedText,
  ProviderFailed,
  speechLimitMs,
  type Synthesiser,
  type Transcriber,
  type TurnAudio,
} from '../../clients/speech.js';
import type { Language } from '../../languages/languages.js';
import { readAhead } from './pace.js';

/** Sample rate of `response_format: pcm`, which is s16le and mono. */
const API_SAMPLE_RATE = 24_000;
/** Time limits of an attempt and of all attempts, in milliseconds: the candidate waits for the first piece. */
const ATTEMPT_MS = 8_000;
const DEADLINE_MS = 15_000;
const SPEECH_ATTEMPTS = 2;

/** Speaks by an OpenAI-compatible API, and yields pieces as they are streamed. */
export class OpenAiSynthesiser implements Synthesiser {
  readonly name: string;
  /** False once the server has refused the parameter `language`, which not every server of this API has. */
  private takesLanguage = true;

  constructor(
    private readonly access: OpenAiAccess,
    private readonly model: string,
    private readonly voice: string,
  ) {
    this.name = `openai ${model}`;
  }

  async *speak(
    text: string,
    signal: AbortSignal,
    language: Language,
  ): AsyncGenerator<Uint8Array, void, undefined> {
    const resampler = new Resampler(API_SAMPLE_RATE);
    let bytes = 0;
    for await (const piece of readAhead((own) => this.call(text, own, language), signal)) {
      const pcm = resampler.push(piece);
      bytes += pcm.byteLength;
      if (pcm.byteLength > 0) yield pcm;
    }
    const rest = resampler.end();
    if (bytes + rest.byteLength === 0) throw new ProviderFailed('The speech API answered no audio.');
    if (rest.byteLength > 0) yield rest;
  }

  private async *call(
    text: string,
    signal: AbortSignal,
    language: Language,
  ): AsyncGenerator<Uint8Array, void, undefined> {
    if (this.takesLanguage)
      try {
        // A server that refuses the parameter does so before the first piece.
        yield* this.stream(text, signal, { language });
        return;
      } catch (error) {
        if (!(error instanceof OpenAiFailed) || error.code !== 'refused') throw error;
      }
    for await (const piece of this.stream(text, signal, {})) {
      this.takesLanguage = false;
      yield piece;
    }
  }

  private stream(
    text: string,
    signal: AbortSignal,
    more: { readonly language?: Language },
  ): AsyncIterable<Uint8Array> {
    const limits = {
      attemptMs: ATTEMPT_MS,
      deadlineMs: DEADLINE_MS,
      attempts: SPEECH_ATTEMPTS,
      maxBytes: (speechLimitMs(text) * BYTES_PER_MS * API_SAMPLE_RATE) / SAMPLE_RATE,
    };
    const body = { model: this.model, voice: this.voice, input: text, response_format: 'pcm', ...more };
    return new OpenAiHttp(this.access, limits).stream('/audio/speech', body, signal);
  }
}

/** Time limit of an attempt for an answer of no length, in milliseconds. */
const MIN_TRANSCRIBING_MS = 15_000;
/** The answer's length divided by this is added to the limit: these models are faster than speech. */
const TIMES_FASTER = 4;
const TRANSCRIPTION_ATTEMPTS = 3;
const MAX_ANSWER_BYTES = 1_048_576;
/** Longest part: these APIs take files of up to 25 MB, and ten minutes are 19 MB. */
const PART_BYTES = 600_000 * BYTES_PER_MS;

/** Transcribes by an OpenAI-compatible API: sends the turn as WAV in a form, and reads the text from JSON. */
export class OpenAiTranscriber implements Transcriber {
  readonly name: string;

  constructor(
    private readonly access: OpenAiAccess,
    private readonly model: string,
  ) {
    this.name = `openai ${model}`;
  }

  async transcribe(audio: TurnAudio, signal: AbortSignal, language: Language): Promise<string> {
    const texts: string[] = [];
    for await (const part of partsOf(audio)) texts.push(await this.part(part, signal, language));
    return boundedText(texts.filter((text) => text !== '').join(' '));
  }

  private async part({ bytes, pieces }: Part, signal: AbortSignal, language: Language): Promise<string> {
    const form = new FormData();
    form.append('model', this.model);
    form.append('language', language);
    form.append('response_format', 'json');
    const wav = new Blob([wavHeader(bytes), ...pieces], { type: 'audio/wav' });
    form.append('file', wav, 'answer.wav');
    const attemptMs = Math.ceil(MIN_TRANSCRIBING_MS + bytes / BYTES_PER_MS / TIMES_FASTER);
    const limits = {
      attemptMs,
      deadlineMs: 2 * attemptMs,
      attempts: TRANSCRIPTION_ATTEMPTS,
      maxBytes: MAX_ANSWER_BYTES,
    };
    const answer = await new OpenAiHttp(this.access, limits).form('/audio/transcriptions', form, signal);
    const text = typeof answer === 'object' && answer !== null && 'text' in answer ? answer.text : null;
    if (typeof text !== 'string') throw new ProviderFailed('The transcription API answered no text.');
    return text.trim();
  }
}

/** The audio of one request. */
interface Part {
  readonly bytes: number;
  readonly pieces: readonly Uint8Array<ArrayBuffer>[];
}

async function* partsOf(audio: TurnAudio): AsyncGenerator<Part, void, undefined> {
  let pieces: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  for await (const piece of audio.pieces()) {
    for (let at = 0; at < piece.byteLength;) {
      const some = Uint8Array.from(piece.subarray(at, at + PART_BYTES - bytes));
      pieces.push(some);
      bytes += some.byteLength;
      at += some.byteLength;
      if (bytes < PART_BYTES) continue;
      yield { bytes, pieces };
      pieces = [];
      bytes = 0;
    }
  }
  if (bytes > 0) yield { bytes, pieces };
}
