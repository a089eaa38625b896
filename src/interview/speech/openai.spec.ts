import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type Asked,
  failing,
  type FakeOpenAi,
  startFakeOpenAi,
} from '../../../test/support/openai/fake-openai.js';
import { audioOfPieces, ProviderFailed, type Synthesiser, type Transcriber } from '../../clients/speech.js';
import { createSpeech } from '../create.js';

const never = new AbortController().signal;
const MINUTE = 60_000 * 32;

const fileOf = ({ form }: Asked): Blob & { readonly name: string } =>
  form?.get('file') as unknown as Blob & { readonly name: string };

describe('speech by an OpenAI-compatible API', () => {
  let api: FakeOpenAi;
  let transcriber: Transcriber;
  let synthesiser: Synthesiser;

  beforeEach(async () => {
    api = await startFakeOpenAi();
    const access = { kind: 'openai', baseUrl: api.url, apiKey: 'sk-1' } as const;
    const speech = createSpeech(
      {
        transcriber: { ...access, model: 'whisper-1' },
        synthesiser: { ...access, model: 'tts-1', voice: 'alloy' },
      },
      { debug: () => undefined },
    );
    if (speech.transcriber === 'client' || speech.synthesiser === 'client')
      throw new Error('It is the client’s.');
    ({ transcriber, synthesiser } = { transcriber: speech.transcriber, synthesiser: speech.synthesiser });
  });
  afterEach(() => api.close());

  const spoken = async (signal = never): Promise<Buffer> => {
    const pieces: Uint8Array[] = [];
    for await (const piece of synthesiser.speak('What is a cache?', signal, 'de')) pieces.push(piece);
    return Buffer.concat(pieces);
  };
  const says = (text: unknown) => ({ does: 'answer', body: { text } }) as const;

  describe('that transcribes', () => {
    it('sends the turn as a WAV file and takes its text', async () => {
      api.replies.push(says(' I use a cache.\n'));
      const pcm = Uint8Array.from({ length: 6_400 }, (_, at) => at % 251);
      expect(await transcriber.transcribe(audioOfPieces([pcm]), never, 'de')).toBe('I use a cache.');
      expect(transcriber.name).toBe('openai whisper-1');
      const asked = api.asked[0]!;
      const { path, form, headers } = asked;
      expect(path).toBe('/audio/transcriptions');
      expect(headers.authorization).toBe('Bearer sk-1');
      expect(['model', 'response_format', 'language'].map((name) => form?.get(name))).toEqual([
        'whisper-1',
        'json',
        'de',
      ]);
      const file = fileOf(asked);
      expect([file.name, file.type]).toEqual(['answer.wav', 'audio/wav']);
      const wav = Buffer.from(await file.arrayBuffer());
      expect(wav.toString('latin1', 0, 4)).toBe('RIFF');
      expect(wav.readUInt32LE(4)).toBe(wav.byteLength - 8);
      expect(wav.readUInt32LE(24)).toBe(16_000);
      expect(wav.readUInt32LE(40)).toBe(6_400);
      expect(wav.subarray(44).equals(pcm)).toBe(true);
    });

    it('sends a very long turn in parts that the API takes', async () => {
      api.replies.push(says('one '), says('two'));
      const long = new Uint8Array(10 * MINUTE + 640);
      expect(await transcriber.transcribe(audioOfPieces([long]), never, 'de')).toBe('one two');
      expect(api.asked.map((asked) => fileOf(asked).size - 44)).toEqual([10 * MINUTE, 640]);
    });

    it('may understand nothing', async () => {
      api.replies.push(says(''));
      expect(await transcriber.transcribe(audioOfPieces([new Uint8Array(640)]), never, 'de')).toBe('');
      expect(await transcriber.transcribe(audioOfPieces([new Uint8Array(0)]), never, 'de')).toBe('');
      expect(api.asked).toHaveLength(1);
    });

    it('tries again what may pass, and fails by what does not', async () => {
      api.replies.push(failing(503, { 'retry-after-ms': '1' }), says('well'));
      expect(await transcriber.transcribe(audioOfPieces([new Uint8Array(640)]), never, 'de')).toBe('well');
      for (const reply of [says(7), says(undefined), failing(401)]) {
        api.replies.push(reply);
        await expect(
          transcriber.transcribe(audioOfPieces([new Uint8Array(640)]), never, 'de'),
        ).rejects.toThrow(ProviderFailed);
      }
      api.replies.push({ does: 'hang' });
      const call = transcriber.transcribe(
        audioOfPieces([new Uint8Array(640)]),
        AbortSignal.timeout(100),
        'de',
      );
      await expect(call).rejects.toThrow(ProviderFailed);
    });
  });

  describe('that speaks', () => {
    const pieces = [4_801, 2, 4_797].map((length) => new Uint8Array(length));

    it('asks for samples and brings them to 16 kHz as they come', async () => {
      api.replies.push({ does: 'stream', pieces, everyMs: 5 });
      expect(await spoken()).toHaveLength((9_600 * 2) / 3);
      expect(synthesiser.name).toBe('openai tts-1');
      expect(api.asked[0]).toMatchObject({
        path: '/audio/speech',
        body: {
          model: 'tts-1',
          voice: 'alloy',
          input: 'What is a cache?',
          response_format: 'pcm',
          language: 'de',
        },
      });
    });

    it('is asked without a language, from then on, where it refuses the parameter', async () => {
      api.replies.push(failing(400), { does: 'stream', pieces }, { does: 'stream', pieces });
      for (let n = 0; n < 2; n += 1) expect(await spoken()).toHaveLength((9_600 * 2) / 3);
      const languages = api.asked.map(({ body }) => (body as { readonly language?: string }).language);
      expect(languages).toEqual(['de', undefined, undefined]);
    });

    it('is read ahead of its listener', async () => {
      const megabytes = Array.from({ length: 20 }, () => new Uint8Array(1_000_000));
      api.replies.push({ does: 'stream', pieces: megabytes });
      const listener = synthesiser
        .speak('A very long question. '.repeat(200), never, 'de')
        [Symbol.asyncIterator]();
      await listener.next();
      const until = performance.now() + 10_000;
      while (api.open() > 0 && performance.now() < until)
        await new Promise((resolve) => setTimeout(resolve, 10));
      expect(api.open()).toBe(0);
      expect((await listener.next()).done).toBe(false);
      await listener.return?.();
    });

    it('fails in the middle, on nothing at all, and on more than was asked for', async () => {
      api.replies.push({ does: 'stream', pieces, everyMs: 5, ends: 'cut' });
      await expect(spoken()).rejects.toThrow(ProviderFailed);
      api.replies.push({ does: 'stream', pieces: [] });
      await expect(spoken()).rejects.toThrow(new ProviderFailed('The speech API answered no audio.'));
      api.replies.push({ does: 'flood' });
      await expect(spoken()).rejects.toThrow(ProviderFailed);
      api.replies.push(failing(400));
      await expect(spoken()).rejects.toThrow(ProviderFailed);
    });

    it('ends the call with its signal, and with its listener', async () => {
      api.replies.push({ does: 'stream', pieces, ends: false });
      const caller = new AbortController();
      setTimeout(() => caller.abort(), 100);
      await expect(spoken(caller.signal)).rejects.toThrow(ProviderFailed);
      api.replies.push({ does: 'stream', pieces, ends: false });
      for await (const piece of synthesiser.speak('Hello.', never, 'de')) if (piece.byteLength > 0) break;
      const until = performance.now() + 5_000;
      while (api.open() > 0 && performance.now() < until)
        await new Promise((resolve) => setTimeout(resolve, 10));
      expect(api.open()).toBe(0);
    });
  });
});
