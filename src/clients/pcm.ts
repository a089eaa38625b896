import { SAMPLE_RATE } from '../../packages/interview-client/src/protocol/audio-frame.js';

/** Length of the header before the samples, in bytes. */
export const WAV_HEADER_BYTES = 44;
const CHANNELS = 1;
const BYTES_PER_SAMPLE = 2;
const PCM_FORMAT = 1;

/** The WAV header for that many bytes of PCM: signed 16-bit little-endian, 16 kHz, mono. */
export const wavHeader = (pcmBytes: number): Buffer => {
  const header = Buffer.alloc(WAV_HEADER_BYTES);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(WAV_HEADER_BYTES - 8 + pcmBytes, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(PCM_FORMAT, 20);
  header.writeUInt16LE(CHANNELS, 22);
  header.writeUInt32LE(SAMPLE_RATE, 24);
  header.writeUInt32LE(SAMPLE_RATE * BYTES_PER_SAMPLE, 28);
  header.writeUInt16LE(BYTES_PER_SAMPLE, 32);
  header.writeUInt16LE(BYTES_PER_SAMPLE * 8, 34);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(pcmBytes, 40);
  return header;
};

/** The content of a WAV stream's header. */
export interface WavStart {
  readonly sampleRate: number;
  /** Offset of the samples, in bytes. */
  readonly offset: number;
  /** Length of the samples that the header announces, in bytes: any number if it was written before the samples. */
  readonly bytes: number;
}

/**
 * Reads a WAV header of 16-bit mono PCM.
 * @returns `null`: more bytes are needed; a string: a sentence about what is wrong
 */
export const readWavStart = (bytes: Uint8Array): WavStart | string | null => {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (buffer.length < 12) return null;
  if (buffer.toString('latin1', 0, 4) !== 'RIFF' || buffer.toString('latin1', 8, 12) !== 'WAVE')
    return 'This is not a WAV file.';
  let sampleRate = 0;
  for (let at = 12; at + 8 <= buffer.length;) {
    const name = buffer.toString('latin1', at, at + 4);
    const length = buffer.readUInt32LE(at + 4);
    const body = at + 8;
    if (name === 'data') {
      return sampleRate === 0
        ? 'This WAV has no format chunk before its samples.'
        : { sampleRate, offset: body, bytes: length };
    }
    if (name === 'fmt ') {
      if (body + 16 > buffer.length) return null;
      if (
        buffer.readUInt16LE(body + 2) !== CHANNELS ||
        buffer.readUInt16LE(body + 14) !== BYTES_PER_SAMPLE * 8
      )
        return 'This WAV is not mono with 16 bits a sample.';
      sampleRate = buffer.readUInt32LE(body + 4);
      if (sampleRate < 4_000 || sampleRate > 192_000)
        return `This WAV has ${sampleRate} samples a second: 4,000 to 192,000 are possible.`;
    }
    at = body + length + (length % 2);
  }
  return null;
};
