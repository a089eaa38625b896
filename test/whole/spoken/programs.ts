import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { SAMPLE_RATE } from '../../../packages/interview-client/src/protocol/audio-frame.js';
import { readWavStart } from '../../../src/clients/pcm.js';

const run = promisify(execFile);

/** Whether all the programs of a spoken interview are installed. */
export const canSpeak = (): boolean =>
  ['flite', 'pocketsphinx_continuous', 'espeak-ng'].every(
    (program) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0,
  );

/** A value that docs/configuration.md sets in its shell commands, as an operator would paste it. */
export const readmeSays = async (variable: string): Promise<string> => {
  const value = new RegExp(`^export ${variable}='?(.*?)'?$`, 'm').exec(
    await readFile('docs/configuration.md', 'utf8'),
  )?.[1];
  if (value === undefined) throw new Error(`docs/configuration.md does not set ${variable}.`);
  return value;
};

/** A sentence as flite's voice `slt` says it: PCM, 16 kHz, mono, 16 bits. */
export const say = async (sentence: string): Promise<Uint8Array> => {
  const folder = await mkdtemp(join(tmpdir(), 'assay-say-'));
  try {
    const file = join(folder, 'said.wav');
    await run('flite', ['-voice', 'slt', '-t', sentence, '-o', file]);
    const wav = await readFile(file);
    const start = readWavStart(wav);
    if (start === null || typeof start === 'string' || start.sampleRate !== SAMPLE_RATE)
      throw new Error(`flite wrote another WAV than was wanted: ${JSON.stringify(start)}.`);
    return wav.subarray(start.offset, start.offset + start.bytes);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};
