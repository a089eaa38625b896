import { recordingOf } from '../recordings/recordings.js';
import type { AudioOf } from '../../vault/port.js';
import type { Exporting } from './exporting.js';
import { array, base64, object, type Pieces, value } from '../http/json-pieces.js';

/**
 * A session's recorded speech, a WAV file in base64 for each turn, about half a second of it in memory at a time.
 * What only waits for its transcription is not recorded.
 * @param turns those whose speech is kept for good
 */
export async function* recordingPieces(
  { vault }: Pick<Exporting, 'vault'>,
  of: AudioOf,
  turns: readonly number[],
): AsyncGenerator<string, void, undefined> {
  const kept = turns.length === 0 ? new Map<number, number>() : await vault.audio.turns(of);
  const there = turns.flatMap((turn) => {
    const bytes = kept.get(turn);
    return bytes === undefined || bytes === 0 ? [] : [{ turn, bytes }];
  });
  yield* array(there, ({ turn, bytes }): Pieces => {
    const recording = recordingOf(vault.audio, of, turn, bytes);
    const whole = recording.read({ first: 0, last: recording.bytes - 1 });
    return object({
      turn: value(turn),
      contentType: value('audio/wav'),
      content: base64(complete(whole, recording.bytes)),
    });
  });
}

/** @throws where fewer bytes come than the file's beginning announces: what was kept is gone or damaged */
async function* complete(
  pieces: AsyncIterable<Uint8Array>,
  bytes: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  let left = bytes;
  for await (const piece of pieces) {
    left -= piece.byteLength;
    yield piece;
  }
  if (left !== 0) throw new Error(`A recording has ${left} bytes less than the vault said.`);
}
