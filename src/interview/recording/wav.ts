/** Length of `wavHeader`. */
export const WAV_HEADER_BYTES = 44;

const SAMPLES_PER_SECOND = 16_000;
const BYTES_PER_SAMPLE = 2;
const CHANNELS = 1;
const PCM = 1;

/** The head of a WAV file (RIFF) whose body is that many bytes of PCM: 16 kHz, mono, signed 16 bit little-endian. */
export const wavHeader = (pcmBytes: number): Buffer => {
  const header = Buffer.alloc(WAV_HEADER_BYTES);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(WAV_HEADER_BYTES - 8 + pcmBytes, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(PCM, 20);
  header.writeUInt16LE(CHANNELS, 22);
  header.writeUInt32LE(SAMPLES_PER_SECOND, 24);
  header.writeUInt32LE(SAMPLES_PER_SECOND * BYTES_PER_SAMPLE * CHANNELS, 28);
  header.writeUInt16LE(BYTES_PER_SAMPLE * CHANNELS, 32);
  header.writeUInt16LE(BYTES_PER_SAMPLE * 8, 34);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(pcmBytes, 40);
  return header;
};
