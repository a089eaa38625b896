import {
  encodeAudioFrame,
  HEADER_BYTES,
  SPEAKER,
  type Speaker,
} from '../../../packages/interview-client/src/protocol/audio-frame.js';

/** A field of a binary frame’s header. */
export interface HeaderField {
  readonly name: string;
  readonly type: 'u8' | 'u16' | 'u32';
  readonly offset: number;
  readonly meaning: string;
}

/** Big-endian. */
export const audioHeader: readonly HeaderField[] = [
  { name: 'speaker', type: 'u8', offset: 0, meaning: '1 the candidate, 2 the interviewer.' },
  { name: 'flags', type: 'u8', offset: 1, meaning: 'Bit 0: the turn’s last frame. The others are 0.' },
  { name: 'turn', type: 'u16', offset: 2, meaning: 'Of the question that is answered or spoken, from 1.' },
  {
    name: 'seq',
    type: 'u32',
    offset: 4,
    meaning: 'From 1 for each speaker; it counts on through the whole session, over every connection.',
  },
  {
    name: 'timestampMs',
    type: 'u32',
    offset: 8,
    meaning: 'Where the frame begins, in milliseconds by the sender’s clock, from any beginning.',
  },
];

/** Where the PCM begins. */
export const AUDIO_AT = HEADER_BYTES;

/** A frame that only ends its turn: what it takes to show the layout. */
export const exampleFrame = (speaker: Speaker): Uint8Array =>
  encodeAudioFrame({
    speaker,
    endOfTurn: true,
    turn: 3,
    seq: 413,
    timestampMs: 91_240,
    pcm: new Uint8Array(0),
  });

export const audioDescriptions = {
  'audio.candidate': {
    speaker: SPEAKER.candidate,
    summary:
      'The candidate’s speech, where `audio.transcription` is `server`. A `seq` that is kept already is passed over; one that skips is refused by `audio_gap`.',
  },
  'audio.interviewer': {
    speaker: SPEAKER.interviewer,
    summary:
      'The question’s speech, where `audio.speech` is `server`. It is never repeated, and its `seq` may skip after a resume.',
  },
} as const;
