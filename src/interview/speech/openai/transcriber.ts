import { OpenAiFailed } from '../../../clients/openai/failure.js';
import { OpenAiHttp, type OpenAiAccess } from '../../../clients/openai/http.js';
import { BYTES_PER_MS } from '../../../../packages/interview-client/src/protocol/audio-frame.js';
import { boundedText } from '../bounded-text.js';
import { wavHeader } from '../../../clients/pcm/wav.js';
import { SpeechFailed, type Transcriber, type Transcript } from '../../../clients/speech.js';

/** To send and answer a short one; a long one takes longer, though these models outrun the speaker. */
const LEAST_MS = 15_000;
const TIMES_FASTER = 4;
const ATTEMPTS = 3;
const ANSWER_BYTES = 1_048_576;
/** These APIs take files of up to 25 MB: ten minutes are 19. */
const PART_BYTES = 600_000 * BYTES_PER_MS;

/** Transcribes at an OpenAI-compatible API: the turn as WAV in a form, the text in JSON. */
export class OpenAiTranscriber implements Transcriber {
  readonly name: string;

  constructor(
    private readonly access: OpenAiAccess,
    private readonly model: string,
  ) {
    this.name = `openai ${model}`;
  }

  async transcribe(pcm: Uint8Array, signal: AbortSignal): Promise<Transcript> {
    const texts: string[] = [];
    for (let at = 0; at < pcm.byteLength; at += PART_BYTES) {
      texts.push(await this.part(pcm.subarray(at, at + PART_BYTES), signal));
    }
    return { text: boundedText(texts.filter((text) => text !== '').join(' ')) };
  }

  private async part(pcm: Uint8Array, signal: AbortSignal): Promise<string> {
    const form = new FormData();
    form.append('model', this.model);
    form.append('response_format', 'json');
    const wav = Buffer.concat([wavHeader(pcm.byteLength), pcm]);
    form.append('file', new Blob([wav], { type: 'audio/wav' }), 'answer.wav');
    const attemptMs = Math.ceil(LEAST_MS + pcm.byteLength / BYTES_PER_MS / TIMES_FASTER);
    const limits = { attemptMs, deadlineMs: 2 * attemptMs, attempts: ATTEMPTS, maxBytes: ANSWER_BYTES };
    const answer = await new OpenAiHttp(this.access, limits)
      .form('/audio/transcriptions', form, signal)
      .catch((error: unknown) => {
        throw error instanceof OpenAiFailed ? new SpeechFailed(error.message) : error;
      });
    const text = typeof answer === 'object' && answer !== null && 'text' in answer ? answer.text : null;
    if (typeof text !== 'string') throw new SpeechFailed('The transcription API answered no text.');
    return text.trim();
  }
}
