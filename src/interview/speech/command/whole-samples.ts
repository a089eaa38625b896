import { SpeechFailed } from '../../../clients/speech.js';

/** How files begin that hold audio in a form of their own. */
const CONTAINERS = ['RIFF', 'OggS', 'fLaC', 'ID3'];
const MAGIC_BYTES = 4;

/**
 * A program's output in pieces of whole samples.
 * @param title how sentences name the program
 * @throws {SpeechFailed} it is a file of another form, whose header would be heard as noise, or ends in half a sample
 */
export async function* wholeSamples(
  output: AsyncIterable<Uint8Array>,
  title: string,
): AsyncGenerator<Uint8Array, void, undefined> {
  let rest = Buffer.alloc(0);
  let isKnown = false;
  for await (const chunk of output) {
    const bytes = Buffer.concat([rest, chunk]);
    rest = bytes;
    if (!isKnown && bytes.byteLength < MAGIC_BYTES) continue;
    if (!isKnown) refuseContainer(bytes, title);
    isKnown = true;
    const whole = bytes.byteLength - (bytes.byteLength % 2);
    rest = bytes.subarray(whole);
    if (whole > 0) yield bytes.subarray(0, whole);
  }
  if (rest.byteLength % 2 === 1) throw new SpeechFailed(`${title} ended in the middle of a sample.`);
  if (rest.byteLength > 0) yield rest;
}

const refuseContainer = (bytes: Buffer, title: string): void => {
  const container = CONTAINERS.find((magic) => bytes.toString('latin1', 0, magic.length) === magic);
  if (container === undefined) return;
  throw new SpeechFailed(
    `${title} writes ${container === 'RIFF' ? 'WAV' : 'a compressed file'}, and must write samples alone ` +
      '(s16le, 16 kHz, mono): convert it behind a pipe, as with "| sox -t wav - -t raw -r 16000 -e signed -b 16 -c 1 -", ' +
      '"| ffmpeg -i - -f s16le -ar 16000 -ac 1 -" or, for 16-bit mono WAV, ' +
      '"| node dist/bin/wav-to-pcm.js".',
  );
};
