/** Samples are signed 16-bit little-endian, mono. */
export const SAMPLE_RATE = 16_000;
export const BYTES_PER_MS = (SAMPLE_RATE * 2) / 1000;
/** Bytes before the PCM of a frame. */
export const HEADER_BYTES = 12;

/** The speaker of a frame: its first byte. */
export const SPEAKER = { candidate: 1, interviewer: 2 } as const;
export type Speaker = (typeof SPEAKER)[keyof typeof SPEAKER];
/** Bit 0 of the flags: the turn's last frame. */
export const END_OF_TURN = 1;

const MIN_MS = 20;
const MAX_MS = 100;

/** A binary frame: big-endian `u8 speaker, u8 flags, u16 turn, u32 seq, u32 timestampMs`, then PCM. */
export interface AudioFrame {
  readonly speaker: Speaker;
  readonly endOfTurn: boolean;
  readonly turn: number;
  readonly seq: number;
  /** By the sender's clock, from any origin. */
  readonly timestampMs: number;
  /** 20 to 100 ms of it; none at all in a frame that only ends the turn. */
  readonly pcm: Uint8Array;
}

/** @returns the frame, or what is wrong with it as a sentence. Its PCM is a view of `bytes`, not a copy. */
export const parseAudioFrame = (bytes: Uint8Array, speaker: Speaker): AudioFrame | string => {
  if (bytes.byteLength < HEADER_BYTES) return `A binary frame has a header of ${HEADER_BYTES} bytes.`;
  if (bytes[0] !== speaker) return `The speaker of these frames is ${speaker}.`;
  const flags = bytes[1] ?? 0;
  if ((flags & ~END_OF_TURN) !== 0) return 'Flags other than bit 0 are not known.';
  const turn = u16(bytes, 2);
  const seq = u32(bytes, 4);
  if (turn === 0) return 'Turns are counted from 1.';
  if (seq === 0) return 'seq is counted from 1.';
  const length = bytes.byteLength - HEADER_BYTES;
  const endOfTurn = (flags & END_OF_TURN) !== 0;
  const empty = length === 0 && endOfTurn;
  if (length % 2 !== 0) return 'Samples have two bytes each.';
  if (!empty && (length < MIN_MS * BYTES_PER_MS || length > MAX_MS * BYTES_PER_MS))
    return `A frame holds ${MIN_MS} to ${MAX_MS} ms of audio, 16 kHz, 16 bits, mono.`;
  const pcm = bytes.subarray(HEADER_BYTES);
  return { speaker, endOfTurn, turn, seq, timestampMs: u32(bytes, 8), pcm };
};

/** Big-endian. A `DataView` for each frame would be most of what parsing costs. */
const u16 = (bytes: Uint8Array, at: number): number => ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
const u32 = (bytes: Uint8Array, at: number): number => u16(bytes, at) * 0x1_0000 + u16(bytes, at + 2);

/** The frame as bytes. */
export const encodeAudioFrame = ({
  speaker,
  endOfTurn,
  turn,
  seq,
  timestampMs,
  pcm,
}: AudioFrame): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(HEADER_BYTES + pcm.byteLength);
  const view = new DataView(bytes.buffer);
  view.setUint8(0, speaker);
  view.setUint8(1, endOfTurn ? END_OF_TURN : 0);
  view.setUint16(2, turn);
  view.setUint32(4, seq);
  view.setUint32(8, timestampMs);
  bytes.set(pcm, HEADER_BYTES);
  return bytes;
};
