import type { AudioPlace } from '../audio-chunks.js';
import type { AudioOf } from '../port.js';
import type { PersonId } from '../../core/vault/port.js';

/**
 * Texts that documents of audio are found by. Numbers have leading zeros, so that their order is that of the texts,
 * and a space comes before every letter of an id.
 */

/** Frames are counted in 32 bits, turns in 16. */
const FRAME_DIGITS = 10;
const TURN_DIGITS = 5;
const BYTES_DIGITS = 10;

const digits = (value: number, count: number): string => String(value).padStart(count, '0');

const sessionOf = ({ person, trialSessionId }: AudioOf): string => `${person} ${trialSessionId}`;

/** The id of the chunk that goes on after a frame. */
export const placeId = (of: AudioOf, after: number): string =>
  `${sessionOf(of)} ${digits(after, FRAME_DIGITS)}`;

/** The id of a mere end: right before that of whatever goes on after it, where no chunk can lie. */
export const endId = (of: AudioOf, lastSeq: number): string => `${placeId(of, lastSeq - 1)}+`;

/** What begins with the ids of a session, and with what is kept of it. */
export const within = (of: AudioOf) => range(sessionOf(of));

/** What is kept of a turn. */
export const withinTurn = (of: AudioOf, turn: number) =>
  range(`${sessionOf(of)} ${digits(turn, TURN_DIGITS)}`);

/** Beyond everything of a session. */
export const beyond = (of: AudioOf): string => `${sessionOf(of)}!`;

const range = (prefix: string) => ({ $gt: `${prefix} `, $lt: `${prefix}!` });

export const keptText = (of: AudioOf, { turn, firstSeq, lastSeq }: AudioPlace, bytes: number): string =>
  [
    sessionOf(of),
    digits(turn, TURN_DIGITS),
    digits(firstSeq, FRAME_DIGITS),
    digits(lastSeq, FRAME_DIGITS),
    digits(bytes, BYTES_DIGITS),
  ].join(' ');

export function parseKept(kept: string): {
  readonly of: AudioOf;
  readonly place: AudioPlace;
  readonly bytes: number;
} {
  const [person = '', trialSessionId = '', ...numbers] = kept.split(' ');
  const [turn = 0, firstSeq = 0, lastSeq = 0, bytes = 0] = numbers.map(Number);
  return { of: { person: person as PersonId, trialSessionId }, place: { turn, firstSeq, lastSeq }, bytes };
}
