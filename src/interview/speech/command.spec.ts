import { describe, expect, it } from '@jest/globals';
import { MAX_TEXT_BYTES } from '../../../packages/interview-client/src/protocol/messages.js';
import { audioOfPieces, ProviderFailed, type Synthesiser, type Transcriber } from '../../clients/speech.js';
import { createSpeech } from '../create.js';

const never = new AbortController().signal;
const log = { debug: () => undefined };

const transcriber = (command: string): Transcriber => {
  const speech = createSpeech(
    { transcriber: { kind: 'command', command }, synthesiser: { kind: 'browser' } },
    log,
  );
  if (speech.transcriber === 'client') throw new Error('The client transcribes.');
  return speech.transcriber;
};
const synthesiser = (command: string): Synthesiser => {
  const speech = createSpeech(
    { transcriber: { kind: 'browser' }, synthesiser: { kind: 'command', command } },
    log,
  );
  if (speech.synthesiser === 'client') throw new Error('The client speaks.');
  return speech.synthesiser;
};
const text = (command: string, pcm = new Uint8Array(640)): Promise<string> =>
  transcriber(command).transcribe(audioOfPieces([pcm]), never, 'en');
const spoken = async (command: string, words = 'Hello.'): Promise<Buffer> => {
  const pieces: Uint8Array[] = [];
  for await (const piece of synthesiser(command).speak(words, never, 'en')) {
    expect(piece.byteLength % 2).toBe(0);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
};

describe('the client’s own speech', () => {
  it('is said to be its', () => {
    const kind = 'browser';
    expect(createSpeech({ transcriber: { kind }, synthesiser: { kind } }, log)).toEqual({
      transcriber: 'client',
      synthesiser: 'client',
    });
  });
});

describe('a transcriber’s command', () => {
  it('gets all PCM of the turn and answers a text', async () => {
    expect(transcriber('cat').name).toBe('command');
    expect(await text('wc -c', new Uint8Array(1_234_568))).toBe('1234568');
    expect(await text('printf "  I use \\303\\244 cache.\\n\\n"')).toBe('I use ä cache.');
  });

  it('is told the language of the interview by a variable', async () => {
    const command = transcriber('printf "%s" "$ASSAY_LANGUAGE"');
    expect(await command.transcribe(audioOfPieces([new Uint8Array(640)]), never, 'de')).toBe('de');
    expect(await command.transcribe(audioOfPieces([new Uint8Array(640)]), never, 'en')).toBe('en');
  });

  it('may have understood nothing', async () => {
    expect(await text('true')).toBe('');
    expect(await text('printf " \\n\\t "')).toBe('');
  });

  it('is cut between words if it is longer than an answer may be', async () => {
    const long = await text('yes words | head -n 10000 | tr "\\n" " "');
    expect(long).toMatch(/^(words )+words$/);
    expect(Buffer.byteLength(long)).toBeLessThanOrEqual(MAX_TEXT_BYTES);
    expect(Buffer.byteLength(long)).toBeGreaterThan(MAX_TEXT_BYTES - 10);
    const unbroken = await text('yes ä | head -n 10000 | tr -d "\\n"');
    expect(unbroken).toMatch(/^ä+$/);
    expect(Buffer.byteLength(unbroken)).toBe(MAX_TEXT_BYTES);
  });

  it('writes no control characters into an answer', async () => {
    expect(await text('printf "one\\000\\007 two\\033[0m\\nthree"')).toBe('one two[0m\nthree');
  });

  it.each([
    ['printf "\\377\\376"', "The transcriber's command must write UTF-8."],
    ['exit 4', "The transcriber's command ended with status 4."],
    ['yes', "The transcriber's command wrote more than 1048576 bytes."],
  ])('fails by %p', async (command, sentence) => {
    await expect(text(command)).rejects.toThrow(new ProviderFailed(sentence));
  });

  it('is ended with its signal', async () => {
    const began = performance.now();
    const call = transcriber('sleep 60').transcribe(
      audioOfPieces([new Uint8Array(640)]),
      AbortSignal.timeout(100),
      'en',
    );
    await expect(call).rejects.toThrow(ProviderFailed);
    expect(performance.now() - began).toBeLessThan(5_000);
  });
});

describe('a synthesiser’s command', () => {
  it('gets the text and answers PCM', async () => {
    expect(await spoken('cat', 'Tell me about a cache.')).toEqual(Buffer.from('Tell me about a cache.'));
    const tone = `node -e "process.stdout.write(Buffer.alloc(64000, 7))"`;
    expect(await spoken(tone)).toEqual(Buffer.alloc(64_000, 7));
  });

  it('is told the language of the interview by a variable', async () => {
    const pieces: Uint8Array[] = [];
    for await (const piece of synthesiser('printf "%s" "$ASSAY_LANGUAGE"').speak('Hallo.', never, 'de'))
      pieces.push(piece);
    expect(Buffer.concat(pieces).toString()).toBe('de');
  });

  it('is heard as it speaks, in whole samples', async () => {
    const pieces: number[] = [];
    const began = performance.now();
    const times: number[] = [];
    for await (const piece of synthesiser('printf 12345; sleep 0.3; printf 67890').speak(
      'Hello.',
      never,
      'en',
    )) {
      pieces.push(piece.byteLength);
      times.push(performance.now() - began);
    }
    expect(pieces).toEqual([4, 6]);
    expect(times[1]! - times[0]!).toBeGreaterThan(200);
  });

  it('is not held up by its listener', async () => {
    const voice = synthesiser('head -c 300000 /dev/zero');
    const listeners = Array.from({ length: 12 }, () =>
      voice.speak('Hello there, this is a long question.', never, 'en')[Symbol.asyncIterator](),
    );
    for (const listener of listeners) expect((await listener.next()).done).toBe(false);
    for (const listener of listeners) await listener.return?.();
  });

  it.each([
    ['true', "The synthesiser's command wrote no audio."],
    ['printf 123', "The synthesiser's command ended in the middle of a sample."],
    ['printf 123456; exit 1', "The synthesiser's command ended with status 1."],
    ['cat /dev/zero', "The synthesiser's command wrote more than 358400 bytes."],
  ])('fails by %p', async (command, sentence) => {
    await expect(spoken(command)).rejects.toThrow(new ProviderFailed(sentence));
  });

  it.each(['RIFF$...WAVE', 'OggS........', 'fLaC........', 'ID3.........'])(
    'is told to convert what begins with %s',
    async (head) => {
      await expect(spoken(`printf RI; sleep 0.1; printf FF`)).rejects.toThrow('writes WAV');
      await expect(spoken(`printf '${head}'`)).rejects.toThrow(/must write samples alone .*sox.*ffmpeg/);
    },
  );

  it('may say anything further on', async () => {
    expect(await spoken('printf 12345678; sleep 0.1; printf RIFF')).toEqual(Buffer.from('12345678RIFF'));
  });

  it('is ended with its signal, in the middle', async () => {
    const caller = new AbortController();
    const read = async (): Promise<void> => {
      for await (const piece of synthesiser('printf 12345678; sleep 60').speak('Hello.', caller.signal, 'en'))
        if (piece.byteLength > 0) caller.abort();
    };
    await expect(read()).rejects.toThrow(ProviderFailed);
  });
});
