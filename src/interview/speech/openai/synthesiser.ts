import { OpenAiFailed } from '../../../clients/openai/failure.js';
import { OpenAiHttp, type OpenAiAccess } from '../../../clients/openai/http.js';
import { BYTES_PER_MS, SAMPLE_RATE } from '../../../../packages/interview-client/src/protocol/audio-frame.js';
import { Resampler } from '../../../clients/pcm/resampler.js';
import { readAhead } from '../read-ahead.js';
import { SpeechFailed, type Synthesiser } from '../../../clients/speech.js';

/** What `response_format: pcm` is; s16le and mono besides. */
const API_SAMPLE_RATE = 24_000;
/** A candidate waits for the first piece. */
const ATTEMPT_MS = 8_000;
const DEADLINE_MS = 15_000;
const ATTEMPTS = 2;
/** A slow speaker's, and some to spare. */
const LEAST_MS = 10_000;
const MS_PER_CHARACTER = 200;

/** Speaks by an OpenAI-compatible API, from the first piece that it streams. */
export class OpenAiSynthesiser implements Synthesiser {
  readonly name: string;

  constructor(
    private readonly access: OpenAiAccess,
    private readonly model: string,
    private readonly voice: string,
  ) {
    this.name = `openai ${model}`;
  }

  async *speak(text: string, signal: AbortSignal): AsyncGenerator<Uint8Array, void, undefined> {
    const resampler = new Resampler(API_SAMPLE_RATE);
    let bytes = 0;
    try {
      for await (const piece of readAhead((own) => this.call(text, own), signal)) {
        const pcm = resampler.push(piece);
        bytes += pcm.byteLength;
        if (pcm.byteLength > 0) yield pcm;
      }
    } catch (error) {
      throw error instanceof OpenAiFailed ? new SpeechFailed(error.message) : error;
    }
    const rest = resampler.end();
    if (bytes + rest.byteLength === 0) throw new SpeechFailed('The speech API answered no audio.');
    if (rest.byteLength > 0) yield rest;
  }

  private call(text: string, signal: AbortSignal): AsyncIterable<Uint8Array> {
    const most = ((LEAST_MS + MS_PER_CHARACTER * text.length) * BYTES_PER_MS * API_SAMPLE_RATE) / SAMPLE_RATE;
    const limits = { attemptMs: ATTEMPT_MS, deadlineMs: DEADLINE_MS, attempts: ATTEMPTS, maxBytes: most };
    const body = { model: this.model, voice: this.voice, input: text, response_format: 'pcm' };
    return new OpenAiHttp(this.access, limits).stream('/audio/speech', body, signal);
  }
}
